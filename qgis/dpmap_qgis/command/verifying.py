"""Verifies dpmap: which one is found, its version, and whether the promise holds on this machine."""

from . import finding, running, standing

QUICK = (
    "places",
    "fresh",
    "once",
    "tables",
    "order",
    "ledger",
    "race",
)
"""Checks of the whole selftest that together take seconds: the noise, a device, the files and the ledger."""


class Verdict:
    """What was found: `good`, the `version` and the `minimum`, `where` and what was started, the `checks`, and in `says` one line."""

    def __init__(self, good, says, version="", where="", program=(), checks=()):
        self.good, self.says, self.version, self.minimum = good, says, version, finding.minimum()
        self.where, self.program, self.checks = where, list(program), list(checks)


def verify(told="", *, whole=False, progress=None, stopped=None, own=None):
    """Finds dpmap anew and runs its selftest: a quick part, or the `whole`, which takes some minutes."""
    standing.forget()
    try:
        it = finding.looked(told, own)
    except finding.NotFound as error:
        return Verdict(False, str(error))
    words = ["selftest", "--json", "--progress", "json"]
    if not whole:
        words += [word for name in QUICK for word in ("--only", name)]
    answer = running.run(it.words, words, progress=progress, stopped=stopped)
    heard = answer.told if isinstance(answer.told, dict) else {}
    checks = [one for one in heard.get("checks", ()) if isinstance(one, dict)]
    return Verdict(
        answer.good and heard.get("passed") is True, _said(answer, heard, checks, whole) + (f". {it.standing.says}" if it.standing.says else ""),
        it.standing.version, it.where, it.words, checks,
    )  # fmt: skip


def _said(answer, heard, checks, whole):
    if answer.code == running.INTERRUPTED:
        return "Stopped before the end: nothing was verified"
    if answer.good and heard.get("passed") is True:
        kept = sum(one.get("outcome") == "passed" for one in checks)
        return f"All {kept} checks passed" + (
            "" if whole else " (a quick part; the whole selftest tries more)"
        )
    broken = [str(one.get("promise", "")) for one in checks if one.get("outcome") == "broken"]
    if broken:
        return (
            "A promise does not hold on this machine: "
            + "; ".join(broken)
            + ". Make no map with this dpmap"
        )
    return answer.error or "dpmap selftest answered nothing that can be read"
