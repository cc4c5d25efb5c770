"""`dpmap release` and `dpmap demo`: read a survey, write one folder with its private map."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpmap.cli.config_file import DEFAULT
from dpmap.cli.delivery import release_into_store
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
from dpmap.cli.interrupted_message import read_events, telling
from dpmap.cli.promise_check import TypedPromise
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.release_answer import print_answer
from dpmap.cli.release_folder import (
    SAVED,
    check_new,
    free_folder,
    refuse_obstacles,
    room_for_folder,
    save_all,
    save_tiers,
)
from dpmap.cli.resume import tell_resumed
from dpmap.cli.stdin import survey_at_hand
from dpmap.cli.survey_paths import Files, is_apart, is_piped, ledger_beside, paths
from dpmap.errors import BadInput, Refused
from dpmap.releases.folder_writer import refuse_unknown

if TYPE_CHECKING:
    from fractions import Fraction

    from dpmap.grid import Grid
    from dpmap.promise.policy import Policy
    from dpmap.releases.release import Release
    from dpmap.survey import Survey


@release_into_store
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
    typed_promise = TypedPromise(
        survey, reading, gridding, layers, promise, finer, spending, drawing, stamp, published
    )
    if folder.resume:
        _resumed(typed_promise, folder, watching, answer)
        return
    make_folder(typed_promise, engine, folder, watching, answer)


def make_folder(
    typed: TypedPromise,
    engine: EngineFlags,
    folder: FolderFlags,
    watching: Watching,
    answer: AnswerFlags,
    *,
    unless_there: bool = False,
    spend_again: bool = False,
) -> None:
    """Make a release and all files of its folder; with `unless_there` only what is not there."""
    from dpmap.atomic_write import new_folder, only_one_at_once, try_place
    from dpmap.releases.release import Release
    from dpmap.steward.ensure import ensure_alone, open_saved
    from dpmap.steward.release_run import release as make
    from dpmap.survey import read

    survey = typed.survey
    reading = typed.reading
    finer = typed.finer
    if survey is None:
        raise _lacks_survey()
    _refuse_lacking(survey, folder, reading, typed.gridding, typed.promise, finer, typed.spending)
    if folder.out is None:
        raise BadInput("--out: name a new folder for the release, like --out raptors")
    dataset = typed.spending.dataset_name()
    book = typed.spending.ledger or ledger_beside(survey)
    counter = engine.started()
    with survey_at_hand(survey, reading, engine.temp) as (files, as_told):
        rows = as_told.opened(files, typed.promise.unit, **reading.dated(typed.layers.times))
        tiers = in_tiers(finer.tier)
        to = folder.out if tiers is not None else folder.out / SAVED
        there = open_saved(to, in_tiers=tiers is not None) if unless_there else {}
        policy = _policy(typed.promise, finer, rows, book, dataset, list(there.values()))
        listed = read(finer.sites, unit=finer.site) if finer.sites and finer.site else None
        governance = typed.published.governance(typed.stamp)
        grid = typed.layers.layered(_enough(typed.gridding.grid(), typed.gridding, typed.layers))
        context = typed.stamp.layers(grid, *paths(files), finer.sites)
        typed.drawing.refuse_survey(*paths(files), finer.sites)
        private = [*paths(files), finer.sites, str(book)]
        refuse_unknown(folder.only, grid)
        if not there:
            check_new(folder.out, grid, private)
        for name in tiers or ():
            refuse_obstacles(folder.out / name, grid, private)
        room = room_for_folder(grid, typed.drawing.strategy) * len(tiers or ("",))
        paid_before = {event.body.get("release") for event in read_events(book)}
        with (
            telling(book, dataset, folder.out, tiers or (), finer.seal),
            new_folder(folder.out) as place,
            only_one_at_once(place, wait=unless_there),
            watching.shown() as progress,
        ):
            if not unless_there:
                check_new(folder.out)  # again, now that nobody else can write there
            try_place(place / "map.png", room=room, flag="--out")
            made = (partial(ensure_alone, spend_again=spend_again) if unless_there else make)(
                rows,
                grid,
                policy,
                dataset=dataset,
                budget=typed.spending.budget,
                **asdict(typed.drawing),
                progress=progress,
                governance=governance,
                sensitivity=typed.layers.sensitivity,
                sites=listed,
                ledger=book,
                engine=counter,
                confirm_epsilon=typed.spending.confirm_epsilon,
                tiers=tiers,
                seal=finer.seal,
                to=to,
            )
            if isinstance(made, Release):
                written = save_all(
                    made, place, progress, context, missing=bool(there), only=folder.only
                )
            else:
                written = [
                    *([] if finer.seal is None or there else [finer.seal]),
                    *save_tiers(
                        made, place, progress, context, missing=bool(there), only=folder.only
                    ),
                ]
    places = (
        {folder.out / SAVED: made}
        if isinstance(made, Release)
        else {folder.out / name / SAVED: release for name, release in made.items()}
    )
    first = next(iter(places.values()))
    if first.record.receipt.release_id in paid_before:
        tell_resumed(places, written, folder.out, answer)
    else:
        print_answer(first, written, answer, finer=finer, out=folder.out)


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
        only=folder.only,
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


def _policy(
    promise: Promise,
    finer: Finer,
    rows: "Survey",
    book: Path,
    dataset: str,
    there: "Sequence[Release]" = (),
) -> "Policy":
    """Makes the promise that the flags declare; the format may define the unit. The next share of a
    plan is that of the release that is `there`, if one is.
    """
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
        epsilon: str | Fraction = there[0].policy.epsilon if there else next_share(book, dataset)
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
    print_answer(made, written, answer, read_as=False)
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
