"""What several commands share: flags declared once, the configuration file, cells from flags, progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.errors import BadInput, Refused
from dpmap.numbers import real, whole

if TYPE_CHECKING:
    from fractions import Fraction

    from dpmap.grid import Grid


def whole_number(text: str, least: int | None = None) -> int:
    """A flag's whole number, in digits; Python would take `1_0` for ten as well.

    >>> whole_number("10")
    10
    """
    try:
        found = whole(str(text))
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a whole number") from None
    if least is not None and found < least:
        raise typer.BadParameter(f"{found} is below {least}")
    return found


def from_one(text: str) -> int:
    """A flag's whole number, of at least 1."""
    return whole_number(text, 1)


def from_zero(text: str) -> int:
    """A flag's whole number, of at least 0."""
    return whole_number(text, 0)


def decimal_number(text: str) -> float:
    """A flag's number, in digits."""
    try:
        return real(str(text))
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a number") from None


AreaFlag = Annotated[
    str | None, typer.Option("--area", help="Polygon layer of the study area. Never read off the survey.")
]
CellFlag = Annotated[str | None, typer.Option("--cell", help='Square cells: "1 km", "500 m", "0.1 deg".')]
LimiterFlag = Annotated[str, typer.Option("--limiter", help="How the cap is kept: scale, sample or presence.")]
EpsilonByFlag = Annotated[
    str | None,
    typer.Option(
        "--epsilon-by", help="Column of each unit's own limit on epsilon, COLUMN=0.1,0.5,1: rounded down to these."
    ),
]
LedgerFlag = Annotated[
    Path | None, typer.Option("--ledger", help="Ledger file; by default dpmap.ledger beside the survey.")
]
MeanFlag = Annotated[
    str | None, typer.Option("--mean", help="Column whose mean the map tells, with --between and --strategy flat.")
]
BetweenFlag = Annotated[str | None, typer.Option("--between", help="LOW,HIGH: the declared least and most of a value.")]
BudgetFlag = Annotated[str | None, typer.Option("--budget", help="Most epsilon ever, declared at the first release.")]
FileArgument = Annotated[
    str,
    typer.Argument(
        help="The survey export, or an address: s3://, gs://, https://, postgresql://user@host/database.",
        metavar="FILE",
    ),
]
X = Annotated[str | None, typer.Option("--x", help="Column of the x coordinate or longitude.")]
Y = Annotated[str | None, typer.Option("--y", help="Column of the y coordinate or latitude.")]
PlaceFlag = Annotated[
    str | None,
    typer.Option("--place", help="One column that holds a whole place: WKT, GeoJSON, lat lon, grid reference."),
]
Crs = Annotated[str | None, typer.Option("--crs", help="CRS of the survey's coordinates, like EPSG:4326.")]
Datum = Annotated[str | None, typer.Option("--datum", help="Column that names each row's datum or EPSG code.")]
Unit = Annotated[str | None, typer.Option("--unit", help="Column of who is protected, COLUMN+COLUMN, or row.")]
ConsentFlag = Annotated[str | None, typer.Option("--consent", help="COLUMN=VALUE[,VALUE]: rows that count.")]
Layer = Annotated[str | None, typer.Option("--layer", help="Layer of the survey file, or file in an archive.")]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help="Names of the columns, with commas between, where a file has no header; or the fields to read.",
    ),
]
Table = Annotated[str | None, typer.Option("--table", help="Table of a database, like schema.table.")]
Query = Annotated[
    str | None, typer.Option("--query", help="One SELECT for a database to answer; its rows are the survey.")
]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Encoding of a text file, like cp1252.")]
FormatFlag = Annotated[
    str | None,
    typer.Option("--format", help="What the file is, where it cannot say so itself: geojson, json, kml, gpx, gbif ..."),
]
Delimiter = Annotated[
    str | None,
    typer.Option("--delimiter", help="Mark between the fields of a text, like ';' or tab; else its header tells."),
]
HexagonsFlag = Annotated[
    int | None,
    typer.Option(
        "--hexagons", parser=whole_number, metavar="INTEGER", help="H3 hexagons of this resolution instead of squares."
    ),
]
ByAreaFlag = Annotated[bool, typer.Option("--by-area", help="One cell for each polygon of --area.")]
BoundsFlag = Annotated[
    str | None, typer.Option("--bounds", help="west,south,east,north instead of --area, with --shape.")
]
ShapeFlag = Annotated[str | None, typer.Option("--shape", help="rows,columns, with --bounds.")]
GridCrsFlag = Annotated[str | None, typer.Option("--grid-crs", help="National grid for the cells, like EPSG:27700.")]
SwapFlag = Annotated[bool, typer.Option("--swap", help="x and y are the other way round.")]
WestPositiveFlag = Annotated[bool, typer.Option("--west-positive", help="Longitudes count westwards.")]
SurfaceFlag = Annotated[bool, typer.Option("--surface", help="Lines and areas count, at a point on them.")]
TeamFlag = Annotated[
    str | None,
    typer.Option("--team", help="What stands between names in one text: auto (; and |), none, or like '; & and'."),
]
MissingUnitFlag = Annotated[
    str, typer.Option("--missing-unit", help="Rows that name nobody: drop, or own-unit for each its own.")
]
ConsentByFlag = Annotated[str, typer.Option("--consent-by", help="What a refusal takes: its row, or its whole unit.")]
SignalsFlag = Annotated[
    str, typer.Option("--signals", help="The format's own signs of obscuring and refusal: all, wishes or none.")
]
CountFlag = Annotated[str | None, typer.Option("--count", help="Column of how many, with --max-count.")]
MaxCountFlag = Annotated[
    int | None,
    typer.Option("--max-count", parser=whole_number, metavar="INTEGER", help="Most that one row may count for."),
]
UncertaintyFlag = Annotated[str | None, typer.Option("--uncertainty", help="Column of uncertainty in metres.")]
MaxUncertaintyFlag = Annotated[
    str | None, typer.Option("--max-uncertainty", help='Leave out what is less certain, like "1 km".')
]
AreaLayerFlag = Annotated[str | None, typer.Option("--area-layer", help="Layer of the area file.")]


def config_callback(context: typer.Context, path: Path | None) -> Path | None:
    """Flags not given on the command line are taken from the file: its keys are the flags' names."""
    if path is None:
        return None
    import tomllib

    if path.is_dir():
        raise BadInput("--config: that is a folder; give a TOML file")
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise BadInput(f"--config: {path.name} cannot be read; check the path") from None
    except (ValueError, RecursionError):  # what is no TOML or no UTF-8, whole numbers without end, nesting without end
        raise BadInput(f'--config: {path.name} is not TOML; write lines like  cell = "1 km"') from None
    known = {parameter.name for parameter in context.command.params}
    flat = {key.replace("-", "_"): value for key, value in settings.items()}
    unknown = sorted(set(flat) - known)
    if unknown:
        raise BadInput(f"--config: unknown key {', '.join(unknown)}; keys are the flags' names, like cell or epsilon")
    many = {parameter.name for parameter in context.command.params if getattr(parameter, "multiple", False)}
    try:
        context.default_map = {key: _as_flag(value, many=key in many) for key, value in flat.items()}
    except (ValueError, RecursionError):  # the same, where the file writes them in another base
        raise BadInput(f"--config: {path.name} holds a number or list too long for any flag") from None
    return path


def _as_flag(value: Any, *, many: bool) -> Any:
    """A value from the file as the command line would have given it: text, a switch, or a list where a flag repeats."""
    if many:
        return [str(one) for one in (value if isinstance(value, list) else [value])]
    return value if isinstance(value, bool) else str(value)


ConfigFlag = Annotated[
    Path | None,
    typer.Option("--config", callback=config_callback, is_eager=True, help="TOML file with any of these flags."),
]


def given(value: Any, flag: str) -> Any:
    """The value of a flag that has no default."""
    if value is None:
        raise Refused(f"no {flag.lstrip('-')}: add {flag}; there is no default, since it is the promise itself")
    return value


def beside(survey: str) -> Path:
    """The ledger's usual place; an address has none, and one in the working folder would begin anew in the next."""
    from dpmap.survey.files.database import is_address

    if is_address(survey):
        raise Refused("no ledger: an address has no folder for it to stand in; add --ledger FILE, the same each time")
    return Path(survey).parent / "dpmap.ledger"


def next_share(book: Path, dataset: str) -> "Fraction":
    """What the ledger's plan allows the next release or choice, for `--epsilon next`."""
    from dpmap.ledger.ledger import Ledger

    return Ledger(book).next_share(dataset)


def grid_from_flags(
    area: str | None, cell: str | None, hexagons: int | None, *, by_area: bool, bounds: str | None, shape: str | None,
    crs: str | None, layer: str | None,
) -> "Grid":  # fmt: skip
    """The cells that the flags speak of."""
    from dpmap.grid import Grid

    if bounds is not None or shape is not None:
        sides, counts = _numbers(bounds, 4, "--bounds"), _numbers(shape, 2, "--shape")
        if not all(count.is_integer() for count in counts):
            raise BadInput("--shape: give whole numbers of rows and columns, like --shape 200,300")
        if area is not None or cell is not None or hexagons is not None or by_area:
            raise BadInput("cells: --bounds stands instead of --area, --cell, --hexagons and --by-area; leave one out")
        return Grid(
            bounds=(sides[0], sides[1], sides[2], sides[3]),
            shape=(int(counts[0]), int(counts[1])),
            crs=crs or "EPSG:4326",
        )
    ways = [cell is not None, hexagons is not None, by_area]
    if sum(ways) != 1:
        raise BadInput('cells: give one of --cell "1 km", --hexagons 7, --by-area, or --bounds with --shape')
    if hexagons is not None:
        return Grid.hexagons(area, resolution=hexagons, layer=layer)
    return Grid.areas(area, layer=layer) if by_area else Grid.covering(area, cell=cell, crs=crs, layer=layer)


def _numbers(text: str | None, count: int, flag: str) -> list[float]:
    try:
        numbers = [real(part) for part in (text or "").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise BadInput(f"{flag}: give {count} numbers with commas between; --bounds and --shape go together")
    return numbers


@contextmanager
def progress_shown() -> Iterator[Callable[[str], None]]:
    """A spinner with the current step, its percentage and the time left on stderr; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console

    from dpmap.cli.progress import Meter

    with Console(stderr=True).status("starting") as status:
        yield Meter(status.update)
