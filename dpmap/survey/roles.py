"""The part each column plays, fixed before a row is read. Public: column names and rules are not data."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from dpmap.errors import BadInput
from dpmap.grid.axes import Values
from dpmap.policy import Consent
from dpmap.survey.formats import Place, Rule

Missing = Literal["drop", "own-unit"]
ConsentBy = Literal["row", "unit"]
Signals = Literal["all", "wishes", "none"]

TEAM_SHARES = 720720
"""Divisible by every team size up to 16, so that shares of a point are exact; larger teams round down."""
MOST_WEIGHT = (1 << 29) - 1


@dataclass(frozen=True, slots=True)
class Reading:
    """How rows are read beyond where they are: options with one honest default each.

    `team` says how names in one cell are told apart (`auto`, `none`, or the separating marks); `missing_unit` what
    becomes of rows that name nobody; `consent_by` whether a refusal takes the row or its whole unit; `signals` which
    of the format's own signs of obscuration and refusal are honoured. `count` is a column of how many, at most
    `max_count` each. `mean` is a column of which a map tells the mean, `between` its declared least and most.
    `max_uncertainty` in metres.
    """

    team: str = "none"
    missing_unit: Missing = "drop"
    consent_by: ConsentBy = "row"
    signals: Signals = "all"
    count: str | None = None
    max_count: int | None = None
    mean: str | None = None
    between: "str | tuple[object, object] | None" = None
    max_uncertainty: float | None = None
    swap: bool = False
    west_positive: bool = False
    surface: bool = False

    def __post_init__(self) -> None:
        choices = (("missing_unit", Missing), ("consent_by", ConsentBy), ("signals", Signals))
        for name, allowed in choices:
            if getattr(self, name) not in get_args(allowed):
                flag = name.replace("_", "-")
                raise BadInput(f"--{flag}: not one of {', '.join(get_args(allowed))}")
        if self.count is not None and self.max_count is None:
            raise BadInput("--count: add --max-count N, the most that one row may count for, for example 10")
        if self.max_count is not None and not 1 <= self.max_count <= MOST_WEIGHT // 2520:
            raise BadInput("--max-count: give a whole number from 1 to 200000, for example 10")
        if self.max_uncertainty is not None and not 0 < self.max_uncertainty < float("inf"):
            raise BadInput("--max-uncertainty: give a length, like 1000 or '1 km'")
        if (self.mean is None) != (self.between is None):
            raise BadInput(
                "--mean: name its column and, with --between LOW,HIGH, the least and most of a value, like 0,30"
            )
        _ = self.values
        if not self.team or (any(mark.isalnum() for mark in self.team) and self.team not in ("auto", "none")):
            raise BadInput("--team: write auto, none, or the marks between names, like ';'")

    @property
    def values(self) -> Values | None:
        """What a map is to tell the mean of, if it is."""
        if self.mean is None or self.between is None:
            return None
        ends = self.between.split(",") if isinstance(self.between, str) else self.between
        if len(ends) != 2:
            raise BadInput("--between: write the least and the most of a value, like --between 0,30")
        return Values(self.mean, *ends)


@dataclass(frozen=True, slots=True)
class Roles:
    """Which columns play which part, and what told so.

    `unit_named` says that the steward named the unit when reading; `atomic` is a unit whose cells each hold one
    identity, never a team.
    """

    crs: str
    geometry: str | None = None
    x: str | None = None
    y: str | None = None
    places: tuple[Place, ...] = ()
    unit: str | None = None
    consent: Consent | None = None
    rules: tuple[Rule, ...] = ()
    format: str | None = None
    sign: tuple[str, ...] = ()
    note: str = ""
    reading: Reading = field(default_factory=Reading)
    unit_named: bool = False
    atomic: str | None = None

    @property
    def ways(self) -> tuple[Place, ...]:
        """The ways of placing a row, tried in order."""
        return self.places or ((Place(self.x, self.y),) if self.x and self.y else ())

    def team(self, unit: str | None) -> str:
        """How names in one cell of this unit are told apart: identities that a format makes are never several."""
        if unit in (None, "row") or "+" in (unit or ""):
            return "none"
        return "none" if self.reading.team == "auto" and unit == self.atomic else self.reading.team

    def shares(self, unit: str | None) -> int:
        """Shares of weight to the point: 1, unless a row may be split among a team, or between the ends of a value."""
        if self.team(unit) == "none" and self.reading.mean is None:
            return 1
        return TEAM_SHARES if (self.reading.max_count or 1) * TEAM_SHARES <= MOST_WEIGHT else 2520

    def honoured(self) -> tuple[Rule, ...]:
        """The format's own signals that leave rows out, as `signals` asks."""
        kind = self.reading.signals
        signs = ("obscured", "the observer's wish")
        return tuple(
            rule for rule in self.rules if kind == "all" or rule.reason not in signs or (rule.wish and kind == "wishes")
        )

    def described(self, unit: str | None = None, consent: Consent | None = None) -> list[tuple[str, str]]:
        """Each part and what plays it, in words: for the operator, the statement and the release's notes."""
        lines = [("format", f"{self.format} (by {', '.join(self.sign)})" if self.format else "not a known one")]
        lines.append(("place", self._place_words()))
        lines.append(("unit", unit or self.unit or "none: name one with --unit"))
        lines += self._team_words(unit or self.unit)
        rule = consent or self.consent
        if rule is not None:
            whole = "; a unit that refuses once is left out whole" if self.reading.consent_by == "unit" else ""
            lines.append(("consent", f"{rule}{whole}"))
        lines += [("left out", words) for words in self._rule_words()]
        if self.reading.count:
            lines.append(("counted", f"{self.reading.count}, at most {self.reading.max_count} a row"))
        if (mean := self.reading.values) is not None:
            lines.append(("mean of", f"{mean.column}, what is beyond {mean.words} counting as that end"))
            lines.append(("left out", "rows without a number there"))
        if self.reading.max_uncertainty:
            lines.append(("left out", f"less certain than {self.reading.max_uncertainty:g} m"))
        if self.reading.missing_unit == "own-unit":
            lines.append(("no unit", "each such row is a unit of its own"))
        return [*lines, *([("note", self.note)] if self.note else [])]

    def _team_words(self, unit: str | None) -> list[tuple[str, str]]:
        """How a list of names in one cell is taken, where there may be one."""
        if unit in (None, "row", self.atomic):
            return []
        if self.team(unit) == "none":
            return [("names", "each text is one unit, also where it lists several people")]
        return [("names", "a list of people is split among them; they share its row")]

    def _place_words(self) -> str:
        if self.geometry:
            own = self.ways[0].kind if self.ways else ""
            named = {
                "srid": f"each row in the CRS of its SRID, else {_short(self.crs)}",
                "srid or nowhere": "each row in the CRS of its SRID",
            }
            return f"the layer's geometry, {named.get(own, _short(self.crs))}"
        ways = [f"{way.x}, {way.y}" if way.x else way.cell for way in self.ways]
        turned = ", swapped" if self.reading.swap else ""
        return f"{'; else '.join(ways)} ({_short(self.crs)}{turned})"

    def _rule_words(self) -> list[str]:
        grouped: dict[str, list[str]] = {}
        for rule in self.honoured():
            grouped.setdefault(rule.reason, []).append(rule.column)
        return [f"{reason} (by {', '.join(dict.fromkeys(columns))})" for reason, columns in grouped.items()]


def _short(crs: str) -> str:
    from dpmap.grid import crs as crs_tools

    return crs if len(crs) < 30 else crs_tools.name(crs)
