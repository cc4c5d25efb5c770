"""Released numbers cannot be changed in place: arrays are read-only, tables and data sets are copies of their own."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import shapely
from builders import surveys

import dpmap as dm
from dpmap.grid.grid import Grid
from dpmap.inference.posterior_estimate import BelievedEstimate
from dpmap.maps import kind
from dpmap.releases.comparison import Comparison
from dpmap.releases.release import Release

SAVED = Path(__file__).parent / "stability" / "saved"
LONGEST = 90
MADE = {
    "compare": lambda place: dm.compare(*_two(place)),
    "series": lambda place: dm.open_series(_two(place)),
    "trend": lambda place: dm.open_series(_two(place)).trend(),
    "tiers": lambda place: surveys.released(
        surveys.scattered(300), place, tiers={"public": "0.5", "all": 1}
    ),
    "fresh": lambda place: surveys.released(surveys.scattered(300), place, strategy="adaptive"),
}
"""What is made of releases, beside those of every kind that are saved."""


def _two(place):
    return [
        surveys.released(
            surveys.scattered(300 * number),
            place,
            dataset=f"d{number}",
            ledger=place / f"{number}.ledger",
        )
        for number in (1, 2)
    ]


def _kinds():
    """One saved release of each kind of map, of cells and of layers."""
    found = {}
    for path in sorted(SAVED.rglob("*.dpmap")):
        if "sealed" in path.name and "tiers" not in path.name:
            continue
        record = dm.open(path).record
        key = (
            kind(record),
            record.grid.kind,
            bool(record.grid.axes),
            record.strategy,
            bool(record.policy.delta),
        )
        found.setdefault(
            (*key, record.grid.mask is None, bool(record.priors), bool(record.partners)), path
        )
    return list(found.values())


def _parts(thing):
    """What a thing of dpmap hands out by its public names, each with how it is asked for again."""
    if isinstance(thing, Mapping):
        yield from ((f"[{key!r}]", value, None) for key, value in list(thing.items())[:3])
    if isinstance(thing, list | tuple):
        yield from ((f"[{number}]", value, None) for number, value in enumerate(thing[:3]))
    if type(thing).__module__.startswith("dpmap") and not isinstance(thing, type):
        for name in dir(thing):
            if name.startswith("_"):
                continue
            try:
                value = getattr(thing, name)
            except Exception:  # what a kind of map does not tell
                continue
            if not callable(value) or type(value).__module__.startswith("dpmap"):
                yield f".{name}", value, lambda name=name: getattr(thing, name)


def _calls(release):
    """What a release answers."""
    threshold = 1.0 if release.sparse else None
    yield "interval", lambda: release.interval(0.9)
    yield "distinguishable", release.distinguishable
    yield "hotspots", lambda: release.hotspots(threshold)
    if not release.layers:
        yield (
            "patches",
            lambda: release._map.patches(0.9),
        )  # which release.patches() makes its table of


def arrays(root):
    """Every array that can be reached by public names, with its path and how it is asked for again."""
    seen, waiting = [], [("", root, None)]
    known = set()
    while waiting:
        path, thing, again = waiting.pop(0)
        if isinstance(thing, np.ndarray):
            yield path, thing, again
            continue
        if id(thing) in known or len(path) > LONGEST:
            continue
        known.add(id(thing))
        seen.append(thing)  # so that no id is used twice
        waiting += [(path + step, value, ask) for step, value, ask in _parts(thing)]
        for name, call in _calls(thing) if isinstance(thing, Release) else ():
            try:
                waiting.append((f"{path}.{name}()", call(), None))
            except dm.errors.BadInput:  # what a kind of map does not tell
                continue


def writeable(root):
    """The paths of arrays that can be written to, and are not made anew each time they are asked for."""
    found, count = [], 0
    for path, array, again in arrays(root):
        count += 1
        if not array.flags.writeable or path.endswith(("()[0]", "()[1]", "()")):
            continue
        if again is None or np.may_share_memory(array, again()):
            found.append(path)
    assert count >= 2
    return found


@pytest.mark.parametrize("path", _kinds(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_array_that_a_release_hands_out_can_be_written_to(path):
    """Whatever array is reached from a release of any kind, it is read-only, or new each time."""
    assert writeable(dm.open(path)) == []


@pytest.mark.parametrize("name", MADE)
def test_no_array_of_what_is_made_of_releases_can_be_written_to(name, tmp_path):
    """Nor in a comparison, a series, its trend, the tiers of a draw, or a release that was just made."""
    assert writeable(MADE[name](tmp_path)) == []


def tables(release):
    """Every table and data set that is made of a release."""
    extent = shapely.box(*shapely.total_bounds(release.grid.polygons()))
    threshold = 1.0 if release.sparse else None
    return {
        "cells": release.to_geodataframe,
        "data set": release.to_xarray,
        "patches": release.patches,
        "answers": lambda: (
            release.ask(tuple(shapely.bounds(extent))) if release.grid.crs == "EPSG:4326" else None
        ),
        "hot spots": lambda: release.hotspots(threshold).to_geodataframe(),
        "grid": release.grid.to_geodataframe,
        "bounds": lambda: pd.DataFrame([part.ravel() for part in release.interval(0.9)]),
        "rates": lambda: release.rates(np.ones(release.grid.ground.shape)),
    }


def facts(release, place):
    """All that is told of a release, as texts, and the bytes of its file."""
    found = {}
    for name, make in tables(release).items():
        try:
            made = make()
        except dm.errors.BadInput:
            continue
        if made is not None:
            found[name] = (made.to_dataframe() if name == "data set" else made).to_csv()
    release.save(place)
    return {**found, "file": place.read_bytes(), "html": repr(release)}


def spoil(made):
    """Writes nonsense over a table or data set, in place wherever that is allowed."""
    if hasattr(made, "data_vars"):
        for name in (*made.data_vars, *made.coords):
            values = made[name].values
            if values.flags.writeable and values.shape:
                values[...] = "x" if values.dtype.kind in "OU" else np.zeros((), values.dtype)
        return
    for place, (column, dtype) in enumerate(made.dtypes.items()):
        nonsense = (
            shapely.Point(0, 0)
            if column == "geometry"
            else "x"
            if dtype.kind not in "iufb"
            else dtype.type(0)
        )
        made.iloc[:, place] = nonsense


@pytest.mark.parametrize("path", _kinds()[::2], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_table_that_is_changed_changes_no_later_one(path, tmp_path):
    """A table or data set is its holder's own: what is written over it is in no later table, answer or file."""
    release = dm.open(path)
    before = facts(release, tmp_path / "before.dpmap")
    for make in tables(release).values():
        try:
            made = make()
        except dm.errors.BadInput:
            continue
        if made is not None:
            spoil(made)
    for array in () if release.sparse else (*release.interval(0.9), release.distinguishable()):
        if array.flags.writeable:
            array[...] = 0
    assert facts(release, tmp_path / "after.dpmap") == before


def test_writing_to_released_numbers_is_an_error(tmp_path):
    """Who tries to change an estimate in place is told so at once, and a mask that was given can change later without the grid."""
    release = MADE["fresh"](tmp_path)
    with pytest.raises(ValueError, match="read-only"):
        release.estimate[0, 0] = 1000
    with pytest.raises(ValueError, match="read-only"):
        release.grid.inside[0, 0] = False
    mask = np.array([[True, False]])
    grid = dm.Grid(bounds=(0, 50, 2, 51), shape=(1, 2), crs="EPSG:4326", mask=mask)
    mask[:] = True
    assert grid.inside.tolist() == [[True, False]]


@pytest.mark.parametrize("table", ["frame", "whole"])
def test_the_table_of_a_comparison_or_trend_is_a_copy(table, tmp_path):
    """What is written over `frame` or `whole` is not in the next one, nor in what is exported."""
    found = MADE["trend" if table == "whole" else "compare"](tmp_path)
    before = getattr(found, table).to_csv()
    spoil(getattr(found, table))
    assert getattr(found, table).to_csv() == before


# --- planted -------------------------------------------------------------------------------------------------------------


def _writeable_estimate(patch):
    patch.setattr(BelievedEstimate.values, "func", lambda believed: believed.own.values.copy())


def _writeable_inside(patch):
    real = Grid.inside.func
    patch.setattr(Grid.inside, "func", lambda grid: real(grid).copy())


def _shared_frame(patch):
    patch.setattr(Comparison, "frame", property(lambda one: one._frame), raising=False)


def _shared_data_set(patch):
    from dpmap.export import raster

    real = raster._numbers
    kept = {}
    patch.setattr(
        raster,
        "_numbers",
        lambda record, estimate: kept.setdefault(id(record), real(record, estimate)),
    )


PLANTED = {
    "release.estimate[...] = x": (_writeable_estimate, "flat.dpmap"),
    "grid.inside[...] = x": (_writeable_inside, "flat.dpmap"),
    "a data set that is kept": (_shared_data_set, "data set"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_of_arrays_is_found(fault, tmp_path, monkeypatch):
    """Were an array writeable again, or a table shared, the tests of every day would say so."""
    plant, where = PLANTED[fault]
    path = SAVED / "0.2.0" / "flat.dpmap"
    with monkeypatch.context() as patch:
        plant(patch)
        if where == "data set":
            with pytest.raises(AssertionError):
                test_a_table_that_is_changed_changes_no_later_one(path, tmp_path)
        else:
            assert writeable(dm.open(path)) != []
