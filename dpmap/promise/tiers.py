"""Parts one promise into tiers: readers of one draw, each with an epsilon of her own."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpmap.errors import BadInput
from dpmap.numbers import decimal_text, exact
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.promise.policy import Policy

MOST_TIERS = 10
LONGEST = 40
_NAME = re.compile(r"\w([\w -]{0,38}\w)?")
_TAKEN = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
"""Names of devices, which no folder has on Windows."""


def is_name(name: str) -> bool:
    """Tells whether a tier may be called so: short, printable, and the name of a folder on every
    system.

    >>> is_name("field team"), is_name("../a"), is_name("NUL")
    (True, False, False)
    """
    return bool(_NAME.fullmatch(name)) and name.isprintable() and not _TAKEN.fullmatch(name)


def _check_several(tiers: Any) -> None:
    """Refuses what names no tiers, one alone, or more than there may be."""
    if isinstance(tiers, Mapping) and 2 <= len(tiers) <= MOST_TIERS:
        return
    like = 'like --tier public=0.3 --tier manager=3 (tiers={"public": "0.3", "manager": 3})'
    if not isinstance(tiers, Mapping) or not tiers:
        raise BadInput(f"tiers: name two to {MOST_TIERS}, each with its epsilon, {like}")
    if len(tiers) == 1:
        (loss,) = tiers.values()
        raise BadInput(
            f"tiers: one is given; for one reader write --epsilon {str(loss)[:20]} (epsilon=), or"
            f" name two to {MOST_TIERS}"
        )
    raise BadInput(f"tiers: {len(tiers)} are given; name two to {MOST_TIERS}")


def _check_name(name: str) -> None:
    """Refuses a name that is no folder's, and says what is wrong with it."""
    if is_name(name):
        return
    shown = f"tiers: {name[:50]!r}"
    if _TAKEN.fullmatch(name):
        raise BadInput(
            f"{shown} is a name that Windows keeps for a device; name the tier otherwise, like"
            " partners"
        )
    if len(name) > LONGEST:
        raise BadInput(
            f"{shown} has {len(name)} letters; use at most {LONGEST}, as it names a folder"
        )
    if odd := next(
        (mark for mark in name if not re.fullmatch(r"[\w -]", mark) or not mark.isprintable()), None
    ):
        raise BadInput(
            f"{shown} holds {odd!r}; use letters, digits, spaces, - and _, as it names a folder"
        )
    raise BadInput(
        f"{shown}: begin and end it with a letter or a digit, as it names a folder, like partners"
    )


def epsilons(tiers: Any) -> dict[str, Fraction]:
    """Returns the epsilon of each tier by its name, the noisiest first, after checking that they
    are names of folders and rise.

    >>> [
    ...     (name, str(epsilon))
    ...     for name, epsilon in epsilons({"manager": 3, "public": "0.3"}).items()
    ... ]
    [('public', '3/10'), ('manager', '3')]
    """
    _check_several(tiers)
    named = dict[str, Fraction]()
    for given, loss in tiers.items():
        name = unicodedata.normalize("NFC", str(given))
        _check_name(name)
        if (
            twin := next((one for one in named if one.casefold() == name.casefold()), None)
        ) is not None:
            raise BadInput(
                f"tiers: {twin} and {name} have one name, but for large and small letters; name"
                " each differently"
            )
        epsilon = parse_epsilon(loss, name=f"tiers: the epsilon of {name}")
        if (twin := next((one for one in named if named[one] == epsilon), None)) is not None:
            raise BadInput(
                f"tiers: {twin} and {name} have the same epsilon and would hold the same map; give"
                " that to both readers"
            )
        named[name] = epsilon
    return dict(sorted(named.items(), key=lambda one: one[1]))


def split_policy(policy: Policy, tiers: object) -> dict[str, Policy]:
    """Returns what is promised to whoever is in the survey about each tier's reader, the noisiest
    first.

    A cap that is chosen privately costs all tiers the declared share of the noisiest one's epsilon,
    which is a smaller share of a larger epsilon.

    >>> policy = Policy(epsilon=3, unit="who", cap="auto:0.1")
    >>> [
    ...     (str(one.choosing), str(one.measuring))
    ...     for one in split_policy(policy, {"public": "0.3", "manager": 3}).values()
    ... ]
    [('3/100', '27/100'), ('3/100', '297/100')]
    """
    losses = epsilons(tiers)
    least = min(losses.values())
    most = max(losses.values())
    if policy.epsilon != most:
        raise BadInput(
            f"tiers: all of them cost what the dearest does, {decimal_text(most)}, and the policy"
            f" says epsilon {decimal_text(policy.epsilon)}; write --epsilon {decimal_text(most)}"
            " (epsilon=), or leave --epsilon out"
        )
    policies = {name: _of(policy, loss, least) for name, loss in losses.items()}
    if len({one.measuring for one in policies.values()}) < len(policies):
        raise BadInput(
            "tiers: two epsilons are so near each other that their noise is the same; leave one of"
            " them out"
        )
    return policies


def _of(policy: Policy, loss: Fraction, least: Fraction) -> Policy:
    """Returns the promise of one tier; `least` is the epsilon of the noisiest one."""
    if policy.cap_choice is None:
        return replace(policy, epsilon=loss)
    share = policy.cap_choice.share * least / loss
    exact(decimal_text(share), name="tiers")  # it must be written out in each tier's file
    return replace(policy, epsilon=loss, cap_choice=replace(policy.cap_choice, share=share))
