"""What portals call the kinds of a map, and the time that a map without times is of: declared,
and never read off a survey.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from dpmap.errors import BadInput

MOST = 200
"""The longest key or name, in signs."""
WRITE = '--taxon: write a kind and its key, like --taxon "Red deer=2440958,Cervus elaphus"'


@dataclass(frozen=True, slots=True)
class Taxa:
    """Says what the kinds of a map are called where portals look them up.

    - `keys`: the key of a kind in a portal's own list, by the kind's name.
    - `names`: its scientific name, by the kind's name, where the two differ.
    - `year`: the year, month or day, such as 2024 or 2024-05, of a map without times; `2008/2011`
      is from the first to the last.

    >>> Taxa({"Red deer": "2440958"}, {"Red deer": "Cervus elaphus"}).name("Red deer")
    'Cervus elaphus'
    """

    keys: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    year: str = ""

    @classmethod
    def from_kinds(
        cls, declared: "Mapping[str, str | tuple[str, str]] | None" = None, year: object = ""
    ) -> "Taxa":
        """Make them of each kind's key, or its key and scientific name.

        >>> Taxa.from_kinds({"Red deer": ("2440958", "Cervus elaphus"), "Hare": "7952072"}).keys
        {'Red deer': '2440958', 'Hare': '7952072'}
        """
        keys = dict[str, str]()
        names = dict[str, str]()
        for kind, value in (declared or {}).items():
            key, name = value if isinstance(value, tuple) else (value, "")
            words = [" ".join(str(text).split()) for text in (kind, key, name)]
            if not all(words[:2]) or not all(
                word.isprintable() and len(word) <= MOST for word in words
            ):
                raise BadInput(WRITE)
            keys[words[0]] = words[1]
            names |= {words[0]: words[2]} if words[2] else {}
        return cls(keys, names, " ".join(str(year or "").split()))

    @classmethod
    def parse(cls, texts: Iterable[str], year: str = "") -> "Taxa":
        """Read them as they are typed: `KIND=KEY` or `KIND=KEY,Scientific name`.

        >>> Taxa.parse(["Red deer=2440958,Cervus elaphus"]).names
        {'Red deer': 'Cervus elaphus'}
        """
        keys = dict[str, str | tuple[str, str]]()
        for text in texts:
            kind, sign, value = text.rpartition("=")
            key, _, name = value.partition(",")
            kind = kind.strip()
            if not sign:
                raise BadInput(WRITE)
            if kind in keys:
                raise BadInput(f"--taxon: {kind[:60]!r} is given twice; give each kind one key")
            keys[kind] = (key, name)
        return cls.from_kinds(keys, year)

    def pairs(self) -> "dict[str, str | tuple[str, str]]":
        """Return the key and scientific name of each kind, as `Taxa.from_kinds` takes them."""
        return {kind: (key, self.names.get(kind, "")) for kind, key in self.keys.items()}

    def name(self, kind: str) -> str:
        """Return what the kind is called: its scientific name where one is declared."""
        return self.names.get(kind, kind)

    def days(self) -> tuple[date, date] | None:
        """Return the first and last day of the declared time; None where none is declared.

        >>> Taxa(year="2008/2011").days()
        (datetime.date(2008, 1, 1), datetime.date(2011, 12, 31))
        """
        if not self.year:
            return None
        from dpmap.grid.layer_axes import span_of  # numpy, which a command's flags do not need

        start, _, end = self.year.partition("/")
        try:
            first = span_of(start)[0]
            last = span_of(end or start)[1]
        except BadInput:
            first = date.max
            last = date.min
        if first > last:
            raise BadInput(
                "--year: write a year, a month or a day, like --year 2024 or --year 2024-05"
            )
        return first, last
