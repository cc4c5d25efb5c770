"""Files whose records name their own fields: JSON, GeoJSON, KML, GPX and SMART's patrols."""

import gzip
import json
from xml.sax.saxutils import escape, quoteattr

from side_by_side import FIELDS, Family, Odd, a_row

NAMES = ",".join(FIELDS)
DEEP, DEEPER = 3_000, 100_000


def told(row, dice):
    """A row's fields; what is not there is left out or null."""
    return {name: value for name, value in row.items() if value is not None or dice.random() < 0.5}


def keys(dice):
    """Objects of T with keys that no other record has."""

    def row(**told):
        return {
            name: value for name, value in a_row(dice, "tess").items() if value is not None
        } | told

    yield (
        "Who",
        row(Who="sam 1", WHO="sam 2", LON=9, Longitude=9, Latitude=9, longitude=1, latitude=1),
    )
    yield (
        "iNaturalist",
        row(
            user_login="tess",
            user_id=7,
            positional_accuracy=9,
            coordinates_obscured=True,
            quality_grade="x",
            geoprivacy="private",
        ),
    )
    yield (
        "GBIF",
        row(
            gbifID=1,
            decimalLatitude=9,
            decimalLongitude=9,
            datasetKey="k",
            occurrenceStatus="absent",
            recordedBy="tess|sam 1",
        ),
    )
    yield "eBird", row(**{"OBSERVER ID": "tess", "GLOBAL UNIQUE IDENTIFIER": "tess"})
    yield "dots", {"who.x": "tess", "who": {"x": "sam 1", "y": [1]}, **row(**{"lon.": 1})}
    yield "nested", row(who={"id": "tess", "name": "sam 1"}, lon={"value": 1}, ok={"yes": "yes"})
    yield (
        "odd keys",
        row(
            **{
                "": 1,
                " ": 1,
                "who ": "sam 1",
                "\u0000who": "tess 4",
                "tess" * 5000: 1,
                "__proto__": {"who": "sam 1"},
                "geometry": 5,
                "type": 7,
                "wkb_geometry": "tess",
                "id": 9,
            }
        ),
    )
    yield "many keys", {f"tess {number}": number for number in range(3000)} | row()
    yield (
        "location",
        row(
            location={"x": 1, "y": 2, "type": "Point", "coordinates": [1, 2]},
            lon={"type": "Point", "coordinates": [3, 3]},
        ),
    )
    yield (
        "features",
        row(
            features=[{"properties": {"who": "sam 1"}}],
            results=[{"who": "sam 1", "lon": 1, "lat": 1}],
            records=[[]],
        ),
    )
    for place in (
        [1.5, 1.5, 0, 4],
        [1.5],
        [],
        [[1.5, 1.5]],
        ["1.5", "1.5"],
        [None, 1],
        [1e300, True],
        {"x": 1},
        "1.5 1.5",
    ):
        yield "device", row(deviceId="tess", location=place)
    yield "placeholders", row(who="sam\u0000 1 tess", note="\u0001\u0002")
    yield "nothing", {}


def texts(dice):
    """Texts of T that JSON may hold where a record stands, whether they are JSON."""
    row = {name: value for name, value in a_row(dice, "tess").items() if value is not None}
    start = json.dumps(row)[:-1]
    for value in ("1e999", "-1e999", "NaN", "Infinity", "9007199254740995", "1003.0", "1e3", "9" * 6000, "0." + "9" * 6000, "true", '"\\ud83e"', '"\\u0000"', '"\\ud83e\\udd85"',
                  '"\\ud800\\ud800"', "{}", "[]", '[["tess"]]', '"\x01"', '"\x7f"', "-0", "1E400", '{"a":{"b":{"c":{"d":{"e":"tess"}}}}}', "[" * 3000 + "]" * 3000, '"\t"'):  # fmt: skip
        for name in ("who", "lon", "when", "ok", "tess"):
            yield Odd(f"{name} {value[:20]}", start + f', "{name}": {value}}}')
    for name in ("who", "other"):
        yield Odd("deep", start + f', "{name}": {"[" * DEEP}{"]" * DEEP}}}')
        yield Odd(
            "deep",
            start
            + f', "{name}": {"{" + chr(34) + "a" + chr(34) + ":"}' * 1
            + '{"a":' * DEEP
            + "1"
            + "}" * (DEEP + 1)
            + "}",
        )
    yield Odd("deep list", "[" * DEEPER + "]" * DEEPER)
    yield Odd("deep text", '{"tess":' + "[" * DEEP + '"]]]' + "\\\\" + '\\""' + "]" * DEEP + "}")
    yield Odd("twice", start + ', "who": "tess 3", "lon": 1.5, "lon": 2.5}')
    yield Odd("twice", '{"who": "sam 1", ' + start[1:] + "}")
    for text in (
        "5",
        "null",
        '"tess"',
        "[]",
        "{}",
        "[[1]]",
        '["tess", {"who": "sam 1", "lon": 1, "lat": 1}]',
        "true",
        '""',
        "-1.5e5",
        "[null]",
    ):
        yield Odd("no record", text)
    for text in ("1_000", "01", "+1", "'tess'", "{'who': 'tess'}", "{who: 1}", "nul", "0x10", '"tess', "{", "}", "[", "]", '{"tess"}', '{"a":1,}', "[1,]", "\x00", "// tess", "/* */", "tess", '{"a" 1}',
                 '"\\x"', '"\\ud8"', ".5", "1.", '{"a":1}}', "}, {"):  # fmt: skip
        yield Odd("no JSON", text, whole=False)


class Json(Family):
    """Records in a list, which stands alone or below `path`."""

    first = ("keys", "deep list", "Esri", "more")

    def __init__(self, name, path="", pairs=150, file="survey.json", pack=None):
        self.name, self.path, self.pairs, self.file, self.pack = name, path, pairs, file, pack
        self.options = dict(format="json", columns=NAMES) | (dict(layer=path) if path else {})

    def record(self, row, dice):
        return json.dumps(told(row, dice), ensure_ascii=dice.random() < 0.5)

    def odd(self, dice):
        for name, row in keys(dice):
            yield Odd(f"keys: {name}", json.dumps(row))
        yield from texts(dice)

    def content(self, records, dice):
        text = "[" + dice.choice((",", ",\n", " , ")).join(records) + "]"
        for key in reversed(self.path.split(".")) if self.path else ():
            text = (
                f'{{"note": [1, {{"who": "nobody"}}], "{key}": {text}, "after": {{"{key}": [3]}}}}'
            )
        return text

    def write(self, folder, records, dice):
        path = folder / self.file
        data = self.content(records, dice).encode("utf-8", "surrogatepass")
        path.write_bytes(gzip.compress(data, 1) if self.file.endswith(".gz") else data)
        return path


class JsonLines(Json):
    """A record on each line; a line that is none is nobody's."""

    def __init__(self, name="JSON lines", kind="jsonl", **more):
        super().__init__(name, file=f"survey.{kind}", **more)
        self.options = dict(format=kind, columns=NAMES)

    def odd(self, dice):
        for one in super().odd(dice):
            yield Odd(one.name, one.data)
        for text in (
            "",
            " ",
            "\x1e{}",
            "tess",
            "\ufeff{}",
            "\r",
            "{}\r{}",
            "[",
            '{"who": "tess",\n"lon": 1, "lat": 1}',
        ):
            yield Odd("line", text)

    def content(self, records, dice):
        return "".join(record + "\n" for record in records)


GEOMETRIES = (
    "null", "5", '"POINT(1 1)"', "{}", "[]", '{"type": "Point"}', '{"type": "Point", "coordinates": null}', '{"type": "Point", "coordinates": []}', '{"type": "Point", "coordinates": [1]}',
    '{"type": "Point", "coordinates": ["1.5", "1.5"]}', '{"type": "Point", "coordinates": ["tess", 1.5]}', '{"type": "Point", "coordinates": [1.5, 1.5, 9, 9]}',
    '{"type": "Point", "coordinates": [1e999, 1]}', '{"type": "Point", "coordinates": [NaN, 1]}', '{"type": "Point", "coordinates": [true, true]}', '{"type": "Point", "coordinates": [[1, 1]]}',
    '{"type": "MultiPoint", "coordinates": [[1.5, 1.5]]}', '{"type": "MultiPoint", "coordinates": []}', '{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [2.5, 1.5]}]}',
    '{"type": "GeometryCollection", "geometries": []}', '{"type": "GeometryCollection", "geometries": null}', '{"type": "Polygon", "coordinates": [[[1, 1], [2, 1], [2, 2], [1, 1]]]}',
    '{"type": "Polygon", "coordinates": [[]]}', '{"type": "Polygon", "coordinates": []}', '{"type": "Polygon", "coordinates": [[[1, 1]]]}', '{"type": "LineString", "coordinates": [[1, 1]]}', '{"type": "LineString", "coordinates": [[1, 1], [2, 2]]}',
    '{"type": "Curve", "coordinates": [1, 1]}', '{"type": 7, "coordinates": [1, 1]}', '{"type": ["Point"], "coordinates": [1, 1]}', '{"x": 1.5, "y": 2.5}', '{"x": null}', '{"rings": [[[1, 1]]]}',
    '{"type": "Point", "coordinates": [1' + "0" * 6000 + ", 1]}", '{"type": "Point", "coordinates": [0.' + "3" * 6000 + ", 1]}", '{"type": "Point", "coordinates": ' + "[" * DEEP + "]" * DEEP + "}",
    '{"type": "MultiPolygon", "coordinates": [[[[1, 1], [2, 1], [2, 2], [1, 1]]], [[]]]}', '{"type": "Point", "coordinates": {"0": 1, "1": 1}}', '{"type": "Point", "coordinates": "1,1"}',
    '{"type": "Point", "coordinates": [1.5, 1.5], "crs": {"type": "name", "properties": {"name": "EPSG:3857"}}}', '{"coordinates": [1.5, 1.5]}', '{"type": "POINT", "coordinates": [1.5, 1.5]}',
    '{"type": "GeometryCollection", "geometries": [{"type": "GeometryCollection", "geometries": [' * 400 + "]}" * 800, '{"type": "MultiLineString", "coordinates": [[[1, 1], ["a", 2]]]}',
)  # fmt: skip


class GeoJson(Json):
    """Features with their own geometry."""

    placed = True

    def __init__(self, name="GeoJSON", path="features", file="survey.geojson", **more):
        super().__init__(name, path, file=file, **more)
        self.options = dict(format="geojson", columns=NAMES) | (
            dict(layer=path) if path != "features" else {}
        )

    def feature(self, properties, geometry, more=""):
        return f'{{"type": "Feature", "properties": {properties}, "geometry": {geometry}{more}}}'

    def point(self, row):
        return json.dumps({"type": "Point", "coordinates": [row["lon"], row["lat"]]})

    def record(self, row, dice):
        return self.feature(json.dumps(told(row, dice)), self.point(row))

    def odd(self, dice):
        row = a_row(dice, "tess")
        for name, told_here in keys(dice):
            yield Odd(f"keys: {name}", self.feature(json.dumps(told_here), self.point(row)))
        for one in texts(dice):
            yield Odd(one.name, self.feature(one.data, self.point(row)), one.whole)
            if one.name in ("no record", "no JSON", "deep list"):
                yield one
        for geometry in GEOMETRIES:
            yield Odd("geometry", self.feature(json.dumps(told(row, dice)), geometry))
        here = json.dumps(told(row, dice))
        for more in (', "id": 1000', ', "id": {"tess": 1}', ', "geometry": null', ', "properties": {"who": "tess 5"}', ', "attributes": {"who": "sam 1"}', ', "bbox": [0, 0, 1]', ', "crs": {"type": "name", "properties": {"name": "EPSG:3857"}}',
                     ', "features": [{"type": "Feature"}]', ', "type": "FeatureCollection"'):  # fmt: skip
            yield Odd("more", self.feature(here, self.point(row), more))
        yield Odd("Esri", f'{{"attributes": {here}, "geometry": {{"x": 1.5, "y": 1.5}}}}')
        yield Odd("no type", f'{{"properties": {here}, "geometry": {self.point(row)}}}')
        yield Odd("bare", here)


class GeoJsonLines(GeoJson):
    """A feature on each line."""

    def __init__(self):
        super().__init__("GeoJSON lines", file="survey.geojsonl", pairs=80)
        self.options = dict(format="geojsonl", columns=NAMES)

    def odd(self, dice):
        for one in super().odd(dice):
            yield Odd(one.name, one.data)

    def content(self, records, dice):
        return "".join(record + "\n" for record in records)


def xml(value):
    """A value as XML holds it, without the marks that XML has no place for."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "".join(
        one
        for one in text
        if one in "\t\n\r"
        or (one >= " " and not "\ud800" <= one <= "\udfff" and one not in "\ufffe\uffff")
    )


class Xml(Family):
    """Elements between a `head` and a `tail`; T's may be no XML at all."""

    placed = True
    head = tail = ""
    file = ""
    pairs = 150

    def write(self, folder, records, dice):
        path = folder / self.file
        path.write_bytes(
            (self.head + "\n".join(records) + self.tail).encode("utf-8", "surrogatepass")
        )
        return path

    def wrong(self, element):
        for text in ("<", "&", "&tess;", "</", "]]>", "<a b=c>", "<tess>", "</tess>", "\x00", "\x01", "&#0;", "&#x1F;", "<!DOCTYPE a>", '<!ENTITY a "tess">', "<?xml version='1.0'?>", "<!-- -- -->", "<a a='1' a='2'/>", "<x:y/>" * 0 + "<![CDATA[tess",
                     self.tail, "\ud800"):  # fmt: skip
            yield Odd("no XML", element.replace("TEXT", text), whole=False)
        for text in ("&lt;&amp;&#233;&#x1F985;", "<![CDATA[<tess>&]]>", "<!-- sam 1 -->", "<?tess sam 1?>", "tess<!-- x -->1", "t<b>sam 1</b>ess", " \n tess \t", "x" * 100_000, "<![CDATA[]]>", "\u0085\u2028", "<tess:who xmlns:tess='urn:t'>tess 4</tess:who>", "<who>tess 4</who>"):  # fmt: skip
            yield Odd("text", element.replace("TEXT", text))
        deep = 5_000
        yield Odd("deep", element.replace("TEXT", "<a>" * deep + "tess" + "</a>" * deep))
        yield Odd(
            "many",
            element.replace(
                "TEXT", "".join(f"<t{number}>tess</t{number}>" for number in range(2000))
            ),
        )


class Kml(Xml):
    """Placemarks, in a folder or beside it."""

    name, file = "KML", "survey.kml"
    first = ("keys", "deep", "nested")
    options = dict(format="kml", columns=NAMES)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>all</name>'
    tail = "</Document></kml>"

    def data(self, row, dice):
        written = ""
        for name, value in row.items():
            if value is None:
                continue
            text, at = escape(xml(value)), quoteattr(name)
            if not name.isalnum() or dice.random() < 0.5:
                written += dice.choice(
                    (
                        f"<Data name={at}><value>{text}</value></Data>",
                        f'<SchemaData schemaUrl="#s"><SimpleData name={at}>{text}</SimpleData></SchemaData>',
                    )
                )
            else:
                written += f"<{name}>{text}</{name}>"
        return f"<ExtendedData>{written}</ExtendedData>"

    def mark(self, data, shape):
        return f"<Placemark>{data}{shape}</Placemark>"

    def point(self, text):
        return f"<Point><coordinates>{text}</coordinates></Point>"

    def record(self, row, dice):
        return self.mark(
            self.data(row, dice), self.point(escape(xml(f"{row['lon']},{row['lat']}")))
        )

    def odd(self, dice):
        row = a_row(dice, "tess")
        here, spot = self.data(row, dice), self.point("1.5,1.5,0")
        whole = self.mark(here, spot)
        for name, one in keys(dice):
            yield Odd(
                f"keys: {name}",
                self.mark(
                    self.data({xml(key) or "x": xml(value) for key, value in one.items()}, dice),
                    spot,
                ),
            )
        yield from self.wrong(self.mark(f"{here}<note>TEXT</note>", spot))
        yield from self.wrong(
            self.mark(
                f"<ExtendedData><Data name='who'><value>TEXT</value></Data></ExtendedData>{here}",
                spot,
            )
        )
        yield Odd("nested", self.mark(here + whole, spot))
        yield Odd("nested", self.mark(f"<Folder><name>sam</name>{whole}</Folder>", spot))
        for text in (
            "",
            " ",
            "1.5",
            "1.5,",
            "tess,1",
            "1.5,1.5 2.5,2.5",
            "1.5 , 1.5",
            "nan,1",
            "1e999,1",
            ",,,",
            "1.5;1.5",
            "0." + "3" * 6000 + ",1",
            "\n1.5,1.5\n",
        ):
            yield Odd("coordinates", self.mark(here, self.point(text)))
        ring = "<outerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates></LinearRing></outerBoundaryIs>"
        for shape in ("", "<Point/>", "<Point><coordinates/></Point>", spot * 2, f"<MultiGeometry>{spot}</MultiGeometry>", f"<MultiGeometry>{spot}{spot}</MultiGeometry>", f"<Polygon>{ring}</Polygon>", "<Polygon/>", f"<Polygon>{ring}{ring}</Polygon>",
                      "<LineString><coordinates>1,1 2,2</coordinates></LineString>", "<LineString><coordinates>1,1</coordinates></LineString>", "<gx:Track xmlns:gx='urn:g'><gx:coord>1 1</gx:coord></gx:Track>", "<coordinates>1.5,1.5</coordinates>",
                      f"<MultiGeometry>{spot}<Polygon>{ring}</Polygon></MultiGeometry>", f"<LinearRing><coordinates>1,1</coordinates></LinearRing>{spot}"):  # fmt: skip
            yield Odd("shape", self.mark(here, shape))
        yield Odd("a folder", f"<Folder><name>tess</name>{whole}</Folder>")
        yield Odd("folders", "<Folder>" * 3000 + whole + "</Folder>" * 3000)
        yield Odd(
            "a document",
            f"<Document><name>tess</name>{whole}<Schema name='who' id='s'><SimpleField name='who' type='int'/></Schema></Document>",
        )
        for text in ("<name>Sightings</name>", "<Style><who>sam 1</who></Style>", "tess", "<Point><coordinates>1.5,1.5</coordinates></Point>", "<Data name='who'><value>sam 1</value></Data>", "<Placemark/>", "<NetworkLink><href>tess</href></NetworkLink>",
                     "<Schema name='who'><SimpleField name='lon' type='int'/></Schema>", "<GroundOverlay><name>tess</name></GroundOverlay>", "<who>sam 1</who>", "<SimpleData name='who'>"):  # fmt: skip
            yield Odd("beside", text, whole=text != "<SimpleData name='who'>")


class KmlFolder(Kml):
    """Placemarks in the one folder that is asked for."""

    name, pairs = "KML with a folder", 80
    options = dict(format="kml", columns=NAMES, layer="Sightings")
    head = Kml.head + "<Folder><name>Sightings</name>"
    tail = "</Folder><Folder><name>Others</name></Folder>" + Kml.tail


class Gpx(Xml):
    """Waypoints with extensions."""

    name, file = "GPX", "survey.gpx"
    first = ("keys", "track", "deep")
    options = dict(format="gpx", columns=NAMES, layer="waypoints")
    head = '<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">'
    tail = "</gpx>"

    def data(self, row, dice):
        return "".join(
            f"<{name}>{escape(xml(value))}</{name}>"
            for name, value in row.items()
            if value is not None and name.isalnum() and name.isascii()
        )

    def record(self, row, dice):
        at = f"lat={quoteattr(xml(row['lat']))} lon={quoteattr(xml(row['lon']))}"
        inside = self.data(row, dice)
        return f"<wpt {at}>{inside if dice.random() < 0.5 else f'<extensions>{inside}</extensions>'}</wpt>"

    def odd(self, dice):
        row = a_row(dice, "tess")
        here = self.data(row, dice)
        whole = f'<wpt lat="1.5" lon="1.5">{here}</wpt>'
        for name, one in keys(dice):
            yield Odd(
                f"keys: {name}",
                f'<wpt lat="1.5" lon="1.5">{self.data({key: xml(value) for key, value in one.items() if not key[:1].isdigit()}, dice)}</wpt>',
            )
        yield from self.wrong(f'<wpt lat="1.5" lon="1.5">{here}<note>TEXT</note></wpt>')
        yield from self.wrong(f'<wpt lat="1.5" lon="1.5"><who>TEXT</who>{here}</wpt>')
        for at in (
            "",
            'lat="1.5"',
            'lon="1.5"',
            'lat="" lon=""',
            'lat="tess" lon="1"',
            'lat="1,5" lon="1,5"',
            'lat="nan" lon="inf"',
            'Lat="1.5" Lon="1.5"',
            'lat="1.5" lon="1.5" who="sam 1"',
            'lat="1e999" lon="1"',
            'lat="91" lon="181"',
        ):
            yield Odd("place", f"<wpt {at}>{here}</wpt>")
        yield Odd("nested", f'<wpt lat="1.5" lon="1.5">{here}{whole}</wpt>')
        yield Odd(
            "nested",
            f'<wpt lat="1.5" lon="1.5">{here}<trkpt lat="2.5" lon="2.5"><who>sam 1</who></trkpt></wpt>',
        )
        yield Odd(
            "track",
            f'<trk><name>sam 1</name><trkseg><trkpt lat="1.5" lon="1.5">{here}</trkpt></trkseg></trk>',
        )
        yield Odd(
            "route", f'<rte><name>sam 1</name><rtept lat="1.5" lon="1.5">{here}</rtept></rte>'
        )
        yield Odd("route", f"<rte>{whole}</rte>")
        yield Odd("inside", f"<extensions><a>{whole}</a></extensions>")
        yield Odd("beside", "<metadata><name>tess</name></metadata><who>sam 1</who>")


class GpxTracks(Gpx):
    """Points of tracks; who walked is the track's name."""

    name, pairs = "GPX tracks", 80
    options = dict(format="gpx", columns=NAMES + ",around.name", layer="track_points")

    def record(self, row, dice):
        at = f"lat={quoteattr(xml(row['lat']))} lon={quoteattr(xml(row['lon']))}"
        who = "" if row["who"] is None else f"<name>{escape(xml(row['who']))}</name>"
        return f"<trk>{who}<trkseg><trkpt {at}>{self.data(row, dice)}</trkpt></trkseg></trk>"


class Patrols(Xml):
    """SMART's patrols: its own columns, leader and members beside."""

    name, file, pairs = "SMART patrols", "survey.xml", 100
    placed = True  # by X and Y, as the format says
    options = dict(unit="Leader", team="none")
    questions = ("patrols", "members")
    head = '<?xml version="1.0"?>\n<patrols xmlns="http://www.smartconservationsoftware.org/xml/1.2/patrol">'
    tail = "</patrols>"

    def leg(self, who, x, y, more=""):
        given, _, family = xml(who).partition(" ")
        return (
            f'<legs id="1">{more}<members givenName={quoteattr(given)} familyName={quoteattr(family)} isLeader="true"/><days date="2020-01-01">'
            f'<waypoints id="1" x={quoteattr(xml(x))} y={quoteattr(xml(y))}/></days></legs>'
        )

    def record(self, row, dice):
        return f"<patrol id={quoteattr(xml(row['note'] or 'p'))}>{self.leg('' if row['who'] is None else row['who'], row['lon'], row['lat'])}</patrol>"

    def odd(self, dice):
        leg = self.leg("tess", 1.5, 1.5)
        point = '<waypoints id="1" x="2.5" y="2.5"/>'
        yield from self.wrong(f"<patrol><note>TEXT</note>{leg}</patrol>")
        for inside in (
            leg * 2, leg + point, point, f"<legs>{point}</legs>", "<legs/>" + point, leg + f"<legs>{point}</legs>", self.leg("tess", 1, 1, '<members givenName="tess" familyName="2"/>'),
            self.leg("tess", 1, 1, '<members employeeId="tess;3|4"/><members isLeader="1"/>'), self.leg("tess; tess 2|tess 3", 1, 1), f"<patrol>{leg}</patrol>", f"<legs>{leg}{point}</legs>", "<members givenName='tess'/>" + point,
            "<legs><days><waypoints/></days></legs>", "<legs><waypoints x='tess' y=''/></legs>", leg.replace("legs", "leg"), leg.replace("members", "Members"),
        ):  # fmt: skip
            yield Odd("patrol", f"<patrol id='tess'>{inside}</patrol>")
        yield Odd("after", f"<patrol/>{point}")
        yield Odd("after", f"<members givenName='tess' isLeader='true'/>{point}<patrol/>")


GEOJSON, JSON, GPX, KML = GeoJson(), Json("JSON list"), Gpx(), Kml()
FAMILIES = (
    JSON, Json("JSON list, packed", file="survey.json.gz", pairs=60), Json("JSON below a key", "results", pairs=100), Json("JSON below keys", "data.records", pairs=60), JsonLines(pairs=100),
    GEOJSON, GeoJson("GeoJSON below a key", "data.features", file="survey.json", pairs=60), GeoJsonLines(),
    KML, KmlFolder(), GPX, GpxTracks(), Patrols(),
)  # fmt: skip
