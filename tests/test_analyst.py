"""A GIS analyst's notebook: maps on her own axes, tables and GeoJSON for her other libraries, and errors she knows."""

import json
from pathlib import Path

import geopandas as gpd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import shapely
from builders import records
from matplotlib.collections import PathCollection

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.releases.release import Release

HERE = Path(__file__).parent
GROUND = dm.Grid(bounds=(500_000, 4_400_000, 530_000, 4_420_000), shape=(4, 6), crs="EPSG:25830")
LAYERS = (dm.Kinds("species", ("Kestrel", "Owl")), dm.Times("seen", ("2023", "2024", "2025")))


def made(grid=GROUND) -> Release:
    """A release with some noise, from a seed."""
    policy = records.promise()
    cells = dm.Partition.cells(grid)
    totals = 40 + 60 * np.random.default_rng(1).random(cells.regions)
    noise = np.random.default_rng(3).laplace(0, float(policy.scale), cells.regions)
    return Release(records.record(grid, policy, [records.measured(cells, totals, policy, noise)]))


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_a_map_is_drawn_over_a_web_map_without_moving_it():
    """On axes in another CRS that hold data the cells lie where they belong, and limits and ticks stay."""
    release = made()
    cells = release.to_geodataframe().to_crs(3857)
    west, south, east, north = cells.total_bounds
    figure, ax = plt.subplots()
    ax.plot([west - 5000, east], [south, north + 5000], "o-")
    limits = ax.get_xlim(), ax.get_ylim()
    assert release.plot(ax, column="density", crs="EPSG:3857") is ax
    assert (ax.get_xlim(), ax.get_ylim()) == limits and len(ax.get_xticks()) > 0
    (drawn,) = [part for part in ax.collections if isinstance(part, PathCollection)]
    outlines = np.concatenate([path.vertices for path in drawn.get_paths()])
    assert np.allclose([*outlines.min(0), *outlines.max(0)], cells.total_bounds, atol=10)
    with pytest.raises(BadInput, match="crs="):
        release.plot(ax)


@pytest.mark.parametrize("column", ["estimate", "low", "high", "width", "density"])
def test_a_column_is_drawn_in_chosen_colours_between_chosen_ends(column):
    """`cmap`, `vmin` and `vmax` mean what they mean to matplotlib, and `figsize` is the figure's size."""
    release = made()
    ax = release.plot(
        column=column,
        cmap="viridis",
        vmin=0,
        vmax=80,
        figsize=(9, 6),
        unsure="hatch",
        context=False,
    )
    assert ax.figure.get_size_inches().tolist() == [9, 6]
    table = release.to_geodataframe()
    values = table["high"] - table["low"] if column == "width" else table[column]
    wanted = plt.get_cmap("viridis")(np.clip(values / 80, 0, 1))[:, :3]
    (image,) = ax.images
    assert np.allclose(image.get_array().reshape(-1, 4)[:, :3], wanted, atol=0.02)


@pytest.mark.parametrize(
    ("asked", "also", "names"),
    [
        ({"column": "totals"}, ValueError, "density"),
        ({"column": "low", "show": "cells"}, ValueError, "column"),
        ({"cmap": "viridos"}, TypeError, "cmap"),
        ({"vmin": 5, "vmax": 1}, ValueError, "vmin"),
        ({"vmin": "5"}, TypeError, "vmin"),
        ({"figsize": 8}, TypeError, "figsize"),
        ({"colour": "red"}, TypeError, "colour"),
        ({"ax": "map"}, TypeError, "ax"),
    ],
)
def test_a_wrong_option_is_a_value_or_type_error_that_says_what_there_is(asked, also, names):
    """So code that catches Python's own errors goes on working."""
    with pytest.raises(also, match=names) as caught:
        made().plot(**asked)
    assert isinstance(caught.value, BadInput)


def test_layers_are_drawn_on_a_list_of_axes_with_one_legend():
    """All maps keep one size, in the same classes, and their names stand above them."""
    release = made(GROUND.layered(*LAYERS))
    figure, axes = plt.subplots(2, 2, figsize=(10, 7))
    assert release.plot(axes, column="estimate", vmax=100) is axes[1, 1]
    figure.draw_without_rendering()
    assert [ax.get_title(loc="left") for ax in axes.flat][0] == "Kestrel, 2023"
    sizes = np.array([ax.get_window_extent().size for ax in axes.flat])
    assert np.allclose(sizes, sizes[0])
    columns = [child for ax in axes.flat for child in ax.get_children() if child.get_gid()]
    legends = [child for child in columns if child.get_gid() == "dpmap column"]
    assert len(legends) == 1 and legends[0].get_window_extent().x1 <= figure.bbox.x1
    with pytest.raises(BadInput, match="4 Axes"):
        release.plot(axes[0])


def test_geojson_is_given_to_other_libraries_and_taken_from_them():
    """`__geo_interface__` is RFC 7946, in degrees, and any object that has one is an area or zones."""

    class Parcel:
        def __init__(self, document):
            self.__geo_interface__ = document

    release = made()
    document = json.loads(json.dumps(release.__geo_interface__))
    cells = gpd.GeoDataFrame.from_features(document, crs=4326)
    assert np.allclose(cells.density, release.to_geodataframe().density)
    assert shapely.is_ccw(cells.geometry.exterior).all()
    assert len(GROUND.__geo_interface__["features"]) == GROUND.cells_inside
    assert dm.Grid.covering(GROUND, cell="5 km").cells_inside
    named = [dict(feature, properties={"name": "p"}) for feature in document["features"][:1]]
    answers = release.ask(Parcel({"type": "FeatureCollection", "features": named}))
    assert answers.name.tolist() == ["p"]
    for geometry in (named[0], named[0]["geometry"]):
        assert np.allclose(release.ask(Parcel(geometry)).estimate, answers.estimate)
    with pytest.raises(ValueError, match="GeoJSON"):
        dm.Grid.covering(Parcel("no"), cell="1 km")


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    """Of whatever kind the file is."""
    calls = (
        lambda: dm.open(tmp_path / "a.dpmap"),
        lambda: dm.read(tmp_path / "a.csv"),
        lambda: dm.Grid.covering(tmp_path / "a.gpkg", cell="1 km"),
        lambda: dm.unseal(tmp_path / "a.sealed", tier="t", to=tmp_path / "b.dpmap"),
        lambda: made().rates(str(tmp_path / "a.tif")),
        lambda: made().plot(context=[tmp_path / "a.gpkg"]),
    )
    for call in calls:
        with pytest.raises(FileNotFoundError) as caught:
            call()
        assert isinstance(caught.value, BadInput) and caught.value.exit_code == 2


def test_equal_grids_are_equal_and_go_into_sets():
    """Grids that were declared twice, or read back from a file, are the same."""
    again = dm.Grid(bounds=(500_000, 4_400_000, 530_000, 4_420_000), shape=(4, 6), crs=25830)
    masked = dm.Grid(bounds=again.cells.bounds, shape=(4, 6), crs=25830, mask=np.eye(4, 6) > 0)
    assert GROUND == again and len({GROUND, again, masked, GROUND.layered(*LAYERS)}) == 3
    assert masked != GROUND != 3


def test_a_release_says_where_what_for_and_which_it_is(tmp_path):
    """Its CRS has a name, its epsilon is the declared one, and its number stays when it is saved."""
    release = made()
    release.save(tmp_path / "a.dpmap")
    again = dm.open(tmp_path / "a.dpmap")
    assert again.grid == release.grid and again.id == release.id
    assert again.epsilon == release.policy.epsilon and again.crs.to_epsg() == 25830
    metric = dm.Grid.covering((0, 50, 1, 51), cell="20 km")
    for frame in (metric.to_geodataframe(), made(metric).patches()):
        assert "equal-area" in frame.crs.name


def test_all_tables_have_one_name_for_one_column():
    """Densities, areas and the layers' kinds and times are called alike, whatever the survey calls them."""
    release = made(GROUND.layered(*LAYERS))
    zone = gpd.GeoDataFrame(
        geometry=[shapely.box(500_000, 4_400_000, 510_000, 4_410_000)], crs=25830
    )
    tables = [release.to_geodataframe(), release.patches(), release.ask(zone)]
    for table in tables:
        assert {"density", "area_km2", "kind", "time", "species", "seen"} <= set(table.columns)
        assert (table.density == table.per_km2)[table.density.notna()].all()
        assert table.kind.tolist() == table.species.tolist()
    spots = made().hotspots(10).to_geodataframe()
    assert {"density", "area_km2"} <= set(spots.columns)


def test_one_call_makes_what_the_command_makes(tmp_path):
    """`save_all` fills a new folder with the same files as `--out`, those of layers in folders of their own."""
    release = made()
    paths = release.save_all(tmp_path / "all" / "map", context=False)
    listed = json.loads((HERE / "stability" / "surface.json").read_text("utf-8"))
    folder = tmp_path / "all" / "map"
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert there == set(listed["files of a release"]["dpmap release"])
    assert {path.relative_to(folder).as_posix() for path in paths} <= there
    assert dm.open(folder / "release.dpmap").id == release.id
    with pytest.raises(BadInput, match="holds a release"):
        release.save_all(folder)
    layers = made(GROUND.layered(*LAYERS)).save_all(tmp_path / "layers", only=["map.png"])
    assert len(layers) == 6 and layers[0].name == "release.dpmap"
    with pytest.raises(BadInput, match="only"):
        release.save_all(tmp_path / "none", only=["map.jpg"])


def test_an_inspection_is_a_table_that_says_what_the_notebook_now_holds():
    """Both forms begin with the warning, and names of the survey cannot become code of the page."""
    rows = pd.DataFrame({"<b>who": ["a", "a", "b"], "lon": [1.0, 1.0, 1.1], "lat": [50.0] * 3})
    survey = dm.read(rows, unit="<b>who", x="lon", y="lat", crs="EPSG:4326")
    seen = dm.inspect(survey)
    for shown in (repr(seen), seen._repr_html_()):
        warning = shown.index("holds true numbers")
        assert warning < shown.index("What it holds") < shown.index("rows per unit")
        assert "--" not in shown
    assert "<b>who" not in seen._repr_html_() and "&lt;b&gt;who" in seen._repr_html_()


def test_a_ledger_says_what_remains(tmp_path):
    """As does one that is not there."""
    ledger = dm.Ledger(tmp_path / "a.ledger")
    assert "no file a.ledger" in repr(ledger)
    ledger.plan("3", releases=4)
    assert repr(ledger) == "<Ledger a.ledger: 3 of epsilon 3 remains>"
    with pytest.raises(FileNotFoundError):
        dm.Ledger(tmp_path / "b.ledger").events()
