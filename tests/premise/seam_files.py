"""Records at the seams of their readers: ends of chunks, limits of length and depth, and elements called like what encloses them.

The same families as elsewhere, read in chunks of a few bytes and with small limits (`make_seams_small`), so that each seam is
crossed in a few records instead of megabytes. S and T stand in one track, one leg, one folder.
"""

import json
from xml.sax.saxutils import escape, quoteattr

from record_files import GeoJson, Gpx, Json, JsonLines, Kml, Patrols, xml
from side_by_side import QUESTIONS, Odd, Question, a_row

from dpmap.survey.files import json_text, lines, records, tables, xml_records

CHUNK = 61
DEEPEST = json_text.NESTED
LONGEST = 50_000
"""Characters of the longest record of JSON, and of a line's."""
LONG_NOTE = "".join(chr(0x3B1 + at % 24) + "x\U0001f985"[at % 2] for at in range(120))
"""A text over several chunks, in characters of one to four bytes."""

QUESTIONS["tracks"] = Question("tracks", policy=dict(unit="who+around.name"))
QUESTIONS["legs"] = Question("legs", policy=dict(unit="Waypoint ID+Leader"))


def make_seams_small(patch):
    """Makes chunks, batches and limits so small that some records cross them all."""
    patch.setattr(tables, "CHUNK", CHUNK)
    patch.setattr(json_text, "MOST", LONGEST)
    patch.setattr(lines, "LONGEST", LONGEST)
    patch.setattr(records, "AT_ONCE", 3)
    patch.setattr(xml_records, "MOST_TEXT", 200)


def nested_values(depth):
    """Texts of JSON that are nested so deep, brackets in texts not counted."""
    yield "[" * depth + "]" * depth
    yield '{"a":' * depth + '"]}"' + "}" * depth
    yield (
        '[{"\\"]":' * (depth // 2)
        + "[1, 2]" * (depth % 2)
        + "1" * (1 - depth % 2)
        + "}]" * (depth // 2)
    )


def seam_values():
    """Values at a limit, or with an end of a chunk in an escape, a character or a number."""
    for depth in (DEEPEST - 2, DEEPEST - 1, DEEPEST, 960, 3_000):  # a record is one object more
        yield from ((f"deep {depth}", value) for value in nested_values(depth))
    for length in (LONGEST - 400, LONGEST):
        yield "long", f'"{"x" * length}"'
    for unit in (
        "\\ud83e\\udd85",
        "\U0001f985",
        "\\\\",
        '\\"',
        "\\ud83e",
        "\u00e9]",
        "\ufeff",
        "\\u0000",
    ):
        yield "escapes", f'"{unit * 40}"'
    yield "numbers", "[" + ", ".join(["-1.5e+10", "NaN", "-Infinity", "9" * 70]) + "]"


def seam_records(dice):
    """Objects of T with a value of each kind, where it is read or where it is not, in any order."""
    start = json.dumps(
        {name: value for name, value in a_row(dice, "tess").items() if value is not None}
    )[:-1]
    for name, value in seam_values():
        yield Odd(name, f'{start}, "{dice.choice(("tess", "note", "kind", "when"))}": {value}}}')


class SeamJson(Json):
    """A list of records that chunks cut anywhere."""

    first = ("deep 99", "deep 960", "long")

    def __init__(self):
        super().__init__("JSON in small chunks", pairs=60)

    def record(self, row, dice):
        return super().record(row | {"note": row["note"] and LONG_NOTE}, dice)

    def odd(self, dice):
        yield from seam_records(dice)
        yield Odd("deep list", "[" * 970 + "]" * 970)


class SeamLines(JsonLines):
    """A record on each line, which chunks cut anywhere; some begin with a mark of order."""

    first = ("deep 99", "long", "mark")

    def __init__(self):
        super().__init__("JSON lines in small chunks", pairs=60)

    def record(self, row, dice):
        marks = dice.choice(("", "\ufeff", "\x1e"))
        return marks + super().record(row | {"note": row["note"] and LONG_NOTE}, dice)

    def odd(self, dice):
        yield from seam_records(dice)
        yield Odd("mark", "\ufeff")
        yield Odd("mark", "")


class SeamGeoJson(GeoJson):
    """Features that chunks cut anywhere, with shapes nested at the limit."""

    first = ("deep 99", "shape")

    def __init__(self):
        super().__init__("GeoJSON in small chunks", pairs=60)

    def odd(self, dice):
        row = a_row(dice, "tess")
        for one in seam_records(dice):
            yield Odd(one.name, self.feature(one.data, self.point(row)))
        properties = json.dumps({"who": "tess"})
        for depth in (DEEPEST - 2, DEEPEST - 1):  # a feature and its geometry are two objects more
            shape = f'{{"type": "Point", "coordinates": {"[" * depth}{"]" * depth}}}'
            yield Odd("shape", self.feature(properties, shape))


AROUND = (
    "<trk/>", "<rte/>", "<trk><name>tess</name></trk>", "<trkseg/>", "<gpx/>", "<rte><name>tess", "<trkpt/>", "<rtept/>", "<wpt/>",
    "<trkpt/><trk/>", "<wpt><rte/></wpt><trk/>", "<x:trk xmlns:x='urn:t'/>", "<name>tess</name>", "<legs/>", "<patrol/>", "<patrols/>",
    "<legs id='9'/>", "<patrol id='9'><legs><members givenName='tess' isLeader='true'/></legs></patrol>", "<waypoints/><legs/>",
    "<members givenName='tess' isLeader='true'/>", "<days><legs/></days>", "<Folder/>", "<Document/>", "<Folder><name>Sightings</name></Folder>",
    "<Placemark/><Folder/>", "<Placemark><Folder/></Placemark>",
)  # fmt: skip
"""Elements called like those that enclose records, to stand within a record."""


def closed(text):
    """The text with what it leaves open closed."""
    return f"{text}</name></rte>" if text.endswith("<name>tess") else text


class SharedTrack(Gpx):
    """Points of one track, whoever recorded them."""

    name, pairs = "GPX, one track", 60
    questions = ("tracks", "plain")
    first = ("around",)
    options = dict(format="gpx", columns="who,when,ok,note,around.name", layer="track_points")
    head = Gpx.head + "<trk><name>the walk</name><trkseg>"
    tail = "</trkseg></trk>" + Gpx.tail

    def record(self, row, dice):
        at = f"lat={quoteattr(xml(row['lat']))} lon={quoteattr(xml(row['lon']))}"
        return f"<trkpt {at}><extensions>{self.data(row, dice)}</extensions></trkpt>"

    def odd(self, dice):
        here = self.data(a_row(dice, "tess"), dice)
        for text in map(closed, AROUND):
            yield Odd(
                "around",
                f'<trkpt lat="1.5" lon="1.5">{here}<extensions>{text}</extensions></trkpt>',
            )
            yield Odd("around", f'<trkpt lat="1.5" lon="1.5">{text}{here}</trkpt>')


class SharedLeg(Patrols):
    """Waypoints of one leg of one patrol."""

    name, pairs = "SMART patrols, one leg", 60
    questions = ("legs",)
    first = ("around",)
    options = dict(unit="Waypoint ID+Leader", team="none")
    head = (
        Patrols.head
        + '<patrol id="p"><legs id="1"><members givenName="ann" isLeader="true"/><days date="2020-01-01">'
    )
    tail = "</days></legs></patrol>" + Patrols.tail

    def record(self, row, dice):
        at = f"x={quoteattr(xml(row['lon']))} y={quoteattr(xml(row['lat']))}"
        who = "" if row["who"] is None else f"id={quoteattr(xml(row['who']))}"
        return f"<waypoints {who} {at}><observations>{escape(xml(row['note'] or ''))}</observations></waypoints>"

    def odd(self, dice):
        for text in map(closed, AROUND):
            yield Odd("around", f'<waypoints id="tess" x="1.5" y="1.5">{text}</waypoints>')
            yield Odd(
                "around",
                f'<waypoints id="tess" x="1.5" y="1.5"><observations>{text}</observations></waypoints>',
            )


class SeamKml(Kml):
    """Placemarks of one folder, with texts over several chunks and beyond the limit, in many pieces."""

    name, pairs = "KML in small chunks", 60
    questions = ("notes", "plain")
    first = ("around", "pieces")
    options = dict(format="kml", columns="who,when,ok,note", layer="Sightings")
    head = Kml.head + "<Folder><name>Sightings</name>"
    tail = "</Folder>" + Kml.tail

    def record(self, row, dice):
        return super().record(row | {"note": row["note"] and LONG_NOTE}, dice)

    def odd(self, dice):
        spot = self.point("1.5,1.5")
        for text in map(closed, AROUND):
            yield Odd(
                "around", self.mark(f"<who>tess</who><ExtendedData>{text}</ExtendedData>", spot)
            )
        for piece in ("x<!-- -->", "&amp;", "<![CDATA[x]]>", "\U0001f985", "&#x1F985;", "x<b/>"):
            for times in (30, 199, 200, 201):
                yield Odd("pieces", self.mark(f"<who>tess</who><note>{piece * times}</note>", spot))


JSON, LINES, TRACK, LEG, KML = SeamJson(), SeamLines(), SharedTrack(), SharedLeg(), SeamKml()
FAMILIES = (JSON, LINES, SeamGeoJson(), TRACK, LEG, KML)
