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
from dpmap.releases.fallback import ledger_folder, paid_folder
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
    with only_one_at_once(Path(to).parent, wait=True):
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
    book = ledger if isinstance(ledger, Ledger) else Ledger(ledger)
    made = open_saved(to, in_tiers=tiers is not None)
    if made:
        _refuse_others(declaration, made, Path(to))
        _refuse_unpaid(book, made, Path(to))
        return _as_made(made, in_tiers=tiers is not None, sealed=options.get("seal") is not None)
    spent = _lost_release(book, declaration, to)
    if spent is not None and (made := _open_beside(book, spent)):
        _refuse_others(declaration, made, Path(to))
        whole = _as_made(made, in_tiers=tiers is not None)
        whole.save(to)
        return whole
    if spent is not None and not spend_again:
        raise Refused(_lost_words(spent))
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
    alone = folder / SAVED if in_tiers and not os.path.isfile(place) else place
    if os.path.isfile(alone):
        return {alone: Release.open(alone)}
    if not in_tiers and place.name != SAVED:
        return {}
    made = {path: Release.open(path) for path in sorted(folder.glob(f"*/{SAVED}"))}
    return {path: one for path, one in made.items() if one.record.about.tier is not None}


def _refuse_others(declaration: Declaration, made: Mapping[Path, Release], to: Path) -> None:
    """Refuse releases of another declaration."""
    for release_made in made.values():
        declaration.refuse_other(release_made.record, _shown(to))


def _refuse_unpaid(book: Ledger, made: Mapping[Path, Release], to: Path) -> None:
    """Refuse a release that another ledger paid for: this one would tell what remains wrongly.

    A ledger that was not told that the release is there is told so now.
    """
    receipt = next(iter(made.values())).record.receipt
    if not book.exists():
        raise Refused(
            f"--ledger: there is no {book.name}, and the release in {_shown(to)} was paid for;"
            " nothing was spent; name the ledger that paid for it"
        )
    book.attests(event=receipt.event, head=receipt.head)
    if receipt.event in {event.number for event in book.without_release()}:
        # it was killed between saving the release and telling the ledger
        book.made(receipt)


def _shown(to: Path) -> str:
    return to.parent.name if to.name == SAVED else to.name


def _as_made(
    made: Mapping[Path, Release], *, in_tiers: bool, sealed: bool = False
) -> Release | Tiers:
    """Return releases as `release` returns what it made: one, or tiers by their names; refuse
    where a tier that was not sealed is missing.
    """
    if not in_tiers:
        return next(iter(made.values()))
    names = {one.record.about.tier.name: one for one in made.values() if one.record.about.tier}
    tier = next(iter(names.values())).record.about.tier
    order = list(tier.epsilons) if tier else []
    missing = [name for name in (order[:1] if sealed else order) if name not in names]
    if missing:
        raise Refused(
            f"--out: the release of tier {missing[0]!r} is not there any more; nothing was spent;"
            " look for a copy, as it cannot be drawn again, or name a new --out for another draw"
        )
    return Tiers({name: names[name] for name in order if name in names})


def _lost_release(book: Ledger, declaration: Declaration, to: PathLike) -> Event | None:
    """Return what the ledger paid for and that is not in its place: a release that was to stand
    here, or the last one of this kind of which nothing has come, wherever it was to stand.

    Another machine may know this place by another path, so that a relative one is also compared
    with the end of the path that the ledger names.
    """
    if not book.exists():
        return None
    policy = declaration.policy
    kind = {
        "dataset": declaration.dataset,
        "unit": policy.unit,
        "cap": policy.cap if policy.cap_choice is None else str(policy.cap_choice),
        "limiter": policy.limiter,
        "cells": declaration.grid.cells_inside,
    }
    events = [event for event in book.events() if event.body["kind"] == "reserve"]
    lost = {event.number for event in book.without_release()}
    alike = [
        event
        for event in events
        if all(event.body.get(name) == value for name, value in kind.items())
    ]
    if alike and alike[-1].number in lost:
        return alike[-1]
    here = target(to)
    relative = None if os.path.isabs(to) or is_url(to) else os.path.normpath(to)
    for event in reversed(events):
        place = event.body.get("to")
        if event.body["dataset"] != declaration.dataset or place is None:
            continue
        if place == here or (relative is not None and place.endswith(f"/{relative}")):
            return event
    return None


def _open_beside(book: Ledger, spent: Event) -> dict[Path, Release]:
    """Open what was saved beside the ledger because its own place had failed."""
    folder = paid_folder(book.path, spent.body["release"])
    places = [folder / SAVED, *sorted(folder.glob(f"*/{SAVED}"))]
    if is_url(spent.body.get("to")):
        # a folder whose files did not reach their store
        places += sorted(ledger_folder(book.path).glob(f"*-*/*/{SAVED}"))
    made = {path: Release.open(path) for path in places if path.is_file()}
    return {
        path: one
        for path, one in made.items()
        if one.record.receipt.release_id == spent.body["release"]
    }


def _lost_words(spent: Event) -> str:
    """Say that a release was paid for and is not where it was to be."""
    place = spent.body.get("to", "a release that was not saved")
    return (
        f"--out: epsilon {spent.body['epsilon']} of {spent.body['dataset']!r} was spent for {place}"
        f" (release {spent.body['release']}), and it is not there; look for a copy, as it cannot be"
        " drawn again, or add --spend-again (spend_again=True) to pay for another"
    )
