"""Declares the inputs of Private heatmap: what most maps need first, the rest behind "Advanced"."""

import json
from pathlib import Path

from qgis.core import (
    QgsProcessingOutputFile,
    QgsProcessingOutputString,
    QgsProcessingOutputVectorLayer,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)  # fmt: skip

from ..compat import ADVANCED, PLACES, POLYGONS, WHOLE_NUMBER
from ..words import tr
from .heatmap_help import explain

INPUT, AREA, FOLDER = "INPUT", "AREA", "FOLDER"
OPTIONS = json.loads(Path(__file__).parents[1].joinpath("data", "options.json").read_text("utf-8"))
"""Options of `dpmap release`, by their names in dpmap.toml; packaging/qgis_options.py writes them."""
OPTION_OF = {"FOLDER": "out", "LABELS": "label"}
"""Options that an input is not named for; any other has its option's name."""
FIELDS = ("UNIT", "CONSENT", "UNCERTAINTY", "SITE")
"""Inputs that name a field of the survey."""


def find_option(name):
    """Returns the option that an input gives, None where it gives none as it stands."""
    return OPTIONS.get(OPTION_OF.get(name, name.lower()))


def declare(algorithm):
    """Adds every input and output to the algorithm."""
    for parameter in (*_survey(), *_land(), *_promise(), *_budget()):
        algorithm.addParameter(explain(parameter))
    for parameter in (*_more_of_the_survey(), *_more_of_the_map(), *_said()):
        parameter.setFlags(parameter.flags() | ADVANCED)
        algorithm.addParameter(explain(parameter))
    for name, title in (("RELEASE", "Release file"), ("STATEMENT", "Statement")):
        algorithm.addOutput(QgsProcessingOutputFile(name, tr(title)))
    for name, title in (("PATCHES", "Patches"), ("CELLS", "Cells")):
        algorithm.addOutput(QgsProcessingOutputVectorLayer(name, tr(title)))
    for name, title in (
        ("SPENT", "Spent"),
        ("REMAINING", "Remaining"),
        ("EVENT", "Event in the ledger"),
    ):
        algorithm.addOutput(QgsProcessingOutputString(name, tr(title)))


def _survey():
    return (
        QgsProcessingParameterFeatureSource(INPUT, tr("Survey layer"), [PLACES]),
        QgsProcessingParameterBoolean(
            "CONFIRM",
            tr("The rows left by a filter, a selection, a join or an expression are what is meant"),
            False,
        ),
    )


def _land():
    return (
        QgsProcessingParameterFeatureSource(AREA, tr("Area: a polygon layer, never the survey"), [POLYGONS], optional=True),
        _text("COUNTRY", "or a country, like Kenya"),
        _text("CELL", "Square cells, like 1 km or 0.1 deg"),
        _choice("GRID", "or the cells of an official grid"),
        QgsProcessingParameterNumber("HEXAGONS", tr("or H3 hexagons of this resolution"), WHOLE_NUMBER, None, True, 0, 15),
        QgsProcessingParameterBoolean("BY_AREA", tr("or one cell for each polygon of the area"), False),
    )  # fmt: skip


def _promise():
    return (
        _field("UNIT", "Unit: the field that says who is protected"),
        QgsProcessingParameterBoolean("EACH_ROW", tr("or each row is a unit (a person with many rows is then not protected)"), False),
        _text("CAP", "Cap: most points one unit adds, like 5"),
        _text("EPSILON", "Epsilon: how far it may move odds about one unit, like 0.5"),
        _field("CONSENT", "Consent: the field that says yes"),
        _text("CONSENT_VALUES", "Values that mean yes, like yes,true"),
    )  # fmt: skip


def _budget():
    return (
        QgsProcessingParameterFile(
            "LEDGER", tr("Ledger: its file, the same each time (a new name begins one)")
        ),
        _text("DATASET", "Data set: its name in the ledger"),
        _text("BUDGET", "Budget: most epsilon ever, at the first release of the data set"),
        QgsProcessingParameterFolderDestination(FOLDER, tr("New folder for the release")),
    )


def _more_of_the_survey():
    return (
        _text("WHERE", "Rule over a row's own columns, like species = 'Kestrel' and year >= 2020"),
        _text("FROM", "First date that counts, like 2020-05 or COLUMN=2020"),
        _text("TO", "Last date that counts"),
        _text("DATES", "How dates are written: dmy, mdy, ymd, iso"),
        _choice("CONSENT_BY", "What a refusal takes"),
        _choice("MISSING_UNIT", "Rows that name nobody"),
        _text("TEAM", "What stands between names in one text: auto, none, or like ; &"),
        _field("UNCERTAINTY", "Field of uncertainty in metres"),
        _text("MAX_UNCERTAINTY", "Leave out what is less certain, like 1 km"),
        QgsProcessingParameterBoolean(
            "SURFACE", tr("Lines and areas count, at a point on them"), False
        ),
        _field("SITE", "Field of the sites to protect too"),
        QgsProcessingParameterFile("SITES", tr("File that says where each site is"), optional=True),
        _text("SITE_CAP", "Most contributors that one site counts for"),
    )


def _more_of_the_map():
    return (
        _choice("LIMITER", "How the cap is kept"),
        _text("STRATEGY", "How epsilon is spent: adaptive, flat, or like sparse:20"),
        _lines("KINDS", "A map for each kind: COLUMN=A,B,C, one column a line"),
        _text("TIMES", "A map for each span between dates: COLUMN=2023,2024,2025"),
        _text("AREA_NAME", "Only the polygons of the area of this name"),
        _text("GRID_CRS", "National grid for the cells, like EPSG:27700"),
        _choice("SENSITIVITY", "Rule of practice: smallest cells allowed"),
        QgsProcessingParameterBoolean(
            "FEW_CELLS", tr("An area of four cells or fewer is what is meant"), False
        ),
        QgsProcessingParameterBoolean(
            "LOOKED", tr("The cap was found by looking at the true numbers"), False
        ),
    )


def _said():
    return (
        _text("AUTHORISED_BY", "Who authorised this map"),
        _text("PURPOSE", "What it may be used for"),
        _text("EXPIRES", "Last day of use, like 2031-12-31"),
        _lines("LABELS", "Local Contexts labels, one a line, like TK Attribution"),
        _text("LICENCE", "Licence, like CC-BY-4.0"),
        _text("REASON", "Why its places are sensitive, like speciesLocation"),
        _text("RETENTION", "Who can reach the survey and the ledger, and for how long"),
        _lines(
            "ALSO_PUBLISHED", "What else was published of the same data, one a line, or: nothing"
        ),
    )


def _text(name, title):
    needed = name in ("CAP", "EPSILON", "DATASET")
    return QgsProcessingParameterString(name, tr(title), optional=not needed)


def _lines(name, title):
    return QgsProcessingParameterString(name, tr(title), multiLine=True, optional=True)


def _choice(name, title):
    choices = find_option(name)["choices"]
    return QgsProcessingParameterEnum(
        name, tr(title), choices, optional=True, usesStaticStrings=True
    )


def _field(name, title):
    return QgsProcessingParameterField(
        name, tr(title), parentLayerParameterName=INPUT, optional=True
    )
