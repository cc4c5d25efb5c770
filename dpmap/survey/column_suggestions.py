"""Offers columns, by their names alone, for what a steward must declare: where a row is, and who is
protected.

Nothing here decides how a survey is read: what is offered stands in messages, in `inspect` and in
`init`, and counts once it is declared.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from dpmap.survey.formats import Place, fold_name, shell
from dpmap.survey.sources import offered_names, printable_name

AXES = (
    r"lon|long|lng|longitude?|longitudine|langengrad|laengengrad|lange|laenge|lengtegraad|lengte",
    r"lat|latitude?|latitudine|breitengrad|breite|breedtegraad|breedte",
)
"""What longitude and latitude are called, without accents."""
PARTS = (
    r"d|g|deg|degs|degrees?|grad|grade|grados?|graus?|gradi|graden|degres?",
    r"m|min|mins|minutes?|minutos?|minuten|minuut|minuti",
    r"s|sec|secs|seg|sek|seconds?|segundos?|secondes?|sekunden|seconden|secondi",
    (
        r"h|hem|hemi\w*|dir|direc\w+|ns|ew|we|eo|n_s|e_w|e_o|w_e|n_or_s|e_or_w|quadrant|cuadrante|"
        r"cardinal|letter|letra"
    ),
)
"""What degrees, minutes, seconds and the letter of the hemisphere are called, in this order."""
LONE = (
    r"ew|we|eo|e_w|w_e|e_o|o_e|e_or_w|east_west|este_oeste",
    r"ns|n_s|n_or_s|north_south|norte_sur",
)
"""Columns that hold the letters of one axis, though they do not name it."""
PAIRS = (
    (
        (
            r"(?:decimal_?)?(?:lon|long|lng|longitude?|longitudine|langengrad|laengengrad|"
            r"lengtegraad)(?:_?decimal)?"
        ),
        r"(?:decimal_?)?(?:lat|latitude?|latitudine|breitengrad|breedtegraad)(?:_?decimal)?",
        "EPSG:4326",
    ),
    (
        r"east|easting|eastings|este|rechtswert|utm_?e|utm_?x|x",
        r"north|northing|northings|norte|hochwert|utm_?n|utm_?y|y",
        "CODE",
    ),
    (r"lange|laenge|lengte", r"breite|breedte", "CODE"),
)
"""What x and y are called, and the CRS to offer for them; German and Dutch for length and width
come last.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Names a column that may say who is protected, of which kind it is, and what protecting it
    would mean.
    """

    column: str
    kind: str
    meaning: str


MEANING = {
    "person": (
        "protects each person it names: all her rows together; a site that many report is not"
        " hidden"
    ),
    "animal": (
        "protects each animal: all its rows together; who reported them, and a site that many"
        " animals use, are not hidden"
    ),
    "site": (
        "protects each nest or site: all rows there together; a person who reports several sites"
        " counts for each"
    ),
    "device": (
        "protects each device: all its rows together; a person with several devices counts for each"
    ),
    "team": "protects each team: all its rows together; a person in several teams counts for each",
    "name": (
        "protects whoever or whatever has one name: all those rows together; other names of the"
        " same one are not joined"
    ),
    "row": "protects single rows only: a person with many rows is not protected",
}
"""What each kind of unit would protect, and what it would not."""
ROW = Candidate("row", "row", MEANING["row"])
"""What is there to choose whatever the columns are."""

_ID = (
    r"(?:_?(?:id|ids|name|names|no|nr|num|number|code|key|login|email|ident|identifier|"
    r"local_?identifier|uuid))*"
)
WORDS = {
    "person": (
        r"observers?|observador[ae]?s?|observateurs?|observatrice|osservator[ei]|"
        r"beobachter(?:in)?|waarnemer|recorders?|registrador|"
        r"(?:observ|record|collect|report|submitt|creat|enter|sight|count|found|seen|"
        r"interview)(?:ed)?_?by|(?:observado|registrado|recolectado|colectado|reportado|coletado|"
        r"creado)_?por|"
        r"collectors?|colector(?:es)?|coletor(?:es)?|recolector(?:es)?|collecteurs?|sammler|"
        r"verzamelaar|raccoglitore|person|people|persona|personas|pessoa|personne|"
        r"users?|usuario|utilisateur|utilizador|benutzer|nutzer|gebruiker|utente|authors?|autor|"
        r"auteur|contributors?|submitter|creator|reporter|"
        r"informants?|informante|informateur|respondents?|interviewee|interviewer|enumerator|"
        r"enumerador|encuestador|surveyors?|volunteers?|voluntari[oa]s?|benevole|freiwillige|"
        r"rangers?|guardaparques?|patroller|leader|members?|miembros?|membres?|mitglied(?:er)?|"
        r"owner|dueno|propietario|landowner|participants?|participante|teilnehmer|"
        r"ringer|bander|finder|melder|investigators?|investigador|researcher|fieldworker|"
        r"technician|tecnico|custodian|knowledge_?holder|elder|"
        r"who|quien|quem|wer|email|e_?mail|account"
    ),
    "animal": (
        r"animals?|individual|individuo|individu|individuum|organism|subject|sujeto|sujet|tag|"
        r"collar|transmitter|deployment|tier|ind|ring|anilla|bague|band|pit_?tag"
    ),
    "site": (
        r"nests?|nido|nid|ninho|horst|neststandort|site|sites|sitio|localidad|localite|locality|"
        r"location_?(?:id|name|code)|place_?(?:id|name)|lugar|lieu|fundort|standort|"
        r"plot|parcela|parcelle|transect|transecto|station|estacion|territory|territorio|revier|"
        r"den|burrow|madriguera|colony|colonia|colonie|roost|quadrat|pond|cave|village"
    ),
    "device": (
        r"devices?|dispositivo|appareil|gerate?(?:nummer)?|geraet|apparaat|imei|phone|telephone|"
        r"telefono|telefon|camera|camara|logger|sensor|handset|tablet|android|"
        r"install(?:ation)?|instrument"
    ),
    "team": (
        r"teams?|equipo|equipe|equipa|groups?|gruppe|grupo|groupe|gruppo|patrol|patrulla|"
        r"patrouille|patrulha|party|crew|squad|brigade|brigada|club|"
        r"association|organi[sz]ation|institution|agency|community|comunidad"
    ),
    "name": (
        r"name|full_?name|first_?name|last_?name|family_?name|surname|nombre|nombres|apellidos?|"
        r"nom|prenom|nome|naam|vorname|nachname"
    ),
}
"""What each kind of unit is called, in the languages surveys are written in, without accents."""
NOT_WHO = (
    r"date|time|datum|fecha|hora|day|month|year|ano|jahr|on|at|count|counts|total|qty|quantity|"
    r"size|anzahl|cantidad|nombre_de|notes?|comments?|remarks?|"
    r"description|species|taxon|taxa|taxonomic|scientific|common|vernacular|genus|type|quality|"
    r"status|method|protocol|license|licence|rights|url|link|photo|image|file|filename|"
    r"lat|latitude|latitud|lon|long|longitude|longitud|coordinates?|uncertainty|accuracy|"
    r"precision|altitude|elevation|height|depth|weight|sex|age|stage|behaviou?r|"
    r"version|country|state|province|county|region|habitat|effort|duration|distance|speed|model|"
    r"temperature|voltage|battery|marked|visible|outlier|project|event|layer"
)
"""Words in the name of a column that says something else about somebody: `observer_count`,
`individual_sex`.
"""
MOST_OFFERED = 12


def plain(name: str) -> str:
    """Returns a name's words in lower case with underscores between them, without accents.

    >>> plain("LatGrados"), plain("Bénévole Nº"), plain("recordedBy")
    ('lat_grados', 'benevole_no', 'recorded_by')
    """
    words_apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", unicodedata.normalize("NFC", name))
    bare = "".join(
        mark
        for mark in unicodedata.normalize("NFKD", words_apart)
        if not unicodedata.combining(mark)
    )
    return re.sub(r"[\W_]+", "_", bare.lower()).strip("_")


def who(columns: Iterable[str]) -> tuple[Candidate, ...]:
    """Returns the columns that may say who is protected, people first, judged by their names.

    >>> [
    ...     (one.column, one.kind)
    ...     for one in who(["Équipe", "observation_date", "nest_id", "Observateur", "species_name"])
    ... ]
    [('Observateur', 'person'), ('nest_id', 'site'), ('Équipe', 'team')]
    """
    candidates = [
        Candidate(column, kind, MEANING[kind])
        for column in columns
        if (kind := _kind(plain(column)))
    ]
    return tuple(sorted(candidates, key=lambda one: list(MEANING).index(one.kind))[:MOST_OFFERED])


def _kind(name: str) -> str:
    """Returns what a column may name, or nothing; of a question in a sentence, whether it asks
    for a person.
    """
    question = name.count("_") > 3
    if re.search(
        (
            rf"(?:^|_)(?:{'how|many|much|date|time|cuant[oa]s?|number' if question else NOT_WHO})"
            r"(?:_|$)"
        ),
        name,
    ):
        return ""
    for kind, words in list(WORDS.items())[: 1 if question else None]:
        whole = kind == "name"  # a name of anything else says so: site_name, project_name
        if re.search(rf"^(?:{words})$" if whole else rf"(?:^|_)(?:{words}){_ID}(?:_|$)", name):
            return kind
    return ""


def unit_words(columns: Iterable[str]) -> str:
    """Returns the end of a message that asks for a unit: the columns that may be it, and what
    each stands for.
    """
    listed = [
        f"{printable_name(one.column)} (each {one.kind})"
        for one in who(offered_names(tuple(columns)))
    ]
    more = "; dpmap inspect FILE says what protecting each would mean"
    return f" (columns that may say who: {', '.join(listed)}{more})" if listed else ""


def coordinate_like(columns: Iterable[str]) -> list[str]:
    """Returns the columns that may hold places, judged by their names, to offer in an error
    message.
    """
    word = re.compile(
        r"lon|lat|coord|east|north|utm|wkt|geom|grid|geo|(?:^|_)[xy](?:_|$)|osgr|locat|point"
    )
    return [column for column in columns if word.search(plain(column))]


def consents(columns: Iterable[str]) -> tuple[str, ...]:
    """Returns the columns that may say whether somebody agreed, by their names, to offer them for
    `--consent`.

    >>> consents([
    ...     "who",
    ...     "Consent given",
    ...     "license",
    ...     "compartir_datos",
    ...     "Einwilligung",
    ...     "geoprivacy",
    ...     "permit_no",
    ... ])
    ('Consent given', 'license', 'compartir_datos', 'Einwilligung', 'geoprivacy')
    """
    return tuple(
        column for column in columns if re.search(rf"(?:^|_)(?:{_CONSENT})(?:_|$)", plain(column))
    )


_CONSENT = (
    r"consents?|consented|permission|permissions|permitted|licen[cs]es?|rights|agree|agrees|"
    r"agreed|agreement|opt_?in|opt_?out|shareable|share|sharing|geo_?privacy|"
    r"privacy|consentimiento|consiente|permiso|permisos|autorizacion|autoriza|autorizado|"
    r"compartir|licencia|consentement|autorisation|autorise|accord|partage|licence|"
    r"consentimento|autorizacao|permissao|consenso|autorizzazione|permesso|licenza|einwilligung|"
    r"zustimmung|erlaubnis|genehmigung|freigabe|lizenz|toestemming|vergunning"
)
"""What a column is called that says whether a row may be used, in the languages surveys are
written in, without accents.
"""


def place_flags(columns: Iterable[str]) -> str:
    """Returns the flags to add for columns that may hold places, judged by their names.

    >>> place_flags(["who", "easting", "northing"]), place_flags(["who", "geom"]), place_flags(
    ...     ["who"]
    ... )
    ('--x easting --y northing --crs CODE', '--place geom (and --crs CODE, if not in degrees)', '--x
    COLUMN --y COLUMN --crs CODE, or --place COLUMN for one cell that holds both')
    >>> place_flags(["lon_deg", "lon_min", "lon_hem", "lat_deg", "lat_min", "lat_hem"])
    '--x lon_deg+lon_min+lon_hem --y lat_deg+lat_min+lat_hem --crs EPSG:4326'
    """
    offered = places(columns)
    if not offered:
        return "--x COLUMN --y COLUMN --crs CODE, or --place COLUMN for one cell that holds both"
    if "place" in offered[0]:
        return f"--place {shell(offered[0]['place'])} (and --crs CODE, if not in degrees)"
    return "; or ".join(
        f"--x {shell(one['x'])} --y {shell(one['y'])} --crs {one['crs']}" for one in offered
    )


def places(columns: Iterable[str]) -> list[dict[str, str]]:
    """Returns the columns that may hold places, judged by their names, each as the flags that would
    say it; CODE stands for a CRS that no name tells.

    >>> places(["who", "easting", "northing"]), places(["who", "geom"])
    ([{'x': 'easting', 'y': 'northing', 'crs': 'CODE'}], [{'place': 'geom'}])
    """
    known = tuple(columns)
    names = {plain(column): column for column in known}
    pairs_in_crs = ((_pairs(names, east, north), crs) for east, north, crs in PAIRS)
    for pairs, crs in ((in_parts(known), "EPSG:4326"), *pairs_in_crs):
        if pairs:
            return [{"x": x, "y": y, "crs": crs} for x, y in pairs[:3]]
    return [{"place": column} for name, column in names.items() if re.fullmatch(_CELL, name)][:3]


_CELL = (
    "(?:.*_)?(?:wkt|wkb|geom|geometry|the_geom|coord|coords|coordinates?|coordenadas?|"
    "grid_?ref(?:erence)?|osgr|location|gps)"
)


def _pairs(names: dict[str, str], east: str, north: str) -> list[tuple[str, str]]:
    """Returns the columns of x and y whose names differ in nothing but the axis, such as start_lon
    and start_lat; the corner of a box is no place.
    """
    word = re.compile(rf"(?:(.*)_)?(?:{east})(?:_(.*))?")
    other = re.compile(rf"(?:(.*)_)?(?:{north})(?:_(.*))?")
    tall = {
        match.groups(): column for name, column in names.items() if (match := other.fullmatch(name))
    }
    wide = (
        (match.groups(), column)
        for name, column in names.items()
        if (match := word.fullmatch(name))
    )
    return [
        (column, tall[rest])
        for rest, column in wide
        if rest in tall and not {"min", "max"} & set(rest)
    ]


def in_parts(columns: Iterable[str]) -> list[tuple[str, str]]:
    """Returns x and y of places that stand in several columns each, as
    `lon_deg+lon_min+lon_sec+lon_hem`, judged by their names.

    A column of degrees alone says the wrong place where minutes or a letter of the hemisphere stand
    beside it. `lon_min` beside `lon_max` is no minute.

    >>> in_parts(["Grados lat", "Minutos lat", "Grados long", "Minutos long"]), in_parts(
    ...     ["lat", "NS", "lon", "EW"]
    ... )
    ([('Grados long+Minutos long', 'Grados lat+Minutos lat')], [('lon+EW', 'lat+NS')])
    >>> in_parts(["lat_min", "lat_max", "lat", "lon_min", "lon_max", "lon"])
    []
    """
    names = {plain(column): column for column in columns}
    sides = [_split(names, axis) for axis in range(2)]
    both = [(sides[0][rest], sides[1][rest]) for rest in sides[0] if rest in sides[1]]
    return [("+".join(x), "+".join(y)) for x, y in both if len(x) > 1 or len(y) > 1]


def degrees_alone(columns: Iterable[str], places: Iterable[Place]) -> str:
    """Returns the flags that read a place whole, where one of `places` would read only its
    degrees; else nothing.
    """
    known = tuple(columns)
    for x, y in in_parts(known):
        if any(
            place.x == x.partition("+")[0] and place.y == y.partition("+")[0] for place in places
        ):
            return f"--x {shell(x)} --y {shell(y)}"
    return ""


def _split(names: dict[str, str], axis: int) -> dict[tuple[str, ...], list[str]]:
    """Returns the columns of each place's parts along one axis, degrees first, by what else
    their names have in common.
    """
    if any(
        re.fullmatch(
            (
                rf"(?:.*_)?(?:{AXES[axis]})_(?:max|maximum)(?:_.*)?|"
                rf"(?:.*_)?(?:max|maximum)_(?:{AXES[axis]})"
            ),
            name,
        )
        for name in names
    ):
        return {}
    dates: dict[tuple[str, ...], dict[int, str]] = {}
    for name, column in names.items():
        bare = re.fullmatch(rf"(?:(.*)_)?(?:{AXES[axis]})(?:_(\d+))?", name)
        for at, part in enumerate(PARTS):
            after = re.fullmatch(rf"(?:(.*)_)?(?:{AXES[axis]})_?(?:{part})(?:_(\d+))?", name)
            before = re.fullmatch(
                rf"(?:(.*)_)?(?:{part})_?(?:de_|d_|of_)?(?:{AXES[axis]})(?:_(\d+))?", name
            )
            if rest := before or (None if bare else after):  # `long` is no `lon` and `g`
                dates.setdefault(tuple(text or "" for text in rest.groups()), {}).setdefault(
                    at, column
                )
        if bare:
            dates.setdefault(tuple(text or "" for text in bare.groups()), {})[-1] = column
    lone = next((column for name, column in names.items() if re.fullmatch(LONE[axis], name)), None)
    return {
        rest: parts
        for rest, one in dates.items()
        if (parts := _ordered(one, lone if len(dates) == 1 else None))
    }


def _ordered(parts: dict[int, str], letter: str | None) -> list[str]:
    """Returns the columns in the order degrees, minutes, seconds, letter, without single letters
    that stand for something else.
    """
    degrees = parts.get(0, parts.get(-1))
    if degrees is None:
        return []
    short = {
        at
        for at, column in parts.items()
        if at > 0 and re.search(r"(?:^|_)[a-z]$|^[a-z]_", plain(column))
    }
    spelt = 0 in parts
    ordered = [parts[at] for at in (1, 2, 3) if at in parts and (spelt or at not in short)]
    if letter is not None and 3 not in parts:
        ordered.append(letter)
    return [degrees, *ordered] if len(ordered) != 1 or ordered[0] != parts.get(2) else [degrees]


def uncertainties(columns: Iterable[str]) -> tuple[str, ...]:
    """Returns the columns that may say in metres how certain a place is, by their names, to offer
    them for `--uncertainty`.

    >>> uncertainties([
    ...     "GPS accuracy (m)",
    ...     "accuracy",
    ...     "count_accuracy",
    ...     "Genauigkeit",
    ...     "date_precision",
    ...     "coordinateUncertainty",
    ... ])
    ('GPS accuracy (m)', 'accuracy', 'Genauigkeit', 'coordinateUncertainty')
    """
    of = r"gps|gnss|coord\w*|loc|location|pos\w*|place|point|spatial|horizontal|horiz|geo\w*|xy|h"
    what = (
        r"accuracy|uncertainty|precision|acc|error|precisao|precisione|exactitud|incertidumbre|"
        r"incertitude|incerteza|"
        r"incertezza|genauigkeit|unsicherheit|nauwkeurigkeit|onzekerheid|lagegenauigkeit"
    )
    metres = r"(?:_(?:in_)?(?:m|mts?|met(?:re|er)s?|metros|metri|metern?))?"
    alone = r"acc|error"
    return tuple(
        column
        for column in columns
        if re.fullmatch(
            rf"(?:(?:{of})_)*(?:{what}){metres}(?:_(?:{of}))?{metres}", name := plain(column)
        )
        and not re.fullmatch(alone, name)
    )


def lacks_events(columns: Iterable[str]) -> bool:
    """Whether these are occurrences of a Darwin Core event core, whose places stand in the file of
    events.

    >>> lacks_events(["id", "occurrenceID", "eventID", "recordedBy"]), lacks_events(
    ...     ["eventID", "occurrenceID", "decimalLatitude"]
    ... )
    (True, False)
    """
    names = {fold_name(column) for column in columns}
    placed = any(re.search("latitude|coordinates|footprint|gridreference", name) for name in names)
    seen = {
        "occurrenceid",
        "basisofrecord",
        "occurrencestatus",
        "individualcount",
        "recordedby",
        "scientificname",
    }
    return bool({"eventid", "coreid"} & names and seen & names) and not placed
