"""Makes a release, step by step: read -> consent -> grid -> cap -> noise -> infer -> Release."""

import json
import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from dpmap import engines, store_results, stores, strategies
from dpmap.atomic_write import try_place
from dpmap.engines.prefilter import make_prefilter
from dpmap.errors import BadInput, DpmapError, Refused, SystemFailed
from dpmap.grid import Grid, Partition
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.sensitive_species import check_sensitivity
from dpmap.ledger.events import Spend
from dpmap.ledger.ledger import Ledger, Reservation
from dpmap.numbers import NumberLike, decimal_text, exact
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.private_totals import PrivateTotals
from dpmap.promise.compatibility import NOISE_SOURCES, refuse_unproven
from dpmap.promise.governance import Governance
from dpmap.promise.policy import Policy
from dpmap.promise.tiers import split_policy
from dpmap.record import About, Receipt, Record
from dpmap.record.choice import Choice
from dpmap.releases.fallback import failed_line, room_for, save_beside_ledger
from dpmap.releases.release import Release
from dpmap.releases.tiers import SAVED, Tiers, check_new, check_no_ledger, share_classes, try_tiers
from dpmap.steward.priors import PriorLike, read_priors
from dpmap.steward.progress import StepFraction, StepWords, track_steps, unfailing
from dpmap.steward.simulation import ready_to_ask
from dpmap.survey import Survey
from dpmap.survey.row_sql import JOINT, cell_metres, dated_columns, unit_columns
from dpmap.vault.cap_sql import capped_totals
from dpmap.vault.laplace import discrete_laplace
from dpmap.vault.permute_and_flip import choose_cap, unit_sizes
from dpmap.vault.sampling import fresh_secret, restrict_to_drawn
from dpmap.vault.session import Session, check_sparse
from dpmap.vault.two_unit_cap import capped_pairs, edges
from dpmap.version import made_with_survey

MOST_UNCONFIRMED = 20
"""A larger epsilon is a slip of the pen, like 50 for 0.50, until somebody says that it is not."""


def silent(step: str) -> None:
    """Shows no progress."""


class Options(TypedDict, total=False):
    """What else `release` takes, with tiers or without."""

    budget: NumberLike | None
    budget_delta: NumberLike | None
    strategy: "str | strategies.Strategy"
    engine: "str | engines.Engine"
    noise: str
    governance: Governance | None
    sensitivity: str | None
    sites: Survey | None
    notes: dict[str, Any] | None
    confirm_epsilon: bool
    to: "str | os.PathLike[str] | None"
    prior: PriorLike
    progress: StepWords | StepFraction


@overload
def release(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    *,
    ledger: "str | os.PathLike[str] | Ledger",
    dataset: str,
    tiers: None = None,
    seal: None = None,
    **more: Unpack[Options],
) -> Release: ...


@overload
def release(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    *,
    ledger: "str | os.PathLike[str] | Ledger",
    dataset: str,
    tiers: Mapping[str, NumberLike],
    seal: "str | os.PathLike[str] | None" = None,
    **more: Unpack[Options],
) -> Tiers: ...


@overload
def release(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    *,
    ledger: "str | os.PathLike[str] | Ledger",
    dataset: str,
    tiers: Mapping[str, NumberLike] | None,
    seal: "str | os.PathLike[str] | None" = None,
    **more: Unpack[Options],
) -> Release | Tiers: ...


def release(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    *,
    ledger: "str | os.PathLike[str] | Ledger",
    dataset: str,
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
    to: "str | os.PathLike[str] | None" = None,
    tiers: Mapping[str, NumberLike] | None = None,
    seal: "str | os.PathLike[str] | None" = None,
    prior: PriorLike = None,
    progress: StepWords | StepFraction = silent,
) -> Release | Tiers:
    """Makes one private map of a survey, paid for from a ledger.

    - `survey`, `grid`, `policy`: from `dm.read`, a `dm.Grid` and a `dm.Policy`, in this order.
    - `ledger`: the file, or `dm.Ledger`, that adds up what is spent; it is made if it is not there.
    - `dataset`: the name under which the ledger adds up this survey's releases. A data set has one
      unit.
    - `budget`: the most epsilon that may ever be spent, declared at the first release;
      `budget_delta` likewise, for a policy with a `delta`, which also needs `strategy="flat"`.
    - `strategy`: `"adaptive"`, which merges land that looks empty; `"flat"`, every cell by itself;
      or `"sparse:20"`, `flat` on a grid too large to hold, of which only cells of at least 20 noisy
      points are listed. Or a function of your own, which is called with a `dm.StrategySession`: it
      sees noisy answers only, and is tried on invented counts before anything is reserved.
    - `engine`: what counts the rows: `"duckdb"`, `"spark"`, or one of `dm.engines`. `noise`:
      `"dpmap"`, or `"opendp"` for that library's.
    - `governance`: who authorised the map, and for what; carried into everything made from it.
    - `sensitivity`: a preset, such as `"gbif-2"`: cells finer than it allows are refused.
    - `sites`: for a policy with a `site`, their own survey (`dm.read("nests.gpkg",
      unit="nest_id")`), which says where each is.
    - `notes`: your own words about the release: it keeps and shows them, and derives nothing from
      them.
    - `confirm_epsilon`: says that an epsilon above 20, which promises next to nothing, is meant.
    - `to`: a file, like raptors.dpmap or s3://bucket/raptors.dpmap, in which the release is saved
      at once, before the ledger learns that it was made.
    - `tiers`: `{"public": "0.3", "partners": 1, "manager": 3}` makes from one draw a map for each
      reader, and all together cost the dearest, which is the policy's epsilon. `to` is then the
      folder for theirs. `seal`: a new file that keeps all of them for later (`dm.unseal`); only the
      noisiest is then saved by itself, and returned.
    - `prior`: what you declare to be public before this release, and not made from the survey but
      by an earlier release: one or a list, a raster or a layer (`"effort.tif"`, `"roads.gpkg"`,
      `"districts.gpkg:people"`), an earlier release, its file, or an array in the grid's shape. It
      costs nothing: the noisy answers alone decide how far each is trusted.
    - `progress`: a function that is called with the words of each step; one of two arguments is
      called with the step and the fraction of it that is done, again and again, None where that is
      not known. The log `dpmap` has the steps, too.

    Everything that can be checked is checked first; then the capped totals are counted; then
    epsilon is reserved in the ledger, durably; only then is noise drawn and added. With a cap
    chosen privately the reservation comes before the count, and its first part pays for choosing
    it. Returns a `Release`, or `Tiers`. Raises `BadInput` for what cannot be understood, `Refused`
    for what would not protect anybody, and `BudgetExceeded` where too little is left.

    >>> import dpmap as dm
    >>> survey = dm.read("raptors.csv")
    >>> grid = dm.Grid.covering("study_area.gpkg", cell="20 km")
    >>> policy = dm.Policy(epsilon="0.5", unit="observer_id", cap=5)
    >>> paid = dict(ledger="raptors.ledger", dataset="Raptors 2026", budget="3")
    >>> dm.release(survey, grid, policy, **paid).record.receipt.remaining
    Fraction(5, 2)
    """
    if (
        not isinstance(survey, Survey)
        or not isinstance(grid, Grid)
        or not isinstance(policy, Policy)
    ):
        raise BadInput(
            "release: give a survey from dm.read, a dm.Grid and a dm.Policy, in this order"
        )
    progress = track_steps(progress)
    policy = agreed_policy(survey, policy)
    chosen = strategies.find_strategy(strategy)
    strategy = strategies.record_name(strategy)
    if noise not in NOISE_SOURCES:
        raise BadInput(f"noise: not one of {', '.join(NOISE_SOURCES)}")
    refuse_unproven(
        (*_tools(survey, grid, policy), strategy.partition(":")[0], noise, *_tiered(tiers, seal))
    )
    promises = {"": policy} if tiers is None else split_policy(policy, tiers)
    grid = grid_with_values(survey, grid, strategy)
    _check_sites(survey, sites, policy)
    _check_grid(grid, policy, strategy, noise, sensitivity)
    counter = engines.make_engine(engine) if isinstance(engine, str) else engine
    discrete_laplace(1, Fraction(1), source=noise)  # refused where it is not installed
    names = None if tiers is None else list(promises)
    room = room_for(grid, sparse=strategies.threshold(strategy) is not None) * len(promises)
    check_places = partial(_check_places, to, seal, ledger, names, room)
    check_places()
    if governance is not None:
        governance.check_new(datetime.now(UTC).date())
    remarks = _remarks(notes)
    versions = made_with_survey(*(["opendp"] if noise == "opendp" else []))
    priors = read_priors(prior, grid, policy, strategy)
    chosen = ready_to_ask(chosen, grid, tuple(promises.values()), priors)
    book, spend = _checked(ledger, dataset, policy, budget, budget_delta, confirmed=confirm_epsilon)
    # that of the noisiest tier, which a cap chosen privately is paid from
    policy = next(iter(promises.values()))

    def reserve() -> Reservation:
        check_places()  # again: counting may have taken hours
        progress("reserving epsilon in the ledger")
        return book.take(spend, _details(policy, grid, None if tiers is None else promises, to))

    totals, reservation, policy = _count_totals(
        counter, survey, sites, grid, policy, reserve, progress
    )
    # from here on epsilon is paid: a caller's broken progress bar must not lose what it paid for
    paid_progress = unfailing(progress)
    paid_progress("drawing noise")
    noisier = [promise.measuring for promise in promises.values()][:-1]
    session = Session(
        totals,
        grid,
        reservation,
        policy.cap,
        policy.lattice,
        source=noise,
        sample=policy.sample,
        noisier=noisier,
        priors=priors,
    )
    chosen(session)
    record = Record(
        grid=grid,
        policy=policy,
        strategy=strategy,
        measurements=session.made,
        receipt=_receipt(reservation),
        released_on=datetime.now(UTC).date().isoformat(),
        versions=versions,
        about=_about(survey, grid, policy, noise, sensitivity, governance, reservation),
        remarks=remarks,
        priors=priors,
    )
    made = Release(record) if tiers is None else _release_tiers(record, promises, session)
    if to is not None:
        paid_progress("saving the release")
    elsewhere = _save(made, to, seal, book.path)
    _noted(book, reservation)
    if elsewhere:
        raise SystemFailed(elsewhere)
    return made if seal is None or isinstance(made, Release) else made.noisiest


def _check_places(
    to: "str | os.PathLike[str] | None",
    seal: "str | os.PathLike[str] | None",
    ledger: "str | os.PathLike[str] | Ledger",
    tiers: list[str] | None,
    room: int,
) -> None:
    """Refuses places where what is paid for could not be saved, or would replace something."""
    paid_from = ledger.path if isinstance(ledger, Ledger) else ledger
    if tiers is not None:
        check_new(to, tiers, seal=seal, ledger=paid_from)
        try_tiers(to, tiers, seal=seal, room=room)
    elif to is not None:
        _check_new(to, room)
        check_no_ledger(to, paid_from, flag="--out (to=)")


def _check_grid(
    grid: Grid, policy: Policy, strategy: str, noise: str, sensitivity: str | None
) -> None:
    """Refuses cells that are too fine for a sensitive species, or too many to hold."""
    if sensitivity is not None:
        check_sensitivity(grid, sensitivity)
    if (threshold := strategies.threshold(strategy)) is None:
        grid.check_held()
    else:
        least = policy.cap if policy.cap_choice is None else policy.cap_choice.ladder[0]
        check_sparse(threshold, grid, least / policy.measuring, noise)


def _details(
    policy: Policy,
    grid: Grid,
    tiers: Mapping[str, Policy] | None,
    to: "str | os.PathLike[str] | None",
) -> dict[str, Any]:
    """Returns what the ledger's event says of a release beside its cost and whom it protects."""
    cap = policy.cap if policy.cap_choice is None else str(policy.cap_choice)
    details: dict[str, Any] = {
        "cap": cap,
        "limiter": policy.limiter,
        "cells": grid.cells_inside,
    }
    if policy.epsilon_by is not None:
        details["epsilon_by"] = str(policy.epsilon_by)
    if tiers is not None:
        details["tiers"] = [f"{name}={loss}" for name, loss in _losses(tiers).items()]
    if to is not None:
        details["to"] = target(to)
    return details


def target(to: "str | os.PathLike[str]") -> str:
    """Returns the place of a release as its ledger's event names it, in full."""
    name = stores.spell(to) if stores.is_url(to) else Path(os.path.abspath(to)).as_posix()
    return store_results.PLACE_NAME.get()(name)


def _tiered(tiers: object, seal: object) -> tuple[str, ...]:
    """Returns the name of the tool that tiers are, if they are asked for."""
    if tiers is None and seal is not None:
        raise BadInput(
            "seal: it keeps tiers of one draw; name them, like --tier public=0.3 --tier manager=3,"
            " or leave it out"
        )
    return () if tiers is None else ("tiers",)


def _losses(promises: Mapping[str, Policy]) -> dict[str, str]:
    """Returns each tier's epsilon, as it is written."""
    return {name: decimal_text(promise.epsilon) for name, promise in promises.items()}


def _release_tiers(noisiest: Record, promises: Mapping[str, Policy], session: Session) -> Tiers:
    """Returns a release for each tier: what its reader is told, under its own promise."""
    records = dict[str, Record]()
    losses = _losses(promises)
    for (name, promise), noise_copy in zip(promises.items(), session.made_for, strict=True):
        policy = replace(promise, cap=noisiest.policy.cap, cap_origin=noisiest.policy.cap_origin)
        about = noisiest.about.of_tier(name, losses)
        records[name] = replace(noisiest, policy=policy, measurements=noise_copy, about=about)
    return Tiers({name: Release(one) for name, one in share_classes(records).items()})


def _save(
    made: Release | Tiers,
    to: "str | os.PathLike[str] | None",
    seal: "str | os.PathLike[str] | None",
    ledger: str,
) -> str:
    """Saves what was made where places for it were named; returns a line to end with where it
    stands elsewhere.

    A place that was tried before the reservation can fail by now: a disk is full, a stick is
    unplugged, somebody else wrote there. What is paid for is then saved beside the ledger, whose
    disk took an event a moment ago.
    """
    if isinstance(made, Tiers):
        return made.save_paid(to, seal=seal, ledger=ledger)
    if to is None:
        return ""
    try:
        made.save(to)
    except Exception as failed:
        saved_beside = save_beside_ledger(
            made.record, ledger, lambda folder: made.save(folder / SAVED)
        )
        if saved_beside is None:
            raise
        spent = (
            f"epsilon {decimal_text(made.policy.epsilon)} of {made.record.receipt.dataset!r} is"
            " spent"
        )
        return (
            f"{failed_line(failed)}; {spent}, and the release is whole in {saved_beside / SAVED}; "
            f"type  dpmap release --resume {shlex.quote(str(saved_beside))}  for its maps, at no"
            " cost"
        )
    return ""


def _noted(book: Ledger, paid: Reservation) -> None:
    """Tells the ledger that what was paid for is there; where it cannot be told, what is there
    is not lost for that.
    """
    with suppress(DpmapError):
        book.made(paid)


def choose(
    survey: Survey,
    among: "Grid | Mapping[str, Grid]",
    policy: Policy,
    *,
    ledger: "str | os.PathLike[str] | Ledger",
    dataset: str,
    spending: NumberLike | None = None,
    budget: NumberLike | None = None,
    engine: "str | engines.Engine" = "duckdb",
    confirm_epsilon: bool = False,
    progress: StepWords | StepFraction = silent,
) -> Choice:
    """Tells which of these areas holds most, by capped totals: one name, and nothing else.

    - `survey`, `policy`: as for `release`. It costs all of the policy's epsilon.
    - `among`: the areas, a `dm.Grid.areas`. Or grids by name, such as `{"1 km": fine, "5 km":
      coarse}`: which one's map, each cell measured by itself at a loss of `spending` (by default
      the policy's epsilon again), is likely to tell most of the finest one's cells.
    - `ledger`, `dataset`, `budget`, `engine`, `confirm_epsilon`, `progress`: as for `release`.

    Returns a `Choice`, with the name, how far ahead the best must be for it to be told, and the
    ledger's receipt.

    >>> import dpmap as dm
    >>> policy = dm.Policy(epsilon=1, unit="observer_id", cap=5)
    >>> districts = dm.Grid.areas("districts.gpkg", name="name")
    >>> found = dm.choose(
    ...     dm.read("raptors.csv"),
    ...     districts,
    ...     policy,
    ...     ledger="chosen.ledger",
    ...     dataset="Raptors 2026",
    ...     budget=3,
    ... )
    >>> found.chosen in districts.names
    True
    """
    if (
        not isinstance(survey, Survey)
        or not isinstance(among, Grid | Mapping)
        or not isinstance(policy, Policy)
    ):
        raise BadInput(
            "choose: give a survey from dm.read, a dm.Grid.areas and a dm.Policy, in this order"
        )
    progress = track_steps(progress)
    areas, sizes = (among, ()) if isinstance(among, Grid) else _finest(among)
    if not sizes and (areas.kind != "areas" or areas.axes):
        raise BadInput("choose: the candidates are areas, like dm.Grid.areas('reserves.gpkg')")
    if spending is not None and not sizes:
        raise BadInput("spending: it is for choosing a cell size (--cells); leave it out")
    planned = policy.epsilon if spending is None else parse_epsilon(spending, name="spending")
    policy = agreed_policy(survey, policy)
    refuse_unproven(("choice", *_tools(survey, areas, policy)))
    counter = engines.make_engine(engine) if isinstance(engine, str) else engine
    book, spend = _checked(ledger, dataset, policy, budget, confirmed=confirm_epsilon)
    totals = counter.totals(survey, areas, policy, _limiter(policy, survey.roles.shares), progress)
    progress("reserving epsilon in the ledger")
    names = areas.names if isinstance(among, Grid) else tuple(among)
    details = {"cap": policy.cap, "limiter": policy.limiter, "candidates": len(names)}
    reservation = book.take(spend, details)
    session = Session(totals, areas, reservation, policy.cap, policy.lattice, sample=policy.sample)
    if sizes:
        winner = session.choose_size(sizes, session.epsilon, spending=planned)
    else:
        winner = session.choose(Partition.cells(areas), session.epsilon)
    today = datetime.now(UTC).date().isoformat()
    _noted(book, reservation)
    return Choice(
        names[winner], names, policy, _receipt(reservation), today, planned if sizes else None
    )


def _finest(grids: "Mapping[str, Grid]") -> tuple[Grid, tuple[Partition, ...]]:
    """Returns the grid of most cells, and each grid as a partition of it: a cell lies where its
    middle does.
    """
    import shapely

    if len(grids) < 2 or not all(
        isinstance(grid, Grid) and not grid.axes for grid in grids.values()
    ):
        raise BadInput(
            "choose: give two or more grids without layers, by name, to choose a cell size among"
            " them"
        )
    finest = max(grids.values(), key=lambda grid: grid.cells_inside)
    middles = shapely.centroid(finest.polygons())
    x = shapely.get_x(middles)
    y = shapely.get_y(middles)

    def laid(grid: Grid) -> Partition:
        labels = np.full(finest.size, -1)
        labels[finest.inside.ravel()] = grid.locate(x, y, finest.crs)
        regions, numbered = np.unique(labels, return_inverse=True)
        return Partition((numbered - (regions[0] < 0)).reshape(finest.shape))

    return finest, tuple(laid(grid) for grid in grids.values())


def _checked(
    ledger: "str | os.PathLike[str] | Ledger",
    dataset: str,
    policy: Policy,
    budget: object,
    budget_delta: object = None,
    *,
    confirmed: bool,
) -> tuple[Ledger, Spend]:
    """Returns the ledger and what is asked of it, after checking that it would take this
    release.
    """
    if policy.epsilon > MOST_UNCONFIRMED and not confirmed:
        raise BadInput(
            f"epsilon: {decimal_text(policy.epsilon)} promises next to nothing, as one person's"
            " odds may move by a factor of e to that power; write a small one, like 0.5, or add"
            " --confirm-epsilon (confirm_epsilon=True) if it is meant"
        )
    book = ledger if isinstance(ledger, Ledger) else Ledger(ledger)
    total = None if budget is None else parse_epsilon(budget, name="budget")
    most = None if budget_delta is None else exact(budget_delta, name="budget-delta")
    spend = Spend(
        dataset,
        policy.epsilon,
        policy.delta or Fraction(0),
        policy.lifetime,
        total,
        most,
        policy.unit,
        policy.site,
    )
    book.check(spend)
    return book, spend


MOST_REMARKS = 100_000


def _remarks(notes: object) -> dict[str, Any]:
    """Returns a copy of the caller's own notes as the release file will hold them; bad notes are
    refused before anything is spent.
    """
    try:
        text = json.dumps({} if notes is None else notes, ensure_ascii=False, allow_nan=False)
        plain = json.loads(text)
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError):
        plain = None
        size = 0
    if not isinstance(plain, dict) or size > MOST_REMARKS:
        raise BadInput(
            f"notes: give a dict of texts, numbers, lists and dicts, of at most {MOST_REMARKS:,}"
            " characters; keep the rest in a file of its own"
        )
    return plain


def reading_words(survey: Survey, grid: Grid, policy: Policy) -> list[list[str]]:
    """Returns how the survey is read, in the words that the record keeps of it."""
    width = (
        cell_metres(grid.ground) if policy.site is None else 0.0
    )  # with a site no obscured row counts
    dated = dated_columns(survey.header, grid.axes)
    lines = [
        list(line) for line in survey.roles.described(policy.unit, policy.consent, width, dated)
    ]
    naming = grid.cells.naming if isinstance(grid.cells, Areas) else None
    return lines if naming is None else [*lines, ["areas", naming.words]]


def _about(
    survey: Survey,
    grid: Grid,
    policy: Policy,
    noise: str,
    sensitivity: str | None,
    governance: Governance | None,
    reservation: Reservation,
) -> About:
    """Returns what the record keeps beside the numbers: all declared or read off the header,
    nothing off a row.

    Statements, maps and merged maps follow from it, so nothing that a caller writes in her own
    notes gets here.
    """
    read_as = reading_words(survey, grid, policy)
    preset = {} if sensitivity is None else {"sensitivity": sensitivity}
    words = survey.roles.noun(policy.unit)
    noun = {"noun": words} if words else {}
    governed = {"governance": governance.to_dict()} if governance else {}
    return About.from_mapping(
        {"noise": noise, "read_as": read_as, **preset, **noun, **governed, **reservation.terms}
    )


def _count_totals(
    counter: "engines.Engine",
    survey: Survey,
    sites: Survey | None,
    grid: Grid,
    policy: Policy,
    reserve: Callable[[], Reservation],
    progress: Callable[[str], None],
) -> tuple[PrivateTotals, Reservation, Policy]:
    """Returns the capped totals, the reservation, and the policy with its cap fixed.

    A declared cap is counted first and reserved for last, so that a failing count costs nothing.
    One that is to be chosen privately must be paid for before it is chosen, and so before the
    totals under it are counted.
    """
    shares = survey.roles.shares
    if sites is not None:
        if not isinstance(counter, engines.Pairing):
            raise BadInput("--site: this engine cannot count two units at once; leave --engine out")
        pair_totals = counter.pairs(survey, sites, grid, policy, edges(JOINT), progress)
        return capped_pairs(pair_totals, policy), reserve(), policy
    if policy.cap_choice is None:
        totals = counter.totals(
            survey, grid, policy, _limiter(policy, shares), progress, make_prefilter(policy, shares)
        )
        return totals, reserve(), policy
    with counter.opened(survey, grid, policy, progress) as rows:
        tally = rows.tally(unit_sizes(policy, shares))
        reservation = reserve()
        fixed = choose_cap(tally, policy, reservation)
        return (
            rows.totals(_limiter(fixed, shares), make_prefilter(fixed, shares)),
            reservation,
            fixed,
        )


def _limiter(policy: Policy, shares: int) -> str:
    return restrict_to_drawn(capped_totals(policy, shares), policy, fresh_secret())


def agreed_policy(survey: Survey, policy: Policy) -> Policy:
    """Returns the policy with the survey's own consent rule; refuses if the two say different
    things.
    """
    unit = survey.roles.unit
    consent = survey.roles.consent
    if survey.roles.unit_named and unit is not None and unit.lower() != policy.unit.lower():
        raise BadInput(
            "unit: the survey was read with another unit than the policy names; use one of them"
        )
    if consent is not None and policy.consent is not None and consent != policy.consent:
        raise BadInput(
            "consent: the survey was read with another rule than the policy names; use one of them"
        )
    agreed = (
        policy
        if consent is None or policy.consent is not None
        else replace(policy, consent=consent)
    )
    if agreed.unit == "row" and "row" in survey.columns:
        raise Refused(
            "unit: `row` means single rows, but the survey has a column of that name; rename the"
            " column"
        )
    if agreed.unit != "row":
        unit_columns(survey.header, agreed.unit)
    if agreed.consent is not None:
        survey.header.require(agreed.consent.column, flag="--consent")
    if agreed.epsilon_by is not None:
        survey.header.require(agreed.epsilon_by.column, flag="--epsilon-by")
    return agreed


def _check_new(to: "str | os.PathLike[str]", room: int) -> None:
    """Refuses a place where the release could not be saved once it is paid for, or would replace
    another.
    """
    if stores.is_url(to):
        store_results.check_new(to, "--out (to=)")
        return
    folder, name = os.path.split(os.path.abspath(to))
    if os.path.exists(to):  # a link that leads nowhere is replaced
        raise BadInput(
            f"--out (to=): {name} is there already; name a new file, like raptors-2.dpmap"
        )
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise BadInput(
            f"--out (to=): {name} cannot be written there; make its folder first, or name another"
        )
    try_place(to, room=room)


def _check_sites(survey: Survey, sites: Survey | None, policy: Policy) -> None:
    """Checks that the policy's site and the sites' own survey are given together or not at all."""
    if (policy.site is None) != (sites is None):
        raise BadInput(
            "site: --site and --sites go together: the column of the survey, and the file that says"
            " where each is"
        )
    if policy.site is None or sites is None:
        return
    unit_columns(survey.header, policy.site)
    unit_columns(sites.header, policy.site)


def grid_with_values(survey: Survey, grid: Grid, strategy: str) -> Grid:
    """Returns the grid with two layers more if the survey was opened for a mean."""
    mean = survey.roles.reading.values
    if mean is None:
        return grid
    if strategy != "flat":
        raise BadInput("strategy: a mean is told cell by cell; add --strategy flat (strategy=)")
    return grid.layered(mean)


def _tools(survey: Survey, grid: Grid, policy: Policy) -> tuple[str, ...]:
    """Lists all tools that this release would use at once."""
    used = {"layers": bool(grid.axes), "teams": survey.roles.team(policy.unit) != "none"}
    return (
        *policy.tools,
        *survey.roles.reading.tools,
        *(name for name, is_used in used.items() if is_used),
    )


def _receipt(reservation: Reservation) -> Receipt:
    """Returns what the ledger attests of a reservation."""
    spend = reservation.spend
    return Receipt(
        dataset=spend.dataset,
        release_id=reservation.release_id,
        head=reservation.head,
        event=reservation.event,
        budget=spend.budget or Fraction(0),
        spent=reservation.spent,
        budget_delta=spend.budget_delta or Fraction(0),
        spent_delta=reservation.spent_delta,
    )
