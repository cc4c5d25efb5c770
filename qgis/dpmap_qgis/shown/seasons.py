"""Gives layers of seasons their days, so that QGIS's time slider shows one season at a time."""

from functools import reduce
from math import gcd

from qgis.core import (
    Qgis,
    QgsDateTimeRange,
    QgsInterval,
    QgsProject,
    QgsRasterLayer,
    QgsTemporalNavigationObject,
)
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime

from ..compat import DAYS, MONTHS, YEARS

SECOND = 1
LAST_DAY_OF_ALL = 28
"""Every month has it: a step of months from a later day would not come back to that day."""


def days(part):
    """Returns the days of a map as a range, from its first day to the day after its last, which is left out; None where it has none."""
    first, after = (
        QDate.fromString(text[:10], Qt.DateFormat.ISODate) for text in (part.first, part.after)
    )
    if not first.isValid() or not after.isValid() or after <= first:
        return None
    return QgsDateTimeRange(_midnight(first), _midnight(after), True, False)


def dress(layer, part):
    """Lets the time slider show a layer in its season only; QGIS takes seasons that touch for one another's, so a second is left at each end."""
    span = days(part)
    if span is None:
        return
    raster = isinstance(layer, QgsRasterLayer)
    found = layer.temporalProperties()
    kinds = Qgis.RasterTemporalMode if raster else Qgis.VectorTemporalMode
    found.setMode(kinds.FixedTemporalRange)
    found.setFixedTemporalRange(
        QgsDateTimeRange(span.begin().addSecs(SECOND), span.end().addSecs(-SECOND))
    )
    found.setIsActive(True)


def spread(project, layers):
    """Sets the project's days to those of all its seasons and its step so that each shows one season; the slider begins at the first."""
    spans = [
        _whole(one.temporalProperties()) for one in layers if one.temporalProperties().isActive()
    ]
    if not spans:
        return
    bounds = [day for span in spans for day in span]
    known = project.timeSettings().temporalRange()
    if not known.isInfinite() and known.begin().isValid() and known.end().isValid():
        bounds += [known.begin().date(), known.end().addSecs(SECOND).date()]
    number, unit = step(bounds)
    span = QgsDateTimeRange(
        _midnight(min(bounds)), _midnight(max(bounds)).addSecs(-SECOND)
    )  # at midnight one more step would begin, and be empty
    project.timeSettings().setTemporalRange(span)
    project.timeSettings().setTimeStepUnit(unit)
    project.timeSettings().setTimeStep(number)
    _tell_the_slider(project, span, number, unit)


def step(bounds):
    """Returns the longest step, a number and its unit, that from the first day on never crosses the bound of a season."""
    first = min(bounds)
    same_day = all(day.day() == first.day() for day in bounds) and first.day() <= LAST_DAY_OF_ALL
    if not same_day:
        return reduce(gcd, [first.daysTo(day) for day in bounds], 0) or 1, DAYS
    months = (
        reduce(
            gcd,
            [12 * (day.year() - first.year()) + day.month() - first.month() for day in bounds],
            0,
        )
        or 1
    )
    return (months // 12, YEARS) if months % 12 == 0 else (months, MONTHS)


def _whole(properties):
    """Returns the first day of a layer's season, and the day after its last."""
    span = properties.fixedTemporalRange()
    return span.begin().date(), span.end().addSecs(SECOND).date()


def _tell_the_slider(project, span, number, unit):
    """Gives the slider of QGIS's window the same: it reads a project's step only when the project is opened."""
    window = _window()
    if window is None or project is not QgsProject.instance():
        return
    slider = window.mapCanvas().temporalController()
    if isinstance(slider, QgsTemporalNavigationObject):
        slider.setTemporalExtents(span)
        slider.setFrameDuration(QgsInterval(number, unit))


def _window():
    """Returns QGIS's window, None where there is none."""
    from qgis.utils import iface

    return iface


def _midnight(day):
    return QDateTime(day, QTime(0, 0), Qt.TimeSpec.UTC)
