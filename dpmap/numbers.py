"""Reads numbers exactly as they were written, and writes them as people do."""

import re
from fractions import Fraction
from typing import SupportsFloat

from dpmap.errors import BadInput

NumberLike = str | SupportsFloat
"""A number as callers may give it: an int, float, Fraction, Decimal or numpy's, or its text."""

_WHOLE = re.compile("[+-]?[0-9]+")
_DECIMAL = re.compile("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
_SHARE = re.compile("[+-]?[0-9]+/[0-9]+")
"""How numbers may be written: digits 0 to 9 only. Python takes more, such as `1_0` for ten, and
digits of any alphabet: whoever mistypes a dot for an underscore would promise ten times as much as
she meant.
"""


def whole(text: str) -> int:
    """Reads a whole number in plain digits; raises `ValueError` for forms that only Python accepts,
    such as `1_0`.

    >>> whole(" 10 ")
    10
    >>> whole("1_0")
    Traceback (most recent call last):
    ...
    ValueError: not a whole number written in digits
    """
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError("not a whole number written in digits")
    return int(text)


def real(value: object) -> float:
    """Reads a decimal number such as a coordinate or a size; raises `ValueError` for text that only
    Python accepts.

    >>> real("-1.5e3"), real(2)
    (-1500.0, 2.0)
    >>> real("1_0")
    Traceback (most recent call last):
    ...
    ValueError: not a number written in digits
    """
    if isinstance(value, str) and not _DECIMAL.fullmatch(value.strip()):
        raise ValueError("not a number written in digits")
    return float(value)  # type: ignore[arg-type]  # what is no number raises


def exact(value: object, *, name: str, longest: int = 60) -> Fraction:
    """Reads a number exactly: `"0.1"` is one tenth; a float means its shortest decimal.

    >>> exact("0.1", name="epsilon"), exact(0.1, name="epsilon"), exact("1/3", name="epsilon")
    (Fraction(1, 10), Fraction(1, 10), Fraction(1, 3))
    >>> exact("1_0", name="epsilon")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: epsilon: '1_0' is not a number; write it like 0.5 or 1/3
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float | Fraction):
        value = str(value)
    text = str(value).strip()
    if len(text) > longest:
        raise BadInput(
            f"{name}: more than {longest} characters is not a number dpmap takes; write it like 0.5"
            " or 1/3"
        )
    _, _, exponent = text.lower().partition("e")
    if (exponent and not re.fullmatch("[+-]?[0-9]{1,2}", exponent)) or abs(int(exponent or 0)) > 30:
        raise BadInput(
            f"{name}: {text[:60]!r} is not a number dpmap takes; write it like 0.5 or 1/3"
        )
    try:
        if not (_DECIMAL.fullmatch(text) or _SHARE.fullmatch(text)):
            raise ValueError  # noqa: TRY301  # told below, like what is no number at all
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{name}: {text[:60]!r} is not a number; write it like 0.5 or 1/3") from None
    if len(decimal_text(number)) > longest:
        raise BadInput(f"{name}: this needs more than {longest} characters to write out; round it")
    return number


def epsilon(value: object, *, name: str = "epsilon") -> Fraction:
    """Reads a privacy loss exactly; it must lie between 10^-4 and 10^9, and there is no default.

    >>> epsilon("0.1")
    Fraction(1, 10)
    >>> epsilon("-1")
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: epsilon must be above 0 (and between 0.0001 and 1000000000); write for
    example 0.5
    """
    loss = exact(value, name=name)
    if not Fraction(1, 10**4) <= loss <= 10**9:
        raise BadInput(
            f"{name} must be above 0 (and between 0.0001 and 1000000000); write for example 0.5"
        )
    return loss


def decimal_text(value: Fraction) -> str:
    """Writes a fraction exactly and as short as possible: a decimal where it ends, else `p/q`.

    >>> decimal_text(Fraction(1, 10)), decimal_text(Fraction(1, 3)), decimal_text(Fraction(3))
    ('0.1', '1/3', '3')
    """
    rest = value.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest = rest // 2
        twos = twos + 1
    while rest % 5 == 0:
        rest = rest // 5
        fives = fives + 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    if not places:
        return str(value.numerator)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return ("-" if value < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"


def percent(rate: Fraction) -> str:
    """Writes a rate in per cent.

    >>> percent(Fraction(1, 20))
    '5 %'
    """
    return f"{decimal_text(rate * 100)} %"


def one_in(chance: Fraction) -> str:
    """Writes a small chance in words, such as "one in a million".

    >>> one_in(Fraction(1, 10**6)), one_in(Fraction(1, 20_000))
    ('one in a million', 'one in 20,000')
    """
    return "one in a million" if chance * 10**6 == 1 else f"one in {int(1 / chance):,}"


def regions_text(alone: int, blocks: int) -> str:
    """Says how many places were measured, cells by themselves and blocks of several cells, each
    block once; never of none of a kind.

    >>> regions_text(12, 3), regions_text(1, 0), regions_text(0, 0)
    ('12 cells and 3 blocks', '1 cell', 'nothing')
    """
    parts = [
        f"{count:,} {what}{'' if count == 1 else 's'}"
        for count, what in ((alone, "cell"), (blocks, "block"))
        if count
    ]
    return " and ".join(parts) or "nothing"


def part_text(share: float) -> str:
    """Writes a part of something as a whole percentage, never as none or all of it.

    >>> part_text(0.41), part_text(0.001), part_text(0.999), part_text(1)
    ('41 %', 'under 1 %', 'over 99 %', 'all')
    """
    if share >= 1:
        return "all"
    return (
        f"{share * 100:.0f} %"
        if 0.01 <= share <= 0.99
        else "under 1 %"
        if share < 0.5
        else "over 99 %"
    )
