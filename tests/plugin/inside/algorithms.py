"""Runs the algorithms in one QGIS and tells what each gave, or why it did not."""

import sys

import processing
from qgis.core import (
    QgsApplication,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
    QgsVectorLayer,
)  # noqa: E501
from started import start, tell  # fmt: skip


def main(demo, samples, out):
    """Runs each once on the sample data, and some where they must refuse."""
    release = f"{demo}/release.dpmap"
    runs = {
        "ask": ("ask", {"RELEASE": release, "ZONES": f"{samples}/districts.gpkg", "OUTPUT": f"{out}/zones é 1.gpkg"}),
        "ask_memory": ("ask", {"RELEASE": demo, "ZONES": hostile(), "OUTPUT": f"{out}/memory.shp"}),
        "hotspots": ("hotspots", {"RELEASE": release, "ABOVE": "20", "OUTPUT": f"{out}/spots.gpkg"}),
        "compare": ("compare", {"BEFORE": release, "AFTER": release, "OUTPUT": f"{out}/changes.gpkg"}),
        "plan": ("plan", {"AREA": f"{samples}/study_area.gpkg", "CELL": "10 km", "EPSILON": "1", "CAP": "5", "UNITS": 800,
                          "BUDGET": 3, "PAGE": f"{out}/plan.html"}),
        "ledger": ("ledger", {"LEDGER": f"{demo}/demo.ledger", "DATASET": "Invented raptor survey", "AGAINST": release,
                              "EVENTS": f"{out}/events.csv", "PAGE": f"{out}/events.html"}),
        "open": ("open", {"RELEASE": f"{demo}/cells.gpkg"}),
        "open_alone": ("open", {"RELEASE": f"{out}/alone/release.dpmap", "FOLDER": f"{out}/made"}),
        "open_again": ("open", {"RELEASE": f"{out}/alone/release.dpmap", "FOLDER": demo}),
        "sheet_alone": ("layout", {"RELEASE": f"{out}/alone/release.dpmap", "PNG": f"{out}/sheet.png"}),
        "export": ("export", {"RELEASE": release, "TO": f"{out}/cells.csv"}),
        "inspect": ("inspect", {"INPUT": survey(samples), "SEEN": True, "UNIT": "observer_id", "CONSENT": "consent=yes",
                                "NUMBERS": f"{out}/numbers.json"}),
        "stream": ("inspect", {"INPUT": survey(samples), "RULED": True, "SEEN": True, "UNIT": "observer_id", "PAGE": f"{out}/numbers.html"}),
        "verify": ("verify", {}),
        "unseen": ("inspect", {"INPUT": survey(samples)}),
        "corrupt": ("ask", {"RELEASE": f"{out}/corrupt.dpmap", "ZONES": f"{samples}/districts.gpkg"}),
        "missing": ("hotspots", {"RELEASE": f"{out}/none.dpmap", "ABOVE": "20"}),
        "folder": ("export", {"RELEASE": out, "TO": f"{out}/x.csv"}),
        "level": ("ask", {"RELEASE": release, "ZONES": f"{samples}/districts.gpkg", "LEVEL": "1.5"}),
    }  # fmt: skip
    answer = {name: ran(algorithm, inputs) for name, (algorithm, inputs) in runs.items()}
    answer["cancelled"] = ran("hotspots", {"RELEASE": release, "ABOVE": "20"}, cancelled=True)
    answer["help"] = described()
    answer["shown"] = shown(f"{out}/zones é 1.gpkg|layername=zones")
    tell(answer)


def survey(samples):
    """A layer of points as text, read by name."""
    return f"file://{samples}/raptors.csv?type=csv&xField=longitude&yField=latitude&crs=EPSG:4326&detectTypes=no"


def hostile():
    """A memory layer with a name that would be marks, a flag and a path elsewhere."""
    layer = QgsVectorLayer(
        "Polygon?crs=EPSG:4326&field=name:string&field=fid:int", "--x <b>../é</b>", "memory"
    )
    zone = QgsFeature(layer.fields())
    zone.setAttributes(["North", 7])
    zone.setGeometry(
        QgsGeometry.fromWkt("POLYGON((-1.9 40.4,-1.6 40.4,-1.6 40.6,-1.9 40.6,-1.9 40.4))")
    )
    layer.dataProvider().addFeature(zone)
    QgsProject.instance().addMapLayer(layer)
    return layer


def ran(name, inputs, *, cancelled=False):
    """What an algorithm gave; its error as a text."""
    if name == "inspect":
        layer = QgsVectorLayer(inputs["INPUT"], "survey", "delimitedtext")
        QgsProject.instance().addMapLayer(layer)
        inputs = {**inputs, "INPUT": layer}
        if inputs.pop("RULED", False):
            layer.setSubsetString("species = 'Ember Kite'")
    feedback, context = QgsProcessingFeedback(False), QgsProcessingContext()
    context.setProject(QgsProject.instance())
    if cancelled:
        feedback.cancel()
    try:
        results = processing.run(f"dpmap:{name}", inputs, context=context, feedback=feedback)
    except QgsProcessingException as error:
        return {"error": str(error)}
    shown = QgsVectorLayer(str(results.get("PATCHES", "")), "opened", "ogr")
    tip = shown.mapTipTemplate() if shown.isValid() else ""
    return {
        **{key: str(value) for key, value in results.items()},
        "log": feedback.textLog(),
        "tip": tip,
    }


def shown(source):
    """What a layer of answers says on the map and to who points at it."""
    layer = QgsVectorLayer(source, "zones", "ogr")
    layer.loadDefaultStyle()
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.setFeature(next(layer.getFeatures()))
    label = QgsExpression(layer.labeling().settings().fieldName)
    tip = QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context)
    return {"labelled": layer.labelsEnabled(), "label": label.evaluate(context), "tip": tip}


def described():
    """Each algorithm's help and those of its parameters that have none."""
    algorithms = QgsApplication.processingRegistry().providerById("dpmap").algorithms()
    return {
        one.name(): [
            one.shortHelpString(),
            [each.name() for each in one.parameterDefinitions() if not each.help()],
        ]
        for one in algorithms
    }


if __name__ == "__main__":
    application = start()
    main(*sys.argv[1:])
