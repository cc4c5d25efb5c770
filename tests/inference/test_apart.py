"""What readings are promised of answers that pool earlier ones: taken apart they are as if each question had been asked alone."""

import io
import json
import zipfile
from fractions import Fraction

import numpy as np
import pytest
from builders import records
from builders.sessions import PublicSession, Seeded

from dpmap.errors import BadInput
from dpmap.grid import Grid, Partition
from dpmap.inference.patches.region_tree import Regions
from dpmap.inference.tree_estimate import TreeEstimate
from dpmap.promise.policy import Policy
from dpmap.record import Measurement
from dpmap.record.release_file import read_record, write_record
from dpmap.record.unpool import superseded_answers, unpool
from dpmap.selftest.statistics import check_counts

GRID = Grid(bounds=(0, 0, 32, 32), shape=(32, 32), crs="EPSG:3857")
LATTICE = 1 << 32


def answered(steps, scale, epsilon, *, pooled=0, earlier=()):
    """The answers about as many regions as there are numbers."""
    partition = Partition(np.arange(len(steps)))
    counts = np.full(len(steps), pooled, dtype=np.uint8)
    return Measurement(
        partition,
        steps,
        lattice=LATTICE,
        scale=scale,
        epsilon=epsilon,
        pooled=counts,
        earlier=earlier,
    )


def range_of(noise, scale):
    """Which of ten equally likely ranges each noise lies in."""
    at = noise / float(scale * LATTICE)
    return np.minimum((np.where(at < 0, np.exp(at) / 2, 1 - np.exp(-at) / 2) * 10).astype(int), 9)


@pytest.mark.parametrize("first", [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)])
def test_an_answer_taken_apart_has_its_own_noise_whatever_the_earlier_ones_were(first):
    """Every pair of an earlier answer and one taken apart is as likely as of two independent noises of their own questions."""
    runs, rest = 400_000, 1 - first
    fine, coarse = Seeded(3).copies(runs, [LATTICE * Fraction(1), LATTICE / first])
    alone = unpool(
        (
            answered(coarse, 1 / first, first),
            answered(fine, 1 / rest, rest, pooled=1, earlier=[first]),
        )
    )
    assert alone.scale == 1 / rest
    assert not alone.pooled.any()
    pairs = 10 * range_of(coarse, 1 / first) + range_of(alone.steps, 1 / rest)
    check_counts(
        np.bincount(pairs, minlength=100),
        np.full(100, 0.01),
        "an earlier answer and one taken apart",
    )


def test_land_kept_whole_because_noise_was_low_is_not_told_too_low():
    """Of land that an answer below its truth kept whole, the pooled answer is too low on average; the one taken apart is right."""
    off = {"pooled": [], "apart": []}
    pair, half = np.arange(1024) // 2, Fraction(1, 2)
    for seed in range(20):
        session = PublicSession(np.ones((32, 32)), GRID, "1", seed=seed)
        session.course([half, half])
        first = session.measure(Partition(pair.reshape(32, 32)), half)
        split = first.values > 2
        labels = np.unique(np.where(split[pair], 512 + np.arange(1024), pair), return_inverse=True)[
            1
        ]
        last = session.measure(Partition(labels.reshape(32, 32)), half)
        whole = last.pooled > 0
        off["pooled"].append((last.values[whole] - 2).mean())
        off["apart"].append((unpool(tuple(session.made)).values[whole] - 2).mean())
    assert np.mean(off["pooled"]) < -0.3
    assert abs(np.mean(off["apart"])) < 0.1


def released(seed=1):
    """A map of three questions, some regions of which were asked twice and three times."""
    counts = np.zeros((32, 32))
    counts[3:6, 20:24] = 60
    session = PublicSession(counts, GRID, "1", seed=seed)
    session.course([Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)])
    quarters = np.kron(np.arange(4).reshape(2, 2), np.ones((16, 16), dtype=int))
    inner = quarters.copy()
    inner[:16, 16:] = 4 + np.kron(np.arange(4).reshape(2, 2), np.ones((8, 8), dtype=int))
    cells = np.unique(inner, return_inverse=True)[1].reshape(32, 32)
    single = cells.copy()
    at = cells[4, 21]
    single[cells == at] = 100 + np.arange(int((cells == at).sum()))
    for labels, share in (
        (quarters, Fraction(1, 4)),
        (cells, Fraction(1, 4)),
        (single, Fraction(1, 2)),
    ):
        session.measure(Partition(np.unique(labels, return_inverse=True)[1].reshape(32, 32)), share)
    return counts, tuple(session.made)


def test_a_region_asked_again_counts_once_with_what_all_its_questions_cost():
    """Of a region asked at three questions only the last answer is believed, at the scale of all of epsilon."""
    counts, made = released()
    dropped = superseded_answers(made)
    assert [int(one.sum()) for one in dropped] == [3, 6, 0]
    assert made[-1].pooled_scales == (2, Fraction(4, 3), 1)
    labels = [one.partition.labels.ravel().astype(np.int64) for one in made]
    regions = Regions.build(labels, made)
    whole = regions.smallest[regions.cells[regions.smallest] == 256]
    assert regions.once[whole].all()
    assert np.sqrt(regions.variance[whole] / 2) == pytest.approx(1, rel=1e-4)
    assert TreeEstimate.fit(GRID, made).values.sum() == pytest.approx(counts.sum(), abs=25)


def saved(tmp_path, made):
    policy = Policy(epsilon=1, unit="who", cap=1)
    record = records.record(GRID, policy, made, "Owls", strategy="adaptive")
    write_record(record, tmp_path / "owls.dpmap")
    return record


def test_a_file_keeps_which_answers_pool_earlier_ones(tmp_path):
    """Scales, pooled questions and answers taken apart come back exactly, in a file of the fourth version."""
    record = saved(tmp_path, released()[1])
    opened = read_record(tmp_path / "owls.dpmap")
    for one, other in zip(record.measurements, opened.measurements, strict=True):
        assert (one.pooled == other.pooled).all()
        assert (one.scales == other.scales).all()
    assert (record.last.steps == opened.last.steps).all()
    with zipfile.ZipFile(tmp_path / "owls.dpmap") as archive:
        assert json.loads(archive.read("dpmap.json"))["format_version"] == 4


@pytest.mark.parametrize("wrong", ["another region", "a question too many", "more than there are"])
def test_a_file_whose_answers_pool_what_was_not_asked_is_refused(tmp_path, wrong):
    """Noise that is claimed to be smaller than its questions paid for opens nothing."""
    _, made = released()
    saved(tmp_path, made)
    pooled = made[-1].pooled.copy()
    single = np.flatnonzero(made[-1].partition.sizes() == 1)
    pooled[single[0] if wrong == "another region" else np.flatnonzero(pooled == 1)[0]] = {
        "another region": 1, "a question too many": 2, "more than there are": 9,
    }[wrong]  # fmt: skip
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, pooled, version=(1, 0))
    with zipfile.ZipFile(tmp_path / "owls.dpmap") as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "changed.dpmap", "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, buffer.getvalue() if name == "pooled_2.npy" else content)
    with pytest.raises(BadInput, match="another region|promise"):
        read_record(tmp_path / "changed.dpmap")
