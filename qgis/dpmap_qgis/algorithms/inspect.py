"""Shows the operator true numbers of a survey, after a warning; it writes nothing unless it is asked to."""

import json
import os

from qgis.core import (
    QgsProcessingException,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFileDestination,
)

from ..command.private import private_folder
from ..compat import PLACES, POLYGONS
from ..rows import asking, polygons
from ..rows.own_file import own_file
from ..rows.streaming import Stream
from ..words import mark, tr, unmarked
from . import inputs
from .base import Algorithm
from .inspect_told import lines

WARNING = mark(
    "True numbers of the survey: for the operator's eyes only. Do not publish, send or show them. A cap that you choose after seeing them must be "
    "declared so: tick “The cap was found by looking at the true numbers” in Private heatmap."
)
TEXTS = {"CELL": "cell", "CAP": "cap", "CONSENT": "consent", "WHERE": "where"}


class Inspect(Algorithm):
    """Looks at a survey."""

    NAME, GROUP = "inspect", "before"
    TITLE = "Inspect"
    TAGS = (*Algorithm.TAGS, "operator", "true numbers", "cap")
    HELP = """Looks at a survey before a release: how its rows are read, how many units there are, what each cap leaves out.

It spends no epsilon, but its numbers have no noise: they protect nobody. They stand in this run's log and nowhere else, unless you ask for a file."""
    INPUT, AREA, UNIT, SEEN, SURFACE, PAGE, NUMBERS = (
        "INPUT",
        "AREA",
        "UNIT",
        "SEEN",
        "SURFACE",
        "PAGE",
        "NUMBERS",
    )

    def shortHelpString(self):
        """Returns the help with the warning before it."""
        return f"<b>{tr(WARNING)}</b>\n\n{super().shortHelpString()}"

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        kinds = [PLACES]
        self.put(
            QgsProcessingParameterBoolean(
                self.SEEN, tr("I am the operator; I will not show these numbers"), False
            ),
            tr("Nothing is read until this is ticked."),
        )
        survey = QgsProcessingParameterFeatureSource(self.INPUT, tr("Survey layer"), kinds)
        self.put(survey, tr("The layer with the records. A filter and a selection are honoured."))
        unit = QgsProcessingParameterField(
            self.UNIT, tr("Unit"), parentLayerParameterName=self.INPUT, optional=True
        )
        self.put(unit, tr("The field that says who is protected."))
        area = QgsProcessingParameterFeatureSource(self.AREA, tr("Area"), [POLYGONS], optional=True)
        self.put(area, tr("The study area, to see which rows lie in it."))
        self.put(
            inputs.text_parameter("CELL", tr("Square cells")),
            tr("Square cells, like 1 km; with an area."),
        )
        self.put(
            inputs.text_parameter("CAP", tr("Cap")),
            tr("The cap to look at, where it is not the usual ones."),
            advanced=True,
        )
        self.put(
            inputs.text_parameter("CONSENT", tr("Consent")),
            tr("FIELD=VALUE: only these rows count, like consent=yes."),
        )
        self.put(
            inputs.text_parameter("WHERE", tr("Rule")),
            tr("A rule over a row's fields, like year >= 2020."),
            advanced=True,
        )
        surface = QgsProcessingParameterBoolean(self.SURFACE, tr("Lines and areas count"), False)
        self.put(surface, tr("Lines and areas count, at a point on them."), advanced=True)
        for name, title, kind in (
            (self.PAGE, "Page with plots", "HTML (*.html)"),
            (self.NUMBERS, "Numbers", "JSON (*.json)"),
        ):
            file = QgsProcessingParameterFileDestination(name, tr(title), kind, None, True, False)
            self.put(
                file,
                tr(
                    "True numbers in a file: keep it as you keep the survey. Off unless you ask for it."
                ),
            )

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        of = asking.asked(self, parameters, self.INPUT, context)
        found = []
        if not self.parameterAsBool(parameters, self.SEEN, context):
            found.append(
                tr(
                    "tick “I am the operator; I will not show these numbers” first: what follows has no noise"
                )
            )
        if of.layer is None:
            found.append(tr("Survey layer: choose a layer with places"))
        elif asking.is_unsaved(of.layer):
            found.append(
                tr("Survey layer: it holds changes that are not saved; save or discard them first")
            )
        elif not of.layer.crs().isValid():
            found.append(
                tr(
                    "Survey layer: nobody has said which CRS its coordinates are in; set the layer's CRS"
                )
            )
        return found

    def prepareAlgorithm(self, parameters, context, feedback):
        """Checks once more, since a model asks nobody, and looks at the layers in their own thread."""
        found = self.wrong(parameters, context)
        if found:
            raise QgsProcessingException("\n".join(found))
        feedback.pushWarning(tr(WARNING))
        self.unit = inputs.text(self, parameters, self.UNIT, context)
        self.file = own_file(asking.asked(self, parameters, self.INPUT, context), {self.unit})
        self.area = polygons.chosen(self, parameters, self.AREA, context)
        return True

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        surface = self.parameterAsBool(parameters, self.SURFACE, context)
        rows = (
            None
            if self.file
            else Stream(self.parameterAsSource(parameters, self.INPUT, context), surface=surface)
        )
        words = [
            "inspect",
            "--json",
            "--progress=json",
            *(self.file.words if self.file else rows.words),
        ]
        texts = {flag: inputs.text(self, parameters, name, context) for name, flag in TEXTS.items()}
        texts["unit"] = self.unit if self.file else rows.named.get(self.unit, self.unit)
        words += [f"--{flag}={value}" for flag, value in texts.items() if value] + [
            "--surface"
        ] * surface
        page, to = (self._wanted(parameters, name, context) for name in (self.PAGE, self.NUMBERS))
        with private_folder() as private:
            made = os.path.join(private, "page.html")
            words += [f"--html={made}"] if page else []
            if self.area is not None:
                words += self.area.words("area", private, feedback)
            told = self.ask([*words, "--", self.file.path if self.file else "-"], feedback, rows)
            if page:
                with open(made, encoding="utf-8") as read:
                    _keep(page, read.read())
        for line in lines(told):
            feedback.pushInfo(unmarked(line))
        if to:
            _keep(to, json.dumps(told, ensure_ascii=False, indent=1))
        return {name: path for name, path in ((self.PAGE, page), (self.NUMBERS, to)) if path}

    def _wanted(self, parameters, name, context):
        """Returns where a file shall be written; empty where nobody asked for one."""
        if parameters.get(name) in (None, ""):
            return ""
        return os.path.abspath(self.parameterAsFileOutput(parameters, name, context))


def _keep(path, text):
    """Writes true numbers into a file that only this user can read, also where it was there before."""
    try:
        with open(path, "w", encoding="utf-8", opener=_own) as out:
            os.chmod(path, 0o600)
            out.write(text)
    except OSError:
        raise QgsProcessingException(tr("The file could not be written: choose another")) from None


def _own(path, flags):
    """Opens a file that only this user can read."""
    return os.open(path, flags, 0o600)
