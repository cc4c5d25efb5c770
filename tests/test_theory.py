"""The worked figures of the usual introductions to differential privacy, from the library's own functions.

Each is also checked another way: against the law itself, a session, or a ledger.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate

import dpmap as dm
from dpmap.errors import BudgetExceeded
from dpmap.noise import theory
from dpmap.vault.laplace import discrete_laplace
from dpmap.vault.session import Session

LATTICE = 2**32


def law(scale, reach=60):
    """The discrete Laplace of this scale (in steps), summed up to `reach` scales."""
    steps = np.arange(-int(reach * scale), int(reach * scale) + 1)
    small = math.exp(-1 / scale)
    return steps, (1 - small) / (1 + small) * small ** np.abs(steps)


def cells(count, epsilon):
    """A session over public counts in a row of cells, at this epsilon."""
    grid = dm.Grid(bounds=(0, 0, count, 1), shape=(1, count), crs="EPSG:3857")
    return Session(np.ones(count), grid, Fraction(epsilon), 1, LATTICE), grid


def test_a_count_at_epsilon_08_has_noise_of_scale_125():
    """Sensitivity 1 at epsilon 0.8: scale 1.25, and the mean absolute error is the scale."""
    scale = theory.laplace_scale(1, Fraction("0.8"))
    assert scale == dm.Policy(epsilon="0.8", unit="row", cap=1).scale == Fraction("1.25")
    assert theory.laplace_mean_absolute_error(scale * LATTICE) / LATTICE == pytest.approx(
        1.25, rel=1e-12
    )
    drawn = np.abs(discrete_laplace(40_000, scale * LATTICE)) / LATTICE
    assert drawn.mean() == pytest.approx(1.25, abs=6 * 1.25 / 200)  # six standard errors


@pytest.mark.parametrize("scale", [0.3, 1.25, 40.0])
def test_error_and_variance_are_those_of_the_exact_law(scale):
    """Mean absolute error and variance hold for the discrete law at any scale, not only for its continuous limit."""
    steps, chance = law(scale)
    assert theory.laplace_mean_absolute_error(Fraction(scale)) == pytest.approx(
        (np.abs(steps) * chance).sum()
    )
    assert theory.laplace_variance(Fraction(scale)) == pytest.approx(
        (steps.astype(float) ** 2 * chance).sum()
    )


def test_a_mean_of_500_values_capped_at_8_has_sensitivity_0016():
    """8 / 500 = 0.016; the cap, not the data, decides."""
    assert theory.mean_sensitivity(8, 500) == Fraction("0.016")


def test_a_count_has_variance_2_over_epsilon_squared_and_half_the_epsilon_four_times_that():
    """2 / epsilon^2; what epsilon / 2 costs in variance is a factor of 4."""
    for epsilon in (Fraction("0.1"), Fraction(1), Fraction(3)):
        whole = theory.laplace_variance(theory.laplace_scale(1, epsilon) * LATTICE) / LATTICE**2
        half = theory.laplace_variance(theory.laplace_scale(1, epsilon / 2) * LATTICE) / LATTICE**2
        assert whole == pytest.approx(2 / float(epsilon) ** 2)
        assert half / whole == pytest.approx(4)


def test_two_ages_are_mostly_useless():
    """Two people's ages sum to 100, capped at 100, epsilon 0.5: over 60 % of answers err by more than the answer itself."""
    scale = theory.laplace_scale(100, Fraction("0.5"))
    assert scale == 200
    useless = 2 * theory.laplace_upper_tail(100 * LATTICE, scale * LATTICE)
    assert useless > 0.6
    assert useless == pytest.approx(math.exp(-0.5))


def test_three_queries_cost_their_sum():
    """Questions about the same people add up, in the formula and in a session."""
    shares = [Fraction("0.1"), Fraction("0.25"), Fraction("0.65")]
    assert theory.sequential_cost(shares) == 1
    session, grid = cells(4, 1)
    for share in shares:
        session.measure(dm.Partition.cells(grid), share)
    assert session.left == 0
    with pytest.raises(BudgetExceeded):
        session.measure(dm.Partition.cells(grid), Fraction(1, 10**6))


def test_ten_hospitals_disjoint_counts_cost_the_maximum():
    """Ten counts of people of whom none is in two of them cost what one does, in the formula and in a session."""
    assert theory.parallel_cost([Fraction("0.5")] * 9 + [Fraction("0.75")]) == Fraction("0.75")
    session, grid = cells(10, "0.5")
    made = session.measure(dm.Partition.cells(grid), Fraction("0.5"))
    assert made.partition.regions == 10
    assert made.scale == 2  # each hospital's count as good as if it alone had been asked
    assert session.left == 0


def test_a_group_of_five_costs_five_times_epsilon():
    """For five people together the odds move by e^(5 epsilon): what five single steps multiply to."""
    assert theory.odds_factor(Fraction("0.2"), 5) == pytest.approx(math.e)
    assert theory.odds_factor(0.3, 5) == pytest.approx(theory.odds_factor(0.3) ** 5)


def test_at_epsilon_001_odds_move_by_one_percent():
    """e^0.01 = 1.010."""
    assert round(theory.odds_factor(Fraction("0.01")), 3) == 1.010


def test_randomised_response_at_ln_3_is_true_three_times_in_four():
    """3/4 and 1/4 at epsilon = ln 3, and their ratio is e^epsilon at any epsilon."""
    assert theory.randomised_response(math.log(3)) == pytest.approx(3 / 4)
    for epsilon in (0.01, 1.0, 5.0):
        true = theory.randomised_response(epsilon)
        assert true / (1 - true) == pytest.approx(math.exp(epsilon))


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 4.0])
def test_the_greatest_divergence_is_epsilon_minus_1_plus_e_to_the_minus_epsilon(epsilon):
    """The Kullback-Leibler divergence of the exact law from itself, moved by the sensitivity, comes to this; less if moved less."""
    steps, chance = law(2000 / epsilon, reach=45)
    found = {}
    for moved in (1000, 2000):
        log_ratio = (np.abs(steps - moved) - np.abs(steps)) / (2000 / epsilon)
        found[moved] = (chance * log_ratio).sum()
    assert found[2000] == pytest.approx(theory.greatest_divergence(epsilon), rel=1e-5)
    assert found[1000] < found[2000]
    assert theory.greatest_divergence(epsilon) <= epsilon * math.tanh(
        epsilon / 2
    )  # the bound for every mechanism


@pytest.mark.parametrize("epsilon", [0.02, 0.5, 2.0, 8.0])
def test_what_an_answer_tells_about_one_bit_is_its_mutual_information(epsilon):
    """The closed form equals the integral of the definition; at small epsilon it is epsilon^2 / 8."""

    def density(y, centre):
        return epsilon / 2 * math.exp(-epsilon * abs(y - centre))

    def told(y):
        one, other = density(y, 0), density(y, 1)
        return one * math.log(2 * one / (one + other))

    pieces = [(-60 / epsilon, 0), (0, 1), (1, 60 / epsilon)]
    integral = sum(integrate.quad(told, *piece, epsabs=1e-13)[0] for piece in pieces)
    assert theory.one_bit_leakage(epsilon) == pytest.approx(integral, rel=1e-6)
    assert theory.one_bit_leakage(epsilon) <= min(epsilon**2 / 8, math.log(2))


@pytest.mark.parametrize("sensitivity", [1, 5])
def test_error_times_leakage_is_a_quarter_of_the_squared_sensitivity(sensitivity):
    """D = s^2 / (4 R) at small epsilon, within a share of epsilon / 2: halving what leaks doubles the mean squared error."""
    for epsilon in (Fraction("0.01"), Fraction("0.05")):
        error = (
            theory.laplace_variance(theory.laplace_scale(sensitivity, epsilon) * LATTICE)
            / LATTICE**2
        )
        leakage = theory.one_bit_leakage(float(epsilon))
        assert theory.error_for_leakage(sensitivity, leakage) == pytest.approx(
            error, rel=float(epsilon) / 2
        )


def test_the_exponential_mechanism_chooses_by_e_to_the_epsilon_score_over_twice_the_sensitivity():
    """Chances add up to 1, stand in the stated ratios, and move by at most e^epsilon when every score moves by one."""
    scores, epsilon = [30.0, 25.0, 8.0, 2.0], 0.1
    chances = theory.exponential_choice(scores, epsilon)
    assert sum(chances) == pytest.approx(1)
    assert chances[0] / chances[1] == pytest.approx(math.exp(0.1 * 5 / 2))
    assert theory.exponential_choice(scores, epsilon, sensitivity=5.0)[0] < chances[0]
    moved = theory.exponential_choice([31.0, 24.0, 9.0, 1.0], epsilon)
    assert max(max(a / b, b / a) for a, b in zip(chances, moved, strict=True)) <= math.exp(
        epsilon
    ) * (1 + 1e-12)


def test_the_vault_chooses_no_worse_than_the_exponential_mechanism():
    """What dpmap really draws from (permute-and-flip) takes the best candidate at least as often, at the same epsilon."""
    from dpmap.vault.permute_and_flip import choose

    scores, runs = [0, -2], 4000
    best = sum(choose(scores, Fraction(1), Fraction(1)) == 0 for _ in range(runs)) / runs
    exponential = theory.exponential_choice([0.0, -2.0], 1.0)[0]
    exact = 1 - math.exp(-1) / 2  # the worse one needs to come first and show heads
    assert best == pytest.approx(exact, abs=6 * 0.5 / math.sqrt(runs))
    assert exact > exponential


def test_a_five_percent_sample_amplifies():
    """ln(1 + 0.05 (e^epsilon - 1)): 0.0824 for epsilon 1; about 5 % of a small epsilon, and never more than epsilon."""
    assert theory.amplified_by_sampling(1.0, 0.05) == pytest.approx(0.0824, abs=5e-5)
    assert theory.amplified_by_sampling(0.01, 0.05) == pytest.approx(0.05 * 0.01, rel=0.01)
    assert theory.amplified_by_sampling(3.0, 1.0) == pytest.approx(3.0)


@pytest.mark.parametrize("decay", [1, Fraction(9, 10), Fraction(1, 2)])
def test_daily_releases_keep_one_monthly_budget(tmp_path, decay):
    """Thirty daily shares, even or decaying, add up to the month's budget to the last digit; the ledger refuses a 31st."""
    shares = theory.budget_shares(Fraction(3), 30, decay)
    assert theory.sequential_cost(shares) == 3
    assert all(later == decay * earlier for earlier, later in zip(shares, shares[1:], strict=False))
    if decay == 1:
        assert set(shares) == {Fraction("0.1")}
        book = dm.Ledger(tmp_path / "month.ledger")
        for share in shares:
            book.reserve(dataset="daily", epsilon=share, budget=Fraction(3), details={})
        with pytest.raises(BudgetExceeded):
            book.reserve(dataset="daily", epsilon=Fraction(1, 1000), budget=None, details={})


def test_the_strictest_of_several_groups_epsilons_holds_for_all():
    """One release for groups that were promised 1, 0.25 and 2 is made at 0.25."""
    promised = [Fraction(1), Fraction("0.25"), Fraction(2)]
    assert theory.strictest(promised) == Fraction("0.25")
    assert all(theory.strictest(promised) <= epsilon for epsilon in promised)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_odds_of_every_set_of_outputs_move_by_e_to_the_epsilon(epsilon):
    """For totals that differ by the cap, no single answer is more than e^epsilon times as likely, and so no set of answers
    is: neither the worst set there is, nor intervals, nor odd numbers.
    """
    cap = 40
    steps, chance = law(cap / epsilon)
    here, there = chance[cap:], chance[:-cap]  # the same answers, the totals a cap apart
    assert max((here / there).max(), (there / here).max()) <= math.exp(epsilon) * (1 + 1e-9)
    worst = here > there * math.exp(epsilon) * 0.99
    for events in (worst, ~worst, steps[cap:] % 2 == 1, steps[cap:] > 0, np.arange(len(here)) < 10):
        assert here[events].sum() <= math.exp(epsilon) * there[events].sum() * (1 + 1e-9)
    assert here[worst].sum() > math.exp(epsilon) * there[worst].sum() * 0.9  # and that much can be
