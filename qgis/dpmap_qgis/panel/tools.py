"""Map tools: a click asks a place, a drawn polygon asks a zone."""

from contextlib import suppress

from qgis.core import QgsGeometry, QgsPointXY
from qgis.gui import QgsMapTool, QgsRubberBand
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor

from ..compat import POLYGON

ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
TAKES_BACK = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


class AskPlace(QgsMapTool):
    """Tells where somebody clicked."""

    asked = pyqtSignal(QgsPointXY)

    def __init__(self, canvas):
        super().__init__(canvas)
        self.setCursor(Qt.CursorShape.WhatsThisCursor)

    def canvasReleaseEvent(self, event):
        """Asks the place that was clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.asked.emit(self.toMapCoordinates(event.pos()))

    def keyPressEvent(self, event):
        """Enter asks the middle of the map, so that no mouse is needed."""
        if event.key() in ENDS:
            self.asked.emit(self.canvas().center())
            event.accept()


class DrawZone(QgsMapTool):
    """Draws a polygon: left adds a point, right ends, Backspace takes a point back, Esc starts anew.

    By keyboard: the arrow keys move the map, Insert adds its middle as a point, Enter ends.
    """

    drawn = pyqtSignal(QgsGeometry)
    changed = pyqtSignal(int)

    def __init__(self, canvas):
        super().__init__(canvas)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.points = []
        self.band = band(canvas)

    def canvasPressEvent(self, event):
        """Adds a point, or ends."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.add(self.toMapCoordinates(event.pos()))
        elif event.button() == Qt.MouseButton.RightButton:
            self.end()

    def canvasMoveEvent(self, event):
        """Shows the polygon as it would be with a point here."""
        if self.points:
            self._show(self.toMapCoordinates(event.pos()))

    def canvasDoubleClickEvent(self, event):
        """Adds nothing: the second press of a double click would be the same point again."""

    def keyPressEvent(self, event):
        """Esc, Backspace, Enter, Insert."""
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.clear()
        elif key in TAKES_BACK:
            self.back()
        elif key in ENDS:
            self.end()
        elif key == Qt.Key.Key_Insert:
            self.add(self.canvas().center())
        else:
            event.ignore()
            return
        event.accept()

    def add(self, point):
        """Adds a point."""
        self.points.append(QgsPointXY(point))
        self._show()
        self.changed.emit(len(self.points))

    def back(self):
        """Takes the last point back."""
        del self.points[-1:]
        self._show()
        self.changed.emit(len(self.points))

    def end(self):
        """Ends the polygon; with fewer than three points there is none yet."""
        if len(self.points) < 3:
            self.changed.emit(len(self.points))
            return
        shape = QgsGeometry.fromPolygonXY([[*self.points, self.points[0]]])
        self.clear()
        self.drawn.emit(shape)

    def clear(self):
        """Starts anew."""
        self.points = []
        self._show()
        self.changed.emit(0)

    def deactivate(self):
        """Forgets what was begun when another tool is taken."""
        self.clear()
        super().deactivate()

    def remove(self):
        """Takes the drawn lines off the map."""
        take_off(self.band)
        self.band = None

    def _show(self, more=None):
        if self.band is None:
            return
        self.band.reset(POLYGON)
        points = self.points + ([more] if more is not None else [])
        for point in points:
            self.band.addPoint(point, False)
        self.band.updatePosition()
        self.band.update()


def band(canvas):
    """Returns what draws an outline over the map: dark with a light line around it, to be seen on any ground."""
    found = QgsRubberBand(canvas, POLYGON)
    found.setStrokeColor(QColor(200, 0, 90))
    found.setSecondaryStrokeColor(QColor(255, 255, 255))
    found.setFillColor(QColor(200, 0, 90, 25))
    found.setWidth(2)
    return found


def take_off(shown):
    """Takes a rubber band off its canvas, if the canvas is still there."""
    with suppress(RuntimeError):  # the canvas took it along
        if shown is not None and shown.scene() is not None:
            shown.scene().removeItem(shown)
