"""The headers that today's exports of each system really have: invented people and places in their true columns."""

import csv
import json

from builders.workbooks import ods, xls, xlsx
from fixtures import Fixture, delimited, geojson, kobo, vector

EBD = """GLOBAL UNIQUE IDENTIFIER|LAST EDITED DATE|TAXONOMIC ORDER|CATEGORY|TAXON CONCEPT ID|COMMON NAME|SCIENTIFIC NAME|SUBSPECIES COMMON NAME
SUBSPECIES SCIENTIFIC NAME|EXOTIC CODE|OBSERVATION COUNT|BREEDING CODE|BREEDING CATEGORY|BEHAVIOR CODE|AGE/SEX|COUNTRY|COUNTRY CODE|STATE|STATE CODE
COUNTY|COUNTY CODE|IBA CODE|BCR CODE|USFWS CODE|ATLAS BLOCK|LOCALITY|LOCALITY ID|LOCALITY TYPE|LATITUDE|LONGITUDE|OBSERVATION DATE
TIME OBSERVATIONS STARTED|OBSERVER ID|OBSERVER ORCID ID|SAMPLING EVENT IDENTIFIER|OBSERVATION TYPE|PROTOCOL NAME|PROTOCOL CODE|PROJECT NAMES
PROJECT IDENTIFIERS|DURATION MINUTES|EFFORT DISTANCE KM|EFFORT AREA HA|NUMBER OBSERVERS|ALL SPECIES REPORTED|GROUP IDENTIFIER|HAS MEDIA|APPROVED
REVIEWED|REASON|CHECKLIST COMMENTS|SPECIES COMMENTS"""
MY_EBIRD = """Submission ID,Common Name,Scientific Name,Taxonomic Order,Count,State/Province,County,Location ID,Location,Latitude,Longitude,Date,Time,
Protocol,Duration (Min),All Obs Reported,Distance Traveled (km),Area Covered (ha),Number of Observers,Breeding Code,Observation Details,
Checklist Comments,ML Catalog Numbers"""
INAT_ALL = """id,uuid,observed_on_string,observed_on,time_observed_at,time_zone,user_id,user_login,user_name,created_at,updated_at,quality_grade,
license,url,image_url,sound_url,tag_list,description,num_identification_agreements,num_identification_disagreements,captive_cultivated,
oauth_application_id,place_guess,latitude,longitude,positional_accuracy,private_place_guess,private_latitude,private_longitude,
public_positional_accuracy,geoprivacy,taxon_geoprivacy,coordinates_obscured,positioning_method,positioning_device,place_town_name,
place_county_name,place_state_name,place_country_name,place_admin1_name,place_admin2_name,species_guess,scientific_name,common_name,
iconic_taxon_name,taxon_id,taxon_kingdom_name,taxon_phylum_name,taxon_subphylum_name,taxon_superclass_name,taxon_class_name,
taxon_subclass_name,taxon_superorder_name,taxon_order_name,taxon_suborder_name,taxon_superfamily_name,taxon_family_name,
taxon_subfamily_name,taxon_supertribe_name,taxon_tribe_name,taxon_subtribe_name,taxon_genus_name,taxon_genushybrid_name,taxon_species_name,
taxon_hybrid_name,taxon_subspecies_name,taxon_variety_name,taxon_form_name,field:count,field:nest height,orcid"""
INAT_FEW = "id,observed_on,quality_grade,url,user_login,latitude,longitude,coordinates_obscured,species_guess"
NBN_FULL = """NBN Atlas record ID,Occurrence ID,Licence,Rightsholder,Scientific name,Taxon author,Name qualifier,Common name,Species ID (TVK),
Taxon Rank,Occurrence status,Start date,Start date day,Start date month,Start date year,End date,End date day,End date month,End date year,
Locality,OSGR,Latitude (WGS84),Longitude (WGS84),Coordinate uncertainty (m),Verbatim depth,Recorder,Determiner,Individual count,Abundance,
Abundance scale,Organism scope,Organism remarks,Sex,Life stage,Occurrence remarks,Identification verification status,Basis of record,
Survey key,Dataset name,Dataset ID,Data provider,Data provider ID,Institution code,Kingdom,Phylum,Class,Order,Family,Genus,OSGR 100km,
OSGR 10km,OSGR 2km,OSGR 1km,Country,State/Province,Vitality"""
ALA_FULL = """Record ID,Catalog Number,Taxon Concept GUID,Vernacular name,Scientific Name,Latitude,Longitude,Coordinate Uncertainty in Metres,
Event Date,Recorded By,Data Resource Name,Basis Of Record,Generalisation In Metres"""
SMART_FULL = """Conservation Area ID,Conservation Area Name,Patrol ID,Type,Patrol Start Date,Patrol End Date,Station,Team,Objective,Mandate,Armed,
Patrol Leg ID,Leader,Pilot,Patrol Leg Start Date,Patrol Leg End Date,Patrol Transport Type,Waypoint ID,Waypoint Date,Waypoint Time,X,Y,
Direction,Distance,Last Modified,Last Modified By,Observer,Comment,Observation Category 0,Observation Category 1,Species,Number of animals"""
SMART_SPANISH = "ID de Patrulla,Tipo,Estaci\u00f3n,Equipo,Objetivo,L\u00edder,Piloto,ID de Punto de Referencia,Fecha,X,Y,Comentario"
SMART_FRENCH = "ID Patrouille;Type;Station;\u00c9quipe;Objectif;Chef de patrouille;ID Point de passage;Date;X;Y;Commentaire"
SMART_INDONESIAN = (
    "ID Patroli,Tipe,Stasiun,Tim,Ketua Tim,ID Waypoint,Tanggal Waypoint,X,Y,Kategori Temuan 0"
)
SMART_SURVEY = "Survey ID,Mission ID,Start Date,Leader,Sampling Unit ID,Waypoint ID,Waypoint Date,X,Y,Observer,Observation Category 0"
ER_REPORTS = "Report_Type,Report_Id,Title,Priority,Report_Status,Reported_By,Reported_At_(GMT+3:00),Latitude,Longitude,Number_of_Notes,Notes"
KOBO_GROUPED = """start;end;group/where;group/_where_latitude;group/_where_longitude;group/_where_altitude;group/_where_precision;_id;_uuid;
_submission_time;_validation_status;_notes;_status;_submitted_by;__version__;_tags;meta/rootUuid;_index"""
ODK_CENTRAL = """SubmissionDate,start,end,today,nest-place-Latitude,nest-place-Longitude,nest-place-Altitude,nest-place-Accuracy,meta-instanceID,
meta-instanceName,KEY,SubmitterID,SubmitterName,AttachmentsPresent,AttachmentsExpected,Status,ReviewState,DeviceID,Edits,FormVersion"""
ODK_BRIEFCASE = "SubmissionDate,start,end,deviceid,place-Latitude,place-Longitude,place-Altitude,place-Accuracy,meta-instanceID,KEY"
EPICOLLECT_BRANCH = """ec5_branch_owner_uuid,ec5_branch_uuid,created_at,uploaded_at,created_by,title,lat_12_Where,long_12_Where,accuracy_12_Where,
UTM_Northing_12_Where,UTM_Easting_12_Where,UTM_Zone_12_Where,13_Notes"""
SURVEY123 = "ObjectID,GlobalID,Nest type,CreationDate,Creator,EditDate,Editor,x,y"
MOVEBANK_API = """individual_id,deployment_id,tag_id,study_id,sensor_type_id,individual_local_identifier,tag_local_identifier,
individual_taxon_canonical_name,timestamp,location_long,location_lat,visible,algorithm_marked_outlier,manually_marked_valid,import_marked_outlier"""
GBIF_SQL = "gbifid\tspecieskey\tdecimallatitude\tdecimallongitude\tcoordinateuncertaintyinmeters\trecordedby\teventdate\toccurrencestatus"
INAT_OPEN = "observation_uuid\tobserver_id\tlatitude\tlongitude\tpositional_accuracy\ttaxon_id\tquality_grade\tobserved_on"


def names_of(header, mark):
    return [name.strip() for name in header.replace("\n", mark).split(mark) if name.strip()]


def table(name, header, records, mark=",", **more):
    """A maker of one table with a true header; `records` name columns by the words that tell them from the others."""
    columns = names_of(header, "|" if "|" in header else mark)
    assert all(set(record) <= set(columns) for record in records)
    return lambda folder: delimited(folder / name, columns, records, mark, quote=True, **more)


def three(x, y, who, *, more=({}, {}, {})):
    """Ana once and Bo twice, the last of his rows without a place."""
    rows = [(-3.1, 56.1, "Ana Ruiz"), (-3.2, 56.2, "Bo Lee"), ("", "", "Bo Lee")]
    return [
        {x: east, y: north, **({who: name} if who else {}), **extra}
        for (east, north, name), extra in zip(rows, more)
    ]


def inat_api(folder):
    results = [
        {"id": i, "uuid": f"u{i}", "quality_grade": "research", "geoprivacy": wish, "taxon_geoprivacy": taxon, "obscured": bool(wish or taxon),
         "positional_accuracy": 12, "public_positional_accuracy": 12, "location": place, "user": {"id": who, "login": f"p{who}"},
         "geojson": None if place is None else {"type": "Point", "coordinates": [-3.1, 56.1]}, "private_geojson": None}
        for i, (wish, taxon, place, who) in enumerate([(None, None, "56.1,-3.1", 7), (None, "open", "56.1,-3.1", 8), ("obscured", None, "56.1,-3.1", 8),
                                                        (None, "obscured", "56.1,-3.1", 8), ("private", None, None, 7)])
    ]  # fmt: skip
    for one in (results[1],):
        one["obscured"] = False
    (folder / "inat.json").write_text(
        json.dumps({"total_results": 5, "page": 1, "per_page": 30, "results": results})
    )
    return folder / "inat.json"


def ebird_api(folder):
    rows = [{"speciesCode": "embkit1", "comName": "Ember Kite", "locId": "L1", "locName": "Somewhere", "obsDt": "2024-01-01 07:00", "howMany": n,
             "lat": 56.1, "lng": -3.1, "obsValid": True, "obsReviewed": False, "locationPrivate": True, "subId": f"S{n}", "userDisplayName": who}
            for n, who in [(1, "Ana Ruiz"), (2, "Bo Lee")]]  # fmt: skip
    (folder / "recent.json").write_text(json.dumps(rows))
    return folder / "recent.json"


def earthranger_api(folder):
    def one(i, place, who):
        told = (
            {"content_type": "observations.subject", "id": who, "name": "R", "user": {"id": "x"}}
            if who
            else None
        )
        return {"id": i, "location": place, "serial_number": i, "event_type": "nest", "reported_by": told, "state": "active",
                "is_collection": False, "geometry": None, "event_details": {"how_many": 2}}  # fmt: skip

    here = {"latitude": -1.2, "longitude": 31.1}
    results = [one(1, here, "u1"), one(2, here, "u2"), one(3, None, "u2"), one(4, here, None)]
    (folder / "events.json").write_text(
        json.dumps(
            {"data": {"count": 4, "next": None, "results": results}, "status": {"code": 200}}
        )
    )
    return folder / "events.json"


def kobo_api(folder):
    results = [{"_id": i, "formhub/uuid": "f", "group/where": "56.1 -3.1 0 5", "_geolocation": place, "_submitted_by": who,
                "_validation_status": {}, "_uuid": f"u{i}", "_attachments": []}
               for i, (place, who) in enumerate([([56.1, -3.1], "ana"), ([56.2, -3.2], "bo"), ([None, None], "bo")])]  # fmt: skip
    (folder / "kobo.json").write_text(
        json.dumps({"count": 3, "next": None, "previous": None, "results": results})
    )
    return folder / "kobo.json"


def odk_api(folder):
    def one(i, who, x, state):
        place = (
            None
            if x is None
            else {"type": "Point", "coordinates": [x, 56.1, 120.5], "properties": {"accuracy": 4.5}}
        )
        return {"__id": f"uuid:{i}", "nest": {"place": place}, "meta": {"instanceID": f"uuid:{i}"},
                "__system": {"submissionDate": "2024-01-01T00:00:00Z", "submitterId": who, "submitterName": "N", "reviewState": state, "deviceId": "d"}}  # fmt: skip

    rows = [
        one(1, "41", -3.1, None),
        one(2, "42", -3.2, "approved"),
        one(3, "42", -3.3, "rejected"),
        one(4, "41", None, None),
    ]
    (folder / "odk.json").write_text(json.dumps({"value": rows, "@odata.context": "x"}))
    return folder / "odk.json"


def epicollect_api(folder):
    def one(i, who, x):
        return {"ec5_uuid": str(i), "created_at": "2024", "created_by": who, "title": "t",
                "4_Location": {"latitude": 56.1 if x else "", "longitude": x, "accuracy": 4, "UTM_Northing": 1, "UTM_Easting": 1, "UTM_Zone": ""}}  # fmt: skip

    rows = [one(1, "ana@x.org", -3.1), one(2, "bo@x.org", -3.2), one(3, "bo@x.org", "")]
    (folder / "ec5.json").write_text(
        json.dumps({"meta": {"total": 3}, "data": {"id": "s", "entries": rows}})
    )
    return folder / "ec5.json"


def smart_shapes(folder):
    """SMART's shapefile: names cut to ten characters, X and Y beside the geometry."""
    import geopandas as gpd
    import shapely

    rows = {"Patrol_ID": ["P1"] * 3, "Type": ["Ground"] * 3, "Patrol_Sta": ["x"] * 3, "Patrol_Leg": ["1"] * 3, "Leader": ["Ana Ruiz", "Bo Lee", "bo lee"],
            "Patrol_L_1": ["x"] * 3, "Waypoint_I": [1, 2, 3], "Waypoint_D": ["x"] * 3, "X": [31.1, 31.2, 31.3], "Y": [-1.1, -1.2, -1.3],
            "Observatio": ["a"] * 3, "Observat_1": ["b"] * 3}  # fmt: skip
    gpd.GeoDataFrame(rows, geometry=shapely.points(rows["X"], rows["Y"]), crs="EPSG:4326").to_file(
        folder / "query.shp"
    )
    return folder / "query.shp"


def survey123_layer(folder):
    """A layer of ArcGIS in web Mercator, with its tables beside."""
    import geopandas as gpd
    import pandas as pd
    import pyogrio

    frame = gpd.read_file(vector(folder, "a.gpkg")).to_crs(3857)
    frame["globalid"], frame["created_user"] = ["{1}", "{2}", "{3}"], ["ana", "bo", "bo"]
    frame.to_file(folder / "b.gpkg", layer="nests")
    pyogrio.write_dataframe(
        pd.DataFrame({"parentglobalid": ["{1}"], "note": ["x"]}), folder / "b.gpkg", layer="repeats"
    )
    return folder / "b.gpkg"


def earthranger_geojson(folder):
    """EarthRanger's events as a layer, who reported each still a dictionary."""
    rows = [
        ({"content_type": "accounts.user", "id": who}, x)
        for who, x in [("u1", 31.1), ("u2", 31.2), ("u2", None)]
    ]
    features = [{"type": "Feature", "geometry": None if x is None else {"type": "Point", "coordinates": [x, -1.2]},
                 "properties": {"serial_number": i, "reported_by": told, "is_collection": False}} for i, (told, x) in enumerate(rows)]  # fmt: skip
    return geojson(folder / "events.geojson", features)


GBIF_FULL = """gbifID|license|recordedBy|individualCount|occurrenceStatus|decimalLatitude|decimalLongitude|coordinateUncertaintyInMeters|issue
hasCoordinate|hasGeospatialIssues"""
DWC_PLAIN = (
    "scientificName,occurrenceStatus,individualCount,decimalLatitude,decimalLongitude,recordedBy"
)
ALA_VALID = "recordID,dataResourceName,recordedBy,decimalLatitude,decimalLongitude,occurrenceStatus,individualCount,spatiallyValid"


def gbif_issues(*, whole):
    """GBIF's own words about places, in a full download or a simple one, whose flag is missing; and rows of nothing seen."""
    odd = [("ZERO_COORDINATE;GEODETIC_DATUM_ASSUMED_WGS84", "true"), ("COORDINATE_ROUNDED;COUNTRY_COORDINATE_MISMATCH", "true"),
           ("COORDINATE_ROUNDED;COORDINATE_REPROJECTED;COUNTRY_DERIVED_FROM_COORDINATES", "false"), ("", "false")]  # fmt: skip
    here = {"decimalLongitude": -3.1, "decimalLatitude": 56.1, "recordedBy": "Ana Ruiz"}
    rows = [
        {**here, "issue": told, **({"hasGeospatialIssues": flag} if whole else {})}
        for told, flag in odd
    ]
    rows += [
        {**here, "occurrenceStatus": "ABSENT"},
        {**here, "individualCount": "0"},
        {**here, "individualCount": "10"},
    ]
    header = GBIF_FULL if whole else GBIF_FULL.replace("|hasGeospatialIssues", "")
    return table("occurrence.csv", header, rows, "\t")


def cybertracker_sent(folder):
    """What CyberTracker's devices send, a record a line: places are [longitude, latitude, altitude, accuracy], records lie inside."""

    def one(uid, who, place):
        values = [{"id": "Note", "name": "Note", "value": "seen", "x": 512, "y": 384}]
        return {"uid": uid, "createTime": "2025-06-17T23:00:33.999+01:00", "sessionId": "s", "deviceId": "d", "summary": "Nest", "username": who,
                "location": place, "project": {"connector": "Classic", "title": "Nests"}, "records": [{"summary": "Nest", "uid": uid, "values": values}]}  # fmt: skip

    rows = [
        one("1", "Ana", [31.1, -1.2, 0, 4]),
        one("2", "Bo", [31.2, -1.1]),
        one("3", "Bo", []),
        one("4", "Bo", None),
        one("5", "Bo", ["31.2", "-1.1"]),
    ]
    (folder / "sent.jsonl").write_bytes(
        b"\xef\xbb\xbf" + "\r\n".join(map(json.dumps, rows)).encode()
    )
    return folder / "sent.jsonl"


def cybertracker_beside(folder):
    """Sightings beside lists of devices and projects, x and y whole numbers of a screen, and users who are devices."""
    places = [{"x": 31.1, "y": -1.2, "accuracy": 5}, {"x": 31.2, "y": -1.1}, None]
    records = [{"recordUid": str(at), "deviceId": f"d{at % 2}", "x": 100 + at, "y": 40, "location": place, "values": [{"id": "n", "value": 1}]}
               for at, place in enumerate(places)]  # fmt: skip
    whole = {
        "devices": [{"deviceId": f"d{at}", "x": 1, "y": 2} for at in range(9)],
        "projects": [{"title": "Nests"}],
        "records": records,
    }
    (folder / "cyber.json").write_bytes(
        b"\xef\xbb\xbf" + json.dumps(whole, indent=1).replace("\n", "\r\n").encode()
    )
    return folder / "cyber.json"


def sheet(write, name, make, mark=","):
    """The same rows in a workbook, numbers as numbers."""

    def value(text):
        try:
            return float(text) if text else None
        except ValueError:
            return text

    def made(folder):
        path = make(folder)
        with open(path, encoding="utf-8", newline="") as file:
            rows = [[value(text) for text in row] for row in csv.reader(file, delimiter=mark)]
        path.unlink()
        return write(folder / name, rows)

    return made


GONE = {"no coordinates": 1}
SMART_ROWS = three("X", "Y", "Leader")
VARIANTS = [
    Fixture("ebird-2024", table("ebd_XX_relJan-2025.txt", EBD, three("LONGITUDE", "LATITUDE", "OBSERVER ID"), "\t", trailing=True),
            "eBird Basic Dataset", "OBSERVER ID", 2, GONE, 2),
    Fixture("ebird-auk", table("auk.csv", "checklist_id,global_unique_identifier,observer_id,latitude,longitude,observation_count",
                               three("longitude", "latitude", "observer_id")), "eBird Basic Dataset", "observer_id", 2, GONE, 2),
    Fixture("ebird-own", table("MyEBirdData.csv", MY_EBIRD, three("Longitude", "Latitude", None)), "My eBird Data", None, 2, GONE),
    Fixture("ebird-recent", ebird_api, "eBird recent observations", "userDisplayName", 2, {}, 2),
    Fixture("inat-71", table("observations-71.csv", INAT_ALL, three("longitude", "latitude", "user_id")), "iNaturalist export", "user_id", 2, GONE, 2),
    Fixture("inat-few", table("observations-9.csv", INAT_FEW, three("longitude", "latitude", "user_login", more=({}, {}, {"coordinates_obscured": "true"}))),
            "iNaturalist export", "user_login", 2, GONE, 2),
    Fixture("inat-api", inat_api, "iNaturalist export", "user.id", 2, {"the observer's wish": 1, "obscured": 1, "no coordinates": 1}, 2),
    Fixture("inat-open", table("observations.csv", INAT_OPEN, three("longitude", "latitude", "observer_id"), "\t"), "iNaturalist open data",
            "observer_id", 2, GONE, 2),
    Fixture("nbn-full", table("nbn.csv", NBN_FULL, [*three("Longitude (WGS84)", "Latitude (WGS84)", "Recorder"), {"OSGR": "NO12", "Recorder": "Bo Lee",
            "Occurrence status": "absent"}]), "NBN Atlas", "Recorder", 2, {"no coordinates": 1, "an absence": 1}, 2),
    Fixture("ala-words", table("records.csv", ALA_FULL, three("Longitude", "Latitude", "Recorded By")), "Atlas of Living Australia", "Recorded By", 2, GONE, 2),
    Fixture("smart-full", table("patrol.csv", SMART_FULL, SMART_ROWS), "SMART patrols", "Leader", 2, GONE, 2),
    Fixture("smart-spanish", table("patrulla.csv", SMART_SPANISH, three("X", "Y", "L\u00edder"), encoding="cp1252"), "SMART patrols", "L\u00edder", 2, GONE, 2),
    Fixture("smart-french", table("patrouille.csv", SMART_FRENCH, three("X", "Y", "Chef de patrouille"), ";"), "SMART patrols", "Chef de patrouille", 2, GONE, 2),
    Fixture("smart-indonesian", table("patroli.csv", SMART_INDONESIAN, three("X", "Y", "Ketua Tim")), "SMART patrols", "Ketua Tim", 2, GONE, 2),
    Fixture("smart-survey", table("mission.csv", SMART_SURVEY, three("X", "Y", "Leader")), "SMART patrols", "Leader", 2, GONE, 2),
    Fixture("smart-shapes", smart_shapes, "SMART patrols", "Leader", 3, {}, 2),
    Fixture("earthranger-reports", table("reports.csv", ER_REPORTS, three("Longitude", "Latitude", "Reported_By")), "EarthRanger events", "Reported_By", 2, GONE, 2),
    Fixture("earthranger-api", earthranger_api, "EarthRanger events", "reported_by.id", 2, {"no coordinates": 1, "no unit": 1}, 2),
    Fixture("earthranger-layer", earthranger_geojson, "EarthRanger events", "reported_by.id", 2, GONE, 2),
    Fixture("kobo-grouped", table("form.csv", KOBO_GROUPED, three("group/_where_longitude", "group/_where_latitude", "_submitted_by"), ";"),
            "KoboToolbox", "_submitted_by", 2, GONE, 2),
    Fixture("kobo-api", kobo_api, "KoboToolbox", "_submitted_by", 2, GONE, 2),
    Fixture("odk-central", table("nests.csv", ODK_CENTRAL, three("nest-place-Longitude", "nest-place-Latitude", "SubmitterID")), "ODK", "SubmitterID", 2, GONE, 2),
    Fixture("odk-briefcase", table("nests.csv", ODK_BRIEFCASE, three("place-Longitude", "place-Latitude", "deviceid")), "ODK", "deviceid", 2, GONE, 2),
    Fixture("odk-odata", odk_api, "ODK", "__system.submitterId", 2, {"no coordinates": 1, "rejected": 1}, 2),
    Fixture("epicollect-branch", table("branch-1.csv", EPICOLLECT_BRANCH, three("long_12_Where", "lat_12_Where", "created_by")), "Epicollect5", "created_by", 2, GONE, 2),
    Fixture("epicollect-api", epicollect_api, "Epicollect5", "created_by", 2, GONE, 2),
    Fixture("survey123-csv", table("S123.csv", SURVEY123, three("x", "y", "Creator")), "ArcGIS or Survey123", "Creator", 2, GONE, 2),
    Fixture("arcgis-mercator", survey123_layer, "ArcGIS or Survey123", "created_user", 3, {}, 2),
    Fixture("movebank-api", table("events.csv", MOVEBANK_API, three("location_long", "location_lat", "individual_local_identifier",
            more=({}, {"visible": "true"}, {"import_marked_outlier": "true"}))), "Movebank tracks", "individual_local_identifier", 2, GONE, 2),
    Fixture("kobo-excel", sheet(xlsx, "form.xlsx", kobo, ";"), "KoboToolbox", "_submitted_by", 2, {"no coordinates": 1, "no unit": 1, "not approved": 1}, 2),
    Fixture("inat-excel", sheet(xlsx, "observations.xlsm", table("o.csv", INAT_ALL, three("longitude", "latitude", "user_id"))), "iNaturalist export", "user_id", 2, GONE, 2),
    Fixture("earthranger-ods", sheet(ods, "reports.ods", table("r.csv", ER_REPORTS, three("Longitude", "Latitude", "Reported_By"))), "EarthRanger events", "Reported_By", 2, GONE, 2),
    Fixture("smart-xls", sheet(xls, "patrol.xls", table("p.csv", SMART_FULL, SMART_ROWS)), "SMART patrols", "Leader", 2, GONE, 2),
    Fixture("gbif-sql", table("sql.tsv", GBIF_SQL, three("decimallongitude", "decimallatitude", "recordedby"), "\t"), "GBIF occurrences", "recordedby", 2, GONE, 2),
    Fixture("gbif-flag", gbif_issues(whole=True), "GBIF occurrences", "recordedBy", 3, {"a geospatial issue": 2, "an absence": 2}, 1),
    Fixture("gbif-issue", gbif_issues(whole=False), "GBIF occurrences", "recordedBy", 3, {"a geospatial issue": 2, "an absence": 2}, 1),
    Fixture("dwc-status", table("seen.csv", DWC_PLAIN, three("decimalLongitude", "decimalLatitude", "recordedBy", more=({}, {"occurrenceStatus": "Absent"}, {}))),
            "Darwin Core occurrences", "recordedBy", 1, {"no coordinates": 1, "an absence": 1}, 1),
    Fixture("ala-valid", table("valid.csv", ALA_VALID, three("decimalLongitude", "decimalLatitude", "recordedBy", more=({"spatiallyValid": "true"},
            {"spatiallyValid": "FALSE"}, {}))), "Atlas of Living Australia", "recordedBy", 1, {"no coordinates": 1, "a geospatial issue": 1}, 1),
    Fixture("ebird-zeros", table("auk_zf.csv", "checklist_id,global_unique_identifier,observer_id,latitude,longitude,observation_count",
            three("longitude", "latitude", "observer_id", more=({"observation_count": "X"}, {"observation_count": "0"}, {}))),
            "eBird Basic Dataset", "observer_id", 1, {"no coordinates": 1, "an absence": 1}, 1),
    Fixture("cybertracker-sent", cybertracker_sent, "CyberTracker sightings", "username", 2, {"no coordinates": 3}, 2),
    Fixture("cybertracker-beside", cybertracker_beside, "CyberTracker sightings", "deviceId", 2, {"no coordinates": 1}, 2),
]  # fmt: skip
