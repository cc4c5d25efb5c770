"""Whoever types the common name of a coordinate system is told the code to write."""

import re

import pyproj
import pytest

from dpmap.errors import BadInput
from dpmap.grid import crs
from dpmap.grid.crs_names import LOOK_UP, NAMES, advice


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ("UTM zone 32N", ["EPSG:32632", "EPSG:25832"]),
        ("ETRS89 UTM 33", ["EPSG:25833", "EPSG:32633"]),
        ("utm 36S", ["EPSG:32736"]),
        ("UTM 37M", ["EPSG:32737"]),
        ("UTM32U", ["EPSG:32632", "EPSG:25832"]),
        ("NAD83 UTM zone 10 north", ["EPSG:26910", "EPSG:32610"]),
        ("British National Grid", ["EPSG:27700"]),
        ("OSGB", ["EPSG:27700"]),
        ("irish grid", ["EPSG:29903", "EPSG:2157"]),
        ("ITM", ["EPSG:2157"]),
        ("lat/lon", ["EPSG:4326"]),
        ("Lambert 93", ["EPSG:2154"]),
        ("Gauss-Kr\u00fcger Zone 3", ["EPSG:31467"]),
    ],
)
def test_a_common_name_leads_to_its_code(typed, codes):
    """The refusal of a name says which codes it may mean, the likeliest first."""
    assert re.findall(r"EPSG:\d+", advice(typed)) == codes


def test_zones_that_do_not_exist_and_unknown_names_say_how_to_look_it_up():
    """Where nothing is known the message says where a code is found."""
    assert advice("UTM zone 61") == advice("the one of the county") == LOOK_UP


def test_every_code_is_the_system_that_is_said():
    """PROJ knows each code, and zones are those of the number that was typed."""
    for words in NAMES.values():
        for code in re.findall(r"EPSG:\d+", words):
            assert pyproj.CRS.from_user_input(code)
    for zone in range(1, 61):
        for half in "NS":
            for code in re.findall(r"EPSG:\d+", advice(f"UTM {zone}{half}")):
                assert pyproj.CRS.from_user_input(code).utm_zone == f"{zone}{half}"
    for zone in range(2, 6):
        name = pyproj.CRS.from_user_input(
            re.search(r"EPSG:\d+", advice(f"Gauss Krueger {zone}"))[0]
        ).name
        assert f"zone {zone}" in name


def test_the_refusal_is_one_line_with_the_flag():
    """What is wrong, where, and what to write instead."""
    with pytest.raises(BadInput, match="^crs: .*write EPSG:32632 for UTM zone 32 north"):
        crs.parse("UTM zone 32N", "--crs")
