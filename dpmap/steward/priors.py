"""Lays what is public already on the map's cells, before anything is counted or spent: rasters,
layers, arrays and earlier releases.
"""

import hashlib
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid import Grid
from dpmap.grid.allocate import display_name, hash_content, lay, split_path
from dpmap.grid.resample import resample
from dpmap.maps import kind_of_layers
from dpmap.promise.policy import Policy
from dpmap.record import Prior
from dpmap.record.prior import MOST_PRIORS
from dpmap.releases.release import Release
from dpmap.stores import local_copy, spell
from dpmap.strategies import by_cell

Cells = NDArray[np.float64]
OnePrior = str | os.PathLike[str] | Release | NDArray[Any]
PriorLike = OnePrior | Sequence[OnePrior] | None
"""What callers may give: files, earlier releases, arrays in the grid's shape, or several."""
ROLE = "prior"
SAVED = ".dpmap"
COVERED = 0.01
"""A cell of which less than this part is covered counts as not known."""


def read_priors(given: Any, grid: Grid, policy: Policy, strategy: str) -> tuple[Prior, ...]:
    """Returns each public prior on the grid's cells, named by its content: files, arrays in grid
    shape, or earlier releases.

    Cells of which a prior knows nothing get the mean of those it knows.
    """
    sources = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]
    if sources:
        _check_used(grid, policy, strategy)
    if len(sources) > MOST_PRIORS:
        raise BadInput(f"{ROLE}: a map has at most {MOST_PRIORS} priors; add some up beforehand")
    return tuple(_lay_prior(source, grid, number) for number, source in enumerate(sources, 1))


def _check_used(grid: Grid, policy: Policy, strategy: str) -> None:
    """Refuses priors for a map that is not read by its regions' shape: it would be told that
    they were used.
    """
    what = "--mean" if grid.mean else "--delta" if policy.delta else by_cell(strategy, grid)
    if what:
        raise BadInput(
            f"{ROLE}: a map with {what} is read cell by cell, and no prior would change it; leave"
            " --prior out"
        )


def _lay_prior(source: Any, grid: Grid, number: int) -> Prior:
    """Lays one prior."""
    if isinstance(source, Release):
        return _of_release(
            source, None, grid, f"release {source.record.receipt.release_id}", _digest(source)
        )
    if isinstance(source, str | os.PathLike):
        path, words = split_path(os.fspath(source))
        if spell(path).lower().endswith(SAVED):
            name = ":".join([display_name(spell(path)), *words])
            with local_copy(path, ROLE) as file:
                return _of_release(
                    Release.open(file), ":".join(words) or None, grid, name, hash_content(file)
                )
    laid = lay(source, grid, role=ROLE)
    name = laid.name if isinstance(source, str | os.PathLike) else f"array {number}"
    return Prior(name, laid.sha256, _filled(laid.values, grid.ground.inside & ~laid.missing, grid))


def _digest(release: Release) -> str:
    """Returns the SHA-256 of what a release without a file measured: its steps, one question
    after the other.
    """
    records = [release.record, *release.record.partners]
    steps = (
        measurement.steps.astype("<i8").tobytes()
        for record in records
        for measurement in record.measurements
    )
    return hashlib.sha256(b"".join(steps)).hexdigest()


def _of_release(release: Release, layer: str | None, grid: Grid, name: str, sha256: str) -> Prior:
    """Lays the estimate of an earlier release, of one layer or of all layers together."""
    if kind_of_layers(release.record) in ("sparse", "means"):
        raise BadInput(
            f"{ROLE}: {name} lists some cells only, or tells a mean; give a release that tells each"
            " cell's total"
        )
    one = release.layer(layer) if layer else release
    values = np.asarray(one.estimate, dtype=np.float64)
    ground = one.grid.ground
    values = np.where(ground.inside, values.reshape(-1, *ground.shape).sum(axis=0), np.nan)
    total, covered = resample(values, ground, grid.ground, role=ROLE)
    known = grid.ground.inside & (covered > COVERED)
    if not known.any():
        raise BadInput(f"{ROLE}: {name} has no cell in the area; give a release of the same ground")
    return Prior(name, sha256, _filled(total / np.where(known, covered, 1.0), known, grid))


def _filled(values: Cells, known: NDArray[np.bool_], grid: Grid) -> Cells:
    """Fills cells in the area of which nothing is known with the mean of the others, and puts 0
    outside.
    """
    mean = float(values[known].mean())
    return np.where(known, values, np.where(grid.ground.inside, mean, 0.0))
