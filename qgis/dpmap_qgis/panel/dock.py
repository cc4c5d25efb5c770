"""The panel itself: which release it is about, and its parts."""

import os
from contextlib import suppress

from qgis.core import QgsGeometry, QgsPointXY, QgsProject
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from ..words import tr
from . import printing, promise, releases
from .asking import MISSING, Asker
from .doing import DoSection
from .ledger_section import LedgerSection
from .missing import MissingSection
from .place_section import PlaceSection
from .release_section import ReleaseSection
from .tools import AskPlace, DrawZone
from .zone_section import ZoneSection

ABOUT = "about"


class Panel(QgsDockWidget):
    """Says what remains, and what a place or a zone holds; for the release of the layer that is chosen."""

    def __init__(self, iface):
        super().__init__(tr("dpmap: private maps"))
        self.setObjectName("dpmapPanel")
        self.iface, self.canvas = iface, iface.mapCanvas()
        self.asker = Asker()
        self.release = self.about = self.stamp = self.changed = None
        self.place_tool, self.zone_tool = AskPlace(self.canvas), DrawZone(self.canvas)
        self._fill()
        project = QgsProject.instance()
        self.connected = [
            (self.place_tool.asked, self.place.ask),
            (self.zone_tool.drawn, self._drawn),
            (self.zone_tool.changed, self.zone.drawing),
            (self.canvas.mapToolSet, self._tool_set),
            (self.canvas.layersChanged, self.choose),
            (iface.currentLayerChanged, self._layer_chosen),
            (project.cleared, self._cleared),
            (project.readProject, self._project_read),
            (project.fileNameChanged, self._placed),
            (project.layersWillBeRemoved, self._removing),
            (project.layersRemoved, self._layer_chosen),
        ]
        for signal, slot in self.connected:
            signal.connect(slot)
        self.ledger.of_project()
        self.choose()

    def _fill(self):
        inner = QWidget()
        column = QVBoxLayout(inner)
        self.missing = MissingSection(self)
        self.promise, self.place = ReleaseSection(self), PlaceSection(self)
        self.zone, self.ledger, self.doing = ZoneSection(self), LedgerSection(self), DoSection(self)
        for section in (self.missing, self.place, self.zone, self.promise, self.ledger, self.doing):
            column.addWidget(section)
        column.addStretch()
        scrolled = QScrollArea()
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidget(inner)
        self.setWidget(scrolled)
        self.setMinimumWidth(0)

    def choose(self, *_):
        """Turns to the release of the chosen layer; else stays with its own while that is shown, else turns to the topmost."""
        chosen = releases.of(self.chosen_layer())
        seen = [
            release for release in map(releases.of, self.canvas.layers()) if release is not None
        ]
        self._turn(chosen or (self.release if self.release in seen else next(iter(seen), None)))

    def turn_to(self, layer):
        """Turns to the release of a layer, if it has one."""
        release = releases.of(layer)
        if release is not None:
            self._turn(release)

    def _turn(self, release):
        stamp = None if release is None else (release, _changed(release.path))
        if stamp == self.stamp:
            return
        same = (
            self.stamp is not None
            and stamp is not None
            and self.stamp[0].path == release.path
            and self.about
        )
        self.release, self.stamp = release, stamp
        self.zone.clear()
        if not same or _changed(release.path) != self.changed:
            self.about = None
            self.asker.drop(ABOUT)
            if release is not None:
                self._ask_about(release)
        self.changed = None if release is None else stamp[1]
        self.promise.show_release(release, self.about)
        self.ledger.refresh()

    def _ask_about(self, release):
        words = ["about", "--json", "--", release.path]
        self.asker.ask(
            ABOUT, tr("reading a release"), words, lambda answer: self._told(answer, release)
        )

    def _told(self, answer, release):
        self.heard(answer)
        good = answer.good and isinstance(answer.told, dict)
        self.about = answer.told if good else None
        self.promise.show_release(
            release, self.about, answer.error or tr("dpmap gave no answer that can be read")
        )
        self.place.tell()

    def heard(self, answer):
        """Says that dpmap is missing where it is."""
        self.missing.say(answer.error if answer.code == MISSING else "")

    def again(self):
        """Asks anew, after dpmap was found."""
        self.stamp = None
        self.choose()
        self.ledger.refresh()

    def chosen_layer(self):
        """Returns the layer that is chosen in the Layers panel, or None; one that was removed just now is none."""
        layer = self.iface.activeLayer()
        try:
            return None if layer is None else self.layer_of(layer.id())
        except RuntimeError:  # QGIS has deleted it already
            return None

    def layer_of(self, number):
        """Returns a layer of the project by its id, or None where it is gone."""
        return QgsProject.instance().mapLayer(number)

    def canvas_crs(self):
        """Returns the CRS in which the map is drawn."""
        return self.canvas.mapSettings().destinationCrs()

    def shown_area(self):
        """Returns the part of the map that is seen; a map that is turned shows less than its extent."""
        corners = [QgsPointXY(corner) for corner in self.canvas.mapSettings().visiblePolygon()]
        return QgsGeometry.fromPolygonXY([[*corners, corners[0]]])

    def release_name(self):
        """Returns what to call the release in a layer that is kept."""
        return str((self.about or {}).get("dataset") or "")

    def take_place_tool(self):
        """Takes the tool that asks a place, or puts it down."""
        self._take(self.place_tool)

    def take_zone_tool(self):
        """Takes the tool that draws a zone, or puts it down."""
        self._take(self.zone_tool)

    def _take(self, tool):
        if self.canvas.mapTool() is tool:
            self.canvas.unsetMapTool(tool)
        else:
            self.canvas.setMapTool(tool)
            self.show()
            self.canvas.setFocus()
        self._tool_set()

    def _tool_set(self, *_):
        self.place.ask_button.setChecked(self.canvas.mapTool() is self.place_tool)
        self.zone.draw_button.setChecked(self.canvas.mapTool() is self.zone_tool)

    def _drawn(self, shape):
        self.zone.ask([shape], self.canvas_crs())

    def print_layout(self):
        """Makes a layout to print of the release that is shown."""
        said = printing.make(self)
        if said:
            self.promise.lines.say(said, *promise.lines(self.about or {}))

    def _layer_chosen(self, *_):
        self.choose()

    def _cleared(self):
        self.asker.close()
        self.place.clear()
        self.zone_tool.clear()
        self.ledger.of_project()
        self.choose()

    def _project_read(self, *_):
        self.ledger.of_project()
        self.choose()

    def _placed(self):
        self.ledger.project_placed()

    def _removing(self, layers):
        self.place.gone(layers)

    def remove(self):
        """Takes all of it away: questions, tools, what is drawn on the map, and what it listens to."""
        self.asker.close()
        for signal, slot in self.connected:
            with suppress(TypeError, RuntimeError):  # gone already
                signal.disconnect(slot)
        self.place.clear()
        for tool in (self.place_tool, self.zone_tool):
            self.canvas.unsetMapTool(tool)
        self.zone_tool.remove()
        for tool in (self.place_tool, self.zone_tool):
            tool.deleteLater()
        self.iface.removeDockWidget(self)
        self.deleteLater()


def _changed(path):
    """Returns when a file was last written, so that a release made anew is read anew."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
