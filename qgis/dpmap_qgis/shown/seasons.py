"""Gives layers of seasons their days, so that QGIS's time slider shows one season at a time."""

from qgis.core import Qgis, QgsDateTimeRange, QgsRasterLayer
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime


def days(part):
    """Returns the days of a map as a range, from its first day to the day after its last, which is left out; None where it has none."""
    first, after = (QDate.fromString(text[:10], Qt.DateFormat.ISODate) for text in (part.first, part.after))
    if not first.isValid() or not after.isValid() or after <= first:
        return None
    return QgsDateTimeRange(_midnight(first), _midnight(after), True, False)


def dress(layer, part):
    """Lets the time slider show a layer in its season only."""
    span = days(part)
    if span is None:
        return
    raster = isinstance(layer, QgsRasterLayer)
    found = layer.temporalProperties()
    kinds = Qgis.RasterTemporalMode if raster else Qgis.VectorTemporalMode
    found.setMode(kinds.FixedTemporalRange)
    found.setFixedTemporalRange(span)
    found.setIsActive(True)


def spread(project, layers):
    """Sets the project's days to those of all its seasons, so that the slider begins at the first."""
    spans = [one.temporalProperties().fixedTemporalRange() for one in layers if one.temporalProperties().isActive()]
    if not spans:
        return
    first, last = min(one.begin() for one in spans), max(one.end() for one in spans)
    known = project.timeSettings().temporalRange()
    if not known.isInfinite() and known.begin().isValid() and known.end().isValid():
        first, last = min(first, known.begin()), max(last, known.end())
    project.timeSettings().setTemporalRange(QgsDateTimeRange(first, last, True, False))


def _midnight(day):
    return QDateTime(day, QTime(0, 0), Qt.TimeSpec.UTC)
