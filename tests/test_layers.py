"""A map for each kind and each season costs one epsilon: the cap spans them all, and nothing undeclared appears."""

import itertools
import os

import numpy as np
import pytest
from builders import surveys
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput
from dpmap.promise.limiters import LIMITERS
from dpmap.vault.cap_sql import capped_totals

DEEP = os.environ.get("DPMAP_DEEP") == "1"
KINDS = dm.Kinds("species", ("Kestrel", "Barn owl"))
TIMES = dm.Times("seen", ("2023", "2024", "2024-07", "2025"))
GROUND = dm.Grid(bounds=(0, 0, 4, 2), shape=(2, 4), crs="EPSG:3857")
GRID = GROUND.layered(KINDS, TIMES)
NEARLY_EXACT = 10**6


def survey(tmp_path, rows):
    return surveys.survey(tmp_path, rows, "who,x,y,species,seen", **surveys.METRES)


def totals(rows, policy, grid=GRID):
    found = DuckDB(threads=1).totals(rows, grid, policy, capped_totals(policy), lambda step: None)
    full = np.zeros(grid.size)
    full[found._cells] = found._steps / policy.lattice
    return full.reshape(grid.shape)


@pytest.mark.parametrize(
    ("kind", "seen", "place"),
    [
        ("Kestrel", "2023-05-01", (0, 0)),
        ("kestrel ", "2023", (0, 0)),
        ("BARN OWL", "2024-06-30T23:59:59Z", (1, 1)),
        ("Barn owl", "2024-07-01", (1, 2)),
        ("Barn owl", "2024-07-01 06:00:00", (1, 2)),
        ("Kestrel", "2024-06", (0, 1)),
        ("Kestrel", "2024", None),
        ("Kestrel", "2025-01-01", None),
        ("Kestrel", "2022-12-31", None),
        ("Kestrel", "1 May 2023", None),
        ("Kestrel", "2023-13-01", None),
        ("Kestrel", "", None),
        ("Merlin", "2023-05-01", None),
        ("", "2023-05-01", None),
    ],
)
def test_a_row_counts_in_the_layer_it_surely_belongs_to(tmp_path, kind, seen, place):
    """Case and outer spaces do not matter, a coarse date counts where it fits in one span, the undeclared nowhere."""
    rows = survey(
        tmp_path, [("a", 1.5, 0.5, kind, seen), *(("b", 0.5, 0.5, "Kestrel", "2023-01-01"),) * 100]
    )
    found = totals(rows, dm.Policy(epsilon=1, unit="who", cap=1))
    found[0, 0, 1, 0] = 0
    expected = np.zeros(GRID.shape)
    if place:
        expected[(*place, 1, 1)] = 1
    assert np.array_equal(found, expected)


one_row = st.tuples(
    st.sampled_from("abc"),
    st.sampled_from([0.5, 1.5, 9.0]),
    st.just(0.5),
    st.sampled_from(["Kestrel", "barn owl", "Merlin"]),
    st.sampled_from(["2023-02-03", "2024-02-03", "2024-08", "2024", "never"]),
)


@pytest.mark.parametrize("limiter", LIMITERS)
@settings(max_examples=200 if DEEP else 20, deadline=None)
@given(rows=st.lists(one_row, min_size=1, max_size=12))
def test_one_unit_adds_no_more_than_the_cap_to_all_layers_together(tmp_path_factory, limiter, rows):
    """Taking anyone out moves all maps together by at most C."""
    policy = dm.Policy(epsilon=1, unit="who", cap=2, limiter=limiter)
    folder = tmp_path_factory.mktemp("survey")
    anchors = [(f"z{i}", 3.5, 0.5, "Kestrel", "2023-01-01") for i in range(100)]
    whole = totals(survey(folder, rows + anchors), policy)
    for name in {row[0] for row in rows}:
        others = totals(survey(folder, [row for row in rows if row[0] != name] + anchors), policy)
        assert np.abs(whole - others).sum() <= policy.cap


@pytest.mark.parametrize("strategy", ["flat", "adaptive"])
def test_every_layer_is_a_release_of_its_own_and_all_cost_one_epsilon(tmp_path, strategy):
    """With next to no noise each layer shows its own rows, whatever the grid and strategy."""
    rng = np.random.default_rng(3)
    rows = [(f"p{i}", rng.uniform(0, 64), rng.uniform(0, 48), rng.choice(["Kestrel", "Barn owl"]), rng.choice(["2023", "2024-03", "2024-09"]))
            for i in range(3000)]  # fmt: skip
    ground = dm.Grid(bounds=(0, 0, 64, 48), shape=(12, 16), crs="EPSG:3857")
    grid, book = ground.layered(KINDS, TIMES), dm.Ledger(tmp_path / "x.ledger")
    policy = dm.Policy(epsilon=NEARLY_EXACT, unit="who", cap=1)
    made = dm.release(
        survey(tmp_path, rows), grid, policy, ledger=book, dataset="d", budget=NEARLY_EXACT, strategy=strategy,
        confirm_epsilon=True,
    )  # fmt: skip
    assert book.balance()[1] == NEARLY_EXACT
    assert sum(m.epsilon for m in made.measurements) == NEARLY_EXACT
    expected = totals(survey(tmp_path, rows), policy, grid)
    assert made.estimate.shape == (2, 3, 12, 16)
    assert np.abs(made.estimate - expected).max() < 0.05
    made.save(tmp_path / "r.dpmap")
    again = dm.open(tmp_path / "r.dpmap")
    assert np.array_equal(again.estimate, made.estimate)
    assert list(again.layers) == list(itertools.product(KINDS.layers, TIMES.layers))
    for (names, layer), part in zip(again.layers.items(), expected.reshape(6, 12, 16), strict=True):
        assert np.abs(layer.estimate - part).max() < 0.05
        assert layer.record.title == f"d: {', '.join(names)}"
        low, high = layer.interval(0.9)
        assert ((low <= part + 0.01) & (part - 0.01 <= high)).all()
        assert abs(layer.ask((0, 0, 0.001, 0.001)).geometry.size) == 1


@pytest.mark.parametrize("strategy", ["flat", "adaptive"])
@pytest.mark.parametrize("ground", [
    GROUND,
    dm.Grid(bounds=(0, 0, 30, 7), shape=(7, 30), crs="EPSG:3857", mask=np.arange(210).reshape(7, 30) % 3 > 0),
], ids=["few cells", "masked"])  # fmt: skip
def test_layers_stand_apart(ground, strategy):
    """What lies in one layer is measured by regions of that layer alone, and every cell of it is measured."""
    from dpmap import strategies
    from dpmap.vault.session import Session

    grid = ground.layered(dm.Kinds("k", tuple("abcdefg")))
    policy = dm.Policy(epsilon=1, unit="who", cap=1)
    counts = np.zeros(grid.shape)
    counts[2] = 5000
    session = Session(np.where(grid.inside, counts, 0), grid, policy.epsilon, 1, policy.lattice)
    strategies.find_strategy(strategy)(session)
    for measurement in session.made:
        for place in grid.layers.values():
            within = measurement.within(place)
            assert within is not None
            assert (within.partition.labels[ground.inside] >= 0).all()


@pytest.mark.parametrize("axes", [
    lambda: dm.Kinds("species", ()), lambda: dm.Kinds("", ("a",)), lambda: dm.Kinds("species", ("a", "A ")),
    lambda: dm.Kinds("species", ("a", " ")), lambda: dm.Times("seen", ("2024",)), lambda: dm.Times("seen", ("2025", "2024")),
    lambda: dm.Times("seen", ("yesterday", "2024")), lambda: GROUND.layered(KINDS, dm.Kinds("Species", ("x",))),
    lambda: GROUND.layered(dm.Kinds("k", tuple(map(str, range(20_000))))),
])  # fmt: skip
def test_an_impossible_layer_is_one_line(axes):
    with pytest.raises(BadInput) as caught:
        axes()
    assert "\n" not in str(caught.value)


def test_a_missing_column_names_the_flag(tmp_path):
    rows = survey(tmp_path, [("a", 1.5, 0.5, "Kestrel", "2023")])
    grid = GROUND.layered(dm.Kinds("kind", ("a",)))
    with pytest.raises(BadInput, match="kinds"):
        dm.release(
            rows,
            grid,
            dm.Policy(epsilon=1, unit="who", cap=1),
            ledger=tmp_path / "l",
            dataset="d",
            budget=1,
        )


def made_release(tmp_path, strategy="adaptive"):
    rows = [
        (
            f"p{i}",
            i % 40 / 10,
            i % 20 / 10,
            KINDS.names[i % 2],
            ["2023", "2024-03", "2024-09"][i % 3],
        )
        for i in range(900)
    ]
    policy = dm.Policy(epsilon=2, unit="who", cap=1)
    return dm.release(
        survey(tmp_path, rows),
        GRID,
        policy,
        ledger=tmp_path / "l",
        dataset="Birds",
        budget=2,
        strategy=strategy,
    )


def test_tables_and_answers_name_the_layer_of_each_row(tmp_path):
    made = made_release(tmp_path)
    frame = made.to_geodataframe()
    assert len(frame) == GRID.size
    assert list(dict.fromkeys(zip(frame["species"], frame["seen"], strict=True))) == list(
        made.layers
    )
    answers = made.ask((0, 0, 0.00001, 0.00001))
    assert list(answers["species"]) == [kind for kind in KINDS.names for _ in TIMES.layers]


def test_a_layer_says_where_its_map_comes_from(tmp_path):
    """The layers of a map just made were made here; those of an opened file are from the file."""
    made = made_release(tmp_path)
    assert all(layer.fresh and "made here" in repr(layer) for layer in made.layers.values())
    made.save(tmp_path / "birds.dpmap")
    opened = dm.open(tmp_path / "birds.dpmap")
    assert not any(layer.fresh or "made here" in repr(layer) for layer in opened.layers.values())


def test_one_picture_shows_all_layers_in_the_same_classes(tmp_path):
    """Each with its name, and one legend beside them."""
    import matplotlib.pyplot as plt
    from matplotlib.text import Text

    made = made_release(tmp_path)
    made.draw(tmp_path / "map.png", dpi=50)
    figure = made.plot().get_figure()
    words = [text.get_text() for text in figure.findobj(Text)]
    for names in made.layers:
        assert any(", ".join(names) in word for word in words)
    plt.close(figure)


def test_what_shows_one_map_asks_for_the_layer(tmp_path):
    made = made_release(tmp_path)
    for refused in (made.hotspots, lambda: made.export(tmp_path / "x.tif")):
        with pytest.raises(BadInput, match="Kestrel, 2023"):
            refused()
    made.layer("barn owl,2024-07 to 2024-12").export(tmp_path / "x.tif")
    with pytest.raises(BadInput, match="Kestrel, 2023; "):
        made.layer("Merlin")
    with pytest.raises(BadInput, match="has none"):
        made.layer("barn owl,2023").layer("x")


def test_the_command_line_makes_a_folder_for_each_layer(tmp_path):
    from typer.testing import CliRunner

    from dpmap.cli.commands import app

    made_release(tmp_path)
    shown = CliRunner().invoke(app, [
        "release", str(tmp_path / "survey.csv"), "--unit", "who", "--x", "x", "--y", "y", "--crs", "EPSG:3857", "--bounds", "0,0,4,2",
        "--shape", "2,4", "--grid-crs", "EPSG:3857", "--epsilon", "1", "--cap", "1", "--kinds", "species=Kestrel,Barn owl",
        "--dataset", "d", "--budget", "1", "--out", str(tmp_path / "out"),
    ])  # fmt: skip
    assert shown.exit_code == 0, shown.output
    for folder in ("01-kestrel", "02-barn-owl"):
        made = {path.name for path in (tmp_path / "out" / folder).iterdir()}
        assert {"map.png", "cells.gpkg", "map.tif"} <= made
    words = (tmp_path / "out" / "statement.md").read_text()
    assert "a layer for each `species` (`Kestrel`, `Barn owl`)" in words
