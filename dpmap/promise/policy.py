"""The policy: epsilon, the unit of protection, the cap, the limiter and the consent rule.

All are public values, declared by the steward and never read off the data. Each checks itself when
it is made.

>>> policy = Policy(epsilon="0.1", unit="observer_id", cap=5, consent="consent=yes")
>>> policy.epsilon, policy.scale, policy.limiter
(Fraction(1, 10), Fraction(50, 1), 'scale')
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from dpmap.errors import BadInput, Refused
from dpmap.noise.scales import before_sampling, gaussian_scale, laplace_scale, lattice_of
from dpmap.numbers import NumberLike, decimal_text, exact
from dpmap.numbers import epsilon as parse_epsilon
from dpmap.promise.compatibility import refuse_unproven
from dpmap.promise.limiters import DEFAULT, LIMITERS, LimiterName

CapOrigin = Literal["declared", "after inspection", "to be chosen privately", "chosen privately"]

LARGEST_CAP = 10**9


@dataclass(frozen=True, slots=True)
class Consent:
    """Counts only rows where `column` holds one of `values` (case and outer spaces do not matter).

    >>> Consent.parse("consent=yes,true")
    Consent(column='consent', values=('yes', 'true'))
    """

    column: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.column or not self.values or not all(value.strip() for value in self.values):
            raise BadInput(
                "consent: name a column and the values that mean yes, like --consent"
                " consent=yes,true"
            )

    @classmethod
    def parse(cls, text: str) -> "Consent":
        """Reads a rule from its `text`, written as `COLUMN=VALUE[,VALUE]`.

        >>> str(Consent.parse("consent = yes, si"))
        'consent=yes,si'
        """
        column, _, values = text.partition("=")
        return cls(
            column.strip(), tuple(value.strip() for value in values.split(",") if value.strip())
        )

    def __str__(self) -> str:
        return f"{self.column}={','.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Limits:
    """Gives each unit its own epsilon: what its rows state in `column`, rounded down to one of the
    `levels`.

    >>> str(Limits.parse("comfort = 1, 0.1, 0.5"))
    'comfort=0.1,0.5,1'
    """

    column: str
    levels: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if (
            not self.column
            or not 1 <= len(self.levels) <= 20
            or list(self.levels) != sorted(set(self.levels))
        ):
            raise BadInput(
                "epsilon-by: name a column and up to 20 levels, declared beforehand, like"
                " --epsilon-by comfort=0.1,0.5,1"
            )
        if any((level * 10**10).denominator != 1 for level in self.levels):
            raise BadInput(
                "epsilon-by: write its levels as decimals of at most 10 places, like"
                " comfort=0.1,0.5,1"
            )

    @classmethod
    def parse(cls, text: str) -> "Limits":
        """Reads limits written as `COLUMN=LEVEL[,LEVEL]`."""
        column, mark, levels = text.rpartition("=")
        named = {
            parse_epsilon(level, name="epsilon-by")
            for level in levels.split(",")
            if mark and level.strip()
        }
        return cls(column.strip(), tuple(sorted(named)))

    def __str__(self) -> str:
        return f"{self.column}={','.join(map(decimal_text, self.levels))}"


@dataclass(frozen=True, slots=True)
class CapChoice:
    """Asks the vault to choose the cap privately from a public `ladder`, for a declared `share` of
    epsilon.

    >>> CapChoice.parse("auto:0.05")
    CapChoice(share=Fraction(1, 20), ladder=(1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100))
    >>> CapChoice.parse("auto:0.1:4-25").ladder
    (4, 5, 7, 10, 15, 20, 25)
    """

    share: Fraction
    ladder: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise BadInput(
                "cap: the share of epsilon that chooses it must be above 0 and below 1, like"
                " auto:0.05"
            )
        low, high = (self.ladder[0], self.ladder[-1]) if self.ladder else (0, 0)
        if not 1 <= low <= high <= LARGEST_CAP or any(
            a >= b for a, b in itertools.pairwise(self.ladder)
        ):
            raise BadInput(
                "cap: its ladder must rise from at least 1 to at most 1000000000, like"
                " auto:0.05:1-100"
            )

    @classmethod
    def parse(cls, text: str) -> "CapChoice":
        """Reads a choice written as `auto:SHARE` or `auto:SHARE:LOW-HIGH`."""
        _, _, rest = text.partition(":")
        share, _, reach = rest.partition(":")
        if not share.strip():
            raise BadInput(
                "cap: say what share of epsilon may be spent on choosing it, like auto:0.05"
            )
        low, dash, high = (part.strip() for part in (reach or "1-100").partition("-"))
        if not (
            dash
            and low.isdecimal()
            and high.isdecimal()
            and (low + high).isascii()
            and len(low + high) <= 20
        ):
            raise BadInput(
                "cap: write its ladder as LOWEST-HIGHEST, whole numbers, like auto:0.05:1-100"
            )
        if int(low) > int(high):
            raise BadInput("cap: its ladder must rise, like auto:0.05:1-100")
        return cls(exact(share, name="cap share"), rungs(int(low), int(high)))

    def __str__(self) -> str:
        return f"auto:{decimal_text(self.share)}:{self.ladder[0]}-{self.ladder[-1]}"


def rungs(low: int, high: int) -> tuple[int, ...]:
    """Returns `low`, `high` and the steps between them from the list 1, 2, 3, 5, 7, 10, 15, 20, 30,
    50, 70, 100, 150 ...

    >>> rungs(8, 40)
    (8, 10, 15, 20, 30, 40)
    """
    steps = (1, 2, 3, 5, 7, *(m * 10**e for e in range(9) for m in (10, 15, 20, 30, 50, 70)))
    return tuple(sorted({low, high, *(step for step in steps if low < step < high)}))


@dataclass(frozen=True, slots=True)
class Policy:
    """The promise of one release: a privacy loss of `epsilon` for each `unit`, which adds at most
    `cap` points.

    - `epsilon`: the privacy loss, a number or its exact text. Nobody's odds about whether a unit
      took part move by more than e^epsilon.
    - `unit`: the column (or columns joined by `+`) that says who a row belongs to, or `"row"`,
      which protects single rows only and must be asked for by that name. The survey may name it
      instead.
    - `cap`: the most points that one unit adds to the whole map. More noise comes with a larger
      one.
    - `limiter`: how the cap is kept: `"scale"` counts every row of a unit at min(1, cap / its
      rows); `"sample"` keeps rows worth `cap` in the order of a hash; `"presence"` counts a unit at
      most once per cell, in at most `cap` cells.
    - `consent`: `"COLUMN=VALUE[,VALUE]"`, the rows that count.
    - `cap_origin`: how the cap was found: `"declared"`, or `"after inspection"` of the survey,
      which the statement then says.
    - `cap_choice`: for dpmap itself, which reads it from `cap="auto:0.05"`.

    It is `Refused` without a unit or a cap, and `BadInput` where a value is none that can be meant.

    >>> policy = Policy(epsilon="0.5", unit="observer_id", cap=5, consent="consent=yes")
    >>> policy.scale, policy.consent.column
    (Fraction(10, 1), 'consent')

    `cap="auto:0.05"` leaves the cap to the vault, which spends that share of epsilon to choose it
    privately; until then `cap` is the most that it may become.

    >>> waiting = Policy(epsilon="0.5", unit="observer_id", cap="auto:0.05:1-30")
    >>> waiting.cap, waiting.cap_origin, waiting.measuring
    (30, 'to be chosen privately', Fraction(19, 40))

    `sample="5%"` first draws each unit with that chance, by a secret that is never stored. Who was
    drawn nobody knows, which hides so much that the noise may be smaller: that of `measuring`.

    >>> Policy(epsilon="0.1", unit="observer_id", cap=5, sample="5%").measuring
    Fraction(1132504201, 1000000000)

    `site="nest_id"` protects the places too: no contributor adds more than `cap` sites to the map,
    and no site is counted for more than `site_cap` contributors. `limiter`, `sample` and a cap
    chosen privately are then not declared.

    >>> Policy(epsilon=1, unit="observer_id", site="nest_id", cap=5).site_cap
    1

    `epsilon_by="comfort=0.1,0.5,1"` keeps each unit's loss within what its own rows state, by a
    smaller cap of its own; `lifetime="25%"` says that these are limits for good, and that this
    release may take a quarter of each.

    >>> own = Policy(
    ...     epsilon="0.5", unit="observer_id", cap=5, epsilon_by="comfort=0.1,0.5,1"
    ... ).own_shares
    >>> [str(share) for share in own]
    ['1/5', '1', '1']

    `delta="1e-6"` allows a chance of one in a million that the promise of epsilon does not hold,
    and so Gaussian noise: the smaller one where a unit touches many cells. Then a unit's totals are
    also kept, by `scale`, to a length (root of the sum of squares) of sqrt(cap): as many points as
    `cap` in as many cells count in full. `units`, the most that the survey may hold, bounds delta.

    >>> many = dict(epsilon=1, unit="observer_id", cap=25)
    >>> round(float(Policy(delta="1e-6", **many).scale), 1), round(
    ...     2**0.5 * float(Policy(**many).scale), 1
    ... )
    (22.7, 35.4)
    """

    epsilon: Fraction
    unit: str
    cap: int
    limiter: str
    consent: Consent | None
    cap_origin: CapOrigin
    cap_choice: CapChoice | None
    sample: Fraction | None
    site: str | None
    site_cap: int
    epsilon_by: Limits | None
    lifetime: Fraction | None
    delta: Fraction | None
    units: int | None

    def __init__(
        self,
        *,
        epsilon: NumberLike,
        unit: str | None = None,
        cap: NumberLike | None = None,
        limiter: LimiterName = DEFAULT,
        consent: "Consent | str | None" = None,
        cap_origin: CapOrigin = "declared",
        cap_choice: CapChoice | None = None,
        sample: NumberLike | None = None,
        site: str | None = None,
        site_cap: NumberLike = 1,
        epsilon_by: "Limits | str | None" = None,
        lifetime: NumberLike | None = None,
        delta: NumberLike | None = None,
        units: NumberLike | None = None,
    ) -> None:
        if isinstance(cap, str) and cap.strip().lower().startswith("auto"):
            cap_choice = CapChoice.parse(cap)
            cap = cap_choice.ladder[-1]
            cap_origin = "to be chosen privately"
        checked: dict[str, Any] = {
            "epsilon": parse_epsilon(epsilon),
            "unit": _unit(unit),
            "cap": _cap(cap),
            "limiter": _one_of("limiter", limiter, tuple(LIMITERS)),
            "consent": Consent.parse(consent) if isinstance(consent, str) else consent,
            "cap_origin": _one_of("cap_origin", cap_origin, get_args(CapOrigin)),
            "cap_choice": cap_choice,
            "sample": None if sample is None else _rate(sample),
            "site": None if site is None else site.strip(),
            "site_cap": _cap(site_cap),
            "epsilon_by": (
                epsilon_by
                if isinstance(epsilon_by, Limits | None)
                else Limits.parse(str(epsilon_by))
            ),
            "lifetime": None if lifetime is None else _share(lifetime),
            "units": None if units is None else _units(units, delta),
            "delta": None if delta is None else _delta(delta, units),
        }
        _check_choice(checked["epsilon"], checked["cap"], cap_origin, cap_choice)
        _check_site(checked)
        _check_limits(checked)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        refuse_unproven(self.tools)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools in use, as `combinations` knows them."""
        used = {
            "rows": self.unit == "row",
            "chosen cap": self.cap_choice is not None,
            "sample": self.sample is not None,
            "sites": self.site is not None,
            "limits": self.epsilon_by is not None,
            "delta": self.delta is not None,
        }
        limiter = LIMITERS[self.limiter].tool
        return (
            *(name for name, is_used in used.items() if is_used),
            *([limiter] if limiter else []),
        )

    @property
    def choosing(self) -> Fraction:
        """The part of epsilon spent on choosing the cap; 0 when the cap is declared."""
        return Fraction(0) if self.cap_choice is None else self.epsilon * self.cap_choice.share

    @property
    def measuring(self) -> Fraction:
        """The privacy loss that measurements may spend: epsilon without `choosing`, or more if a
        sample is drawn first.
        """
        return (
            before_sampling(self.epsilon, self.sample)
            if self.sample
            else self.epsilon - self.choosing
        )

    @property
    def scale(self) -> Fraction:
        """The noise scale in points when all of `measuring` is spent at once."""
        return self.noise_scale(self.measuring, self.lattice)

    @property
    def noise(self) -> str:
        """The kind of noise: `laplace`, or `gaussian` when a delta is declared."""
        return "laplace" if self.delta is None else "gaussian"

    def noise_scale(self, share: Fraction, lattice: int) -> Fraction:
        """Returns the noise scale in points for a share of `measuring`, Laplace or Gaussian
        (noise/scales).
        """
        if self.delta is None:
            return laplace_scale(self.cap, lattice, share) / lattice
        return gaussian_scale(self.cap, lattice, self.measuring, self.delta, share) / lattice

    @property
    def own_limits(self) -> tuple[Fraction, ...]:
        """The most that a unit of each level can lose by this release: its level, or its share
        of a lifetime's limit.
        """
        levels = () if self.epsilon_by is None else self.epsilon_by.levels
        return tuple(min(self.epsilon, (self.lifetime or 1) * level) for level in levels)

    @property
    def own_shares(self) -> tuple[Fraction, ...]:
        """The part of the cap that a unit of each level may fill: 1 at most."""
        return tuple(limit / self.epsilon for limit in self.own_limits)

    @property
    def lattice(self) -> int:
        """How many fixed-point steps make one point (noise/scales)."""
        return lattice_of(self.cap)

    @property
    def unit_columns(self) -> tuple[str, ...]:
        """The columns that together name a unit; none when each row is its own."""
        return () if self.unit == "row" else tuple(part.strip() for part in self.unit.split("+"))

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values for the release file."""
        return {
            "epsilon": decimal_text(self.epsilon),
            "unit": self.unit,
            "cap": self.cap,
            "limiter": self.limiter,
            "consent": (
                None if self.consent is None else [self.consent.column, list(self.consent.values)]
            ),
            "cap_origin": self.cap_origin,
            **({} if self.cap_choice is None else {"cap_choice": _choice_out(self.cap_choice)}),
            **({} if self.sample is None else {"sample": decimal_text(self.sample)}),
            **({} if self.site is None else {"site": self.site, "site_cap": self.site_cap}),
            **({} if self.epsilon_by is None else {"epsilon_by": str(self.epsilon_by)}),
            **({} if self.lifetime is None else {"lifetime": decimal_text(self.lifetime)}),
            **({} if self.delta is None else {"delta": decimal_text(self.delta)}),
            **({} if self.units is None else {"units": self.units}),
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> "Policy":
        """Makes the policy again from the `plain` values that `to_dict` returned."""
        consent = plain["consent"]
        choice = plain.get("cap_choice")
        return cls(
            **{
                **plain,
                "consent": None if consent is None else Consent(consent[0], tuple(consent[1])),
                "cap_choice": None if choice is None else _choice_in(choice),
            }
        )


def _unit(unit: str | None) -> str:
    if unit is None or not str(unit).strip():
        raise Refused(
            "no unit of protection: add --unit COLUMN (unit=) naming who is protected, for example"
            " the observer; --unit row protects single rows only"
        )
    if not all(part.strip() for part in unit.split("+")):
        raise BadInput("unit: write a column, or columns joined by +, like --unit observer_id")
    return unit.strip()


def _cap(cap: object) -> int:
    if cap is None:
        raise Refused(
            "no cap: add --cap C (cap=), the most points one unit may add to the whole map, for"
            " example 5"
        )
    value = exact(cap, name="cap")
    if value.denominator != 1 or not 1 <= value <= LARGEST_CAP:
        raise BadInput("cap must be a whole number from 1 to 1000000000; write for example 5")
    return int(value)


def _check_choice(epsilon: Fraction, cap: int, origin: str, choice: CapChoice | None) -> None:
    """Checks that a privately chosen cap is on its ladder and leaves epsilon to measure with;
    other caps have no ladder.
    """
    if (choice is not None) != ("chosen privately" in origin):
        raise BadInput(
            'cap_origin: a cap is chosen privately when it is written like cap="auto:0.05"'
        )
    if choice is not None and cap not in choice.ladder:
        raise BadInput(
            "cap: it is not on the ladder it was to be chosen from, or above its declared maximum"
        )
    if choice is not None and epsilon * (1 - choice.share) < Fraction(1, 10_000):
        raise BadInput(
            "cap: choosing it leaves an epsilon below 0.0001 for the map; raise epsilon or lower"
            " the share"
        )


def _rate(sample: object) -> Fraction:
    """Reads a rate above 0 and below 1, also in per cent."""
    text = str(sample).strip()
    rate = exact(text.removesuffix("%"), name="sample") / (100 if text.endswith("%") else 1)
    if not Fraction(1, 10**6) <= rate < 1:
        raise BadInput("sample: a share of the units from 0.0001% to below 100%, like --sample 5%")
    return rate


def _share(lifetime: object) -> Fraction:
    """Reads a share above 0 and at most 1, also in per cent."""
    text = str(lifetime).strip()
    part = exact(text.removesuffix("%"), name="lifetime") / (100 if text.endswith("%") else 1)
    if not 0 < part <= 1:
        raise BadInput(
            "lifetime: the share of every limit that this release may take, like --lifetime 25%"
        )
    return part


def _check_limits(checked: dict[str, Any]) -> None:
    """Refuses an epsilon above every declared limit: all would lose accuracy and nobody would
    gain protection.
    """
    limits = checked["epsilon_by"]
    lifetime = checked["lifetime"]
    epsilon = checked["epsilon"]
    if limits is None:
        if lifetime is not None:
            raise BadInput(
                "lifetime: it shares out personal limits; name their column with --epsilon-by"
            )
        return
    most = limits.levels[-1] * (lifetime or 1)
    if epsilon > most:
        raise BadInput(
            "epsilon: more than any declared limit allows in this release; write --epsilon"
            f" {decimal_text(most)}"
        )


UNITS_UNDECLARED = 10**5
"""How many units a survey is taken to hold where nobody declares it."""


def _units(units: object, delta: object) -> int:
    """Reads the declared upper bound on the number of units in the survey."""
    if delta is None:
        raise BadInput("units: it only serves to bound --delta; leave it out, or add --delta")
    most = exact(units, name="units")
    if most.denominator != 1 or not 1 <= most <= 10**10:
        raise BadInput(
            "units: the most units that the survey may hold, declared: a whole number, like 5000"
        )
    return int(most)


def _delta(delta: object, units: object) -> Fraction:
    """Reads delta and refuses it above a tenth of 1 / units or above 10^-5.

    A mechanism that publishes one unit in full with chance 1 / units keeps (0, 1 / units): only far
    below that does delta promise anything. The bound rests on a declared number, not on the
    survey's.
    """
    chance = exact(delta, name="delta")
    if not 0 < chance < 1 or chance < Fraction(1, 10**20):
        raise BadInput("delta: a chance above 10^-20, like --delta 1e-6")
    most = min(
        Fraction(1, 10**5),
        Fraction(1, 10 * (_units(units, delta) if units is not None else UNITS_UNDECLARED)),
    )
    if chance > most:
        raise Refused(
            f"delta: at most {decimal_text(most)} here, a tenth of 1 / units (and of 1 / 100000"
            " where they are not declared); lower --delta, or declare with --units how many units"
            " the survey may hold"
        )
    return chance


def _check_site(checked: dict[str, Any]) -> None:
    """Checks a second unit: the units are named columns, and the cap is at least twice the site
    cap (vault/two_unit_cap).
    """
    site = checked["site"]
    cap = checked["cap"]
    site_cap = checked["site_cap"]
    if site is None:
        return
    if not site or checked["unit"] == "row" or site.lower() == checked["unit"].lower():
        raise BadInput(
            "site: name the column of the sites beside a --unit of contributors, like --site"
            " nest_id"
        )
    if cap < 2 * site_cap:
        raise Refused(
            f"site: removing a site moves the map by up to 2 x {site_cap}, so a smaller cap saves"
            f" no noise; write --cap {2 * site_cap} or more"
        )


def _choice_out(choice: CapChoice) -> dict[str, Any]:
    return {"share": decimal_text(choice.share), "ladder": list(choice.ladder)}


def _choice_in(plain: dict[str, Any]) -> CapChoice:
    return CapChoice(
        exact(plain["share"], name="cap share"), tuple(int(rung) for rung in plain["ladder"])
    )


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise BadInput(f"{name}: not one of {', '.join(allowed)}")
    return value
