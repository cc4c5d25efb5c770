"""Builds the SQL for where a row is, from the columns that say it: a geometry, x and y, or one
cell that holds both.
"""

from dpmap.grid import crs as crs_tools
from dpmap.survey import place_parser
from dpmap.survey.column_roles import Roles
from dpmap.survey.columns import Header
from dpmap.survey.formats import Place
from dpmap.survey.place_parser import Spot
from dpmap.survey.sources import quote_column


def spot_of(header: Header) -> tuple[Spot, str, list[str]]:
    """Returns the SQL for where a row is, the geometry column if one must be read, and the
    columns used.
    """
    roles = header.roles
    reading = header.roles.reading
    if roles.geometry:
        crs, shape, own_crs = _own_system(roles)
        return (
            Spot("NULL", "NULL", crs, _first_accuracy(roles)),
            shape,
            [roles.geometry, *_accuracies(roles), *own_crs],
        )
    if len(roles.ways) == 1 and roles.ways[0].x and not reading.west_positive:
        east, north, crs, accuracy, columns = _sides(header, roles.ways[0])
        return Spot(*((north, east) if reading.swap else (east, north)), crs, accuracy), "", columns
    structs = []
    columns = list[str]()
    shapes = list[str]()
    for place in roles.ways:
        if place.x:
            east, north, crs, accuracy, own_crs = _sides(header, place)
            structs.append(place_parser.struct(east, north, crs, accuracy))
            columns += own_crs
        else:
            structs.append(_cell(place))
            columns += [place.cell, *([place.accuracy] if place.accuracy else [])]
            shapes.append(place_parser.text(quote_column(place.cell)))
    systems = any(
        place.datum or (place.cell and place.kind in ("", "grid")) for place in roles.ways
    )
    whole = place_parser.bound(place_parser.first_of(structs), systems=systems)
    if reading.swap:
        whole = Spot(whole.y, whole.x, whole.crs, whole.accuracy, whole.bind)
    return whole, f"coalesce({', '.join(shapes)})" if reading.surface and shapes else "", columns


def _own_system(roles: Roles) -> tuple[str, str, list[str]]:
    """Returns the CRS that a row's own geometry names, the geometry (none if it must name a CRS
    and does not), and the column.
    """
    shape = quote_column(roles.geometry or "")
    way = roles.ways[0]
    if way.kind not in ("srid", "srid or nowhere"):
        return "NULL", shape, []
    crs = quote_column(way.datum)
    return (
        crs,
        shape if way.kind == "srid" else f"CASE WHEN {crs} IS NOT NULL THEN {shape} END",
        [way.datum],
    )


def _sides(header: Header, place: Place) -> tuple[str, str, str, str, list[str]]:
    """Returns SQL for x, y, CRS and uncertainty of a place in columns of its own, and those
    columns.
    """
    degrees = crs_tools.is_lonlat(header.roles.crs)
    sides = [split_columns(header, one, flag) for one, flag in ((place.x, "--x"), (place.y, "--y"))]
    east, north = (_side(side, degrees=degrees) for side in sides)
    if header.roles.reading.west_positive:
        joined_text = " || ".join(
            f"coalesce({place_parser.text(quote_column(column))}, '')" for column in sides[0]
        )
        east = place_parser.west_positive(f"({joined_text})", east)
    crs = place_parser.datum(quote_column(place.datum)) if place.datum else "NULL"
    accuracy = place_parser.number(quote_column(place.accuracy)) if place.accuracy else "NULL"
    return (
        east,
        north,
        crs,
        accuracy,
        [*sides[0], *sides[1], *(c for c in (place.accuracy, place.datum) if c)],
    )


def _cell(place: Place) -> str:
    """Returns SQL for a place in one cell, with the uncertainty from a column of its own."""
    cell = place_parser.cell(quote_column(place.cell), place.kind)
    if not place.accuracy:
        return cell
    return place_parser.let(
        "dp_o",
        cell,
        place_parser.struct(
            "dp_o.x", "dp_o.y", "dp_o.crs", place_parser.number(quote_column(place.accuracy))
        ),
    )


def split_columns(header: Header, named: str, flag: str) -> list[str]:
    """Returns one column, or those of degrees, minutes, seconds and hemisphere joined by `+`."""
    known = header.known(named)
    return (
        [known]
        if known is not None
        else [header.require(part.strip(), flag=flag) for part in named.split("+")]
    )


def _side(columns: list[str], *, degrees: bool) -> str:
    if len(columns) > 1:
        return place_parser.angle_of_parts([quote_column(column) for column in columns])
    return place_parser.number(quote_column(columns[0]), degrees=degrees)


def _accuracies(roles: Roles) -> list[str]:
    return [place.accuracy for place in roles.ways if place.accuracy]


def _first_accuracy(roles: Roles) -> str:
    known = _accuracies(roles)
    return place_parser.number(quote_column(known[0])) if known else "NULL"
