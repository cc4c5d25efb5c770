"""No file makes dpmap open another, or the network: every door, with a listener on the loopback and with named pipes.

All doors are tried in a child process, which is ended as soon as it opens a pipe.
"""

import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely
from builders import surveys

LIMIT = 300
"""Seconds, of which a child takes some five: it is waited for where it hangs only."""
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SQUARE = [[-4.5, 57], [-4, 57], [-4, 57.5], [-4.5, 57.5], [-4.5, 57]]


def collection(**more):
    """A layer with one square, and whatever other members."""
    feature = {
        "type": "Feature",
        "properties": {"name": "a"},
        "geometry": {"type": "Polygon", "coordinates": [SQUARE]},
    }
    return json.dumps({"type": "FeatureCollection", **more, "features": [feature]})


WFS = (
    '<wfs:WFS_Capabilities version="1.1.0" xmlns:ows="http://www.opengis.net/ows" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:wfs="http://www.opengis.net/wfs"><ows:OperationsMetadata><ows:Operation name="GetFeature"><ows:DCP><ows:HTTP>'
    '<ows:Get xlink:href="URL/get?"/></ows:HTTP></ows:DCP></ows:Operation><ows:Operation name="DescribeFeatureType"><ows:DCP>'
    '<ows:HTTP><ows:Get xlink:href="URL/about?"/></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata><FeatureTypeList>'
    "<FeatureType><Name>a</Name><DefaultSRS>EPSG:4326</DefaultSRS></FeatureType></FeatureTypeList></wfs:WFS_Capabilities>"
)
SERVER = "<OGRWFSDataSource><URL>URL/wfs?</URL></OGRWFSDataSource>"
WMS = '<GDAL_WMS><Service name="WMS"><ServerUrl>URL/wms?</ServerUrl></Service></GDAL_WMS>'
PAGES = {
    "collections": [{"id": "a", "links": [{"rel": "items", "href": "URL/items"}]}],
    "links": [{"rel": "self", "href": "URL/self"}],
}
GML = (
    '<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://a URL/a.xsd"><gml:featureMember><a>'
    '<b xlink:href="URL/x#1"/></a></gml:featureMember></gml:FeatureCollection>'
)
KML = (
    '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><NetworkLink><Link><href>URL/more.kml</href></Link>'
    "</NetworkLink><Placemark><name>a</name><styleUrl>URL/style.kml#x</styleUrl><Polygon><outerBoundaryIs><LinearRing><coordinates>"
    "-4.5,57 -4,57 -4,57.5 -4.5,57</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>"
)
ASKING = {
    "caps.gml": WFS, "caps.gpkg": WFS, "caps.kml": WFS, "caps.geojson": WFS, "caps.tif": WFS, "caps.csv": WFS,
    "server.gml": SERVER, "server.fgb": "fgb\x03" + SERVER, "server.gpkg": " " * 100 + SERVER,
    "late.kml": "<kml><!-- " + "x" * 70_000 + "--></kml>" + SERVER,
    "wms.tif": WMS, "wms.png": WMS, "wms.asc": WMS, "wms.xml": WMS,
    "link.geojson": collection(crs={"type": "link", "properties": {"href": "URL/crs", "type": "proj4"}}),
    "url.geojson": collection(crs={"type": "url", "properties": {"url": "URL/crs"}}),
    "name.geojson": collection(crs={"type": "name", "properties": {"name": "URL/crs"}}),
    "next.geojson": collection(links=[{"rel": "next", "type": "application/geo+json", "href": "URL/next"}]),
    "stac.json": collection(stac_version="1.0.0", links=[{"rel": "next", "href": "URL/stac"}]),
    "pages.json": json.dumps(PAGES), "schema.gml": GML, "net.kml": KML,
    "dtd.kml": '<?xml version="1.0"?><!DOCTYPE kml SYSTEM "URL/dtd"><kml/>',
}  # fmt: skip


@pytest.fixture(scope="module")
def listener():
    """A server that remembers what it was asked."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        do_HEAD = do_POST = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """One honest release file."""
    folder = tmp_path_factory.mktemp("honest")
    surveys.released(surveys.scattered(60), folder).save(folder / "r.dpmap")
    return str(folder / "r.dpmap")


# --- what a child process does -----------------------------------------------------------------------------------


def doors(release):
    """Every way in which a path is given to the library."""
    import dpmap as dm
    from dpmap.cli import run
    from dpmap.grid.allocate import lay
    from dpmap.local.questions import read_question
    from dpmap.local.reports import lines_of
    from dpmap.render import user_layers
    from dpmap.steward.planning.landscapes import like
    from dpmap.steward.priors import read_priors

    grid = dm.Grid(bounds=(-5, 56, -3, 58), shape=(4, 4), crs="EPSG:4326")
    asking = run
    policy = dm.Policy(epsilon="1", unit="who", cap=1)
    return {
        "survey": lambda path: dm.inspect(dm.read(path, unit="who", x="x", y="y", crs="EPSG:4326")),
        "guess": dm.guess,
        "inspect": lambda path: asking(["inspect", path]),
        "area": lambda path: dm.Grid.covering(path, cell="5 km"),
        "cells": dm.Grid.areas,
        "zones": lambda path: dm.open(release).ask(path),
        "context": lambda path: user_layers.read_layers([path], grid),
        "rate": lambda path: lay(path, grid, role="per"),
        "prior": lambda path: read_priors(path, grid, policy, "adaptive"),
        "like": lambda path: like(path, grid),
        "release": dm.open,
        "sealed": lambda path: dm.unseal(path, "x", path + ".out"),
        "ledger": lambda path: dm.Ledger(path).events(),
        "settings": lambda path: asking(["plan", "--config", path]),
        "question": read_question,
        "reports": lambda path: list(
            lines_of([__import__("pathlib").Path(path)], type("Q", (), {"answers": 9}))
        ),
        "crs": lambda text: dm.Grid(bounds=(0, 0, 1, 1), shape=(1, 1), crs=text),
    }


LAYER_DOORS = (
    "survey",
    "guess",
    "inspect",
    "area",
    "cells",
    "zones",
    "context",
    "rate",
    "prior",
    "like",
)


def child(release, tries, plant):
    """Tries doors with paths, one after the other, and says what came of each; with a fault planted first."""
    if plant:
        planted(plant)
    ways = doors(release)
    for door, path in tries:
        print(json.dumps([door, path, "begun"]), flush=True)
        try:
            outcome = ways[door](path)
            told = "error" if isinstance(outcome, int) and outcome else "done"
        except Exception as error:
            told = type(error).__name__
        print(json.dumps([door, path, told]), flush=True)


def planted(plant):
    """Puts an old behaviour back."""
    from dpmap import crs_text, network_guard, plain_file
    from dpmap.gis_files import references, vector
    from dpmap.grid import crs

    if plant == "any driver":
        everything = (
            "GPKG",
            "GeoJSON",
            "WFS",
            "GML",
            "OAPIF",
            "KML",
            "LIBKML",
            "ESRI Shapefile",
            "FlatGeobuf",
        )
        vector._admitted = lambda path, layer, role: vector.AdmittedVector(path, everything)
        network_guard.OFF.clear()
    if plant == "any definition":
        crs.names_files = references.names_files = crs_text.names_files = lambda text: False
        references.bytes_name_files = references.file_names_files = lambda content: False
    if plant == "any path":
        for module in list(sys.modules.values()):
            if getattr(module, "check_plain", None) is plain_file.check_plain:
                module.check_plain = lambda path, what="": None
            if getattr(module, "check_parts", None) is plain_file.check_parts:
                module.check_parts = lambda path, what="": None


def tried(release, tries, pipes=(), plant=""):
    """Runs a child and returns what it said of each door and path, up to the one at which it opened a pipe or hung."""
    plain = [[door, str(path)] for door, path in tries]
    words = [sys.executable, "-P", os.path.abspath(__file__), json.dumps([release, plain, plant])]
    surroundings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([os.path.dirname(HERE), HERE]),
        "no_proxy": "*",
    }
    with (
        tempfile.TemporaryFile("w+") as out,
        subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL, env=surroundings) as run,
    ):
        ends = time.monotonic() + LIMIT
        while run.poll() is None:
            if any(map(is_opened, pipes)) or time.monotonic() > ends:
                run.kill()
                break
            time.sleep(0.02)
        run.wait()
        out.seek(0)
        said = [json.loads(line) for line in out if line.startswith('["')]
    return {(door, os.path.basename(path)): outcome for door, path, outcome in said}


def outcomes(found):
    """What came of all tries; `begun` is among them where one opened a pipe or hung."""
    return set(found.values())


def is_opened(pipe):
    """Whether a process reads from a pipe, or waits to."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


# --- the network -----------------------------------------------------------------------------------------------------


def asking_files(folder, url):
    """Files that would make a driver ask a server."""
    for name, text in ASKING.items():
        (folder / name).write_text(text.replace("URL", url), "latin-1")
    return [folder / name for name in ASKING]


def test_no_file_makes_us_ask_a_server(listener, release, tmp_path):
    """Whatever stands in a file that somebody gives, at whichever door, nothing is asked of any server."""
    url, asked = listener
    asked.clear()
    files = asking_files(tmp_path, url)
    found = tried(release, [(door, path) for door in LAYER_DOORS for path in files])
    assert len(found) == len(LAYER_DOORS) * len(files)
    assert "begun" not in outcomes(found)
    assert asked == []


def test_a_driver_that_asks_servers_is_found(listener, release, tmp_path):
    """Were GDAL left to choose among all its drivers, the listener would hear of it."""
    url, asked = listener
    asked.clear()
    tried(release, [("zones", path) for path in asking_files(tmp_path, url)], plant="any driver")
    assert asked


def test_the_command_line_loads_no_driver_of_servers():
    """In a process of the command line the drivers of servers are not there, and PROJ's network is off."""
    code = (
        "from dpmap.cli import entry_point as own; own.main = lambda: None; own.program(); import pyogrio, rasterio, pyproj\n"
        "with rasterio.Env() as env: rasters = env.drivers()\n"
        "print({'WFS', 'OAPIF', 'HTTP'} & set(pyogrio.list_drivers()), {'WMS', 'HTTP'} & set(rasters), pyproj.network.is_network_enabled())"
    )
    told = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(HERE), "PROJ_NETWORK": "ON"},
    )  # fmt: skip
    assert told.stdout == "set() set() False\n"


def test_projs_network_is_off_whatever_the_environment_says():
    """A library that was told to fetch grids for its transformations does not, once dpmap transforms."""
    code = "import pyproj; from dpmap.grid import crs; crs.transformer('EPSG:4267', 'EPSG:4326'); print(pyproj.network.is_network_enabled())"
    told = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(HERE), "PROJ_NETWORK": "ON"},
    )  # fmt: skip
    assert told.stdout == "False\n"


# --- definitions of a CRS ------------------------------------------------------------------------------------------


def definitions(pipe):
    """Definitions of a CRS that name a file."""
    nad27, wgs84 = (pyproj.CRS.from_epsg(code).to_wkt("WKT2_2019") for code in (4267, 4326))
    return {
        "bound": f'BOUNDCRS[SOURCECRS[{nad27}],TARGETCRS[{wgs84}],ABRIDGEDTRANSFORMATION["x",METHOD["NTv2",ID["EPSG",9615]],'
        f'PARAMETERFILE["Latitude and longitude difference file","{pipe}"]]]',
        "nadgrids": f"+proj=longlat +ellps=clrk66 +nadgrids={pipe} +type=crs",
        "init": f"+init={pipe}:x",
        "extension": 'GEOGCS["x",DATUM["x",SPHEROID["x",6378206,294],EXTENSION["PROJ4_GRIDS","PIPE"]],PRIMEM["Greenwich",0],'
        'UNIT["degree",0.0174532925199433]]'.replace("PIPE", str(pipe)),
        "proj4": 'GEOGCS["x",DATUM["x",SPHEROID["x",6378206,294]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],'
        f'EXTENSION["PROJ4","+proj=longlat +ellps=clrk66 +nadgrids={pipe}"]]',
    }  # fmt: skip


def layers_in(folder, definition, stem):
    """Layers and rasters of every kind that say this of their CRS."""
    square = gpd.GeoDataFrame({"who": ["a"]}, geometry=[shapely.Polygon(SQUARE)], crs="EPSG:27700")
    (folder / f"{stem}.geojson").write_text(
        collection(crs={"type": "name", "properties": {"name": definition}})
    )
    square.to_file(folder / f"{stem}.shp")
    (folder / f"{stem}.prj").write_text(definition)
    square.to_file(folder / f"{stem}.gpkg")
    with_sql(folder / f"{stem}.gpkg", definition)
    (folder / f"{stem}.asc").write_text(
        "ncols 1\nnrows 1\nxllcorner -4.5\nyllcorner 57\ncellsize 1\n5\n"
    )
    geo = {"version": "1.1.0", "primary_column": "geometry",
           "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Polygon"], "crs": definition}}}  # fmt: skip
    parquet(folder / f"{stem}.parquet", geo)
    return [folder / f"{stem}.{ending}" for ending in ("geojson", "shp", "gpkg", "asc", "parquet")]


def with_sql(path, definition):
    """Writes the definition into a GeoPackage's list of systems."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "UPDATE gpkg_spatial_ref_sys SET organization = 'NONE', definition = ? WHERE srs_id > 4326",
            (definition,),
        )
        database.commit()


def parquet(path, geo):
    """Writes a table with a geometry that is described so."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"who": ["a"], "geometry": [shapely.to_wkb(shapely.Polygon(SQUARE))]})
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), path)


def pipe_in(folder):
    """A named pipe."""
    os.mkfifo(folder / "grid.gsb")
    return folder / "grid.gsb"


def test_a_crs_opens_no_file(release, tmp_path):
    """A layer or raster whose CRS is defined by a file never makes us open that: it is refused at every door."""
    pipe, tries = pipe_in(tmp_path), []
    for kind, definition in definitions(pipe).items():
        folder = tmp_path / kind
        folder.mkdir()
        for path in layers_in(folder, definition, kind):
            tries += [
                (door, path)
                for door in ("survey", "area", "zones", "context", "rate", "prior", "like")
            ]
    found = tried(release, tries, [pipe])
    assert len(found) == len(tries)
    assert not outcomes(found) & {"begun", "done"}


def test_a_typed_crs_opens_no_file(release, tmp_path):
    """Nor does a definition that is typed, or comes with a release."""
    pipe = pipe_in(tmp_path)
    found = tried(release, [("crs", text) for text in definitions(pipe).values()], [pipe])
    assert outcomes(found) == {"BadInput"}


def test_a_crs_that_opens_files_is_found(release, tmp_path):
    """Were definitions not looked at, the pipe would be opened."""
    pipe = pipe_in(tmp_path)
    paths = layers_in(tmp_path, definitions(pipe)["bound"], "crs")
    assert "begun" in outcomes(
        tried(release, [("zones", paths[2])], [pipe], plant="any definition")
    )


def test_common_definitions_are_taken():
    """Codes and plain definitions, of which some say that they need no grid, are what they were."""
    from dpmap.crs_text import names_files

    for code in (4326, 27700, 3035, 3857, 2154, 31467, 5514, 32630):
        known = pyproj.CRS.from_epsg(code)
        assert not any(
            map(names_files, (known.to_wkt(), known.to_wkt("WKT1_GDAL"), known.to_json()))
        )
    assert not names_files("+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext +no_defs")


# --- pipes -----------------------------------------------------------------------------------------------------------

ENDINGS = {
    "survey": ("csv", "gpkg", "xlsx", "parquet", "shp"), "guess": ("geojson",), "inspect": ("csv", "json"), "area": ("gpkg", "geojson", "zip"),
    "cells": ("shp",), "zones": ("gpkg", "kml"), "context": ("fgb", "gpkg"), "rate": ("tif", "gpkg", "asc"), "like": ("tif",),
    "prior": ("tif", "dpmap"), "release": ("dpmap",), "sealed": ("dpmap",), "ledger": ("ledger",), "settings": ("toml",),
    "question": ("json",), "reports": ("txt",),
}  # fmt: skip


def test_no_pipe_is_opened(release, tmp_path):
    """A named pipe, a link to one and a device are refused at every door before they are opened."""
    pipes, tries = [], []
    for door, endings in ENDINGS.items():
        for ending in endings:
            pipe, link = tmp_path / f"{door}.{ending}", tmp_path / f"link-{door}.{ending}"
            os.mkfifo(pipe)
            link.symlink_to(pipe)
            pipes.append(pipe)
            tries += [(door, pipe), (door, link), (door, "/dev/zero")]
    found = tried(release, tries, pipes)
    assert {door for door, _ in found} == set(ENDINGS)
    assert not outcomes(found) & {"begun", "done"}


BESIDE = [
    ("zones", "a.shp", "a.dbf"), ("zones", "b.shp", "b.prj"), ("zones", "c.gpkg", "c.gpkg-wal"), ("zones", "d.gpkg", "d.gpkg-journal"),
    ("survey", "e.shp", "e.dbf"), ("survey", "f.gpkg", "f.gpkg-wal"), ("context", "g.shp", "g.cpg"), ("rate", "h.tif", "h.tif.aux.xml"),
    ("rate", "i.tif", "i.tif.msk"), ("ledger", "j.ledger", "j.ledger-journal"),
]  # fmt: skip


def test_no_pipe_beside_a_file_is_opened(release, tmp_path):
    """Nor is one that stands where a part of the file would: GDAL and SQLite open those by themselves."""
    for _, main, part in BESIDE:
        honest(tmp_path / main)
        (tmp_path / part).unlink(missing_ok=True)
        os.mkfifo(tmp_path / part)
    pipes = [tmp_path / part for *_, part in BESIDE]
    found = tried(release, [(door, tmp_path / main) for door, main, _ in BESIDE], pipes)
    assert len(found) == len(BESIDE)
    assert outcomes(found) == {"BadInput"}


def honest(path):
    """A file of the kind that its ending says."""
    if path.suffix == ".tif":
        return raster(path)
    if path.suffix == ".ledger":
        return path.write_bytes(b"")
    return gpd.GeoDataFrame(
        {"who": ["a"]}, geometry=[shapely.Polygon(SQUARE)], crs="EPSG:4326"
    ).to_file(path)


def raster(path, crs="EPSG:4326"):
    """A small raster of ones."""
    import rasterio

    with rasterio.open(path, "w", driver="GTiff", width=8, height=8, count=1, dtype="float32", crs=crs,
                       transform=rasterio.Affine(0.25, 0, -5, 0, -0.25, 58)) as out:  # fmt: skip
        out.write(np.ones((1, 8, 8), "float32"))
        return out


def test_a_part_in_another_folder_is_refused(release, tmp_path):
    """A shapefile whose table is a link into another folder is refused: that file was not given."""
    honest(tmp_path / "x.shp")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "x.dbf").rename(tmp_path / "elsewhere" / "x.dbf")
    (tmp_path / "x.dbf").symlink_to(tmp_path / "elsewhere" / "x.dbf")
    found = tried(release, [(door, tmp_path / "x.shp") for door in ("zones", "survey", "context")])
    assert outcomes(found) == {"BadInput"}


def test_a_raster_names_no_other_file(release, tmp_path):
    """A GeoTIFF whose overviews are another file is refused, and that is not opened."""
    import rasterio

    pipe = pipe_in(tmp_path)
    raster(tmp_path / "x.tif")
    with rasterio.open(tmp_path / "x.tif", "r+") as out:
        out.update_tags(ns="OVERVIEWS", OVERVIEW_FILE=str(pipe))
        out.update_tags(1, ns="OVERVIEWS", OVERVIEW_FILE=str(pipe))
    found = tried(
        release, [(door, tmp_path / "x.tif") for door in ("rate", "prior", "like")], [pipe]
    )
    assert outcomes(found) == {"BadInput"}


def test_a_netcdf_of_links_is_refused(release, tmp_path):
    """NetCDF-4 can link to other files, which its library opens at once: no such file is read."""
    import h5py

    pipe = pipe_in(tmp_path)
    with h5py.File(tmp_path / "x.nc", "w") as out:
        out["v"] = np.ones((4, 4))
        out["elsewhere"] = h5py.ExternalLink(str(pipe), "/v")
    found = tried(
        release, [(door, tmp_path / "x.nc") for door in ("rate", "prior", "like")], [pipe]
    )
    assert outcomes(found) == {"BadInput"}


def test_a_pipe_that_is_opened_is_found(release, tmp_path):
    """Were paths not looked at, the pipe would be opened."""
    os.mkfifo(tmp_path / "x.gpkg")
    assert "begun" in outcomes(
        tried(release, [("zones", tmp_path / "x.gpkg")], [tmp_path / "x.gpkg"], plant="any path")
    )


READS = re.compile(
    r"pyogrio\.(?:list_layers|read_|raw\.read|open_arrow)|DatasetReader\(|rasterio\.open\([^\"\n]*\)|gpd\.read_"
)


def test_gdal_reads_through_one_door():
    """No other room hands a file to GDAL than the one that tells kinds, and the survey's reader of layers that it has told."""
    root = pathlib.Path(HERE).parent / "dpmap"
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if READS.search(path.read_text("utf-8"))
    }
    assert found == {"gis_files/vector.py", "gis_files/raster.py", "survey/files/layers.py"}


# --- what stays ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["gpkg", "shp", "fgb", "geojson", "kml", "zip", "gdb"])
def test_kinds_that_hold_their_own_features_are_read(tmp_path, ending):
    """GeoPackage, shapefile, FlatGeobuf, GeoJSON, KML, a geodatabase, and an archive of one give the same ground."""
    import shutil

    import dpmap as dm

    frame = gpd.GeoDataFrame({"name": ["a"]}, geometry=[shapely.Polygon(SQUARE)], crs="EPSG:4326")
    path = tmp_path / f"x.{ending}"
    if ending == "zip":
        (tmp_path / "in").mkdir()
        frame.to_file(tmp_path / "in" / "x.shp")
        shutil.make_archive(str(tmp_path / "x"), "zip", tmp_path / "in")
    else:
        frame.to_file(path, driver={"gdb": "OpenFileGDB", "kml": "KML"}.get(ending))
    grid = dm.Grid.covering(path, cell="5 km")
    assert grid.cells_inside == dm.Grid.covering(frame, cell="5 km").cells_inside


# --- settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a." * 400_000 + "a = 1",
        "[" + "a." * 400_000 + "a]",
        "a = " + "[" * 400_000,
        "x" * (5 << 20),
    ],
    ids=["key", "table", "list", "long"],
)
def test_deep_settings_hold_nobody_up(release, tmp_path, text):
    """A file of flags that is nested without end, or too long, is refused at once by the command line and on the studio's first page."""
    from dpmap import toml
    from dpmap.errors import BadInput
    from dpmap.studio import drafts
    from dpmap.studio.folder import BrowsedFolder

    with pytest.raises(ValueError):  # noqa: PT011
        toml.read(text)
    (tmp_path / "deep.toml").write_text(text)
    folder = BrowsedFolder(tmp_path)
    with pytest.raises(BadInput):
        drafts.open_draft(folder, folder.drafts()[0])
    assert outcomes(tried(release, [("settings", tmp_path / "deep.toml")])) == {"error"}


if __name__ == "__main__":
    child(*json.loads(sys.argv[1]))
