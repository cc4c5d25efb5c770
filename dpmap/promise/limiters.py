"""Specifies each limiter in one place: what it is called, what it counts in plain Python, and its
words.

`LIMITERS` is the one table. Policies, help, statements, the studio, checks and tests take their
lists from it. The vault adds to each its SQL, the proof of it, and what may be left out beforehand
(`vault/cap_sql.py`, which loads only if it names the same ones). A spec that lacks anything cannot
be made. So a new limiter is one spec here, one in the vault, and its lines in `combinations`.

The plain counts say what a limiter means to whoever reads no SQL. `dpmap selftest` and the tests
hold the vault's SQL to them, to the last step; no release uses them.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, fields
from hashlib import md5
from typing import Literal

Steps = dict[int, int]
"""Lattice steps by cell."""
Row = tuple[int, int]
"""Cell and weight, in shares of a point."""

PRIME = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """Says how a unit's length (the root of its cells' squares added up) is kept to the root of the
    cap.

    `count` scales the steps of one unit, given the cap and the lattice; `words` end the statement's
    sentence about it.
    """

    count: Callable[[Steps, int, int], Steps]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limiter:
    """Specifies a limiter: everything but its SQL.

    - `count`: the steps that one unit adds, in plain Python, from its name, its rows, the cap in
      points, the lattice and the shares to a point. Its docstring says it in words.
    - `length`: how a unit's length is kept with a delta; None where it is not: a delta is then
      refused.
    - `tool`: what `combinations` calls it, where it is decided what it is used with; None for the
      one that all proofs are about.
    - `by_cell`: whether a unit counts by the cells it was in, and not by its rows.
    - `since`: the first format of release files whose readers know it (`record/formats.py`).
    - `statement`, `registry`, `title`, `hint`: what the statement, `privacy.yaml` and the studio
      say of it.
    """

    count: Callable[[str, list[Row], int, int, int], Steps]
    length: Length | None
    tool: str | None
    by_cell: bool
    since: int
    statement: str
    registry: str
    title: str
    hint: str

    def __post_init__(self) -> None:
        blank = [one.name for one in fields(self) if getattr(self, one.name) == ""]
        if blank or not callable(self.count) or not self.count.__doc__:
            raise TypeError(f"a limiter is specified whole, and here is no {(*blank, 'count')[0]}")


def count_scaled(name: str, rows: list[Row], cap: int, lattice: int, shares: int) -> Steps:
    """Counts every row, at min(1, cap / the unit's total weight), each rounded down."""
    del name
    whole = sum(weight for _, weight in rows)
    most, parts = (cap, whole) if whole > cap * shares else (1, shares)
    totals: Steps = defaultdict(int)
    for cell, weight in rows:
        totals[cell] += weight * most * lattice // parts
    return totals


def count_sampled(name: str, rows: list[Row], cap: int, lattice: int, shares: int) -> Steps:
    """Counts rows worth the cap in the order of a hash; of a unit above it none whose place is
    beyond the unit's bar.
    """
    rows = [(cell, weight) for cell, weight in rows if weight]
    if sum(weight for _, weight in rows) <= cap * shares:
        return _fill(rows, cap, lattice, shares)
    a, b, c, d = _coefficients(name)
    bar = (PRIME // len(rows) + 1) * min(2 * cap * shares + 20, len(rows))
    copies: dict[Row, int] = defaultdict(int)
    placed = []
    for cell, weight in rows:
        copies[cell, weight] += 1
        line = cell * a + copies[cell, weight] * c + weight * d + b
        placed.append((pow(line, 2, PRIME), cell, weight))
    first = [(cell, weight) for place, cell, weight in sorted(placed) if place < bar]
    return _fill(first, cap, lattice, shares)


def count_presence(name: str, rows: list[Row], cap: int, lattice: int, shares: int) -> Steps:
    """Counts at most a point in each cell, in the order of a hash of the cell, until the cap is
    reached.
    """
    seen: Steps = defaultdict(int)
    for cell, weight in rows:
        seen[cell] += weight
    once = [(cell, min(weight, shares)) for cell, weight in seen.items() if weight]
    if sum(weight for _, weight in once) > cap * shares:
        a, b, _, _ = _coefficients(name)
        once.sort(key=lambda row: (pow(row[0] * a + b, 2, PRIME), row))
    return _fill(once, cap, lattice, shares)


def _coefficients(name: str) -> list[int]:
    """Returns the four numbers of a unit's order, from the MD5 of its name."""
    digest = md5(name.encode(), usedforsecurity=False).hexdigest()
    return [int(digest[start : start + 8][::-1], 16) for start in (0, 8, 16, 24)]


def _fill(rows: list[Row], cap: int, lattice: int, shares: int) -> Steps:
    """Counts rows one after the other until the cap is full, the last one in part."""
    left = cap * shares
    totals: Steps = defaultdict(int)
    for cell, weight in rows:
        counted = min(weight, left)
        left -= counted
        totals[cell] += counted * lattice // shares
    return totals


def shorten(steps: Steps, cap: int, lattice: int) -> Steps:
    """Scales a unit's cells so that their length is at most the root of the cap."""
    square = sum((-(-step // 8)) ** 2 for step in steps.values())
    if 64 * square <= cap * lattice**2:
        return steps
    root = math.ceil(math.sqrt(square)) + 1
    length = math.isqrt(cap * lattice**2)
    return {cell: one // 8 * length // root for cell, one in steps.items()}


def keep_length(steps: Steps, cap: int, lattice: int) -> Steps:
    """Returns the cells as they are: of at most a point each, at most the cap together, their
    length is short enough.
    """
    del cap, lattice
    return steps


LimiterName = Literal["scale", "sample", "presence"]
"""What callers may write; the tests hold it to the keys of the table."""
LIMITERS: dict[str, Limiter] = {
    "scale": Limiter(
        count=count_scaled,
        length=Length(
            count=shorten,
            words=(
                ": as many points as {cap} in as many cells, one in each, count in full; in fewer "
                "cells they are scaled down further."
            ),
        ),
        tool=None,
        by_cell=False,
        since=1,
        statement=(
            "every row of a unit counts, scaled down together to {points} where there are more"
        ),
        registry="its rows are scaled down together where there are more",
        title="every row counts, but less",
        hint=(
            "The usual way. All her rows are scaled down together until they add up to the cap, so "
            "none is lost by chance."
        ),
    ),
    "sample": Limiter(
        count=count_sampled,
        length=None,
        tool="sampled rows",
        by_cell=False,
        since=1,
        statement=(
            "of each unit, rows worth {points} count, taken in the order of a hash of their own"
            " content"
        ),
        registry="rows worth so much are taken in the order of a hash of their own content",
        title="some rows count whole, and the others not at all",
        hint="Rows worth the cap are drawn, by a lot that only her own rows decide.",
    ),
    "presence": Limiter(
        count=count_presence,
        length=Length(
            count=keep_length,
            words=", as none of its at most {points} shares a cell with another.",
        ),
        tool="presence",
        by_cell=True,
        since=1,
        statement="a unit counts once in each cell where it was, in at most {cells}",
        registry="it counts once in each cell where it was, in at most so many cells",
        title="she counts once in each cell where she reported",
        hint=(
            "In at most as many cells as the cap says. The map then tells in how many cells people "
            "reported, and not how often."
        ),
    ),
}
DEFAULT: LimiterName = "scale"
"""The first one, which every other tool's proof is about."""
if LIMITERS[DEFAULT].tool is not None or len({spec.tool for spec in LIMITERS.values()}) < len(
    LIMITERS
):
    raise TypeError(
        "each limiter but the first is a tool of its own, decided on with each of the others"
    )


def list_limiters() -> str:
    """Returns the names as help says them.

    >>> list_limiters()
    'scale, sample or presence'
    """
    *names, last = LIMITERS
    return f"{', '.join(names)} or {last}"


def count_plainly(
    rows: list[tuple[str, int, int]],
    limiter: str,
    cap: int,
    lattice: int,
    shares: int,
    *,
    length: bool = False,
) -> Steps:
    """Returns the capped totals of (unit, cell, weight) rows; with `length` each unit's length is
    kept too.

    >>> rows = [("ana", 4, 1), ("ana", 4, 1), ("ana", 7, 1), ("bo", 7, 1)]
    >>> count_plainly(rows, "presence", cap=2, lattice=8, shares=1)
    {4: 8, 7: 16}
    """
    spec = LIMITERS[limiter]
    own_rows: dict[str, list[Row]] = defaultdict(list)
    for unit, cell, weight in rows:
        own_rows[unit].append((cell, weight))
    totals: Steps = defaultdict(int)
    for unit, rows_of_unit in own_rows.items():
        steps = spec.count(unit, rows_of_unit, cap, lattice, shares)
        if length:
            if spec.length is None:
                raise TypeError(f"the limiter {limiter} does not keep lengths")
            steps = spec.length.count(steps, cap, lattice)
        for cell, one in steps.items():
            totals[cell] += one
    return {cell: steps for cell, steps in totals.items() if steps}
