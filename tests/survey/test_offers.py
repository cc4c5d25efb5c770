"""What is offered for a declaration: whole coordinates, who may be protected, and how uncertain places are; by names alone."""

import pytest

import dpmap as dm
from dpmap.errors import BadInput, Refused
from dpmap.survey import column_suggestions
from dpmap.survey.column_roles import length

PLAIN = "observer,longitude,latitude\nAna,1.5,50.5\n"


def written(folder, text, name="s.csv"):
    (folder / name).write_text(text, "utf-8")
    return folder / name


# --- where: coordinates in parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "x", "y"),
    [
        ("who lon_deg lon_min lon_sec lon_hem lat_deg lat_min lat_sec lat_hem", "lon_deg+lon_min+lon_sec+lon_hem", "lat_deg+lat_min+lat_sec+lat_hem"),
        ("who Grados_lat Minutos_lat Grados_long Minutos_long", "Grados_long+Minutos_long", "Grados_lat+Minutos_lat"),
        ("LatGrados LatMinutos LatSegundos LonGrados LonMinutos LonSegundos", "LonGrados+LonMinutos+LonSegundos", "LatGrados+LatMinutos+LatSegundos"),
        ("minutos_latitud grados_latitud minutos_longitud grados_longitud", "grados_longitud+minutos_longitud", "grados_latitud+minutos_latitud"),
        ("Breite_Grad Breite_Minuten L\u00e4nge_Grad L\u00e4nge_Minuten", "L\u00e4nge_Grad+L\u00e4nge_Minuten", "Breite_Grad+Breite_Minuten"),
        ("latd latm lats lat_ns lond lonm lons lon_ew", "lond+lonm+lons+lon_ew", "latd+latm+lats+lat_ns"),
        ("latitude_degr\u00e9s latitude_minutes longitude_degr\u00e9s longitude_minutes", "longitude_degr\u00e9s+longitude_minutes", "latitude_degr\u00e9s+latitude_minutes"),
        ("lat lat_dir lon lon_dir", "lon+lon_dir", "lat+lat_dir"),
        ("lat NS long EW", "long+EW", "lat+NS"),
        ("lat lat_min lon lon_min", "lon+lon_min", "lat+lat_min"),
        ("nest_lat_deg nest_lat_min nest_lon_deg nest_lon_min", "nest_lon_deg+nest_lon_min", "nest_lat_deg+nest_lat_min"),
    ],
)  # fmt: skip
def test_degrees_minutes_seconds_and_letters_are_offered_together(header, x, y):
    """Columns of parts of a coordinate are offered as their sum, degrees first, in whatever language and order they stand."""
    assert column_suggestions.in_parts(header.split()) == [(x, y)]
    assert column_suggestions.place_flags(header.split()) == f"--x {x} --y {y} --crs EPSG:4326"


@pytest.mark.parametrize(
    "header",
    ["lon_min lon_max lat_min lat_max lon lat", "longitude latitude lon_m lat_m", "lats lons", "lon_deg lat_deg", "min_lon max_lon min_lat max_lat lat lon"],
)  # fmt: skip
def test_boxes_and_metres_are_no_minutes(header):
    """The corners of a box, metres, and degrees that stand alone are not taken for parts of a coordinate, nor offered as places."""
    assert column_suggestions.in_parts(header.split()) == []
    assert "_min" not in column_suggestions.place_flags(
        header.split()
    ) and "min_" not in column_suggestions.place_flags(header.split())


@pytest.mark.parametrize(
    ("header", "flags"),
    [
        ("start_lon end_lat end_lon start_lat", "--x start_lon --y start_lat --crs EPSG:4326; or --x end_lon --y end_lat --crs EPSG:4326"),
        ("long_description later easting northing", "--x easting --y northing --crs CODE"),
        ("Hunter's_lon Hunter's_lat", '--x "Hunter\'s_lon" --y "Hunter\'s_lat" --crs EPSG:4326'),
    ],
)  # fmt: skip
def test_x_and_y_that_are_offered_belong_together(header, flags):
    """A pair of columns differs in nothing but the axis, and a word that begins like one is none."""
    assert column_suggestions.place_flags(header.split()) == flags


PARTS = "observer,{0}_deg,{0}_min,{0}_sec,{0}_hem,{1}_deg,{1}_min,{1}_sec,{1}_hem\nAna,4,15,36,W,57,30,0,N\nBo,4,,36,W,57,,0,N\n"


@pytest.mark.parametrize("axes", [("lon", "lat"), ("longitude", "latitude")])
def test_degrees_are_never_read_without_the_minutes_beside_them(tmp_path, axes):
    """Such a file is refused with the sum to type, which reads the place itself, seconds never as minutes; degrees named alone are, and every reading says so."""
    path = written(tmp_path, PARTS.format(*axes))
    x, y = ("+".join(f"{axis}_{part}" for part in ("deg", "min", "sec", "hem")) for axis in axes)
    with pytest.raises(BadInput, match="add x=") as told:
        dm.read(path)
    assert f"--x {x} --y {y}" in told.value.terminal_line
    near = dm.Grid(bounds=(-4.261, 57.499, -4.259, 57.501), shape=(1, 1), crs="EPSG:4326")
    survey = dm.read(path, x=x, y=y, crs="EPSG:4326", unit="observer")
    assert dm.inspect(survey, grid=near).usable == 1
    bo = dm.Grid(bounds=(-4.011, 56.999, -4.009, 57.001), shape=(1, 1), crs="EPSG:4326")
    assert dm.inspect(survey, grid=bo).usable == 1
    alone = dm.inspect(
        dm.read(path, x=f"{axes[0]}_deg", y=f"{axes[1]}_deg", crs="EPSG:4326", unit="observer")
    )
    assert any("degrees are read alone" in line and f"--x {x}" in line for line in alone.advice)
    assert f"--x {x}" in dict(alone.roles)["note"]


def test_a_letter_beside_decimal_degrees_is_not_passed_over(tmp_path):
    """Longitudes whose west stands in a column of its own are refused with the sum, not drawn in the east."""
    path = written(tmp_path, "observer,lat,NS,lon,EW\nAna,57.5,N,4.26,W\n")
    with pytest.raises(BadInput, match=r"add x=lon\+EW y=lat\+NS .*or x= lon y= lat, if"):
        dm.read(path)
    near = dm.Grid(bounds=(-4.3, 57, -4.2, 58), shape=(1, 1), crs="EPSG:4326")
    assert (
        dm.inspect(
            dm.read(path, x="lon+EW", y="lat+NS", crs="EPSG:4326"), unit="observer", grid=near
        ).usable
        == 1
    )


def test_columns_joined_by_commas_are_written_with_plus(tmp_path):
    """`--unit observer,longitude` is answered with the sum, and not with one of its parts."""
    with pytest.raises(BadInput, match=r"unit: several columns .*: observer\+longitude"):
        dm.read(written(tmp_path, PLAIN), unit="observer,longitude")


# --- who -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("person", "observer Observer_Name recordedBy recordedby collector colector coletor recolector Beobachter observateur"),
        ("person", "ranger userId created_by investigador Bénévole Who recolector_id"),
        ("animal", "organismID individual subject individual-local-identifier animal_id ring_number"),
        ("site", "nest_id siteid Horst localidad locationID parcela"),
        ("device", "device deviceid dispositivo Gerätenummer imei"),
        ("team", "team Équipe equipo group organisation"),
        ("name", "name nombre Nachname"),
        ("", "observation_date created_at scientificName species_group observer_count individualCount group_size location latitude site_description observer_type longitude eventDate"),
    ],
)  # fmt: skip
def test_columns_that_say_who_are_known_by_their_names(kind, names):
    """Names in many languages and spellings tell of people, animals, sites, devices and teams; what says something else of them does not."""
    found = {one.column: one.kind for one in column_suggestions.who(names.split())}
    assert found == (dict.fromkeys(names.split(), kind) if kind else {})


def test_a_question_that_asks_for_a_person_is_offered():
    """A whole sentence as a header is offered if it asks for somebody, and not for a number."""
    asked = ["What is the name of the person who reported this place?", "How many people were present that day?", "¿Quién vio primero el nido?"]  # fmt: skip
    assert [one.column for one in column_suggestions.who(asked)] == [asked[0], asked[2]]


def test_each_kind_says_what_it_would_not_protect():
    """Every sentence says what is protected, and what is not."""
    assert set(column_suggestions.MEANING) == {*column_suggestions.WORDS, "row"}
    for words in column_suggestions.MEANING.values():
        assert words.startswith("protects ")
        assert any(
            word in words
            for word in ("not hidden", "not protected", "counts for each", "not joined")
        ), words


WHO = "observer,Equipo,nest_id,species,longitude,latitude\n" + "".join(
    f"{who},{team},{nest},Kite,1.5,50.5\n"
    for who, team, nest in [
        ("Ana", "Red", 1),
        ("ANA ", "Red", "1.0"),
        ("Bo", "", 2),
        ("n/a", "Blue", 3),
        ("", "red", 4),
    ]
)


def test_without_a_unit_the_columns_that_may_be_it_are_named(tmp_path):
    """The refusal names them with what each stands for, and no value."""
    with pytest.raises(
        Refused, match=r"observer \(each person\), nest_id \(each site\), Equipo \(each team\)"
    ) as told:
        _ = dm.read(written(tmp_path, WHO)).unit
    assert not any(word in str(told.value) for word in ("Ana", "Red", "Kite"))


def test_inspect_counts_who_could_be_protected(tmp_path):
    """Where nobody says who, `inspect` tells how many each column names, spellings joined and nobody left out, and what each would mean; on its page too."""
    from dpmap.steward.inspection import page

    found = dm.inspect(dm.read(written(tmp_path, WHO)))
    told = [
        (one["column"], one["kind"], one["values"], round(one["blank_share"], 2))
        for one in found.to_dict()["who"]
    ]
    assert told == [
        ("observer", "person", 2, 0.4), ("nest_id", "site", 4, 0.0), ("Equipo", "team", 2, 0.2), ("row", "row", 5, 0.0),
    ]  # fmt: skip
    lines = dict(found.tables()["Who could be protected (--unit)"])
    assert (
        lines["observer"]
        == "each person who observed (by observer): 2 different, 40% of usable rows name nobody;"
        f" {column_suggestions.MEANING['person']}"
    )
    assert all(one["meaning"] in page(found, "s.csv").replace("&#39;", "'") for one in found.who)
    assert dm.inspect(dm.read(tmp_path / "s.csv", unit="observer")).who == []


def test_init_offers_who_without_counting(tmp_path):
    """The comments beside `unit` name the columns and what each would mean; no number of any, as the file may be shared."""
    from dpmap.steward.init_config import starting_config

    survey = dm.read(written(tmp_path, WHO))
    lines = starting_config(survey, "s.csv", {}).splitlines()
    at = lines.index('# unit = "COLUMN"            # who is protected; there is no default')
    assert lines[at + 1 : at + 5] == [
        f'#   "{one.column}": {one.meaning}'
        for one in (*column_suggestions.who(survey.columns), column_suggestions.ROW)
    ]
    assert not any(
        "protects each" in line
        for line in starting_config(survey, "s.csv", {"unit": "observer"}).splitlines()
    )


# --- how certain ---------------------------------------------------------------------------------------------------

UNSURE = "observer,decimalLongitude,decimalLatitude,coordinateUncertaintyInMeters\n" + "".join(
    f"Ana,1.5,50.5,{metres}\n" for metres in (30, 300, 3000, 30_000)
)


def test_uncertainty_that_nothing_leaves_out_is_said_by_the_header_alone(tmp_path):
    """With a column of uncertainty and no limit the reading says so and recommends the cells' size, whatever the rows hold; with a limit, or no column, not."""
    whole, empty = (
        written(tmp_path, UNSURE),
        written(tmp_path, UNSURE.splitlines()[0] + "\n", "e.csv"),
    )
    for cell, flag in (
        (None, "--max-uncertainty and the size of your cells"),
        (2000.0, "--max-uncertainty '2 km'"),
    ):
        told = dict(dm.read(whole).roles.described("observer", None, cell))
        assert told == dict(dm.read(empty).roles.described("observer", None, cell))
        assert (
            "column coordinateUncertaintyInMeters" in told["uncertainty"]
            and flag in told["uncertainty"]
        )
    assert "uncertainty" not in dict(
        dm.read(whole, max_uncertainty="1 km").roles.described("observer")
    )
    assert "uncertainty" not in dict(dm.read(written(tmp_path, PLAIN)).roles.described("observer"))


def test_a_column_that_may_say_it_is_offered_to_the_operator(tmp_path):
    """In a table of no known format `inspect` and `init` offer the column by its name, until it is declared."""
    from dpmap.steward.init_config import starting_config

    path = written(
        tmp_path, "observer,longitude,latitude,count_accuracy,GPS accuracy (m)\nAna,1.5,50.5,1,30\n"
    )
    told = "if --uncertainty 'GPS accuracy (m)' names how certain places are, in metres, add it, and --max-uncertainty"
    line = '# uncertainty = "GPS accuracy (m)" # how certain a place is, in metres'
    survey = dm.read(path, unit="observer")
    assert (
        told in dm.inspect(survey).advice
        and line in starting_config(survey, ["s.csv"], {}).splitlines()
    )
    survey = dm.read(path, unit="observer", uncertainty="GPS accuracy (m)")
    assert not any("names how certain" in one for one in dm.inspect(survey).advice)
    assert line not in starting_config(survey, ["s.csv"], {})
    assert not any(
        "--uncertainty" in one
        for one in dm.inspect(dm.read(written(tmp_path, PLAIN), unit="observer")).advice
    )


@pytest.mark.parametrize("metres", [250.0, 999.9999, 1000.001, 11_132.0, 123_456.0])
def test_a_length_that_is_recommended_can_be_typed(metres):
    """What is recommended reads as about the cell's size again."""
    from dpmap.grid.cell_sizes import parse_cell

    assert parse_cell(length(metres))[0] == pytest.approx(metres, rel=0.01)


def test_a_release_says_what_its_uncertainty_was_left_at(tmp_path):
    """The terminal's words and the statement are those of the reading."""
    grid = dm.Grid(bounds=(392_000, 5_593_000, 396_000, 5_597_000), shape=(4, 4), crs="EPSG:32631")
    policy = dm.Policy(epsilon=1, unit="observer", cap=1)
    made = dm.release(
        dm.read(written(tmp_path, UNSURE)),
        grid,
        policy,
        ledger=tmp_path / "l",
        dataset="d",
        budget=1,
    )
    assert "--max-uncertainty '1 km'" in dict(made.record.about.read_as)["uncertainty"]
    assert "--max-uncertainty '1 km' would leave out" in (
        made.write(tmp_path / "s.md")[0]
    ).read_text("utf-8")


def test_inspect_tells_the_share_that_is_less_certain_than_a_cell(tmp_path):
    """With a cell the share and the flag that leaves it out; without one shares above plain lengths, and how to ask for more."""
    survey = dm.read(written(tmp_path, UNSURE), unit="observer")
    found = dm.inspect(survey, cell="1 km")
    assert found.uncertainty["above_cell_share"] == 0.5
    assert any(
        "50% of points" in line and "--max-uncertainty '1 km'" in line for line in found.advice
    )
    found = dm.inspect(survey)
    assert [found.uncertainty[f"above_{at}_share"] for at in ("100m", "1km", "10km")] == [
        0.75,
        0.5,
        0.25,
    ]
    assert (
        "less certain than",
        "100 m: 75%, 1 km: 50%, 10 km: 25% of usable rows",
    ) in found.tables()["How certain places are"]
    assert any("--cell" in line and "--max-uncertainty" in line for line in found.advice)
    assert not dm.inspect(
        dm.read(tmp_path / "s.csv", unit="observer", max_uncertainty="1 km"), cell="1 km"
    ).advice
