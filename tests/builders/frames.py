"""Odd values that a column of objects may hold beside any others: what a table in memory must read one by one."""

import datetime as dt
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import shapely


class Unspeakable:
    """An object that fails when it is asked what it is."""

    def __str__(self):
        raise ValueError("tess cannot be said")

    __repr__ = __str__


def endless():
    """A dictionary that holds itself."""
    found = {}
    found["tess"] = found
    return found


OBJECTS = {
    "who": (
        np.nan, pd.NA, pd.NaT, None, np.int64(77), np.float32(77.5), 77.0, Decimal("77.00"), Decimal("NaN"), Decimal("sNaN"), Decimal("1E+999999"), 10**5000, b"tess\xff",
        b"\x01\x01tess", uuid.UUID(int=7), dt.date(2020, 1, 1), pd.Timestamp("2020-01-01", tz="Asia/Tokyo"), ["tess", None, "tess 2"], {"tess": 1}, {"id": "tess"}, {1: 2, (1, 2): 3},
        endless(), Unspeakable(), np.array(["tess"]), np.array(5), np.array([[1.5, 2.5]]), {"tess", "tess 2"}, "tess\ud83e", 1j, pd.Interval(0, 1), pd.Period("2020-01"), True,
        np.bool_(True), shapely.Point(1, 1), np.datetime64("NaT"), np.datetime64("2020"), pd.Timedelta("1D"), float("inf"), object, range(3), memoryview(b"tess"),
    ),
    "when": (dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 5), pd.Timestamp("2020-01-01", tz="Asia/Tokyo"), dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=14))),
             np.datetime64("2020-01-01T01"), np.datetime64("-5000-01-01"), pd.Period("2020-01"), dt.time(1), 2020, 2020.0, np.int8(20)),
    "ok": (np.bool_(True), True, 1, 1.0, np.float64(0), "yes", ["yes"], {"yes": 1}, b"yes"),
    "lon": (np.float16(1.5), np.longdouble(1.5), Decimal("1.5"), True, [1.5], 1 + 0j, b"1.5", np.nan, "0.5"),
    "spot": ([1.5, 1.5], [1.5, np.nan], [1, 1], (1.5, 1), np.array([1.5, 2.5]), [1.5, 2.5, 9.0], ["1.5", "1.5"], {"x": 1.5, "y": 1.5}, {"lon": 1.5, "lat": 1.5},
             {"type": "Point", "coordinates": [1.5, 1.5]}, shapely.Point(1.5, 2.5), shapely.Point(), shapely.Point(1.5, 2.5).wkb, shapely.box(0, 0, 1, 1), [[1.5, 1.5]], [], [np.inf, 1.0]),
}  # fmt: skip
"""By the columns in which they are odd."""
