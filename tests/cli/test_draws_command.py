"""`dpmap draws`: the maps of `release.draws` as NetCDF or bands of a GeoTIFF, or one line that says why not."""

import json
from pathlib import Path

import numpy as np
import pytest
import rasterio
import xarray as xr

import dpmap as dm
from dpmap.cli import run

SAVED = Path(__file__).parents[1] / "stability" / "saved" / "0.2.0"
MAP = SAVED / "adaptive.dpmap"


def test_netcdf_holds_the_maps_that_python_draws(tmp_path, capsys):
    """The maps lie along `realization`, as the CF conventions call it, with the cells' areas and reference system."""
    path = tmp_path / "draws.nc"
    assert run(["draws", str(MAP), "--n", "4", "--to", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["maps"], told["wrote"]) == (4, [str(path)])
    with xr.open_dataset(path) as data:
        assert data.capped_total.dims == ("realization", "lat", "lon")
        assert data.realization.attrs["standard_name"] == "realization"
        assert data.capped_total.attrs["grid_mapping"] in data
        assert {"area", "lat", "lon"} <= {*data.variables}
        np.testing.assert_array_equal(
            np.moveaxis(data.capped_total.to_numpy(), 0, -1), dm.open(MAP).draws(4)
        )


def test_a_geotiff_has_a_band_for_each_map(tmp_path, capsys):
    """Bands are called draw_1 and so on, and lie where the cells do."""
    path = tmp_path / "draws.tif"
    assert run(["draws", str(MAP), "--n", "3", "--to", str(path)]) == 0
    assert "3 maps" in capsys.readouterr().out
    with rasterio.open(path) as raster:
        assert raster.descriptions == ("draw_1", "draw_2", "draw_3")
        assert raster.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG"
        np.testing.assert_array_equal(np.moveaxis(raster.read(), 0, -1), dm.open(MAP).draws(3))


def test_hexagons_are_written_as_netcdf(tmp_path):
    """Cells of any shape have one dimension."""
    path = tmp_path / "draws.nc"
    assert run(["draws", str(SAVED / "hexagons.dpmap"), "--n", "2", "--to", str(path)]) == 0
    with xr.open_dataset(path) as data:
        assert data.capped_total.dims == ("realization", "cell")


def test_a_layer_of_a_release_is_drawn(tmp_path):
    """`--layer` names it."""
    path = tmp_path / "draws.nc"
    assert (
        run(
            [
                "draws",
                str(SAVED / "kinds.dpmap"),
                "--layer",
                "Kestrel",
                "--n",
                "2",
                "--to",
                str(path),
            ]
        )
        == 0
    )
    assert path.exists()


@pytest.mark.parametrize(
    ("name", "flags", "line"),
    [
        (
            "adaptive",
            ["--to", "draws.csv"],
            "draws are written as .nc or .tif; choose one of these, like --to draws.nc",
        ),
        (
            "adaptive",
            ["--n", "0", "--to", "draws.nc"],
            "n: how many maps to draw, 1 or more, like 100",
        ),
        (
            "hexagons",
            ["--to", "draws.tif"],
            "a GeoTIFF holds square cells, not hexagons; write draws.nc instead",
        ),
        (
            "kinds",
            ["--to", "draws.nc"],
            "this release has layers; name one of them, like --layer 'Kestrel'",
        ),
        ("means", ["--to", "draws.nc"], "of a map of means only bounds are known"),
        ("sparse", ["--to", "draws.tif"], "ask about zones instead"),
        (
            "reports-grr",
            ["--to", "draws.nc"],
            "of reports of devices only each cell's interval is known",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(
    name, flags, line, tmp_path, capsys, monkeypatch
):
    """The line says why, and what to type instead; no file is made."""
    monkeypatch.chdir(tmp_path)
    assert run(["draws", str(SAVED / f"{name}.dpmap"), *flags]) == 2
    told = capsys.readouterr().err
    assert line in told
    assert told.count("\n") == 1
    assert not [*tmp_path.iterdir()]
