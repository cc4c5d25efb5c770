"""Rehearses on *public* numbers: the same session and strategies as a release, without survey or
ledger.

Plans are made of this. Nothing here can reach a survey or an engine (an import rule says so),
nothing is spent, and what comes out is a plain array, which no release can be saved from.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpmap import strategies
from dpmap.errors import BadInput, DpmapError
from dpmap.grid import Grid
from dpmap.maps import read_measurements
from dpmap.numbers import NumberLike
from dpmap.promise.policy import Policy
from dpmap.record import Prior
from dpmap.vault.session import Session

if TYPE_CHECKING:
    from dpmap.maps.totals import TotalsMap


def simulate(
    counts: ArrayLike,
    *,
    epsilon: NumberLike,
    cap: NumberLike = 1,
    strategy: "str | strategies.Strategy" = "adaptive",
    prior: ArrayLike | Sequence[ArrayLike] = (),
) -> NDArray[np.float64]:
    """Returns what a map of this *public* array of counts would look like, as an array of its
    shape; there is no ledger and nothing to save.

    - `counts`: one or two dimensions of counts, none below 0. They must be public: nothing here
      protects them.
    - `epsilon`, `cap`: the promise to try, as in `Policy`; here each point counts as a unit of its
      own.
    - `strategy`: `"adaptive"`, or `"flat"` for each cell by itself, or a function of your own, as
      `release` takes it.
    - `prior`: an array of the same shape, or a list of them, as `release` takes them: where there
      may be more, none below 0.

    Noise is drawn anew each time.

    >>> simulate(np.full((2, 2), 1000), epsilon=10**6).round(3).tolist()
    [[1000.0, 1000.0], [1000.0, 1000.0]]
    """
    policy = Policy(epsilon=epsilon, unit="row", cap=cap)
    try:
        values = np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(
            "simulate: give a one- or two-dimensional array of counts, none below 0"
        ) from None
    if (
        values.ndim not in (1, 2)
        or not values.size
        or not np.isfinite(values).all()
        or (values < 0).any()
    ):
        raise BadInput("simulate: give a one- or two-dimensional array of counts, none below 0")
    plane = values.reshape(values.shape[0], -1)
    grid = Grid(
        bounds=(0, 0, plane.shape[1], plane.shape[0]),
        shape=(plane.shape[0], plane.shape[1]),
        crs="EPSG:3857",
    )
    given = Prior.of_arrays(prior, values.shape)
    if given and (what := strategies.by_cell(strategies.record_name(strategy), grid)):
        raise BadInput(
            f"prior: a map with {what.removeprefix('--')} is read cell by cell, and no prior would"
            " change it; leave it out"
        )
    laid = [replace(one, values=one.values.reshape(plane.shape)) for one in given]
    return rehearse(plane, grid, policy, strategy=strategy, priors=laid).reshape(values.shape)


def rehearse(
    counts: NDArray[np.float64],
    grid: Grid,
    policy: Policy,
    *,
    strategy: "str | strategies.Strategy",
    priors: Sequence[Prior] = (),
) -> NDArray[np.float64]:
    """Returns the map of public numbers on any grid, in its shape; `simulate` and `plan` use it."""
    return rehearse_map(counts, grid, policy, strategy=strategy, priors=priors).reading.values


def rehearse_map(
    counts: NDArray[np.float64],
    grid: Grid,
    policy: Policy,
    *,
    strategy: "str | strategies.Strategy",
    priors: Sequence[Prior] = (),
) -> "TotalsMap":
    """Returns how a map of public numbers is read: its estimate, and the places that its picture
    would show.
    """
    return rehearsed_tiers(counts, grid, [policy], strategy=strategy, priors=priors)[0]


def rehearsed_tiers(
    counts: NDArray[np.float64],
    grid: Grid,
    promises: Sequence[Policy],
    *,
    strategy: "str | strategies.Strategy",
    priors: Sequence[Prior] = (),
) -> "list[TotalsMap]":
    """Returns how the maps of one draw are read, one for each promise, which are given from the
    noisiest on.
    """
    session = _open_session(counts, grid, promises, priors)
    strategies.find_strategy(strategy)(session)
    return [read_measurements(grid, noise_copy, tuple(priors)) for noise_copy in session.made_for]


def ready_to_ask(
    strategy: Callable[[strategies.ListingSession], None],
    grid: Grid,
    promises: Sequence[Policy],
    priors: Sequence[Prior],
) -> Callable[[strategies.ListingSession], None]:
    """Returns what asks a session that is paid for. One that was brought is run before on an empty
    map and on invented counts, so that its mistakes are known before anything is reserved.
    """
    if not isinstance(strategy, strategies.CustomStrategy):
        return strategy
    for counts in (np.zeros(grid.shape), strategies.invented_counts(grid)):
        session = _open_session(counts, grid, promises, priors)
        try:
            strategy(session)
        except DpmapError:
            raise
        except Exception as error:
            raise BadInput(
                f"strategy: {strategy.name} failed on invented counts, and nothing was spent:"
                f" {strategies.one_line(error)}"
            ) from error
    return strategy.ask_paid


def _open_session(
    counts: NDArray[np.float64],
    grid: Grid,
    promises: Sequence[Policy],
    priors: Sequence[Prior],
) -> Session:
    """Opens a session on public numbers for readers of these promises, the noisiest first."""
    finest = promises[-1]
    return Session(
        counts,
        grid,
        finest.measuring,
        finest.cap,
        finest.lattice,
        finest.delta or Fraction(0),
        noisier=[policy.measuring for policy in promises[:-1]],
        priors=priors,
    )
