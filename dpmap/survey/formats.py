"""Recognises known survey formats: one table, from signs in the header to the part each column
plays.

Names are compared *folded* (lower case, every other mark one underscore), so `OBSERVER ID`,
`OBSERVER.ID` and `observer_id` are one, and an alternative such as `waypoint_id|waypoint_i` covers
what a shapefile cuts to ten letters. Only the header decides, never a row: which columns are read
must not depend on who took part.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from dpmap.errors import BadInput
from dpmap.survey import format_rules
from dpmap.survey.format_rules import ExclusionRule

PATROL = (
    "patrol|patrouill|patrull|patrulh|patroli|ronda|doria|\u043f\u0430\u0442\u0440\u0443\u043b|"
    "\u044d\u0440\u0433\u04af\u04af\u043b|\u5de1\u62a4|\u5de1\u903b|"
    "tu\u1ea7n_tra|\u0e25\u0e32\u0e14\u0e15\u0e23\u0e30\u0e40\u0e27\u0e19|"
    "\u0ea5\u0eb2\u0e94\u0e95\u0eb0\u0ec0\u0ea7\u0e99|\u179b\u17d2\u1794\u17b6\u178f"
)
WAYPOINT = (
    "waypoint|point|punto|ponto|titik|\u0442\u043e\u0447\u043a|\u0446\u044d\u0433|\u822a\u70b9|"
    "\u822a\u8def\u70b9|\u0111i\u1ec3m|\u0e08\u0e38\u0e14|\u0e88\u0eb8\u0e94|"
    "\u1785\u17c6\u178e\u17bb\u1785"
)
LEADER = (
    "leader|patrol_lea|(?:chef|ch\u00e8f|responsable|l[i\u00ed]der|ketua|pemimpin|kiongozi|"
    "\u043b\u0438\u0434\u0435\u0440|\u0440\u0443\u043a\u043e\u0432\u043e\u0434|"
    "\u0430\u0445\u043b\u0430\u0433\u0447|"
    "\u961f\u957f|\u9886\u961f|tr\u01b0\u1edfng|\u0e2b\u0e31\u0e27\u0e2b\u0e19\u0e49\u0e32|"
    "\u0eab\u0ebb\u0ea7\u0edc\u0ec9\u0eb2|\u1794\u17d2\u179a\u1792\u17b6\u1793).*"
)
"""Words of the languages SMART is used in (English, French, Spanish, Portuguese, Indonesian,
Swahili, Russian, Mongolian, Chinese, Vietnamese, Thai, Lao, Khmer): its table is exported with the
headers of the desktop's language, but X and Y.
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Says where a row is: in `x` and `y` columns, or in one `cell` that holds both (of a `kind`
    that `places.cell` knows). `accuracy` is in metres; `datum` names the CRS. A geometry that names
    its CRS row by row is of the kind `srid`: a row that names none is in the survey's CRS; of the
    kind `srid or nowhere` it has no place.
    """

    x: str = ""
    y: str = ""
    cell: str = ""
    accuracy: str = ""
    datum: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """Describes one format; every text is a pattern over folded names, in which `{q}` stands for
    any question or number. `date` is the column that `--from` and `--to` are about. `team` is the
    columns that the format itself defines as lists of people; without one each text is one
    identity, so a column of names that may list several needs it.
    """

    key: str
    title: str
    signs: tuple[str, ...]
    places: tuple[Place, ...] = ()
    units: tuple[str, ...] = ()
    rules: tuple[ExclusionRule, ...] = ()
    count: str = ""
    date: str = ""
    quoting: bool = True
    team: str = ""
    crs: str | None = "EPSG:4326"
    note: str = ""


_DWC = Place(
    "decimallongitude",
    "decimallatitude",
    accuracy="coordinateuncertaintyinmeters",
    datum="geodeticdatum",
)
_DWC_PEOPLE = "recordedby|recordedbyid"
_DWC_FOOTPRINT = Place(cell="footprintwkt", kind="wkt")

FORMATS = (
    Format(
        "ebird",
        "eBird Basic Dataset",
        ("observer_id", "global_unique_identifier"),
        (Place("longitude", "latitude"),),
        ("observer_id",),
        format_rules.absences("observation_count"),
        count="observation_count",
        quoting=False,
        note="one sighting under several observers (GROUP IDENTIFIER) stays with each of them",
        date="observation_date",
    ),
    Format(
        "ebird-checklists",
        "eBird sampling events",
        ("observer_id", "sampling_event_identifier"),
        (Place("longitude", "latitude"),),
        ("observer_id",),
        quoting=False,
        note="checklists, not sightings: they say nothing of a species",
        date="observation_date",
    ),
    Format(
        "ebird-own",
        "My eBird Data",
        ("submission_id", "all_obs_reported|taxonomic_order|location_id"),
        (Place("longitude", "latitude"),),
        rules=format_rules.absences("count"),
        count="count",
        note="one observer's own records, who is not named in them: every row is hers",
        date="date",
    ),
    Format(
        "ebird-recent",
        "eBird recent observations",
        ("subid", "obsdt", "lng"),
        (Place("lng", "lat"),),
        ("userdisplayname",),
        format_rules.absences("howmany"),
        count="howmany",
        date="obsdt",
    ),
    Format(
        "nbn",
        "NBN Atlas",
        ("nbn_atlas_record_id",),
        (
            Place(
                "longitude_wgs84|longitude|decimal_?longitude",
                "latitude_wgs84|latitude|decimal_?latitude",
                accuracy=(
                    "coordinate_uncertainty_m|coordinate_uncertainty|"
                    "coordinate_?uncertainty_?in_?met(?:re|er)s"
                ),
            ),
            Place(
                cell=(
                    "osgr|osgr_or_irish_grid_reference|grid_reference|gridreference|grid_ref|"
                    "osni?_?grid_?reference"
                ),
                kind="grid",
            ),
        ),
        ("recorder|recorders|recorded_?by|recorder_s",),
        (
            ExclusionRule(
                "sensitive|sensitive_in_.*|sensitivity",
                format_rules.YES,
                "obscured",
                coarse=10_000.0,
            ),
            ExclusionRule("access_?controlled", format_rules.YES, "obscured", coarse=10_000.0),
            *format_rules.ATLAS,
        ),
        count="individual_?count",
        team="recorder|recorders|recorded_?by|recorder_s",
        date="event_?date|start_?date",
    ),
    Format(
        "ala",
        "Atlas of Living Australia",
        ("record_?id", "data_?resource_?name"),
        (
            Place(
                "decimal_?longitude|longitude",
                "decimal_?latitude|latitude",
                accuracy="coordinate_?uncertainty_?in_?met(?:re|er)s",
                datum="geodetic_?datum",
            ),
        ),
        ("recorded_?by", "user_?id"),
        (
            ExclusionRule("generali[sz]ation_?in_?met(?:re|er)s", "", "obscured", metres=True),
            *format_rules.ATLAS,
        ),
        count="individual_?count",
        team="recorded_?by",
        date="event_?date",
    ),
    Format(
        "gbif",
        "GBIF occurrences",
        ("gbifid", "decimallatitude"),
        (_DWC, _DWC_FOOTPRINT),
        ("recordedbyid&recordedby", "recordedby", "recordedbyid"),
        format_rules.GBIF,
        count="individualcount",
        quoting=False,
        team=_DWC_PEOPLE,
        date="eventdate",
    ),
    Format(
        "darwin-core",
        "Darwin Core occurrences",
        (
            "occurrenceid|basisofrecord|eventid|catalognumber|recordedby|occurrence_?status",
            "decimallatitude|footprintwkt",
        ),
        (_DWC, _DWC_FOOTPRINT),
        ("recordedbyid&recordedby", "recordedby", "recordedbyid"),
        format_rules.DARWIN_CORE,
        count="individualcount",
        team=_DWC_PEOPLE,
        date="eventdate",
    ),
    Format(
        "inaturalist",
        "iNaturalist export",
        (
            "user_login|user_id|user_name",
            (
                "positional_accuracy|public_positional_accuracy|coordinates_obscured|"
                "taxon_geoprivacy|quality_grade"
            ),
        ),
        (
            Place(
                "longitude", "latitude", accuracy="public_positional_accuracy|positional_accuracy"
            ),
            Place(
                "geojson_longitude",
                "geojson_latitude",
                accuracy="public_positional_accuracy|positional_accuracy",
            ),
            Place(
                cell="location",
                accuracy="public_positional_accuracy|positional_accuracy",
                kind="text",
            ),
        ),
        ("user_id", "user_login", "user_name"),
        (
            ExclusionRule("geoprivacy", "obscured|private", "the observer's wish", wish=True),
            ExclusionRule(
                "taxon_geoprivacy", "obscured|private", "obscured", coarse=format_rules.INAT_SQUARE
            ),
            ExclusionRule(
                "coordinates_obscured|obscured",
                "true|t|1|yes",
                "obscured",
                coarse=format_rules.INAT_SQUARE,
            ),
        ),
        note="private_longitude and private_latitude are left alone unless named with --x and --y",
        date="observed_on",
    ),
    Format(
        "inaturalist-open",
        "iNaturalist open data",
        ("observation_uuid", "observer_id", "positional_accuracy"),
        (Place("longitude", "latitude", accuracy="positional_accuracy"),),
        ("observer_id",),
        quoting=False,
        note=(
            "it does not say which places are obscured: what is less certain than 28 km may be"
            " (--max-uncertainty)"
        ),
        date="observed_on",
    ),
    Format(
        "movebank",
        "Movebank tracks",
        ("location_long", "location_lat"),
        (Place("location_long", "location_lat"),),
        (
            "individual_local_identifier",
            "individual_id",
            "tag_local_identifier",
            "deployment_id",
            "tag_id",
        ),
        (
            ExclusionRule("visible", "false|f|0|no", "an outlier"),
            ExclusionRule(
                "(?:manually|algorithm|import)_marked_outlier", "true|t|1|yes", "an outlier"
            ),
        ),
        date="timestamp",
    ),
    Format(
        "movebank-shapes",
        "Movebank tracks",
        ("ind_ident", "tag_ident"),
        (Place("long|x", "lat|y"),),
        ("ind_ident",),
        (ExclusionRule("visible", "false|f|0|no", "an outlier"),),
        date="timestamp",
    ),
    Format(
        "smart",
        "SMART patrols",
        (
            (
                "patrol_id|mission_id|survey_id|conservation_area_id|ca_id|waypoint_source|"
                f"(?:.*_)?(?:{PATROL}).*"
            ),
            f"waypoint_id|waypoint_i|(?:.*_)?(?:{WAYPOINT}).*",
            "x",
            "y",
        ),
        (Place("x", "y"),),
        ("members", LEADER, "observer", "team|employee|equipe|\u00e9quipe|equipo"),
        team="members",
        note=(
            "X and Y are in the projection the query was exported in: degrees unless --crs says"
            " otherwise"
        ),
        date="waypoint_date|waypoint_d",
    ),
    Format(
        "earthranger",
        "EarthRanger events",
        ("reported_by|reported_by_+id|reported_by_+name", "serial_number|report_id"),
        (
            Place("longitude|location_+longitude", "latitude|location_+latitude"),
            Place(cell="geometry|wkt", kind="text"),
            Place(cell="location", kind="text"),
        ),
        ("reported_by_+id", "reported_by", "reported_by_+name"),
        (ExclusionRule("is_collection", "true|t|1|yes", "a collection"),),
        date="event_time|time|reported_at",
    ),
    Format(
        "earthranger-tracks",
        "EarthRanger tracks",
        (
            "(?:extra_+)?subject__id|extra__subject_id",
            "(?:extra__)?(?:fixtime|recorded_at|junk_status|groupby_col)",
        ),
        (
            Place("(?:extra__)?(?:location_+)?longitude", "(?:extra__)?(?:location_+)?latitude"),
            Place(cell="(?:extra__)?location", kind="text"),
        ),
        ("(?:extra_+)?subject__id", "extra__subject_id"),
        (
            ExclusionRule("junk_status", "true|t|1|yes", "an outlier"),
            ExclusionRule("(?:extra__)?exclusion_flags", r"[1-9].*", "an outlier"),
        ),
    ),
    Format(
        "kobo",
        "KoboToolbox",
        ("_submitted_by", "_uuid|_geolocation|_.+_longitude|_validation_status|_submission_time"),
        (
            Place("{q}_longitude", "{q}_latitude", accuracy="{q}_precision"),
            Place(cell="_geolocation", kind="text"),
            Place(cell="{q}", accuracy="_{q}_precision", kind="text"),
        ),
        ("_submitted_by",),
        (ExclusionRule("_validation_status", r"(?s).*not[ _]approved.*", "not approved"),),
        note=(
            "several collectors may share one account: if they do, name another column with --unit"
        ),
        date="today|start",
    ),
    Format(
        "odk",
        "ODK",
        (
            "submitterid|submissiondate|__system_submitterid|_meta_instance_id|meta_instanceid",
            "key|__id|instanceid",
        ),
        (Place("{q}_longitude", "{q}_latitude", accuracy="{q}_accuracy|{q}_properties_accuracy"),),
        ("(?:__system_)?submitterid", "(?:__system_)?deviceid", "username"),
        (ExclusionRule("(?:__system_)?reviewstate", "rejected", "rejected"),),
        date="today|start",
    ),
    Format(
        "epicollect5",
        "Epicollect5",
        ("ec5_uuid|ec5_branch_uuid",),
        (
            Place("long_{q}", "lat_{q}", accuracy="accuracy_{q}"),
            Place("{q}_longitude", "{q}_latitude", accuracy="{q}_accuracy"),
        ),
        ("created_by",),
        date="created_at",
    ),
    Format(
        "comapeo",
        "CoMapeo observations",
        ("_authorid", "_createdat"),
        (Place("longitude|lon", "latitude|lat"),),
        ("_authorid",),
        date="_createdat",
    ),
    Format(
        "mapeo",
        "Mapeo observations",
        ("_created", "_version|_modified"),
        (Place("longitude|lon", "latitude|lat"),),
        date="_created",
    ),
    Format(
        "arcgis",
        "ArcGIS or Survey123",
        ("globalid", "creator|created_user|created_us"),
        (Place("x|longitude", "y|latitude"),),
        ("creator|created_user|created_us",),
    ),
    Format(
        "cybertracker",
        "CyberTracker sightings",
        ("location_longitude|longitude", "username|deviceid"),
        (
            Place(
                "location_longitude|longitude",
                "location_latitude|latitude",
                accuracy="location_accuracy",
            ),
        ),
        ("username", "deviceid"),
        date="timestamp|date",
    ),
)

PLAIN_PLACES = (
    Place("decimal_?longitude", "decimal_?latitude", accuracy="coordinateuncertaintyinmeters"),
    Place("longitude", "latitude"),
    Place("long", "lat"),
    Place("lon", "lat"),
    Place("lng", "lat"),
    Place("longitude_(?:deg(?:rees)?|dd|wgs_?84)", "latitude_(?:deg(?:rees)?|dd|wgs_?84)"),
    Place("gps_lon(?:gitude)?", "gps_lat(?:itude)?"),
    Place("longitud", "latitud"),
    Place("longitudine", "latitudine"),
    Place("l\u00e4ngengrad|laengengrad", "breitengrad"),
    Place("lengtegraad", "breedtegraad"),
)


@dataclass(frozen=True, slots=True)
class RecognisedFormat:
    """Holds what a header was recognised as: the format, the columns that told, and each part's
    real column names.

    Where several questions have a place, there are no `places`, and `unsure` is the flags among
    which the steward must choose.
    """

    format: Format
    sign: tuple[str, ...]
    places: tuple[Place, ...]
    unit: str | None
    rules: tuple[ExclusionRule, ...]
    count: str | None
    date: str | None = None
    unsure: str = ""


def fold_name(name: str) -> str:
    """Returns a column name in the form in which names are compared.

    >>> fold_name("Longitude (WGS84)"), fold_name("$authorId"), fold_name("dwc:decimalLatitude")
    ('longitude_wgs84', '_authorid', 'decimallatitude')
    """
    plain = re.sub(r"^(?:https?://\S*/|dwc:|dcterms:)", "", name.strip().lower())
    return re.sub(r"[^\w]+", "_", plain).rstrip("_") or plain


RECORD_KINDS = ("geojson", "geojsonl", "json", "jsonl", "kml", "gpx")
"""Kinds of files whose records name their own fields."""


def split_declared(text: str | None) -> tuple[str | None, str | None]:
    """Splits a declared format into the kind of file and the survey format; either may be missing.

    >>> split_declared("geojson"), split_declared("json+inaturalist"), split_declared(None)
    (('geojson', None), ('json', 'inaturalist'), (None, None))
    """
    kind = known = None
    keys = {format_.key for format_ in FORMATS}
    for name in (text or "").lower().split("+") if text is not None else ():
        word = name.strip()
        if word in RECORD_KINDS and kind is None:
            kind = word
        elif word in keys and known is None:
            known = word
        else:
            raise BadInput(
                f"--format: not one dpmap knows; there are {', '.join(RECORD_KINDS)} and"
                f" {', '.join(sorted(keys))}; a CSV, Parquet or layer of no such format needs none"
            )
    return kind, known


def recognise(
    columns: Iterable[str], *, has_geometry: bool = False, only: str | None = None
) -> RecognisedFormat | None:
    """Returns the first format whose signs are all in the header, or None; only the one named
    `only`, if it is declared.

    >>> found = recognise(["gbifID", "decimalLatitude", "decimalLongitude", "recordedBy"])
    >>> found.format.key, found.sign, found.unit
    ('gbif', ('gbifID', 'decimalLatitude'), 'recordedBy')
    """
    return _recognised(tuple(columns), has_geometry, only)


@lru_cache(maxsize=64)
def _recognised(
    columns: tuple[str, ...],
    has_geometry: bool,  # noqa: FBT001
    only: str | None,
) -> RecognisedFormat | None:
    """Does what `recognise` says, once for each header: a header is asked after several times in
    one reading.
    """
    names: dict[str, str] = {}
    for column in columns:
        names.setdefault(fold_name(column), column)
    for candidate in FORMATS:
        if only not in (None, candidate.key):
            continue
        signs = [sign for sign in candidate.signs if not (has_geometry and sign in ("x", "y"))]
        names_in_order = tuple(
            name for name in takewhile(bool, (_first(names, sign) for sign in signs)) if name
        )
        if len(names_in_order) == len(signs):
            return _recognise_format(candidate, names_in_order, names, has_geometry=has_geometry)
        if only is not None:
            raise BadInput(
                f"--format: this survey lacks columns of {candidate.title}; leave it out, or name"
                " another"
            )
    return None


def plain_places(columns: Iterable[str]) -> tuple[Place, ...]:
    """Returns the coordinate columns with common names, in a file of no known format."""
    names: dict[str, str] = {}
    for column in columns:
        names.setdefault(fold_name(column), column)
    for place in PLAIN_PLACES:
        ready = _placed(place, names)
        if ready:
            return (ready[0],)
    return ()


def _recognise_format(
    known_format: Format, sign: tuple[str, ...], names: dict[str, str], *, has_geometry: bool
) -> RecognisedFormat:
    """Returns the format with its patterns replaced by this header's own names."""
    places, unsure = ((), "") if has_geometry else _places(known_format, names)
    rules = tuple(
        ExclusionRule(names[name], rule.pattern, rule.reason, rule.wish, rule.coarse, rule.metres)
        for rule in known_format.rules
        for name in names
        if re.fullmatch(rule.column, name)
    )
    unit = next(
        (ready for ready in (_unit(names, pattern) for pattern in known_format.units) if ready),
        None,
    )
    count, date = (
        _first(names, pattern) if pattern else None
        for pattern in (known_format.count, known_format.date)
    )
    return RecognisedFormat(known_format, sign, places, unit, rules, count, date, unsure)


def _unit(names: dict[str, str], pattern: str) -> str | None:
    """Returns the unit column; `a&b` means a, and b in rows where a is blank."""
    parts = [_first(names, part) for part in pattern.split("&")]
    return "|".join(part for part in parts if part) if all(parts) else None


def _places(known_format: Format, names: dict[str, str]) -> tuple[tuple[Place, ...], str]:
    """Returns every way to place a row by this header; or, if several questions have a place,
    the flags to choose from.
    """
    ready: list[Place] = []
    for place in known_format.places:
        if "{q}" in place.x + place.y + place.cell and ready:
            continue
        several = _placed(place, names)
        if len(several) > 1:
            return (), "; or ".join(
                f"--x {shell(one.x)} --y {shell(one.y)}" if one.x else f"--place {shell(one.cell)}"
                for one in several[:6]
            )
        ready += several
    return tuple(ready), ""


def _placed(place: Place, names: dict[str, str]) -> list[Place]:
    """Returns the place with real column names, once for each question that it fits."""
    lead = place.x or (place.cell if "{q}" not in place.cell else place.accuracy)
    pattern = lead.replace("{q}", "(?P<q>.+)")
    ready = []
    for name in names:
        match = re.fullmatch(pattern, name)
        if match is None:
            continue
        question = {"{q}": re.escape(match.groupdict().get("q") or "")}
        parts = [
            _first(names, part.replace("{q}", question["{q}"])) if part else ""
            for part in (place.x, place.y, place.cell, place.accuracy, place.datum)
        ]
        if (parts[0] and parts[1]) or parts[2]:
            x, y, cell, accuracy, datum = (part or "" for part in parts)
            ready.append(Place(x, y, cell, accuracy, datum, place.kind))
        if "{q}" not in lead:
            break
    return ready


def _first(names: dict[str, str], pattern: str) -> str | None:
    """Returns the real name of the first folded name that matches in full, trying alternatives
    in their order.
    """
    for part in pattern.split("|") if "(" not in pattern else (pattern,):
        if part in names:
            return names[part]
        for name, column in names.items() if not part.isalnum() else ():
            if re.fullmatch(part, name):
                return column
    return None


def shell(name: str) -> str:
    """Writes a column name, or several joined, as it must be typed, without control characters."""
    plain = "".join(mark for mark in name if mark.isprintable())[:400]
    quote = '"' if "'" in plain else "'"
    return f"{quote}{plain}{quote}" if re.search(r"[^\w.+-]", plain) else plain
