"""`dpmap release` and `dpmap demo`: read a survey, write one folder with its private map."""

import os
import shlex
import shutil
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpmap.cli.config_file import DEFAULT
from dpmap.cli.flags import (
    AnswerFlags,
    Drawing,
    EngineFlags,
    Finer,
    FolderFlags,
    Promise,
    Published,
    Settings,
    Spending,
    Stamp,
    SurveyArgument,
    Watching,
)
from dpmap.cli.flags import tiers as in_tiers
from dpmap.cli.grid_flags import Gridding, LayerFlags
from dpmap.cli.helpers import next_share, refuse_lacking, require_flag
from dpmap.cli.interrupted_message import telling
from dpmap.cli.promise_check import TypedPromise
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.release_folder import (
    check_new,
    free_folder,
    refuse_obstacles,
    room_for_folder,
    save_all,
    save_tiers,
)
from dpmap.cli.stdin import survey_at_hand
from dpmap.cli.survey_paths import Files, is_apart, is_piped, ledger_beside, paths
from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.promise.policy import Policy
    from dpmap.releases.release import Release
    from dpmap.survey import Survey


def release(
    survey: SurveyArgument = None,
    *,
    reading: ReadingFlags,
    gridding: Gridding,
    layers: LayerFlags,
    promise: Promise,
    finer: Finer,
    spending: Spending,
    drawing: Drawing,
    stamp: Stamp,
    published: Published,
    engine: EngineFlags,
    folder: FolderFlags,
    settings: Settings,
    watching: Watching,
    answer: AnswerFlags,
) -> None:
    """Release one private map of a survey, paid for from its ledger. Without a FILE, dpmap.toml
    here says all.
    """
    from dpmap.atomic_write import new_folder, only_one_at_once, try_place
    from dpmap.releases.release import Release
    from dpmap.steward.release_run import release as make
    from dpmap.survey import read

    if folder.resume:
        typed_promise = TypedPromise(
            survey, reading, gridding, layers, promise, finer, spending, drawing, stamp, published
        )
        _resumed(typed_promise, folder, watching, answer)
        return
    if survey is None:
        raise _lacks_survey()
    _refuse_lacking(survey, folder, reading, gridding, promise, finer, spending)
    if folder.out is None:
        raise BadInput("--out: name a new folder for the release, like --out raptors")
    dataset = spending.dataset_name()
    book = spending.ledger or ledger_beside(survey)
    counter = engine.started()
    with survey_at_hand(survey, reading, engine.temp) as (files, as_told):
        rows = as_told.opened(files, promise.unit, **reading.dated(layers.times))
        policy = _policy(promise, finer, rows, book, dataset)
        listed = read(finer.sites, unit=finer.site) if finer.sites and finer.site else None
        governance = published.governance(stamp)
        grid = layers.layered(_enough(gridding.grid(), gridding, layers))
        context = stamp.layers(grid, *paths(files), finer.sites)
        drawing.refuse_survey(*paths(files), finer.sites)
        tiers = in_tiers(finer.tier)
        private = [*paths(files), finer.sites, str(book)]
        check_new(folder.out, grid, private)
        for name in tiers or ():
            refuse_obstacles(folder.out / name, grid, private)
        room = room_for_folder(grid, drawing.strategy) * len(tiers or ("",))
        with (
            telling(book, dataset, folder.out, tiers or (), finer.seal),
            new_folder(folder.out) as place,
            only_one_at_once(place),
            watching.shown() as progress,
        ):
            check_new(folder.out)  # again, now that nobody else can write there
            try_place(place / "map.png", room=room, flag="--out")
            made = make(
                rows,
                grid,
                policy,
                dataset=dataset,
                budget=spending.budget,
                **asdict(drawing),
                progress=progress,
                governance=governance,
                sensitivity=layers.sensitivity,
                sites=listed,
                ledger=book,
                engine=counter,
                confirm_epsilon=spending.confirm_epsilon,
                tiers=tiers,
                seal=finer.seal,
                to=place / "release.dpmap" if tiers is None else place,
            )
            if isinstance(made, Release):
                written = save_all(made, place, progress, context)
            else:
                written = [
                    *([] if finer.seal is None else [finer.seal]),
                    *save_tiers(made, place, progress, context),
                ]
    _tell(
        made if isinstance(made, Release) else next(iter(made.values())),
        written,
        answer,
        finer=finer,
        out=folder.out,
    )


def _lacks_survey() -> BadInput:
    """Says how to name the survey; a dpmap.toml that an early dpmap wrote holds all but that."""
    if Path(DEFAULT).is_file():
        return BadInput(
            f"release: the {DEFAULT} here names no survey; type  dpmap release FILE --config"
            f' {DEFAULT}  or write  survey = "FILE"  at its top'
        )
    return BadInput(
        f"release: name the survey's file, or run this in a folder whose {DEFAULT} names it (dpmap"
        " init FILE writes one)"
    )


def _resumed(
    typed_promise: TypedPromise, folder: FolderFlags, watching: Watching, answer: AnswerFlags
) -> None:
    """Makes the rest of a release's folder: that of `--out`, else the one that is named where
    the survey would be.
    """
    from dpmap.cli.resume import resume

    survey = typed_promise.survey
    ledger = typed_promise.spending.ledger
    named = survey is not None and folder.out is None
    place = folder.out or (Path(paths(survey)[0]) if survey is not None else None)
    private = [] if survey is None or named else paths(survey)
    book = ledger or (
        ledger_beside(survey) if survey is not None and private and not is_apart(survey) else None
    )
    resume(
        place,
        book,
        (*private, typed_promise.finer.sites),
        replace(typed_promise, survey=None) if named else typed_promise,
        watching,
        answer,
    )


def _refuse_lacking(
    survey: Files,
    folder: FolderFlags,
    reading: ReadingFlags,
    gridding: Gridding,
    promise: Promise,
    finer: Finer,
    spending: Spending,
) -> None:
    """Names all missing flags at once; if only one is missing, the code that needs it refuses."""
    needs_named_ledger = is_apart(survey)
    lone = spending.ledger is None and (needs_named_ledger or not ledger_beside(survey).exists())
    refuse_lacking(
        "release",
        (folder.out is None, BadInput, "--out NEW_FOLDER"),
        (spending.dataset is None, BadInput, "--dataset NAME"),
        (
            spending.ledger is None and needs_named_ledger,
            BadInput if is_piped(survey) else Refused,
            "--ledger FILE",
        ),
        (promise.epsilon is None and not finer.tier, Refused, "--epsilon 0.5"),
        (lambda: reading.lacks_unit(survey, promise.unit), Refused, "--unit COLUMN"),
        (promise.cap is None, Refused, "--cap 5"),
        (not gridding.framed and not gridding.ways, BadInput, '--cell "1 km"'),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
        (spending.budget is None and lone, Refused, "--budget 3"),
        place=lambda: reading.place_flags(survey),
    )


FEW_CELLS = 4


def _enough(grid: "Grid", gridding: Gridding, layers: LayerFlags) -> "Grid":
    """Returns the grid, unless an area holds so few cells of the given size that the size must
    be a slip.
    """
    if grid.cells_inside > FEW_CELLS or gridding.framed or gridding.by_area or layers.few_cells:
        return grid
    cell_words = "one cell" if grid.cells_inside == 1 else f"{grid.cells_inside} cells"
    flag, finer = _finer(gridding)
    raise BadInput(
        f"{flag}: the area holds {cell_words} of this size; write {finer}, or add --few-cells if"
        " so few"
        " are meant"
    )


def _finer(gridding: Gridding) -> tuple[str, str]:
    """Returns the flag that says how large the cells are, and what to write there for smaller
    ones.
    """
    if gridding.official is None:
        return (
            ("--cell", 'a smaller one, like "1 km"')
            if gridding.cell
            else ("--hexagons", "a finer one, like 7")
        )
    from dpmap.grid.official import find_official_grid, sizes

    family = sizes.family(gridding.official)
    at = family.index(find_official_grid(gridding.official))
    return (
        "--grid",
        (
            f"a finer one, like {family[at - 1].name}"
            if at
            else 'smaller cells, like --cell "1 km", instead'
        ),
    )


def _policy(promise: Promise, finer: Finer, rows: "Survey", book: Path, dataset: str) -> "Policy":
    """Makes the promise that the flags declare; the format may define the unit."""
    from dpmap.promise.compatibility import refuse_unproven
    from dpmap.promise.policy import Policy
    from dpmap.promise.tiers import epsilons

    if finer.tier:
        if finer.epsilon_by:
            refuse_unproven(["tiers", "limits"])
        if promise.epsilon == "next":
            raise BadInput(
                "--epsilon next: the tiers say what this draw costs; leave --epsilon out"
            )
        epsilons(in_tiers(finer.tier))
    if promise.epsilon == "next":
        epsilon: object = next_share(book, dataset)
    elif promise.epsilon is None and (tiers := in_tiers(finer.tier)):
        epsilon = max(epsilons(tiers).values())
    else:
        epsilon = require_flag(promise.epsilon, "--epsilon")
    unit = rows.unit if promise.unit is None else promise.unit
    more = {
        name: value
        for name, value in asdict(finer).items()
        if name not in ("sites", "tier", "seal")
    }
    return Policy(
        epsilon=epsilon,
        unit=unit,
        cap=promise.cap,
        limiter=promise.limiter,
        consent=promise.consent,
        **more,
    )


def demo(
    watching: Watching,
    answer: AnswerFlags,
    out: Annotated[Path, typer.Option("--out", help="Folder to make.")] = Path("dpmap-demo"),
) -> None:
    """Make a private map of the invented sample survey, and say what to open."""
    from dpmap.atomic_write import new_folder
    from dpmap.grid import Grid
    from dpmap.promise.policy import Policy
    from dpmap.steward.release_run import release as make
    from dpmap.survey import read

    samples = _samples()
    name = "Invented raptor survey"
    free = free_folder(out)
    with (
        telling(free / "demo.ledger", name, free),
        new_folder(free) as place,
        watching.shown() as progress,
    ):
        made = make(
            read(samples / "raptors.csv"),
            Grid.covering(samples / "study_area.gpkg", cell="5 km"),
            Policy(epsilon="1", unit="observer_id", cap=5, consent="consent=yes"),
            ledger=place / "demo.ledger",
            dataset=name,
            budget="3",
            progress=progress,
            to=place / "release.dpmap",
        )
        scenery = [f"{samples / 'landscape.gpkg'}:{layer}" for layer in ("roads", "towns")]
        written = save_all(made, place, progress, scenery)
    _tell(made, written, answer, read_as=False)
    if answer.json:
        return
    typer.echo(
        f"\nOpen {place / 'map.html'} in a browser, {place / 'map.png'} as a picture,"
        f" {place / 'cells.gpkg'} in QGIS,"
    )
    typer.echo(f"and read {place / 'statement.md'}: it says what is protected and what is not.")
    typer.echo(f"A planner is handed {place / 'for-the-planner.pdf'}, or all of planner.zip.")
    typer.echo(f"\nFor a map of your own without a command line, type  {_typed()} studio FOLDER")


def _typed() -> str:
    """Returns how this program is called here: by its name where the system finds it, else by
    its path.
    """
    called = Path(sys.argv[0])
    return str(called) if called.stem == "dpmap" and shutil.which("dpmap") is None else "dpmap"


def _samples() -> Path:
    """Finds the invented survey: inside an installed package, or beside a checkout."""
    package = Path(__file__).parents[1]
    for place in (package / "samples", package.parent / "data_samples"):
        if (place / "raptors.csv").exists():
            return place
    raise BadInput("demo: this installation has no sample data; install dpmap again")


def _tell(
    made: "Release",
    written: list[Path],
    answer: AnswerFlags,
    *,
    read_as: bool = True,
    finer: Finer | None = None,
    out: Path | None = None,
) -> None:
    """Says what each column was used for, what was written, and what was spent."""
    from dpmap.numbers import decimal_text

    receipt = made.record.receipt
    delta = made.policy.delta
    spent, budget, remaining = (
        decimal_text(one) for one in (made.policy.epsilon, receipt.budget, receipt.remaining)
    )
    tier = made.record.about.tier
    sealed = None if finer is None else finer.seal
    spent = spent if tier is None else tier.dearest
    document = {
        "wrote": [str(path) for path in written],
        "dataset": receipt.dataset,
        "epsilon": spent,
        "budget": budget,
        "remaining": remaining,
        "read_as": dict(made.record.about.read_as or ()),
    }
    lines = (
        [f"{part + ':':<10} {words}" for part, words in made.record.about.read_as or ()]
        if read_as
        else []
    )
    lines += _wrote(written)
    lines.append(f"spent epsilon {spent}; {remaining} of {budget} remains for {receipt.dataset!r}")
    if tier is not None:
        document |= {"tiers": dict(tier.epsilons)}
        readers = ", ".join(f"{name} {epsilon}" for name, epsilon in tier.epsilons.items())
        lines.append(
            f"once for all tiers ({readers}): whoever holds several has the epsilon of the finest"
            " of them"
        )
    if tier is not None and sealed is not None:
        document |= {"sealed": str(sealed)}
        command = shlex.join(
            ["dpmap", "unseal", str(sealed), "--tier", list(tier.epsilons)[-1], "--out", str(out)]
        )
        lines.append(
            f"{sealed} keeps them all, for you alone: who has it has the finest. For another, at no"
            f" cost, type  {command}"
        )
    if delta is not None:
        most = decimal_text(receipt.budget_delta)
        left = decimal_text(receipt.budget_delta - receipt.spent_delta)
        document |= {"delta": decimal_text(delta), "budget_delta": most, "remaining_delta": left}
        lines.append(f"and delta {decimal_text(delta)}; {left} of {most} remains")
    if read_as and (lacking := _not_declared(made)):
        document |= {"not_declared": list(lacking)}
        lines.append(
            f"the attestation says Not declared of {' and '.join(lacking.values())}; next time add"
            f" {' and '.join(lacking)}"
        )
    envelope = next((path for path in written if path.name == "planner.zip"), None)
    if envelope and read_as:
        one_page = envelope.with_name("for-the-planner.pdf")
        lines.append(f"hand a planner {envelope}, or its one page, {one_page}")
    if (page := next((path for path in written if path.name == "map.html"), None)) and read_as:
        lines.append(
            f"open {page} first, in a browser; {page.with_name('statement.md')} says what is"
            " protected and what is not"
        )
        if (board := page.with_name("attestation.html")) in written:
            lines.append(
                f"for your board print {board}, for whoever is in the survey for-the-protected.html"
            )
    answer.tell(document, lines)


def _not_declared(made: "Release") -> dict[str, str]:
    """Returns what a board asks for and nobody declared: the flag, and what it would have said."""
    said = made.record.about.governance
    declarations = {
        "--also-published": ("other publications", said.also_published),
        "--retention": ("who can reach the survey", said.retention),
    }
    return {flag: about for flag, (about, is_declared) in declarations.items() if not is_declared}


def _wrote(written: list[Path]) -> list[str]:
    """Returns a line for each file with its size, and one for all those that catalogues ask: a
    release has many.
    """
    catalogued = [path for path in written if path.parent.name == "metadata"]
    lines = [
        f"wrote {path}  ({_size(os.path.getsize(path))})"
        for path in written
        if path not in catalogued
    ]
    if catalogued:
        size = _size(sum(os.path.getsize(path) for path in catalogued))
        lines.append(
            f"wrote {catalogued[0].parent}  ({len(catalogued)} files for catalogues, {size})"
        )
    return lines


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
