"""Writes single values as the fields of a text that dpmap reads: each by itself, whatever other rows hold.

A value is one field on one line: a line end in it becomes a blank, as dpmap's own reader makes of it, and a NUL is left out, since one
would make the whole text unreadable. So nobody's value can reach into another row.
"""

import re

from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QTime

WHOLE = 10**15
"""Below it every whole number that a float holds is written without a point: 1000 and 1000.0 are one id."""
_ENDS = re.compile("\r\n|[\r\n]")
_HARD = re.compile('["\r\n\0]')


def field(value):
    r"""Returns one field; empty where there is no value, or one that no text says (a list, a map, bytes).

    >>> field(1000.0), field("Ruiz, Ana"), field(None), field(True), field("a\r\nb\0")
    ('1000', '"Ruiz, Ana"', '', 'true', '"a b"')
    """
    return _WRITERS.get(type(value), _none)(value)


def text(value):
    """Writes a text, quoted where a mark in it would end the field."""
    if _HARD.search(value):
        return '"' + _ENDS.sub(" ", value).replace("\0", "").replace('"', '""') + '"'
    return f'"{value}"' if "," in value else value


def number(value):
    """Writes a number with all its digits, empty where it is none.

    >>> number(0.1), number(1000.0), number(float("nan")), number(1e300)
    ('0.1', '1000', '', '1e+300')
    """
    if value != value:  # noqa: PLR0124  # not a number
        return ""
    return str(int(value)) if abs(value) < WHOLE and value.is_integer() else repr(value)


def _yes(value):
    return "true" if value else "false"


def _day(value):
    return value.toString(Qt.DateFormat.ISODate)


def _moment(value):
    """Writes a moment as it was where it was: no clock is turned."""
    fine = value.time().msec() != 0
    return value.toString(Qt.DateFormat.ISODateWithMs if fine else Qt.DateFormat.ISODate)


def _hour(value):
    return value.toString("HH:mm:ss.zzz" if value.msec() else "HH:mm:ss")


def _none(value):
    del value
    return ""


_WRITERS = {
    str: text, int: str, float: number, bool: _yes, QDate: _day, QDateTime: _moment, QTime: _hour,
}  # fmt: skip
