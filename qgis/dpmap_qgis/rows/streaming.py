"""Streams a layer's rows as one gzipped text, row by row: QGIS writes no copy of the survey to a disk.

gzip's own end tells a whole stream from one that broke off, and dpmap refuses the latter.
"""

import zlib

from qgis.core import QgsFeatureRequest, QgsProcessingException, QgsWkbTypes

from ..compat import AS_IT_IS
from ..words import mark, tr
from . import columns, places, values

ROWS_AT_ONCE = 4096
FAST = 1
"""How hard gzip tries: the stream never lies on a disk."""
CHANGED = mark(
    "Survey layer: it changed while it was read, or could not be read to its end; nothing was spent. Try again when nothing writes into it"
)
_GZIP = 31
"""How zlib is told to write gzip's own head and end."""


class Stream:
    """Holds how the rows of a source are written: `words` tell dpmap how to read them, `named` which column each field became.

    `rows` is how many there must be, negative where nobody knows: a row that ends the reading early would take other people's with it.
    `whole` is true once the last piece is on its way: before, dpmap counts and spends nothing.
    """

    def __init__(self, source, *, surface=False, rows=-1):
        self._source, self.whole, self._rows = source, False, rows
        self._fields, names = columns.kept(source.fields())
        self.named = dict(zip([source.fields().at(place).name() for place in self._fields], names))
        self._drawn = surface and not _is_points(source)
        taken = {name.lower() for name in names}
        own = ["shape"] if self._drawn else ["x", "y"]
        where = [columns.free(f"qgis_{one}", taken) for one in own]
        self._header = ",".join('"' + name.replace('"', '""') + '"' for name in [*where, *names])
        place = ["--place=" + where[0]] if self._drawn else [f"--x={where[0]}", f"--y={where[1]}"]
        self.words = [
            "--format=csv.gz",
            "--encoding=utf-8",
            "--delimiter=comma",
            *place,
            "--crs=" + reference(source.sourceCrs()),
        ]

    def __iter__(self):
        """Yields the stream piece by piece; nothing but the piece at hand is in memory."""
        packer = zlib.compressobj(FAST, zlib.DEFLATED, _GZIP)
        for lines in self._lines():
            if piece := packer.compress("".join(lines).encode("utf-8", "replace")):
                yield piece
        self.whole = True
        yield packer.flush()

    def _lines(self):
        lines = [self._header + "\n"]
        where = places.drawn if self._drawn else places.point
        fields, written = self._fields, values.field
        read = 0
        # As it is: else one odd shape would end the whole run.
        for feature in self._source.getFeatures(QgsFeatureRequest(), AS_IT_IS):
            read += 1
            given = feature.attributes()
            row = [
                where(feature.geometry().constGet()),
                *[written(given[place]) for place in fields],
            ]
            lines.append(",".join(row) + "\n")
            if len(lines) >= ROWS_AT_ONCE:
                yield lines
                lines = []
        if self._rows not in (read, -1):
            raise QgsProcessingException(tr(CHANGED))
        yield lines


def reference(crs):
    """Returns a reference system as dpmap takes it: its public code, else its definition."""
    return (
        crs.authid()
        if crs.authid().startswith(("EPSG:", "ESRI:", "OGC:", "IGNF:"))
        else definition(crs)
    )


def definition(crs):
    """Returns the whole definition on one line."""
    return crs.toWkt(type(crs).WKT_PREFERRED, False)


def _is_points(source):
    """Whether the layer declares single points: these need no shape written."""
    return QgsWkbTypes.flatType(source.wkbType()) == QgsWkbTypes.Point
