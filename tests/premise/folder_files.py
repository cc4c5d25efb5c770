"""Surveys in several files: packed, in archives and folders, and as Darwin Core Archives."""

import gzip
import io
import re
import tarfile
import warnings
import zipfile
from dataclasses import dataclass
from urllib.parse import quote

from record_files import KML, GeoJson, Json
from side_by_side import FIELDS, Family, Odd, a_row
from text_files import Csv, plain, raw_lines


@dataclass(frozen=True)
class Part:
    """A file of T's own beside the others."""

    name: str
    data: bytes


def row(dice, mark=","):
    told = a_row(dice, "tess")
    return (mark.join(plain(told[name]) for name in FIELDS) + "\n").encode()


def zipped(parts):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two members of one name
        for name, data in parts:
            archive.writestr(name, data)
    return held.getvalue()


def tarred(parts):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for name, data in parts:
            told = tarfile.TarInfo(name)
            told.size = len(data)
            archive.addfile(told, io.BytesIO(data))
    return held.getvalue()


HEAD = (",".join(FIELDS) + "\n").encode()


def parts_of(dice):
    """Files of T, and whether a survey may hold them beside its own."""
    body = HEAD + row(dice) + row(dice)
    for name in (
        "hers.csv",
        "a.csv",
        "A.csv",
        "PART-0.CSV",
        "0.csv",
        "zz.csv",
        "part-0 (1).csv",
        "[1].csv",
        "who=sam 1.csv",
        "%20.csv",
        "hers.txt",
        "hers.tab",
        "h'ers.csv",
        "h;ers.csv",
        "\u00e9.csv",
        "below/part-0.csv",
        "below/below/x.csv",
        "lon=7/x.csv",
    ):
        yield Odd(f"a part {name}", Part(name, body), whole="lon=7" not in name)
    for name in (
        "readme.csv",
        "README.txt",
        "metadata.csv",
        "citation.txt",
        ".hers.csv",
        "_hers.csv",
        "verbatim.txt",
        "hers.pdf",
        "hers.docx",
        "hers",
        "hers.sh",
        "LICENSE",
        "__MACOSX/._part-0.csv",
        "hers.csv.crc",
        "hers.prj",
        "multimedia.txt",
        "rights.txt",
        "hers.qgz",
    ):
        yield Odd("beside", Part(name, body))
    for name, data in (
        ("meta.xml", b"<archive/>"), ("meta.xml", b'<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence" fieldsTerminatedBy=","><files><location>part-0.csv</location></files><id index="0"/></core></archive>'),
        ("below/meta.xml", b"<a/>"), ("eml.xml", b"<eml/>"), ("hers.json", b"[]"), ("hers.geojson", b'{"type": "FeatureCollection", "features": []}'), ("hers.kml", b"<kml/>"), ("hers.gpx", b"<gpx/>"), ("hers.parquet", b"PAR1"), ("hers.gpkg", b"SQLite format 3\0"), ("hers.shp", b"\0\0\x27\x0a"),
        ("hers.zip", zipped([("x.csv", body)])), ("hers.xml", b"<patrols/>"), ("hers.fgb", b"fgb\x03"), ("xl/workbook.xml", b"<x/>"), ("content.xml", b"<x/>"), ("hers.csv", b"PAR1" + body), ("hers.csv", gzip.compress(body)), ("hers.csv", zipped([("x.csv", body)])),
        ("hers.csv", b"\xff\xfe" + body.decode().encode("utf-16-le")), ("hers.csv", b"\xef\xbb\xbf" + body), ("hers.csv", b"sep=,\n" + body), ("hers.csv", body.replace(b",", b";")), ("hers.tsv", body.replace(b",", b"\t")), ("hers.csv", body.replace(b"\n", b"\r\n")), ("hers.csv", body.replace(b"\n", b"\r")),
        ("hers.csv", HEAD), ("hers.csv", HEAD.strip()), ("hers.csv", HEAD.upper() + row(dice)), ("hers.csv", HEAD.replace(b"who,lon", b"lon,who") + row(dice)), ("hers.csv", HEAD.strip() + b",more\n" + row(dice)), ("hers.csv", b"who,lon\n" + row(dice)), ("hers.csv", row(dice) * 3), ("hers.csv", b"\n" * 50), ("hers.csv", b" "),
        ("hers.csv", b'"who'), ("hers.csv", b"<xml/>"), ("hers.csv", b"[1]"), ("hers.csv", b"\0" * 500), ("hers.csv", b"1,2,3\n4,5,6\n"), ("hers.csv", body + b'"'), ("hers.csv", body[:-1]), ("hers.csv.gz", gzip.compress(body)), ("hers.csv.gz", body), ("hers.csv.gz", gzip.compress(body) * 2), ("hers.gz", gzip.compress(body)), ("hers.csv.gz", gzip.compress(body)[:-9]),
        ("hers.csv.gz", gzip.compress(body) + b"hers"), ("empty.csv", b""), ("empty.parquet", b""), ("hers.csv", b'"who","lon"\n'), ("../hers.csv", body), ("/hers.csv", body), ("part-0.csv", body), ("part-1.csv", b"no\n"), ("x/../part-0.csv", body), ("hers.csv", HEAD + b'tess,"\n' * 50), ("hers.csv", HEAD + b"\xff\xfe\x00" + row(dice)), ("t" * 180 + ".csv", body),
    ):  # fmt: skip
        yield Odd(f"part {name[:20]}", Part(name, data), whole=False)


class Packed(Csv):
    """A CSV below gzip, or alone in an archive."""

    def __init__(self, name, pack, file, **more):
        super().__init__(name, file=file, **more)
        self.pack = pack

    def write(self, folder, records, dice):
        path = folder / self.file
        path.write_bytes(self.pack(self.content(records)))
        return path


class Parts(Csv):
    """The parts of one table in a folder or an archive; T may bring parts of its own."""

    accepted = 0.25
    first = ("a stored zip", "part meta", "part hers.json", "a part PART", "a part below/part")

    def __init__(self, name, shape="folder", parts=2, **more):
        super().__init__(name, **more)
        self.shape, self.parts = shape, parts

    def odd(self, dice):
        lines = list(raw_lines(self, dice))
        stored = zipped([("x.csv", HEAD + row(dice))]) if self.shape == "tar" else b""
        last = [
            Odd("a stored zip", Part(name, stored))
            for name in ("hers.bin", "zz.bin", "readme.zip")
            if stored
        ]
        return [*parts_of(dice), *dice.sample(lines, 60), *last]

    def members(self, records, dice):
        rows = [one for one in records if not isinstance(one, Part)]
        dealt = [[] for _ in range(self.parts)]
        for one in rows:
            dice.choice(dealt).append(one)
        own = [(f"part-{number}.csv", self.content(some)) for number, some in enumerate(dealt)]
        return own, [(one.name, one.data) for one in records if isinstance(one, Part)]

    def write(self, folder, records, dice):
        own, more = self.members(records, dice)
        if self.shape != "folder":
            path = folder / f"survey.{self.shape}"
            several = own + more
            dice.shuffle(several)
            path.write_bytes((zipped if self.shape == "zip" else tarred)(several))
            return path
        return in_folder(folder / "survey", own, more)


def in_folder(path, own, more):
    """A folder with these files; one of a name that is there already is not written."""
    path.mkdir()
    for name, data in [*own, *more]:
        file = path / name.lstrip("/").replace("..", "up")
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    return path


PATHS = (
    "kind=tess", "kind=1", "kind=1.0", "kind=true", "kind=2020-01-01", "kind=__HIVE_DEFAULT_PARTITION__", "kind=", "kind=%C3%BF", "kind=%FF", "kind=%00",
    "kind=%zz", "kind=1=2", "kind=%27%22", "kind='", "kind=Kestrel", "kind=otter", "a/kind=1", "kind=1/a", "kind=a%2Fb", "kind=1e5", "kind=007",
)  # fmt: skip
"""Folders of T that name the column that S's name."""
STRAYS = (".", "a", "KIND=1", "more=1", "kind=1/more=2", "more=1/kind=2", "who=1", "kind=1/kind=2", "=1", "kind", "kind=1/KIND=1", "%20=1/kind=2")  # fmt: skip
"""Folders of T that name other columns, or none."""


class Partitioned(Parts):
    """Files in folders that name a column, `kind`, which no file holds."""

    accepted = 0.3
    first = (
        "kind folder kind=t",
        "kind folder kind=1e",
        "kind stray a",
        "kind stray KIND",
        "kind column",
    )
    fields = tuple(name for name in FIELDS if name != "kind")
    kinds: dict[str, str] = {}
    """Other values of S's than words."""
    empty = "fox"
    """The folder of a file without rows."""

    def line(self, row, dice):
        told = [self.field(plain(row[name]), dice) for name in self.fields]
        return self.bytes(",".join(told) + "\n")

    def head(self):
        return self.bytes(",".join(self.fields) + "\n")

    def record(self, row, dice):
        kind = plain(row["kind"])
        return self.kinds.get(kind, kind), self.line(row, dice)

    def odd(self, dice):
        body = self.head() + self.line(a_row(dice, "tess"), dice)
        for folder in PATHS:
            for file in ("x.csv", "0.csv"):
                yield Odd(f"kind folder {folder}", Part(f"{folder}/{file}", body))
        yield Odd("kind column", Part("kind=1/x.csv", HEAD + row(dice)), whole=False)
        for folder in STRAYS:
            yield Odd(f"kind stray {folder}", Part(f"{folder}/x.csv", body), whole=False)
        for one in dice.sample(list(parts_of(dice)), 20):
            at = Part(f"kind=otter/{one.data.name.lstrip('/')}", one.data.data)
            yield Odd(f"{one.name} in a folder", at, whole=False)

    def members(self, records, dice):
        folders = {f"kind={self.empty}": []}
        for one in records:
            if not isinstance(one, Part):
                kind = quote(one[0], safe="") or "__HIVE_DEFAULT_PARTITION__"
                folders.setdefault(f"kind={kind}", []).append(one[1])
        own = [
            (f"{folder}/part-{at}.csv", self.head() + b"".join(lines[at::2]))
            for folder, lines in folders.items()
            for at in range(2)
        ]
        return own, [(one.name, one.data) for one in records if isinstance(one, Part)]


class Numbered(Partitioned):
    """Folders of S whose values look like numbers."""

    kinds = {"Kestrel": "1", "kestrel": "1.0", "Owl": "01"}
    empty = "1"


THEFT = (
    "gbifID,decimalLatitude,decimalLongitude,recordedBy", "observer_id", "longitude,latitude", "user_login,positional_accuracy,geoprivacy",
    "Who", "OK", "lon+lat", "crew|who", "who+kind", "who+note", "wkb_geometry", "dp_part", "cell", "unit", "x,y", "coordinateUncertaintyInMeters",
    "informationWithheld", "OBSERVER ID,GLOBAL UNIQUE IDENTIFIER", "location-long,location-lat", "row", "N", "EPS", "Date", "geometry", "survey",
)  # fmt: skip
"""Columns that a file of T may have besides: by which a format is recognised, or called like a role, a rule or a word of ours."""


def unions(dice):
    """Files of T with other columns than S's have."""
    for more in THEFT:
        values = ",".join(
            dice.choice(("1.5", "obscured", "sam 1", "", "tess")) for _ in more.split(",")
        )
        for name in ("0.csv", "zz.csv"):
            head = HEAD.strip() + f",{more}\n".encode()
            body = head + b"".join(row(dice).strip() + f",{values}\n".encode() for _ in range(2))
            asked = re.split(
                r"who\+|\|", more
            )  # by the question that its name says: `side_by_side.ABOUT`
            about = next((one for one in asked if one in ("crew", "kind", "note")), "more")
            yield Odd(f"{about} columns {more}", Part(name, body), whole=False)
    for gone in FIELDS:
        left = [name for name in FIELDS if name != gone]
        told = a_row(dice, "tess")
        body = ",".join(left) + "\n" + ",".join(plain(told[name]) for name in left) + "\n"
        yield Odd(f"without {gone}", Part(f"{dice.choice('0z')}.csv", body.encode()), whole=False)
    turned = list(reversed(FIELDS))
    told = a_row(dice, "tess")
    body = ",".join(turned) + "\n" + ",".join(plain(told[name]) for name in turned) + "\n"
    yield Odd("turned round", Part("0.csv", body.encode()))


class Union(Parts):
    """Files of one survey of which one person's may have other columns; found in a folder or named one by one."""

    accepted = 0.3
    first = (
        "more columns gbifID",
        "more columns Who",
        "more columns longitude",
        "note columns",
        "crew columns",
        "without ok",
        "turned",
    )

    def __init__(self, name, *, named=False, placed=False, **more):
        super().__init__(name, **more)
        self.named, self.placed = named, placed

    def odd(self, dice):
        return [*unions(dice), *dice.sample(list(super().odd(dice)), 20)]

    def write(self, folder, records, dice):
        path = super().write(folder, records, dice)
        if not self.named:
            return path
        files = sorted(str(one) for one in path.rglob("*") if one.is_file())
        dice.shuffle(files)
        return files


class RecordParts(Parts):
    """Files of records in a folder or archive."""

    def __init__(self, name, inner, ending, shape="folder", **more):
        super().__init__(name, shape, **more)
        self.inner, self.ending, self.placed = inner, ending, inner.placed
        self.options = inner.options

    def record(self, row, dice):
        return self.inner.record(row, dice)

    def odd(self, dice):
        return [
            *(Odd(one.name, one.data, whole=False) for one in parts_of(dice)),
            *self.inner.odd(dice),
        ]

    def members(self, records, dice):
        dealt = [[], []]
        for one in records:
            if not isinstance(one, Part):
                dice.choice(dealt).append(one)
        if isinstance(self.inner, Json):
            made = [
                self.inner.content(some, dice).encode("utf-8", "surrogatepass") for some in dealt
            ]
        else:
            made = [
                (self.inner.head + "".join(some) + self.inner.tail).encode("utf-8", "surrogatepass")
                for some in dealt
            ]
        own = [(f"part-{number}.{self.ending}", data) for number, data in enumerate(made)]
        return own, [(one.name, one.data) for one in records if isinstance(one, Part)]


OPEN = ("sam 1", "SAM 3", "1000", "1001", "Sam, 6", "sam")
"""People of S some of whose occurrences have no event."""
META = """<archive xmlns="http://rs.tdwg.org/dwc/text/">{core}{extension}</archive>"""
TABLE = (
    '<{tag} encoding="UTF-8" fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" fieldsEnclosedBy="{quote}" ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/{kind}">'
    '<files><location>{file}</location></files><{id} index="0"/>{fields}</{tag}>'
)


class Archive(Family):
    """A Darwin Core Archive of occurrences; with events, which name people or `named` is false. Where they do, some of S's occurrences
    have no event of their own, and anybody may write a line for them.
    """

    first = ("the keys", "an event twice", "keys alike", "events for")

    def __init__(self, name, *, events, quote="", shape="folder", named=False):
        self.name, self.events, self.quote, self.shape, self.named = (
            name,
            events,
            quote,
            shape,
            named,
        )
        self.pairs = 60 if quote else 100
        if named:  # events say nothing of a note or a kind, so they name none of these units
            self.questions = tuple(
                one for one in Family.questions if one not in ("notes", "two columns")
            )
        self.lines = Csv("lines", mark="\t", quoting=0.2 if quote else 0)
        self.own = (
            "key",
            *(name for name in FIELDS if not (events and name in ("lon", "lat", "when", "spot"))),
        )
        self.side = ("key", "lon", "lat", "when", "spot", *(["who"] if named else []))

    def line(self, values, dice):
        told = [plain(one) for one in values]
        if not self.quote:
            return "\t".join(
                one.replace("\t", " ").replace("\n", " ").replace("\r", " ") for one in told
            )
        return "\t".join(self.lines.field(one, dice) for one in told)

    def record(self, row, dice, key=None):
        key = key or f"{row['who']}-{dice.randrange(10**9)}".replace("\t", " ").replace(
            "\n", " "
        ).replace("\r", " ").replace('"', "'").replace("\0", "")
        told = {**row, "key": key}
        if (
            self.named and str(row["who"]) in OPEN and dice.random() < 0.5
        ):  # an occurrence whose event is missing
            told["key"] = f"open {row['who']}"
            return {"own": [self.line([told[name] for name in self.own], dice)]}
        made = {"own": [self.line([told[name] for name in self.own], dice)]}
        if self.events:
            made["side"] = [self.line([told[name] for name in self.side], dice)]
        return made

    def odd(self, dice):
        def of(who="tess", key=None):
            return self.record(a_row(dice, who), dice, key)

        twice = of(key="tess-1")
        if self.events:
            yield Odd(
                "an event twice", {"own": twice["own"], "side": twice["side"] * 2}, whole=False
            )
            yield Odd(
                "events of others",
                {
                    "own": [],
                    "side": [
                        self.line(
                            [f"{who}-1", 1.5, 1.5, "2020", "", *(["tess"] if self.named else [])],
                            dice,
                        )
                        for who in ("sam 1", "1000")
                    ],
                },
            )
            yield Odd("no event", {"own": twice["own"], "side": []}, whole=self.named)
            for who in (
                ("tess", "", "tess|tess 2", "n/a", "TESS", "sam 1x") if self.named else (None,)
            ):
                told = [] if who is None else [who]
                lines = [
                    self.line(
                        [f"open {one}", 1.5, 1.5, "2020-01-01", "POINT(1.5 1.5)", *told], dice
                    )
                    for one in OPEN
                ]
                yield Odd("events for others", {"own": [], "side": lines})
            yield Odd(
                "no key",
                {
                    "own": [self.line(["", "tess", *[""] * 9], dice)],
                    "side": [self.line(["", 1.5, 1.5, "2020", ""], dice)] * 2,
                },
            )
            yield Odd("no occurrence", {"own": [], "side": twice["side"]})
            yield Odd(
                "keys alike",
                {
                    "own": twice["own"],
                    "side": [
                        *twice["side"],
                        twice["side"][0].upper(),
                        " " + twice["side"][0],
                        twice["side"][0].replace("tess-1", "tess-1 ", 1),
                    ],
                },
            )
            yield Odd("the keys of others", None, whole=False)
        mark = chr(34)
        for text in ('"', '""', 'm, "5', '"a"b', "'", "\\", "\ufeff", "\0", "#", "", "\x1a"):
            broken = (
                bool(self.quote) and text.lstrip().startswith(mark) and text.count(mark) % 2 == 1
            )
            whole = of()
            yield Odd(
                f"text {text!r}",
                {
                    "own": [whole["own"][0] + "\t" + text],
                    **({"side": whole["side"]} if self.events else {}),
                },
                not broken,
            )
            dangling = self.events and not self.named
            yield Odd(f"line {text!r}", {"own": [text]}, not broken and not dangling)
        for extra in ("\t" * 30, "\ttess"):
            yield Odd("more fields", {"own": [of()["own"][0] + extra]})
        yield Odd("a part", Part("hers.txt", b"a\tb\n"), whole=False)
        yield Odd("a part", Part("below/occurrence.txt", b"a\tb\n"), whole=False)
        yield Odd("a part", Part("meta2.xml", b"<x/>"))
        yield Odd("a part", Part("readme.txt", b"x"))

    def write(self, folder, records, dice):
        own, side = ["\t".join(self.own)], ["\t".join(self.side)]
        keys = [one["side"][0] for one in records if isinstance(one, dict) and one.get("side")]
        for one in records:
            if one is None and keys:
                side += keys
            if isinstance(one, dict):
                own += one["own"]
                side += one.get("side", [])
        fields = lambda names: "".join(
            f'<field index="{at}" term="urn:x/{name}"/>' for at, name in enumerate(names) if at
        )
        table = lambda tag, key, kind, file, names: TABLE.format(
            tag=tag,
            id=key,
            kind=kind,
            file=file,
            fields=fields(names),
            quote="&quot;" if self.quote else "",
        )
        if self.events:
            meta = META.format(
                core=table("core", "id", "Event", "event.txt", self.side),
                extension=table("extension", "coreid", "Occurrence", "occurrence.txt", self.own),
            )
        else:
            meta = META.format(
                core=table("core", "id", "Occurrence", "occurrence.txt", self.own), extension=""
            )
        files = [
            ("meta.xml", meta.encode()),
            ("occurrence.txt", ("\n".join(own) + "\n").encode("utf-8", "surrogatepass")),
        ]
        if self.events:
            files.append(("event.txt", ("\n".join(side) + "\n").encode("utf-8", "surrogatepass")))
        more = [(one.name, one.data) for one in records if isinstance(one, Part)]
        if self.shape == "zip":
            path = folder / "survey.zip"
            path.write_bytes(zipped([*files, *more]))
            return path
        return in_folder(folder / "survey", files, more)


TAR = Parts("tar of CSV", "tar", pairs=60)
NUMBERED = Numbered("folders that name a column", pairs=250)
FOLDER, EVENTS = Parts("folder of CSV", pairs=150), Archive("Darwin Core events", events=True)
ZIP = Parts("zip of CSV", "zip", pairs=150)
NAMED = Archive("Darwin Core events that name people", events=True, named=True)
UNION = Union("folder of CSV whose columns differ", placed=True, pairs=60)
FAMILIES = (
    Packed("CSV in gzip", lambda data: gzip.compress(data, 1), "survey.csv.gz", pairs=60),
    Packed("CSV in a zip", lambda data: zipped([("survey.csv", data)]), "survey.zip", pairs=60),
    Packed("CSV in a zip in a zip", lambda data: zipped([("in.zip", zipped([("survey.csv", data)]))]), "survey.zip", pairs=60),
    NUMBERED, Partitioned("folders that name a column, in a zip", "zip", pairs=60),
    FOLDER, ZIP, TAR, Parts("folder of one CSV", parts=1, pairs=60), Parts("zip of one CSV", "zip", parts=1, pairs=60),
    Parts("folder of CSV without header", header=False, pairs=80),
    UNION, Union("folder of CSV whose columns differ, declared", pairs=60), Union("CSVs named one by one", named=True, pairs=60),
    Union("CSVs named one by one, recognised", named=True, placed=True, pairs=60),
    RecordParts("folder of GeoJSON", GeoJson(), "geojson", pairs=80), RecordParts("zip of JSON", Json("inner", "results"), "json", "zip", pairs=60), RecordParts("folder of KML", KML, "kml", pairs=60),
    Archive("Darwin Core occurrences", events=False), Archive("Darwin Core, quoted", events=False, quote='"'), EVENTS, Archive("Darwin Core events in a zip, quoted", events=True, quote='"', shape="zip"), NAMED,
)  # fmt: skip
