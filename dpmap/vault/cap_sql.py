"""Builds the SQL of the cap, in integers, which every engine runs: it limits how much each unit's
rows count.

The engine provides a table `rows (unit, cell, weight)`: a code of the unit, the grid cell as an
integer below 2^31, and the row's weight as a whole number of shares, `shares` to the point; `names
(unit, name)`, each code's normalised text; `numbered`, which is `rows` and a `copy` that numbers
from 1 those rows that are equal in all three; and `wholes (unit, weight)`, the weights of the very
same rows, each unit's added up as far as the engine likes. The SQL answers `(cell, steps)`, the
capped total of each occupied cell in lattice steps.

**Theorem.** For each limiter, with cap C (points) and lattice L (steps per point): (a) what a unit
adds to the cells depends on that unit's own rows only; (b) it adds nowhere less than 0 and in all
at most C * L steps. Hence removing any one unit moves the totals by at most C * L in L1, in the
cells and in any partition of them.

*(a)* Every aggregate and window below is within one unit, and the order used inside it is a hash of
that unit's own text, cells, weights and copies, ties being between rows of one cell and weight.
*(b)* is shown at each limiter.

Where the noise is Gaussian (c) it adds at most sqrt(C) * L steps in L2, counted in single cells;
merging cells can make that longer, so it holds in no coarser partition. `_shortened` shows it for
`scale`. Under `presence` each cell gets at most a point, so the sum of squares is at most the sum
times a point, C * L^2.

Integers only: weights are below 2^30 shares and C * L at most 2^33, so no product passes 2^63.
"""

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

from dpmap.errors import Refused
from dpmap.private_totals import BY_ITSELF
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.vault.personal_caps import scaled_to_own_caps

PRIME = (1 << 31) - 1
WIDER = 64


def capped_totals(policy: Policy, shares: int = 1) -> str:
    """Builds the SQL of this policy's limiter over `rows`, with `shares` shares of weight to the
    point.

    A unit `row` needs no grouping: each row is its own unit and adds at most min(w, C).

    >>> policy = Policy(epsilon=1, unit="row", cap=1)
    >>> "LEAST(weight, 1) * 4294967296 // 1 AS steps FROM rows" in capped_totals(policy)
    True
    """
    lattice = policy.lattice
    cap = policy.cap * shares
    by_itself = False
    if policy.unit == "row":
        counted = f"SELECT cell, LEAST(weight, {cap}) * {lattice} // {shares} AS steps FROM rows"
    elif policy.epsilon_by is not None:
        counted = scaled_to_own_caps(policy, shares)
    else:
        counted = CAPS[policy.limiter].sql(cap, lattice, shares)
        if policy.delta is not None:
            if (shorten := CAPS[policy.limiter].length) is None:
                raise Refused(
                    "delta: this limiter bounds the sum of a unit's cells, and not their length;"
                    " use another"
                )
            counted = shorten(counted, policy)
        by_itself = CAPS[policy.limiter].by_itself and policy.delta is None
    summed = (
        f"SELECT cell, CAST(SUM(steps) AS BIGINT) AS steps FROM ({counted}) AS counted GROUP BY"
        " cell"
    )
    return f"{BY_ITSELF} {summed}" if by_itself else summed


def _scale(cap: int, lattice: int, shares: int) -> str:
    """Counts every row at min(1, C / the unit's total weight), rounded down to the lattice.

    (b) A unit of total weight W <= C * shares adds at most sum(w * L / shares) <= C * L; a heavier
    one at most sum(w * (C * shares * L / shares) / W) = C * L. Rounding down only lowers both; as C
    * L >= 2^32, a unit of 10^6 rows loses less than 10^6 steps of it, 0.024 %.
    """
    return f"""
        SELECT unit, cell, CASE WHEN whole <= {cap} THEN weight * {lattice} // {shares}
                          ELSE weight * {cap // shares * lattice} // whole END AS steps
        FROM rows JOIN (SELECT unit, CAST(SUM(weight) AS BIGINT) AS whole
                        FROM wholes GROUP BY unit) AS units
        USING (unit)"""


def _shortened(counted: str, policy: Policy) -> str:
    """Scales a unit's cells down once more until their length (the root of the sum of squares) is
    at most sqrt(C).

    (c) Write s for the unit's steps in a cell, t = ceil(s / 8), Q the sum of t^2 over its cells,
    and B = floor(sqrt(C) L). If 64 Q <= C L^2, the length, at most 8 sqrt(Q), is at most sqrt(C) L,
    and nothing is done. Else the cell gets floor(floor(s / 8) B / R) steps, R a whole number with
    R^2 >= Q: the length is then at most B sqrt(Q) / R <= B. A float proposes R; it is taken only if
    R R >= Q in whole numbers, and Q itself stands in for it if not. No total grows, so (b) still
    holds. As s <= C * L < 2^33 and the sum of s is no more, t^2 <= 2^60, Q <= 2^62 for up to 2^30
    cells, and floor(s / 8) B < 2^63; a sum that passed 2^63 is an error of the engine's, and no
    total.
    """
    length = math.isqrt(policy.cap * policy.lattice**2)
    eighth = "((steps + 7) // 8)"
    cells = f"""SELECT unit, cell, CAST(SUM(steps) AS BIGINT) AS steps
                FROM ({counted}) AS scaled GROUP BY unit, cell"""
    squares = f"""SELECT unit, CAST(SUM({eighth} * {eighth}) AS BIGINT) AS square
                  FROM ({cells}) AS cells GROUP BY unit"""
    proposed = (
        f"SELECT unit, square, CAST(CEIL(SQRT(square)) AS BIGINT) + 1 AS root FROM ({squares}) AS"
        " squares"
    )
    roots = (
        "SELECT unit, square, CASE WHEN root * root >= square THEN root ELSE square END AS root"
        f" FROM ({proposed}) AS proposed"
    )
    return f"""
        SELECT cell, CASE WHEN square <= {policy.cap * policy.lattice**2 // 64} THEN steps
                          ELSE (steps // 8) * {length} // root END AS steps
        FROM ({cells}) AS cells JOIN ({roots}) AS roots USING (unit)"""


def _sample(cap: int, lattice: int, shares: int) -> str:
    """Keeps rows worth C of weight per unit, in the order of a hash of unit, cell, weight and copy
    number.

    Equal rows of a unit in a cell are interchangeable, so numbering them in any order gives the
    same totals. A unit that fits under the cap needs no order. (b) The rows of such a unit add up
    to at most C * shares of weight, and of any other `_first` keeps at most that.

    So that a unit with many more rows than C is not sorted whole, only places below its bar are
    looked at; should fewer than C be there, it counts for less than C, which breaks nothing.
    """
    placed = _placed("numbered JOIN orders", f"cell * a + copy * c + (weight * d + b) % {PRIME}")
    return f"""
        SELECT cell, steps FROM (
        WITH {_orders(cap)}
        SELECT cell, weight * {lattice} // {shares} AS steps
        FROM rows JOIN sizes USING (unit) WHERE whole <= {cap}
        UNION ALL {_first(cap, lattice, shares, f"{placed} WHERE place < bar")}) AS limited"""


def _presence(cap: int, lattice: int, shares: int) -> str:
    """Counts a unit at most one point per cell, in the order of a hash of unit and cell, until C is
    reached.

    A unit whose rows fit under the cap needs no order. (b) The cells of such a unit add up to at
    most the weight of its rows; of any other `_first` keeps at most C * shares.

    Rows with a place below their unit's bar are put together by cell first (`near`); of units that
    have not reached C there, those below a bar `WIDER` times as high (`mid`), as a unit of many
    rows in few cells needs; and all others only of units that still lack (`far`). That changes
    nothing: C is reached before the first row that was left out.
    """
    once = f"LEAST({shares}, CAST(SUM(weight) AS BIGINT)) AS weight"

    def grouped(units: str, within: str) -> str:
        placed = _placed(f"rows JOIN {units}", "cell * a + b")
        return (
            f"SELECT unit, cell, {once}, place FROM ({placed} WHERE {within}) AS part GROUP BY"
            " unit, cell, place"
        )

    def lacking(units: str, read: str) -> str:
        enough = f"SELECT unit FROM ({read}) AS read GROUP BY unit HAVING SUM(weight) >= {cap}"
        return (
            f"SELECT * FROM {units} WHERE NOT EXISTS (SELECT 1 FROM ({enough}) AS enough"
            f" WHERE enough.unit = {units}.unit)"
        )

    both = "SELECT * FROM near UNION ALL SELECT * FROM mid"
    return f"""
        SELECT cell, steps FROM (
        WITH {_orders(cap)},
             near AS ({grouped("orders", "place < bar")}),
             wanting AS ({lacking("orders", "SELECT * FROM near")}),
             mid AS ({grouped("wanting", f"place >= bar AND place < {WIDER} * bar")}),
             lacking AS ({lacking("wanting", both)}),
             far AS ({grouped("lacking", f"place >= {WIDER} * bar")})
        SELECT cell, weight * {lattice} // {shares} AS steps
        FROM (SELECT cell, {once} FROM rows JOIN sizes USING (unit)
              WHERE whole <= {cap} AND weight > 0 GROUP BY unit, cell) AS light
        UNION ALL {_first(cap, lattice, shares, f"{both} UNION ALL SELECT * FROM far")}
        ) AS limited"""


def _orders(cap: int) -> str:
    """Builds two tables: `sizes` (each unit's whole weight, and how many of its rows have any) and
    `orders` (for each unit above the cap the numbers that put its rows in order, from the MD5 of
    its name, and the bar that some rows are below).

    Below the bar 2 C + 20 of the unit's rows are expected, or all of them, if it has no more.
    """
    return f"""
        sizes AS (SELECT unit, CAST(SUM(weight) AS BIGINT) AS whole, COUNT(*) AS row_count
                  FROM rows WHERE weight > 0 GROUP BY unit),
        orders AS ({order_numbers(cap)})"""


def order_numbers(cap: int) -> str:
    """Builds SQL over `names` and `sizes` that answers each heavy unit's bar and the numbers of
    its order.
    """
    bar = 2 * cap + 20
    a, b, c, d = (
        f"CAST('0x' || SUBSTR(digits, {start}, 8) AS BIGINT) % {PRIME}" for start in (25, 17, 9, 1)
    )
    return f"""
        SELECT unit, ({PRIME} // row_count + 1) * LEAST({bar}, row_count) AS bar,
               {a} AS a, {b} AS b, {c} AS c, {d} AS d
        FROM (SELECT unit, row_count, REVERSE(digest) AS digits
              FROM (SELECT unit, row_count, MD5(name) AS digest
                    FROM names JOIN sizes USING (unit)
                    WHERE whole > {cap}) AS digests) AS reversed"""


def _placed(rows: str, line: str) -> str:
    """Gives each row its place in its unit's order: the square, modulo the prime `PRIME`, of a line
    through what the row holds. A line with coefficients drawn for each unit lays any two of its
    rows as two fair draws would, and so are their squares, which is what a bottom-k sample needs to
    be about as good as one drawn by lot (Thorup 2013); squared, the rows of one cell, or of cells
    in a row, lie no more evenly than others.

    Copies are fewer than 2^31, cells, weights and coefficients below it, so no sum passes 2^63.
    """
    return f"""
        SELECT unit, cell, weight, place FROM (
            SELECT unit, cell, weight, CAST(line * line % {PRIME} AS INTEGER) AS place, bar FROM (
                SELECT unit, cell, weight, ({line}) % {PRIME} AS line, bar
                FROM {rows} USING (unit) WHERE weight > 0
            ) AS lines) AS placed"""


def _first(cap: int, lattice: int, shares: int, placed: str) -> str:
    """Keeps the first rows of each unit, in the order of `place`, that fit the cap; the row that
    crosses C counts in part.

    The kept weights of a unit are max(0, min(w, cap - those before)), which add up to at most the
    cap: by induction, once the weights before reach it every later row keeps 0.
    """
    return f"""
        SELECT cell, GREATEST(0, LEAST(weight, {cap} - earlier)) * {lattice} // {shares} AS steps
        FROM (SELECT cell, weight, COALESCE(CAST(SUM(weight) OVER (
                  PARTITION BY unit ORDER BY place, cell, weight
                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                  AS BIGINT), 0) AS earlier
              FROM ({placed}) AS placed) AS ordered
        WHERE earlier < {cap}"""


class Cap(NamedTuple):
    """Holds what the vault adds to a limiter's spec: SQL that proves (b); what keeps (c), None
    where nothing does; of what it counts the first C in the order of `order_numbers`, if it does
    (the engines' prefilter asks); whether it looks at each row by itself.
    """

    sql: Callable[[int, int, int], str]
    length: Callable[[str, Policy], str] | None
    first: Literal["rows", "cells"] | None
    by_itself: bool


CAPS = {
    "scale": Cap(_scale, length=_shortened, first=None, by_itself=True),
    "sample": Cap(_sample, length=None, first="rows", by_itself=False),
    "presence": Cap(_presence, length=lambda counted, _: counted, first="cells", by_itself=False),
}
for _name in CAPS.keys() | LIMITERS.keys():
    if (CAPS[_name].length is None) != (LIMITERS[_name].length is None) or "(b)" not in str(
        CAPS[_name].sql.__doc__
    ):
        raise TypeError(
            f"the limiter {_name} is not proved whole: its SQL says why (b) holds, and its spec"
            " whether (c) does"
        )
