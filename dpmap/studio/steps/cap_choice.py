"""Asks how much one of those who are protected may add to the map: the cap."""

from typing import Any

from dpmap.errors import BadInput, DpmapError
from dpmap.numbers import decimal_text, exact
from dpmap.promise import limiters
from dpmap.studio.drafts import Draft
from dpmap.studio.page import Studio, SubmittedForm

FIELDS = ("cap_way", "cap", "cap_looked", "cap_share", "cap_reach", "limiter")
MOST_CAP = 10**9
LOOKED = "after inspection"
REHEARSED = "rehearsed:"
"""How the form's value begins of a cap that a rehearsal showed."""
SHARE = "5"
"""Percent of epsilon that is offered for choosing a cap privately."""


def fill_cap(workspace: Studio, draft: Draft, submitted: SubmittedForm | None) -> dict[str, Any]:
    """Returns what the page shows of the cap; after a mistake what was typed."""
    values = _values(draft)
    if submitted is not None:
        values |= {name: submitted[name] for name in FIELDS if name in submitted}
    return {
        "cap": values,
        "limiters": [(name, spec.title, spec.hint) for name, spec in limiters.LIMITERS.items()],
        "looked": _has_seen_caps(workspace, draft),
    }


def read_cap(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> dict[str, str]:
    """Returns the flags of the cap and of how it is kept."""
    limiter = submitted["limiter"]
    return {
        "limiter": "" if limiter == limiters.DEFAULT else limiter,
        **_cap_kept(workspace, draft, submitted),
    }


def _values(draft: Draft) -> dict[str, str]:
    """Returns what the form shows of a draft."""
    cap = str(draft.get("cap"))
    chosen_privately = cap.startswith("auto:")
    looked = draft.get("cap_origin") == LOOKED
    way = "private" if chosen_privately else "looked" if looked else "declared"
    _, share, reach = (*cap.split(":"), "", "")[:3] if chosen_privately else ("", "", "")
    return {
        "cap_way": way if cap else "",
        "cap": cap if way == "declared" else "",
        "cap_looked": cap if way == "looked" else "",
        "cap_share": _percent(share),
        "cap_reach": reach,
        "limiter": str(draft.get("limiter", limiters.DEFAULT)),
    }


def _percent(share: str) -> str:
    """Returns a share of one as a number of percent, and as it is where it is none."""
    try:
        return decimal_text(100 * exact(share, name="cap")) if share else SHARE
    except DpmapError:
        return share


def _cap_kept(workspace: Studio, draft: Draft, submitted: SubmittedForm) -> dict[str, str]:
    """Returns the cap, which was not declared beforehand if its operator had seen by then what
    each cap scales away.
    """
    flags = _cap(submitted)
    was_rehearsed = submitted["cap_way"].startswith(REHEARSED)
    if not (was_rehearsed or submitted["cap_way"] == "declared") or not flags:
        return flags
    same = flags["cap"] == str(draft.get("cap"))
    if (same and draft.get("cap_origin") == LOOKED) or (
        not same and _has_seen_caps(workspace, draft)
    ):
        raise BadInput(
            "cap: this one was set after you had seen the true numbers; choose “A number that I"
            " found by looking”, or have it chosen privately"
        )
    return flags


def _has_seen_caps(workspace: Studio, draft: Draft) -> bool:
    """Whether this studio has shown what each cap of the survey scales away."""
    job = workspace.commands.last("inspect", draft.name)
    answer = None if job is None else job.answer
    return answer is not None and answer.good and bool((answer.output or {}).get("scaled_away"))


def _cap(submitted: SubmittedForm) -> dict[str, str]:
    """Returns the cap, and how it was found where it was not declared beforehand."""
    way = submitted["cap_way"]
    if way.startswith(REHEARSED):
        return {"cap": _whole(way.removeprefix(REHEARSED)), "cap_origin": ""}
    if way == "private":
        share = submitted["cap_share"].removesuffix("%").strip() or SHARE
        text = decimal_text(exact(share, name="cap: the percent of epsilon") / 100)
        return {
            "cap": ":".join(
                ("auto", text, *([submitted["cap_reach"]] if submitted["cap_reach"] else []))
            ),
            "cap_origin": "",
        }
    cap = submitted["cap_looked"] if way == "looked" else submitted["cap"]
    if not cap and submitted["by"] == "look":
        return {}
    if not cap or not way:
        raise BadInput(
            "cap: say how much one of them adds at most, like 5, or have it chosen privately; there"
            " is no default"
        )
    return {"cap": _whole(cap), "cap_origin": LOOKED if way == "looked" else ""}


def _whole(cap: str) -> str:
    """Returns a cap that is a whole number."""
    if not (cap.isascii() and cap.isdecimal()) or not 1 <= int(cap[:12]) <= MOST_CAP:
        raise BadInput(f"cap must be a whole number from 1 to {MOST_CAP}; write for example 5")
    return cap
