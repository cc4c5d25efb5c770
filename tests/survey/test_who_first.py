"""Which column is offered first for each kind of unit: of every saved survey, and of invented tables with forty columns."""

import pytest
from fixtures import FIXTURES, opened
from variants import VARIANTS

import dpmap as dm
from dpmap.survey.column_suggestions import who

FIRST = {
    "gbif": {"person": "recordedBy", "site": "locality", "team": "institutionCode"},
    "gbif-parquet": {"person": "recordedby"},
    "gbif-sql": {"person": "recordedby"},
    "gbif-flag": {"person": "recordedBy"},
    "gbif-issue": {"person": "recordedBy"},
    "dwc": {"person": "recordedBy"},
    "dwc-archive": {"person": "recordedByID|recordedBy"},
    "ebird": {"person": "OBSERVER ID", "team": "GROUP IDENTIFIER"},
    "ebird-auk": {"person": "observer_id"},
    "ebird-zeros": {"person": "observer_id"},
    "ebird-2024": {"person": "OBSERVER ID", "site": "LOCALITY ID", "team": "GROUP IDENTIFIER"},
    "ebird-own": {"site": "Location ID"},
    "ebird-recent": {"person": "userDisplayName"},
    "inaturalist": {"person": "user_id"},
    "inat": {"person": "user_id"},
    "inat-few": {"person": "user_login"},
    "inat-api": {"person": "user.id"},
    "inat-open": {"person": "observer_id"},
    "movebank": {"animal": "individual-local-identifier"},
    "movebank-api": {"animal": "individual_local_identifier"},
    "smart": {"person": "Leader", "site": "Station", "team": "Team"},
    "smart-xml": {"person": "Members", "team": "Patrol ID"},
    "smart-spanish": {"person": "L\u00edder", "site": "Estaci\u00f3n", "team": "Equipo"},
    "smart-french": {"person": "Chef de patrouille", "site": "Station", "team": "\u00c9quipe"},
    "smart-indonesian": {"person": "Ketua Tim"},
    "smart-survey": {"person": "Leader"},
    "smart-shapes": {"person": "Leader", "team": "Patrol_ID"},
    "earthranger": {"person": "reported_by"},
    "earthranger-nested": {"person": "reported_by__id"},
    "earthranger-tracks": {"animal": "extra__subject__id"},
    "earthranger-reports": {"person": "Reported_By"},
    "earthranger-ods": {"person": "Reported_By"},
    "earthranger-api": {"person": "reported_by.id"},
    "earthranger-layer": {"person": "reported_by.id"},
    "kobo": {"person": "_submitted_by"},
    "odk": {"person": "SubmitterID", "device": "DeviceID"},
    "odk-briefcase": {"device": "deviceid"},
    "odk-odata": {"person": "__system.submitterId", "device": "__system.deviceId"},
    "epicollect": {"person": "created_by"},
    "comapeo": {"person": "$authorId"},
    "mapeo": {},
    "arcgis": {"person": "Creator"},
    "arcgis-mercator": {"person": "created_user"},
    "survey123": {"person": "Creator"},
    "cybertracker": {"person": "username", "device": "deviceId"},
    "cybertracker-beside": {"device": "deviceId"},
    "nbn": {"person": "Recorder"},
    "nbn-full": {"person": "Recorder", "site": "Locality", "team": "Institution code"},
    "ala": {"person": "recordedBy"},
    "ala-words": {"person": "Recorded By"},
    "kml": {"name": "name"},
    "kmz": {"name": "name"},
    "gpx": {"name": "name"},
    "": {"person": "observer"},
}
"""What comes first for each kind, by a fixture's key or the part of it before the first dash."""


def first_of_each(columns, nameless=()):
    """The column that is offered first for each kind, and the kinds in their order."""
    first = {}
    for candidate in who(columns, nameless):
        first.setdefault(candidate.kind, candidate.column)
    return first


@pytest.mark.parametrize("fixture", [*FIXTURES, *VARIANTS], ids=lambda fixture: fixture.key)
def test_a_known_survey_is_offered_what_its_format_defines(fixture, tmp_path):
    """Of every saved survey the right column comes first for each kind, and first of all what its format defines."""
    survey = opened(fixture.make(tmp_path), **({"layer": "nests"} if "mercator" in fixture.key else {}))  # fmt: skip
    by_key = (FIRST.get(key) for key in (fixture.key, fixture.key.partition("-")[0], ""))
    expected = next(first for first in by_key if first is not None)
    assert first_of_each(survey.columns, survey.schema.nameless) == expected
    offered = who(survey.columns, survey.schema.nameless)
    assert fixture.unit in (None, offered[0].column if offered else None)


TABLES = {
    "heritage, EAMENA": (
        {"site": "EAMENA ID", "person": "Assessment Investigator - Actor"},
        """Assessment Investigator - Actor|Investigator Role Type|Assessment Activity Type|Assessment Activity Date|GE Assessment(Yes/No)
        GE Imagery Acquisition Date|Information Resource Used|EAMENA ID|Resource Name|Name Type|Heritage Place Type|General Description Type
        Heritage Place Function|Heritage Place Function Certainty|Designation|Designation From Date|Geometry Qualifier|Site Location Certainty
        Geometry Extent Certainty|Site Overall Shape Type|Grid ID|Country Type|Cadastral Reference|Overall Archaeological Certainty Value
        Overall Site Morphology Type|Cultural Period Type|Cultural Period Certainty|Site Feature Form Type|Site Feature Form Type Certainty
        Site Feature Shape Type|Site Feature Arrangement Type|Site Feature Number Type|Site Feature Interpretation Type
        Site Feature Interpretation Number|Site Feature Interpretation Certainty|Built Component Related Resource|Material Class
        Overall Condition State|Damage Extent Type|Threat Category|Topography Type|Land Cover Type""",
    ),
    "heritage, a county's record": (
        {"site": "MonUID", "person": "Compiler", "name": "Name"},
        """OBJECTID|MonUID|RecordType|Name|Summary|Description|Period From|Period To|Monument Type|Monument Class|Evidence Type|Status|Grade
        Site Condition|Condition Date|Site Stability|Site Visibility|Easting|Northing|Grid Reference|Precision|Parish|District|County|Land Use
        Geology|Soil|Aspect|Slope|Source|Archive Location|Compiler|Compiled Date|Updated By|Update Date|Licence|Rights|Photo URL|Website|Notes""",
    ),
    "heritage, Denkmalliste": (
        {"site": "Denkmal-Nr", "person": "Bearbeiter"},
        """FID|Denkmal-Nr|Bezeichnung|Denkmaltyp|Kategorie|Datierung|Epoche|Funktion|Material|Zustand|Zustand Datum|Gef\u00e4hrdung|Schutzstatus
        Rechtsgrundlage|Gemeinde|Kreis|Land|Stra\u00dfe|Hausnummer|Flurst\u00fcck|Rechtswert|Hochwert|Lagegenauigkeit|Fl\u00e4che|H\u00f6he|Bearbeiter
        Bearbeitungsdatum|Quelle|Literatur|Foto|Foto Datum|Lizenz|Bemerkung|Geologie|Boden|Hangneigung|Exposition|Landnutzung|Layer|Version""",
    ),
    "telemetry": (
        {
            "animal": "animal_id",
            "person": "principal_investigator",
            "device": "logger_serial_no",
            "site": "study_site",
        },
        """fix_no|timestamp|lon|lat|height|hdop|fix_type|sat_count|speed|heading|temperature|battery_voltage|activity_x|activity_y|mortality_status
        collar_type|collar_model|collar_frequency|tag_weight|tag_id|logger_serial_no|animal_id|animal_name|animal_sex|animal_age|animal_life_stage
        animal_weight|animal_death_comments|animal_taxon|species|capture_date|capture_method|release_date|deployment_id|deploy_on_date
        deploy_off_date|study_name|study_site|principal_investigator|license|visible|outlier_flag""",
    ),
    "telemetry, with a subject": (
        {"animal": "subject_uuid", "person": "owner_email"},
        """id|recorded_at|created_at|longitude|latitude|source_type|source_manufacturer|source_model|subject_uuid|subject_name|subject_sex|subject_type
        subject_subtype|subject_tags|subject_status|subject_weight|group_size|ear_tag|tag_colour|tag_list|event_type|event_count|accuracy
        altitude|speed|battery|voltage|temperature|region|country|protected_area|habitat|land_cover|ndvi|rainfall|owner_email|notes|media_url
        licence|version""",
    ),
    "ringing": (
        {"animal": "ring_no", "person": "ringer_initials", "site": "site_code"},
        """record_type|ring_no|ring_scheme|ring_position|ring_condition|colour_marks|species_code|species_name|age_code|sex|sexing_method|brood_size
        pullus_age|status_code|condition_code|circumstances|manipulated|moved|capture_method|lure|visit_date|capture_time|site_code|site_name
        county_code|country_code|habitat_1|habitat_2|grid_ref|accuracy|wing_length|weight|fat_score|muscle_score|moult_code|tarsus|bill_length
        ringer_initials|processor|extra_text""",
    ),
    "ringing, baguage": (
        {"animal": "Num\u00e9ro de bague", "person": "Bagueur", "site": "Lieu-dit"},
        """Action|Centre|Num\u00e9ro de bague|Sens|Marque couleur|Esp\u00e8ce|Sexe|\u00c2ge|Date|Heure|Pays|D\u00e9partement|Commune|Lieu-dit|Latitude|Longitude
        Pr\u00e9cision|Altitude|Habitat|Th\u00e8me|Condition de capture|Pi\u00e8ge|Dur\u00e9e|Effort|Longueur aile|Poids|Graisse|Muscle|Mue|Plaque incubatrice
        Statut|\u00c9tat|Parasites|Couv\u00e9e taille|Bagueur|Remarques|Photo|Date de saisie|Validation|Licence""",
    ),
    "museum": (
        {"person": "collector", "site": "locality", "team": "institutionCode"},
        """catalogNumber|otherCatalogNumbers|institutionCode|collectionCode|basisOfRecord|preparations|disposition|kingdom|phylum|class|order|family|genus
        specificEpithet|scientificName|taxonRank|vernacularName|typeStatus|identifiedBy|dateIdentified|identificationQualifier|collector
        fieldNumber|eventDate|verbatimEventDate|samplingProtocol|sex|lifeStage|individualCount|country|stateProvince|county|locality|habitat
        lon|lat|georeferencedBy|georeferenceSources|associatedMedia|occurrenceRemarks|license|rightsHolder""",
    ),
    "museum, Darwin Core without places": (
        {"person": "recordedByID|recordedBy", "animal": "organismID", "site": "locationID"},
        """modified|license|rightsHolder|datasetName|recordNumber|recordedBy|recordedByID|individualCount|organismQuantity|organismQuantityType
        sex|lifeStage|reproductiveCondition|behavior|establishmentMeans|disposition|associatedTaxa|organismID|organismName|organismScope
        associatedOrganisms|previousIdentifications|fieldNumber|eventRemarks|locationID|higherGeography|continent|waterBody|island|locality
        verbatimLocality|locationRemarks|identifiedBy|taxonID|scientificName|class|order|family|taxonRank|nomenclaturalStatus""",
    ),
    "citizen science, Artportalen": (
        {"person": "Observat\u00f6rer", "site": "Lokalnamn"},
        """Id|Taxonsorteringsordning|Valideringsstatus|R\u00f6dlistade|Artnamn|Vetenskapligt namn|Auktor|Antal|Enhet|\u00c5lder-Stadium|K\u00f6n|Aktivitet
        Metod|Lokalnamn|Ost|Nord|Noggrannhet|Diffusion|\u00d6|N|Sockennamn|Kommun|Landskap|L\u00e4n|Startdatum|Starttid|Slutdatum|Sluttid
        Publik kommentar|Intressant notering|Ej \u00e5terfunnen|Os\u00e4ker best\u00e4mning|Biotop|Biotopbeskrivning|Substrat|Observat\u00f6rer
        Medobservat\u00f6rer|Bestämningsmetod|Projektnamn|Licens""",
    ),
    "citizen science, a form": (
        {"person": "Usuario ID", "team": "Club", "device": "Device ID"},
        """Fecha|Hora|Usuario ID|Usuario nombre|Edad|Genero|Club|Device ID|Device model|App version|Especie|Nombre comun|Nombre cientifico|Cantidad
        Comportamiento|Sexo|Etapa|Habitat|Clima|Temperatura|Metodo|Duracion|Distancia recorrida|Numero de observadores|Latitud|Longitud|Altitud
        Precision GPS|Municipio|Departamento|Pais|Foto URL|Audio URL|Tags|Comentarios|Licencia|Estado de validacion|Calidad|Certeza|Proyecto""",
    ),
    "nests, nestkast": (
        {"site": "nestkast_nr", "person": "waarnemer_id"},
        """jaar|bezoek|datum|tijd|nestkast_nr|nestkast_type|nestkast_hoogte|nest_stage|nest_height|nest_material|nest_condition|nest_count|soort
        broedsel|legbegin|eieren|jongen|uitgevlogen|sexe|leeftijd|ring_colour|biotoop|boomsoort|expositie|gemeente|provincie|x|y|nauwkeurigheid
        weer|wind|temperatuur|methode|waarnemer_id|waarnemer_naam|invoer_datum|status|opmerkingen|foto|licentie""",
    ),
    "plots, botany": (
        {"site": "plot_id", "person": "surveyor_code"},
        """survey_date|year|plot_id|plot_size|plot_shape|plot_type|quadrat_no|quadrat_size|nest_level|species|genus|family|class|cover_class|abundance
        frequency|height_cm|phenology|vigour|layer|soil_ph|soil_type|soil_depth|moisture|aspect|slope|elevation|canopy_cover|bare_ground|litter
        land_use|grazing|management|x_coord|y_coord|gps_accuracy|surveyor_code|surveyor_experience|method|comments""",
    ),
}
"""Headers of forty columns, and which of them comes first for each kind."""


@pytest.mark.parametrize("table", TABLES)
def test_of_forty_columns_the_right_one_comes_first(table):
    """In a wide table of no known format the column that identifies comes first for its kind, and nothing else of another kind does."""
    expected, header = TABLES[table]
    columns = [name.strip() for line in header.splitlines() for name in line.split("|")]
    assert len(columns) >= 38
    assert first_of_each(columns) == expected


def test_a_site_is_no_vocabulary_and_a_file_s_types_count(tmp_path):
    """What describes a site is never offered, whatever comes before it, nor a column that the file declares as truth values."""
    import pandas as pd

    described = ["Site Feature Interpretation Certainty", "site_status", "nest_type", "tag_list", "site count", "siteClass", "animal_taxon"]  # fmt: skip
    assert who(described) == ()
    frame = pd.DataFrame({"nest": [True], "nest_no": [7], "longitude": [1.5], "latitude": [50.5]})
    frame.to_parquet(tmp_path / "nests.parquet")
    survey = dm.read(tmp_path / "nests.parquet")
    assert [one.column for one in who(survey.columns, survey.schema.nameless)] == ["nest_no"]


def test_words_say_who_in_the_order_of_the_columns():
    """The words name what one of them is, and the columns as they are used."""
    words = [one.words for one in who(["recordedBy", "EAMENA ID", "recordedByID", "Station"])]
    assert words == [
        "each person who recorded (by recordedByID, else recordedBy)",
        "each site, by its EAMENA ID",
        "each site (by Station)",
    ]


def test_a_vocabulary_is_never_offered_to_the_operator(tmp_path):
    """Where rows are read anyway a column of five values is marked and comes last, in numbers alone; either half of a joined unit counts."""
    lines = [
        f"{at % 60 if at % 2 else ''},Name {at % 60},Zone {at % 5},1.5,50.5" for at in range(600)
    ]
    path = tmp_path / "s.csv"
    path.write_text("\n".join(["recordedByID,recordedBy,site,lon,lat", *lines]), "utf-8")
    seen = dm.inspect(dm.read(path))
    told = [(one["column"], one["values"], one["offered"]) for one in seen.who]
    assert told == [("recordedByID|recordedBy", 60, True), ("row", 600, True), ("site", 5, False)]
    assert seen.who[-1]["reason"].startswith("not an identifier")
    text = str(seen.tables()["Who could be protected (--unit)"])
    assert "not an identifier" in text
    assert "Zone" not in text
