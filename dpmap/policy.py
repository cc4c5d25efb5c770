"""What is promised: epsilon, the unit of privacy, the cap, the limiter and the consent rule.

All are public values, declared by the steward and never read off the data. Each checks itself when it is made.

>>> policy = Policy(epsilon="0.1", unit="observer_id", cap=5, consent="consent=yes")
>>> policy.epsilon, policy.scale, policy.limiter
(Fraction(1, 10), Fraction(50, 1), 'scale')
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from dpmap.errors import BadInput, Refused

Limiter = Literal["scale", "sample", "presence"]
CapOrigin = Literal["declared", "after inspection"]

LATTICE_BITS = 32
"""A cap is at least 2^32 lattice steps, so that a unit of 10^6 rows in 10^6 cells, each rounded down by less than a
step, still keeps more than 99.97 % of its cap."""


def exact(value: object, *, name: str, longest: int = 60) -> Fraction:
    """The number that was written, exactly: `"0.1"` is one tenth; a float means its shortest decimal.

    >>> exact("0.1", name="epsilon"), exact(0.1, name="epsilon"), exact("1/3", name="epsilon")
    (Fraction(1, 10), Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float | Fraction):
        value = str(value)
    text = str(value).strip()
    if len(text) > longest:
        raise BadInput(f"{name}: more than {longest} characters is not a number dpmap takes; write it like 0.5 or 1/3")
    _, _, exponent = text.lower().partition("e")
    if (exponent and not re.fullmatch("[+-]?[0-9]{1,2}", exponent)) or abs(int(exponent or 0)) > 30:
        raise BadInput(f"{name}: {text!r} is not a number dpmap takes; write it like 0.5 or 1/3")
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{name}: {text!r} is not a number; write it like 0.5 or 1/3") from None
    if len(decimal_text(number)) > longest:
        raise BadInput(f"{name}: this needs more than {longest} characters to write out; round it")
    return number


def epsilon(value: object, *, name: str = "epsilon") -> Fraction:
    """An exact privacy loss between 10^-4 and 10^9; there is no default.

    >>> epsilon("0.1")
    Fraction(1, 10)
    >>> epsilon("-1")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: epsilon must be above 0 (and between 0.0001 and 1000000000); write for example 0.5
    """
    loss = exact(value, name=name)
    if not Fraction(1, 10**4) <= loss <= 10**9:
        raise BadInput(f"{name} must be above 0 (and between 0.0001 and 1000000000); write for example 0.5")
    return loss


def decimal_text(value: Fraction) -> str:
    """The shortest exact way to write a fraction: a decimal where it ends, else `p/q`.

    >>> decimal_text(Fraction(1, 10)), decimal_text(Fraction(1, 3)), decimal_text(Fraction(3))
    ('0.1', '1/3', '3')
    """
    rest = value.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    if not places:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"


@dataclass(frozen=True, slots=True)
class Consent:
    """Rows count only where `column` holds one of `values` (case and outer spaces do not matter).

    >>> Consent.parse("consent=yes,true")
    Consent(column='consent', values=('yes', 'true'))
    """

    column: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.column or not self.values or not all(value.strip() for value in self.values):
            raise BadInput("consent: name a column and the values that mean yes, like --consent consent=yes,true")

    @classmethod
    def parse(cls, text: str) -> "Consent":
        """From `COLUMN=VALUE[,VALUE]`."""
        column, _, values = text.partition("=")
        return cls(column.strip(), tuple(value.strip() for value in values.split(",") if value.strip()))

    def __str__(self) -> str:
        return f"{self.column}={','.join(self.values)}"


@dataclass(frozen=True, slots=True)
class Policy:
    """The promise of one release: at privacy loss `epsilon`, for one `unit`, none of which adds more than `cap`.

    `unit` is the column (or columns joined by `+`) that says who a row belongs to, or `"row"`, which protects single
    rows only and must be asked for by that name. `limiter` says how the cap is kept: `scale` counts every row of a
    unit at min(1, cap / its rows); `sample` keeps rows worth `cap` in the order of a hash; `presence` counts a unit
    at most once per cell, in at most `cap` cells.
    """

    epsilon: Fraction
    unit: str
    cap: int
    limiter: Limiter
    consent: Consent | None
    cap_origin: CapOrigin

    def __init__(
        self,
        *,
        epsilon: object,
        unit: str | None = None,
        cap: object = None,
        limiter: str = "scale",
        consent: "Consent | str | None" = None,
        cap_origin: str = "declared",
    ) -> None:
        checked: dict[str, Any] = {
            "epsilon": _epsilon(epsilon),
            "unit": _unit(unit),
            "cap": _cap(cap),
            "limiter": _one_of("limiter", limiter, get_args(Limiter)),
            "consent": Consent.parse(consent) if isinstance(consent, str) else consent,
            "cap_origin": _one_of("cap_origin", cap_origin, get_args(CapOrigin)),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def scale(self) -> Fraction:
        """The noise scale in points when the whole epsilon is spent at once: cap / epsilon."""
        return Fraction(self.cap) / self.epsilon

    @property
    def lattice(self) -> int:
        """Steps of the fixed-point lattice in one point: a power of two that makes the cap at least 2^32 steps.

        >>> Policy(epsilon=1, unit="a", cap=5).lattice == 2**30
        True
        """
        return 1 << max(0, LATTICE_BITS - self.cap.bit_length() + 1)

    @property
    def unit_columns(self) -> tuple[str, ...]:
        """The columns that together name a unit; none when each row is its own."""
        return () if self.unit == "row" else tuple(part.strip() for part in self.unit.split("+"))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the release file."""
        return {
            "epsilon": decimal_text(self.epsilon),
            "unit": self.unit,
            "cap": self.cap,
            "limiter": self.limiter,
            "consent": None if self.consent is None else [self.consent.column, list(self.consent.values)],
            "cap_origin": self.cap_origin,
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> "Policy":
        """The policy back from `to_dict`."""
        consent = plain["consent"]
        return cls(**{**plain, "consent": None if consent is None else Consent(consent[0], tuple(consent[1]))})


_epsilon = epsilon


def _unit(unit: str | None) -> str:
    if unit is None or not str(unit).strip():
        raise Refused(
            "no unit of privacy: add --unit COLUMN (unit=) naming who is protected, for example the observer; "
            "--unit row protects single rows only"
        )
    if not all(part.strip() for part in unit.split("+")):
        raise BadInput("unit: write a column, or columns joined by +, like --unit observer_id")
    return unit.strip()


def _cap(cap: object) -> int:
    if cap is None:
        raise Refused("no cap: add --cap C (cap=), the most points one unit may add to the whole map, for example 5")
    value = exact(cap, name="cap")
    if value.denominator != 1 or not 1 <= value <= 10**9:
        raise BadInput("cap must be a whole number from 1 to 1000000000; write for example 5")
    return int(value)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise BadInput(f"{name}: not one of {', '.join(allowed)}")
    return value
