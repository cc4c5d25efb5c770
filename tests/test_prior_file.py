"""Public priors in release.dpmap: what was declared comes back, and a stranger's file can claim nothing that cannot be."""

import copy
import io
import json
import pickle
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from builders import records

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.grid.layer_axes import Kinds
from dpmap.record import Prior, Record
from dpmap.record.release_file import read_record, write_record

GRID = Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
EFFORT = np.arange(20.0).reshape(4, 5) / 3


def recorded(grid: Grid = GRID) -> Record:
    """A small map with two priors."""
    priors = (Prior("effort.tif", "ab" * 32, EFFORT), *Prior.of_arrays(np.ones((4, 5)), (4, 5)))
    answers = [records.measured(Partition.cells(grid), 3.0, records.promise())]
    return records.record(grid, records.promise(), answers, priors=priors)


def entries_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def edited(path: Path, edit) -> Path:
    """Writes the file again with its document, and its entries, changed."""
    entries = entries_of(path)
    document = json.loads(entries["dpmap.json"])
    edit(document, entries)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**entries, "dpmap.json": json.dumps(document).encode()}.items():
            archive.writestr(name, content)
    return path


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    """Names, hashes and numbers of every prior are those that were declared, in the precision they had before."""
    made = recorded()
    write_record(made, tmp_path / "a.dpmap")
    found = read_record(tmp_path / "a.dpmap")
    for one, other in zip(made.priors, found.priors, strict=True):
        assert (one.name, one.sha256) == (other.name, other.sha256)
        np.testing.assert_array_equal(one.values, other.values)


def test_a_map_without_priors_is_written_as_before(tmp_path: Path) -> None:
    """Only a file with priors is of the fifth version; any other can be opened by an older dpmap."""
    versions = []
    for record in (recorded(), replace(recorded(), priors=())):
        write_record(record, tmp_path / "a.dpmap")
        document = json.loads(entries_of(tmp_path / "a.dpmap")["dpmap.json"])
        versions.append((document["format_version"], "priors" in document))
    assert versions == [(5, True), (1, False)]


def test_any_tool_finds_the_numbers(tmp_path: Path) -> None:
    """A prior is a plain array in the file, named in its document."""
    write_record(recorded(), tmp_path / "a.dpmap")
    entries = entries_of(tmp_path / "a.dpmap")
    assert json.loads(entries["dpmap.json"])["priors"][0] == {
        "name": "effort.tif",
        "sha256": "ab" * 32,
    }
    told = np.load(io.BytesIO(entries["prior_0.npy"]), allow_pickle=False)
    np.testing.assert_array_equal(told, EFFORT.astype(np.float32).ravel())


def test_every_layer_has_the_same_priors() -> None:
    """A layer taken by itself keeps what was public beforehand."""
    layered = GRID.layered(Kinds("kind", ("eagle", "owl")))
    made = recorded(layered)
    assert made.layer(("owl",)).priors == made.priors
    assert made.priors[0].values.shape == layered.cells.shape


def test_a_prior_cannot_be_changed() -> None:
    """Neither it nor a copy of it."""
    one = recorded().priors[0]
    for held in (one, copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301  # our own
        np.testing.assert_array_equal(held.values, one.values)
        with pytest.raises(ValueError, match="read-only"):
            held.values[0, 0] = 5


def test_the_hash_of_an_array_is_that_of_its_numbers() -> None:
    """However an array lies in memory: equal numbers, equal hash."""
    one, other = (
        Prior.of_array(array, (4, 5)) for array in (EFFORT, np.asfortranarray(EFFORT).astype(">f8"))
    )
    assert one.sha256 == other.sha256 != Prior.of_array(EFFORT + 1, (4, 5)).sha256


HOSTILE = {
    "an older version": lambda plain, _: plain.update(format_version=4),
    "too many": lambda plain, _: plain.update(priors=plain["priors"] * 9),
    "no list": lambda plain, _: plain.update(priors={"name": "a"}),
    "no mapping": lambda plain, _: plain.update(priors=[1]),
    "no hash": lambda plain, _: plain["priors"][0].pop("sha256"),
    "a short hash": lambda plain, _: plain["priors"][0].update(sha256="abc"),
    "a hash of other marks": lambda plain, _: plain["priors"][0].update(sha256="<" * 64),
    "a name of two lines": lambda plain, _: plain["priors"][0].update(name="a\nb"),
    "no name": lambda plain, _: plain["priors"][0].update(name=""),
    "a long name": lambda plain, _: plain["priors"][0].update(name="a" * 201),
    "no array": lambda _, entries: entries.pop("prior_1.npy"),
    "another length": lambda _, entries: entries.update(
        {"prior_1.npy": npy(np.ones(19, dtype="<f4"))}
    ),
    "another type": lambda _, entries: entries.update({"prior_1.npy": npy(np.ones(20))}),
    "a pickle": lambda _, entries: entries.update({"prior_1.npy": npy(np.full(20, None))}),
    "below 0": lambda _, entries: entries.update(
        {"prior_1.npy": npy(np.full(20, -1, dtype="<f4"))}
    ),
    "no number": lambda _, entries: entries.update(
        {"prior_1.npy": npy(np.full(20, np.nan, dtype="<f4"))}
    ),
    "no end": lambda _, entries: entries.update(
        {"prior_1.npy": npy(np.full(20, np.inf, dtype="<f4"))}
    ),
    "nothing": lambda _, entries: entries.update({"prior_1.npy": npy(np.zeros(20, dtype="<f4"))}),
    "a bomb": lambda _, entries: entries.update(
        {"prior_1.npy": npy(np.ones(20, dtype="<f4")) + b"\0" * 9_000_000}
    ),
}


@pytest.mark.parametrize("claim", HOSTILE)
def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, claim: str) -> None:
    """A stranger's file is opened whole or not at all."""
    write_record(recorded(), tmp_path / "bad.dpmap")
    with pytest.raises(BadInput) as refused:
        dm.open(edited(tmp_path / "bad.dpmap", HOSTILE[claim]))
    assert "bad.dpmap" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("given", [3, "effort.tif", [np.ones((3, 3))], -np.ones((4, 4)), np.full((4, 4), np.nan), np.zeros((4, 4)),
                                   [["x"]], [np.ones((4, 4))] * 17, np.full((4, 4), 1e300)])  # fmt: skip
def test_a_rehearsal_refuses_what_is_no_prior(given: object) -> None:
    """`simulate` takes arrays of the counts' shape, and says of anything else what is wrong."""
    with pytest.raises(BadInput, match="^prior: ") as refused:
        dm.simulate(np.ones((4, 4)), epsilon=1, prior=given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("shape", [(32, 32), (1000,)])
def test_a_rehearsal_takes_priors(shape: tuple[int, ...]) -> None:
    """One array or several, of one dimension or two, and the map keeps the shape of the counts."""
    counts = np.ones(shape)
    assert dm.simulate(counts, epsilon=1, prior=counts).shape == shape
    assert dm.simulate(counts, epsilon=1, prior=[counts, counts * 2]).shape == shape
