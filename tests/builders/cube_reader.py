"""The rules by which B-Cubed's reader takes an occurrence cube (b3gbi, `process_cube`), in our own words: what it needs, and what it makes of codes."""

import csv
import re

GRIDS = {
    "eea": re.compile(r"[0-9]{1,3}[km]{1,2}[EW][0-9]{2,7}[NS][0-9]{2,7}"),
    "mgrs": re.compile(r"[0-9]{2}[A-Z]{3}[0-9]{0,10}"),
    "eqdgc": re.compile(r"[EW][0-9]{3}[NS][0-9]{2}[A-D]{0,6}"),
    "isea3h": re.compile(r"-?[0-9]{15,}"),
}
"""The grids that it knows, by what a code looks like; it tries them in this order."""
TIMES = ("year", "yearMonth", "yearMonthDay")
NUMBERS = ("year", "occurrences", "minCoordinateUncertaintyInMeters")


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def grid_of(code):
    """The grid that a code is taken to be of; none if it is like no known one."""
    return next((name for name, form in GRIDS.items() if form.fullmatch(code)), None)


def process_cube(path, custom=None):
    """The cube as the reader holds it: the grid's kind, and a row for each row. Refuses what the reader refuses.

    It takes the first column whose first value looks like a code for the cells' one; `custom` names it for a grid that it does not know.
    """
    rows = rows_of(path)
    if not rows:
        raise ValueError("the data cube is empty")
    column = custom or next((name for name, value in rows[0].items() if grid_of(value)), None)
    if column is None or column not in rows[0]:
        raise ValueError("could not detect grid type")
    kind = "custom" if custom else grid_of(rows[0][column])
    if not custom and not all(GRIDS[kind].fullmatch(row[column]) for row in rows):
        raise ValueError("a mix of valid and invalid codes")
    time = next((name for name in TIMES if name in rows[0]), None)
    missing = [name for name in ("occurrences", "species", "speciesKey") if name not in rows[0]]
    if time is None or missing:
        raise ValueError(f"no time, or no {missing}")
    read = [_read(row, column, time) for row in rows]
    return kind, read


def _read(row, column, time):
    """One row: numbers must be numbers, a year begins the time, the name and the key are texts."""
    numbers = {name: float(row[name]) for name in NUMBERS if name in row}
    year = int(re.match(r"\d{4}", row[time]).group())
    return {
        **row,
        **numbers,
        "year": year,
        "cellCode": row[column],
        "scientificName": row["species"],
        "taxonKey": row["speciesKey"],
    }


def eea_corner(code):
    """The south-west corner, in metres, as the reader takes it: numbers of km grids are kilometres, whatever the side."""
    _, unit, east, north = re.fullmatch(r"([0-9]+)(km|m)E([0-9]+)N([0-9]+)", code).groups()
    return tuple(int(part) * (1000 if unit == "km" else 1) for part in (east, north))


def eqdgc_middle(code):
    """The middle of a quarter degree cell, longitude and latitude: each letter halves the cell, A north-west, D south-east."""
    west, lon, south, lat, letters = re.fullmatch(
        r"([EW])([0-9]{3})([NS])([0-9]{2})([A-D]*)", code
    ).groups()
    x = -int(lon) - 1 if west == "W" else int(lon)
    y = -int(lat) - 1 if south == "S" else int(lat)
    side = 1.0
    for letter in letters:
        side /= 2
        x, y = x + side * (letter in "BD"), y + side * (letter in "AB")
    return x + side / 2, y + side / 2
