"""A strategy that the releaser brings: what it sees, what the record says, and that its mistakes cost nothing."""

from fractions import Fraction

import numpy as np
import pytest

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.private_totals import PrivateTotals
from dpmap.promise.strategies import LONGEST_NAME
from dpmap.record import Measurement
from dpmap.selftest.check import Broken
from dpmap.statement.attestation.writers import markdown
from dpmap.statement.statement import statement
from dpmap.vault.session import Session

ROWS = 400


def stripes(session: dm.StrategySession) -> None:
    """Asks about rows and columns, whose regions cross, then about each cell."""
    inside = session.grid.inside
    for numbers in np.indices(inside.shape)[-2:]:
        _, labels = np.unique(numbers[inside], return_inverse=True)
        regions = np.full(inside.shape, -1)
        regions[inside] = labels
        session.measure(dm.Partition(regions), session.epsilon / 4)
    session.measure(dm.Partition.cells(session.grid), session.epsilon / 2)


stripes.name = "rows and columns"


@pytest.fixture
def paid(tmp_path):
    """What a release needs: an invented survey, its grid and promise, and a new ledger."""
    dice = np.random.default_rng(3)
    lines = ["who,x,y"]
    for row in range(ROWS):
        x, y = dice.normal(8, 2, 2).clip(0.1, 15.9)
        lines.append(f"w{row % 90},{x:.3f},{y:.3f}")
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(lines) + "\n")
    survey = dm.read(path, x="x", y="y", crs="EPSG:3857")
    grid = dm.Grid(bounds=(0, 0, 20, 16), shape=(16, 20), crs="EPSG:3857")

    def release(strategy, **more):
        policy = dm.Policy(epsilon="1", unit="who", cap=4)
        where = {"ledger": tmp_path / "custom.ledger", "dataset": "Owls", "budget": 3}
        return dm.release(survey, grid, policy, **where, strategy=strategy, **more)

    release.ledger = tmp_path / "custom.ledger"
    return release


@pytest.mark.parametrize("strategy", ["adaptive", "flat"])
def test_built_in_strategies_keep_the_contract(strategy):
    """dpmap's own strategies pass the suite that others are given."""
    dm.testing.check_strategy(strategy)


def first_half_only(session):
    labels = np.where(session.grid.inside, -1, -1)
    labels.flat[np.flatnonzero(session.grid.inside)[: session.grid.cells_inside // 2]] = 0
    session.measure(dm.Partition(labels), session.epsilon)


def ask_by_chance(session):
    labels = np.random.default_rng().integers(0, 2, session.grid.shape)
    session.measure(dm.Partition(np.where(session.grid.inside, labels, -1)), session.epsilon)


def ask_too_much(session):
    for _ in range(2):
        session.measure(dm.Partition.whole(session.grid), session.epsilon)


@pytest.mark.parametrize(
    "strategy", [lambda session: None, first_half_only, ask_by_chance, ask_too_much]
)
def test_the_contract_fails_a_strategy_that_breaks_it(strategy):
    """One that asks nothing, about a part of the land, by chance, or for more than epsilon does not pass."""
    grid = dm.Grid(bounds=(0, 0, 9, 9), shape=(9, 9), crs="EPSG:3857")
    with pytest.raises((Broken, dm.errors.DpmapError)):
        dm.testing.check_strategy(strategy, grid)


def test_a_release_says_whose_strategy_chose_its_regions(paid, tmp_path):
    """The record, the statement, the attestation and the page name it, and the saved file gives the same map again."""
    release = paid(stripes)
    assert release.record.strategy == "custom:rows and columns"
    path = tmp_path / "owls.dpmap"
    release.save(path)
    again = dm.open(path)
    assert again.record.custom_strategy == "rows and columns"
    assert np.array_equal(release.estimate, again.estimate)
    low, high = again.interval()
    assert (low <= again.estimate).all()
    assert (again.estimate <= high).all()
    page = tmp_path / "map.html"
    again.draw(page)
    texts = (statement(again.record), markdown(again.record), page.read_text("utf-8"))
    assert all("rows and columns" in text for text in texts)


def reachable(session):
    """Everything that attributes of a session lead to; grids and answers are public, and end the search."""
    waiting = [session]
    seen = []
    while waiting:
        value = waiting.pop()
        if any(value is other for other in seen):
            continue
        seen.append(value)
        if isinstance(value, dm.Grid | Measurement | Fraction | int):
            continue
        names = [name for name in dir(value) if not name.startswith("__")]
        waiting += [getattr(value, name) for name in (*names, "__self__") if hasattr(value, name)]
    return seen


def test_a_strategy_is_told_noisy_answers_and_never_a_total(paid):
    """No attribute of its session leads to the totals or to the session that holds them, and each answer is a released one."""
    seen = []
    answers = []

    def look(session):
        answers.append(session.measure(dm.Partition.cells(session.grid), session.epsilon))
        seen.extend(type(value) for value in reachable(session))

    release = paid(look)
    assert not any(issubclass(kind, Session | PrivateTotals) for kind in seen)
    assert answers[-1] is release.record.measurements[0]
    assert isinstance(answers[-1], Measurement)


def fails(session):
    raise KeyError("no such column")


@pytest.mark.parametrize(
    "strategy",
    [fails, lambda session: None, first_half_only, ask_too_much, lambda: None, "quadtree"],
)
def test_a_mistake_in_a_strategy_costs_nothing(strategy, paid):
    """It is tried on invented counts first: the ledger has nothing to tell."""
    with pytest.raises(dm.errors.DpmapError):
        paid(strategy)
    assert not paid.ledger.exists()


@pytest.mark.parametrize("name", ["", " halving", "a\nb", "x" * (LONGEST_NAME + 1), 7])
def test_a_name_that_cannot_be_printed_is_refused(name, paid):
    """The name stands in every page, so it is short and printable."""

    def named(session):
        session.measure(dm.Partition.cells(session.grid), session.epsilon)

    named.name = name
    with pytest.raises(BadInput):
        paid(named)


@pytest.mark.parametrize("declared", [False, True])
def test_what_is_paid_for_is_not_lost_when_a_strategy_fails(declared, paid):
    """One that fails on real answers alone still makes a map, of all of epsilon."""
    runs = []

    def fails_at_last(session):
        runs.append(session)
        if declared:
            session.course([session.epsilon / 4] * 3)
        session.measure(dm.Partition.whole(session.grid), session.epsilon / 4)
        if len(runs) == 3:
            raise RuntimeError("no plan for this")

    with pytest.warns(UserWarning, match="fails_at_last"):
        release = paid(fails_at_last)
    assert sum(made.epsilon for made in release.record.measurements) == Fraction(1)
    assert np.isfinite(release.estimate).all()
    with pytest.raises(BadInput):
        runs[-1].measure(dm.Partition.cells(release.grid), Fraction(1, 8))
    with pytest.raises(BadInput):
        assert runs[-1].left


def test_tiers_are_chosen_by_the_noisiest_answers(paid):
    """A brought strategy serves several readers of one draw, and is told what the noisiest is told."""
    tiers = paid(stripes, tiers={"public": "0.5", "manager": 1})
    assert {tier.record.strategy for tier in tiers.values()} == {"custom:rows and columns"}
    assert [float(tier.record.measurements[0].epsilon) for tier in tiers.values()] == [0.125, 0.25]


def test_answers_about_crossing_regions_are_all_used():
    """The estimate of rows and columns together is nearer the truth than either's, and adds up to a total that is never negative."""
    truth = np.add.outer(np.arange(12) * 10.0, np.arange(15) * 4.0)
    found = dm.simulate(
        truth, epsilon=10**4, strategy=lambda session: _without_cells(session, (0, 1))
    )
    alone = dm.simulate(
        truth, epsilon=10**4, strategy=lambda session: _without_cells(session, (0,))
    )
    assert np.abs(found - truth).sum() < 0.01 * truth.sum()
    assert np.abs(found - truth).sum() < 0.1 * np.abs(alone - truth).sum()


def _without_cells(session, axes):
    for axis in axes:
        labels = np.indices(session.grid.shape)[axis]
        session.measure(dm.Partition(labels), session.epsilon / 2)
