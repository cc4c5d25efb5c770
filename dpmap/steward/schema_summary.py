"""Says what a survey is by its schema alone (header, layers, sheets): the names a steward needs to
declare how it is read.

No number and no value of the survey is in it. Of JSON, GeoJSON, KML and GPX, which have no header,
the names of the fields are those that `guess` found in the records.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dpmap.errors import BadInput, DpmapError, NoPlace, SeveralTables
from dpmap.promise.policy import Consent
from dpmap.steward import date_formats, init_config
from dpmap.survey import Survey, column_suggestions, multi_file
from dpmap.survey.sources import offered_names

Opening = Callable[..., Survey]
"""Opens the survey as it was declared, but for the flags that are given."""


@dataclass(frozen=True, slots=True)
class SchemaSummary:
    """Holds what the names in a file tell. `lacks` are the flags that a release still needs to say
    where a row is, and `places` what they may be; `declare` is what `dpmap init` writes down, by
    the flags' names. Of several `layers` or `sheets` none may be chosen yet: then nothing else is
    told.
    """

    format: dict[str, str | None] | None = None
    columns: list[str] = field(default_factory=list)
    roles: list[tuple[str, str]] = field(default_factory=list)
    unit: str | None = None
    who: list[dict[str, str]] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    uncertainty: list[str] = field(default_factory=list)
    consent: list[str] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)
    places: list[dict[str, str | None]] = field(default_factory=list)
    declare: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, for JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Says the same in lines, for people."""
        for flag, names in (("--layer", self.layers), ("--sheet", self.sheets)):
            if names:
                yield f"{flag}: one of {', '.join(names)}"
        yield from (f"{part}: {words}" for part, words in self.roles)
        if self.columns:
            yield f"columns: {', '.join(self.columns)}"
        if self.lacks:
            yield f"where a row is: not known yet; a release needs {', '.join(self.lacks)}"
        named = {"--consent": self.consent, "--uncertainty": self.uncertainty, "dates": self.dates}
        yield from (
            f"may be for {flag}: {', '.join(names)}" for flag, names in named.items() if names
        )
        for one in column_suggestions.best_of_each(self.who):
            more = f" ({one['more']} more like it: --json)" if one["more"] else ""
            yield f"may be for --unit: {one['column']}: {one['words']}; {one['meaning']}{more}"


def summarise_schema(
    opened: Opening,
    files: list[Any],
    given: Mapping[str, Any],
    unit: str | None = None,
    consent: str | None = None,
) -> SchemaSummary:
    """Returns what the survey's names tell; `given` is what was declared of it so far."""
    tables = SchemaSummary(layers=_tables(opened, "layer"), sheets=_tables(opened, "sheet"))
    try:
        survey = opened()
        unplaced = None
    except SeveralTables:
        return tables
    except NoPlace as error:
        unplaced = error
        survey = opened(**_somewhere(unplaced))
    columns = survey.columns
    rule = Consent.parse(consent) if consent is not None else None
    lacks = _lacks(survey, unplaced, given) if unplaced else []
    if (
        lacks and not given.get("columns") and not offered_names(columns)
    ):  # a first line that is no header holds values
        return replace(tables, lacks=["--columns", *lacks], who=_who((), ()))
    return replace(
        tables,
        format=_format(survey),
        columns=list(columns),
        roles=[
            notes
            for notes in survey.roles.described(unit, rule)
            if not lacks or notes[0] != "place"
        ],
        unit=multi_file.unit_of(survey.roles),
        who=_who(columns, survey.schema.nameless),
        dates=_dates(survey),
        uncertainty=list(
            dict.fromkeys((*survey.roles.accuracies, *column_suggestions.uncertainties(columns)))
        ),
        consent=list(column_suggestions.consents(columns)),
        lacks=lacks,
        places=_places(columns) if lacks and lacks != ["--crs"] else [],
        declare=_declared(survey, files, given, lacks),
    )


def _tables(opened: Opening, what: str) -> list[str]:
    """Lists the layers or sheets of which one must be chosen; none where there is no choice."""
    try:
        opened(**{what: None})
    except SeveralTables as found:
        return list(found.names) if found.flag == f"--{what}" else []
    except DpmapError:
        pass
    return []


def _somewhere(unplaced: NoPlace) -> dict[str, Any]:
    """Returns flags under which the survey can be opened, so that all but its places is known."""
    if unplaced.flags.startswith("--crs"):
        return {"crs": "EPSG:4326"}
    return {"x": None, "y": None, "place": unplaced.columns[0], "crs": "EPSG:4326"}


def _lacks(survey: Survey, unplaced: NoPlace, given: Mapping[str, Any]) -> list[str]:
    """Lists the flags that would say where a row is and are not given yet; a known format has
    its own CRS.
    """
    if unplaced.flags.startswith("--crs"):
        return ["--crs"]
    if unplaced.flags.startswith("--place"):
        return ["--place"]
    known = init_config.recognised_format(survey)
    return ["--x", "--y", *([] if given.get("crs") or (known and known.crs) else ["--crs"])]


def _dates(survey: Survey) -> list[str]:
    """Lists the columns that are called like dates; `recordedBy` is not one, as it names
    somebody.
    """
    candidates = column_suggestions.who(survey.columns, survey.schema.nameless)
    people = {column for one in candidates for column in one.parts(survey.columns)}
    return [name for name in date_formats.date_like(survey) if name not in people]


def _places(columns: Sequence[str]) -> list[dict[str, str | None]]:
    """Lists the columns that may say where a row is; a CRS that no name tells is None."""
    return [
        {name: None if value == "CODE" else value for name, value in one.items()}
        for one in column_suggestions.places(columns)
    ]


def _format(survey: Survey) -> dict[str, str | None] | None:
    """Returns the survey format's key and its plain name; the key is None of a file that says
    itself what it is.
    """
    title = survey.roles.format
    if title is None:
        return None
    known = init_config.recognised_format(survey)
    return {"key": known.key if known and known.title == title else None, "name": title}


def _who(columns: Sequence[str], nameless: Sequence[str]) -> list[dict[str, str]]:
    """Lists the columns that may say who is protected, and single rows, which there always are."""
    candidates = column_suggestions.who(columns, nameless)
    return [asdict(one) for one in (*candidates, column_suggestions.ROW)]


def _declared(
    survey: Survey, files: list[Any], given: Mapping[str, Any], lacks: list[str]
) -> dict[str, Any]:
    """Returns what `init` writes down of how the file is read; of several files that are read in
    different ways each by itself.
    """
    recognised, each = init_config.recognise_files(survey, files, given)
    declared = {**recognised, "surface": survey.drawn or None, **given}
    if lacks:
        declared = {
            name: value
            for name, value in declared.items()
            if name in given or name not in ("x", "y", "place", "crs")
        }
    declared = {
        name.replace("_", "-"): init_config.columns_text(value)
        for name, value in declared.items()
        if value or value == 0
    }
    return declared | ({"survey": each} if len(files) > 1 else {})


def refuse_page(html: object) -> None:
    """Refuses a page of plots beside names, which have none."""
    if html is not None:
        raise BadInput("--html: --names-only has no numbers to draw; leave one of them out")
