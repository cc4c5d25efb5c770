"""Finds what is wrong with the inputs of a private heatmap before anything runs; nothing is spent by it."""

import os
import re

from ..compat import LINE, POLYGON
from ..rows import asking, columns
from ..words import tr
from .heatmap_told import amount

UNSAVED = "Survey layer: it holds changes that are not saved; save or discard them first"
MEANT = (
    "Survey layer: {} decides which rows or values count. An expression or a hand may keep or leave out one person's rows because of another's, "
    "and the promise is then about the rows that are left. If that is meant, tick “The rows left by a filter, a selection, a join or an expression are what is meant”"
)


def wrong(told):
    """Lists each mistake as one line."""
    return [*_survey(told), *_land(told), *_promise(told), *_places(told)]


def _survey(told):
    of = told.survey
    if of.layer is None:
        return [tr("Survey layer: choose a layer with places")]
    found = []
    if asking.is_unsaved(of.layer):
        found.append(tr(UNSAVED))
    if of.limited:
        found.append(
            tr(
                "Survey layer: a limit on the number of features lets one person's row push out another's; take it away"
            )
        )
    mixing = [one for one in asking.chosen_by(of) if one in asking.MIXING]
    if mixing and not told.switch("CONFIRM"):
        found.append(tr(MEANT).format(tr(" and ").join(map(tr, mixing))))
    if not of.layer.crs().isValid():
        found.append(
            tr(
                "Survey layer: nobody has said which reference system its coordinates are in; set the layer's CRS"
            )
        )
    kind = of.layer.geometryType()
    if kind in (LINE, POLYGON) and not told.switch("SURFACE"):
        found.append(
            tr(
                "Survey layer: it holds lines or areas; tick “Lines and areas count, at a point on them”, or choose points"
            )
        )
    return found + _fields(told)


def _fields(told):
    """Looks at the fields that the release names."""
    fields, found = told.survey.layer.fields(), []
    kept = {fields.at(place).name() for place in columns.kept(fields)[0]}
    for name, title in (
        ("UNIT", "Unit"),
        ("CONSENT", "Consent"),
        ("UNCERTAINTY", "Uncertainty"),
        ("SITE", "Site"),
    ):
        if told.field(name) and told.field(name) not in kept:
            found.append(
                tr(
                    "{}: the layer has no such field, or it holds lists, maps or bytes; choose another"
                ).format(tr(title))
            )
    return found


def _land(told):
    found = []
    country = told.text("COUNTRY")
    if bool(told.area.layer) == bool(country):
        found.append(
            tr(
                "Area: choose a polygon layer or name a country, one of the two; it is never read off the survey"
            )
        )
    if told.area.layer is not None:
        found += _area(told)
    ways = [told.text("CELL"), told.choice("GRID"), told.hexagons, told.switch("BY_AREA")]
    if sum(map(bool, ways)) != 1:
        found.append(
            tr(
                "Cells: give one of the four: a size like 1 km, an official grid, hexagons, or the polygons of the area"
            )
        )
    if told.switch("BY_AREA") and country:
        found.append(
            tr("Cells: a country is one polygon; choose a layer of areas to have one cell for each")
        )
    return found


def _area(told):
    area, survey = told.area.layer, told.survey.layer
    if survey is not None and _place(area) == _place(survey):
        return [
            tr(
                "Area: it is the survey's own layer; the area must be public, and is never read off the survey"
            )
        ]
    if area.geometryType() != POLYGON or told.source("AREA").featureCount() == 0:
        return [tr("Area: the layer holds no polygons; choose one that does")]
    if asking.is_unsaved(area):
        return [tr("Area: it holds changes that are not saved; save or discard them first")]
    return [] if area.crs().isValid() else [tr("Area: set the layer's CRS")]


def _place(layer):
    """Returns where a layer's rows lie, whatever filter stands beside it."""
    if layer.providerType() == "memory":
        return layer.id()
    return layer.providerType(), re.sub(r"\|(?!layername=|layerid=)[^|]*", "", layer.source())


def _promise(told):
    found, unit = [], told.field("UNIT")
    if bool(unit) == told.switch("EACH_ROW"):
        found.append(
            tr(
                "Unit: say who is protected: choose the field that names each, or tick “each row is a unit”; there is no default"
            )
        )
    elif unit.lower() == "row":
        found.append(
            tr("Unit: a field called row would make each row a unit; give it another name first")
        )
    if not re.fullmatch(r"[0-9]{1,10}|auto:.+", told.cap) or re.fullmatch("0+", told.cap):
        found.append(tr("Cap: it must be a whole number of at least 1, like 5"))
    epsilon = told.text("EPSILON")
    if epsilon != "next" and not amount(epsilon):
        found.append(tr("Epsilon: it must be a number above 0 with a point, like 0.5"))
    if told.text("BUDGET") and not amount(told.text("BUDGET")):
        found.append(tr("Budget: it must be a number above 0 with a point, like 3"))
    if bool(told.field("CONSENT")) != bool(told.text("CONSENT_VALUES")):
        found.append(
            tr("Consent: choose its field and write the values that mean yes, or leave both empty")
        )
    if not told.text("DATASET"):
        found.append(tr("Data set: give it a name, the same for each map of this survey"))
    return found


def _places(told):
    found, folder, ledger = [], told.folder, told.file("LEDGER")
    if not folder:
        found.append(
            tr(
                "Folder: name a new folder that stays; a map that was paid for must not lie among temporary files"
            )
        )
    elif os.path.exists(os.path.join(folder, "release.dpmap")):
        found.append(
            tr(
                "Folder: it holds a release already; choose a new one (where that one was broken off: dpmap release --resume FOLDER)"
            )
        )
    elif os.path.isfile(folder) or (os.path.isdir(folder) and os.listdir(folder)):
        found.append(tr("Folder: there is something in it already; choose a new one"))
    elif not os.path.isdir(os.path.dirname(folder)):
        found.append(tr("Folder: the folder around it does not exist; make it first"))
    if not ledger or os.path.isdir(ledger):
        found.append(tr("Ledger: name its file; it keeps what all maps of the data set have cost"))
    elif not os.path.isdir(os.path.dirname(ledger)):
        found.append(tr("Ledger: its folder does not exist; make it first, or choose another"))
    return found


def budget(told, book):
    """Returns the mistake about the budget, given what the ledger says; empty where there is none."""
    known = [one["name"] for one in book["datasets"]] if book else []
    if told.text("BUDGET") or told.text("DATASET") in known or (book and book["plan"]):
        return ""
    if book and book["budget"] not in ("", "0"):
        return tr(
            "Budget: the ledger knows no such data set; check its name, or begin it by giving the ledger's budget, {}"
        ).format(book["budget"])
    return tr(
        "Budget: the ledger does not hold this data set yet; say how much epsilon it may ever cost, like 3"
    )
