"""Places, people, consent and counts: what each row is taken for, exactly."""

import duckdb
import geopandas
import pyproj
import pytest
import shapely
from fixtures import delimited, gbif_tab, inaturalist, opened
from hypothesis import given, settings
from hypothesis import strategies as st
from survey_totals import points, totals

import dpmap as dm
from dpmap.errors import BadInput, Refused
from dpmap.grid.layer_axes import Kinds
from dpmap.survey import place_parser

DATABASE = duckdb.connect()
GRID = dm.Grid(bounds=(-10, 49, 3, 61), shape=(120, 130), crs="EPSG:4326")


def sql(expression, value):
    return DATABASE.execute(f"SELECT {expression} FROM (SELECT ? AS c)", [value]).fetchone()[0]


@pytest.mark.parametrize(("text", "value"), [
    ("40.5", 40.5), (" -3,25 ", -3.25), ("1.00E-05", 1e-5), ("'40.5", 40.5), ('="40.5"', 40.5), ("\N{MINUS SIGN}3.5", -3.5),
    ("40.5\N{NO-BREAK SPACE}", 40.5), ("40°26'46\"N", 40 + 26 / 60 + 46 / 3600), ("3° 41′ 13.2″ W", -(3 + 41 / 60 + 13.2 / 3600)),
    ("W3 41 13,2", -(3 + 41 / 60 + 13.2 / 3600)), ("40.5°N", 40.5), ("40.5 S", -40.5), ("-3:30", -3.5), ("40º30'", 40.5), ("40Â°30'N", 40.5),
    ("40.665.793", None), ("", None), ("abc", None), ("3 75 0 W", None), ("N 3 W", None), ("4012", 4012), ("3°30'O", None),
])  # fmt: skip
def test_degrees(text, value):
    """Degrees as people and spreadsheets write them; what cannot be meant for sure is no number."""
    assert sql(place_parser.number("c", degrees=True), text) == (
        pytest.approx(value) if value is not None else None
    )


@pytest.mark.parametrize(("text", "value"), [
    ("512345,67", 512345.67), ("512,345", 512345), ("512,345.5", 512345.5), ("512.345,5", 512345.5), ("512 345", 512345), ("5.12E5", 512000), ("x", None),
])  # fmt: skip
def test_metres(text, value):
    """Projected coordinates, thousands grouped or not."""
    assert sql(place_parser.number("c"), text) == value


@pytest.mark.parametrize(("text", "x", "y", "crs", "size"), [
    ("TQ3080", 530500, 180500, "EPSG:27700", 1000), ("TQ 30 80", 530500, 180500, "EPSG:27700", 1000), ("NN", 250000, 750000, "EPSG:27700", 100000),
    ("SU1234567890", 412345.5, 167890.5, "EPSG:27700", 1), ("HP60", 465000, 1205000, "EPSG:27700", 10000), ("nh12a", 211000, 821000, "EPSG:27700", 2000),
    ("NH12Z", 219000, 829000, "EPSG:27700", 2000), ("NH12NE", 217500, 827500, "EPSG:27700", 5000), ("O1590", 315500, 290500, "EPSG:29903", 1000),
    ("H1234", 212500, 334500, "EPSG:29903", 1000), ("I1234", None, None, None, None), ("NH123", None, None, None, None), ("WV6548", None, None, None, None),
])  # fmt: skip
def test_grid_references(text, x, y, crs, size):
    """British and Irish references are the centre of their square, its side their uncertainty."""
    found = sql(place_parser.cell("c", "grid"), text)
    assert (found and (found["x"], found["y"], found["crs"], found["accuracy"])) == (
        None if x is None else (x, y, crs, size)
    )


@pytest.mark.parametrize(("text", "x", "y"), [
    ("POINT (-3.5 40.25)", -3.5, 40.25), ("SRID=4326;POINT Z(-3.5 40.25 7)", -3.5, 40.25), ('{"type":"Point","coordinates":[-3.5,40.25]}', -3.5, 40.25),
    ("{'coordinates': [-3.5, 40.25, 1], 'type': 'Point'}", -3.5, 40.25), ("40.25 -3.5 700 4.9", -3.5, 40.25), ("40.25, -3.5", -3.5, 40.25),
    ("[40.25, -3.5]", -3.5, 40.25), ("{'latitude': 40.25, 'longitude': -3.5}", -3.5, 40.25), ("lat: 40.25 lon: -3.5", -3.5, 40.25),
    ("LINESTRING (1 2, 3 4)", None, None), ('{"type":"LineString","coordinates":[[1,2],[3,4]]}', None, None), ("Madrid 3", None, None), ("", None, None),
])  # fmt: skip
def test_cells_that_hold_a_place(text, x, y):
    """WKT, GeoJSON, "lat lon alt accuracy", dictionaries: told by the cell itself."""
    found = sql(place_parser.cell("c", "text"), text)
    assert (found and (found["x"], found["y"])) == (None if x is None else (x, y))


def table(folder, columns, rows, mark=","):
    return delimited(folder / "t.csv", columns, [dict(zip(columns, row)) for row in rows], mark)


def count(survey, grid=GRID, unit="who", **policy):
    return points(survey, grid, dm.Policy(epsilon=1, unit=unit, cap=1000, **policy))


def test_parts_in_columns(tmp_path):
    """Degrees, minutes, seconds and hemisphere in columns of their own; west counted positive where it is said."""
    columns = ["who", "d", "m", "s", "h", "lad", "lam", "las"]
    path = table(
        tmp_path,
        columns,
        [("a", 3, 30, 0, "W", 56, 15, 30), ("b", 3, 30, "0,5", "", 56, 15, 30)],
        ";",
    )
    read = dict(x="d+m+s+h", y="lad+lam+las", crs="EPSG:4326")
    assert count(dm.read(path, **read)) == 1
    west = dm.Grid(bounds=(-4, 56, -3, 57), shape=(1, 1), crs="EPSG:4326")
    assert count(dm.read(path, **read), west) == 1
    assert count(dm.read(path, **read, west_positive=True), west) == 2


def test_mixed_datums(tmp_path):
    """Each row is moved from the datum it names; unknown ones are taken for the survey's own."""
    columns = ["who", "longitude", "latitude", "datum"]
    path = table(
        tmp_path,
        columns,
        [
            ("a", -3, 56, "WGS84"),
            ("a", -3, 56, "OSGB36"),
            ("a", -3, 56, "EPSG:4277"),
            ("a", -3, 56, "not recorded"),
        ],
    )
    x, y = pyproj.Transformer.from_crs(4277, 4326, always_xy=True).transform(-3, 56)
    here = dm.Grid(bounds=(-3.0001, 55.9999, -2.9999, 56.0001), shape=(1, 1), crs="EPSG:4326")
    there = dm.Grid(bounds=(x - 1e-4, y - 1e-4, x + 1e-4, y + 1e-4), shape=(1, 1), crs="EPSG:4326")
    survey = dm.read(path, datum="datum", unit="who")
    assert (count(survey, here), count(survey, there)) == (2, 2)


def test_swapped_axes_are_refused_with_the_flag(tmp_path):
    """Rows that fall in the area only the other way round: refused, naming --swap, which mends it."""
    path = table(tmp_path, ["who", "longitude", "latitude"], [("a", 56.1, -3.2)] * 20)
    with pytest.raises(BadInput, match="swap"):
        count(dm.read(path))
    assert count(dm.read(path, swap=True)) == 20


@pytest.mark.parametrize("name", ["a.gpkg", "a.geojson"])
def test_swapped_layers_are_refused_with_the_flag(name, tmp_path):
    """A layer whose points have their axes turned is refused in the same way, and mended by the same flag."""
    frame = geopandas.GeoDataFrame(
        {"who": ["a"] * 20}, geometry=shapely.points([[56.1, -3.2]] * 20), crs="EPSG:4326"
    )
    frame.to_file(tmp_path / name)
    with pytest.raises(BadInput, match="add swap="):
        count(opened(tmp_path / name, unit="who"))
    assert count(opened(tmp_path / name, unit="who", swap=True)) == 20
    frame.set_geometry(shapely.points([[-3.2, 56.1]] * 20), crs="EPSG:4326").to_file(
        tmp_path / name
    )
    with pytest.raises(BadInput, match="leave swap= out"):
        count(opened(tmp_path / name, unit="who", swap=True))


def test_degrees_called_metres_are_refused_with_the_flag(tmp_path):
    """Degrees under a projected CRS would make an empty map: refused, naming the CRS, which mends it."""
    path = table(tmp_path, ["who", "lon", "lat"], [("a", -3.2, 56.1)] * 20)
    land = dm.Grid(bounds=(-5, 55, 0, 58), shape=(10, 10), crs="EPSG:4326")
    for wrong in ("EPSG:27700", "EPSG:3857"):
        with pytest.raises(BadInput, match="add crs=EPSG:4326"):
            count(dm.read(path, x="lon", y="lat", crs=wrong), land)
    assert count(dm.read(path, x="lon", y="lat", crs="EPSG:4326")) == 20


def test_metres_called_degrees_are_refused_with_the_flag(tmp_path):
    """Metres under columns of degrees would make an empty map: refused, naming --crs, which mends it."""
    path = table(
        tmp_path,
        ["who", "X", "Y", "Patrol ID", "Waypoint ID"],
        [("a", 320000, 673000, "p", 1)] * 20,
    )
    with pytest.raises(BadInput, match="name the right one, like crs=EPSG:27700"):
        count(dm.read(path, unit="who"))
    assert count(dm.read(path, unit="who", crs="EPSG:27700")) == 20


def test_a_consent_rule_no_row_fulfils_is_refused(tmp_path):
    """A misspelt consent rule spends nothing; one that all leave blank makes an empty map, which is the truth."""
    path = table(tmp_path, ["who", "longitude", "latitude", "ok"], [("a", -3.2, 56.1, "TRUE")] * 20)
    with pytest.raises(BadInput, match="consent: no row holds one of these values"):
        count(dm.read(path), consent="ok=yes")
    assert count(dm.read(path), consent="ok=yes,true") == 20
    path = table(tmp_path, ["who", "longitude", "latitude", "ok"], [("a", -3.2, 56.1, "")] * 20)
    assert count(dm.read(path), consent="ok=yes") == 0


PLACES = [("a", -3.2, 56.1, "Kestrel", "two")] * 20
COLUMNS = ["who", "longitude", "latitude", "species", "many"]
ELSEWHERE = dm.Grid(bounds=(20, 40, 30, 50), shape=(10, 10), crs="EPSG:4326")


def test_an_area_that_holds_no_place_of_the_survey_is_refused(tmp_path):
    """An area far from every place costs nothing: it is refused, naming --area; a survey without rows is an empty map."""
    path = table(tmp_path, COLUMNS, PLACES)
    with pytest.raises(BadInput, match="area: none of the survey's places lies in it") as told:
        count(dm.read(path), ELSEWHERE)
    assert "56" not in str(told.value) and "3.2" not in str(told.value)
    table(tmp_path, COLUMNS, [*PLACES, ("b", 25, 45, "Owl", "two")])
    assert count(dm.read(path), ELSEWHERE) == 1
    table(tmp_path, COLUMNS, [])
    assert count(dm.read(path), ELSEWHERE) == 0


@pytest.mark.parametrize("name", ["a.gpkg", "a.csv"])
def test_shapes_that_need_surface_are_refused_with_the_flag(name, tmp_path):
    """A survey of areas or lines alone is refused, naming --surface, which mends it; a point among many shapes is a survey."""
    shapes = [shapely.box(-3 - i / 50, 56, -2.9 - i / 50, 56.1) for i in range(20)]

    def survey(*more, **read):
        if name == "a.gpkg":
            drawn = [*shapes, *more]
            frame = geopandas.GeoDataFrame(
                {"who": ["a"] * len(drawn)}, geometry=drawn, crs="EPSG:4326"
            )
            frame.to_file(tmp_path / name)
            return dm.read(tmp_path / name, **read)
        lines = [f"a;{shape.wkt}" for shape in (*shapes, *more)]
        (tmp_path / name).write_text("\n".join(["who;shape", *lines]))
        return dm.read(tmp_path / name, place="shape", **read)

    with pytest.raises(BadInput, match="add surface="):
        count(survey())
    assert count(survey(surface=True)) == 20
    assert count(survey(*[shapely.Point(-3, 56)] * 3)) == 3


def test_kinds_that_no_row_names_are_refused(tmp_path):
    """Misspelt kinds cost nothing; where one of them is named, or every kind is blank, the map is made."""
    path = table(tmp_path, COLUMNS, PLACES)
    with pytest.raises(BadInput, match="kinds: no row names one of these kinds") as told:
        count(dm.read(path), GRID.layered(Kinds("Species", ("Kestral", "Owl"))))
    assert "Kestrel" not in str(told.value)
    assert count(dm.read(path), GRID.layered(Kinds("species", ("kestrel", "Owl")))) == 20
    table(tmp_path, COLUMNS, [(*row[:3], "", "1") for row in PLACES])
    assert count(dm.read(path), GRID.layered(Kinds("species", ("Kestral",)))) == 0


@pytest.mark.parametrize("kind", ["csv", "gpkg"])
def test_counts_that_are_no_numbers_are_refused(kind, tmp_path):
    """A count of texts alone costs nothing however many rows there are; one number among marks is enough, and so is no text."""

    def survey(*more):
        rows = [*PLACES * 10, *more]
        if kind == "csv":
            return dm.read(table(tmp_path, COLUMNS, rows), count="many", max_count=9)
        frame = geopandas.GeoDataFrame(
            {"who": [row[0] for row in rows], "many": [row[4] for row in rows]},
            geometry=shapely.points([row[1:3] for row in rows]), crs="EPSG:4326",
        )  # fmt: skip
        frame.to_file(tmp_path / "a.gpkg")
        return dm.read(tmp_path / "a.gpkg", count="many", max_count=9)

    with pytest.raises(BadInput, match="count: no row of 'many' holds a number") as told:
        count(survey())
    assert "two" not in str(told.value)
    assert count(survey(("a", -3.2, 56.1, "", "4"))) == 204
    table(tmp_path, COLUMNS, [(*row[:4], "") for row in PLACES])
    assert count(dm.read(tmp_path / "t.csv", count="many", max_count=9)) == 20


def test_a_mean_of_texts_is_refused(tmp_path):
    """A mean of a column without a number costs nothing: it is refused, naming --mean."""
    path = table(tmp_path, COLUMNS, PLACES)
    with pytest.raises(BadInput, match="mean: no row of 'many' holds a number"):
        count(dm.read(path, mean="many", between="0,9"), GRID)


def test_lines_count_only_when_asked(tmp_path):
    """A line is no place unless --surface says so; then a point on it is."""
    path = table(
        tmp_path,
        ["who", "shape"],
        [("a", "LINESTRING (-3 56; -3.2 56)".replace(";", " ")), ("b", "POINT (-3 56)")],
    )
    path.write_text(
        "who;shape\na;LINESTRING (-3 56, -3.2 56)\nb;POINT (-3 56)\nc;POLYGON ((0 0, 1 1\n"
    )
    assert count(dm.read(path, place="shape")) == 1
    assert count(dm.read(path, place="shape", surface=True)) == 2


def test_most_uncertainty(tmp_path):
    """--max-uncertainty leaves out what is less certain; what says nothing stays."""
    survey = dm.read(gbif_tab(tmp_path), max_uncertainty="1 km")
    assert dm.inspect(survey).left_out["too uncertain"] == 1
    assert dm.inspect(dm.read(gbif_tab(tmp_path)), cell="1 km").uncertainty[
        "above_cell_share"
    ] == pytest.approx(1 / 8)


def test_missing_units(tmp_path):
    """Rows that name nobody are dropped, or each is its own unit; never one super-contributor."""
    path = table(
        tmp_path,
        ["who", "longitude", "latitude"],
        [("NONE", -3, 56), ("", -3, 56), ("Anónimo", -3, 56), ("ana", -3, 56)] * 2,
    )
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    assert points(dm.read(path), GRID, policy) == 1
    assert points(dm.read(path, missing_unit="own-unit"), GRID, policy) == 7


def test_units_of_several_columns(tmp_path):
    """COLUMN+COLUMN joins, COLUMN|COLUMN takes the first that is filled in, row needs no column."""
    path = table(
        tmp_path,
        ["id", "who", "longitude", "latitude"],
        [("1", "ana", -3, 56), ("", "ana", -3, 56), ("1", "bo", -3, 56), ("NONE", "bo", -3, 56)],
    )
    units = {
        unit: points(dm.read(path), GRID, dm.Policy(epsilon=1, unit=unit, cap=1))
        for unit in ("row", "who", "id+who", "id|who")
    }
    assert units == {"row": 4, "who": 2, "id+who": 2, "id|who": 3}


def test_counts(tmp_path):
    """A count column weighs rows between 0 and --max-count; a mark that is no number is one."""
    path = table(
        tmp_path,
        ["who", "longitude", "latitude", "n"],
        [("a", -3, 56, n) for n in ("X", "3", "99", "--", "0", "", "2.9", "-4")],
    )
    assert count(dm.read(path, count="n", max_count=10)) == 1 + 3 + 10 + 1 + 0 + 1 + 2 + 0
    with pytest.raises(BadInput, match="max_count"):
        dm.read(path, count="n")


def test_obscured_points_count_in_coarse_cells(tmp_path):
    """What policy obscured within 0.2 degrees counts in cells as wide; the observer's own wish is kept in any."""
    survey = dm.read(inaturalist(tmp_path))
    fine = dm.Grid(bounds=(-4, 56, -3, 57), shape=(10, 10), crs="EPSG:4326")
    coarse = dm.Grid(bounds=(-4, 56, -3, 57), shape=(5, 5), crs="EPSG:4326")
    assert (count(survey, fine, "user_id"), count(survey, coarse, "user_id")) == (2, 3)
    assert count(dm.read(inaturalist(tmp_path), signals="none"), fine, "user_id") == 4
    assert count(dm.read(inaturalist(tmp_path), signals="wishes"), fine, "user_id") == 3


@pytest.mark.parametrize(
    ("preset", "finest"),
    [("gbif-1", 1), ("gbif-2", 10), ("gbif-3", 100), ("inat", 5), ("ebird", 2), ("nbn-10km", 5)],
)
def test_sensitivity(preset, finest, tmp_path):
    """A cell finer than the preset allows is refused, one as large is not."""
    from dpmap.grid.sensitive_species import check_sensitivity

    check_sensitivity(
        dm.Grid(bounds=(-4, 56, -3, 57), shape=(finest, finest), crs="EPSG:4326"), preset
    )
    with pytest.raises(Refused, match=preset):
        check_sensitivity(
            dm.Grid(bounds=(-4, 56, -3, 57), shape=(finest * 2, finest * 2), crs="EPSG:4326"),
            preset,
        )


@settings(max_examples=40, deadline=None, database=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Ana", "Bo", "ana; Bo", "Cy & Ana", "NONE", ""]), st.integers(0, 5)
        ),
        max_size=30,
    ),
    st.integers(1, 3),
)
def test_one_person_moves_at_most_the_cap(tmp_path_factory, rows, cap):
    """Striking one person's name from all rows moves the totals by at most the cap."""
    folder = tmp_path_factory.mktemp("cap")
    columns = ["who", "longitude", "latitude"]
    policy = dm.Policy(epsilon=1, unit="who", cap=cap)
    records = [(who, -5 + x, 56) for who, x in rows]
    without = [(who.lower().replace("ana", "unknown"), x, y) for who, x, y in records]
    (folder / "a").mkdir(), (folder / "b").mkdir()

    def found(name, records):
        try:
            return totals(
                dm.read(table(folder / name, columns, records), team="auto"), GRID, policy
            )
        except BadInput:  # every row names nobody: told to the operator, and nothing counts
            return {}

    here, there = found("a", records), found("b", without)
    moved = sum(abs(here.get(cell, 0) - there.get(cell, 0)) for cell in {*here, *there})
    assert moved <= cap * policy.lattice


def test_lists_of_people_are_pointed_out(tmp_path):
    """A column that lists people is one unit a text in an unknown table; inspect says how many rows that is about."""
    path = table(
        tmp_path,
        ["who", "longitude", "latitude"],
        [("Ana; Bo", 1, 2), ("Ana | Cy", 1, 2), ("Bo & Cy", 1, 2), ("R&D", 1, 2)],
    )
    found = dm.inspect(dm.read(path, unit="who"))
    assert found.units == 4
    assert ("names", "each text is one unit, also where it lists several people") in found.roles
    assert any(
        line.startswith("3 usable rows may name several people") and "--team auto" in line
        for line in found.advice
    )
    found = dm.inspect(dm.read(path, unit="who", team="auto"))
    assert found.units == 5  # ana, bo, cy, "bo & cy" and r&d
    assert not found.advice


def test_inspect_tells_what_a_cap_takes_of_units_named_late(tmp_path):
    """What a cap scales away is told in points, whoever names the unit."""
    path = table(tmp_path, ["who", "longitude", "latitude"], [("Ana; Bo", 1, 2)] * 4)
    found = dm.inspect(dm.read(path, team="auto"), unit="who")
    assert found.scaled_away[1] == 0.75  # of two people's four rows each, two points are left


def test_a_started_config_holds_no_value(tmp_path):
    """`init` writes names of columns and defaults; no value of any fixture's rows, no epsilon and no cap."""
    from dpmap.steward.init_config import starting_config

    path = gbif_tab(tmp_path)
    text = starting_config(dm.read(path), path.name, {})
    words = {
        cell
        for line in path.read_text().splitlines()[1:]
        for cell in line.split("\t")
        if len(cell) > 2
    }
    assert not {word for word in words if word in text}
    assert not [
        line
        for line in text.splitlines()
        if line.startswith(("epsilon", "cap", "budget", "dataset"))
    ]
