"""Public priors of a release: declared, named by their content, free, and checked before anything is spent."""

import hashlib
import json
from pathlib import Path

import geopandas as gpd
import numpy as np
import pytest
import rasterio
import shapely
from builders import surveys

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.grid.layer_axes import Kinds
from dpmap.ledger.ledger import Ledger
from dpmap.releases.summary import summarise
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement

SHAPE = (12, 16)
GRID = surveys.grid(shape=SHAPE)
EFFORT = np.add.outer(np.arange(12.0), np.arange(16.0))
TYPED = (
    "--bounds",
    "0,50,1,51",
    "--shape",
    "12,16",
    "--unit",
    "who",
    "--cap",
    "3",
    "--dataset",
    "d",
    "--budget",
    "9",
    "--epsilon",
    "1",
)


def drawn(folder: Path, prior: object, *, grid=GRID, policy=None, rows=None, **options):
    """A release of scattered sightings with these priors."""
    promise = dm.Policy(**{"epsilon": 1, "unit": "who", "cap": 3, **(policy or {})})
    rows = surveys.scattered(3000, people=500) if rows is None else rows
    return surveys.released(
        rows, folder, grid, promise, **{"strategy": "adaptive", "prior": prior, **options}
    )


def raster(path: Path, values: np.ndarray = EFFORT) -> Path:
    """An invented raster of observers' effort, over the same ground as the map."""
    where = {
        "crs": "EPSG:4326",
        "transform": rasterio.Affine(1 / values.shape[1], 0, 0, 0, -1 / values.shape[0], 51),
    }
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        height=values.shape[0],
        width=values.shape[1],
        count=1,
        dtype="float64",
        **where,
    ) as file:
        file.write(values, 1)
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory):
    """A release with two priors, and its folder with both."""
    folder = tmp_path_factory.mktemp("priors")
    parks = gpd.GeoDataFrame(
        {"people": [5.0]}, geometry=[shapely.box(0.2, 50.2, 0.5, 50.4)], crs="EPSG:4326"
    )
    parks.to_file(folder / "parks.gpkg")
    return drawn(
        folder,
        [raster(folder / "effort.tif"), f"{folder / 'parks.gpkg'}:people"],
        to=folder / "made.dpmap",
    ), folder


def test_each_prior_is_named_by_its_content(made) -> None:
    """Whoever has the file finds its hash in the record, the statement, the registry's words, the layers and about --json."""
    release, folder = made
    found = {"effort.tif": folder / "effort.tif", "parks.gpkg:people": folder / "parks.gpkg"}
    hashes = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()}
    assert {one.name: one.sha256 for one in release.record.priors} == hashes
    assert {one["name"]: one["sha256"] for one in summarise(release.record)["priors"]} == hashes
    from dpmap.statement.kinds import map_statement

    for words in (
        statement(release.record),
        privacy_yaml(release.record),
        map_statement(release.record).facts()["priors"],
    ):
        assert all(name in words and sha in words for name, sha in hashes.items())


def test_the_statement_says_who_declared_them_and_that_they_are_free(made) -> None:
    """That they were public is the steward's word; that they cost nothing, and are trusted by the noisy answers alone, is dpmap's."""
    for words in (
        statement(made[0].record),
        privacy_yaml(made[0].record),
        summarise(made[0].record)["priors_told"],
    ):
        assert "The steward declared that each was public before this release" in words
        assert (
            "cost no epsilon, and the noisy answers alone decide how far each is trusted" in words
        )


def test_a_release_without_priors_says_nothing_of_them(tmp_path: Path) -> None:
    """No word about what is not there."""
    record = drawn(tmp_path, None).record
    assert summarise(record)["priors"] == [] and summarise(record)["priors_told"] is None
    assert "prior" not in statement(record) + privacy_yaml(record)


def test_a_map_reads_the_same_from_its_file(made) -> None:
    """What was released and what is opened again have one estimate, to the last digit."""
    release, folder = made
    again = dm.open(folder / "made.dpmap")
    np.testing.assert_array_equal(again.estimate, release.estimate)
    np.testing.assert_array_equal(again.record.priors[0].values, release.record.priors[0].values)


def test_priors_cost_nothing(made) -> None:
    """The ledger pays the epsilon of the policy, and all answers together cost no more than that."""
    release, folder = made
    paid = [
        event.body["epsilon"]
        for event in Ledger(folder / "x.ledger").events()
        if event.body["kind"] == "reserve"
    ]
    assert paid == ["1"]
    assert sum(one.epsilon for one in release.measurements) == release.policy.epsilon == 1
    assert all(one.scale * one.epsilon == release.policy.cap for one in release.measurements)


def test_a_strategy_is_told_of_priors_and_of_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session hands on what was declared as it is, before the first question."""
    from dpmap import strategies

    seen = []

    def asking(session) -> None:
        seen.append(session.priors)
        strategies.flat(session)

    monkeypatch.setitem(strategies.STRATEGIES, "adaptive", asking)
    release = drawn(tmp_path, EFFORT, strategy="adaptive")
    assert seen == [release.record.priors]
    np.testing.assert_allclose(seen[0][0].values, EFFORT)


def test_an_earlier_release_is_a_prior(made, tmp_path: Path) -> None:
    """By its file or as it is, on its own cells, on larger ones, whose sum is kept, and on hexagons, some of which reach beyond its ground."""
    release, folder = made
    for grid in (GRID, surveys.grid(shape=(6, 8)), dm.Grid.hexagons((0, 50, 1, 51), resolution=5)):
        (tmp_path / "x.ledger").unlink(missing_ok=True)
        first, second = drawn(tmp_path, [folder / "made.dpmap", release], grid=grid).record.priors
        assert first.values.shape == grid.shape
        assert grid.kind == "hexagons" or float(first.values.sum()) == pytest.approx(
            release.estimate.sum(), rel=1e-5
        )
        np.testing.assert_array_equal(first.values, second.values)
        sha256 = hashlib.sha256((folder / "made.dpmap").read_bytes()).hexdigest()
        assert (first.name, first.sha256) == ("made.dpmap", sha256)


def test_what_a_prior_does_not_know_counts_as_usual(tmp_path: Path) -> None:
    """Cells without a number get the mean of the others: a gap in a prior says nothing of a place."""
    gap = EFFORT.copy()
    gap[:6] = np.nan
    (one,) = drawn(tmp_path, gap).record.priors
    np.testing.assert_allclose(one.values[:6], gap[6:].mean(), rtol=1e-6)
    np.testing.assert_allclose(one.values[6:], gap[6:], rtol=1e-6)


def test_tiers_and_layers_share_the_priors(tmp_path: Path) -> None:
    """Each reader's map, and each layer of one, holds what was declared for all."""
    grid = GRID.layered(Kinds("what", ("a", "b")))
    rows = [
        f"{row},{'ab'[number % 2]}"
        for number, row in enumerate(surveys.scattered(3000, people=500))
    ]
    survey = surveys.survey(tmp_path, rows, "who,longitude,latitude,what")
    tiers = drawn(tmp_path, EFFORT, grid=grid, rows=survey, tiers={"public": "0.3", "manager": 1})
    for release in tiers.values():
        assert [one.name for one in release.record.priors] == ["array 1"]
        for layer in release.layers.values():
            assert layer.record.priors == release.record.priors
            assert np.isfinite(layer.estimate).all()


def test_a_merged_map_keeps_each_partners_priors(tmp_path: Path) -> None:
    """They stay with the map that they were declared for."""
    one, other = drawn(tmp_path, EFFORT), drawn(tmp_path, None, dataset="another")
    merged = dm.merge([one, other])
    merged.save(tmp_path / "both.dpmap")
    partners = dm.open(tmp_path / "both.dpmap").record.partners
    assert [len(partner.priors) for partner in partners] == [1, 0]


BAD = {
    "nothing there": "there is no file",
    "a folder": "is a folder",
    "an empty file": "cannot be read",
    "no release": "is not a dpmap release",
    "elsewhere": "overlaps it",
    "all zero": "above 0",
    "below 0": "below 0|negative",
    "no numbers": "numbers",
    "another shape": "one for each cell",
    "a number": "one for each cell",
    "too many": "at most 16",
    "not held": "none that can be held",
}


def bad(folder: Path, kind: str) -> object:
    """Something that is no prior."""
    (folder / "empty.tif").write_bytes(b"")
    (folder / "empty.dpmap").write_bytes(b"")
    return {
        "nothing there": lambda: folder / "no.tif",
        "a folder": lambda: folder,
        "an empty file": lambda: folder / "empty.tif",
        "no release": lambda: folder / "empty.dpmap",
        "elsewhere": lambda: np.full(SHAPE, np.nan),
        "all zero": lambda: raster(folder / "zero.tif", EFFORT * 0),
        "below 0": lambda: raster(folder / "below.tif", -1 - EFFORT),
        "no numbers": lambda: [["a"]],
        "another shape": lambda: np.ones((2, 2)),
        "a number": lambda: 3,
        "too many": lambda: [EFFORT] * 17,
        "not held": lambda: np.full(SHAPE, 1e300),
    }[kind]()


@pytest.mark.parametrize("kind", BAD)
def test_nothing_is_spent_on_a_prior_that_cannot_be_used(tmp_path: Path, kind: str) -> None:
    """One line says what is wrong with it, and there is no ledger yet."""
    with pytest.raises(BadInput, match=BAD[kind]) as refused:
        drawn(tmp_path, bad(tmp_path, kind))
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "x.ledger").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "sparse:20"},
        {"strategy": "flat"},
        {"grid": surveys.grid(shape=(4, 4)), "prior": np.ones((4, 4))},
        {"strategy": "flat", "policy": {"delta": "1e-6", "units": 500}, "budget_delta": "1e-5"},
    ],
)
def test_a_map_that_no_prior_would_change_is_refused(tmp_path: Path, options: dict) -> None:
    """Its statement would say that something was used, and it was not."""
    with pytest.raises(BadInput, match="leave prior= out"):
        drawn(tmp_path, **{"prior": EFFORT, **options})
    assert not (tmp_path / "x.ledger").exists()


@pytest.mark.parametrize(
    ("shape", "strategy"), [(SHAPE, "flat"), (SHAPE, "sparse:20"), ((4, 4), "adaptive")]
)
def test_a_trial_on_public_numbers_refuses_them_too(shape: tuple[int, int], strategy: str) -> None:
    """Whoever tries a prior on a map that it would not change is told so, rather than shown the same map."""
    with pytest.raises(BadInput, match="no prior would change it"):
        dm.simulate(np.ones(shape), epsilon=1, strategy=strategy, prior=np.ones(shape))


# --- on the command line -----------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with a survey and a raster; of each file beside release.dpmap only a stub is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        dm.Release, "write", lambda made, path: (path.write_bytes(b"stub"), [path])[1]
    )
    surveys.written(tmp_path, surveys.scattered(3000, people=500), name="s.csv")
    raster(tmp_path / "effort.tif")
    return tmp_path


def test_priors_are_named_by_flags_or_in_the_file_of_flags(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--prior may be repeated; in dpmap.toml it is a list."""
    assert run(["release", "s.csv", *TYPED, "--out", "one", "--prior", "effort.tif"]) == 0
    (here / "dpmap.toml").write_text('prior = ["effort.tif", "one/release.dpmap"]\n')
    assert run(["release", "s.csv", *TYPED, "--out", "two", "--config", "dpmap.toml"]) == 0
    capsys.readouterr()
    assert run(["about", "two/release.dpmap", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told["priors"]] == ["effort.tif", "release.dpmap"]


@pytest.mark.parametrize("prior", ["s.csv", "copy.csv", "no.tif", "effort.tif:9", "empty.tif"])
def test_a_bad_prior_is_one_line_and_costs_nothing(
    here: Path, capsys: pytest.CaptureFixture[str], prior: str
) -> None:
    """The survey itself or a copy of it, a file that is not there or holds nothing: exit code 2, no folder and no ledger."""
    (here / "copy.csv").write_bytes((here / "s.csv").read_bytes())
    (here / "empty.tif").write_bytes(b"")
    assert run(["release", "s.csv", *TYPED, "--out", "one", "--prior", prior]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "prior" in err
    assert not (here / "one").exists()
    assert not (here / "dpmap.ledger").exists()
