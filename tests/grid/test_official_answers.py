"""Codes of official grids, against answers that others have published: GBIF's tests and pages, the NBN Atlas's, and records centres."""

import pytest

import dpmap as dm

VADUZ, CARLISLE, NEWRY = (47.168611, 9.508333), (54.894722, -2.936389), (54.176, -6.349)
SLOVAKIA, CROATIA = (48.99949, 20.75808), (45.28043, 16.84088)
TONGA, BRUNSWICK = (-21.34284, -175.03633), (52.3, 10 + 48 / 60 + 45.6 / 3600)


def around(lat, lon, reach=1e-5):
    """A box in degrees that holds a place, within the globe."""
    return (
        max(lon - reach, -180),
        max(lat - reach, -90),
        min(lon + reach, 180),
        min(lat + reach, 90),
    )


def codes_at(grid, lat, lon):
    """The codes of the cell that holds a place in degrees, by their column."""
    cell = grid.locate([lon], [lat], crs="EPSG:4326")
    assert cell[0] >= 0
    return {column: told[0] for column, told in grid.codes(cell).items()}


def named(name, lat, lon):
    """The codes of the cell of an official grid that holds a place."""
    return codes_at(dm.Grid.official(around(lat, lon), grid=name), lat, lon)


def sized(cell, lat, lon, crs=None):
    """The codes of the cell of a size that holds a place, for cells that need not have a name."""
    return codes_at(dm.Grid.covering(around(lat, lon), cell=cell, crs=crs), lat, lon)


EEA = {
    VADUZ: "100kmE42N26 50kmE425N265 10kmE428N267 1kmE4283N2672 250mE428350N267275 100mE42836N26729 25mE4283675N2672900 "
    "10mE428369N267290 1mE4283694N2672906",
    SLOVAKIA: "100kmE51N29 50kmE510N290 10kmE510N293 5kmE5105N2930 2kmE5104N2932 1kmE5105N2933",
    NEWRY: "100kmE32N35 1kmE3263N3572",
}
EUROSTAT = {
    VADUZ: "100000mN2600000E4200000 50000mN2650000E4250000 20000mN2660000E4280000 10000mN2670000E4280000 5000mN2670000E4280000 "
    "2000mN2672000E4282000 1000mN2672000E4283000 500mN2672500E4283500 200mN2672800E4283600 100mN2672900E4283600 50mN2672900E4283650 "
    "20mN2672900E4283680 10mN2672900E4283690 5mN2672905E4283690 2mN2672906E4283694 1mN2672906E4283694 250mN2672750E4283500 "
    "25mN2672900E4283675",
    CROATIA: "100000mN2400000E4800000 50000mN2450000E4850000 20000mN2480000E4840000 10000mN2480000E4850000 5000mN2485000E4855000 "
    "2000mN2486000E4856000 1000mN2487000E4857000",
    CARLISLE: "100000mN3600000E3400000 1000mN3606000E3495000",
    (-12.843056, 45.138333): "100000mN-2800000E8700000",
    (14.6792, -60.9403): "5000mN2500000E-2665000",
}


@pytest.mark.parametrize(
    ("place", "code"), [(place, code) for place, codes in EEA.items() for code in codes.split()]
)
def test_cells_of_the_eea_are_called_as_gbif_calls_them(place, code):
    """Each example of the EEA reference grid in GBIF's tests and pages is the code of the cell that holds its place."""
    size, unit = code.split("E")[0], "km" if "km" in code else "m"
    assert (
        sized(f"{size.removesuffix(unit)} {unit}", *place, crs="EPSG:3035")["eeaCellCode"] == code
    )
    if unit == "km":
        assert named(f"eea-{size}", *place)["eeaCellCode"] == code


@pytest.mark.parametrize(
    ("place", "code"),
    [(place, code) for place, codes in EUROSTAT.items() for code in codes.split()],
)
def test_cells_of_eurostat_are_called_as_gbif_calls_them(place, code):
    """Each example of Eurostat's grid is the code of its cell, overseas too, where coordinates are negative and the EEA has no code."""
    found = sized(code.split("N")[0].replace("m", " m"), *place, crs="EPSG:3035")
    assert found["euroStatCellCode"] == "CRS3035RES" + code
    assert ("eeaCellCode" in found) == ("-" not in code)


QUARTER = {
    TONGA: "W175S21 W175S21B W175S21BD W175S21BDB W175S21BDBD W175S21BDBDA W175S21BDBDAD",
    (46.565825, 15.354675): "E015N46AD",
    (52.0, 10.0): "E010N52",
    (-52.0, 10.0): "E010S51",
    (52.0, -10.0): "W009N52",
    (-52.0, -10.0): "W009S51",
    (52.3, 10.3): "E010N52C E010N52CB E010N52CBC E010N52CBCCBB",
    (-52.3, 10.3): "E010S52A E010S52AD E010S52ADA",
    (52.3, -10.3): "W010N52D W010N52DA W010N52DAD",
    (-52.3, -10.3): "W010S52B W010S52BC W010S52BCB",
    (0.0, 0.0): "E000N00",
    (-0.1, -0.1): "W000S00",
    (0.5, 0.5): "E000N00B E000N00BCCCCC",
    (46.377106, 14.033383): "E014N46CA",
}


@pytest.mark.parametrize(
    ("place", "code"), [(place, code) for place, codes in QUARTER.items() for code in codes.split()]
)
def test_quarter_degree_cells_are_called_as_gbif_calls_them(place, code):
    """Each example of extended quarter degree cells is the code of its cell, in all four quadrants of the globe."""
    level = len(code) - len("E000N00")
    assert named(f"qdgc-{level}", *place)["eqdgcCellCode"] == code
    if level == 2:
        assert named("qdgc", *place)["eqdgcCellCode"] == code


@pytest.mark.parametrize(
    ("lat", "lon", "code"),
    [
        (0.5, -0.5, "W000N00A"), (0.5, -0.5, "W000N00ADDDDD"), (-0.5, 0.5, "E000S00D"), (-0.5, 0.5, "E000S00DAAAAA"),
        (-0.5, -0.5, "W000S00C"), (-0.5, -0.5, "W000S00CBBBBB"),
    ],
)  # fmt: skip
def test_a_point_on_an_inner_edge_goes_east_and_north_everywhere(lat, lon, code):
    """GBIF takes such a point away from the origin, dpmap always to the east and north; the cell beside it has the code that GBIF gives."""
    name = f"qdgc-{len(code) - 7}"
    assert named(name, lat, lon)["eqdgcCellCode"] != code
    outward = [side + (1e-6 if side > 0 else -1e-6) for side in (lat, lon)]
    assert named(name, *outward)["eqdgcCellCode"] == code


MINUTES = {
    (0.1, 0.1): "1-0-0LON0-0-0LAT0-0-0",
    (-0.1, -0.1): "1-0-0LON-1-0-0LAT-1-0-0",
    (-0.9, -0.9): "1-0-0LON-1-0-0LAT-1-0-0",
    (-1.1, -1.1): "1-0-0LON-2-0-0LAT-2-0-0",
    (0.001, 0.001): "0-0-1LON0-0-3LAT0-0-3",
    (-0.001, -0.001): "0-0-1LON-0-0-4LAT-0-0-4",
    (0.111, 0.111): "0-0-1LON0-6-39LAT0-6-39",
    (-0.111, -0.111): "0-0-1LON-0-6-40LAT-0-6-40",
    (-1.111, -1.111): "0-0-1LON-1-6-40LAT-1-6-40",
    (1.0, BRUNSWICK[1]): "1-0-0LON10-0-0LAT1-0-0",
    (0.0, BRUNSWICK[1]): "1-0-0LON10-0-0LAT0-0-0 0-1-0LON10-48-0LAT0-0-0 0-0-1LON10-48-45LAT0-0-0",
    (-1.0, BRUNSWICK[1]): "1-0-0LON10-0-0LAT-1-0-0",
    (-2.0, BRUNSWICK[1]): "1-0-0LON10-0-0LAT-2-0-0",
    (0.05, BRUNSWICK[1]): "0-1-0LON10-48-0LAT0-3-0",
    (-0.05, BRUNSWICK[1]): "0-1-0LON10-48-0LAT-0-3-0",
    (-0.10, BRUNSWICK[1]): "0-1-0LON10-48-0LAT-0-6-0",
    (0.0025, BRUNSWICK[1]): "0-0-1LON10-48-45LAT0-0-9",
    (-0.0025, BRUNSWICK[1]): "0-0-1LON10-48-45LAT-0-0-9",
    (-0.0050, BRUNSWICK[1]): "0-0-1LON10-48-45LAT-0-0-18",
    BRUNSWICK: "1-0-0LON10-0-0LAT52-0-0 0-15-0LON10-45-0LAT52-15-0 0-10-0LON10-40-0LAT52-10-0 0-5-0LON10-45-0LAT52-15-0 "
    "0-2-30LON10-47-30LAT52-17-30 "
    # here GBIF writes one step less, and says that it ought to be this: 52.3 is 52 degrees 18 minutes but for rounding
    "0-1-0LON10-48-0LAT52-18-0 0-0-30LON10-48-30LAT52-18-0 0-0-1LON10-48-45LAT52-18-0 0-0-6LON10-48-42LAT52-18-0",
    (-BRUNSWICK[0], -BRUNSWICK[1]): "0-15-0LON-11-0-0LAT-52-30-0 0-10-0LON-10-50-0LAT-52-20-0 0-5-0LON-10-50-0LAT-52-20-0 "
    "0-2-30LON-10-50-0LAT-52-20-0 0-1-0LON-10-49-0LAT-52-18-0 0-0-30LON-10-49-0LAT-52-18-0 0-0-1LON-10-48-46LAT-52-18-0",
    (-52.0, -BRUNSWICK[1]): "1-0-0LON-11-0-0LAT-52-0-0",
}  # fmt: skip
NAMED_MINUTES = {"0-5-0": ("pentad", "dms-5min"), "0-10-0": ("dms-10min",), "0-15-0": ("dms-15min",), "0-30-0": ("dms-30min",), "0-1-0": ("dms-1min",), "0-0-30": ("dms-30s",)}  # fmt: skip


@pytest.mark.parametrize(
    ("place", "code"), [(place, code) for place, codes in MINUTES.items() for code in codes.split()]
)
def test_square_minutes_are_called_as_gbif_calls_them(place, code):
    """Each example of cells of degrees, minutes and seconds is the code of its cell, on both sides of the equator and of Greenwich."""
    size = code.split("LON")[0]
    degrees, minutes, seconds = map(int, size.split("-"))
    typed = (
        f"{degrees} deg"
        if degrees
        else f"{minutes * 60 + seconds} s"
        if seconds
        else f"{minutes} min"
    )
    assert sized(typed, *place)["dmsCellCode"] == "CRS4326RES" + code
    for name in NAMED_MINUTES.get(size, ()):
        assert named(name, *place)["dmsCellCode"] == "CRS4326RES" + code


@pytest.mark.parametrize(
    ("east", "north", "size", "reference"),
    [
        (410_000, 370_000, "10 km", "SK17"), (427_000, 385_000, "1 km", "SK2785"), (140_000, 10_000, "2 km", "SW41A"),
        # the NBN Atlas's tests
        (130_000, 790_000, "10 km", "NM39"), (140_000, 799_000, "1 km", "NM4099"), (131_600, 800_500, "100 m", "NG316005"),
        (130_000, 790_000, "2 km", "NM39A"), (130_000, 798_000, "2 km", "NM39E"), (132_000, 792_000, "2 km", "NM39G"),
        (136_000, 794_000, "2 km", "NM39S"), (134_000, 796_000, "2 km", "NM39N"), (134_000, 798_000, "2 km", "NM39P"),
        (138_000, 798_000, "2 km", "NM39Z"),
        # pages of records centres: a tetrad by its monads, and quadrants of a hectad
        (572_000, 152_000, "2 km", "TQ75G"), (410_000, 370_000, "5 km", "SK17SW"), (415_000, 375_000, "5 km", "SK17NE"),
        (410_000, 375_000, "5 km", "SK17NW"), (415_000, 370_000, "5 km", "SK17SE"),
        # the ends of the lettered squares, where five hundred kilometres change their letter
        (0, 0, "100 km", "SV"), (600_000, 0, "100 km", "TW"), (400_000, 1_200_000, "100 km", "HP"), (500_000, 1_000_000, "100 km", "JV"),
        (500_000, 200_000, "100 km", "TL"), (0, 500_000, "100 km", "NV"), (600_000, 1_200_000, "100 km", "JM"),
    ],
)  # fmt: skip
def test_squares_of_the_national_grid_have_their_grid_reference(east, north, size, reference):
    """Each published grid reference of Great Britain is that of its square, with the square's side beside it."""
    number, unit = size.split()
    side = int(number) * (1000 if unit == "km" else 1)
    grid = dm.Grid(bounds=(east, north, east + side, north + side), shape=(1, 1), crs="EPSG:27700")
    told = {column: code.tolist() for column, code in grid.codes().items()}
    assert told == {"gridReference": [reference], "gridSizeInMeters": [side]}


@pytest.mark.parametrize(
    ("lat", "lon", "name", "reference"),
    [
        (53.36916, -2.69094, "os-100km", "SJ"), (53.36916, -2.69094, "os-hectad", "SJ58"), (53.36916, -2.69094, "os-10km", "SJ58"),
        (53.36916, -2.69094, "os-1km", "SJ5486"), (52.00464, -5.081357, "os-100m", "SM886385"), (52.01419, -5.09049, "os-100m", "SM880395"),
        (52.65757, 1.71791, "os-1km", "TG5113"), (58.56032, -3.35343, "os-1km", "ND2164"),
        (54.88744, -6.3562, "irish-1km", "D0505"), (54.72375, -6.51556, "irish-1km", "H9587"), (54.57889, -6.71781, "irish-100m", "H829708"),
        (54.793876, -6.523798, "irish-hectad", "H99"), (54.793876, -6.523798, "irish-10km", "H99"), (54.99451, -6.79750, "irish-tetrad", "C71T"),
    ],
)  # fmt: skip
def test_a_place_has_the_grid_reference_that_the_nbn_atlas_gives_it(lat, lon, name, reference):
    """Each place of the NBN Atlas's tests is in the square that the atlas puts it in, in Great Britain and in Ireland."""
    assert named(name, lat, lon)["gridReference"] == reference


@pytest.mark.parametrize("crs", ["EPSG:29903", "EPSG:29902"])
@pytest.mark.parametrize(
    ("east", "north", "side", "reference"),
    [
        (290_000, 390_000, 10_000, "H99"), (340_000, 330_000, 10_000, "J43"), (342_000, 332_000, 2000, "J43G"), (216_000, 420_000, 2000, "C12Q"),
        (315_900, 234_600, 100, "O159346"), (200_000, 250_000, 100, "N000500"), (167_500, 71_800, 100, "W675718"), (332_100, 373_900, 100, "J321739"),
        (0, 0, 100_000, "V"), (300_000, 400_000, 100_000, "D"), (0, 400_000, 100_000, "A"), (295_000, 390_000, 5000, "H99SE"),
    ],
)  # fmt: skip
def test_squares_of_the_irish_grid_have_their_grid_reference(east, north, side, reference, crs):
    """Each published Irish grid reference is that of its square, under both of the codes that EPSG has for the Irish Grid."""
    grid = dm.Grid(bounds=(east, north, east + side, north + side), shape=(1, 1), crs=crs)
    assert grid.codes()["gridReference"].tolist() == [reference]


@pytest.mark.parametrize(
    ("east", "north", "code"),
    [
        (749_648, 6_956_485, "10kmL93E074N695"), (1_055_000, 6_305_000, "10kmL93E105N630"), (775_000, 6_235_000, "10kmL93E077N623"),
        (740_100, 6_945_100, "5kmL93E0740N6945"), (1_055_100, 6_300_100, "5kmL93E1055N6300"),
        (370_100, 6_526_100, "2kmL93E370N6526"), (742_100, 6_946_100, "1kmL93E742N6946"),
    ],
)  # fmt: skip
def test_mailles_are_called_as_in_the_published_layers(east, north, code):
    """Examples that users of the inventory's layers have written down in public have the same form: three digits at 10 km, four at 5 km."""
    name = f"maille-{code.split('L93')[0]}"
    west, south = east - east % 100, north - north % 100
    frame = dm.Grid(
        bounds=(west, south, west + 100, south + 100), shape=(1, 1), crs="EPSG:2154"
    ).to_geodataframe()
    grid = dm.Grid.official(frame, grid=name)
    assert grid.codes(grid.locate([east], [north]))["code_maille"].tolist() == [code]


@pytest.mark.parametrize(
    ("lat", "lon", "quarter", "minutes"),
    [
        (89.999, 179.999, "E179N89BB", "0-15-0LON179-45-0LAT89-45-0"), (90.0, 180.0, "E179N89BB", "0-15-0LON179-45-0LAT89-45-0"),
        (-90.0, -180.0, "W179S89CC", "0-15-0LON-180-0-0LAT-90-0-0"), (-89.999, 179.999, "E179S89DD", "0-15-0LON179-45-0LAT-90-0-0"),
        (89.999, -179.999, "W179N89AA", "0-15-0LON-180-0-0LAT89-45-0"),
    ],
)  # fmt: skip
def test_the_last_cells_at_the_poles_and_the_antimeridian_have_codes(lat, lon, quarter, minutes):
    """The corners of the globe are in the outermost cells, which are called like all others; an area may not reach a pole, a frame may."""
    grid = dm.Grid(bounds=(-180, -90, 180, 90), shape=(720, 1440), crs="EPSG:4326")
    assert codes_at(grid, lat, lon) == {
        "eqdgcCellCode": quarter,
        "dmsCellCode": "CRS4326RES" + minutes,
    }


@pytest.mark.parametrize(
    ("lon", "code"), [(180.0, "E179N51BB"), (179.99, "E179N51BB"), (-180.0, "W179N51AA")]
)
def test_an_area_at_the_antimeridian_has_codes(lon, code):
    """A place at 180 degrees is in the cell of its own side."""
    assert named("qdgc", 51.9, lon)["eqdgcCellCode"] == code
