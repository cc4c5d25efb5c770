"""Says in a few lines what a release promises and who governs its use."""

from datetime import date

from ..words import tr


def lines(about, today=None):
    """Returns the promise, and who authorised the map, what for and until when; a day that is past is said first.

    >>> lines({"promise": "Nobody's odds change much.", "expires": "2020-01-01"}, date(2026, 1, 1))[0]
    'Expired: its last day of use was 2020-01-01. Ask who authorised it before you use it.'
    """
    today = today or date.today()  # noqa: DTZ011  # the day on this desk
    found = []
    expires = str(about.get("expires") or "")
    if past(expires, today):
        found.append(
            tr(
                "Expired: its last day of use was {}. Ask who authorised it before you use it."
            ).format(expires)
        )
    found.append(str(about.get("promise") or ""))
    found.append(tr("Authorised by: {}").format(about.get("authorised_by") or tr("not declared")))
    found.append(tr("Purpose: {}").format(about.get("purpose") or tr("not declared")))
    if not past(expires, today):
        found.append(tr("Last day of use: {}").format(expires or tr("not declared")))
    if about.get("labels"):
        found.append(tr("Local Contexts labels: {}").format(", ".join(map(str, about["labels"]))))
    return [line for line in found if line]


def past(expires, today):
    """Whether the last day of use is over."""
    try:
        return date.fromisoformat(expires) < today
    except ValueError:
        return False
