"""Declares the flags that say how a survey is read, once for every command that reads one."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dpmap.cli.flags import whole_number
from dpmap.cli.survey_paths import Files, as_read, is_afar
from dpmap.errors import DpmapError, NoPlace

if TYPE_CHECKING:
    from dpmap.survey import Survey


@dataclass(frozen=True, eq=False, repr=False)
class ReadingFlags:
    """How the survey is read."""

    panel: ClassVar = "How the survey is read"
    x: Annotated[
        str | None, typer.Option("--x", help="Column of the x coordinate or longitude.")
    ] = None
    y: Annotated[
        str | None, typer.Option("--y", help="Column of the y coordinate or latitude.")
    ] = None
    place: Annotated[
        str | None,
        typer.Option(
            "--place",
            help="One column that says where a row is: WKT, GeoJSON, lat lon, grid reference.",
        ),
    ] = None
    crs: Annotated[
        str | None, typer.Option("--crs", help="CRS of the survey's coordinates, like EPSG:4326.")
    ] = None
    datum: Annotated[
        str | None, typer.Option("--datum", help="Column that names each row's datum or EPSG code.")
    ] = None
    swap: Annotated[bool, typer.Option("--swap", help="x and y are the other way round.")] = False
    west_positive: Annotated[
        bool, typer.Option("--west-positive", help="Longitudes count westwards.")
    ] = False
    surface: Annotated[
        bool, typer.Option("--surface", help="Lines and areas count, at a point on them.")
    ] = False
    uncertainty: Annotated[
        str | None, typer.Option("--uncertainty", help="Column of uncertainty in metres.")
    ] = None
    max_uncertainty: Annotated[
        str | None,
        typer.Option("--max-uncertainty", help='Leave out what is less certain, like "1 km".'),
    ] = None
    layer: Annotated[
        str | None,
        typer.Option(
            "--layer",
            help=(
                "Layer of the survey file, all of them where they have the same columns (all), or"
                " file in an archive."
            ),
        ),
    ] = None
    sheet: Annotated[
        str | None, typer.Option("--sheet", help="Sheet of a workbook, by its name or number.")
    ] = None
    header_row: Annotated[
        int | None,
        typer.Option(
            "--header-row",
            parser=whole_number,
            metavar="INTEGER",
            help="Row of a sheet, or line of a text, that holds the names.",
        ),
    ] = None
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=(
                "What the file is, where it cannot say so itself: geojson, json, kml, gpx, gbif ..."
            ),
        ),
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            help=(
                "Names of the columns, with commas between, where a file has no header; or the"
                " fields to read."
            ),
        ),
    ] = None
    delimiter: Annotated[
        str | None,
        typer.Option(
            "--delimiter",
            help="Mark between the fields of a text, like ';' or tab; else its header tells.",
        ),
    ] = None
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Encoding of a text file, like cp1252.")
    ] = None
    table: Annotated[
        str | None, typer.Option("--table", help="Table of a database, like schema.table.")
    ] = None
    query: Annotated[
        str | None,
        typer.Option(
            "--query", help="One SELECT for a database to answer; its rows are the survey."
        ),
    ] = None
    where: Annotated[
        str | None,
        typer.Option(
            "--where",
            help=(
                "Rule over a row's columns, like \"species = 'Aquila' and year >= 2020\": rows that"
                " count."
            ),
        ),
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="DATE",
            help="First date of rows that count: 2020, 2020-05, COLUMN=2020-05-31.",
        ),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="DATE", help="Last date of rows that count, included; as --from."
        ),
    ] = None
    dates: Annotated[
        str | None,
        typer.Option(
            "--dates",
            help=(
                "How dates are written, tried in order: dmy, mdy, ymd, iso, excel, epoch; start"
                " takes a range by its start."
            ),
        ),
    ] = None
    chosen_by: Annotated[
        str | None,
        typer.Option(
            "--chosen-by",
            help=(
                "Who or what chose the rows before dpmap reads them, like 'a filter in QGIS': the"
                " statement says it."
            ),
        ),
    ] = None
    team: Annotated[
        str | None,
        typer.Option(
            "--team",
            help="What stands between names in one text: auto (; and |), none, or like '; & and'.",
        ),
    ] = None
    missing_unit: Annotated[
        str,
        typer.Option(
            "--missing-unit", help="Rows that name nobody: drop, or own-unit for each its own."
        ),
    ] = "drop"
    consent_by: Annotated[
        str, typer.Option("--consent-by", help="What a refusal takes: its row, or its whole unit.")
    ] = "row"
    signals: Annotated[
        str,
        typer.Option(
            "--signals",
            help="The format's own signs of obscuring and refusal: all, wishes or none.",
        ),
    ] = "all"
    count: Annotated[
        str | None, typer.Option("--count", help="Column of how many, with --max-count.")
    ] = None
    max_count: Annotated[
        int | None,
        typer.Option(
            "--max-count",
            parser=whole_number,
            metavar="INTEGER",
            help="Most that one row may count for.",
        ),
    ] = None
    mean: Annotated[
        str | None,
        typer.Option(
            "--mean", help="Column whose mean the map tells, with --between and --strategy flat."
        ),
    ] = None
    between: Annotated[
        str | None,
        typer.Option("--between", help="LOW,HIGH: the declared least and most of a value."),
    ] = None

    def opened(self, survey: Files, unit: str | None, **told: Any) -> "Survey":
        """Opens the survey as these flags say; `told` overrides them."""
        from dpmap.survey import read

        return read(as_read(survey), unit=unit, **{**asdict(self), **told})

    def dated(self, times: str | None) -> dict[str, str]:
        """Returns `--from` and `--to` about the column of `--times`, where they name none
        themselves.
        """
        column = (times or "").partition("=")[0].strip()
        ends = {"since": self.since, "until": self.until}
        return {
            name: f"{column}={end}"
            for name, end in ends.items()
            if column and end and "=" not in end
        }

    def place_flags(self, survey: Files) -> str:
        """Returns the flags that would say where a row is, where neither these do nor the survey
        at hand; else nothing.
        """
        try:
            if not is_afar(survey):
                self.opened(survey, None)
        except NoPlace as unplaced:
            return unplaced.flags
        except DpmapError:
            pass
        return ""

    def lacks_unit(self, survey: Files, unit: str | None) -> bool:
        """Whether nobody says who is protected: no flag, nor the format of a survey at hand."""
        if unit is not None or is_afar(survey):
            return unit is None
        try:
            return self.opened(survey, None).unit is None
        except DpmapError:
            return True
