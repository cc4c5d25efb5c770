"""Opens a survey and finds the columns that say where, who and whether; it never shows a row."""

import csv
import dataclasses
import datetime as dt
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput, DpmapError, NoPlace, Refused, one_line, require_library
from dpmap.grid import crs as crs_tools
from dpmap.grid.cell_sizes import parse_metres
from dpmap.numbers import NumberLike
from dpmap.private_totals import Sealed
from dpmap.promise.policy import Consent
from dpmap.survey import column_suggestions, formats, multi_file
from dpmap.survey.column_roles import ConsentBy, Missing, ReadingOptions, Roles, Signals
from dpmap.survey.columns import Header, find, match
from dpmap.survey.files.frames import explain_index
from dpmap.survey.files.source_opener import open_source
from dpmap.survey.files.tables import Cut
from dpmap.survey.formats import Place, RecognisedFormat
from dpmap.survey.place_columns import split_columns
from dpmap.survey.row_sql import row_rules, unit_columns
from dpmap.survey.sources import Schema, Source, list_header_columns, names_among, printable_name

if TYPE_CHECKING:
    from dpmap.survey.files.frames import Table

__all__ = ["Roles", "Survey", "read"]


MOST_ABOVE = 1000
"""The last row in which a header may stand."""


class Survey(Sealed):
    """An opened survey, made by `dm.read`; only `release`, `choose` and `inspect` read its rows,
    from the columns in `roles`.

    It shows nothing of them: it cannot be printed, looped over, turned into an array or pickled.

    >>> import dpmap as dm
    >>> dm.read("raptors.csv", unit="observer_id").unit
    'observer_id'
    """

    __slots__ = ("_source", "files", "parts", "roles")

    roles: Roles
    parts: "tuple[Survey, ...]"
    files: "tuple[Survey, ...]"
    _source: Source

    def __init__(
        self,
        source: Source,
        roles: Roles,
        parts: "tuple[Survey, ...]" = (),
        files: "tuple[Survey, ...]" = (),
    ) -> None:
        self._source = source
        self.roles = roles
        self.parts = parts
        self.files = files

    @contextmanager
    def held(self) -> "Iterator[Survey]":
        """Yields the survey for readings that must agree: as of one moment, if others may change
        its rows.
        """
        moment = self._source.moment
        with (
            ExitStack() as open_,
            moment() if moment is not None else nullcontext(self._source) as source,
        ):
            yield Survey(
                source, self.roles, tuple(open_.enter_context(part.held()) for part in self.parts)
            )

    @property
    def drawn(self) -> bool:
        """Whether the file's own schema says that all places are lines or areas, which count
        with `surface` only.
        """
        return self.roles.geometry is not None and self._source.drawn

    def read_otherwise(self, **reading: object) -> "Survey":
        """Returns the same survey under other options of `ReadingOptions`, to see what they
        would change.
        """
        changed = dataclasses.replace(self.roles.reading, **reading)  # type: ignore[arg-type]
        parts = tuple(part.read_otherwise(**reading) for part in self.parts)
        return Survey(self._source, dataclasses.replace(self.roles, reading=changed), parts)

    @property
    def unit(self) -> str:
        """The unit of protection that the format defines or the reader named; refused if there
        is none.
        """
        if self.roles.unit is None and self.parts:
            raise Refused(multi_file.units_differ(self.roles))
        if self.roles.unit is None:
            raise Refused(
                "no unit of protection: this survey has no known identity column; add --unit"
                " COLUMN (unit=) naming who is protected, or unit=row to protect single rows"
                f" only{column_suggestions.unit_words(self.columns, self.schema.nameless)}"
            )
        return self.roles.unit

    @property
    def schema(self) -> Schema:
        """The schema, known before the first record: names, kind, encoding, separator, and who
        told them.
        """
        return self._source.schema

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names, as the file spells them."""
        return self._source.columns

    @property
    def header(self) -> Header:
        """The columns and the parts they play, without access to the rows."""
        return Header(
            self._source.columns,
            self.roles,
            self._source.name,
            tuple(part.header for part in self.parts),
        )

    @property
    def name(self) -> str:
        """The file's name, where it is one part of several."""
        return self._source.name


@one_line
def read(
    path: "str | os.PathLike[str] | Table | Sequence[str | os.PathLike[str] | multi_file.File]",
    *,
    x: str | None = None,
    y: str | None = None,
    place: str | None = None,
    crs: crs_tools.CrsLike | None = None,
    datum: str | None = None,
    swap: bool = False,
    west_positive: bool = False,
    surface: bool = False,
    unit: str | None = None,
    team: str | None = None,
    missing_unit: Missing = "drop",
    consent: Consent | str | None = None,
    consent_by: ConsentBy = "row",
    signals: Signals = "all",
    count: str | None = None,
    max_count: int | None = None,
    mean: str | None = None,
    between: str | Sequence[NumberLike] | None = None,
    uncertainty: str | None = None,
    max_uncertainty: NumberLike | None = None,
    where: str | None = None,
    since: str | int | dt.date | None = None,
    until: str | int | dt.date | None = None,
    dates: str | Sequence[str] | None = None,
    chosen_by: str | None = None,
    format: str | None = None,  # noqa: A002  # the public contract names it so
    layer: str | None = None,
    columns: str | Sequence[str] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    table: str | None = None,
    query: str | None = None,
    sheet: str | int | None = None,
    header_row: int | None = None,
) -> Survey:
    """Opens a survey, which stays sealed: its header is read now, its rows only by `release`,
    `choose` and `inspect`.

    - `path`: a file, a folder, an archive, an address (`s3://`, `gs://`, `https://`,
      `postgresql://user@host/db` with its `table` or `query`), a table in memory, or a list of
      files that are one survey; `{"file": path, "x": ...}` in it declares what holds for one alone.
    - `unit`: the column of who is protected, such as the observer; a known format may define it,
      and the policy may name it instead.
    - `x`, `y`, `crs`: the columns of a row's place and their reference system; or `place`, one
      column that holds both. `datum`: that of coordinates in degrees, where it is not WGS84.
      Coordinates in parts are named together: `x="lon_deg+lon_min+lon_sec+lon_hem"`.
    - `consent`: `"COLUMN=VALUE[,VALUE]"`, the rows that count.
    - `count`, `max_count`: the column of how many individuals a row counts for, and the most that
      one may.
    - `uncertainty`, `max_uncertainty`: the column of how far off a place may be, and the most that
      counts, such as `"1 km"`.
    - `format`: how the file is written, a known survey format, or both: `"json+inaturalist"`.
    - `layer`: of a GeoPackage and its kin, a layer or `all` of the same columns; `sheet`: of a
      workbook, a sheet by its name or number; `header_row`: the row of the header there, or in a
      text with lines above it.
    - `columns`, `delimiter`, `encoding`: what a text without a header holds, where it is cut, and
      how its letters are written.
    - `chosen_by`: who or what chose the rows before dpmap reads them, which the statement then
      says, such as `"a filter in QGIS"`.
    - `where`: which rows count, such as `"species = 'Aquila' and year >= 2020"`; `since` and
      `until` (`--from`, `--to`), the first and last date, such as `"date=2026"`, which name the
      column of dates where no format does; `dates="dmy,iso"`, how dates are written.
    - `team`: the separators of the names in a row, such as `"; ,"`; without it only columns that a
      format defines as lists of people are taken apart, at `;` and `|`. `missing_unit`: whether a
      row that names nobody is left out (`"drop"`) or is a unit by itself (`"own-unit"`).
    - `consent_by`: whether a refusal takes its row or its whole unit. `signals`: which of the
      format's own signs of obscuration and refusal are honoured.
    - `swap`, `west_positive`, `surface`: x and y are exchanged; longitudes count westwards; lines
      and areas count, at a point on them.
    - `mean`, `between`: the column that is averaged instead of counted, and its declared least and
      most, such as `"0,30"`.

    What a file is called and what its columns are is known before its first row: from a header,
    from the file's own description, or from you. JSON, GeoJSON, KML and GPX have neither, so
    declare `format="geojson"` and `columns`, the fields to read, as the records write them;
    `guess(path)` looks into a file and offers both. Columns called longitude and latitude need no
    `x` and `y`.

    A table in memory is a DataFrame of pandas, GeoPandas or Polars, an Arrow table or a DuckDB
    relation: its rows are copied and sealed at once, so that nothing done to it later changes the
    survey; or a Spark DataFrame, which the Spark engine counts. An index is no column
    (`reset_index()` makes it one). The promise is about the rows of the table as given: what
    decided which rows it has, and any change made to one row because of another, happened before
    it.

    Raises `BadInput` where the file cannot be read or a named column is not in it.

    >>> import dpmap as dm
    >>> survey = dm.read("raptors.csv", unit="observer_id", consent="consent=yes")
    >>> survey.columns[:5]
    ('sighting_id', 'observer_id', 'nest_id', 'longitude', 'latitude')
    """
    given = {name: value for name, value in locals().items() if name != "path"}
    for library in ("duckdb", "pyarrow", "rasterio"):  # which writes a release's raster
        require_library(library)
    try:
        return (
            _open_several(path, given)
            if isinstance(path, list | tuple)
            else _open_path(path, **given)
        )
    except BadInput as error:
        raise explain_index(path, error) from None


def _open_several(paths: "Sequence[Any]", given: dict[str, Any]) -> Survey:
    """Opens each file by what is declared of it and of all, and puts them together."""
    named = multi_file.named_files(paths)
    if len(named) == 1:  # which no other file could lend a column, so it is no part of several
        named[0].pop("name")
    files = [
        _open_named(one, given)
        if len(named) > 1
        else _open_path(one.pop("file"), **{**given, **one})
        for one in named
    ]
    if len(files) == 1:
        return files[0]
    parts = tuple(part for file in files for part in file.parts or (file,))
    source, roles = multi_file.merge_roles(
        [file.roles for file in files], [file.columns for file in files]
    )
    return _checked(Survey(source, roles, parts, tuple(files)), given)


def _open_named(one: dict[str, Any], given: dict[str, Any]) -> Survey:
    """Opens one of several named files; what is said against how it is read says where that is
    declared for one alone.
    """
    try:
        return _open_path(one.pop("file"), **{**given, **one})
    except BadInput as error:
        raise multi_file.alone(error) from None


def _open_path(
    path: Any,
    *,
    format: str | None,  # noqa: A002
    layer: str | None,
    columns: "str | Sequence[str] | None",
    encoding: str | None,
    delimiter: str | None,
    table: str | None,
    query: str | None,
    sheet: str | int | None,
    header_row: int | None,
    name: str = "",
    **options: Any,
) -> Survey:
    """Opens one path; of a folder or archive whose members have other columns than others, each
    by its own.
    """
    kind, known = formats.split_declared(format)
    cut = Cut(_names(columns), encoding, delimiter, _row(header_row, columns))
    source = open_source(
        path,
        layer=layer,
        cut=cut,
        kind=kind,
        table=table,
        query=query,
        sheet=None if sheet is None else str(sheet),
    )
    source = multi_file.name_source(source, name) if name else source
    return (
        _open_members(source, known, **options)
        if source.parts
        else _open_source(source, known, **options)
    )


def _open_source(source: Source, known: str | None, **options: Any) -> Survey:
    """Opens one source; what is said against one file of several names it."""
    try:
        return _survey(source, known, **options)
    except BadInput as error:
        if not source.name or source.name in error.terminal_line:
            raise
        raise BadInput(f"{error.terminal_line} (this is {printable_name(source.name)})") from None


def _open_members(source: Source, known: str | None, **options: Any) -> Survey:
    """Opens the members of a folder or archive, those of each header by their own."""
    parts = list[Survey]()
    failed = list[str]()
    for one in source.parts:
        try:
            parts.append(_survey(one, known, **options))
        except (
            DpmapError
        ):  # its words would list the columns of what may be no table of theirs at all
            failed.append(one.name)
    if not parts:
        _open_source(source.parts[0], known, **options)
    if failed:
        raise multi_file.unlike(failed[0], parts[0].name, "place or unit")
    multi_file.check_alike(
        [part.roles for part in parts],
        [part.name for part in parts],
        [part.columns for part in parts],
    )
    return _checked(Survey(replace(source, parts=()), parts[0].roles, tuple(parts)), options)


def _survey(
    source: Source,
    known: str | None,
    *,
    x: str | None,
    y: str | None,
    place: str | None,
    crs: crs_tools.CrsLike | None,
    datum: str | None,
    unit: str | None,
    consent: "Consent | str | None",
    count: str | None,
    max_count: int | None,
    uncertainty: str | None,
    max_uncertainty: NumberLike | None,
    **reading: Any,
) -> Survey:
    """Finds the part that each column of one header plays."""
    unit = unit if unit is None or unit.strip() else None
    recognised = formats.recognise(
        source.columns, has_geometry=source.geometry is not None, only=known
    )
    rule = Consent.parse(consent) if isinstance(consent, str) else consent
    if max_count is not None and count is None:
        count = recognised.count if recognised else None
        if count is None:
            raise BadInput("--max-count: name the column of how many with --count")
    options = _reading(reading, count, max_count, max_uncertainty)
    geometry, places, system = _place(source, recognised, x, y, place, crs)
    places = tuple(_with_declared_columns(source, one, datum, uncertainty) for one in places)
    declared_unit = unit or (recognised.unit if recognised else None)
    roles = Roles(
        crs=system,
        geometry=geometry,
        places=places,
        unit=declared_unit,
        consent=rule,
        rules=recognised.rules if recognised else (),
        x=places[0].x or None if places else None,
        y=places[0].y or None if places else None,
        format=source.format or (recognised.format.title if recognised else None),
        sign=source.sign or (recognised.sign if recognised else ()),
        note=_note(source, recognised, places),
        origin=source.origin,
        reading=options,
        unit_named=unit is not None,
        atomic=recognised.unit if recognised and not recognised.format.team else None,
        lists=recognised.format.team if recognised else "",
        dated=recognised.date if recognised else None,
    )
    survey = Survey(source, roles)
    _check(survey.header, unit, rule)
    return survey


def _checked(survey: Survey, options: Mapping[str, Any]) -> Survey:
    """Checks that every named column is in at least one of a survey's parts."""
    unit = options["unit"] if options["unit"] and options["unit"].strip() else None
    _check(survey.header, unit, survey.roles.consent)
    for flag in ("datum", "uncertainty"):
        if options[flag] is not None:
            survey.header.require(options[flag], flag=f"--{flag}")
    return survey


def _check(header: Header, unit: str | None, rule: Consent | None) -> None:
    """Checks that every named column exists."""
    if unit is not None and unit != "row":
        unit_columns(header, unit)
    if rule is not None:
        header.require(rule.column, flag="--consent")
    for way in header.roles.ways:
        if way.x:
            for flag, named in (("--x", way.x), ("--y", way.y)):
                for column in header.lacking(split_columns(header, named, flag)):
                    find(header.columns, column, flag=flag)
    row_rules(header)
    if header.roles.reading.count:
        header.require(header.roles.reading.count, flag="--count")
    if header.roles.reading.mean:
        header.require(header.roles.reading.mean, flag="--mean")


def _names(columns: "str | Sequence[str] | None") -> tuple[str, ...] | None:
    if columns is None:
        return None
    named = (
        next(csv.reader([columns], skipinitialspace=True), [])
        if isinstance(columns, str)
        else list(columns)
    )
    names = tuple(name.strip() for name in named)
    if not all(names) or len({name.lower() for name in names}) < len(names):
        raise BadInput(
            "--columns: name every column once, with commas between, like --columns who,lon,lat"
        )
    return names


def _row(header_row: int | None, columns: object) -> int:
    """Returns the row or line in which the header stands, counted from 1."""
    if header_row is not None and (
        not isinstance(header_row, int) or not 1 <= header_row <= MOST_ABOVE
    ):
        raise BadInput(
            f"--header-row: give the header's row, a whole number from 1 to {MOST_ABOVE:,}, as"
            " spreadsheet programs count"
        )
    if header_row is not None and columns is not None:
        raise BadInput(
            "--header-row: --columns means that there is no header; leave one of them out"
        )
    return 1 if header_row is None else header_row


def _reading(
    options: dict[str, Any],
    count: str | None,
    max_count: int | None,
    uncertainty: NumberLike | None,
) -> ReadingOptions:
    metres = None
    if uncertainty is not None:
        metres = parse_metres(uncertainty)
        if metres is None:
            raise BadInput("--max-uncertainty: give a length, like 1000 or '1 km'")
    return ReadingOptions(
        **options,
        count=count,
        max_count=max_count,
        max_uncertainty=metres,
    )


def _with_declared_columns(
    source: Source, place: Place, datum: str | None, uncertainty: str | None
) -> Place:
    """Returns the place with the columns of datum and uncertainty that the steward named."""
    return Place(
        place.x,
        place.y,
        place.cell,
        _declared_column(source, uncertainty, "--uncertainty") or place.accuracy,
        _declared_column(source, datum, "--datum") or place.datum,
        place.kind,
    )


def _declared_column(source: Source, column: str | None, flag: str) -> str:
    """Returns the column that is named; none in a part of several that lacks it."""
    lacks = bool(source.name) and match(source.columns, column or "") is None
    return "" if column is None or lacks else find(source.columns, column, flag=flag)


def _place(
    source: Source,
    recognised: RecognisedFormat | None,
    x: str | None,
    y: str | None,
    cell: str | None,
    crs: crs_tools.CrsLike | None,
) -> tuple[str | None, tuple[Place, ...], str]:
    """Returns the geometry column or the ways to place a row, and their CRS."""
    if (x is None) != (y is None):
        raise BadInput("place: give both --x and --y, or neither")
    if x is not None and y is not None:
        if crs is None and (recognised is None or recognised.format.crs is None):
            advice = "crs: say what the coordinates are in, like --crs EPSG:4326 for degrees"
            raise NoPlace(advice, "--crs CODE", source.columns)
        named = Place(match(source.columns, x) or x, match(source.columns, y) or y)
        system = recognised.format.crs if crs is None and recognised else crs
        return None, (named,), crs_tools.flat(system, "--crs")
    if cell is not None:
        column = find(source.columns, cell, flag="--place")
        return (
            None,
            (Place(cell=column),),
            crs_tools.flat(crs if crs is not None else crs_tools.LONLAT, "--crs"),
        )
    if source.geometry is not None:
        if crs is None and source.crs is None and not source.systems:
            advice = "crs: the layer names no CRS; add it, like --crs EPSG:4326"
            raise NoPlace(advice, "--crs CODE", source.columns)
        return (
            source.geometry,
            (
                Place(
                    accuracy=_geometry_accuracy(source, recognised),
                    datum=source.systems,
                    kind=_own_system(source, crs),
                ),
            ),
            crs_tools.flat(crs if crs is not None else source.crs or crs_tools.LONLAT, "--crs"),
        )
    if recognised and recognised.unsure:
        advice = (
            f"place: this {recognised.format.title} file has several questions with a place; add"
            f" {recognised.unsure}"
        )
        raise NoPlace(advice, recognised.unsure, source.columns)
    places = recognised.places if recognised else ()
    places = places or formats.plain_places(source.columns)
    if flags := column_suggestions.degrees_alone(source.columns, places):
        alone = f"--x {formats.shell(places[0].x)} --y {formats.shell(places[0].y)}"
        raise NoPlace(
            "place: these columns hold parts of a coordinate, and degrees alone would be another"
            f" place; add {flags} (or {alone}, if the whole coordinate stands there)",
            flags,
            source.columns,
        )
    if not places:
        raise _no_place_error(source, recognised)
    system = recognised.format.crs if recognised and recognised.places else crs_tools.LONLAT
    return None, places, crs_tools.flat(crs if crs is not None else system, "--crs")


def _no_place_error(source: Source, recognised: RecognisedFormat | None) -> BadInput:
    """Says what to type, or to give, where no column is known to hold places."""
    if source.format is None and column_suggestions.lacks_events(source.columns):
        return BadInput(
            "place: these are the occurrences of a Darwin Core event core; give the folder (or the"
            " archive) with its meta.xml: their places stand in event.txt"
        )
    like = tuple(column_suggestions.coordinate_like(source.columns)) or source.columns
    what = (
        f"{recognised.format.title} without its usual coordinate columns"
        if recognised
        else "of no known format"
    )
    if len(source.columns) == 1:
        what += (
            " (one column: the first line is the header, unless --header-row N says which is; or"
            " check --delimiter)"
        )
    flags = column_suggestions.place_flags(names_among(source.columns))
    code = (
        "; CODE is EPSG:4326 for degrees, else that of your national grid"
        if "CODE" in flags
        else ""
    )
    return NoPlace(
        f"place: this file is {what}; add {flags} (columns: {list_header_columns(like)}{code})",
        flags,
        source.columns,
    )


def _note(source: Source, recognised: RecognisedFormat | None, places: tuple[Place, ...]) -> str:
    """Says what the format's own note is, and where degrees that were named are read without the
    parts beside them; by the header alone.
    """
    flags = column_suggestions.degrees_alone(source.columns, places)
    alone = (
        f"degrees are read alone, without the parts of coordinates beside them, as {flags} would"
        " read them"
        if flags
        else ""
    )
    return "; ".join(filter(None, (recognised.format.note if recognised else "", alone)))


def _own_system(source: Source, crs: object) -> str:
    """Returns the kind of a geometry that names its CRS row by row: rows without one get the
    given CRS, or no place.
    """
    return "" if not source.systems else "srid or nowhere" if crs is None else "srid"


def _geometry_accuracy(source: Source, recognised: RecognisedFormat | None) -> str:
    """Returns a layer's column of uncertainty, if its format has one."""
    names = {formats.fold_name(column): column for column in source.columns}
    known = (
        [place.accuracy for place in recognised.format.places if place.accuracy in names]
        if recognised
        else []
    )
    return names[known[0]] if known else ""
