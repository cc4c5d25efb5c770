"""Says what Inspect found in the order in which an operator reads it: a small table in words."""

from ..words import tr

NOT_FORMS = ("filled in", "two ways", "unread")
CERTAIN = {
    "median_m": "in the middle: {}", "90th_m": "9 in 10 within {}", "known_share": "said for {} of the rows that can be used",
    "above_cell_share": "{} less certain than the cells", "above_100m_share": "{} less certain than 100 m",
    "above_1km_share": "{} less certain than 1 km", "above_10km_share": "{} less certain than 10 km",
}  # fmt: skip


def lines(told):
    """Yields the lines: what was read, what is left out and why, who is in it, what each cap takes away, and advice."""
    rows = told.get("rows") or 0
    yield tr("HOW IT IS READ")
    yield from (f"  {name}: {words}" for name, words in told.get("roles") or ())
    yield tr("WHAT IT HOLDS")
    yield "  " + tr("{} rows, of which {} can be used").format(
        number(rows), number(told.get("usable") or 0)
    )
    for why, count in (told.get("left_out") or {}).items():
        yield "  " + tr("left out, {}: {} ({})").format(why, number(count), share(count, rows))
    if told.get("repeated"):
        yield "  " + tr("{} rows repeat a unit and a place").format(number(told["repeated"]))
    yield from _units(told)
    yield from _caps(told)
    yield from _more(told)


def _units(told):
    if not told.get("units"):
        return
    yield tr("WHO IS IN IT")
    yield "  " + tr("{} units").format(number(told["units"]))
    of = told.get("rows_per_unit") or {}
    if of:
        yield "  " + tr("rows of a unit: {} in the middle, 9 in 10 have at most {}, 99 in 100 at most {}, one has {}").format(
            *(number(of.get(name, 0)) for name in ("median", "90th", "99th", "max"))
        )  # fmt: skip
    for rows, units in (told.get("histogram") or {}).items():
        yield "  " + tr("with {} rows: {} units").format(rows, number(units))


def _caps(told):
    if told.get("scaled_away") and told.get("units"):
        yield tr("WHAT A CAP TAKES AWAY")
        for cap, part in told["scaled_away"].items():
            yield "  " + tr("a cap of {}: {}").format(cap, f"{part:.1%}")


def _more(told):
    """Yields what only some surveys have: how sure places are, dates, limits, several files, columns that may be the unit."""
    yield from _certain(told.get("uncertainty") or {})
    for column, counts in (told.get("dates") or {}).items():
        filled = counts.get("filled in", 0)
        ways = ", ".join(
            f"{form} {share(count, filled)}"
            for form, count in counts.items()
            if count and form not in NOT_FORMS
        )
        yield tr("DATES in {}: {} rows filled in; can be read as {}").format(
            column, number(filled), ways or tr("none")
        )
    for level, units in (told.get("limits") or {}).items():
        yield "  " + tr("a limit of {}: {} units").format(level, number(units))
    for one in told.get("who") or ():
        yield tr("MAY BE THE UNIT: {}").format(
            ", ".join(f"{name} {value}" for name, value in one.items())
        )
    for name, count in (told.get("links") or {}).items():
        yield "  " + tr("links to sites, {}: {}").format(name, number(count))
    yield from (tr("ADVICE: {}").format(one) for one in told.get("advice") or ())


def _certain(known):
    """Yields how certain places are said to be."""
    if not known:
        return
    yield tr("HOW CERTAIN PLACES ARE")
    for name, words in CERTAIN.items():
        if name in known:
            metres = name.endswith("_m")
            yield "  " + tr(words).format(
                f"{known[name]:,.0f} m" if metres else f"{known[name]:.0%}"
            )


def number(value):
    """Returns a number as people write it; what is none as it is.

    >>> number(17932), number(2.5), number("x")
    ('17,932', '2.5', 'x')
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,g}"


def share(part, whole):
    """Returns a part of a whole in percent.

    >>> share(1340, 20000), share(0, 0)
    ('6.7%', '0.0%')
    """
    return f"{part / whole if whole else 0:.1%}"
