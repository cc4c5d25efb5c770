"""Offers columns, by their names alone, for what a steward must declare: where a row is, and who is
protected.

Nothing here decides how a survey is read: what is offered stands in messages, in `inspect` and in
`init`, and counts once it is declared.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from dpmap.survey.formats import Place, fold_name, recognise, shell
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

    `column` is what `--unit` takes, `words` say it to people, and `reason` says why it is offered.
    """

    column: str
    kind: str
    meaning: str
    words: str
    reason: str

    def parts(self, columns: Collection[str]) -> list[str]:
        """Returns the columns that it joins; a column may itself be called `a|b`."""
        return [self.column] if self.column in columns else self.column.split("|")


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
ROW = Candidate("row", "row", MEANING["row"], "each row by itself", "every survey has rows")
"""What is there to choose whatever the columns are."""

IDENTIFIERS = (
    (
        9,
        "an identifier",
        r"u?id|ids|[gu]uid|local_?identifier|identifier|ident|orcid|key|identificador|identifiant",
    ),
    (
        8,
        "a number or code",
        (
            r"code|cod|serial|no|nr|nro|num|number|nummer|numero|ref|reference|codigo|clave|cle|"
            r"codice"
        ),
    ),
    (6, "an account", r"login|e_?mail|account|username"),
    (5, "what it stands for", ""),
    (4, "a name, which several may share", r"names?|nombres?|nom|nome|naam|navn|namn"),
)
"""What an identifier is called behind (in Romance languages before) the thing it names: how well it
tells one from another, and what to call it. A thing that is named alone has none of these words.
"""
_ALONE = 5
_ARTICLES = {"d", "da", "de", "del", "der", "des", "di", "do", "du", "l", "la", "of", "the"}
_ID = rf"(?P<id>(?:_?(?:{'|'.join(words for _, _, words in IDENTIFIERS if words)}))*)"
WORDS: dict[str, dict[tuple[int, str], str]] = {
    "person": {
        (3, "each person who recorded"): (
            r"record(?:ed)?_?by|recorders?|registrador|registrado_por|rapport(?:\u00f6|o)r"
        ),
        (3, "each person who observed"): (
            r"observers?|observador[ae]?s?|observateurs?|observatrice|osservator[ei]|"
            r"observat(?:o|\u00f8)r(?:er)?|obserwator|pozorovatel|havainnoijat?|"
            r"beobachter(?:in)?|waarnemer|(?:observ|sight|count|found|seen)(?:ed)?_?by|"
            r"observado_por"
        ),
        (3, "each person who collected"): (
            r"collect(?:ed)?_?by|collectors?|colector(?:es)?|coletor(?:es)?|recolector(?:es)?|"
            r"collecteurs?|sammler|verzamelaar|raccoglitore|innsamler|"
            r"(?:recolectado|colectado|coletado)_?por"
        ),
        (3, "each person who reported"): (
            r"report(?:ed)?_?by|reporter|melder|reportado_?por|informants?|informante|informateur"
        ),
        (3, "each person who ringed"): r"ringer|bander|beringer|bagueur|anillador",
        (3, "each person who volunteered"): (
            r"volunteers?|voluntari[oa]s?|benevole|freiwillige|participants?|participante|"
            r"teilnehmer"
        ),
        (3, "each ranger"): r"rangers?|guardaparques?|patroller",
        (3, "each user"): (
            r"users?|usuario|utilisateur|utilizador|benutzer|nutzer|gebruiker|utente"
        ),
        (3, "each person who answered"): r"respondents?|interviewee|encuestado",
        (2, "each person who entered the record"): (
            r"(?:submitt|creat|enter|interview)(?:ed)?_?by|creado_?por|submitter|creator|authors?|"
            r"autor|auteur|contributors?|account|e_?mail"
        ),
        (2, "each person"): (
            r"person|people|persona|personas|pessoa|personne|interviewer|enumerator|enumerador|"
            r"encuestador|surveyors?|leader|lider|chef|ketua|members?|miembros?|membres?|"
            r"mitglied(?:er)?|finder|investigators?|investigador|researcher|fieldworker|assessor|"
            r"compiler|bearbeiter|technician|tecnico|custodian|knowledge_?holder|elder|who|quien|"
            r"quem|wer"
        ),
        (1, "each person"): r"owner|dueno|propietario|landowner",
    },
    "animal": {
        (3, "each animal"): (
            r"animals?|individual|individuo|individu|individuum|organism|subject|sujeto|sujet|"
            r"tier|ind"
        ),
        (2, "each animal"): (
            r"ring|anilla|bague|band|pit_?tag|tag|collar|transmitter|sender|"
            r"(?:bird|elephant|turtle|whale|wolf|bear|fish|cat)_?(?:id|no|nr|number)"
        ),
        (1, "each animal"): r"deployment",
    },
    "site": {
        (3, "each site"): (
            r"(?:eamena|her|smr|nhle|nmr|nzaa|canmore|list_?entry|heritage|denkmal|fundstelle?n?)"
            r"_?(?:uid|id|no|nr|number|nummer|code|ref)|nprn|mon_?uid|"
            r"monument|monumento|yacimiento|heritage_?(?:place|asset|site)|"
            r"sites?|sitio|lokal|lokalitet"
        ),
        (3, "each nest"): (
            r"nests?|nest_?box|nestkast|nido|nid|ninho|horst|neststandort|nistkasten|nichoir"
        ),
        (3, "each colony"): r"colony|colonia|colonie|roost|den|burrow|madriguera|territory|revier",
        (2, "each site"): (
            r"plot|parcela|parcelle|transect|transecto|station|estacion|territorio|quadrat|pond|"
            r"cave|standort|resource_?id"
        ),
        (1, "each site"): (
            r"localidad|localite|locality|location_?(?:id|name|code)|place_?(?:id|name)|lugar|"
            r"lieu|lieu_?dit|fundort|lokalnamn|village"
        ),
    },
    "device": {
        (2, "each device"): (
            r"devices?|dispositivo|appareil|gerate?(?:nummer)?|geraet|apparaat|imei|phone|"
            r"telephone|telefono|telefon|camera|camara|logger|sensor|handset|tablet|android|"
            r"install(?:ation)?|instrument"
        )
    },
    "team": {
        (2, "each team"): (r"teams?|equipo|equipe|equipa|party|crew|squad|brigade|brigada|club"),
        (1, "each patrol"): r"patrol|patrulla|patrouille|patrulha",
        (1, "each group"): r"groups?|gruppe|grupo|groupe|gruppo|community|comunidad",
        (0, "each organisation"): r"association|organi[sz]ation|institution|agency",
    },
    "name": {
        (1, "each name"): (
            r"name|full_?name|first_?name|last_?name|family_?name|surname|nombre|nombres|"
            r"apellidos?|nom|prenom|nome|naam|vorname|nachname"
        )
    },
}
"""What each kind of unit is called, in the languages surveys are written in, without accents: by
how likely such a column is the right one, and what to call one of them.
"""
NOT_WHO = (
    r"date|time|datum|fecha|hora|day|month|year|ano|jahr|on|at|count|counts|total|qty|quantity|"
    r"size|anzahl|cantidad|nombre_de|notes?|comments?|remarks?|"
    r"description|species|taxon|taxa|taxonomic|scientific|common|vernacular|genus|type|quality|"
    r"status|method|protocol|license|licence|rights|url|link|photo|image|file|filename|"
    r"lat|latitude|latitud|lon|long|longitude|longitud|coordinates?|uncertainty|accuracy|"
    r"precision|altitude|elevation|height|depth|weight|sex|age|stage|behaviou?r|"
    r"version|country|state|province|county|region|habitat|effort|duration|distance|speed|model|"
    r"temperature|voltage|battery|marked|visible|outlier|project|event|layer|"
    r"certainty|confidence|probability|reliability|class|order|phylum|kingdom|rank|subspecies|"
    r"category|categoria|kategorie|tags|tag_list|species_list|check_?list|media|audio|sound|video|"
    r"recording|website|web|positioning|functional|period|shape|material|condition|colou?r|extent|"
    r"abundance|density|role|branch_owner|gender|education|experience|language|"
    r"^(?:number|num|nr|no|how_many)_(?:of_)?[a-z]+s|number_of|numero_(?:de_)?[a-z]+s"
)
"""Words in the name of a column that says something else about somebody: `observer_count`,
`individual_sex`, `site_certainty`.
"""
NOT_ASKED = r"how|many|much|date|time|cuant[oa]s?|number|^(?:did|do|does|was|were|is|are|has|have)"
"""Words of a question that asks for no person."""
MOST_OFFERED = 12
ANIMAL_FORMATS = ("movebank", "movebank-shapes", "earthranger-tracks")
"""Formats whose unit is an animal."""


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


def who(columns: Iterable[str], nameless: Collection[str] = ()) -> tuple[Candidate, ...]:
    """Returns the columns that may say who is protected, the likeliest first: what a known format
    defines, then by their names, identifiers before names. Of `nameless` ones the file's own
    schema says that they hold truth values or moments.

    >>> [
    ...     (one.column, one.kind)
    ...     for one in who(["Équipe", "observation_date", "nest_id", "Observateur", "species_name"])
    ... ]
    [('Observateur', 'person'), ('nest_id', 'site'), ('Équipe', 'team')]
    >>> [one.words for one in who(["gbifID", "decimalLatitude", "recordedByID", "recordedBy"])]
    ['each person who recorded (by recordedByID, else recordedBy)']
    >>> [one.words for one in who(["EAMENA ID", "Site Feature Interpretation Certainty"])]
    ['each site, by its EAMENA ID']
    """
    header = tuple(columns)
    first = _defined_unit(header) or _recorder_with_id(header)
    used = first.parts(header) if first else []
    scored = [
        (match.score, _candidate(column, match))
        for column in header
        if column not in (*used, *nameless)
        and re.sub(r"_\d+$", "", column) not in {*header} - {column}
        and (match := _match_name(column))
    ]
    ranked = [candidate for _, candidate in sorted(scored, key=lambda pair: -pair[0])]
    return ((first,) if first else ()) + tuple(ranked[:MOST_OFFERED])


def best_of_each(candidates: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the likeliest candidate of each kind, with how many `more` of its kind there are."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for candidate in candidates:
        kinds.setdefault(candidate["kind"], []).append(candidate)
    return [{**alike[0], "more": len(alike) - 1} for alike in kinds.values()]


class NameMatch(NamedTuple):
    """Holds how likely a column is the right one by its name, and what it names."""

    score: int
    kind: str
    whom: str
    reason: str
    identity: int = _ALONE


def _defined_unit(header: tuple[str, ...]) -> Candidate | None:
    """Returns the unit that the header's own format defines."""
    recognised = recognise(header, has_geometry=True)
    if recognised is None or recognised.unit is None:
        return None
    match = _match_name(recognised.unit.partition("|")[0])
    kind = match.kind if match else "person"
    if recognised.format.key in ANIMAL_FORMATS:
        kind = "animal"
    whom = match.whom if match and match.kind == kind else f"each {kind}"
    reason = f"who a row belongs to in {recognised.format.title}"
    identity = match.identity if match else _ALONE
    return _candidate(recognised.unit, NameMatch(0, kind, whom, reason, identity))


def _recorder_with_id(header: tuple[str, ...]) -> Candidate | None:
    """Returns Darwin Core's two columns of who recorded, of which the first is often empty, in a
    table that lacks the rest of it.
    """
    names = {fold_name(column): column for column in header}
    if not {"recordedbyid", "recordedby"} <= set(names):
        return None
    return _candidate(
        f"{names['recordedbyid']}|{names['recordedby']}",
        NameMatch(0, "person", "each person who recorded", "an identifier, or the name beside it"),
    )


def _candidate(column: str, match: NameMatch) -> Candidate:
    """Says in words what a column names."""
    columns = ", else ".join(printable_name(part) for part in column.split("|"))
    of_thing = match.identity != _ALONE and match.kind not in ("person", "name")
    words = f"{match.whom}, by its {columns}" if of_thing else f"{match.whom} (by {columns})"
    return Candidate(column, match.kind, MEANING[match.kind], words, match.reason)


def _match_name(column: str) -> NameMatch | None:
    """Returns what a column may name, or nothing; of a question in a sentence, whether it asks
    for a person.
    """
    name = plain(column)
    question = name.count("_") > 3
    if re.search(rf"(?:^|_)(?:{NOT_ASKED if question else NOT_WHO})(?:_|$)", name):
        return None
    for rank, (kind, groups) in enumerate(WORDS.items()):
        if question and kind != "person":
            return None
        lead = "" if kind == "name" else r"(?:(?P<lead>.+)_)?"  # site_name names a site
        tail = r"(?:_(?P<tail>.+))?" if kind == "person" else r"(?:_\d+)?"
        for (likely, whom), words in groups.items():
            if match := re.fullmatch(rf"{lead}(?:{words}){_ID}{tail}", name):
                parts = match.groupdict("")
                identity = _identity(parts["id"].strip("_")) or _identity(name) or _ALONE
                further = [
                    word
                    for word in parts.get("lead", "").split("_")
                    if word and word not in _ARTICLES and not _identity(word)
                ]
                score = 100 * likely - 10 * rank + identity
                if not question:
                    score -= min(3, len(further)) + 3 * bool(parts.get("tail"))
                reason = next(what for weight, what, _ in IDENTIFIERS if weight == identity)
                return NameMatch(score, kind, whom, f"by its name {reason}", identity)
    return None


def _identity(name: str) -> int:
    """Returns how well the last or first word of a name tells that it holds identifiers; 0 where
    it does not.

    >>> [_identity(name) for name in ("site_id", "codigo_sitio", "site_name", "site")]
    [9, 8, 4, 0]
    """
    for weight, _, words in IDENTIFIERS:
        if words and re.search(rf"(?:^|_)(?:{words})(?:_\d+)?$|^(?:{words})_", name):
            return weight
    return 0


def unit_words(columns: Iterable[str], nameless: Collection[str] = ()) -> str:
    """Returns the end of a message that asks for a unit: the likeliest column of each kind, and
    what it stands for.
    """
    listed = [
        f"{printable_name(one['column'])} (each {one['kind']})"
        for one in best_of_each(map(asdict, who(offered_names(tuple(columns)), nameless)))
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
