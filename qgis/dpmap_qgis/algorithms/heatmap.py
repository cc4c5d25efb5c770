"""Makes a private heatmap of a layer, paid for from its ledger: the one algorithm that spends."""

import os

from qgis.core import QgsProcessingException, QgsProcessingFeedback, QgsVectorLayer

from ..command.private import private_folder
from ..rows import asking, polygons
from ..rows.own_file import own_file
from ..rows.streaming import Stream
from ..words import tr
from . import heatmap_checks as checks
from . import heatmap_inputs as inputs
from .base import Algorithm
from .heatmap_told import Told, amount

HELP = """Makes a map of how dense records are that hardly changes whether any one of the units took part or not.

<b>Unit</b>: who is protected: a person, a site, an animal, by the field that names it. <b>Cap</b>: how much one unit adds at most. \
<b>Epsilon</b>: how far the map may move anybody's odds about one unit; smaller protects more and tells less. It is spent for good, from the \
<b>budget</b> that the <b>ledger</b> keeps for the data set.

Area, cells, cap and epsilon are public: choose them before you look at the data. Nothing is spent before all is checked.

A layer that is a plain file is read from that file. The rows of any other (filtered, selected, joined, in memory, from a server) are handed to dpmap \
one by one, and the statement says so. Where a filter, a selection, a join or an expression decides about rows, you must confirm that: it may keep one \
person's row because of another's, and the promise is then about the rows that are left.

What stands here is what most maps need. Means, tiers, personal limits, Gaussian noise, several files and workbooks: dpmap release, on the command line, \
or a dpmap.toml."""

CUT = "cancelled while the rows were handed over: dpmap never had all of them, so nothing was counted and nothing was spent"


class PrivateHeatmap(Algorithm):
    """Releases one private map of a layer."""

    NAME = "privateheatmap"
    TITLE = "Private heatmap"
    HELP = HELP

    def initAlgorithm(self, configuration=None):
        """Declares the inputs and outputs."""
        del configuration
        inputs.declare(self)

    def checkParameterValues(self, parameters, context):
        """Says what is wrong before anything runs."""
        good, said = super().checkParameterValues(parameters, context)
        if not good:
            return good, said
        try:
            found, _ = self._looked(Told(self, parameters, context))
        except QgsProcessingException as error:
            found = [str(error)]
        return not found, "\n".join(found)

    def prepareAlgorithm(self, parameters, context, feedback):
        """Checks once more, since a model asks nobody, and says what this will cost."""
        told = Told(self, parameters, context)
        found, book = self._looked(told)
        if found:
            raise QgsProcessingException("\n".join(found))
        self.area = polygons.chosen(self, parameters, inputs.AREA, context)
        feedback.pushInfo(cost(told, book))
        return True

    def processAlgorithm(self, parameters, context, feedback):
        """Asks dpmap for the map."""
        told = Told(self, parameters, context)
        with private_folder() as private:
            file, words, rows = self._survey(told)
            feedback.pushInfo(
                tr("Read: the layer's own file")
                if file
                else tr("Read: rows streamed from the layer")
            )
            words += write_flags(told) + self._land(told, private, feedback)
            release = self._released(
                ["release", *words, "--json", "--progress=json", "--", file or "-"], rows, feedback
            )
        feedback.pushInfo(
            tr("Spent epsilon {}; {} of {} remains.").format(
                release["epsilon"], release["remaining"], release["budget"]
            )
        )
        return self._results(told, release, context, feedback)

    def find_parameter(self, option):
        """Returns the parameter that gives an option of dpmap, None where there is none."""
        names = {option: name for name, option in inputs.OPTION_OF.items()}
        return self.parameterDefinition(names.get(option, option))

    def _released(self, words, rows, feedback):
        """Runs the release; where it was cancelled before dpmap had all rows, that is said instead of what a broken stream looks like."""
        try:
            return self.ask(words, feedback, rows)
        except QgsProcessingException:
            if rows is not None and not rows.whole and feedback.isCanceled():
                raise QgsProcessingException(tr(CUT)) from None
            raise

    def _looked(self, told):
        """Returns each mistake, and what the ledger says; nothing is spent by it."""
        found = checks.wrong(told)
        if found:
            return found, None
        ledger = told.file("LEDGER")
        begun = os.path.isfile(ledger) and os.path.getsize(ledger) > 0
        book = (
            self.ask(["ledger", "--json", "--", ledger], QgsProcessingFeedback()) if begun else None
        )
        mistake = checks.budget(told, book)
        return [mistake] if mistake else [], book

    def _survey(self, told):
        """Returns the layer's own file or none, the words that say how the survey is read, and the rows to stream or none."""
        file = own_file(told.survey, told.used)
        surface = told.switch("SURFACE")
        source = None if file else told.source(inputs.INPUT)
        rows = (
            None
            if file
            else Stream(source, surface=surface, rows=asking.rows_of(told.survey.layer, source))
        )
        by = asking.chooser(asking.chosen_by(told.survey), streamed=rows is not None)
        words = [*(file.words if file else rows.words), *([f"--chosen-by={by}"] if by else [])]
        named = rows.named if rows else {}
        columns = {
            name: named.get(told.field(name), told.field(name))
            for name in inputs.FIELDS
            if told.field(name)
        }
        if "CONSENT" in columns:
            columns["CONSENT"] += f"={told.text('CONSENT_VALUES')}"
        words += [f"--{name.lower()}={column}" for name, column in columns.items()]
        return (
            file.path if file else "",
            words + (["--unit=row"] if told.switch("EACH_ROW") else []),
            rows,
        )

    def _land(self, told, private, feedback):
        """Returns the words that say which land is mapped."""
        country = told.text("COUNTRY")
        return (
            [f"--area={country if ':' in country else 'country:' + country}"]
            if country
            else self.area.words("area", private, feedback)
        )

    def _results(self, told, release, context, feedback):
        """Names what was made, and shows its layers."""
        wrote = {os.path.basename(path): path for path in reversed(release["wrote"])}
        results = {
            inputs.FOLDER: told.folder, "RELEASE": wrote.get("release.dpmap", ""), "STATEMENT": wrote.get("statement.md", ""),
            "SPENT": release["epsilon"], "REMAINING": release["remaining"], "EVENT": self._event(told),
        }  # fmt: skip
        self._show(told.folder, results["RELEASE"], context, feedback)
        return {**results, **sources(wrote.get("cells.gpkg", ""))}

    def _show(self, folder, release, context, feedback):
        """Loads the layers, styled, when the run is over; the map is paid for and whole, so what fails here is said and no more."""
        try:
            from ..shown.layers import on_completion

            on_completion(
                release,
                self.ask(["about", "--json", "--", release], QgsProcessingFeedback()),
                folder,
                context,
            )
        except (ImportError, QgsProcessingException):
            feedback.pushWarning(
                tr(
                    "The map is made, but its layers could not be loaded: open cells.gpkg in its folder."
                )
            )

    def _event(self, told):
        """Returns the number of the release's reservation in the ledger, empty where it cannot be told; the map is there all the same."""
        try:
            book = self.ask(
                ["ledger", "--json", "--", told.file("LEDGER")], QgsProcessingFeedback()
            )
        except QgsProcessingException:
            return ""
        paid = [
            one["number"]
            for one in book["events"]
            if one["kind"] == "reserve" and one["dataset"] == told.text("DATASET")
        ]
        return str(paid[-1]) if paid else ""


def write_flags(told):
    """Returns what was typed as flags, each as one word: no text becomes a flag of its own."""
    values = {
        "CAP": [told.cap],
        "FOLDER": [told.folder],
        "HEXAGONS": [told.hexagons],
        "LEDGER": [told.file("LEDGER")],
        "SITES": [told.file("SITES")],
    }
    flags = []
    for name in told.names:
        option = inputs.find_option(name)
        if option is None or name in (inputs.AREA, *inputs.FIELDS):
            continue
        if option["kind"] == "switch":
            flags += [f"--{option['flag']}"] if told.switch(name) else []
            continue
        if name not in values:
            one_a_line = option["kind"] == "texts"
            read = told.choice if option["choices"] else told.text
            values[name] = told.lines(name) if one_a_line else [read(name)]
        flags += [f"--{option['flag']}={value}" for value in values[name] if value]
    return flags + (["--cap-origin=after inspection"] if told.switch("LOOKED") else [])


def cost(told, book):
    """Says what this map costs and what remains, as far as it is known beforehand."""
    price, name = told.text("EPSILON"), told.text("DATASET")
    if price == "next":
        price = (
            next((one["next"] for one in book["datasets"] if one["name"] == name), None)
            if book
            else None
        )
        price = price or ((book or {}).get("plan") or {}).get("first") or ""
    before = book["remaining"] if book and book["budget"] not in ("", "0") else told.text("BUDGET")
    left, paid = amount(str(before)), amount(str(price))
    if left is None or paid is None:
        return tr("This map spends epsilon {} of the ledger, for good.").format(price)
    if paid > left:
        return tr("This map would spend epsilon {}, and {} remains in the ledger.").format(
            price, before
        )
    return tr(
        "This map spends epsilon {} for good: {} remains in the ledger now, {} after it."
    ).format(price, before, f"{left - paid:f}")


def sources(geopackage):
    """Returns where the layers are by the name of their output; a map for each kind or season has its own in a folder of each."""
    found = (
        {name: f"{geopackage}|layername={name.lower()}" for name in ("PATCHES", "CELLS")}
        if geopackage
        else {}
    )
    return {
        name: source
        for name, source in found.items()
        if QgsVectorLayer(source, name, "ogr").isValid()
    }
