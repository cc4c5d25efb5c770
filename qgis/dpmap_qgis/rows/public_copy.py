"""Hands the area layer on: its own file, or a copy in a private folder where it has none, or is filtered. The area is public."""

import os

from qgis.core import QgsFeature, QgsFeatureRequest, QgsProcessingException, QgsVectorFileWriter, QgsWkbTypes

from .own_file import own_file

ODD = ";!\n\r\t"
"""Marks in a path that other readers may take for parts of an address."""


def area_words(of, source, private, transforms):
    """Returns the words that name the area; a copy goes into the private folder, which its owner wipes."""
    file = own_file(of) if of.layer.providerType() == "ogr" else None
    if file is not None and not any(mark in file.path for mark in ODD):
        return [f"--area={file.path}", *(word.replace("--layer=", "--area-layer=") for word in file.words)]
    return ["--area=" + written(source, os.path.join(private, "area.gpkg"), transforms)]


def written(source, path, transforms):
    """Writes a layer as a GeoPackage and returns its path."""
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName, options.layerName = "GPKG", "area"
    shape = QgsWkbTypes.multiType(QgsWkbTypes.flatType(source.wkbType()))
    fields = source.fields()
    names = [place for place in range(fields.count()) if fields.at(place).name().lower() == "fid"]
    for place in reversed(names):  # GeoPackage's own
        fields.remove(place)
    writer = QgsVectorFileWriter.create(path, fields, shape, source.sourceCrs(), transforms, options)
    for feature in source.getFeatures(QgsFeatureRequest()):
        one = QgsFeature(fields)
        one.setAttributes([value for place, value in enumerate(feature.attributes()) if place not in names])
        one.setGeometry(feature.geometry())
        if not writer.addFeature(one):
            break
    failed = writer.hasError() != QgsVectorFileWriter.WriterError.NoError
    del writer
    if failed:
        raise QgsProcessingException(
            "Area: QGIS could not write it down for dpmap; save it as a GeoPackage and choose that"
        )
    return path
