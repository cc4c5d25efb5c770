"""Runs Private heatmap on layers of many kinds, and with every mistake; tells what came of it."""

import json
import sys
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingFeedback,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelParameter,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterString,
    QgsProject,
    QgsVectorLayer,
)  # fmt: skip
from started import start, tell

application = start()

from dpmap_qgis.rows.streaming import Stream  # noqa: E402

SAMPLES, FOLDER, WHAT = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
LEDGER = FOLDER / "the ledger é.ledger"
context = QgsProcessingContext()
context.setProject(QgsProject.instance())


class Heard(QgsProcessingFeedback):
    """Keeps what is said, and cancels at a step."""

    def __init__(self, at=None):
        super().__init__(False)
        self.info, self.errors, self.steps, self.at = [], [], [], at
        if at == "":
            self.cancel()

    def pushInfo(self, info):
        self.info.append(info)

    def reportError(self, error, fatalError=False):
        self.errors.append(error)

    def setProgressText(self, text):
        self.steps.append(text)
        if self.at and text.startswith(self.at):
            self.cancel()


def layer_of(source, name="layer", provider="ogr"):
    layer = QgsVectorLayer(str(source), name, provider)
    assert layer.isValid(), source
    QgsProject.instance().addMapLayer(layer)
    return layer


visits = layer_of(f"{SAMPLES / 'sacred_sites.gpkg'}|layername=visits", "visits")
area = layer_of(SAMPLES / "sacred_area.gpkg", "area")
GIVEN = {
    "INPUT": visits.id(), "AREA": area.id(), "CELL": "50 km", "UNIT": "site_id", "CAP": "5", "EPSILON": "0.1", "CONSENT": "consent", "CONSENT_VALUES": "yes",
    "LEDGER": str(LEDGER), "DATASET": "Visits", "BUDGET": "100", "STRATEGY": "flat", "ALSO_PUBLISHED": "nothing",
}  # fmt: skip


def heatmap():
    return QgsApplication.processingRegistry().algorithmById("dpmap:privateheatmap")


def told(**changes):
    """What the inputs give: the mistakes, one a line."""
    given = {**GIVEN, "FOLDER": str(FOLDER / "never"), **changes}
    good, said = heatmap().checkParameterValues(
        {key: value for key, value in given.items() if value is not None}, context
    )
    return "" if good else said


def ran(name, at=None, **changes):
    """What a run gives: its results, and what was said."""
    heard = Heard(at)
    results, good = heatmap().run(
        {**GIVEN, "FOLDER": str(FOLDER / name), **changes}, context, heard
    )
    return {
        "good": good,
        "results": results,
        "info": heard.info,
        "errors": heard.errors,
        "steps": heard.steps,
    }


def memory(of, name="in memory", crs=None):
    """A copy of a layer in memory, in another reference system if asked."""
    crs = crs or of.crs().authid()
    copy = QgsVectorLayer(f"Point?crs={crs}", name, "memory")
    fields = [field for field in of.fields() if field.name() != "fid"]
    copy.dataProvider().addAttributes(fields)
    copy.updateFields()
    turn, features = (
        QgsCoordinateTransform(of.crs(), QgsCoordinateReferenceSystem(crs), QgsProject.instance()),
        [],
    )
    for feature in of.getFeatures():
        one, shape = QgsFeature(copy.fields()), feature.geometry()
        one.setAttributes(feature.attributes()[1:])
        shape.transform(turn)
        one.setGeometry(shape)
        features.append(one)
    assert copy.dataProvider().addFeatures(features)[0]
    QgsProject.instance().addMapLayer(copy)
    return copy


def filtered():
    layer = visits.clone()
    assert layer.setSubsetString("\"community\" <> 'Secret Name Not To Be Told'")
    QgsProject.instance().addMapLayer(layer)
    return layer


def changed():
    layer = memory(visits)
    layer.startEditing()
    layer.deleteFeature(next(layer.getFeatures()).id())
    return layer


def refused():
    """Each mistake."""
    lines = layer_of("LineString?crs=EPSG:4326&field=site_id:string", "lines", "memory")
    nowhere = layer_of("Point?field=site_id:string", "nowhere", "memory")
    nowhere.setCrs(QgsCoordinateReferenceSystem())
    rows = layer_of("Point?crs=EPSG:4326&field=row:string", "rows", "memory")
    empty = layer_of("Polygon?crs=EPSG:4326", "empty", "memory")
    full = FOLDER / "full"
    full.mkdir()
    (full / "x").write_text("x")
    made = FOLDER / "made"
    made.mkdir()
    (made / "release.dpmap").write_text("x")
    (FOLDER / "broken.ledger").write_text("no ledger")
    visits.selectByIds([1, 2, 3])
    found = {
        "nothing": told(),
        "unit": told(UNIT=None), "two units": told(EACH_ROW=True), "a field called row": told(INPUT=rows.id(), UNIT="row", CONSENT=None, CONSENT_VALUES=None),
        "cap": told(CAP="5.5"), "cap 0": told(CAP="0"), "cap as a number": told(CAP=5), "cap as another number": told(CAP=5.0), "private cap": told(CAP="auto:0.05"),
        "epsilon": told(EPSILON="a lot"), "epsilon with a comma": told(EPSILON="0,5"), "epsilon as a number": told(EPSILON=0.1),
        "budget": told(BUDGET=None), "budget word": told(BUDGET="much"), "full folder": told(FOLDER=str(full)), "a release": told(FOLDER=str(made)),
        "no folder around": told(FOLDER=str(FOLDER / "a" / "b")), "temporary folder": told(FOLDER="TEMPORARY_OUTPUT"),
        "ledger's folder": told(LEDGER=str(FOLDER / "a" / "l.ledger")), "broken ledger": told(LEDGER=str(FOLDER / "broken.ledger")),
        "no area": told(AREA=None), "two areas": told(COUNTRY="Spain"), "empty area": told(AREA=empty.id()), "the survey's area": told(AREA=visits.id()),
        "no cells": told(CELL=None), "two cells": told(GRID="eea-10km"), "consent": told(CONSENT_VALUES=None), "no such field": told(UNIT="Rosa"),
        "lines": told(INPUT=lines.id(), CONSENT=None, CONSENT_VALUES=None), "no CRS": told(INPUT=nowhere.id(), CONSENT=None, CONSENT_VALUES=None),
        "filter": told(INPUT=filtered().id()), "confirmed": told(INPUT=filtered().id(), CONFIRM=True),
        "selection": told(INPUT=QgsProcessingFeatureSourceDefinition(visits.id(), True)), "limit": told(INPUT=QgsProcessingFeatureSourceDefinition(visits.id(), False, 5)),
        "unsaved": told(INPUT=changed().id()), "several": told(UNIT=None, CAP="x", EPSILON=""),
    }  # fmt: skip
    late = ran("late", INPUT=filtered().id())
    cells = ran("cells", CELL="a lot")
    return {
        "told": found,
        "late": late,
        "cells": cells,
        "there": sorted(path.name for path in FOLDER.iterdir()),
    }


def ways():
    """Layers of each kind, released."""
    found = {
        "file": ran("file"),
        "memory": ran("memory", INPUT=memory(visits).id()),
        "filter": ran("filter", INPUT=filtered().id(), CONFIRM=True),
    }
    visits.selectByExpression("\"community\" <> 'Secret Name Not To Be Told'")
    found["selection"] = ran(
        "selection", INPUT=QgsProcessingFeatureSourceDefinition(visits.id(), True), CONFIRM=True
    )
    found["other CRS"] = ran("other CRS", INPUT=memory(visits, crs="EPSG:4326").id())
    found["streams"] = {
        name: kept(name, layer) for name, layer in (("own", visits), ("memory", memory(visits)))
    }
    hostile = memory(visits, "--out=x '\"<img src=x onerror=alert(1)>\n|layername=y")
    found["hostile name"] = ran(
        "a folder é '", INPUT=hostile.id(), DATASET="--json", AREA=memory_area().id()
    )
    found["rows"] = ran(
        "rows",
        INPUT=memory(visits).id(),
        UNIT="",
        EACH_ROW="true",
        CAP=1,
        EPSILON=0.1,
        HEXAGONS="3",
        CELL="",
        AREA="",
        COUNTRY="Australia",
        DATASET="Visits by row",
    )
    return found


def kept(name, layer):
    """Keeps the stream of an invented survey as a file; returns the words that say how it is read."""
    stream = Stream(heatmap().parameterAsSource({"INPUT": layer.id()}, "INPUT", context))
    (FOLDER / f"{name}.csv.gz").write_bytes(b"".join(stream))
    return stream.words


def memory_area():
    copy = QgsVectorLayer(
        f"Polygon?crs={area.crs().authid()}&field=name:string", "area in memory", "memory"
    )
    for feature in area.getFeatures():
        one = QgsFeature(copy.fields())
        one.setAttributes([feature["name"]])
        one.setGeometry(feature.geometry())
        assert copy.dataProvider().addFeatures([one])[0]
    QgsProject.instance().addMapLayer(copy)
    return copy


def model():
    """A small model: the survey is chosen by an expression, then released."""
    made = QgsProcessingModelAlgorithm("Small", "tests")
    for parameter in (
        QgsProcessingParameterFeatureSource("survey", "survey"),
        QgsProcessingParameterString("place", "place"),
    ):
        made.addModelParameter(parameter, QgsProcessingModelParameter(parameter.name()))
    first = QgsProcessingModelChildAlgorithm("native:extractbyexpression")
    first.setChildId("first")
    first.addParameterSources(
        "INPUT", [QgsProcessingModelChildParameterSource.fromModelParameter("survey")]
    )
    first.addParameterSources(
        "EXPRESSION",
        [QgsProcessingModelChildParameterSource.fromStaticValue("\"consent\" = 'yes'")],
    )
    made.addChildAlgorithm(first)
    then = QgsProcessingModelChildAlgorithm("dpmap:privateheatmap")
    then.setChildId("then")
    static = {key: value for key, value in GIVEN.items() if key not in ("INPUT", "FOLDER")}
    for key, value in static.items():
        then.addParameterSources(
            key, [QgsProcessingModelChildParameterSource.fromStaticValue(value)]
        )
    then.addParameterSources(
        "INPUT", [QgsProcessingModelChildParameterSource.fromChildOutput("first", "OUTPUT")]
    )
    then.addParameterSources(
        "FOLDER", [QgsProcessingModelChildParameterSource.fromModelParameter("place")]
    )
    made.addChildAlgorithm(then)
    heard = Heard()
    _, good = made.create().run(
        {"survey": visits.id(), "place": str(FOLDER / "modelled")}, context, heard
    )
    statement = FOLDER / "modelled" / "statement.md"
    return {
        "good": good,
        "errors": heard.errors,
        "statement": statement.read_text("utf-8") if statement.exists() else "",
    }


def stopped():
    """Cancelled at each step, at which dpmap waits for that (`waits_at_step`)."""
    survey = memory(visits).id()
    steps = {
        "at once": "",
        "reading": "reading the survey",
        "counting": "capping and counting",
        "reserved": "drawing noise",
        "drawing": "writing map.png",
    }
    found = {}
    for name, at in steps.items():
        (FOLDER / "step").write_text(at or "no step")
        found[name] = ran(name, at, INPUT=survey)
    found["left"] = {
        name: sorted(path.name for path in (FOLDER / name).iterdir())
        if (FOLDER / name).exists()
        else None
        for name in steps
    }
    return found


tell(
    json.loads(
        json.dumps(
            {"refused": refused, "ways": ways, "model": model, "stopped": stopped}[WHAT](),
            default=str,
        )
    )
)
