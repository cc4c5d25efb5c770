"""Makes a release unless it is there already: what a scheduler calls, and calls again."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpmap import strategies
from dpmap.atomic_write import only_one_at_once
from dpmap.errors import BadInput, Refused
from dpmap.grid import Grid
from dpmap.ledger.events import Event
from dpmap.ledger.ledger import Ledger
from dpmap.numbers import NumberLike
from dpmap.promise.governance import Governance
from dpmap.promise.policy import Policy
from dpmap.releases.release import Release
from dpmap.releases.tiers import SAVED, Tiers
from dpmap.steward.declaration import Declaration
from dpmap.steward.priors import PriorLike
from dpmap.steward.progress import StepFraction, StepWords
from dpmap.steward.release_run import agreed_policy, grid_with_values, release, silent, target
from dpmap.store_results import is_there
from dpmap.stores import Location, is_url
from dpmap.survey import Survey

if TYPE_CHECKING:
    from dpmap import engines

PathLike = str | os.PathLike[str]


def ensure(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    *,
    ledger: "PathLike | Ledger",
    dataset: str,
    to: PathLike,
    budget: NumberLike | None = None,
    budget_delta: NumberLike | None = None,
    strategy: "str | strategies.Strategy" = "adaptive",
    engine: "str | engines.Engine" = "duckdb",
    noise: str = "dpmap",
    governance: Governance | None = None,
    sensitivity: str | None = None,
    sites: Survey | None = None,
    notes: dict[str, Any] | None = None,
    confirm_epsilon: bool = False,
    tiers: Mapping[str, NumberLike] | None = None,
    seal: "PathLike | None" = None,
    prior: PriorLike = None,
    progress: StepWords | StepFraction = silent,
    spend_again: bool = False,
) -> Release | Tiers:
    """Makes a release as `dm.release` does, unless it stands in `to` already: then it returns that,
    and spends nothing.

    A task of a scheduler calls it as often as it likes. The release that stands in `to` must be one
    of this declaration: where another epsilon, cap, unit, grid or rule made it, `Refused` is
    raised, and nothing changes. The rows of the survey are not compared: a map of this year's rows
    is another release, with a `to` of its own.

    - `to`: the release's file, like raptors-2026.dpmap, or the folder of `tiers`.
    - `spend_again`: where the ledger says that epsilon was reserved for this `to` and the release
      is not there, because a machine failed or somebody moved the file, it cannot be drawn again,
      and `Refused` is raised. With `spend_again=True` another one is paid for.

    All else is as for `dm.release`: `survey`, `grid`, `policy`, `ledger`, `dataset`, `budget`,
    `budget_delta`, `strategy`, `engine`, `noise`, `governance`, `sensitivity`, `sites`, `notes`,
    `confirm_epsilon`, `tiers`, `seal`, `prior`, `progress`.

    >>> import dpmap as dm
    >>> survey = dm.read("raptors.csv")
    >>> grid = dm.Grid.covering("study_area.gpkg", cell="20 km")
    >>> policy = dm.Policy(epsilon="0.5", unit="observer_id", cap=5)
    >>> paid = dict(ledger="nightly.ledger", dataset="Raptors 2026", budget="3")
    >>> first = dm.ensure(survey, grid, policy, **paid, to="nightly.dpmap")
    >>> again = dm.ensure(survey, grid, policy, **paid, to="nightly.dpmap")
    >>> first.record.receipt.release_id == again.record.receipt.release_id
    True
    """
    with only_one_at_once(Path(to).parent):
        return ensure_alone(
            survey,
            grid,
            policy,
            ledger=ledger,
            dataset=dataset,
            to=to,
            budget=budget,
            budget_delta=budget_delta,
            strategy=strategy,
            engine=engine,
            noise=noise,
            governance=governance,
            sensitivity=sensitivity,
            sites=sites,
            notes=notes,
            confirm_epsilon=confirm_epsilon,
            tiers=tiers,
            seal=seal,
            prior=prior,
            progress=progress,
            spend_again=spend_again,
        )


def ensure_alone(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    *,
    ledger: "PathLike | Ledger",
    dataset: str,
    to: PathLike,
    tiers: Mapping[str, NumberLike] | None = None,
    spend_again: bool = False,
    **options: Any,
) -> Release | Tiers:
    """Does what `ensure` does, for a caller who holds the folder's lock."""
    if (
        not isinstance(survey, Survey)
        or not isinstance(grid, Grid)
        or not isinstance(policy, Policy)
    ):
        raise BadInput(
            "ensure: give a survey from dm.read, a dm.Grid and a dm.Policy, in this order"
        )
    strategy = strategies.record_name(options.get("strategy", "adaptive"))
    declaration = Declaration(
        survey,
        grid_with_values(survey, grid, strategy),
        agreed_policy(survey, policy),
        dataset,
        options.get("budget"),
        strategy,
        options.get("noise", "dpmap"),
        options.get("sensitivity"),
        options.get("governance"),
        options.get("notes"),
        options.get("prior"),
        tiers,
    )
    made = open_saved(to, in_tiers=tiers is not None)
    if made:
        _refuse_others(declaration, made, Path(to))
        return _as_made(made, in_tiers=tiers is not None)
    book = ledger if isinstance(ledger, Ledger) else Ledger(ledger)
    spent = _spent_for(book, dataset, to)
    if spent and (made := _open_beside(book, spent[-1])):
        _refuse_others(declaration, made, Path(to))
        whole = _as_made(made, in_tiers=tiers is not None)
        whole.save(to)
        return whole
    if spent and not spend_again:
        raise Refused(_lost(spent[-1], target(to)))
    return release(
        survey, grid, policy, ledger=ledger, dataset=dataset, to=to, tiers=tiers, **options
    )


def open_saved(to: PathLike, *, in_tiers: bool) -> dict[Path, Release]:
    """Open the releases that stand where one is to be made: its file, or one in a folder of each
    tier.

    A release of the other kind counts too, since it was made by another declaration.
    """
    if is_url(to):
        location = Location.parse(to, "--out (to=)")
        return {Path(to): Release.open(to)} if is_there(location) else {}
    place = Path(to)
    folder = place if in_tiers else place.parent
    alone = folder / SAVED if in_tiers and not place.is_file() else place
    if alone.is_file():
        return {alone: Release.open(alone)}
    if not in_tiers and place.name != SAVED:
        return {}
    made = {path: Release.open(path) for path in sorted(folder.glob(f"*/{SAVED}"))}
    return {path: one for path, one in made.items() if one.record.about.tier is not None}


def _refuse_others(declaration: Declaration, made: Mapping[Path, Release], to: Path) -> None:
    """Refuse releases of another declaration."""
    for found in made.values():
        declaration.refuse_other(found.record, to.parent.name if to.name == SAVED else to.name)


def _as_made(made: Mapping[Path, Release], *, in_tiers: bool) -> Release | Tiers:
    """Return releases as `release` returns what it made: one, or tiers by their names."""
    if not in_tiers:
        return next(iter(made.values()))
    names = {one.record.about.tier.name: one for one in made.values() if one.record.about.tier}
    epsilons = next(iter(names.values())).record.about.tier
    order = list(epsilons.epsilons) if epsilons else []
    return Tiers(dict(sorted(names.items(), key=lambda item: order.index(item[0]))))


def _spent_for(book: Ledger, dataset: str, to: PathLike) -> list[Event]:
    """List what the ledger reserved for this data set and this place."""
    if not book.exists():
        return []
    return [
        event
        for event in book.events()
        if event.body["kind"] == "reserve"
        and event.body["dataset"] == dataset
        and event.body.get("to") == target(to)
    ]


def _open_beside(book: Ledger, spent: Event) -> dict[Path, Release]:
    """Open what was saved beside the ledger because its own place had failed."""
    beside = Path(os.path.abspath(book.path)).parent
    folder = beside / f"release-{spent.body['release']}"
    places = [folder / SAVED, *sorted(folder.glob(f"*/{SAVED}"))]
    if is_url(spent.body["to"]):
        # a folder whose files did not reach their store
        places += sorted(beside.glob(f"*-*/*/{SAVED}"))
    made = {path: Release.open(path) for path in places if path.is_file()}
    return {
        path: one
        for path, one in made.items()
        if one.record.receipt.release_id == spent.body["release"]
    }


def _lost(spent: Event, place: str) -> str:
    """Say that a release was paid for and is not where it was to be."""
    return (
        f"--out: epsilon {spent.body['epsilon']} of {spent.body['dataset']!r} was spent for {place}"
        f" (release {spent.body['release']}), and it is not there; look for a copy, as it cannot be"
        " drawn again, or add --spend-again (spend_again=True) to pay for another"
    )
