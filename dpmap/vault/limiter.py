"""The cap: how much of each unit's rows may count, as a few lines of integer SQL that every engine runs.

The engine provides a table `rows (unit, cell, weight)`: the normalised unit as text (or a code that SQL takes for its
text), the grid cell as an integer below 2^31, and the row's weight as a whole number of shares, `SHARES` to the point. The SQL answers `(cell, steps)`, the capped
total of each occupied cell in lattice steps.

**Theorem.** For each limiter, with cap C (points) and lattice L (steps per point): (a) what a unit adds to the cells
depends on that unit's own rows only; (b) it adds nowhere less than 0 and in all at most C * L steps. Hence removing
any one unit moves the totals by at most C * L in L1, in the cells and in any partition of them.

*(a)* Every aggregate and window below is within one unit, and the order used inside it is a hash of that unit's own
text, cells and weights, ties being between rows that are equal in all of them. *(b)* is shown at each limiter.

Where the noise is Gaussian (c) it adds at most sqrt(C) * L steps in L2, counted in single cells; merging cells can make
that longer, so it holds in no coarser partition. `_shortened` shows it for `scale`. Under `presence` each cell gets at
most a point, so the sum of squares is at most the sum times a point, C * L^2.

Integers only: weights are below 2^30 shares and C * L at most 2^33, so no product passes 2^63.
"""

import math
from dataclasses import dataclass

from dpmap.policy import Policy
from dpmap.vault.limits import scaled_to_own_caps

SHARES = 1
MOST_WEIGHT = 1 << 29
PRIME = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Dialect:
    """The two words in which the engines' SQL differ: whole division, and the 64-bit integer type."""

    divide: str = "//"
    integer: str = "BIGINT"


def capped_totals(policy: Policy, dialect: Dialect, shares: int = SHARES) -> str:
    """The SQL of this policy's limiter over `rows`, with `shares` shares of weight to the point.

    A unit `row` needs no grouping: each row is its own unit and adds at most min(w, C).

    >>> policy = Policy(epsilon=1, unit="row", cap=1)
    >>> "LEAST(weight, 1) * 4294967296 // 1 AS steps FROM rows" in capped_totals(policy, Dialect())
    True
    """
    lattice, cap = policy.lattice, policy.cap * shares
    if policy.unit == "row":
        counted = f"SELECT cell, LEAST(weight, {cap}) * {lattice} {dialect.divide} {shares} AS steps FROM rows"
    elif policy.epsilon_by is not None:
        counted = scaled_to_own_caps(policy, shares, dialect)
    else:
        make = {"scale": _scale, "sample": _sample, "presence": _presence}[policy.limiter]
        counted = make(cap, lattice, shares, dialect)
        if policy.delta is not None and policy.limiter == "scale":
            counted = _shortened(counted, policy, dialect)
    return f"SELECT cell, CAST(SUM(steps) AS {dialect.integer}) AS steps FROM ({counted}) AS counted GROUP BY cell"


def _scale(cap: int, lattice: int, shares: int, dialect: Dialect) -> str:
    """Every row counts, at min(1, C / the unit's total weight), rounded down to the lattice.

    (b) A unit of total weight W <= C * shares adds at most sum(w * L / shares) <= C * L; a heavier one at most
    sum(w * (C * shares * L / shares) / W) = C * L. Rounding down only lowers both; as C * L >= 2^32, a unit of 10^6
    rows loses less than 10^6 steps of it, 0.024 %.
    """
    div = dialect.divide
    return f"""
        SELECT unit, cell, CASE WHEN whole <= {cap} THEN weight * {lattice} {div} {shares}
                          ELSE weight * {cap // shares * lattice} {div} whole END AS steps
        FROM rows JOIN (SELECT unit, CAST(SUM(weight) AS {dialect.integer}) AS whole FROM rows GROUP BY unit) AS units
        USING (unit)"""


def _shortened(counted: str, policy: Policy, dialect: Dialect) -> str:
    """A unit's cells, scaled down together once more until their length (the root of the sum of squares) is sqrt(C).

    (c) Write s for the unit's steps in a cell, t = ceil(s / 8), Q the sum of t^2 over its cells, and B = floor(sqrt(C) L).
    If Q <= floor(B / 8)^2, the length, at most 8 sqrt(Q), is at most B, and nothing is done. Else the cell gets
    floor(floor(s / 8) B / R) steps, R a whole number with R^2 >= Q: the length is then at most B sqrt(Q) / R <= B. A float
    proposes R; it is taken only if R R >= Q in whole numbers, and Q itself stands in for it if not. No total grows, so (b)
    still holds. As s <= C * L < 2^33 and the sum of s is no more, t^2 <= 2^60, Q <= 2^62 for up to 2^30 cells, and
    floor(s / 8) B < 2^63; a sum that passed 2^63 is an error of the engine's, and no total.
    """
    div, length = dialect.divide, math.isqrt(policy.cap * policy.lattice**2)
    eighth = f"((steps + 7) {div} 8)"
    cells = f"""SELECT unit, cell, CAST(SUM(steps) AS {dialect.integer}) AS steps
                FROM ({counted}) AS scaled GROUP BY unit, cell"""
    squares = f"""SELECT unit, CAST(SUM({eighth} * {eighth}) AS {dialect.integer}) AS square
                  FROM ({cells}) AS cells GROUP BY unit"""
    proposed = (
        f"SELECT unit, square, CAST(CEIL(SQRT(square)) AS {dialect.integer}) + 1 AS root FROM ({squares}) AS squares"
    )
    roots = f"SELECT unit, square, CASE WHEN root * root >= square THEN root ELSE square END AS root FROM ({proposed}) AS proposed"
    return f"""
        SELECT cell, CASE WHEN square <= {(length // 8) ** 2} THEN steps
                          ELSE (steps {div} 8) * {length} {div} root END AS steps
        FROM ({cells}) AS cells JOIN ({roots}) AS roots USING (unit)"""


def _sample(cap: int, lattice: int, shares: int, dialect: Dialect) -> str:
    """Rows worth C of weight per unit, in the order of a hash of unit, cell, weight and copy number.

    Equal rows of a unit in a cell are interchangeable, so numbering them in any order gives the same totals. A unit
    that fits under the cap needs no order. (b) The rows of such a unit add up to at most C * shares of weight, and of
    any other `_first` keeps at most that.
    """
    sizes = _sizes("rows", dialect)
    numbered = f"""
        SELECT unit, cell, weight, ROW_NUMBER() OVER (PARTITION BY unit, cell, weight ORDER BY cell) AS copy
        FROM rows JOIN ({sizes}) AS sizes USING (unit) WHERE whole > {cap} AND weight > 0"""
    return f"""
        SELECT cell, weight * {lattice} {dialect.divide} {shares} AS steps
        FROM rows JOIN ({sizes}) AS sizes USING (unit) WHERE whole <= {cap}
        UNION ALL {_first(cap, lattice, shares, dialect, sizes=sizes, rows=numbered)}"""


def _presence(cap: int, lattice: int, shares: int, dialect: Dialect) -> str:
    """A unit counts at most one point per cell, in the order of a hash of unit and cell, until C is reached.

    (b) As for `_sample`, over one row for each cell that a unit is in.
    """
    sizes, once = _sizes("seen", dialect), "SELECT unit, cell, weight, 1 AS copy FROM seen"
    return f"""
        SELECT cell, steps FROM (
        WITH seen AS (SELECT unit, cell, LEAST({shares}, CAST(SUM(weight) AS {dialect.integer})) AS weight
                      FROM rows WHERE weight > 0 GROUP BY unit, cell)
        SELECT cell, weight * {lattice} {dialect.divide} {shares} AS steps
        FROM seen JOIN ({sizes}) AS sizes USING (unit) WHERE whole <= {cap}
        UNION ALL {_first(cap, lattice, shares, dialect, sizes=sizes, rows=once)}) AS limited"""


def _sizes(rows: str, dialect: Dialect) -> str:
    """Each unit's whole weight, and how many of its rows have any."""
    return f"""SELECT unit, CAST(SUM(weight) AS {dialect.integer}) AS whole, COUNT(*) AS many
               FROM {rows} WHERE weight > 0 GROUP BY unit"""


def _first(cap: int, lattice: int, shares: int, dialect: Dialect, *, sizes: str, rows: str) -> str:
    """Of the rows of each unit above the cap, in the order of `place`, what fits; the row that crosses C counts in part.

    The kept weights of a unit are max(0, min(w, cap - those before)), which add up to at most the cap: by induction,
    once the weights before reach it every later row keeps 0.

    A row's place is the hash ((cell a + weight) a + copy) c + b modulo the prime `PRIME`, with a, b and c from the MD5
    of the unit's name: for each unit another order, in which any two of its rows lie as two fair draws would, which
    is what a bottom-k sample needs to be about as good as one drawn by lot (Thorup 2013). So that a unit with many more
    rows than C is not sorted whole, only places below a bar are looked at, where 2 C + 60 of its rows are expected
    (all of them, if it has no more); should fewer than C be there, it counts for less than C, which breaks nothing.
    """
    div, bar = dialect.divide, 2 * cap + 60
    digits = [f"(ASCII(SUBSTR(digest, {i}, 1)) - 48) % 39" for i in range(1, 25)]  # '0' to 'f' as 0 to 15
    a, b, c = (
        " + ".join(f"{digit} * CAST({16**i} AS {dialect.integer})" for i, digit in enumerate(digits[start : start + 8]))
        for start in (0, 8, 16)
    )
    return f"""
        SELECT cell, GREATEST(0, LEAST(weight, {cap} - earlier)) * {lattice} {div} {shares} AS steps
        FROM (SELECT cell, weight, COALESCE(CAST(SUM(weight) OVER (
                  PARTITION BY unit ORDER BY place, cell, weight ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                  AS {dialect.integer}), 0) AS earlier
              FROM (SELECT unit, cell, weight, bar,
                           (((cell * a + weight) % {PRIME} * a + copy) % {PRIME} * c + b) % {PRIME} AS place
                    FROM ({rows}) AS counted
                    JOIN (SELECT unit, ({PRIME} {div} many + 1) * LEAST({bar}, many) AS bar,
                                 1 + ({a}) % {PRIME - 1} AS a, ({b}) % {PRIME} AS b, 1 + ({c}) % {PRIME - 1} AS c
                          FROM (SELECT unit, many, MD5(CONCAT(unit, '')) AS digest
                                FROM ({sizes}) AS sizes WHERE whole > {cap}) AS digests) AS heavy USING (unit)) AS placed
              WHERE place < bar) AS ordered
        WHERE earlier < {cap}"""
