"""Builds the SQL that finds where a row is from its own text; every engine runs it, and a bad row
is dropped alone.

Each function returns expressions that are NULL where the text holds no such place. What a cell
holds is told by the cell itself, never by its neighbours, so one row cannot change how another is
read.
"""

from dataclasses import dataclass

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_HEMISPHERE = r"(?i:n|s|e|w|north|south|east|west|norte|sur|este|oeste|nord|sud|est|ouest)"
_MARKS = "\N{DEGREE SIGN}\N{MASCULINE ORDINAL INDICATOR}\N{RING ABOVE}"
_MINUTE = "'\N{PRIME}\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}\N{ACUTE ACCENT}`"
_SECOND = '"\N{DOUBLE PRIME}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}'
_PIECE = r"[0-9]+(?:[.,][0-9]+)?"
DMS = (
    rf"\s*({_HEMISPHERE}?)\s*([+-]?)({_PIECE})"
    rf"(?:\s*(?:\x{{c2}}?[{_MARKS}dD:]|deg|\s)\s*({_PIECE})(?:\s*(?:[{_MINUTE}mM:]|min|"
    rf"\s)\s*({_PIECE}))?)?"
    rf"\s*(?:[{_MARKS}{_MINUTE}{_SECOND}dms]|'')*\s*({_HEMISPHERE}?)\s*"
)
"""Degrees with optional minutes and seconds, a sign or a hemisphere letter at either end. "O" is
west in Spanish and east in German, so it is read as neither.
"""

BRITISH = "EPSG:27700"
IRISH = "EPSG:29903"


SPOT = '"dpmap spot"'


@dataclass(frozen=True, slots=True)
class Spot:
    """Holds SQL expressions for x, y, the CRS of this row (NULL: the survey's) and its uncertainty
    in metres.

    `bind` is a struct that the others read as the column `SPOT`, where they have so much in common
    that it must be computed once.
    """

    x: str
    y: str
    crs: str = "NULL"
    accuracy: str = "NULL"
    bind: str = ""

    def over(self, relation: str) -> str:
        """Returns the relation, with the column added that the expressions read."""
        return f"(SELECT *, {self.bind} AS {SPOT} FROM {relation})" if self.bind else relation


def text(column: str) -> str:
    """Builds SQL for a column as text."""
    return f"CAST({column} AS VARCHAR)"


def let(name: str, value: str, body: str) -> str:
    """Builds SQL in which `name` stands for `value` in `body`, computed once; SQL has no other
    way inside an expression.
    """
    return f"list_transform([{value}], lambda {name}: {body})[1]"


def number(column: str, *, degrees: bool = False) -> str:
    """Builds SQL that reads a number as people and spreadsheets write it, in degrees also with
    minutes and seconds.

    A comma is the decimal mark where nothing else can be meant: always in degrees, elsewhere unless
    it groups thousands. Quotes and `=` that a spreadsheet put around it go.
    """
    bare = (
        f"""replace(regexp_replace({text(column)}, '^[=''"[:space:]\\x{{a0}}]+|"""
        """["''[:space:]\\x{a0}]+$', '', 'g'), """
        "'\N{MINUS SIGN}', '-')"
    )
    mended = let("dp_b", bare, _degrees("dp_b") if degrees else _metres("dp_b"))
    hard = f"TRY_CAST({column} AS DOUBLE) IS NULL AND regexp_matches({text(column)}, '[0-9]')"
    return f"coalesce(TRY_CAST({column} AS DOUBLE), CASE WHEN {hard} THEN {mended} END)"


def _degrees(bare: str) -> str:
    comma = (
        f"CASE WHEN regexp_full_match({bare}, '[+-]?[0-9]{{1,3}},[0-9]+') THEN replace({bare}, ',',"
        f" '.') ELSE {bare} END"
    )
    return f"coalesce(TRY_CAST({comma} AS DOUBLE), {_angle(bare)})"


def _metres(bare: str) -> str:
    tight = f"regexp_replace({bare}, '[[:space:]\\x{{a0}}\\x{{202f}}]', '', 'g')"
    meant = (
        "CASE WHEN regexp_full_match(dp_t, '[+-]?[0-9]{1,3}(,[0-9]{3})+([.][0-9]*)?') THEN"
        " replace(dp_t, ',', '') WHEN regexp_full_match(dp_t,"
        " '[+-]?[0-9]{1,3}([.][0-9]{3})+,[0-9]*') THEN replace(replace(dp_t, '.', ''), ',', '.')"
        " WHEN regexp_full_match(dp_t, '[+-]?[0-9]+,[0-9]*') THEN replace(dp_t, ',', '.') ELSE"
        " dp_t END"
    )
    return let("dp_t", tight, f"TRY_CAST({meant} AS DOUBLE)")


def angle_of_parts(columns: list[str]) -> str:
    """Builds SQL that joins degrees, minutes, seconds and a hemisphere from columns of their own
    (or some of them).

    A blank before a number is 0, so that seconds are never taken for minutes.
    """
    parts = [f"nullif(trim({text(column)}), '')" for column in columns]
    after = [f"regexp_matches(trim({text(column)}), '^[0-9]')" for column in columns[1:]]
    joined = ", ".join(
        [
            parts[0],
            *(
                f"coalesce({part}, CASE WHEN {number} THEN '0' END)"
                for part, number in zip(parts[1:], after[1:], strict=False)
            ),
            *parts[1:][-1:],
        ]
    )
    whole = f"CASE WHEN {columns[0]} IS NOT NULL THEN concat_ws(' ', {joined}) END"
    return let("dp_w", whole, f"coalesce({_angle('dp_w')}, TRY_CAST(dp_w AS DOUBLE))")


def west_positive(column: str, value: str) -> str:
    """Builds SQL that turns a longitude counted westwards to eastwards, unless the cell has a
    hemisphere letter.
    """
    return f"CASE WHEN regexp_matches({text(column)}, '(?i)[ew]') THEN {value} ELSE -({value}) END"


def _angle(cell: str) -> str:
    part = f"regexp_extract({cell}, '^{_sql(DMS)}$', ['a', 'sign', 'd', 'm', 's', 'z'])"
    d, m, s = (f"coalesce(TRY_CAST(replace(dp_p.{key}, ',', '.') AS DOUBLE), 0)" for key in "dms")
    sign = (
        "CASE WHEN dp_p.sign = '-' OR lower(left(dp_p.a || dp_p.z, 1)) IN ('s', 'w', 'o') THEN -1"
        " ELSE 1 END"
    )
    fine = f"dp_p.d <> '' AND {m} < 60 AND {s} < 60 AND NOT (dp_p.a <> '' AND dp_p.z <> '')"
    return let("dp_p", part, f"CASE WHEN {fine} THEN ({sign}) * ({d} + {m} / 60 + {s} / 3600) END")


def cell(column: str, kind: str = "") -> str:
    """Builds SQL that reads a place from one cell into a struct: WKT, WKB in hexadecimals, GeoJSON,
    "lat lon alt accuracy", a dictionary, or a grid reference.

    `kind` narrows it: `wkt`, `grid`, or `text` for all but those that name a CRS of their own: grid
    references, and points with an SRID.
    """
    t = text(column)
    wkt = rf"(?i)^\s*(?:SRID=([0-9]+)\s*;)?\s*POINT\s*(?:ZM|Z|M)?\s*\(\s*({NUMBER})\s+({NUMBER})"
    if kind == "grid":
        return _grid_reference(t)
    crs = "nullif('EPSG:' || nullif(ltrim(dp_m.s, '0'), ''), 'EPSG:')" if kind == "" else "NULL"
    points = let(
        "dp_m",
        f"regexp_extract(dp_c, '{_sql(wkt)}', ['s', 'x', 'y'])",
        struct(_double("dp_m.x"), _double("dp_m.y"), crs),
    )
    if kind == "wkt":
        return let("dp_c", t, points)
    point = (
        r"""(?is)["']type["']\s*:\s*["']Point["'].*["']coordinates["']\s*:\s*\[\s*"""
        rf"""({NUMBER})\s*,\s*({NUMBER})"""
    )
    turned = (
        rf"""(?is)["']coordinates["']\s*:\s*\[\s*({NUMBER})\s*,\s*"""
        rf"""({NUMBER}).*["']type["']\s*:\s*["']Point["']"""
    )
    pair = (
        rf"^\s*[\[(]?\s*({NUMBER})\s*[,;\s]\s*({NUMBER})(?:[,;\s]\s*({NUMBER}))?"
        rf"(?:[,;\s]\s*({NUMBER}))?\s*[\])]?\s*$"
    )
    east = rf"""(?i)\blon(?:g|gitude)?["']?\s*[:=]\s*["']?({NUMBER})"""
    north = rf"""(?i)\blat(?:itude)?["']?\s*[:=]\s*["']?({NUMBER})"""
    ways = [
        points,
        _wkb("dp_c", systems=kind == ""),
        *(
            let(
                "dp_m",
                f"regexp_extract(dp_c, '{_sql(one)}', ['x', 'y'])",
                struct(_double("dp_m.x"), _double("dp_m.y")),
            )
            for one in (point, turned)
        ),
        struct(
            _double(f"regexp_extract(dp_c, '{_sql(east)}', 1)"),
            _double(f"regexp_extract(dp_c, '{_sql(north)}', 1)"),
        ),
        let(
            "dp_m",
            f"regexp_extract(dp_c, '{_sql(pair)}', ['y', 'x', 'h', 'a'])",
            struct(_double("dp_m.x"), _double("dp_m.y"), accuracy=_double("dp_m.a")),
        ),
        *([] if kind == "text" else [_grid_reference("dp_c")]),
    ]
    return let("dp_c", t, first_of(ways))


def struct(x: str, y: str, crs: str = "NULL", accuracy: str = "NULL") -> str:
    """Builds SQL for a place as one value."""
    return (
        f"{{'x': CAST({x} AS DOUBLE), 'y': CAST({y} AS DOUBLE), 'crs': CAST({crs} AS VARCHAR), "
        f"'accuracy': CAST({accuracy} AS DOUBLE)}}"
    )


def first_of(structs: list[str]) -> str:
    """Builds SQL for the first complete place of each row."""
    whole = [
        let("dp_s", one, "CASE WHEN dp_s.x IS NOT NULL AND dp_s.y IS NOT NULL THEN dp_s END")
        for one in structs
    ]
    return f"coalesce({', '.join(whole)})"


def bound(value: str, *, systems: bool) -> Spot:
    """Returns the spot that reads a struct; `systems` says whether rows may name a CRS of their
    own.
    """
    return Spot(
        f"{SPOT}.x", f"{SPOT}.y", f"{SPOT}.crs" if systems else "NULL", f"{SPOT}.accuracy", value
    )


def _wkb(value: str, *, systems: bool) -> str:
    """Builds SQL that reads a point from WKB or EWKB in hexadecimals, as most databases write
    it, in either byte order.
    """
    bare = rf"upper(regexp_replace({value}, '^\s*(?:\\x|0[xX])?|\s+$', '', 'g'))"
    turned = "left(dp_h, 2) = '01'"

    def number(start: str, length: int) -> str:
        """Builds SQL for the hexadecimals of a number, highest byte first."""
        back = " || ".join(
            f"substr(dp_h, {start} + {byte}, 2)" for byte in range(length - 2, -1, -2)
        )
        return f"CASE WHEN {turned} THEN {back} ELSE substr(dp_h, {start}, {length}) END"

    def double(start: str) -> str:
        return f"CAST(CAST(from_hex({number(start, 16)}) AS BIT) AS DOUBLE)"

    srid = f"CASE WHEN dp_o = 19 THEN CAST(CAST(from_hex({number('11', 8)}) AS BIT) AS INTEGER) END"
    crs = f"'EPSG:' || nullif({srid}, 0)" if systems else "NULL"
    whole = (
        "regexp_full_match(dp_k, '[02468ACE]0000001|00000(?:3E9|7D1|BB9)') AND length(dp_h) >= dp_o"
        " + 31"
    )
    place = f"CASE WHEN {whole} THEN {struct(double('dp_o'), double('(dp_o + 16)'), crs)} END"
    point = let(
        "dp_k",
        number("3", 8),
        let("dp_o", "CASE WHEN regexp_matches(dp_k, '^[26AE]') THEN 19 ELSE 11 END", place),
    )
    return let(
        "dp_h",
        bare,
        f"CASE WHEN regexp_full_match(dp_h, '0[01](?:[0-9A-F]{{2}}){{20,}}') THEN {point} END",
    )


def _grid_reference(value: str) -> str:
    """Builds SQL that reads British (NH1234, NH12A tetrads, NH12NW quadrants) and Irish (H1234)
    references as the centre of their square.

    The square's side is the uncertainty. Letters are the 5 x 5 squares of 500 and 100 km, without
    I.
    """
    bare = f"upper(regexp_replace({value}, '[^A-Za-z0-9]', '', 'g'))"
    pattern = "^([STNOHJ]?)([A-HJ-Z])((?:[0-9]{2}){0,5})([A-NP-Z]|[NS][EW])?$"
    part = f"regexp_extract({bare}, '{pattern}', ['a', 'b', 'd', 'z'])"
    east = "CASE WHEN dp_g.a <> '' THEN ((dp_f + 3) % 5) * 5 + dp_l % 5 ELSE dp_l % 5 END"
    north = "CASE WHEN dp_g.a <> '' THEN 19 - dp_f // 5 * 5 - dp_l // 5 ELSE 4 - dp_l // 5 END"
    side = "CASE length(dp_g.z) WHEN 1 THEN 2000 WHEN 2 THEN 5000 ELSE 10 ** (5 - dp_h) END"
    spot = "(ascii(dp_g.z) - 65 - CAST(ascii(dp_g.z) > 79 AS INTEGER))"
    step_e = (
        f"CASE length(dp_g.z) WHEN 1 THEN {spot} // 5 * 2000 WHEN 2 THEN CAST(right(dp_g.z, 1) ="
        " 'E' AS INTEGER) * 5000 ELSE 0 END"
    )
    step_n = (
        f"CASE length(dp_g.z) WHEN 1 THEN {spot} % 5 * 2000 WHEN 2 THEN CAST(left(dp_g.z, 1) = 'N'"
        " AS INTEGER) * 5000 ELSE 0 END"
    )
    known = (
        "dp_g.b <> '' AND (length(dp_g.z) = 0 OR length(dp_g.d) = 2) AND CASE WHEN dp_g.a <> ''"
        " THEN dp_e BETWEEN 0 AND 6 AND dp_n BETWEEN 0 AND 12 ELSE dp_g.d <> '' END"
    )

    def metres(hundreds: str, which: str, step: str) -> str:
        return (
            f"{hundreds} * 100000 + coalesce(TRY_CAST({which}(dp_g.d, dp_h) AS DOUBLE), 0) * 10 **"
            f" (5 - dp_h) + {step} + dp_w / 2.0"
        )

    crs = f"CASE WHEN dp_g.a <> '' THEN '{BRITISH}' ELSE '{IRISH}' END"
    place = struct(
        metres("dp_e", "left", f"({step_e})"), metres("dp_n", "right", f"({step_n})"), crs, "dp_w"
    )
    body = let(
        "dp_e", east, let("dp_n", north, let("dp_w", side, f"CASE WHEN {known} THEN {place} END"))
    )
    return let(
        "dp_g",
        part,
        let(
            "dp_f",
            _letter("dp_g.a"),
            let(
                "dp_l", _letter("dp_g.b"), let("dp_h", "CAST(length(dp_g.d) // 2 AS BIGINT)", body)
            ),
        ),
    )


def datum(column: str) -> str:
    """Builds SQL for the code of the CRS that a row names; NULL if it names none, an unknown
    one, or the usual one.
    """
    t = f"upper(regexp_replace({text(column)}, '[^A-Za-z0-9]', '', 'g'))"
    known = " ".join(f"WHEN '{name}' THEN 'EPSG:{code}'" for name, code in DATUMS.items())
    code = f"regexp_extract({t}, '^EPSG([0-9]{{4,6}})$', 1)"
    return f"CASE {t} {known} ELSE nullif('EPSG:' || {code}, 'EPSG:') END"


DATUMS = {
    "NAD27": 4267,
    "NORTHAMERICANDATUM1927": 4267,
    "NAD83": 4269,
    "NORTHAMERICANDATUM1983": 4269,
    "ED50": 4230,
    "EUROPEANDATUM1950": 4230,
    "ETRS89": 4258,
    "OSGB36": 4277,
    "OSGB1936": 4277,
    "GDA94": 4283,
    "GDA2020": 7844,
    "AGD66": 4202,
    "AGD84": 4203,
    "SAD69": 4618,
    "SIRGAS2000": 4674,
    "AMERSFOORT": 4289,
    "TOKYO": 4301,
    "JGD2000": 4612,
    "CH1903": 4149,
    "NZGD49": 4272,
    "NZGD2000": 4167,
    "PSAD56": 4248,
    "ARC1960": 4210,
    "ARC1950": 4209,
    "CAPE": 4222,
    "HARTEBEESTHOEK94": 4148,
    "PULKOVO1942": 4284,
    "DHDN": 4314,
    "MGI": 4312,
    "LUXEMBOURG1930": 4181,
    "WGS72": 4322,
}
"""Geodetic datums by the names people write, and their geographic CRS. WGS84 and blanks are the
survey's own.
"""


def _letter(character: str) -> str:
    """Builds SQL for a grid letter's place in the alphabet without I."""
    return f"(ascii({character}) - 65 - CAST(ascii({character}) > 73 AS INTEGER))"


def _double(value: str) -> str:
    return f"TRY_CAST(nullif({value}, '') AS DOUBLE)"


def _sql(pattern: str) -> str:
    """Writes a pattern so that it can stand inside an SQL text."""
    return pattern.replace("'", "''")
