"""Says what a map would tell before anything is spent; it reads no survey."""

import json
import os

from qgis.core import (
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterString,
)

from ..command.private import private_folder
from ..compat import POLYGONS
from ..rows import polygons
from ..words import mark, tr, unmarked
from . import inputs
from .base import Algorithm
from .heatmap_inputs import OPTIONS

FIRST = {
    "CELL": ("cell", mark("Square cells"), mark("Square cells, like 1 km or 0.1 deg. Leave it and the grid empty to have a size recommended.")),
    "GRID": ("grid", mark("or an official grid"), mark("The cells of an official grid, by its name: eea-10km, os-hectad, qdgc.")),
    "COUNTRY": ("", mark("or a country as area"), mark("A country's English name instead of an area layer, like Kenya.")),
    "UNIT": ("unit", mark("Unit"), mark("Who is protected, in a word for the plan: observer, nest, household.")),
    "CAP": ("cap", mark("Cap"), mark("Most points one unit adds to the whole map, like 5.")),
    "EPSILON": ("epsilon", mark("Epsilon"), mark("How far a map may move the odds about one unit, like 0.5; or leave it out and say which error can be borne.")),
    "UNITS": ("units", mark("Units expected"), mark("How many units will take part: a guess from what is public, never a count of the survey.")),
    "BUDGET": ("budget", mark("Budget"), mark("Most epsilon ever, to say how many such maps it pays for.")),
}  # fmt: skip
MORE = {
    "EACH": ("each", mark("Points of each"), mark("How many points each unit is expected to add, capped.")),
    "SPENT": ("spent", mark("Spent already"), mark("How much of the budget is spent already.")),
    "ERROR": ("error", mark("Error allowed"), mark("The standard error allowed in a cell measured by itself, like 5: finds epsilon.")),
    "TAIL": ("tail", mark("Large errors allowed"), mark("The largest chance of a large error, like 20:1%: finds epsilon.")),
    "DETECT": ("detect", mark("Points to be told from none"), mark("How many points a cell must hold to be told from none, like 20: finds epsilon.")),
    "WITHIN": ("within", mark("Zones' intervals"), mark("How far each zone's 90 % interval may reach, like 30% of what is expected in it: finds epsilon.")),
    "DELTA": ("delta", mark("Delta"), mark("The chance that epsilon need not hold, like 1e-6: Gaussian noise.")),
    "AREA_NAME": ("area-name", mark("Name in the area"), mark("Only the polygons of the area of which a text holds this name.")),
    "GRID_CRS": ("grid-crs", mark("CRS of the cells"), mark("A national grid for the cells, like EPSG:27700.")),
    "HEXAGONS": ("hexagons", mark("Hexagons"), mark("H3 hexagons of this resolution, 0 to 15, instead of squares.")),
}  # fmt: skip


class Plan(Algorithm):
    """Plans a release."""

    NAME, GROUP = "plan", "before"
    TITLE = "Plan"
    TAGS = (*Algorithm.TAGS, "epsilon", "cell size", "budget", "error")
    HELP = """Says what a map would tell before anything is spent: how many places, how large, with which errors.

It costs nothing and reads no survey, only public numbers that you give. Keep the page for a board that has to decide."""
    AREA, ZONES, TIERS, LIMITER, BY_AREA, PAGE = (
        "AREA",
        "ZONES",
        "TIERS",
        "LIMITER",
        "BY_AREA",
        "PAGE",
    )
    TOLD = {  # noqa: RUF012  # read only
        "EPSILON_FOUND": mark("Epsilon of the plan"), "CELL_PLANNED": mark("Side of a cell"), "CELLS": mark("How many cells"),
        "HALF_WIDTH_90": mark("How far a cell's 90 % interval reaches"), "DETECTABLE": mark("Points that are told from none"),
        "ADVICE": mark("Advice"), "LEFT": mark("What the budget holds after it"), "PLAN": mark("Plan as JSON"),
    }  # fmt: skip

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        area = QgsProcessingParameterFeatureSource(self.AREA, tr("Area"), [POLYGONS], optional=True)
        self.put(area, tr("The study area: a public polygon layer, never drawn around the survey."))
        for name, (_, title, told) in FIRST.items():
            self.put(inputs.text_parameter(name, tr(title)), tr(told))
        for name, (_, title, told) in MORE.items():
            self.put(inputs.text_parameter(name, tr(title)), tr(told), advanced=True)
        zones = QgsProcessingParameterFeatureSource(
            self.ZONES, tr("Zones"), [POLYGONS], optional=True
        )
        self.put(zones, tr("Project areas, for how far their intervals may reach."), advanced=True)
        tiers = QgsProcessingParameterString(self.TIERS, tr("Readers' maps"), None, True, True)
        self.put(
            tiers,
            tr("A map for each reader, one a line, like public=0.2; leave epsilon out."),
            advanced=True,
        )
        choices = OPTIONS["limiter"]["choices"]
        default = OPTIONS["limiter"]["default"]
        limiter = QgsProcessingParameterEnum(
            self.LIMITER, tr("Limiter"), choices, False, default, True, usesStaticStrings=True
        )
        self.put(limiter, tr("How the cap is kept: scale, sample or presence."), advanced=True)
        by_area = QgsProcessingParameterBoolean(
            self.BY_AREA, tr("One cell for each polygon of the area"), False
        )
        self.put(by_area, tr("The polygons of the area are the cells."), advanced=True)
        page = QgsProcessingParameterFileDestination(
            self.PAGE,
            tr("Plan as a page"),
            "HTML (*.html);;PDF (*.pdf);;PNG (*.png);;SVG (*.svg)",
            optional=True,
        )
        self.put(page, tr("A page for whoever decides."))
        for name, title in self.TOLD.items():
            self.addOutput(QgsProcessingOutputString(name, tr(title)))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        found = []
        area, country = (
            parameters.get(self.AREA) not in (None, ""),
            inputs.text(self, parameters, "COUNTRY", context),
        )
        if area == bool(country):
            found.append(tr("Area: choose a polygon layer, or write a country: one of the two"))
        if not inputs.text(self, parameters, "CAP", context):
            found.append(tr("Cap: write the most points one unit adds, like 5"))
        ways = [
            name
            for name in ("EPSILON", "ERROR", "TAIL", "DETECT", "WITHIN", self.TIERS)
            if inputs.text(self, parameters, name, context)
        ]
        if not ways:
            found.append(tr("Epsilon: write it, like 0.5, or say which error can be borne"))
        return found

    def prepareAlgorithm(self, parameters, context, feedback):
        """Looks at the layers, in their own thread."""
        del feedback
        self.area = polygons.chosen(self, parameters, self.AREA, context)
        self.zones = polygons.chosen(self, parameters, self.ZONES, context)
        return True

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        wanted = parameters.get(self.PAGE) not in (None, "")
        page = self.parameterAsFileOutput(parameters, self.PAGE, context) if wanted else ""
        with private_folder() as private:
            words = ["plan", "--json", "--progress=json", *self._said(parameters, context)]
            for flag, layer in (("area", self.area), ("zones", self.zones)):
                if layer is not None:
                    words += layer.words(flag, private, feedback)
            told = self.ask(words + ([f"--to={os.path.abspath(page)}"] if page else []), feedback)
        results = numbers(told)
        feedback.pushInfo(unmarked(results["ADVICE"]))
        return {**results, **({self.PAGE: page} if page else {})}

    def _said(self, parameters, context):
        """Returns the words of what was typed."""
        texts = {
            flag: inputs.text(self, parameters, name, context)
            for name, (flag, *_) in {**FIRST, **MORE}.items()
            if flag
        }
        words = [f"--{flag}={value}" for flag, value in texts.items() if value]
        country = inputs.text(self, parameters, "COUNTRY", context)
        words += (
            [f"--area={country if ':' in country else 'country:' + country}"] if country else []
        )
        words.append("--limiter=" + self.parameterAsEnumString(parameters, self.LIMITER, context))
        words += ["--by-area"] if self.parameterAsBool(parameters, self.BY_AREA, context) else []
        tiers = inputs.text(self, parameters, self.TIERS, context).splitlines()
        return words + [f"--tier={line.strip()}" for line in tiers if line.strip()]


def numbers(told):
    """Returns what a model may go on with: texts, as dpmap wrote them, and the whole plan as JSON."""
    grid, noise, years = told.get("grid") or {}, told.get("noise") or {}, told.get("years") or {}
    found = {
        "EPSILON_FOUND": (told.get("policy") or {}).get("epsilon"), "CELL_PLANNED": grid.get("cell"), "CELLS": grid.get("cells"),
        "HALF_WIDTH_90": (noise.get("cell") or {}).get("90"), "DETECTABLE": noise.get("detectable"), "ADVICE": told.get("advice"),
        "LEFT": years.get("remaining_after"),
    }  # fmt: skip
    texts = {name: "" if value is None else str(value) for name, value in found.items()}
    return {**texts, "PLAN": json.dumps(told, ensure_ascii=False)}
