"""Replays whole releases on neighbouring files: every kind of file, and every way to spend.

`neighbour_files` writes the kinds of files; beside them stands a small town in CSV, of which one
person is taken away, comes, moves, takes another name, or is the only one.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpmap.errors import Refused
from dpmap.grid import Grid, Partition
from dpmap.promise.compatibility import refuse_unproven
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Policy
from dpmap.promise.strategies import CUSTOM, STRATEGY_SPECS
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.selftest.neighbour_files import PAIRS, WIDE, Pair
from dpmap.selftest.replay import (
    Change,
    KeptDuckDB,
    Make,
    Run,
    spent_nothing,
    tell_apart,
    watch,
)
from dpmap.steward.release_run import choose, release
from dpmap.strategies.session import StrategySession
from dpmap.survey import read

DATASET = "An invented survey"
SAVED = ("statement.md", "privacy.yaml")
HIGH = 8
FEW = 0.05
"""The effort below which a few ways and kinds stand for all."""


def halves_then_cells(session: StrategySession) -> None:
    """Asks twice about two halves, then about cells where the first half holds more, and spends
    what is left: a strategy that a releaser might bring.
    """
    grid = session.grid
    halves = Partition(grid.inside.cumsum(axis=-1) > grid.shape[-1] // 2)
    session.course([session.epsilon / 4, session.epsilon / 4])
    first = session.measure(halves, session.epsilon / 4).values
    finer = Partition.cells(grid) if first[0] > first[-1] else halves
    session.measure(finer, session.epsilon / 4)
    session.measure(Partition.cells(grid), session.left)


TIERS = {"public": Fraction(3, 10), "partners": Fraction(7, 10), "manager": Fraction(1)}
WAYS: dict[str, dict[str, Any]] = {
    **{
        name: {"strategy": f"{name}:1" if spec.takes_number else name}
        for name, spec in STRATEGY_SPECS.items()
    },
    CUSTOM: {"strategy": halves_then_cells},
    "tiers": {"strategy": "adaptive", "tiers": TIERS},
    "choice": {},
}
"""Ways to spend: by what the table of pairs calls them, and how a release is asked for them."""
POLICIES: dict[str, dict[str, Any]] = {
    "": {},
    **{spec.tool: {"limiter": name} for name, spec in LIMITERS.items() if spec.tool is not None},
    "chosen cap": {"cap": "auto:0.1:1-5"},
    "sample": {"sample": Fraction(4, 5)},
    "delta": {"delta": "1e-6"},
    "rows": {"unit": "row"},
}
"""Tools that a policy asks for, one at a time."""
PEOPLE = (
    *(("ann", 0), ("ann", 5), ("bea", 5), ("bea", 9), ("cy", 17), ("dot", 30), ("dot", 30)),
    *(("eve", cell) for cell in (0, 3, 9, 17, 22, 27)),
    *(("hub", 12) for _ in range(110)),
    *(("fay", cell) for cell in (1, 2)),
)
"""The town's rows: who, and in which cell."""
TOWN = tuple((who, cell % WIDE + 0.5, cell // WIDE + 0.5) for who, cell in PEOPLE)
Rows = Sequence[tuple[Any, Any, Any]]


@dataclass(frozen=True, slots=True)
class TownJob:
    """Names a way to spend and a tool of the policy."""

    way: str
    tool: str
    seed: int = 0


def neighbours(tool: str) -> Iterator[tuple[str, Rows, int]]:
    """Yields the town's neighbours: what happened, their rows, and how many units differ."""
    if tool == "rows":
        yield "a row less", TOWN[1:], 1
        yield "a row more", [*TOWN, ("tess", 0.5, "soon")], 1
        return
    for gone in ("hub", "eve", "cy"):
        yield f"{gone} is gone", [row for row in TOWN if row[0] != gone], 1
    odd = [("tess", "0.5", 0.5), ("TESS ", "1e999", ""), ("tess", 3.5, 7.5), ("tess", 3.5, 7.5)]
    yield "tess comes", [odd[0], *TOWN, *odd[1:]], 1
    yield "eve moves", [(who, 0.5 if who == "eve" else x, y) for who, x, y in TOWN], 2
    yield "dot is renamed", [("zoe" if who == "dot" else who, x, y) for who, x, y in TOWN], 2


def _town_grid() -> Grid:
    return Grid(bounds=(0, 0, WIDE, HIGH), shape=(HIGH, WIDE), crs="EPSG:3857")


def _make_town(job: TownJob, rows: Rows, engine: KeptDuckDB) -> Make:
    """Returns what releases the town with these rows."""
    policy = Policy(**{"epsilon": 1, "unit": "who", "cap": 3, **POLICIES[job.tool]})
    delta = {"budget_delta": "1e-5"} if job.tool == "delta" else {}

    def make(folder: Path, say: Any) -> None:
        path = folder / "survey.csv"
        lines = ["who,x,y", *(",".join(map(str, row)) for row in rows), ""]
        path.write_text("\n".join(lines), "utf-8")
        survey = read(path, x="x", y="y", crs="EPSG:3857")
        _pay(job.way, survey, _town_grid(), policy, folder / "out", engine, say, **delta)

    return make


def _pay(
    way: str,
    survey: Any,
    grid: Grid,
    policy: Policy,
    out: Path,
    engine: KeptDuckDB,
    say: Any,
    **more: Any,
) -> None:
    """Makes one release in this way, with what stands beside it."""
    paid: dict[str, Any] = {
        "ledger": out / "paid.ledger",
        "dataset": DATASET,
        "budget": 1,
        "engine": engine,
        "progress": say,
    }
    if way == "choice":
        coarse = Grid(bounds=(0, 0, WIDE, HIGH), shape=(2, 2), crs=grid.crs)
        chosen = choose(survey, {"fine": grid, "coarse": coarse}, policy, **paid)
        (out / "choice.txt").write_text(repr(chosen), "utf-8")
        return
    to = out / ("release.dpmap" if way != "tiers" else "tiers")
    if way == "tiers":
        to.mkdir()
    made = release(survey, grid, policy, to=to, **paid, **more, **WAYS[way])
    if way != "tiers":
        for name in SAVED:
            made.write(out / name)


def _allowed(way: str, tool: str) -> bool:
    """Whether the tool goes with this way to spend."""
    try:
        tiers = ["adaptive"] if way == "tiers" else []
        refuse_unproven([way, *tiers, *([tool] if tool else [])])
    except Refused:
        return False
    return True


def _check(first: Run, second: Run, change: Change, what: str) -> None:
    """Fails where two runs are told apart."""
    told = tell_apart(first, second, change)
    if told:
        raise Broken(f"{what}: with the same noisy answers, {told}")


def try_town(job: TownJob) -> int:
    """Records the town, replays each of its neighbours, and the empty town beside one person;
    returns how many there were.
    """
    what = f"{job.way} {job.tool}".strip()
    seed = f"{what} {job.seed}".encode()
    engine = KeptDuckDB()
    pairs = 0
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as name:
        folder = Path(name)
        bases: list[tuple[Rows, Iterator[tuple[str, Rows, int]]]] = [(TOWN, neighbours(job.tool))]
        if job.tool not in ("rows", "chosen cap"):
            alone = iter([("nobody is there", list[Any](), 1)])
            bases.append(([("tess", 0.5, 0.5), ("tess", 1.5, 0.5), ("tess", 1.5, 1.5)], alone))
        for rows, others in bases:
            first = watch(_make_town(job, rows, engine), folder, seed)
            if first.refusal:
                raise Broken(f"{what}: the town is refused: {first.refusal}")
            for happened, left, units in others:
                second = watch(_make_town(job, left, engine), folder, seed, first)
                _check(first, second, Change(units), f"{what}, {happened}")
                pairs += 1
    engine.close()
    return pairs


def _make_file(pair: Pair, hers: Sequence[Any], way: str, engine: KeptDuckDB) -> Make:
    """Returns what releases one file of a pair."""
    axes = () if way == "sparse" else pair.axes
    grid = Grid(bounds=(0, 0, WIDE, 1), shape=(1, WIDE), crs="EPSG:4326", axes=axes)
    policy = Policy(
        epsilon=1, unit=pair.unit, cap=1, limiter=pair.limiter, consent=pair.consent, **pair.policy
    )

    def make(folder: Path, say: Any) -> None:
        place = folder / "file"
        for old in sorted(place.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        place.mkdir(exist_ok=True)
        survey = read(pair.write(place, hers), **pair.reading)
        _pay(way, survey, grid, policy, folder / "out", engine, say)

    return make


def try_file(job: tuple[str, str]) -> int:
    """Records one kind of file without her, and replays it with her."""
    name, way = job
    pair = PAIRS[name]
    engine = KeptDuckDB()
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as place:
        folder = Path(place)
        first = watch(_make_file(pair, (), way, engine), folder, name.encode())
        if first.refusal:
            raise Broken(f"{name}: the file is refused: {first.refusal}")
        second = watch(_make_file(pair, pair.hers, way, engine), folder, name.encode(), first)
        if second.refusal:
            if not pair.refusal or pair.refusal not in second.refusal or not spent_nothing(second):
                raise Broken(f"{name}: with her the file is refused: {second.refusal}")
        else:
            _check(first, second, Change(), f"{name}, {way}")
    engine.close()
    return 1


def replays(effort: Effort) -> CheckResult:
    """Replays the town in every way, with every tool, and every kind of file."""
    towns = [TownJob(way, tool) for way in WAYS for tool in POLICIES if _allowed(way, tool)]
    if effort.times <= 1:
        towns = [job for job in towns if not job.tool or job.way == "flat"]
    if effort.times < FEW:
        towns = towns[::5]
    towns = [replace(job, seed=seed) for job in towns for seed in range(effort.many(1))]
    ways = (*STRATEGY_SPECS, "tiers")
    files = [
        (name, way)
        for number, (name, pair) in enumerate(PAIRS.items())
        if "no proof with" not in pair.refusal
        for way in (ways if effort.times > 1 else [ways[number % len(ways)]])
    ]
    if effort.times < FEW:
        files = files[::5]
    pairs = sum(effort.spread(try_town, towns)) + sum(effort.spread(try_file, files))
    return CheckResult(
        f"{pairs} pairs of surveys in {len(towns)} ways, {len({name for name, _ in files})} kinds"
        " of files among them",
        "one byte, word or event that follows from a true total",
    )
