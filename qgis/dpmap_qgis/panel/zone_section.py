"""What a zone holds: the panel's part about zones that are drawn or selected."""

from qgis.core import QgsVectorLayer
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtWidgets import QLabel

from ..compat import POLYGON_LAYERS
from ..words import tr
from . import kept, zone_file, zones_said
from .asking import InPrivate
from .labels import Words
from .releases import layer_words
from .section import Section, button

KIND = "zone"
MOST = 1000
"""So many selected features are asked at once; more are for the algorithm that asks for zones."""
HINT = "Draw the area of a project, or ask for features that are selected. Asking costs nothing."


class ZoneSection(Section):
    """Asks dpmap for zones and says what they hold."""

    def __init__(self, panel):
        super().__init__(tr("What a zone holds"))
        self.panel = panel
        self.asked = None  # the shapes and CRS of the newest question
        self.answer = None
        self.draw_button = button(
            tr("Draw a zone"),
            panel.take_zone_tool,
            tr(
                "Left click adds a point, right click ends, Backspace takes a point back, Esc starts anew"
            ),
        )
        self.draw_button.setCheckable(True)
        self.extent_button = button(
            tr("Ask for what is shown"), self.ask_extent, tr("Asks without a mouse")
        )
        self.layers = QgsMapLayerComboBox()
        self.layers.setFilters(POLYGON_LAYERS)
        self.layers.setAccessibleName(tr("Layer with selected features"))
        self.layers.setMinimumContentsLength(8)
        self.layers.setSizeAdjustPolicy(
            self.layers.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        label = QLabel(tr("Selected features of:"))
        label.setBuddy(self.layers)
        self.selected_button = button(
            tr("Ask for the selected"), self.ask_selected, tr("Asks for the selected features")
        )
        self.lines = Words(name=tr("What the zone holds"))
        self.provenance = Words(name=tr("What the numbers are"))
        self.keep_button = button(
            tr("Keep as a layer"), self.keep, tr("Adds the zones with their answers to the project")
        )
        self.add(self.draw_button, self.extent_button, label, self.layers, self.selected_button)
        self.add(self.lines, self.provenance, self.keep_button)
        self.clear()

    def clear(self):
        """Forgets the answer."""
        self.panel.asker.drop(KIND)
        self.asked = self.answer = None
        self._say(tr(HINT))

    def drawing(self, points):
        """Says how far the drawing is."""
        if points:
            self._say(
                tr(
                    "{} points. Right click or Enter ends, Backspace takes a point back, Esc starts anew."
                ).format(points)
                if points > 2
                else tr("A zone needs three points or more; so far {}.").format(points)
            )

    def ask_extent(self):
        """Asks for the part of the map that is shown."""
        self.ask([self.panel.shown_area()], self.panel.canvas_crs())

    def ask_selected(self):
        """Asks for the selected features of the chosen layer."""
        layer = self.layers.currentLayer()
        count = (
            layer.selectedFeatureCount()
            if isinstance(layer, QgsVectorLayer) and layer.isValid()
            else 0
        )
        if not count:
            self._say(tr("No feature of this layer is selected; select those to ask for."))
        elif count > MOST:
            self._say(
                tr(
                    "More than {} are selected; ask with the algorithm for zones in the toolbox."
                ).format(MOST)
            )
        else:
            chosen = sorted(
                layer.selectedFeatures(), key=lambda one: one.id()
            )  # QGIS gives them in any order
            shapes = [one.geometry() for one in chosen if one.hasGeometry()]
            self.ask(shapes, layer.crs())

    def ask(self, shapes, crs):
        """Asks dpmap what these zones hold."""
        self.clear()
        release = self.panel.release
        shapes = [shape for shape in shapes if not shape.isEmpty()]
        if release is None:
            self._say(tr("No release is chosen: choose one of its layers in the Layers panel."))
        elif release.inner and self.panel.about is None:
            self._say(tr("The release is still being read; ask again in a moment."))
        elif not crs.isValid():
            self._say(tr("The zone has no CRS; set one for the layer, or for the project."))
        elif not shapes:
            self._say(tr("There is no area in what was chosen."))
        else:
            self.asked = (shapes, crs)
            self._send(release, shapes, crs)

    def _send(self, release, shapes, crs):
        self._say(tr("Asking..."))
        try:
            zones = zone_file.collection(shapes, crs)
        except Exception:  # noqa: BLE001  # QgsCsException and what GEOS says: this place has no such coordinates
            self._say(
                tr(
                    "The zone lies where its CRS cannot be turned into degrees; draw it nearer to the map."
                )
            )
            return
        words = [
            "ask",
            "--json",
            *layer_words(release, self.panel.about),
            "--",
            release.path,
            InPrivate("zones.geojson"),
        ]
        crossed = any(not shape.isGeosValid() for shape in shapes)
        name = self.panel.release_name()
        self.panel.asker.ask(
            KIND,
            tr("asking for a zone"),
            words,
            lambda answer: self._answered(answer, crossed, name),
            {"zones.geojson": zones},
        )

    def _answered(self, answer, crossed, name):
        self.panel.heard(answer)
        if not answer.good or not isinstance(answer.told, dict):
            self._say(answer.error or tr("dpmap gave no answer that can be read"))
            return
        self.answer = (answer.told, name)
        lines = zones_said.lines(answer.told, self.panel.about)
        if crossed:
            lines.append(
                tr(
                    "The zone's edge crosses itself: all that it encloses was counted. Draw it anew if that is not meant."
                )
            )
        self._say(*lines)
        capped = (self.panel.about or {}).get("capped")
        self.provenance.say(capped, answer.told.get("provenance"))
        self.keep_button.setEnabled(True)

    def keep(self):
        """Keeps the zones with their answers as a layer in memory."""
        if self.answer is None or self.asked is None:
            return
        told, name = self.answer
        kept.keep(*self.asked, told, name)
        self.keep_button.setEnabled(False)

    def _say(self, *lines):
        self.lines.say(*lines)
        self.provenance.say("")
        self.keep_button.setEnabled(False)
