"""Delimited text: CSV with and without header, quoted and not, in several encodings."""

from side_by_side import FIELDS, Family, Odd, a_row

HEADER = ",".join(FIELDS)


def plain(value):
    """A value as a text export writes it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


class Csv(Family):
    """A headered file of `ends` and separator; `quoting` is how often a field is quoted that need not be."""

    first = ("fewer fields", "another separator", "'m, \"5'")

    def __init__(
        self,
        name,
        *,
        ends="\n",
        mark=",",
        quoting=0.1,
        encoding="utf-8",
        before=b"",
        header=True,
        file="survey.csv",
        pairs=200,
        limits=None,
        **options,
    ):
        self.limits = limits or {}
        self.name, self.ends, self.mark, self.quoting, self.encoding = (
            name,
            ends,
            mark,
            quoting,
            encoding,
        )
        self.before, self.header, self.file, self.pairs = before, header, file, pairs
        self.options = dict(options)
        if not header:
            self.options["columns"] = HEADER
            if mark != ",":
                self.options["delimiter"] = mark

    def field(self, text, dice):
        if (
            any(one in text for one in (self.mark, '"', "\n", "\r"))
            or dice.random() < self.quoting
            or text.startswith(" ")
        ):
            return '"' + text.replace('"', '""') + '"'
        return text

    def record(self, row, dice):
        return self.bytes(
            self.mark.join(self.field(plain(row[name]), dice) for name in FIELDS) + self.ends
        )

    def bytes(self, text):
        return text.encode(
            self.encoding, "surrogatepass" if self.encoding.startswith("utf") else "replace"
        )

    def odd(self, dice):
        yield from raw_lines(self, dice)

    def content(self, records):
        head = self.bytes(self.mark.join(FIELDS) + self.ends) if self.header else b""
        return self.before + head + b"".join(records)

    def write(self, folder, records, dice):
        path = folder / self.file
        path.write_bytes(self.content(records))
        return path


def raw_lines(family, dice):
    """Lines of T, with marks where no export puts them."""

    def line(*, end=None, **told):
        row = a_row(dice, "tess", **told)
        return [plain(row[name]) for name in FIELDS], family.ends if end is None else end

    def put(text, whole=True, name=None):
        return Odd(name or "line", family.bytes(text + family.ends), whole)

    mark, last = family.mark, len(FIELDS) - 1
    for at in (0, 1, 3, last):
        for text, whole in (
            ('m "5', True), ('m, "5', False), ('"', False), (' "', False), ('  " x', False), ('"a"b', True), ('"a" b', True), ('"a"  ', True), ('a"b"', True),
            ('""', True), ('"""', False), ('""""', True), ('"a""', False), ("'", True), ('\\"', True), ('"\\"', True), ('"\\""', False), ('"a\\"b"', True), ('x""', True),
            ('"x\ny"', True), ('"x\r\ny"', True), ('"x\ry"', True), ("x\ry", True), ("x\ny", True), ("\0", True), ('"\0"', True), ('"x"\0', True), ('\0"x"', True),
            ('"a,5",b"', True), ('"" x ""', True), ("\ufeff", True), ('\ufeff"x"', True), ('"\n"', True), ('"\n\n\n"', True), ('"\n', False), ('\n"', False), (' "x" ', True),
        ):  # fmt: skip
            fields, end = line()
            fields[at] = text
            yield Odd(f"{text!r} at {at}", family.bytes(mark.join(fields) + end), whole)
    yield from (put(f"sep={one}") for one in ";,\t|")
    yield from (
        put(text)
        for text in (
            "",
            " ",
            mark,
            mark * 40,
            "#tess",
            "tess",
            HEADER,
            HEADER.upper(),
            '""',
            "\0",
            "\x1a",
            "\\N",
            "--",
            "\x1e",
            "\ufeff" + HEADER,
        )
    )
    for extra in (mark, mark + "x", mark * 300, mark + '"x"', mark + '"x\ny"', " " + mark):
        fields, end = line()
        yield Odd("more fields", family.bytes(mark.join(fields) + extra + end))
    for left in (1, 2, 3, 5):
        yield put(mark.join(line()[0][:left]), name="fewer fields")
    for other in {";", ",", "\t", "|"} - {mark}:
        yield put(other.join(line()[0]), name="another separator")
    for note in (
        "x\nsam 1,0.5,0.5,2020-01-01,yes,1,1,,,,Kestrel,1,1,seen\ny",
        "x\nsam 1,1,1\ny",
        "x\nsam 1\ny",
        "\nsam 1,0.5,0.5,2020-01-01,yes\n",
        "a\n1,2\n3,4\nb",
    ):
        fields, end = line()
        fields[last] = '"' + note + '"'
        yield Odd("a row in a text", family.bytes(mark.join(fields) + end))
    for raw in (
        b"\xff",
        b"\xc3",
        b"\xe9",
        b"\xed\xa0\x80",
        b"\xf8\x88\x80\x80\x80",
        b"\x81",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xc3\x28",
        bytes(range(128, 256)),
    ):
        fields, end = line()
        for at in (0, last):
            head, tail = (
                family.bytes(
                    mark.join([*fields[:at], ""]) if at else "",
                ),
                family.bytes(mark.join(["", *fields[at + 1 :]]) if at < last else ""),
            )
            yield Odd(
                "bytes",
                head + b"tess" + raw + tail + family.bytes(end),
                not family.encoding.startswith("utf-16"),
            )
    for end in {"\n", "\r", "\r\n"} - {family.ends}:
        yield Odd("another line end", family.bytes(mark.join(line()[0]) + end), whole=True)
        yield Odd(
            "another line end",
            family.bytes(mark.join(line(note='"x' + end + 'y"')[0]) + end),
            whole=True,
        )
    for size in (70_000, 300_000):
        yield put(mark.join(line(note="x" * size)[0]), name="long")
        yield put(mark.join(line(note='"' + "x\n" * (size // 2) + '"')[0]), name="long text")
    yield put(mark * 5000, name="wide")
    for _ in range(60):
        soup = "".join(
            dice.choices(
                [
                    '"',
                    mark,
                    "\n",
                    "\r",
                    " ",
                    ";",
                    "1",
                    "tess",
                    "a",
                    "\0",
                    '""',
                    f'{mark}"',
                    f'"{mark}',
                ],
                k=dice.choice((2, 5, 12, 40)),
            )
        )
        yield Odd("soup", family.bytes(soup + family.ends), whole=False)
    for _ in range(30):
        data = bytearray(family.record(a_row(dice, "tess", note='a "b" c'), dice))
        for _ in range(dice.choice((1, 1, 3))):
            data[dice.randrange(len(data))] = dice.choice(b'",\n\r \0;\xff=1\t')
        yield Odd("changed", bytes(data) + family.bytes(family.ends), whole=False)


class Utf16(Csv):
    """UTF-16 with its mark of order."""

    first = (r"'0\ufeff.5'", r"'\ufeff0.5'")

    def __init__(self, name, **told):
        super().__init__(name, encoding="utf-16-le", before=b"\xff\xfe", **told)

    def odd(self, dice):
        for text in ("0\ufeff.5", "\ufeff0.5"):  # a place where a chunk may begin
            for at in (1, 2):
                fields = [plain(value) for value in a_row(dice, "tess").values()][: len(FIELDS)]
                fields[at] = text
                yield Odd(f"{text!r} at {at}", self.bytes(self.mark.join(fields) + self.ends))
        for one in raw_lines(self, dice):
            if len(one.data) % 2 == 0 and one.whole:
                yield one
            elif len(one.data) % 2:
                yield Odd("half a mark", one.data, whole=False)


class Gbif(Csv):
    """GBIF's simple download: tabs, and no quoting at all."""

    def __init__(self):
        super().__init__("TSV without quoting", mark="\t", quoting=0, file="0001.csv", pairs=120)
        self.extra = (
            "gbifID",
            "datasetKey",
            "occurrenceID",
            "basisOfRecord",
            "decimalLatitude",
            "decimalLongitude",
            "recordedBy",
        )

    def field(self, text, dice):
        return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")

    def record(self, row, dice):
        told = [self.field(plain(row[name]), dice) for name in FIELDS]
        return ("\t".join([*told, "1", "k", "o", "H", told[2], told[1], told[0]]) + "\n").encode(
            "utf-8", "surrogatepass"
        )

    def content(self, records):
        return ("\t".join([*FIELDS, *self.extra]) + "\n").encode() + b"".join(records)


class Mixed(Csv):
    """Lines that end in several ways."""

    def record(self, row, dice):
        kept, self.ends = self.ends, dice.choice(("\n", "\r\n", "\r"))
        made = super().record(row, dice)
        self.ends = kept
        return made


SEAMS = {
    "dpmap.survey.files.tables.CHUNK": 53,
    "dpmap.survey.files.strict_csv.BLOCK": 37,
    "dpmap.survey.files.strict_csv.LONGEST": 1500,
    "dpmap.survey.files.lines.LINE_LIMIT": 100_000,
}
"""A record of S has some 80 bytes: chunks and blocks end within every one."""
CSV, HEADLESS = Csv("CSV", pairs=300), Csv("CSV without header", header=False, pairs=200)
SMALL_BLOCKS = Csv(
    "CSV, all quoted, by small blocks",
    quoting=1,
    pairs=160,
    limits=SEAMS | {"dpmap.survey.files.strict_csv.BLOCK": 400},
)
SMALL_BLOCKS.first = (r"""'"x\ny"'""", r"""'"\n\n\n"'""")
SMALL_CHUNKS = Utf16(
    "CSV in UTF-16, by small chunks",
    pairs=120,
    limits=SEAMS | {"dpmap.survey.files.tables.CHUNK": 6},
)
FAMILIES = (
    CSV,
    Csv("CSV, all quoted", quoting=1, pairs=100),
    Csv("CSV with CRLF", ends="\r\n", pairs=140),
    Csv("CSV with CR", ends="\r", pairs=120),
    Mixed("CSV, ends mixed", pairs=100),
    Csv("CSV with semicolons", mark=";", pairs=120),
    Csv("CSV with BOM and sep=", before=b"\xef\xbb\xbfsep=,\n", pairs=80),
    Csv("CSV in cp1252", encoding="cp1252", pairs=80),
    Csv("CSV declared latin-1", encoding="latin-1", pairs=80),
    Utf16("CSV in UTF-16", pairs=100),
    HEADLESS,
    Csv("CSV without header, pipes", header=False, mark="|", pairs=80),
    Csv("TSV with quotes", mark="\t", file="survey.tsv", pairs=120),
    SMALL_BLOCKS,
    Mixed("CSV, ends mixed, by small blocks", pairs=120, limits=SEAMS),
    SMALL_CHUNKS,
    Gbif(),
)
FAMILIES[8].options["encoding"] = "latin-1"
