"""Says what dpmap answered about zones, in words."""

from ..words import tr
from .numbers import KM2, as_number, density, number, spread
from .place import noun

MOST = 20
"""So many zones are said in the panel; all are in the layer that is kept."""


def lines(told, about=None):
    """Returns the answers to `dpmap ask --json` as lines, each zone's apart."""
    zones = told.get("zones") or []
    level = as_number(told.get("level")) or 0.9
    found = []
    for at, zone in enumerate(zones[:MOST], start=1):
        if len(zones) > 1:
            found.append(tr("Zone {}").format(at))
        found += one(zone, about or {}, level)
    if len(zones) > MOST:
        found.append(
            tr("... and {} more: keep them as a layer to see all").format(len(zones) - MOST)
        )
    return found


def one(zone, about, level=0.9):
    """Returns what one zone holds."""
    mean = "mean" in zone
    value = as_number(zone.get("mean" if mean else "estimate"))
    found = []
    if value is not None:
        found += (_mean if mean else _total)(zone, about, level)
    elif mean and zone.get("in_map"):
        found.append(tr("cannot be told: too little was counted here to tell a mean"))
    if zone.get("note"):
        found.append(str(zone["note"]))
    share = as_number(zone.get("in_map"))
    inside = "" if share is None else tr(", {} % of it in the map").format(number(100 * share))
    found.append(f"{number(zone.get('area_km2'))} {KM2}{inside}")
    return found


def _total(zone, about, level):
    low, high = zone.get("low"), zone.get("high")
    found = [
        f"{number(zone['estimate'])} {noun(about)}",
        tr("{} % interval: {}").format(f"{100 * level:g}", spread(low, high)),
    ]
    if (zone.get("least"), zone.get("most")) != (low, high):
        strict = spread(zone.get("least"), zone.get("most"))
        found.append(tr("wherever they lie in the cells that its edge cuts: {}").format(strict))
    share = as_number(zone.get("in_map"))
    per = density(zone["estimate"], (as_number(zone.get("area_km2")) or 0) * (share or 0))
    return [*found, per] if per else found


def _mean(zone, about, level):
    return [
        f"{about.get('colours') or tr('mean')}: {number(zone['mean'])}",
        tr("{} % interval: {}").format(
            f"{100 * level:g}", spread(zone.get("low"), zone.get("high"))
        ),
        tr("told of {} {}").format(number(zone.get("count")), noun(about)),
    ]
