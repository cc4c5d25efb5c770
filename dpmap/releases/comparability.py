"""Which two maps may be compared: they must count the same, and be of two draws."""

from typing import Any

import numpy as np

from dpmap.errors import BadInput
from dpmap.maps import LAYERED, kind, read_map
from dpmap.promise.policy import Policy
from dpmap.promise.units import unit_key, unit_name
from dpmap.record import Record
from dpmap.statement.phrases import noun


def check_promises(before: Record, after: Record) -> None:
    """Refuse maps between which a change would mean nothing, or another thing than it seems."""
    kinds = kind(before), kind(after)
    if LAYERED in kinds:
        which = before if kinds[0] == LAYERED else after
        example = ", ".join(next(iter(which.grid.maps)))
        raise BadInput(
            f"compare: {'the first' if which is before else 'the second'} release has layers; name"
            f" one of them, like --layer {example!r} (.layer())"
        )
    if draws(before) & draws(after):
        raise BadInput(
            "compare: both maps are of one draw, so nothing can have changed; give two releases,"
            " such as those of two seasons"
        )
    maps = read_map(before), read_map(after)
    if maps[0].counts != maps[1].counts:
        words = " and ".join(map_.called for map_ in maps)
        raise BadInput(f"compare: {words} do not tell the same; give two of one kind")
    for what, advice in differing(before, after):
        raise BadInput(
            f"compare: the maps {what}, so their numbers are of different scales; {advice}"
        )


def draws(record: Record) -> set[tuple[str, tuple[str, ...]]]:
    """Return which draws, and which layers of them, are in a map: tiers and copies of one draw
    have its receipt.
    """
    parts = read_map(record).parts()
    return {(part.receipt.release_id, part.about.layer) for part in parts}


def differing(before: Record, after: Record) -> "list[tuple[str, str]]":
    """List how the maps count differently, each with what to do instead."""
    earlier = before.policy
    later = after.policy
    again = "compare releases made with the same --unit, --cap and --limiter"
    pairs = [
        (
            unit_key(earlier.unit) != unit_key(later.unit),
            f"protect different units, {unit_name(earlier.unit)} and {unit_name(later.unit)}",
        ),
        (_site(earlier) != _site(later), "differ in whether sites are protected too"),
        (earlier.cap != later.cap, f"have different caps, {earlier.cap:,} and {later.cap:,}"),
        (
            earlier.limiter != later.limiter,
            f"keep the cap in different ways, {earlier.limiter} and {later.limiter}",
        ),
        (
            (earlier.delta is None) != (later.delta is None),
            "differ in --delta, which caps by another rule",
        ),
        (earlier.sample != later.sample, "are of different samples of the units"),
        (
            _own_rules(earlier) != _own_rules(later),
            "differ in the units' own limits (--epsilon-by), which cap by them",
        ),
        (
            before.about.noun != after.about.noun,
            f"count different things, {noun(before)} and {noun(after)}",
        ),
        (
            read_map(before).mean != read_map(after).mean,
            "tell means of different columns or ranges",
        ),
    ]
    return [(what, again) for differs, what in pairs if differs]


def _site(policy: Policy) -> Any:
    return policy.site and (unit_key(policy.site), policy.site_cap)


def _own_rules(policy: Policy) -> Any:
    return policy.epsilon_by and (policy.epsilon_by.column.strip().lower(), policy.own_shares)


def check_kinds(*records: Record) -> None:
    """Refuse maps that are not compared region by region."""
    for record in records:
        map_ = read_map(record)
        if not map_.by_region:
            raise BadInput(
                f"compare: {map_.called} is compared zone by zone only; add zones, like"
                " --zones districts.gpkg"
            )


def check_areas(before: Record, after: Record) -> None:
    """Refuse maps of the same cells that leave out different ones."""
    if not np.array_equal(before.grid.inside, after.grid.inside):
        raise BadInput(
            "compare: the maps have the same cells but different areas; add zones that lie in both,"
            " like --zones districts.gpkg"
        )
