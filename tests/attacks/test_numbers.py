"""Attacks on the arithmetic: low bits, floats, odd totals, overflow (Mironov 2012 and what followed)."""

from fractions import Fraction

import numpy as np
import pytest
from builders import surveys
from scipy import stats

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.vault.laplace import LARGEST_SCALE, discrete_laplace
from dpmap.vault.session import Session

DRAWS = 1 << 16
ALPHA = 1e-6  # of a test that is right, one run in a million fails


def measured(totals_in_steps, epsilon=Fraction(1), cap=1, lattice=2**32):
    """Noisy steps of cells whose exact totals are these lattice steps."""
    columns = len(totals_in_steps)
    grid = dm.Grid(bounds=(0, 0, columns, 1), shape=(1, columns), crs="EPSG:3857")
    session = Session(np.zeros(columns), grid, epsilon, cap, lattice)
    session._totals._cells, session._totals._steps = (
        np.arange(columns),
        np.asarray(totals_in_steps, dtype=np.int64),
    )
    return session.measure(dm.Partition.cells(grid), epsilon).steps


@pytest.mark.parametrize("total", [0, 1, 2**31 + 12345, 3 * 2**32])
def test_the_low_bits_of_an_answer_are_even_whatever_the_total(total):
    """The last six bits of a noisy total take all 64 values equally often: they say nothing of the exact one's."""
    counted = np.bincount(measured(np.full(DRAWS, total)) & 63, minlength=64)
    assert stats.chisquare(counted).pvalue > ALPHA


def test_every_number_that_one_total_can_give_its_neighbour_can_give_too():
    """At a small scale the answers for totals 0, 1 and 5 cover the same whole numbers: none is a tell-tale."""
    seen = [set((discrete_laplace(DRAWS, Fraction(2)) + total).tolist()) for total in (0, 1, 5)]
    assert all(set(range(-6, 12)) <= values for values in seen)


def test_answers_stand_on_the_lattice_and_lose_nothing():
    """A measurement is whole lattice steps; no float lies between the total, the noise and what is released."""
    steps = measured([0, 7, 2**40])
    assert steps.dtype == np.int64
    grid = dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
    made = dm.Partition.cells(grid)
    measurement = Session(np.zeros(3), grid, Fraction(1), 1, 2**32).measure(made, Fraction(1))
    assert type(measurement.scale) is type(measurement.epsilon) is Fraction
    assert (
        measurement.values * 2**32 == measurement.steps
    ).all()  # a power of two divides without rounding


@pytest.mark.parametrize("epsilon", ["0.1", "0.3", "1/3", "0.7000000000000001"])
def test_epsilon_is_what_was_written_and_not_its_nearest_float(epsilon):
    """The scale is cap / epsilon as fractions, so rounding a float cannot make the noise a little smaller."""
    policy = dm.Policy(epsilon=epsilon, unit="who", cap=3)
    assert policy.scale == 3 / Fraction(epsilon)


def test_the_noisiest_release_cannot_overflow():
    """At the largest scale, on the largest totals, the far tail (e^-500) still fits 64 bits: no wrap-around tells anything."""
    tail = 500 * int(LARGEST_SCALE)
    assert tail + 2**62 < 2**63
    noise = discrete_laplace(1 << 12, LARGEST_SCALE)
    assert int(np.abs(noise).max()) < 60 * LARGEST_SCALE


def test_the_whole_law_moves_with_the_total_and_nothing_else_of_it():
    """Noise for an empty cell and for a full one is the same noise: two samples, minus their totals, have one law."""
    empty, full = (measured(np.full(DRAWS, total)) - total for total in (0, 5 * 2**32 + 999))
    assert stats.ks_2samp(empty, full).pvalue > ALPHA


@pytest.mark.parametrize("strategy", ["flat", "adaptive"])
def test_negative_totals_are_kept_as_drawn(strategy):
    """Clamping inside the vault would shrink the noise of empty cells; what is measured is signed, about half of it below 0."""
    from dpmap import strategies

    grid = dm.Grid(bounds=(0, 0, 64, 64), shape=(64, 64), crs="EPSG:3857")
    session = Session(np.zeros(64 * 64), grid, Fraction(1), 1, 2**32)
    strategies.find_strategy(strategy)(session)
    signs = np.concatenate([np.sign(made.steps) for made in session.made])
    below = int((signs < 0).sum())
    assert stats.binomtest(below, int((signs != 0).sum())).pvalue > ALPHA


PYTHON_ONLY = [
    "1_0",
    "1_0.5",
    "0.1_5",
    "1e1_0",
    "\u0661",
    "\uff11",
    "1\u0660",
    "1/1_0",
    "\u0967/2",
    "1_",
    "_1",
]


@pytest.mark.parametrize("text", PYTHON_ONLY)
def test_a_number_is_written_in_plain_digits(text):
    """Whoever types an underscore for a dot, or digits of another alphabet, is asked again: `1_0` is not taken for ten."""
    for ask in (
        lambda: dm.Policy(epsilon=text, unit="who", cap=1),
        lambda: dm.Policy(epsilon=1, unit="who", cap=text),
        lambda: dm.Policy(epsilon=1, unit="who", cap=f"auto:{text}"),
        lambda: dm.Policy(epsilon=1, unit="who", cap=f"auto:0.1:1-{text}"),
        lambda: dm.Policy(epsilon=1, unit="who", cap=1, sample=f"{text}%"),
        lambda: dm.Grid.covering((0, 50, 1, 51), cell=f"{text} km"),
        lambda: dm.epsilon_for(5, tail=f"{text}:1%"),
    ):
        with pytest.raises(BadInput) as told:
            ask()
        assert "\n" not in str(told.value)


@pytest.mark.parametrize("text", ["1_0", "\u0661"])
@pytest.mark.parametrize(
    "flag",
    ["--epsilon", "--cap", "--budget", "--site-cap", "--max-count", "--hexagons", "--threads", "--units", "--cell",
     "--bounds", "--shape", "--sample", "--delta", "--lifetime"],
)  # fmt: skip
def test_every_flag_that_takes_a_number_wants_plain_digits(tmp_path, capsys, flag, text):
    """No flag takes for a number what only Python would: one line names the flag, and nothing is spent."""
    surveys.written(tmp_path, ["ana,0.5,50.5"])
    given = {"--epsilon": "1", "--unit": "who", "--cap": "3", "--budget": "9", "--dataset": "d", "--strategy": "flat",
             "--out": str(tmp_path / "out")}  # fmt: skip
    box = {"--bounds": "0,50,1,51", "--shape": "4,5"}
    cells = {} if flag in ("--hexagons", "--cell") else box
    wrong = {"--bounds": f"0,50,{text},51", "--shape": f"4,{text}", "--cell": f"{text} km"}.get(
        flag, text
    )
    beside = {
        "--delta": {"--units": "9"},
        "--units": {"--delta": "1e-7", "--budget-delta": "1e-6"},
    }.get(flag, {})
    words = [word for pair in {**given, **cells, **beside, flag: wrong}.items() for word in pair]
    assert run(["release", str(tmp_path / "survey.csv"), *words]) == 2
    said = capsys.readouterr().err
    assert flag.strip("-") in said.replace("site_cap", "site-cap")
    assert not (tmp_path / "dpmap.ledger").exists()
