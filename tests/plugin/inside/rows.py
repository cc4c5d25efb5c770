"""Tells how layers of many kinds are handed to dpmap: by their own file or as a stream, and what stands in the stream."""

import doctest
import sys
import zlib
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsField,
    QgsGeometry,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterFeatureSource,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerJoinInfo,
)  # fmt: skip
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime, QVariant
from started import start, tell

application = start()
from dpmap_qgis.rows import asking, columns, own_file, streaming, values  # noqa: E402

FOLDER = Path(sys.argv[1])
NULL = QVariant()


class Asks(QgsProcessingAlgorithm):
    """Asks for a layer and does nothing with it."""

    def name(self):
        return "asks"

    displayName = name

    def createInstance(self):
        return Asks()

    def initAlgorithm(self, configuration=None):
        self.addParameter(QgsProcessingParameterFeatureSource("INPUT", "in"))

    def processAlgorithm(self, parameters, context, feedback):
        return {}


algorithm = Asks()
algorithm.initAlgorithm()
context = QgsProcessingContext()
context.setProject(QgsProject.instance())


def memory(fields, rows, kind="Point", crs="EPSG:4326"):
    """A layer in memory; each row is WKT (or None) and its values."""
    layer = QgsVectorLayer(f"{kind}?crs={crs}", "in memory", "memory")
    assert layer.dataProvider().addAttributes(fields), layer.dataProvider().errors()
    layer.updateFields()
    for wkt, *given in rows:
        feature = QgsFeature(layer.fields())
        feature.setAttributes(given)
        if wkt is not None:
            feature.setGeometry(wkt if isinstance(wkt, QgsGeometry) else QgsGeometry.fromWkt(wkt))
        assert layer.dataProvider().addFeatures([feature])[0], (
            layer.dataProvider().lastError(),
            given,
        )
    layer.updateExtents()
    QgsProject.instance().addMapLayer(layer)
    return layer


def asked(value):
    return asking.asked(algorithm, {"INPUT": value}, "INPUT", context)


def way(value, used=()):
    """By which way the rows go: the words of the file, or nothing; and what is stated."""
    of = asked(value)
    file = own_file.own_file(of, used)
    return [
        None if file is None else [Path(file.path).name, *file.words],
        asking.chooser(asking.chosen_by(of), streamed=file is None),
    ]


def streamed(value, **how):
    """The text that dpmap unpacks, and the words beside it."""
    stream = streaming.Stream(
        algorithm.parameterAsSource({"INPUT": value}, "INPUT", context), **how
    )
    return [zlib.decompress(b"".join(stream), 31).decode("utf-8"), stream.words]


def saved(layer, path, driver="GPKG", encoding="UTF-8"):
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.fileEncoding, options.layerName = driver, encoding, "sightings"
    assert (
        QgsVectorFileWriter.writeAsVectorFormatV3(
            layer, str(path), context.transformContext(), options
        )[0]
        == 0
    )
    return path


TEXT, WHOLE = QgsField("who", QVariant.String), QgsField("n", QVariant.Int)
plain = memory([TEXT, WHOLE], [("POINT(1.5 2.5)", "Ana", 1), ("POINT(3 4)", "Bo", 2)])


def of_files():
    """Layers of files: which go by their path."""
    told, sub = {}, FOLDER / "a folder é|x"
    sub.mkdir()
    gpkg = saved(plain, FOLDER / "s é.gpkg")
    layer = QgsVectorLayer(f"{gpkg}|layername=sightings", "x", "ogr")
    QgsProject.instance().addMapLayer(layer)
    told["plain"] = way(layer)
    told["named by its path"] = way(str(gpkg))
    told["row ids used"] = way(layer, ["fid"])
    told["layerid"] = way(f"{gpkg}|layerid=0")
    told["geometrytype"] = way(f"{gpkg}|layername=sightings|geometrytype=Point")
    told["subset in the address"] = way(f"{gpkg}|layername=sightings|subset=\"who\" = 'Ana'")
    told["a bar in the path"] = way(str(saved(plain, sub / "b.gpkg")))
    told["selected"] = way(QgsProcessingFeatureSourceDefinition(layer.id(), True))
    told["limited"] = asked(QgsProcessingFeatureSourceDefinition(layer.id(), False, 5)).limited
    filtered = layer.clone()
    filtered.setSubsetString("\"who\" = 'Ana'")
    QgsProject.instance().addMapLayer(filtered)
    told["filtered"] = way(filtered)
    told["filtered rows"] = streamed(filtered)[0]
    moved = layer.clone()
    moved.setCrs(QgsCoordinateReferenceSystem("EPSG:3035"))
    QgsProject.instance().addMapLayer(moved)
    told["another CRS by hand"] = [way(moved), streamed(moved)[1][-1]]
    made = layer.clone()
    made.addExpressionField("count(1)", QgsField("all", QVariant.Int))
    QgsProject.instance().addMapLayer(made)
    told["computed"] = way(made)
    joined, link = layer.clone(), QgsVectorLayerJoinInfo()
    link.setJoinLayer(plain)
    link.setJoinFieldName("who")
    link.setTargetFieldName("who")
    assert joined.addJoin(link)
    QgsProject.instance().addMapLayer(joined)
    told["joined"] = way(joined)
    layer.startEditing()
    told["edited, nothing changed"] = [way(layer)[0], asking.is_unsaved(layer)]
    layer.deleteFeature(next(layer.getFeatures()).id())
    told["edited"] = asking.is_unsaved(layer)
    layer.rollBack()
    Path(f"{gpkg}-wal").write_bytes(b"not written yet")
    told["changes beside it"] = way(layer)
    Path(f"{gpkg}-wal").unlink()
    told["flatgeobuf"] = way(str(saved(plain, FOLDER / "s.fgb", "FlatGeobuf")))
    told["geojson"] = way(str(saved(plain, FOLDER / "s.geojson", "GeoJSON")))
    shape = saved(plain, FOLDER / "s.shp", "ESRI Shapefile")
    told["shapefile"] = way(str(shape))
    shape.with_suffix(".cpg").unlink()
    told["shapefile without encoding"] = way(str(shape))
    csv = FOLDER / "t.csv"
    csv.write_text("who,lon,lat\nAna,1,2\n", "utf-8")
    text = (
        f"file://{csv}?type=csv&xField=lon&yField=lat&crs=EPSG:4326&detectTypes=yes&encoding=UTF-8"
    )
    for name, more in {
        "text": "",
        "text with lines above": "&skipLines=1",
        "text filtered": "&subset=who%3D'Ana'",
        "text with commas": "&decimalPoint=,",
    }.items():
        layer = QgsVectorLayer(text + more, name, "delimitedtext")
        QgsProject.instance().addMapLayer(layer)
        told[name] = way(layer)
    typed = FOLDER / "typed.csv"
    typed.write_text("who,lon,lat\n007,1,2\n")
    typed.with_suffix(".csvt").write_text("Integer,Real,Real\n")
    layer = QgsVectorLayer(
        f"file://{typed}?type=csv&xField=lon&yField=lat&crs=EPSG:4326", "typed", "delimitedtext"
    )
    QgsProject.instance().addMapLayer(layer)
    told["text with types beside it"] = way(layer)
    told["in memory"] = way(plain)
    return told


def of_values():
    """Each type of field, and values that are hostile."""
    kinds = [
        TEXT, WHOLE, QgsField("big", QVariant.LongLong), QgsField("v", QVariant.Double), QgsField("d", QVariant.Date),
        QgsField("t", QVariant.DateTime), QgsField("h", QVariant.Time), QgsField("b", QVariant.Bool),
        QgsField("l", QVariant.StringList, subType=QVariant.String), QgsField("raw", QVariant.ByteArray), QgsField("m", QVariant.Map),
    ]  # fmt: skip
    rows = [
        ["POINT(0.1 51.123456789012345)", "Ana", 1000, 9007199254740993, 1000.0, QDate(2025, 3, 1), QDateTime(QDate(2025, 3, 1), QTime(4, 5, 6)), QTime(7, 8, 9), True, ["a"], QByteArray(b"x"), {"a": 1}],
        [None, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL],
        ["POINT EMPTY", "", 0, 0, 0.1, QDate(), QDateTime(), QTime(), False, [], QByteArray(), {}],
        ["POINT(1 2)", '"; =1+1\r\n"Bo",3,4\n5', -1, -9223372036854775807, 1e300, QDate(1, 1, 1), QDateTime(QDate(2025, 3, 1), QTime(4, 5), Qt.UTC), QTime(0, 0, 0, 5), True, ["a,b"], QByteArray(b"\0"), {}],
        ["POINT(1 2)", "a\0b", 1, 1, float("nan"), NULL, NULL, NULL, NULL, NULL, NULL, NULL],
        ["POINT(1 2)", "half \ud83e", 1, 1, float("inf"), NULL, NULL, NULL, NULL, NULL, NULL, NULL],
        ["POINT(1 2)", "  'q", 1, 1, 0.30000000000000004, NULL, NULL, NULL, NULL, NULL, NULL, NULL],
    ]  # fmt: skip
    return streamed(memory(kinds, rows))


def of_shapes():
    """Places of several kinds of shapes."""
    several = memory(
        [TEXT],
        [("MULTIPOINT((1 2))", "one"), ("MULTIPOINT((1 2),(3 4))", "two"), (None, "none")],
        "MultiPoint",
    )
    lines = memory([TEXT], [("LINESTRING(0 0,1.1 1)", "a"), (None, "none")], "LineString")
    return [streamed(several), streamed(several, surface=True), streamed(lines, surface=True)]


def of_names():
    """Fields with the names that a stream must not confuse."""
    names = ["qgis_x", "Qgis_X_2", 'a"b', "c,d", "e\nf", "2020", "{g"]
    layer = memory(
        [QgsField(name, QVariant.String) for name in names], [("POINT(1 2)", *"1234567")]
    )
    stream = streaming.Stream(algorithm.parameterAsSource({"INPUT": layer.id()}, "INPUT", context))
    return [*streamed(layer), stream.named]


def of_systems():
    """How reference systems are said: by code, or by definition where they have none."""
    own = QgsCoordinateReferenceSystem.fromProj(
        "+proj=laea +lat_0=40.5 +lon_0=-1.7 +datum=WGS84 +units=m"
    )
    return [
        streaming.reference(QgsCoordinateReferenceSystem("EPSG:25830")),
        streaming.reference(own),
    ]


def apart():
    """What each row is written as beside others and alone: the same."""
    rows = [
        ["POINT(1 2)", text, at]
        for at, text in enumerate(
            ['a"', '"', "\r", "\n,", "", "x\0", ",,,", '""', "\ud83e", "'", "b"]
        )
    ]
    whole = streamed(memory([TEXT, WHOLE], rows))[0]
    alone = [streamed(memory([TEXT, WHOLE], [row]))[0].split("\n", 1)[1] for row in rows]
    return whole.split("\n", 1)[1] == "".join(alone) and whole.count("\n") == len(rows) + 1


def of_ends():
    """Whether a layer of two rows is handed over whole, where two and where three were there before it was read."""
    source, told = algorithm.parameterAsSource({"INPUT": plain.id()}, "INPUT", context), []
    for rows in (asking.rows_of(plain, source), 3):
        stream = streaming.Stream(source, rows=rows)
        try:
            list(stream)
        except QgsProcessingException as error:
            told.append(str(error))
        told.append(stream.whole)
    return told


tell({
    "ends": of_ends(), "files": of_files(), "values": of_values(), "shapes": of_shapes(), "names": of_names(), "systems": of_systems(), "apart": apart(),
    "examples": [doctest.testmod(one).failed for one in (values, columns, asking)], "tried": [doctest.testmod(one).attempted for one in (values, columns, asking)],
})  # fmt: skip
