"""Opens windows of QGIS and keeps how they look; docs/qgis/pictures.py runs it within QGIS's own Python."""

import sys
from pathlib import Path

from started import start, tell

application = start()

from qgis.core import QgsApplication, QgsProject, QgsVectorLayer  # noqa: E402
from qgis.PyQt.QtWidgets import QTreeWidget, QTreeWidgetItem  # noqa: E402

DATA = Path(__file__).resolve().parents[2] / "data_samples"
TO = Path(sys.argv[1])
kept = []


def keep(window, name, wide, high):
    window.resize(wide, high)
    window.show()
    for _ in range(20):
        application.processEvents()
    window.grab().save(str(TO / f"{name}.png"))
    kept.append(name)
    window.hide()


def toolbox():
    """The algorithms as the toolbox lists them."""
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    provider = QgsApplication.processingRegistry().providerById("dpmap")
    root = QTreeWidgetItem(tree, [provider.name()])
    root.setIcon(0, provider.icon())
    for algorithm in sorted(provider.algorithms(), key=lambda one: one.displayName()):
        QTreeWidgetItem(root, [algorithm.displayName()]).setIcon(0, algorithm.icon())
    tree.expandAll()
    keep(tree, "toolbox", 420, 60 + 24 * root.childCount())


def heatmap():
    """The dialog of Private heatmap over the sample survey."""
    from processing.gui.AlgorithmDialog import AlgorithmDialog

    raptors = QgsVectorLayer(
        f"{(DATA / 'raptors.csv').as_uri()}?delimiter=,&xField=longitude&yField=latitude&crs=EPSG:4326",
        "raptors",
        "delimitedtext",
    )
    area = QgsVectorLayer(str(DATA / "study_area.gpkg"), "study_area", "ogr")
    QgsProject.instance().addMapLayers([raptors, area])
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("dpmap:privateheatmap")
    keep(AlgorithmDialog(algorithm), "heatmap", 1000, 760)


def settings():
    """The page of settings."""
    from dpmap_qgis.options.page import Page

    keep(Page(None), "settings", 820, 560)


toolbox()
heatmap()
settings()
tell(kept)
