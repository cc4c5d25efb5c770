"""Checks the tools beyond one map of one unit: layers, means, sites, areas, sparse maps, plans.

Layers, means and links are counted a second time, here, in plain Python, to the last step.
"""

import csv
import math
import secrets
import tempfile
from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np

from dpmap import engines
from dpmap.errors import BadInput, BudgetExceeded
from dpmap.grid import Grid, Partition
from dpmap.grid.layer_axes import Kinds, Times, Values
from dpmap.ledger.ledger import Ledger
from dpmap.promise.policy import Policy
from dpmap.selftest import cap, statistics
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.steward.release_run import _limiter
from dpmap.survey import read
from dpmap.survey.column_roles import PARTS
from dpmap.survey.row_sql import JOINT
from dpmap.vault.session import Session
from dpmap.vault.two_unit_cap import capped_pairs, edges

Row = tuple[str, int, str, str, str]
"""Who, the cell, kind, date and value."""
KINDS = Kinds("kind", ("Kestrel", "Owl"))
TIMES = Times("day", ("2024", "2024-07", "2026"))
MEAN = Values("value", 1, 5)
ANA = "ana"


def _survey(rows: Iterable[tuple[object, ...]], header: tuple[str, ...], path: Path) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def _totals(rows: list[Row], grid: Grid, policy: Policy, folder: Path) -> cap.Cells:
    """Returns capped totals of all layers, by the engine, from a file."""
    spots = [
        (who, spot.x, spot.y, *rest) for who, cell, *rest in rows for spot in [cap.row(who, cell)]
    ]
    path = _survey(spots, ("who", "x", "y", "kind", "day", "value"), folder / "s.csv")
    reading: dict[str, Any] = {"mean": "value", "between": (1, 5)} if grid.mean else {}
    survey = read(path, x="x", y="y", crs="EPSG:3857", **reading)
    limiter = _limiter(policy, survey.roles.shares)
    found = engines.make_engine("duckdb").totals(survey, grid, policy, limiter, lambda step: None)
    return {
        cell: steps
        for cell, steps in zip(found._cells.tolist(), found._steps.tolist(), strict=True)
        if steps
    }


def _compared(
    grid: Grid,
    placed: Callable[[Row], list[tuple[int, int]]],
    shares: int,
    words: Callable[[], Row],
    effort: Effort,
) -> int:
    """Checks on random surveys that removing the unit moves all layers by at most the cap, and
    by what a plain count says.
    """
    dice, tried = secrets.SystemRandom(), 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as place:
        for limit in (1, 4, 30) * effort.many(4):
            policy = Policy(epsilon=1, unit="who", cap=limit)
            rows = [words() for _ in range(dice.randrange(60, 140))]
            left = [row for row in rows if row[0].strip().lower() != ANA]
            whole, rest = (_totals(part, grid, policy, Path(place)) for part in (rows, left))
            for part, found in ((rows, whole), (left, rest)):
                counted = [
                    (row[0].strip().lower(), *share) for row in part for share in placed(row)
                ]
                if found != cap.plain_totals(counted, policy, shares):
                    raise Broken(f"cap {limit}: the engine's layers are not those of a plain count")
            if (moved := cap.distance(whole, rest)) > limit * policy.lattice:
                raise Broken(
                    f"cap {limit}: one unit moves all layers together by"
                    f" {moved / policy.lattice:.9f} points"
                )
            tried += 1
    return tried


def _words() -> Row:
    dice = secrets.SystemRandom()
    return (
        dice.choice(("ana", "Ana ", "bo", "cy")),
        dice.randrange(cap.grid().size),
        dice.choice(("Kestrel", "kestrel ", "Owl", "Merlin", "")),
        dice.choice(
            (
                "2024-02-29",
                "2024-07-01",
                "2024-06-30",
                "2025",
                "2024",
                "2023-12-31",
                "2026-01-01",
                "May",
                "",
            )
        ),
        dice.choice(
            (
                "1",
                "5",
                "2.5",
                "3,75",
                "-7",
                "900",
                "1.0000001",
                "4.9999999",
                "",
                "few",
                "nan",
                "inf",
            )
        ),
    )


def _layer(row: Row) -> list[tuple[int, int]]:
    """Returns the cell of a row in the stack of layers, found here in another way."""
    kinds, spans = (
        {"kestrel": 0, "owl": 1},
        ((date(2024, 1, 1), date(2024, 6, 30)), (date(2024, 7, 1), date(2025, 12, 31))),
    )
    kind, told = kinds.get(row[2].strip().lower()), row[3]
    years = {
        "2025": (date(2025, 1, 1), date(2025, 12, 31)),
        "2024": (date(2024, 1, 1), date(2024, 12, 31)),
    }
    days = years.get(told) or ((date.fromisoformat(told),) * 2 if told.count("-") == 2 else None)
    within = [
        at
        for at, (first, last) in enumerate(spans)
        if days and first <= days[0] and days[1] <= last
    ]
    if kind is None or not within:
        return []
    return [((kind * 2 + within[0]) * cap.grid().size + row[1], 1)]


def layers(effort: Effort) -> CheckResult:
    """Checks kinds and times: undeclared ones count nowhere, and the cap spans all layers."""
    tried = _compared(cap.grid().layered(KINDS, TIMES), _layer, 1, _words, effort)
    return CheckResult(
        f"{tried} pairs of surveys drawn at random, 4 layers", "any excess, to 1 step in 2^32"
    )


def _parts(row: Row) -> list[tuple[int, int]]:
    """Returns a row's two parts, by its value."""
    try:
        value = float(row[4].replace(",", "."))
    except ValueError:
        return []
    if not math.isfinite(value):
        return []
    high = math.floor((min(max(value, 1.0), 5.0) - 1.0) / 4.0 * PARTS + 0.5)
    return [(row[1], PARTS - high), (cap.grid().size + row[1], high)]


def means(effort: Effort) -> CheckResult:
    """Checks that both parts of every row together are the row, and that what is no number
    counts nowhere.
    """
    tried = _compared(cap.grid().layered(MEAN), _parts, PARTS, _words, effort)
    return CheckResult(
        f"{tried} pairs of surveys drawn at random, 2 parts a row", "any excess, to 1 step in 2^32"
    )


def sites(effort: Effort) -> CheckResult:
    """Checks that neither a contributor nor a site moves the map by more than the cap, in dense
    and thin graphs.
    """
    dice, tried = secrets.SystemRandom(), 0
    places = [(f"n{site}", site % cap.grid().size) for site in range(24)]
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        for limits in ((2, 1), (5, 1), (4, 2)) * effort.many(2):
            policy = Policy(epsilon=1, unit="who", site="nest", cap=limits[0], site_cap=limits[1])
            many = dice.choice((30, 90, 200))
            links = [(f"p{dice.randrange(9)}", f"n{dice.randrange(26)}") for _ in range(many)]
            whole = _linked(links, places, policy, Path(folder))
            if whole != _greedy(links, places, policy):
                raise Broken(
                    f"caps {limits}: the links that count are not those of the stated order"
                )
            who, nest = dice.choice(links)
            for what, left, known in (
                ("contributor", [link for link in links if link[0] != who], places),
                ("site", links, [place for place in places if place[0] != nest]),
            ):
                moved = (
                    cap.distance(whole, _linked(left, known, policy, Path(folder))) / policy.lattice
                )
                tried += 1
                if moved > limits[0]:
                    raise Broken(f"caps {limits}: one {what} moves the map by {moved} points")
    return CheckResult(f"{tried} removals from graphs drawn at random", "any excess, by 1 point")


def _linked(
    links: list[tuple[str, str]], places: list[tuple[str, int]], policy: Policy, folder: Path
) -> cap.Cells:
    """Returns capped totals by the engine, from two files."""
    spots = [(nest, spot.x, spot.y) for nest, cell in places for spot in [cap.row(nest, cell)]]
    options: dict[str, Any] = {"crs": "EPSG:3857", "x": "x", "y": "y"}
    listed = read(_survey(spots, ("nest", "x", "y"), folder / "n.csv"), unit="nest", **options)
    rows = _survey(
        [(who, nest, 0.5, 0.5) for who, nest in links], ("who", "nest", "x", "y"), folder / "s.csv"
    )
    engine = engines.make_engine("duckdb")
    if not isinstance(engine, engines.Pairing):
        raise BadInput("this engine counts no pairs")
    found = engine.pairs(
        read(rows, unit="who", **options),
        listed,
        cap.grid(),
        policy,
        edges(JOINT),
        lambda step: None,
    )
    totals = capped_pairs(found, policy)
    return dict(zip(totals._cells.tolist(), totals._steps.tolist(), strict=True))


def _greedy(
    links: list[tuple[str, str]], places: list[tuple[str, int]], policy: Policy
) -> cap.Cells:
    """Returns the same by plain Python: links in the order of their hash, kept while both ends
    have room.
    """
    where, used, totals = dict(places), dict[str, int](), dict[int, int]()
    known = {link for link in links if link[1] in where}
    for who, nest in sorted(
        known, key=lambda link: md5("|".join(link).encode(), usedforsecurity=False).hexdigest()
    ):
        if used.get(who, 0) < policy.cap and used.get(nest, 0) < policy.site_cap:
            used[who], used[nest] = used.get(who, 0) + 1, used.get(nest, 0) + 1
            totals[where[nest]] = totals.get(where[nest], 0) + policy.lattice
    return totals


def areas(effort: Effort) -> CheckResult:
    """Checks the private choice among areas: exact chances in two neighbouring surveys, and no
    ratio beyond epsilon.
    """
    runs, epsilon, limit = effort.many(12_000, least=6_000) // 2, Fraction(2), 4
    grid, neighbours = (
        Grid(bounds=(0, 0, 4, 1), shape=(1, 4), crs="EPSG:3857"),
        ((10, 8, 7, 9), (10, 12, 7, 9)),
    )
    chances = [_chances(totals, float(epsilon) / limit) for totals in neighbours]
    if np.abs(np.log(chances[0] / chances[1])).max() > float(epsilon):
        raise Broken("a name is chosen with odds that one unit moves by more than epsilon")
    for totals, chance in zip(neighbours, chances, strict=True):
        session = Session(np.array([totals]), grid, runs * epsilon, limit, 1 << 31)
        chosen = [session.choose(Partition.cells(grid), epsilon) for _ in range(runs)]
        if session.left:
            raise Broken("a choice spends less than its epsilon")
        statistics.check_counts(np.bincount(chosen, minlength=4), chance, "choosing an area")
    rare = float(np.min(chances))
    off = (statistics.beyond(statistics.CHANCE) + statistics.beyond(statistics.MISS)) * math.sqrt(
        (1 - rare) / (rare * runs)
    )
    return CheckResult(
        f"{2 * runs:,} choices among 4 areas, in 2 neighbouring surveys",
        f"an area's chance {1 + off:.2f}x off",
    )


def _chances(totals: tuple[int, ...], slope: float) -> statistics.Numbers:
    """Returns permute-and-flip's chances: the integral in its proof, where a lead of one point
    makes e^slope.
    """
    coins = np.exp(slope * (np.array(totals, dtype=float) - max(totals)))
    at, weight = np.polynomial.legendre.leggauss(16)
    heads = 1 - ((at + 1) / 2)[:, None] * coins
    return np.array(
        [p * (weight / 2 * np.delete(heads, r, 1).prod(1)).sum() for r, p in enumerate(coins)]
    )


def sparse(effort: Effort) -> CheckResult:
    """Checks that a sparse map shows just what a whole one would above its threshold, cell by
    cell.
    """
    many, limit, epsilon, lattice = effort.many(400_000, least=80_000), 5, Fraction(1), 1 << 30
    threshold, held = Fraction(12), 8
    truth = np.tile([0, held, held, 0], many // 4)
    grid = Grid(bounds=(0, 0, many, 1), shape=(1, many), crs="EPSG:3857")
    session = Session(truth[None, :], grid, epsilon, limit, lattice)
    found = session.measure_from(threshold, epsilon)
    places, scale = found.partition.places, float(found.scale_steps)  # type: ignore[attr-defined]
    least = int(threshold * lattice)
    if session.left or (found.steps < least).any():
        raise Broken(
            "a sparse answer shows a cell below its threshold, or costs less than its epsilon"
        )
    for total, what in ((0, "empty cells"), (held, "cells that hold something")):
        values = found.steps[truth[places] == total]
        edges_above = least + (scale * np.array([0, 0.25, 0.5, 1, 1.5, 2, 3])).astype(np.int64)
        tails = [
            0.5 * math.exp(-max(0.0, edge - total * lattice) / scale)
            for edge in edges_above.tolist()
        ]
        counts = np.append(
            np.bincount(np.searchsorted(edges_above, values, side="right"), minlength=8)[1:], 0
        )
        counts[-1] = many // 2 - len(values)
        statistics.check_counts(
            counts, np.append(-np.diff([*tails, 0.0]), 1 - tails[0]), f"sparse, {what}"
        )
    shown = np.isin(np.arange(many), places).astype(float)
    for pair in ((shown[1::4], shown[2::4]), (shown[3:-4:4], shown[4::4])):
        one, other = ((part - part.mean()) / part.std() for part in pair)
        statistics.check_unrelated(one, other, "sparse, neighbouring cells")
    off = (statistics.beyond(statistics.CHANCE) + statistics.beyond(statistics.MISS)) / math.sqrt(
        many / 2 * tails[0]
    )
    return CheckResult(
        f"{many:,} cells, {len(places):,} of them shown", f"noise or chances {1 + 2 * off:.2f}x off"
    )


def seasons(_: Effort) -> CheckResult:
    """Checks plans and disjoint data sets: what the ledger allows and adds up, against sums in
    plain fractions.
    """
    tried = 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        even, fading = [Fraction(1)] * 5, [Fraction(1, k) for k in range(1, 6)]
        for scheme, weights in (("even", even), ("decaying", fading), ("alternate", even)):
            book, saved = Ledger(Path(folder) / f"{scheme}.ledger"), Fraction(0)
            book.plan("3", releases=5, scheme=scheme)
            for place, weight in enumerate(weights):
                share = book.next_share("nests")
                fair = 3 * weight / sum(weights) + saved
                if not fair - Fraction(5, 10**6) <= share <= fair:
                    raise Broken(
                        f"plan {scheme}: release {place + 1} may take {share}, not its share of"
                        f" {float(fair):.4f}"
                    )
                taken = share / 2 if place == 1 else share
                _refused(
                    book, "nests", share + Fraction(1, 10**6), f"plan {scheme}: more than its share"
                )
                _spend(book, "nests", taken)
                saved, tried = fair - taken, tried + 1
            _refused(book, "nests", Fraction(1, 1000), f"plan {scheme}: a release past the last")
        book = Ledger(Path(folder) / "partners.ledger")
        book.disjoint(["a", "b"], signed_by="A steward")
        for name, epsilon, total in (
            ("a", "1", 1),
            ("b", "0.5", 1),
            ("c", "0.25", Fraction(5, 4)),
            ("b", "0.5", Fraction(5, 4)),
        ):
            _spend(book, name, Fraction(epsilon), budget=Fraction(5, 4))
            tried += 1
            if book.balance()[1] != total:
                raise Broken(
                    f"disjoint data sets: the ledger says {book.balance()[1]} is spent where it is"
                    f" {total}"
                )
        _refused(book, "a", Fraction(1, 100), "disjoint data sets: more than the budget")
    return CheckResult(f"{tried} releases of plans and of partners", "any excess, to 1 in 10^6")


def _spend(book: Ledger, dataset: str, epsilon: Fraction, budget: Fraction | None = None) -> None:
    book.reserve(dataset=dataset, epsilon=epsilon, budget=budget, details={})


def _refused(book: Ledger, dataset: str, epsilon: Fraction, what: str) -> None:
    try:
        _spend(book, dataset, epsilon)
    except BudgetExceeded:
        return
    raise Broken(f"{what} is reserved")
