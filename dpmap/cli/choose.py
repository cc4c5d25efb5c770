"""`dpmap choose`: one question, one name for an answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dpmap.cli.flag_groups import flag
from dpmap.cli.flags import AnswerFlags, FileArgument, Promise, Settings, Spending, Watching
from dpmap.cli.grid_flags import say_names
from dpmap.cli.helpers import next_share, refuse_lacking, require_flag
from dpmap.cli.interrupted_message import telling
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.stdin import survey_at_hand
from dpmap.cli.survey_paths import ledger_beside, paths
from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.grid import Grid


@dataclass(frozen=True, eq=False, repr=False)
class Candidates:
    """What there is to choose from: areas, or cell sizes."""

    panel: ClassVar = "The candidates"
    among: Annotated[
        str | None,
        typer.Option(
            "--among", help="Polygon layer of the candidate areas; --area is then passed over."
        ),
    ] = None
    among_layer: Annotated[
        str | None, typer.Option("--among-layer", help="Layer of the --among file.")
    ] = None
    name: Annotated[
        str | None, typer.Option("--name", help="Column of --among with the areas' names.")
    ] = None
    cells: Annotated[
        str | None,
        typer.Option(
            "--cells",
            help=(
                'Choose a cell size for --area instead: "1 km, 2 km", or official grids: "eea-5km,'
                ' eea-10km".'
            ),
        ),
    ] = None
    area: Annotated[str | None, flag("area")] = None
    area_layer: Annotated[str | None, flag("area_layer")] = None
    area_name: Annotated[str | None, flag("area_name")] = None
    spending: Annotated[
        str | None,
        typer.Option(
            "--spending", help="With --cells: the epsilon of the map to come; else this one's."
        ),
    ] = None

    def grids(self) -> "Grid | dict[str, Grid]":
        """Returns the areas of a layer, or grids of several cell sizes over one area."""
        from dpmap.grid import Grid

        if (self.among is None) == (self.cells is None) or (
            self.cells is not None and self.area is None
        ):
            raise BadInput(
                'choose: give --among FILE with candidate areas, or --cells "1 km, 5 km" with'
                " --area FILE"
            )
        if self.among is not None:
            return say_names(
                Grid.areas(self.among, name=self.name, layer=self.among_layer, role="among")
            )
        sizes = [size.strip() for size in (self.cells or "").split(",")]
        return {size: self._grid(size) for size in sizes}

    def _grid(self, size: str) -> "Grid":
        """Makes the grid of a cell size, or the official one of this name."""
        from dpmap.grid import Grid

        area: Any = self.area  # where none is named, the grid refuses
        if not size[:1].isalpha():
            return Grid.covering(area, cell=size, layer=self.area_layer, name=self.area_name)
        from dpmap.grid.official import find_official_grid

        try:
            known = find_official_grid(size).name
        except BadInput as error:
            raise BadInput(error.terminal_line.replace("--grid:", "--cells:", 1)) from None
        return Grid.official(area, grid=known, layer=self.area_layer, name=self.area_name)


def choose(
    survey: FileArgument,
    candidates: Candidates,
    reading: ReadingFlags,
    promise: Promise,
    spending: Spending,
    settings: Settings,
    watching: Watching,
    as_asked: AnswerFlags,
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write the answer as JSON.")
    ] = None,
) -> None:
    """Which of these areas holds most? Or which cell size tells most? One name, told privately; no
    total is.

    Paid for from the ledger.
    """
    from dpmap.promise.policy import Policy
    from dpmap.steward.release_run import choose as make

    refuse_lacking(
        "choose",
        (spending.dataset is None, BadInput, "--dataset NAME"),
        (promise.epsilon is None, Refused, "--epsilon 0.5"),
        (lambda: reading.lacks_unit(survey, promise.unit), Refused, "--unit COLUMN"),
        (promise.cap is None, Refused, "--cap 5"),
        (candidates.among is None and candidates.cells is None, BadInput, "--among FILE"),
        place=lambda: reading.place_flags(survey),
    )
    dataset = spending.dataset_name()
    book = spending.ledger or ledger_beside(survey)
    with survey_at_hand(survey, reading) as (files, as_told):
        rows = as_told.opened(files, promise.unit)
        policy = Policy(
            epsilon=(
                next_share(book, dataset)
                if promise.epsilon == "next"
                else require_flag(promise.epsilon, "--epsilon")
            ),
            unit=rows.unit if promise.unit is None else promise.unit,
            cap=promise.cap,
            limiter=promise.limiter,
            consent=promise.consent,
        )
        if out is not None:
            _check_out(out, book, paths(files))
        with telling(book, dataset), watching.shown() as progress:
            answer = make(
                rows,
                candidates.grids(),
                policy,
                dataset=dataset,
                spending=candidates.spending,
                budget=spending.budget,
                ledger=book,
                confirm_epsilon=spending.confirm_epsilon,
                progress=progress,
            )
    try:
        if out is not None:
            answer.save(out)
    finally:  # it is paid for: where it cannot be saved it is told all the same
        as_asked.tell(answer.to_dict(), [answer.chosen, answer.words()])


def _check_out(out: Path, book: Path | str, survey: list[str]) -> None:
    """Refuses a file for the answer that could not be written once it is paid for, or that is
    the ledger or the survey.
    """
    from dpmap.atomic_write import try_place
    from dpmap.cli.release_folder import is_one_of
    from dpmap.releases.tiers import check_no_ledger

    check_no_ledger(out, book, flag="--out")
    if is_one_of(out, survey):
        raise BadInput(f"--out: {out.name} is the survey itself; name a new file, like chosen.json")
    try_place(out, flag="--out")
