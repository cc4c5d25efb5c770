"""Reads a ledger: what was spent, what remains, and whether the chain is whole."""

from html import escape

from qgis.core import (
    QgsFeature,
    QgsField,
    QgsFields,
    QgsProcessingException,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QVariant

from ..compat import TABLE
from ..words import tr, unmarked
from . import inputs
from .base import Algorithm

COLUMNS = ("number", "time", "dataset", "kind", "epsilon", "unit", "then", "remaining")


class ReadLedger(Algorithm):
    """Says what remains in a ledger."""

    NAME, GROUP = "ledger", "before"
    TITLE = "Read the ledger"
    TAGS = (*Algorithm.TAGS, "budget", "epsilon", "remaining")
    HELP = """Verifies a ledger and says what was spent, on which data set and unit, and what remains.

It costs nothing and changes nothing."""
    LEDGER, DATASET, AGAINST, EVENTS, PAGE = "LEDGER", "DATASET", "AGAINST", "EVENTS", "PAGE"
    BUDGET, SPENT, REMAINING, OF_DATASET, UNITS, LOST = (
        "BUDGET",
        "SPENT",
        "REMAINING",
        "OF_DATASET",
        "UNITS",
        "WITHOUT_RELEASE",
    )

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        self.put(
            QgsProcessingParameterFile(self.LEDGER, tr("Ledger")),
            tr("The ledger's file, as the releases name it."),
        )
        self.put(
            inputs.text_parameter(self.DATASET, tr("Data set")),
            tr("Only this data set's events; empty: all of them."),
        )
        against = QgsProcessingParameterFile(
            self.AGAINST, tr("Against this release"), optional=True
        )
        self.put(
            against,
            tr(
                "A release that this ledger must contain: shows that the ledger was not cut or put back."
            ),
            advanced=True,
        )
        kind = TABLE
        events = QgsProcessingParameterFeatureSink(
            self.EVENTS, tr("Events"), kind, None, True, False
        )
        self.put(events, tr("A table with an event a row and what remained after it."))
        page = QgsProcessingParameterFileDestination(
            self.PAGE, tr("Events as a page"), "HTML (*.html)", None, True, False
        )
        self.put(page, tr("The same as a page to read."))
        for name, title in ((self.BUDGET, "Budget"), (self.SPENT, "Spent"), (self.REMAINING, "Remaining"),
                            (self.OF_DATASET, "Spent on the data set"), (self.UNITS, "What each unit has cost")):  # fmt: skip
            self.addOutput(QgsProcessingOutputString(name, tr(title)))
        self.addOutput(QgsProcessingOutputNumber(self.LOST, tr("Spent without a release")))

    def wrong(self, parameters, context):
        """Says what is wrong before anything runs."""
        found = inputs.wrong_file(self, parameters, context, self.LEDGER)
        against = inputs.file(self, parameters, self.AGAINST, context)
        return found + (
            inputs.wrong_release(self, parameters, context, self.AGAINST) if against else []
        )

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap."""
        against = inputs.file(self, parameters, self.AGAINST, context)
        words = (
            [f"--against={inputs.release(self, parameters, context, self.AGAINST)}"]
            if against
            else []
        )
        told = self.ask(
            ["ledger", "--json", *words, "--", inputs.file(self, parameters, self.LEDGER, context)],
            feedback,
        )
        dataset = inputs.text(self, parameters, self.DATASET, context)
        sums = {one["name"]: one["spent"] for one in told["datasets"]}
        if dataset and dataset not in sums:
            raise QgsProcessingException(
                tr("Data set: the ledger has none of this name; leave it empty to see all")
            )
        units = "; ".join(f"{one['unit']}: {one['spent']}" for one in told["units"])
        remains = tr("{} of {} remains.").format(told["remaining"], told["budget"])
        feedback.pushInfo(unmarked(remains))
        numbered = {one["number"]: one.get("dataset") for one in told["events"]}
        events = [one for one in told["events"] if not dataset or _of(one, numbered) == dataset]
        results = {
            self.BUDGET: told["budget"], self.SPENT: told["spent"], self.REMAINING: told["remaining"], self.OF_DATASET: sums.get(dataset, ""),
            self.UNITS: units, self.LOST: len(told["without_release"]),
        }  # fmt: skip
        return {
            **results,
            **self._table(events, parameters, context),
            **self._page(remains, events, parameters, context),
        }

    def _table(self, events, parameters, context):
        """Writes the events as a table, if it is asked for."""
        fields = QgsFields()
        for name in COLUMNS:
            fields.append(QgsField(name, QVariant.Int if name == "number" else QVariant.String))
        sink, place = self.parameterAsSink(
            parameters, self.EVENTS, context, fields, QgsWkbTypes.NoGeometry
        )
        if sink is None:
            return {}
        for one in events:
            row = QgsFeature(fields)
            row.setAttributes([one.get("number"), *(_text(one, name) for name in COLUMNS[1:])])
            sink.addFeature(row)
        return {self.EVENTS: place}

    def _page(self, remains, events, parameters, context):
        """Writes the events as a page, if it is asked for."""
        if parameters.get(self.PAGE) in (None, ""):
            return {}
        path = self.parameterAsFileOutput(parameters, self.PAGE, context)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(_text(one, name))}</td>" for name in COLUMNS) + "</tr>\n"
            for one in events
        )
        heads = "".join(f"<th>{escape(tr(name))}</th>" for name in COLUMNS)
        title = escape(tr("Ledger"))
        with open(path, "w", encoding="utf-8") as out:
            out.write(
                f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
                f"<p>{escape(remains)}</p><table><tr>{heads}</tr>\n{rows}</table></html>\n"
            )
        return {self.PAGE: path}


def _of(event, numbered):
    """Returns the data set of an event: its own, or that of the event it closes."""
    return event.get("dataset") or numbered.get(event.get("event"))


def _text(event, name):
    """Returns a value as a text; numbers stay as dpmap wrote them."""
    value = event.get(name)
    return "" if value is None else str(value)
