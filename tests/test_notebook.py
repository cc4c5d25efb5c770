"""What a notebook shows and completes: every option by name, a card for each kind of map, a Dataset that others understand."""

import inspect
import re
import warnings
from dataclasses import fields

import folium
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pyproj
import pytest
from builders import records, surveys

import dpmap as dm
from dpmap import style
from dpmap.errors import BadInput
from dpmap.maps import read_map
from dpmap.releases.release import Release
from dpmap.render import notebook
from dpmap.render.colouring import View
from dpmap.render.folium_map import explore
from dpmap.statement.kinds import map_statement

HOSTILE = "Owls {{7*7}} <b>'x\" & y"
KINDS, TIMES = (
    dm.Kinds("species", ("Kestrel", HOSTILE)),
    dm.Times("seen", ("2023", "2024", "2024-07", "2025")),
)
GROUND = dm.Grid(bounds=(500_000, 4_400_000, 530_000, 4_420_000), shape=(4, 6), crs="EPSG:25830")


def release(grid=GROUND, name=HOSTILE, **changed) -> Release:
    """A release with some noise, from a seed."""
    policy, cells = records.promise(**changed), dm.Partition.cells(grid)
    noise = np.random.default_rng(3).laplace(0, float(policy.scale), cells.regions)
    return Release(
        records.record(grid, policy, [records.measured(cells, 40.0, policy, noise)], name)
    )


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    """A release of each kind of map."""
    folder = tmp_path_factory.mktemp("kinds")
    rows = [
        (f"p{i}", 500_000 + i % 30 * 1000, 4_400_000 + i % 20 * 1000, i % 9) for i in range(300)
    ]
    survey = surveys.survey(
        folder,
        rows,
        "who,x,y,height",
        x="x",
        y="y",
        crs="EPSG:25830",
        mean="height",
        between="0,10",
    )
    plain = surveys.survey(folder, rows, "who,x,y,height", x="x", y="y", crs="EPSG:25830")
    asked = dm.local.ask(GROUND, "2", title="Owls", text="Where did you hear one?")
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    return {
        "totals": release(),
        "layered": release(GROUND.layered(KINDS, TIMES)),
        "means": surveys.released(survey, folder, GROUND, policy),
        "sparse": surveys.released(
            plain, folder, GROUND, policy, strategy="sparse:2", ledger=folder / "y.ledger"
        ),
        "reports": dm.local.aggregate([dm.local.randomise(3, asked) for _ in range(50)], asked),
        "merged": dm.merge([release(name="one"), release(name="two")]),
    }


def options(call):
    """The options of a call, with their defaults."""
    return {
        name: one.default
        for name, one in inspect.signature(call).parameters.items()
        if one.default is not one.empty
    }


def test_tab_finds_every_option_with_the_default_that_is_drawn():
    """`plot` has each option of a picture, `explore` of a page, `draw` of both, all of them explained where they stand."""
    picture = {field.name: field.default for field in fields(View)}
    page = options(explore)
    assert options(Release.plot) == {"ax": None, "figsize": None, "crs": None, **picture}
    assert options(Release.explore) == {"m": None, **page}
    assert options(Release.draw) == {**picture, **page, "dpi": 300}
    for call in (Release.plot, Release.explore):
        assert all(f"`{name}`" in call.__doc__ for name in options(call))
        assert call.__doc__ == call.__wrapped__.__doc__ and not any(
            one.kind is one.VAR_KEYWORD for one in inspect.signature(call).parameters.values()
        )


@pytest.mark.parametrize(("act", "words"), [
    (lambda made, folder: made.plot(treshold=3), "plot: treshold is no option (did you mean threshold?)"),
    (lambda made, folder: made.explore(zoom=3), "explore: zoom is no option; it has m, level, per_km2, context, tiles"),
    (lambda made, folder: made.draw(folder / "m.png", lvel=0.8), "draw: lvel is no option (did you mean level?)"),
    (lambda made, folder: made.draw(folder / "m.html", what="low", dpi=90), "what, dpi: for pictures only; leave them out"),
    (lambda made, folder: made.draw(folder / "m.svg", per_km2=False), "per_km2: for pages (.html) only; leave it out"),
    (lambda made, folder: made.plot("low"), "ax: give Axes of matplotlib, such as the second that plt.subplots() returns"),
    (lambda made, folder: made.explore("map"), "m: give a folium Map of your own, like m=folium.Map()"),
    (lambda made, folder: made.explore(folium.Map(), per_km2=False),
     "explore: tiles, context and per_km2=False are for a page of dpmap's own; leave them out with m="),
])  # fmt: skip
def test_a_mistaken_option_is_answered_in_one_line(tmp_path, act, words):
    """It names the option and what to type instead, and nothing is drawn."""
    with pytest.raises(BadInput) as caught:
        act(release(), tmp_path)
    assert str(caught.value) == words
    assert not list(tmp_path.iterdir())


def test_a_kind_without_an_option_says_what_it_has(kinds, tmp_path):
    """Means show three readings, a sparse release one picture, merged maps and reports no hot spots."""
    for kind, asked, words in (
        ("means", {"suppress": True}, "estimate, or the low or high"), ("sparse", {"legend": False}, "one way only"),
        ("merged", {"hotspots": "surroundings"}, "hotspots"), ("reports", {"hotspots": "surroundings"}, "hotspots"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=words):
            kinds[kind].draw(tmp_path / "map.png", **asked)


def test_a_map_is_drawn_on_axes_of_ones_own():
    """And nothing else of their figure is touched."""
    figure, (left, right) = plt.subplots(1, 2)
    assert release().plot(ax=right, legend=False, notes=False, context=False, title="mine") is right
    assert right.collections and not left.collections and figure.axes == [left, right]
    plt.close(figure)


def test_places_are_added_to_a_map_of_ones_own(kinds):
    """Each layer by its name, with colours, numbers under the pointer and a legend; a map that fetches is warned of."""
    mine = folium.Map()
    with pytest.warns(UserWarning, match="whoever opens it"):
        assert kinds["layered"].explore(m=mine) is mine
    page = mine.get_root().render()
    groups = [child for child in mine._children.values() if isinstance(child, folium.FeatureGroup)]
    assert [group.show for group in groups] == [True] + 5 * [False] and "<b>" not in groups[
        -1
    ].tile_name
    assert "<b>'x" not in page
    assert map_statement(kinds["layered"].record).provenance()[:20] in page and "km\\u00b2" in page


@pytest.mark.parametrize("kind", ["totals", "merged", "reports"])
def test_what_is_added_is_what_the_map_tells(kinds, kind):
    """Each place once, in its own numbers, over the whole area; a page of dpmap's own is not warned of."""
    made = kinds[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        mine = made.explore(m=release().explore())
    layer = next(
        one
        for group in mine._children.values()
        for one in group._children.values()
        if hasattr(one, "data")
    )
    found = layer.data["features"]
    assert len(found) == (len(made.patches()) if read_map(made.record).parted else GROUND.size)
    assert all(re.fullmatch("#[0-9a-f]{6}", one["properties"]["colour"]) for one in found)
    assert (
        sum(int(one["properties"]["place"].split()[0].replace(",", "")) for one in found)
        == GROUND.size
    )
    if kind == "totals":
        held = made.patches()[["estimate", "low", "high"]].map(style.number).itertuples(index=False)
        told_by = [one["properties"]["holds"] for one in found if one["properties"]["told"]]
        assert told_by == [
            f"{one.estimate} records ({one.low} to {one.high})"
            for one in list(held)[: len(told_by)]
        ]


@pytest.mark.parametrize("kind", ["totals", "layered", "means", "sparse", "reports", "merged"])
def test_a_notebook_shows_picture_promise_and_how_to_go_on(kinds, kind):
    """Small, with nothing that loads or runs and all names escaped; each call that it offers is one that the release has."""
    made = kinds[kind]
    shown = made._repr_html_()
    assert 'src="data:image/png;base64,' in shown and len(shown) < 300_000
    assert (
        "odds" in shown
        and f"epsilon {2 if kind == 'reports' else 1 if kind in ('means', 'sparse', 'merged') else '0.5'}"
        in shown
    )
    assert not re.search(r"<script|https?:|<b>'|\son\w+=", shown)
    calls = re.findall(r"<code>\.(\w+)\(", shown)
    assert len(calls) >= 3 and all(callable(getattr(made, call)) for call in calls)


def test_a_large_map_is_shown_in_words(monkeypatch):
    """Nothing that large is drawn because a line of a notebook ended with its name."""
    monkeypatch.setattr(notebook, "MOST", 10)
    shown = release()._repr_html_()
    assert "too large to be drawn unasked" in shown and "<img" not in shown
    assert "Owls {{7*7}} &lt;b&gt;" in shown and "odds" in shown and ".plot()" in shown


def test_a_heavy_picture_is_made_lighter(monkeypatch):
    """Until a notebook can keep it."""
    monkeypatch.setattr(notebook, "BYTES", 20_000)
    assert len(release()._repr_html_()) < 30_000


@pytest.mark.parametrize("ground", [
    GROUND, dm.Grid(bounds=(-2, 40, -1, 41), shape=(3, 5), crs="EPSG:4326"), dm.Grid.hexagons(records.LAND, resolution=5)
], ids=["projected", "degrees", "hexagons"])  # fmt: skip
def test_layers_are_one_cube(ground):
    """By kind and by the day on which each span begins, with the numbers of each layer where its names say."""
    made = release(ground.layered(KINDS, TIMES))
    data = made.to_xarray()
    assert data.estimate.dims[:2] == ("kind", "time") and np.array_equal(
        data.estimate, made.estimate, equal_nan=True
    )
    assert list(data.time.to_index()) == [
        pd.Timestamp(day) for day in ("2023-01-01", "2024-01-01", "2024-07-01")
    ]
    assert list(data.time_name.to_numpy()) == list(TIMES.layers)
    assert (data.time_bnds[1:, 0].to_numpy() == data.time_bnds[:-1, 1].to_numpy()).all()
    low = made.layer("kestrel, 2024-07 to 2024-12").interval(0.9)[0]
    assert np.array_equal(data.low.sel(kind="Kestrel", time="2024-07-01"), low, equal_nan=True)
    assert (
        data.attrs["title"] == HOSTILE
        and data.attrs["epsilon"] == "0.5"
        and data.area.dims == data.estimate.dims[2:]
    )


def test_two_axes_of_one_sort_have_dimensions_of_their_own():
    """A day of the sighting and a day of the report."""
    made = release(
        GROUND.layered(
            dm.Times("seen", ("2023", "2024", "2025")), dm.Times("told", ("2024", "2025"))
        )
    )
    assert made.to_xarray().estimate.dims == ("time", "time_2", "y", "x")


@pytest.mark.parametrize("layered", [False, True])
def test_the_reference_system_stands_where_rioxarray_looks(layered):
    """It follows `grid_mapping` to a coordinate, by default `spatial_ref`, and reads its `spatial_ref` or `crs_wkt`."""
    data = release(GROUND.layered(TIMES) if layered else GROUND).to_xarray()
    for name, variable in data.data_vars.items():
        told_by = variable.coords[variable.attrs["grid_mapping"]].attrs
        assert variable.attrs["grid_mapping"] == "spatial_ref", name
        assert (
            pyproj.CRS(told_by["spatial_ref"])
            == pyproj.CRS(told_by["crs_wkt"])
            == pyproj.CRS(GROUND.crs)
        )
    pytest.importorskip("rioxarray")
    assert data.rio.crs.to_epsg() == 25830 and data.estimate.rio.bounds() == pytest.approx(
        GROUND.cells.bounds
    )


def test_a_path_is_inspected_as_its_survey(tmp_path):
    """`dm.inspect(path)` tells what `dm.inspect(dm.read(path))` tells, and takes the same options."""
    path = surveys.written(tmp_path, surveys.scattered(30))
    assert dm.inspect(path, unit="who") == dm.inspect(dm.read(path), unit="who")
    with pytest.raises(BadInput):
        dm.inspect(tmp_path / "none.csv")
