"""UTM zones and latitude bands of places, and the MGRS codes of the squares around them.

All is arithmetic on the numbers of zones (1 to 60), bands (0 for C to 19 for X) and squares (how
many sides east and north of the origin of the zone), so that places and cells of one code are equal
to the last bit.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.grid import crs as crs_tools

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]
BANDS = "CDEFGHJKLMNPQRSTUVWX"
COLUMNS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
ROWS = "ABCDEFGHJKLMNPQRSTUV"
EQUATOR = BANDS.index("N")
SOUTH = -80.0
NORTH = 84.0
FALSE_NORTH = 10_000_000
"""How many metres are added to northings in the south, so that none is negative."""
SQUARE = 100_000
"""The side of the squares that have two letters."""
NORWAY = BANDS.index("V")
SVALBARD = BANDS.index("X")
WIDER = {
    NORWAY: ((3.0, 12.0, 32),),
    SVALBARD: ((0.0, 9.0, 31), (9.0, 21.0, 33), (21.0, 33.0, 35), (33.0, 42.0, 37)),
}
"""West, east and number of the zones that are not six degrees wide, by their band: at south-west
Norway and at Svalbard.
"""
CODE = re.compile(r"([0-9]{2})([C-HJ-NP-X])([A-HJ-NP-Z])([A-HJ-NP-V])((?:[0-9]{2}){0,4})")
METRES_A_DEGREE = 111_000


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """MGRS squares of one side in metres: zone, band, and how many sides they lie east and
    north; zone 0 where UTM has none.
    """

    zone: Numbers
    band: Numbers
    east: Numbers
    north: Numbers
    side: int

    def __getitem__(self, which: Any) -> "Places":
        return Places(
            self.zone[which], self.band[which], self.east[which], self.north[which], self.side
        )

    def __len__(self) -> int:
        return len(self.zone)

    def __add__(self, other: "Places") -> "Places":
        """Returns the squares of both lists, which have one side."""
        pairs = (
            (self.zone, other.zone),
            (self.band, other.band),
            (self.east, other.east),
            (self.north, other.north),
        )
        zone, band, east, north = (np.concatenate(pair) for pair in pairs)
        return Places(zone, band, east, north, self.side)

    @property
    def keys(self) -> Numbers:
        """One whole number for each square: by zone, then band, then from west to east, and from
        south to north.
        """
        return (((self.zone * len(BANDS) + self.band) << 20) + self.east << 20) + self.north

    def codes(self) -> NDArray[np.object_]:
        """Returns what MGRS calls the squares, with zones of two digits.

        >>> Places(
        ...     *(np.array([number]) for number in (33, 17 - 2, 52, 515)), 10_000
        ... ).codes().tolist()
        ['33TWM25']
        """
        per_square = SQUARE // self.side
        digits = len(str(per_square)) - 1
        codes = [
            f"{zone:02}{BANDS[band]}{_letters(zone, east // per_square, north // per_square)}"
            + (f"{east % per_square:0{digits}}{north % per_square:0{digits}}" if digits else "")
            for zone, band, east, north in zip(
                self.zone.tolist(),
                self.band.tolist(),
                self.east.tolist(),
                self.north.tolist(),
                strict=True,
            )
        ]
        return np.array(codes, dtype=object)


def _letters(zone: int, column: int, row: int) -> str:
    """Returns the two letters of a square of 100 km: columns go on over three zones; rows start
    at F in even ones.
    """
    return (
        COLUMNS[((zone - 1) % 3 * 8 + column - 1) % 24]
        + ROWS[(row + (5 if zone % 2 == 0 else 0)) % 20]
    )


def crs_of(zone: int, band: int) -> str:
    """Returns the reference system of a zone, north or south of the equator.

    >>> crs_of(37, EQUATOR), crs_of(37, EQUATOR - 1)
    ('EPSG:32637', 'EPSG:32737')
    """
    return f"EPSG:{326 if band >= EQUATOR else 327}{zone:02}"


def zone_of(crs: str) -> tuple[int, bool] | None:
    """Returns the zone that a reference system is of, and whether it is the north's; None of any
    other.

    >>> zone_of("EPSG:32733"), zone_of("EPSG:25833"), zone_of("EPSG:32661")
    ((33, False), None, None)
    """
    match = re.fullmatch(r"EPSG:32([67])([0-9]{2})", crs)
    return (int(match[2]), match[1] == "6") if match and 1 <= int(match[2]) <= 60 else None


def box(zone: int, band: int) -> tuple[float, float, float, float] | None:
    """Returns west, south, east and north of a zone's part of a band, in degrees; None where the
    zone has no part in it.

    >>> box(32, NORWAY), box(31, NORWAY), box(32, SVALBARD), box(1, 0)
    ((3.0, 56.0, 12.0, 64.0), (0.0, 56.0, 3.0, 64.0), None, (-180.0, -80.0, -174.0, -72.0))
    """
    south = 8.0 * band - 80
    north = NORTH if band == SVALBARD else 8.0 * band - 72
    west = 6.0 * zone - 186
    east = 6.0 * zone - 180
    for left, right, wide in WIDER.get(band, ()):
        if zone == wide:
            return left, south, right, north
        if left <= west < right and east <= right:
            return None
        west = max(west, right) if left <= west < right else west
        east = min(east, left) if left < east <= right else east
    return west, south, east, north


def zones_and_bands(lon: Values, lat: Values) -> tuple[Numbers, Numbers]:
    """Returns the zone and the band of places in degrees; zone 0 beyond 80 south and 84 north,
    where UTM ends. A place on a border belongs to the zone in the east and the band in the north.

    >>> [
    ...     part.tolist()
    ...     for part in zones_and_bands(
    ...         np.array([15.35, 5.3, 180, 9]), np.array([46.56, 60.4, -17, 84.1])
    ...     )
    ... ]
    [[33, 32, 1, 0], [15, 17, 7, 10]]
    """
    in_utm = (np.abs(lon) <= 180) & (lat >= SOUTH) & (lat <= NORTH)
    lon = np.where(in_utm, lon, 0.0)
    lat = np.where(in_utm, lat, 0.0)
    band = np.minimum(np.floor(lat / 8).astype(np.int64) + 10, len(BANDS) - 1)
    zone = (np.floor(lon / 6).astype(np.int64) + 30) % 60 + 1
    for wide_band, parts in WIDER.items():
        for west, east, number in parts:
            zone = np.where((band == wide_band) & (lon >= west) & (lon < east), number, zone)
    return np.where(in_utm, zone, 0), band


def places(lon: Values, lat: Values, side: int) -> Places:
    """Returns the squares that places in degrees lie in.

    >>> places(np.array([15.354675, 10]), np.array([46.565825, 52]), 1000).codes().tolist()
    ['33TWM2756', '32UNC6861']
    """
    zone, band = zones_and_bands(lon, lat)
    east = np.zeros(len(lon), dtype=np.int64)
    north = np.zeros(len(lon), dtype=np.int64)
    half = np.where(band >= EQUATOR, zone, -zone)
    for zone_half in np.unique(half[zone > 0]).tolist():
        members = np.flatnonzero(half == zone_half)
        x, y = crs_tools.transform(
            lon[members],
            lat[members],
            crs_tools.LONLAT,
            crs_of(abs(zone_half), EQUATOR if zone_half > 0 else 0),
        )
        last = FALSE_NORTH // side - 1
        up = np.floor(y / side).astype(np.int64)
        east[members] = np.floor(x / side).astype(np.int64)
        north[members] = np.maximum(up, 0) if zone_half > 0 else np.minimum(up, last)
    return Places(zone, band, east, north, side)


def read(codes: "tuple[str, ...]") -> Places | None:
    """Reads codes of squares that all have one side; None if any of these texts is none.

    >>> read(("33TWM25", "33TWM26")).north.tolist(), read(("33TWM25", "North Moor"))
    ([515, 516], None)
    """
    matches = [CODE.fullmatch(code) for code in codes]
    parts = [match.groups() for match in matches if match]
    if len(parts) < len(codes) or len({len(tail) for *_, tail in parts}) != 1:
        return None
    digits = len(parts[0][4]) // 2
    per_square = 10**digits
    numbers = []
    for zone, letter, column, row, tail in parts:
        number = int(zone)
        band = BANDS.index(letter)
        across = COLUMNS.index(column) - (number - 1) % 3 * 8 + 1
        around = box(number, band) if 1 <= number <= 60 and 1 <= across <= 8 else None
        if around is None:
            return None
        middle = (around[1] + around[3]) / 2 * METRES_A_DEGREE / SQUARE + (
            0 if band >= EQUATOR else 100
        )
        up = (ROWS.index(row) - (5 if number % 2 == 0 else 0)) % 20
        up += 20 * round((middle - up) / 20)
        numbers.append(
            (
                number,
                band,
                across * per_square + int(tail[:digits] or 0),
                up * per_square + int(tail[digits:] or 0),
            )
        )
    zones, bands, east, north = np.array(numbers, dtype=np.int64).T
    return Places(zones, bands, east, north, SQUARE // per_square)


def whole(squares: Places) -> NDArray[np.bool_]:
    """Returns which squares no border of a zone or a band cuts. Their four corners decide, since a
    border bends one way within a square.

    >>> whole(
    ...     places(np.array([15.354675, 12.0]), np.array([46.565825, 46.565825]), 10_000)
    ... ).tolist()
    [True, False]
    """
    is_whole = np.zeros(len(squares), dtype=bool)
    for members, around, crs in parts_of(squares):
        corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
        lon, lat = lonlat(
            (squares.east[members][:, None] + corner[:, 0]) * float(squares.side),
            (squares.north[members][:, None] + corner[:, 1]) * float(squares.side),
            crs,
            around,
        )
        west, south, east, north = around
        is_whole[members] = ((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north)).all(
            axis=1
        )
    return is_whole


def parts_of(squares: Places) -> list[tuple[Numbers, tuple[float, float, float, float], str]]:
    """Returns the squares of each zone and band, by their places in the list, with its box in
    degrees and its reference system.
    """
    zone_and_band = squares.zone * len(BANDS) + squares.band
    parts = []
    for key in np.unique(zone_and_band[squares.zone > 0]).tolist():
        zone, band = divmod(key, len(BANDS))
        around = box(zone, band)
        if around is not None:
            parts.append((np.flatnonzero(zone_and_band == key), around, crs_of(zone, band)))
    return parts


def lonlat(
    east: Values,
    north: Values,
    crs: str,
    around: tuple[float, float, float, float],
    near: float = 1e-11,
) -> tuple[Values, Values]:
    """Returns where metres of a zone lie in degrees, not turned around at the antimeridian. What
    lies on a border but for rounding lies on it.
    """
    lon, lat = crs_tools.transform(east.ravel(), north.ravel(), crs, crs_tools.LONLAT)
    middle = (around[0] + around[2]) / 2
    lon = np.where(lon > middle + 180, lon - 360, np.where(lon < middle - 180, lon + 360, lon))
    for side in (0, 2):
        lon = np.where(np.abs(lon - around[side]) < near, around[side], lon)
        lat = np.where(np.abs(lat - around[side + 1]) < near, around[side + 1], lat)
    return lon.reshape(east.shape), lat.reshape(east.shape)
