"""A release's file carries what dpmap derives from it, for readers that cannot, and dpmap never reads it."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

import dpmap as dm
from dpmap.record.carried_table import append_table
from dpmap.releases import derived_table
from dpmap.releases.derived_table import carry_table

SAVED = Path(__file__).parent / "stability" / "saved" / "0.1.0"


@pytest.fixture
def plain(tmp_path):
    """A saved release without a table."""
    path = tmp_path / "plain.dpmap"
    dm.open(SAVED / "adaptive.dpmap").save(path)
    return path


def array(archive, name):
    return np.load(archive.open(f"{name}.npy"), allow_pickle=False)


def test_the_table_is_what_python_derives(plain):
    """Each cell's estimate and interval stand in it to the last digit."""
    release = dm.open(plain)
    carry_table(release, plain)
    frame = release.to_geodataframe()
    with zipfile.ZipFile(plain) as archive:
        layer = json.loads(archive.read("table.json"))["layers"][0]
        columns = array(archive, "table_cells_0").reshape(len(layer["cells"]), -1)
        places = array(archive, "table_places_0").reshape(len(layer["places"]), -1)
    for name, values in zip(layer["cells"], columns, strict=True):
        np.testing.assert_array_equal(values, frame[name])
    for name, values in zip(layer["places"], places, strict=True):
        np.testing.assert_array_equal(values, release.patches()[name].astype(float))


def test_a_folder_holds_it_and_a_saved_file_does_not(plain, tmp_path):
    """All that stands in the file without it stands in it still, byte for byte and in its order."""
    release = dm.open(plain)
    release.save_all(tmp_path / "folder", context=False)
    whole = tmp_path / "folder" / "release.dpmap"
    with zipfile.ZipFile(whole) as archive, zipfile.ZipFile(plain) as before:
        names = before.namelist()
        assert archive.namelist()[: len(names)] == names
        assert "table.json" in archive.namelist()
        assert all(archive.read(name) == before.read(name) for name in names)
    dm.open(whole).save(tmp_path / "again.dpmap")
    assert (tmp_path / "again.dpmap").read_bytes() == plain.read_bytes()


def test_dpmap_believes_no_table(plain):
    """A file whose table lies shows what its noisy answers say."""
    before = dm.open(plain).estimate
    append_table(plain, {"layers": "lies"}, {"table_cells_0": np.full(9, 1e9)})
    np.testing.assert_array_equal(dm.open(plain).estimate, before)


def test_large_maps_carry_little(plain, monkeypatch):
    """Above their bounds neither cells nor places are carried."""
    monkeypatch.setattr(derived_table, "MOST_CELLS", 10)
    monkeypatch.setattr(derived_table, "MOST_PLACED", 10)
    document, arrays = derived_table.derived_table(dm.open(plain))
    assert not arrays
    assert document["layers"] == [{"names": [], "cells": [], "places": [], "count": 0}]
