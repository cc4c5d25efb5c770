"""Small surveys in the true shape of every format dpmap reads: invented people, invented places."""

import gzip
import json
import sqlite3  # noqa: F401  # GeoPackages are made through pyogrio
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

GBIF = """gbifID datasetKey occurrenceID kingdom phylum class order family genus species infraspecificEpithet taxonRank
scientificName verbatimScientificName verbatimScientificNameAuthorship countryCode locality stateProvince occurrenceStatus
individualCount publishingOrgKey decimalLatitude decimalLongitude coordinateUncertaintyInMeters coordinatePrecision elevation
elevationAccuracy depth depthAccuracy eventDate day month year taxonKey speciesKey basisOfRecord institutionCode collectionCode
catalogNumber recordNumber identifiedBy dateIdentified license rightsHolder recordedBy typeStatus establishmentMeans
lastInterpreted mediaType issue""".split()


@dataclass
class Fixture:
    key: str
    make: Callable[[Path], Path]
    title: str
    unit: str | None
    usable: int
    left_out: dict = field(default_factory=dict)
    units: int | None = None
    read: dict = field(default_factory=dict)


def opened(path, **options):
    """The survey as `dpmap init` would declare it: files whose records name their own fields are looked into first."""
    import dpmap as dm

    return dm.read(path, **{**dm.guess(path, layer=options.get("layer")), **options})


def rows_of(columns, records):
    return [[str(record.get(column, "")) for column in columns] for record in records]


def delimited(
    path, columns, records, mark=",", *, quote=False, end="\n", encoding="utf-8", trailing=False
):
    def cell(text):
        return (
            '"' + text.replace('"', '""') + '"' if quote and (mark in text or '"' in text) else text
        )

    lines = [mark.join(map(cell, columns))] + [
        mark.join(map(cell, row)) for row in rows_of(columns, records)
    ]
    path.write_bytes(
        (end.join(line + (mark if trailing else "") for line in lines) + end).encode(encoding)
    )
    return path


def gbif_records():
    good = [dict(gbifID=i, decimalLatitude=56 + i / 100, decimalLongitude=-3.5 + i / 50, recordedBy=name, eventDate="5/1/21",
                 occurrenceStatus="PRESENT", individualCount=c, license="CC_BY_4_0", coordinateUncertaintyInMeters=u)
            for i, (name, c, u) in enumerate([("Ana Ruiz", 1, 30), ('Bo "Birdie" Lee', "--", 100), ("Ruiz, Ana", 3, ""),
                                               ("Ana Ruiz; Bo Lee", 2, 5000), ("ANA RUIZ", 1, 10)], 1)]  # fmt: skip
    bad = [dict(gbifID=90, decimalLatitude="", decimalLongitude="", recordedBy="Ana Ruiz"),
           dict(gbifID=91, decimalLatitude=0, decimalLongitude=0, recordedBy="Ana Ruiz"),
           dict(gbifID=92, decimalLatitude=56.2, decimalLongitude=-3, recordedBy="NO DISPONIBLE"),
           dict(gbifID=93, decimalLatitude=56.2, decimalLongitude=-3, recordedBy="NONE"),
           dict(gbifID=94, decimalLatitude=256.2, decimalLongitude=-3, recordedBy="Bo Lee"),
           dict(gbifID=95, decimalLatitude="5.6E+01", decimalLongitude="-1.00E-05", recordedBy="Cy Dee")]  # fmt: skip
    return good + bad


GBIF_OUT = {"no coordinates": 1, "at (0, 0)": 1, "no unit": 2, "impossible coordinates": 1}


def gbif_tab(folder):
    return delimited(folder / "0001-occurrence.csv", GBIF, gbif_records(), "\t", end="\r\n")


def gbif_excel(folder):
    columns = [*GBIF[:20], "", "", *GBIF[20:], "species", "recordedBy", ""]
    return delimited(
        folder / "through_excel.csv",
        columns,
        gbif_records(),
        ",",
        quote=True,
        end="\r\n",
        encoding="utf-8-sig",
    )


def gbif_parquet(folder):
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = gbif_records()
    text = {
        c.lower(): [str(r.get(c, "")) or None for r in records]
        for c in ("gbifID", "occurrenceStatus", "license")
    }
    floats = {
        c.lower(): [float(r[c]) if str(r.get(c, "")) else None for r in records]
        for c in ("decimalLatitude", "decimalLongitude")
    }
    people = pa.array([[{"array_element": r["recordedBy"]}] for r in records])
    pq.write_table(pa.table({**text, **floats, "recordedby": people}), folder / "000000.parquet")
    return folder / "000000.parquet"


def gbif_shards(folder):
    place = folder / "shards"
    place.mkdir()
    records = gbif_records()
    delimited(place / "part-0.tsv", GBIF, records[:4], "\t")
    delimited(place / "part-1.tsv", GBIF, records[4:], "\t")
    (place / "_SUCCESS").write_text("")
    return place


META = """<archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
<core encoding="UTF-8" fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" fieldsEnclosedBy="" ignoreHeaderLines="1"
 rowType="http://rs.tdwg.org/dwc/terms/{core}"><files><location>{file}</location></files><id index="0"/>{fields}</core>
{more}</archive>"""


def terms(columns, prefix="http://rs.tdwg.org/dwc/terms/"):
    return "".join(
        f'<field index="{i}" term="{prefix}{c}"/>' for i, c in enumerate(columns) if c != "id"
    )


def dwc_archive(folder):
    columns = ["gbifID", "recordedByID", "recordedBy", "decimalLatitude", "decimalLongitude", "geodeticDatum", "footprintWKT",
               "individualCount", "coordinateUncertaintyInMeters", "informationWithheld", "dataGeneralizations"]  # fmt: skip
    records = [
        dict(gbifID=1, recordedByID="https://orcid.org/0000-1", recordedBy="Ana Ruiz", decimalLatitude=56.1, decimalLongitude=-3.2, geodeticDatum="WGS84"),
        dict(gbifID=2, recordedBy="Bo Lee", decimalLatitude=56.1, decimalLongitude=-3.2, geodeticDatum="OSGB36"),
        dict(gbifID=3, recordedBy="Bo Lee", footprintWKT="POINT (-3.1 56.3)"),
        dict(gbifID=4, recordedBy="Bo Lee", footprintWKT="LINESTRING (-3.1 56.3, -3 56.2)"),
        dict(gbifID=5, recordedBy="Cy Dee", decimalLatitude=56.1, decimalLongitude=-3.2,
             informationWithheld="Coordinate uncertainty increased to 28000m at the request of the observer"),
        dict(gbifID=6, recordedBy="Cy Dee", decimalLatitude=56.1, decimalLongitude=-3.2,
             informationWithheld="Coordinate uncertainty increased to 28000m to protect threatened taxon"),
    ]  # fmt: skip
    meta = META.format(core="Occurrence", file="occurrence.txt", fields=terms(columns), more="")
    (folder / "o").mkdir()
    table = delimited(folder / "o" / "occurrence.txt", columns, records, "\t")
    with zipfile.ZipFile(folder / "dwca.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta.xml", meta)
        archive.writestr("eml.xml", "<eml/>")
        archive.writestr("verbatim.txt", "gbifID\n1\n")
        archive.write(table, "occurrence.txt")
    return folder / "dwca.zip"


def dwc_events(folder):
    place = folder / "events"
    place.mkdir()
    ev = ["id", "eventID", "decimalLatitude", "decimalLongitude", "footprintWKT", "geodeticDatum"]
    oc = ["id", "occurrenceID", "eventID", "recordedBy", "individualCount"]
    extension = (
        META.split("<core")[1]
        .split("</core>")[0]
        .format(core="Occurrence", file="occurrence.txt", fields=terms(oc))
    )
    more = "<extension" + extension.replace("<id ", "<coreid ") + "</extension>"
    (place / "meta.xml").write_text(
        META.format(core="Event", file="event.txt", fields=terms(ev), more=more)
    )
    delimited(place / "event.txt", ev, [
        dict(id="e1", eventID="e1", decimalLatitude=56.1, decimalLongitude=-3.2, geodeticDatum="EPSG:4326"),
        dict(id="e2", eventID="e2", decimalLatitude="NA", decimalLongitude="NA", footprintWKT="LINESTRING (-3 56, -3.1 56.1)"),
        dict(id="e3", eventID="e3", decimalLatitude=56.3, decimalLongitude=-3.1)], "\t")  # fmt: skip
    delimited(place / "occurrence.txt", oc, [
        dict(id="e1", occurrenceID="o1", eventID="e1", recordedBy="Ana Ruiz", individualCount=2),
        dict(id="e1", occurrenceID="o2", eventID="e1", recordedBy="Bo Lee", individualCount="NA"),
        dict(id="e2", occurrenceID="o3", eventID="e2", recordedBy="Bo Lee", individualCount=1),
        dict(id="e3", occurrenceID="o4", eventID="e3", recordedBy="Ana Ruiz | Bo Lee", individualCount=1),
        dict(id="", occurrenceID="o5", eventID="e9", recordedBy="Bo Lee", individualCount=1)], "\t")  # fmt: skip
    return place


def ebird(folder):
    columns = ["GLOBAL UNIQUE IDENTIFIER", "LAST EDITED DATE", "COMMON NAME", "OBSERVATION COUNT", "COUNTRY", "LATITUDE", "LONGITUDE",
               "OBSERVATION DATE", "OBSERVER ID", "SAMPLING EVENT IDENTIFIER", "GROUP IDENTIFIER", "TRIP COMMENTS"]  # fmt: skip
    records = [dict(zip(columns, (f"URN:{i}", "2024-01-01", "Ember Kite", c, "Nowhere", 56 + i / 10, -3, "2024-01-01", o, f"S{i}", g, 'the "big" one')))
               for i, (c, o, g) in enumerate([("X", "obsr1", "G1"), (7, "obsr2", "G1"), (2, "obsr1", ""), ("X", "obsr3", "")])]  # fmt: skip
    return delimited(folder / "ebd_kite.txt", columns, records, "\t", trailing=True)


def inaturalist(folder):
    columns = ["id", "uuid", "observed_on", "user_id", "user_login", "quality_grade", "license", "latitude", "longitude", "positional_accuracy",
               "private_latitude", "private_longitude", "geoprivacy", "taxon_geoprivacy", "coordinates_obscured", "species_guess"]  # fmt: skip
    base = dict(
        user_id=7,
        user_login="ana_r",
        latitude=56.2,
        longitude=-3.1,
        positional_accuracy=12,
        coordinates_obscured="false",
    )
    records = [{**base, "id": 1}, {**base, "id": 2, "user_id": 8, "species_guess": "Kite, ember"},
               {**base, "id": 3, "geoprivacy": "obscured", "coordinates_obscured": "true", "private_latitude": 56.21},
               {**base, "id": 4, "taxon_geoprivacy": "obscured", "coordinates_obscured": "true"},
               {**base, "id": 5, "geoprivacy": "private", "latitude": "", "longitude": ""}, {**base, "id": 6, "user_id": ""}]  # fmt: skip
    return delimited(folder / "observations-1.csv", columns, records, quote=True)


def movebank(folder):
    columns = ["event-id", "visible", "timestamp", "location-long", "location-lat", "manually-marked-outlier", "sensor-type",
               "individual-taxon-canonical-name", "tag-local-identifier", "individual-local-identifier", "study-name"]  # fmt: skip
    records = [dict(zip(columns, (i, v, "2020-01-01 00:00:00.000", x, y, o, "gps", "Milvus invented", f"T{w}", w, "Kites")))
               for i, (v, x, y, o, w) in enumerate([("true", -3.1, 56.1, "", "Ember"), ("true", -3.2, 56.2, "false", "Ember"), ("false", -3, 56, "", "Ash"),
                   ("true", "", "", "", "Ash"), ("true", -3.3, 56.3, "true", "Ash"), ("true", -3.3, 56.3, "", "Ash"), ("true", "", "", "", "Ember")])]  # fmt: skip
    return delimited(folder / "kites.csv", columns, records)


def movebank_gz(folder):
    path = movebank(folder)
    (folder / "kites.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    return folder / "kites.csv.gz"


def movebank_zip(folder):
    path = movebank(folder)
    with zipfile.ZipFile(folder / "kites.zip", "w") as archive:
        archive.write(path, "kites.csv")
        archive.writestr("readme.txt", "Cite us.\nAnd, well, read: this\n")
    return folder / "kites.zip"


def smart_csv(folder):
    columns = [
        "Patrol ID",
        "Type",
        "Station",
        "Team",
        "Leader",
        "Waypoint ID",
        "Waypoint Date",
        "X",
        "Y",
        "Observation Category 0",
    ]
    records = [{"Patrol ID": "P1", "Leader": w, "Team": "North", "Waypoint ID": i, "X": x, "Y": y} for i, (w, x, y) in
               enumerate([("Ana Ruiz", 31.1, -1.2), ("ana  ruiz", 31.2, -1.3), ("Bo Lee", "", ""), ("Bo Lee", 31.2, -1.1)])]  # fmt: skip
    return delimited(folder / "patrols.csv", columns, records)


def smart_xml(folder):
    people = '<ns2:members givenName="Ana" familyName="Ruiz" isLeader="true"/><ns2:members givenName="Bo" familyName="Lee"/>'
    points = '<ns2:waypoints id="1" x="31.1" y="-1.2"/><ns2:waypoints id="2" x="31.2" y="-1.1"/><ns2:waypoints id="3"/>'
    (folder / "patrol.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><ns2:patrol xmlns:ns2="http://www.smartconservationsoftware.org/xml/1.2/patrol" id="P7">'
        f'<ns2:legs id="1">{people}<ns2:days date="2024-01-01">{points}</ns2:days></ns2:legs></ns2:patrol>')  # fmt: skip
    return folder / "patrol.xml"


def earthranger(folder):
    columns = [
        "id",
        "serial_number",
        "event_type",
        "state",
        "reported_by",
        "location",
        "is_collection",
        "event_details",
        "geometry",
    ]
    who = "{'content_type': 'accounts.user', 'id': '%s', 'username': 'r%s'}"
    records = [dict(id=1, serial_number=11, state="new", reported_by=who % ("u-1", 1), location="{'latitude': -1.2, 'longitude': 31.1}", is_collection="False"),
               dict(id=2, serial_number=12, state="new", reported_by=who % ("u-1", 9), geometry="POINT (31.2 -1.1)", is_collection="False"),
               dict(id=3, serial_number=13, state="new", reported_by=who % ("u-2", 2), is_collection="False"),
               dict(id=4, serial_number=14, state="new", reported_by="", location="{'latitude': -1.2, 'longitude': 31.1}", is_collection="False"),
               dict(id=5, serial_number=15, state="new", reported_by=who % ("u-2", 2), location="{'latitude': -1, 'longitude': 31}", is_collection="True")]  # fmt: skip
    return delimited(folder / "events.csv", columns, records, quote=True)


def earthranger_nested(folder):
    """Events as Parquet: who reported and where are structs."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    here = {"longitude": 31.1, "latitude": -1.2}
    rows = [
        dict(
            serial_number=11,
            reported_by={"id": "u-1", "username": "r1", "subject": {"name": "x"}},
            location=here,
            is_collection=False,
        ),
        dict(
            serial_number=12,
            reported_by={"id": "u-1", "username": "r9", "subject": None},
            location=here,
            is_collection=False,
        ),
        dict(
            serial_number=13,
            reported_by={"id": "u-2", "username": "r2", "subject": None},
            location=None,
            is_collection=False,
        ),
        dict(serial_number=14, reported_by=None, location=here, is_collection=False),
        dict(
            serial_number=15,
            reported_by={"id": "u-2", "username": "r2", "subject": None},
            location=here,
            is_collection=True,
        ),
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "events.parquet")
    return folder / "events.parquet"


def earthranger_tracks(folder):
    """Tracks of animals as GeoParquet: each fix tells of its subject in a struct within a struct."""
    import geopandas as gpd
    import pyarrow as pa
    import pyarrow.parquet as pq
    import shapely

    animals = ["e-1", "e-1", "e-2", None, "e-2"]
    frame = gpd.GeoDataFrame(
        {"fixtime": ["2024-05-01T06:00:00+00:00"] * 5, "junk_status": [False, False, False, False, True]},
        geometry=[shapely.Point(36 + i / 10, -1) if i != 2 else None for i in range(5)], crs=4326,
    )  # fmt: skip
    frame.to_parquet(folder / "tracks.parquet")
    told = [
        None
        if one is None
        else {"subject": {"id": one, "name": f"n {one}", "tags": ["a"]}, "source": "collar"}
        for one in animals
    ]
    table = pq.read_table(folder / "tracks.parquet")
    pq.write_table(table.append_column("extra", pa.array(told)), folder / "tracks.parquet")
    return folder / "tracks.parquet"


def kobo(folder):
    columns = ["start", "¿Dónde lo vio; exactamente?", "_¿Dónde lo vio; exactamente?_latitude", "_¿Dónde lo vio; exactamente?_longitude",
               "_¿Dónde lo vio; exactamente?_altitude", "_¿Dónde lo vio; exactamente?_precision", "_id", "_uuid", "_submission_time",
               "_validation_status", "_submitted_by", "_geolocation"]  # fmt: skip
    q = columns[1]
    records = [{q: f"{y} {x} 10 5", f"_{q}_latitude": y, f"_{q}_longitude": x, f"_{q}_precision": 5, "_submitted_by": w, "_validation_status": v, "_id": i}
               for i, (x, y, w, v) in enumerate([(-3.1, 56.1, "ana", ""), (-3.2, 56.2, "bo", "Approved"), (-3.3, 56.3, "bo", "Not approved"), ("", "", "ana", ""), (-3, 56, "", "")])]  # fmt: skip
    return delimited(folder / "form.csv", columns, records, ";", quote=True)


def kobo_cell(folder):
    columns = [
        "Where",
        "_Where_precision",
        "_id",
        "_uuid",
        "_submission_time",
        "_validation_status",
        "_submitted_by",
    ]
    records = [
        {"Where": "56.1 -3.1 120 4.5", "_submitted_by": "ana"},
        {"Where": "56.2 -3.2 0 0", "_submitted_by": "bo"},
        {"Where": "", "_submitted_by": "bo"},
    ]
    return delimited(folder / "form.csv", columns, records, ";")


def odk(folder):
    columns = [
        "SubmissionDate",
        "nest-Latitude",
        "nest-Longitude",
        "nest-Altitude",
        "nest-Accuracy",
        "KEY",
        "SubmitterID",
        "SubmitterName",
        "DeviceID",
        "ReviewState",
    ]
    records = [{"nest-Latitude": y, "nest-Longitude": x, "nest-Accuracy": 4, "SubmitterID": w, "ReviewState": s, "KEY": f"uuid:{i}"}
               for i, (x, y, w, s) in enumerate([(-3.1, 56.1, 41, ""), (-3.2, 56.2, 42, "approved"), (-3.3, 56.3, 42, "rejected"), ("", "", 41, "")])]  # fmt: skip
    return delimited(folder / "odk.csv", columns, records)


def epicollect(folder):
    columns = ["ec5_uuid", "created_at", "uploaded_at", "created_by", "title", "lat_4_Location", "long_4_Location", "accuracy_4_Location",
               "UTM_Northing_4_Location", "UTM_Easting_4_Location", "UTM_Zone_4_Location"]  # fmt: skip
    records = [dict(ec5_uuid=i, created_by=w, lat_4_Location=y, long_4_Location=x, accuracy_4_Location=8) for i, (x, y, w) in
               enumerate([(-3.1, 56.1, "ana@x.org"), (-3.2, 56.2, "bo@x.org"), ("", "", "bo@x.org")])]  # fmt: skip
    return delimited(folder / "form-1__nests.csv", columns, records)


def feature(x, y, properties):
    geometry = None if x is None else {"type": "Point", "coordinates": [x, y]}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def geojson(path, features, **more):
    path.write_text(
        json.dumps({"type": "FeatureCollection", **more, "features": features}), "utf-8"
    )
    return path


def comapeo(folder):
    who = [("a1", -3.1, 56.1), ("a1", -3.2, 56.2), ("b2", -3.3, 56.3), ("b2", None, None)]
    features = [
        feature(
            x,
            y,
            {"$docId": str(i), "$createdAt": "2024-01-01T00:00:00Z", "$authorId": w, "notes": "x"},
        )
        for i, (w, x, y) in enumerate(who)
    ]
    for one in features[:3]:
        one["geometry"]["coordinates"].append(12.5)
    return geojson(folder / "observations.geojson", features)


def mapeo(folder):
    return geojson(
        folder / "mapeo.geojson",
        [
            feature(
                -3.1,
                56.1,
                {
                    "$created": "2020-01-01",
                    "$modified": "2020-01-01",
                    "$version": "v@1",
                    "type": "nest",
                },
            )
        ]
        * 2,
    )


def arcgis(folder):
    crs = {"type": "name", "properties": {"name": "EPSG:3857"}}
    who = [
        ("ana", -345000, 7500000),
        ("bo", -346000, 7501000),
        ("bo", 0, 0),
        ("", -345000, 7500000),
    ]
    features = [
        feature(
            x,
            y,
            {
                "objectid": i,
                "globalid": f"{{{i}}}",
                "CreationDate": 1700000000000,
                "Creator": w,
                "EditDate": 1700000000000,
            },
        )
        for i, (w, x, y) in enumerate(who)
    ]
    return geojson(folder / "survey123.geojson", features, crs=crs)


def cybertracker(folder):
    records = [{"id": i, "x": 512, "y": 384, "username": w, "deviceId": "d1", "location": p, "species": "kite"}
               for i, (w, p) in enumerate([("ana", {"latitude": -1.2, "longitude": 31.1, "accuracy": 4}), ("bo", {"latitude": -1.1, "longitude": 31.2}), ("bo", None)])]  # fmt: skip
    (folder / "cyber.json").write_bytes(
        b"\xef\xbb\xbf" + json.dumps({"version": 1, "records": records}).encode()
    )
    return folder / "cyber.json"


def nbn(folder):
    columns = ["NBN Atlas record ID", "Occurrence ID", "Licence", "Scientific name", "Common name", "OSGR", "Latitude (WGS84)", "Longitude (WGS84)",
               "Coordinate uncertainty (m)", "Recorder", "Individual count", "Sensitive", "Access controlled"]  # fmt: skip
    records = [{"OSGR": "NO11", "Latitude (WGS84)": 56.27, "Longitude (WGS84)": -3.36, "Coordinate uncertainty (m)": 7071.1, "Recorder": "Ana Ruiz"},
               {"OSGR": "NO1234", "Recorder": "Bo Lee"}, {"OSGR": "H1234", "Recorder": "Bo Lee | Ana Ruiz"}, {"OSGR": "", "Recorder": "Bo Lee"},
               {"OSGR": "NO12", "Recorder": "Bo Lee", "Sensitive": "Yes"}, {"OSGR": "NO12", "Recorder": "Bo Lee", "Access controlled": "true"}]  # fmt: skip
    return delimited(folder / "nbn.csv", columns, records, quote=True)


def ala(folder):
    columns = ["recordID", "dataResourceName", "scientificName", "decimalLatitude", "decimalLongitude", "coordinateUncertaintyInMeters",
               "recordedBy", "individualCount", "dataGeneralizations", "generalisationInMetres"]  # fmt: skip
    records = [dict(recordID=1, decimalLatitude=-35.1, decimalLongitude=149.1, recordedBy="Ana Ruiz"),
               dict(recordID=2, decimalLatitude=-35.2, decimalLongitude=149.2, recordedBy="Bo Lee", generalisationInMetres=10000),
               dict(recordID=3, decimalLatitude=-35.3, decimalLongitude=149.3, recordedBy="")]  # fmt: skip
    return delimited(folder / "ala.csv", columns, records)


def vector(folder, name, driver=None, layers=1, properties=True):
    import geopandas as gpd
    import shapely

    frame = gpd.GeoDataFrame({"observer": ["ana", "bo", "bo"]} if properties else {"name": ["a", "b", "c"]},
                             geometry=shapely.points([-3.1, -3.2, -3.3], [56.1, 56.2, 56.3]), crs="EPSG:4326")  # fmt: skip
    for number in range(layers):
        more = {"layer": f"layer{number}"} if name.endswith(".gpkg") else {}
        frame.to_file(folder / name, driver=driver, **more)
    return folder / name


def geoparquet(folder):
    import geopandas as gpd

    gpd.read_file(vector(folder, "a.gpkg")).to_parquet(folder / "a.parquet")
    return folder / "a.parquet"


def zipped_shapefile(folder):
    vector(folder, "points.shp")
    with zipfile.ZipFile(folder / "points.zip", "w") as archive:
        for part in folder.glob("points.*"):
            if part.suffix != ".zip":
                archive.write(part, f"inner/{part.name}")
    return folder / "points.zip"


def kml(folder):
    marks = "".join(f"<Placemark><name>{w}</name><Point><coordinates>{x},{y},0</coordinates></Point></Placemark>" for w, x, y in
                    [("ana", -3.1, 56.1), ("bo", -3.2, 56.2), ("bo", -3.3, 56.3)])  # fmt: skip
    text = f'<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Nests</name>{marks}</Folder></Document></kml>'
    (folder / "doc.kml").write_text(text)
    return folder / "doc.kml"


def kmz(folder):
    with zipfile.ZipFile(folder / "nests.kmz", "w") as archive:
        archive.write(kml(folder), "doc.kml")
    return folder / "nests.kmz"


def gpx(folder):
    points = "".join(
        f'<wpt lat="{y}" lon="{x}"><name>{w}</name></wpt>'
        for w, x, y in [("ana", -3.1, 56.1), ("bo", -3.2, 56.2), ("bo", -3.3, 56.3)]
    )
    (folder / "track.gpx").write_text(
        f'<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">{points}</gpx>'
    )
    return folder / "track.gpx"


FIXTURES = [
    Fixture("gbif-tab", gbif_tab, "GBIF occurrences", "recordedBy", 6, GBIF_OUT, 5),
    Fixture("gbif-excel", gbif_excel, "GBIF occurrences", "recordedBy", 6, GBIF_OUT, 5),
    Fixture("gbif-parquet", gbif_parquet, "GBIF occurrences", "recordedby", 6, GBIF_OUT, 5),
    Fixture("gbif-shards", gbif_shards, "GBIF occurrences", "recordedBy", 6, GBIF_OUT, 5),
    Fixture("dwc-archive", dwc_archive, "Darwin Core Archive", "recordedByID|recordedBy", 3,
            {"no coordinates": 1, "the observer's wish": 1, "obscured": 1}, 2),
    Fixture("dwc-events", dwc_events, "Darwin Core Archive", "recordedBy", 3, {"no coordinates": 2}, 2),
    Fixture("ebird", ebird, "eBird Basic Dataset", "OBSERVER ID", 4, {}, 3),
    Fixture("inaturalist", inaturalist, "iNaturalist export", "user_id", 2,
            {"the observer's wish": 1, "obscured": 1, "no coordinates": 1, "no unit": 1}, 2),
    Fixture("movebank", movebank, "Movebank tracks", "individual-local-identifier", 3, {"no coordinates": 2, "an outlier": 2}, 2),
    Fixture("movebank-gz", movebank_gz, "Movebank tracks", "individual-local-identifier", 3, {"no coordinates": 2, "an outlier": 2}, 2),
    Fixture("movebank-zip", movebank_zip, "Movebank tracks", "individual-local-identifier", 3, {"no coordinates": 2, "an outlier": 2}, 2),
    Fixture("smart-csv", smart_csv, "SMART patrols", "Leader", 3, {"no coordinates": 1}, 2),
    Fixture("smart-xml", smart_xml, "SMART patrols", "Members", 2, {"no coordinates": 1}, 2),
    Fixture("earthranger", earthranger, "EarthRanger events", "reported_by", 2, {"no coordinates": 1, "no unit": 1, "a collection": 1}, 1),
    Fixture("earthranger-nested", earthranger_nested, "EarthRanger events", "reported_by__id", 2,
            {"no coordinates": 1, "no unit": 1, "a collection": 1}, 1),
    Fixture("earthranger-tracks", earthranger_tracks, "EarthRanger tracks", "extra__subject__id", 2,
            {"no coordinates": 1, "no unit": 1, "an outlier": 1}, 1),
    Fixture("kobo", kobo, "KoboToolbox", "_submitted_by", 2, {"no coordinates": 1, "no unit": 1, "not approved": 1}, 2),
    Fixture("kobo-cell", kobo_cell, "KoboToolbox", "_submitted_by", 2, {"no coordinates": 1}, 2),
    Fixture("odk", odk, "ODK", "SubmitterID", 2, {"no coordinates": 1, "rejected": 1}, 2),
    Fixture("epicollect", epicollect, "Epicollect5", "created_by", 2, {"no coordinates": 1}, 2),
    Fixture("comapeo", comapeo, "CoMapeo observations", "$authorId", 3, {"no coordinates": 1}, 2),
    Fixture("mapeo", mapeo, "Mapeo observations", None, 2),
    Fixture("arcgis", arcgis, "ArcGIS or Survey123", "Creator", 2, {"at (0, 0)": 1, "no unit": 1}, 2),
    Fixture("cybertracker", cybertracker, "CyberTracker sightings", "username", 2, {"no coordinates": 1}, 2),
    Fixture("nbn", nbn, "NBN Atlas", "Recorder", 3, {"no coordinates": 1, "obscured": 2}, 2),
    Fixture("ala", ala, "Atlas of Living Australia", "recordedBy", 1, {"no unit": 1, "obscured": 1}, 1),
    Fixture("geopackage", lambda f: vector(f, "a.gpkg"), None, None, 3, read={"unit": "observer"}, units=2),
    Fixture("shapefile", lambda f: vector(f, "a.shp"), None, None, 3, read={"unit": "observer"}, units=2),
    Fixture("zipped-shapefile", zipped_shapefile, None, None, 3, read={"unit": "observer"}, units=2),
    Fixture("flatgeobuf", lambda f: vector(f, "a.fgb"), None, None, 3, read={"unit": "observer"}, units=2),
    Fixture("geojson", lambda f: vector(f, "a.geojson"), None, None, 3, read={"unit": "observer"}, units=2),
    Fixture("geoparquet", geoparquet, None, None, 3, read={"unit": "observer"}, units=2),
    Fixture("kml", kml, None, None, 3, read={"unit": "Name"}, units=2),
    Fixture("kmz", kmz, None, None, 3, read={"unit": "Name"}, units=2),
    Fixture("gpx", gpx, None, None, 3, read={"unit": "name"}, units=2),
]  # fmt: skip
