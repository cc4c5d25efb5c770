"""The cap: how much of each unit's rows may count, as a few lines of integer SQL that every engine runs.

The engine provides a table `rows (unit, cell, weight)`: the normalised unit as text, the grid cell as an integer, and
the row's weight as a whole number of shares, `SHARES` to the point. The SQL answers `(cell, steps)`, the capped
total of each occupied cell in lattice steps.

**Theorem.** For each limiter, with cap C (points) and lattice L (steps per point): (a) what a unit adds to the cells
depends on that unit's own rows only; (b) it adds nowhere less than 0 and in all at most C * L steps. Hence removing
any one unit moves the totals by at most C * L in L1, in the cells and in any partition of them.

*(a)* Every aggregate and window below is within one unit, and the order used inside it is a hash of that unit's own
text, cells and weights, ties being between rows that are equal in all of them. *(b)* is shown at each limiter.
Integers only: weights are below 2^30 shares and C * L at most 2^33, so no product passes 2^63.
"""

from dataclasses import dataclass

from dpmap.policy import Policy

SHARES = 1
MOST_WEIGHT = 1 << 29


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
    else:
        make = {"scale": _scale, "sample": _sample, "presence": _presence}[policy.limiter]
        counted = make(cap, lattice, shares, dialect)
    return f"SELECT cell, CAST(SUM(steps) AS {dialect.integer}) AS steps FROM ({counted}) AS counted GROUP BY cell"


def _scale(cap: int, lattice: int, shares: int, dialect: Dialect) -> str:
    """Every row counts, at min(1, C / the unit's total weight), rounded down to the lattice.

    (b) A unit of total weight W <= C * shares adds at most sum(w * L / shares) <= C * L; a heavier one at most
    sum(w * (C * shares * L / shares) / W) = C * L. Rounding down only lowers both; as C * L >= 2^32, a unit of 10^6
    rows loses less than 10^6 steps of it, 0.024 %.
    """
    div = dialect.divide
    return f"""
        SELECT cell, CASE WHEN whole <= {cap} THEN weight * {lattice} {div} {shares}
                          ELSE weight * {cap // shares * lattice} {div} whole END AS steps
        FROM rows JOIN (SELECT unit, CAST(SUM(weight) AS {dialect.integer}) AS whole FROM rows GROUP BY unit) AS units
        USING (unit)"""


def _sample(cap: int, lattice: int, shares: int, dialect: Dialect) -> str:
    """Rows worth C of weight per unit, in the order of a hash of unit, cell, weight and copy number.

    Equal rows of a unit in a cell are interchangeable, so numbering them in any order gives the same totals.
    (b) `_first` keeps at most C * shares of weight.
    """
    return _first(cap, lattice, shares, dialect, rows=f"""
        SELECT unit, cell, weight, MD5(CONCAT(unit, '|', CAST(cell AS {_TEXT}), '|', CAST(weight AS {_TEXT}), '|',
                                       CAST(copy AS {_TEXT}))) AS place
        FROM (SELECT unit, cell, weight, ROW_NUMBER() OVER (PARTITION BY unit, cell, weight ORDER BY cell) AS copy
              FROM rows) AS numbered""")  # fmt: skip


def _presence(cap: int, lattice: int, shares: int, dialect: Dialect) -> str:
    """A unit counts at most one point per cell, in the order of a hash of unit and cell, until C is reached.

    (b) `_first` keeps at most C * shares of weight.
    """
    return _first(cap, lattice, shares, dialect, rows=f"""
        SELECT unit, cell, weight, MD5(CONCAT(unit, '|', CAST(cell AS {_TEXT}))) AS place
        FROM (SELECT unit, cell, LEAST({shares}, CAST(SUM(weight) AS {dialect.integer})) AS weight
              FROM rows GROUP BY unit, cell) AS seen""")  # fmt: skip


_TEXT = "VARCHAR(64)"


def _first(cap: int, lattice: int, shares: int, dialect: Dialect, *, rows: str) -> str:
    """Of each unit's rows in the order of `place`, what fits under the cap; the row that crosses it counts in part.

    The kept weights of a unit are max(0, min(w, cap - those before)), which add up to at most the cap: by induction,
    once the weights before reach it every later row keeps 0.
    """
    div = dialect.divide
    return f"""
        SELECT cell, GREATEST(0, LEAST(weight, {cap} - earlier)) * {lattice} {div} {shares} AS steps
        FROM (SELECT cell, weight, COALESCE(CAST(SUM(weight) OVER (
                  PARTITION BY unit ORDER BY place, cell, weight ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                  AS {dialect.integer}), 0) AS earlier
              FROM ({rows}) AS placed) AS ordered
        WHERE earlier < {cap}"""
