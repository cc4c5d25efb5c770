"""Writes the plugin's print layout templates; run by QGIS's own Python without a window, after a change here.

QT_QPA_PLATFORM=offscreen PYTHONPATH=qgis /usr/bin/python3 tests/plugin/inside/make_templates.py
"""

import base64
import os
import sys
from pathlib import Path

from dpmap_qgis.shown.fitting import font
from qgis.core import (
    QgsApplication,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsLayoutMeasurement,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
    QgsRectangle,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor

NORTH = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 60"><path d="M20 2 L34 42 L20 34 L6 42 Z" fill="#222"/>'
    '<text x="20" y="58" font-family="sans-serif" font-size="15" text-anchor="middle" fill="#222">N</text></svg>'
)
PLACES = {
    "landscape": {
        "title": (12, 9, 273, 11), "subtitle": (12, 20, 273, 6), "map": (12, 28, 199, 138), "legend": (215, 28, 70, 60),
        "notes": (216, 98, 69, 30), "north": (270, 144, 10, 15), "scale": (215, 150, 55, 13), "promise": (12, 169, 199, 11),
        "in_short": (12, 180, 199, 12), "governance": (215, 169, 70, 23), "source": (12, 194, 273, 8),
    },
    "portrait": {
        "title": (12, 9, 186, 14), "subtitle": (12, 23, 186, 6), "map": (12, 31, 186, 152), "legend": (12, 187, 80, 50),
        "notes": (100, 188, 76, 26), "north": (184, 188, 11, 16), "scale": (100, 218, 80, 13), "promise": (12, 241, 186, 12),
        "in_short": (12, 253, 186, 12), "governance": (12, 265, 186, 12), "source": (12, 279, 186, 9),
    },
}  # fmt: skip


def template(name):
    """Writes one template."""
    layout = QgsPrintLayout(QgsProject.instance())
    layout.initializeDefaults()
    orientation = QgsLayoutItemPage.Landscape if name == "landscape" else QgsLayoutItemPage.Portrait
    layout.pageCollection().page(0).setPageSize("A4", orientation)
    drawn = QgsLayoutItemMap(layout)
    for key, box in PLACES[name].items():
        item = drawn if key == "map" else MADE.get(key, QgsLayoutItemLabel)(layout)
        item.setId(key)
        layout.addLayoutItem(item)
        item.attemptMove(QgsLayoutPoint(*box[:2]))
        item.attemptResize(QgsLayoutSize(*box[2:]))
        DRESSED.get(key, lambda one: None)(item)
        if key in ("legend", "scale", "north"):
            item.setLinkedMap(drawn)
    layout.setName(f"dpmap {name}")
    path = Path(__file__).parents[3] / "qgis" / "dpmap_qgis" / "shown" / "templates" / f"{name}.qpt"
    path.parent.mkdir(exist_ok=True)
    if not layout.saveAsTemplate(str(path), QgsReadWriteContext()):
        raise SystemExit(f"{path.name}: cannot be written")


def _map(item):
    box = item.rect()  # without an extent of its own it is saved as no number, and stays so; with another shape it is reshaped
    item.setExtent(QgsRectangle(0, 0, box.width(), box.height()))
    item.setFrameEnabled(True)
    item.setFrameStrokeColor(QColor(90, 90, 90))
    item.setFrameStrokeWidth(QgsLayoutMeasurement(0.2))
    item.setBackgroundColor(QColor(247, 246, 243))


def _legend(item):
    for style, size, bold in ((QgsLegendStyle.Title, 11, True), (QgsLegendStyle.Group, 9, True), (QgsLegendStyle.Subgroup, 9, False),
                              (QgsLegendStyle.SymbolLabel, 9, False)):  # fmt: skip
        item.setStyleFont(style, font(size, bold=bold))
    item.setSymbolWidth(8)
    item.setBackgroundEnabled(False)


def _scale(item):
    item.setStyle("Single Box")
    item.setHeight(2)
    item.setFont(font(8))


def _north(item):
    item.setPicturePath("base64:" + base64.b64encode(NORTH.encode()).decode())
    item.setNorthMode(QgsLayoutItemPicture.TrueNorth)


def _label(item):
    item.setMarginX(0)
    item.setMarginY(0)
    item.setHAlign(Qt.AlignmentFlag.AlignLeft)


MADE = {
    "legend": QgsLayoutItemLegend,
    "scale": QgsLayoutItemScaleBar,
    "north": QgsLayoutItemPicture,
}
DRESSED = {"map": _map, "legend": _legend, "scale": _scale, "north": _north}
DRESSED.update(
    dict.fromkeys(
        ("title", "subtitle", "notes", "promise", "in_short", "governance", "source"), _label
    )
)

if __name__ == "__main__":
    application = QgsApplication([], True)
    application.initQgis()
    for each in PLACES:
        template(each)
    sys.stdout.flush()
    os._exit(0)  # PyQGIS may crash while it is taken down
