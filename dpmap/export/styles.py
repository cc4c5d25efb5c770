"""Writes styles for QGIS (.qml) and for map servers (.sld) by hand, with the same ramp and breaks
as the maps.

One .qml holds both a vector renderer and a raster pipe; QGIS takes the part that fits the layer. So
`map.qml` beside `map.tif` and `map.geojson` styles either.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from dpmap import style
from dpmap.atomic_write import written_aside
from dpmap.inference import Estimate, distinguishable
from dpmap.inference.patches import Patches
from dpmap.maps import read_map
from dpmap.maps.totals import PLACE_SHOWN
from dpmap.record import Record
from dpmap.statement.kinds import map_statement

LEVEL = 0.9
ALIASES = {
    "cell": "Cell",
    "name": "Name",
    "h3": "H3 index",
    "place": "Place",
    "cells": "Cells",
    "area_km2": "Area, km\N{SUPERSCRIPT TWO}",
    "estimate": "Estimate",
    "low": "At least (90 %)",
    "high": "At most (90 %)",
    "noisy": "Noisy total as drawn",
    "per_km2": "Estimate per km\N{SUPERSCRIPT TWO}",
    "told": "Density is told",
    "distinguishable": "Surely holds something",
    "place_told": "Place's density is told",
    "place_per_km2": "Place's estimate per km\N{SUPERSCRIPT TWO}",
    "mean": "Mean",
    "answered": "Mean is told",
    "count": "Counted",
    "count_low": "Counted, at least",
    "count_high": "Counted, at most",
    "measurement": "Measurement",
    "region": "Region",
    "scale": "Noise scale",
    "epsilon": "Epsilon",
    "dataset": "Data set",
}
"""What QGIS calls the columns."""


@dataclass(frozen=True, slots=True)
class StyleRule:
    """Describes a class of cells or places: `low` <= density < `high`; both are None for those
    that are not told.
    """

    words: str
    colour: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Holds the classes of a layer, the grey one first, and the columns that say whether a
    feature is told and how dense it is.
    """

    rules: list[StyleRule]
    sure: str
    shown: str
    outlined: bool = False
    """Whether features above the lightest colour have a dark line around them."""
    edged: bool = False
    """Whether all of them have."""
    hatched: bool = False
    """Whether all are hatched, each in its colour."""


def default_look(record: Record, estimate: Estimate) -> Look:
    """Return how cells look by default: each in the colour of its place, where the map has
    places.
    """
    map_ = read_map(record)
    if not map_.parted or map_statement(record).columns.signed:
        return cells_look(record, estimate)
    return replace(
        places_look(record, map_.patches(LEVEL)),
        sure="place_told",
        shown=PLACE_SHOWN,
        outlined=False,
    )


def cells_look(record: Record, estimate: Estimate) -> Look:
    """Return how cells look each by itself: by its own density, grey if it is not
    distinguishable from none.
    """
    sure = distinguishable(estimate)
    columns = map_statement(record).columns
    edges = list(record.about.edges) or map_statement(record).breaks(
        read_map(record).shown(estimate.values)[sure]
    )
    rules = [StyleRule(map_statement(record).unsure_words(), style.UNSURE)]
    if len(edges) >= 2:
        rules += _classes(record, edges, signed=columns.signed)
    elif sure.any():
        rules.append(StyleRule("distinguishable", style.hex_colour(0.02), 0.0, None))
    return Look(rules, columns.sure, columns.coloured)


def places_look(record: Record, patches: Patches) -> Look:
    """Return how places look: each by its density, grey if its colour is not told."""
    words = map_statement(record)
    values = patches.shown
    column = words.columns.value if words.columns.signed else "per_km2"
    if record.about.edges:
        edges = list(record.about.edges)
    elif words.columns.signed:
        edges = words.breaks(values[patches.told])
    else:
        edges = style.place_breaks(values, patches.square_km, patches.told, patches.nearly_empty)
    told_ones = _classes(record, edges, signed=words.columns.signed) if len(edges) >= 2 else []
    return Look(
        [StyleRule(words.untold_words, style.UNSURE), *told_ones], "told", column, outlined=True
    )


def _classes(record: Record, edges: list[float], *, signed: bool = False) -> list[StyleRule]:
    """Return a rule for each class; the lowest holds all that is lower, and the highest all
    that is higher.
    """
    bounds = [-1e300 if signed else 0.0, *edges[1:-1], None]
    unit = map_statement(record).unit(edges)
    per = "" if signed else f" per {unit.words}"
    labels = unit.labels(edges)
    labels[-1:] = [f"{unit.number(edges[-2])} and more"] if record.open_top else labels[-1:]
    names = zip(
        (f"{words}{per}" for words in labels), style.class_colours(len(edges) - 1), strict=True
    )
    return [
        StyleRule(words, colour, bounds[i], bounds[i + 1])
        for i, (words, colour) in enumerate(names)
    ]


def vector_qml(
    look: Look,
    fields: Sequence[str],
    tip: str = "",
    label: str = "",
    names: Mapping[str, str] = ALIASES,
    *,
    narrowest: float = 0.0,
) -> str:
    """Make the style of a layer: its colours, the `names` of its `fields`, what pointing at it
    tells, and its labels, which features of fewer than the `narrowest` millimetres on the screen
    have not.
    """
    labels = _labels(label, narrowest=narrowest)
    return _document(
        _vector_part(look), _aliases(fields, names), _tip(tip), labels, labelled=bool(label)
    )


def combined_qml(record: Record, estimate: Estimate) -> str:
    """Make the vector rules, and for squares the raster's colours too."""
    look = default_look(record, estimate)
    raster = _raster_part(record, look) if record.grid.kind == "squares" else ""
    return _document(raster + _vector_part(look))


def outline_qml() -> str:
    """Make thin outlines for the regions that were measured."""
    layer = _layer(
        "SimpleLine", {"line_color": "90,90,90,90", "line_width": "0.12", "line_style": "solid"}
    )
    return _document(
        '<renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">'
        '<symbols><symbol type="fill" name="0" alpha="1"'
        f' clip_to_extent="1">{layer}</symbol></symbols></renderer-v2>'
        "<layerGeometryType>2</layerGeometryType>"
    )


def spots_qml(
    words: str, fields: Sequence[str], tip: str, names: Mapping[str, str] = ALIASES, label: str = ""
) -> str:
    """Make a dark outline with a light one under it, to be seen on every colour of a map below,
    which shows through; `words` are the legend's.
    """
    lines = [
        _layer(
            "SimpleLine",
            {"line_color": colour, "line_width": wide, "line_style": "solid", "joinstyle": "round"},
        )
        for colour, wide in (("255,255,255,230", "1.3"), ("17,17,17,255", "0.6"))
    ]
    return _document(
        '<renderer-v2 type="RuleRenderer" symbollevels="0" enableorderby="0" forceraster="0">'
        '<rules key="{00000000-0000-4000-8000-999999999999}"><rule'
        ' key="{00000000-0000-4000-8000-000000000000}" symbol="0" '
        f"label={quoteattr(words)}/></rules>"
        '<symbols><symbol type="fill" name="0" alpha="1"'
        f' clip_to_extent="1">{"".join(lines)}</symbol></symbols></renderer-v2>'
        "<layerGeometryType>2</layerGeometryType>",
        _aliases(fields, names),
        _tip(tip),
        _labels(label, first=True),
        labelled=bool(label),
    )


def write_qml(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write the style for QGIS."""
    with written_aside(path) as aside:
        aside.write_text(combined_qml(record, estimate), encoding="utf-8")


def write_beside(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write the style where QGIS looks for it: the layer's own name with .qml."""
    write_qml(record, estimate, Path(path).with_suffix(".qml"))


def write_sld(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Write the style for map servers: Styled Layer Descriptor 1.0."""
    with written_aside(path) as aside:
        aside.write_text(sld(record, estimate), encoding="utf-8")


def sld(record: Record, estimate: Estimate) -> str:
    """Make the Styled Layer Descriptor 1.0 for the cells."""
    look = default_look(record, estimate)
    parts = [_sld_rule(rule, look) for rule in look.rules]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" '
        'xmlns:ogc="http://www.opengis.net/ogc">\n'
        "<NamedLayer><Name>cells</Name><UserStyle>"
        f"<Title>{escape(map_statement(record).unit_words())}</Title>\n"
        f"<FeatureTypeStyle>\n{''.join(parts)}</FeatureTypeStyle></UserStyle></NamedLayer>\n"
        "</StyledLayerDescriptor>\n"
    )


def _sld_rule(rule: StyleRule, look: Look) -> str:
    tests = [_compare("PropertyIsEqualTo", look.sure, "false" if rule.low is None else "true")]
    if rule.low is not None:
        tests.append(_compare("PropertyIsGreaterThanOrEqualTo", look.shown, repr(rule.low)))
    if rule.high is not None:
        tests.append(_compare("PropertyIsLessThan", look.shown, repr(rule.high)))
    condition = tests[0] if len(tests) == 1 else f"<ogc:And>{''.join(tests)}</ogc:And>"
    return (
        f"<Rule><Name>{escape(rule.words)}</Name><ogc:Filter>{condition}</ogc:Filter>"
        "<PolygonSymbolizer><Fill>"
        "<CssParameter"
        f' name="fill">{rule.colour}</CssParameter></Fill></PolygonSymbolizer></Rule>\n'
    )


def _compare(test: str, name: str, value: str) -> str:
    return (
        f"<ogc:{test}><ogc:PropertyName>{name}</ogc:PropertyName><ogc:Literal>{value}"
        f"</ogc:Literal></ogc:{test}>"
    )


def _document(*parts: str, labelled: bool = False) -> str:
    inside = "\n".join(part for part in parts if part)
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        '<qgis version="3.22.0" styleCategories="Symbology|Labeling|Fields|MapTips"'
        f' labelsEnabled="{int(labelled)}">\n{inside}\n</qgis>\n'
    )


def _aliases(fields: Sequence[str], names: Mapping[str, str]) -> str:
    """Name the columns as people read them."""
    lines = [
        f'<alias index="{at}" field={quoteattr(name)} name={quoteattr(names[name])}/>'
        for at, name in enumerate(fields, start=1)
        if name in names
    ]
    return f"<aliases>{''.join(lines)}</aliases>" if lines else ""


def _tip(words: str) -> str:
    """Make what QGIS shows of a feature that is pointed at, from text with expressions in `[%
    %]`.
    """
    return f"<mapTip>{escape(words)}</mapTip>" if words else ""


def _labels(expression: str, *, first: bool = False, narrowest: float = 0.0) -> str:
    """Make small labels with a white edge, left out where they would overlap; those that come
    `first` are bold, and others give way.
    """
    if not expression:
        return ""
    weight, priority = (75, 10) if first else (50, 5)
    return (
        '<labeling type="simple"><settings calloutType="simple"><text-style'
        f' fieldName={quoteattr(expression)} isExpression="1" fontSize="8" fontSizeUnit="Point"'
        f' fontWeight="{weight}" textColor="34,34,34,255" textOpacity="1"><text-buffer'
        ' bufferDraw="1" bufferSize="0.8" bufferSizeUnits="MM" bufferColor="255,255,255,255"'
        ' bufferOpacity="1"/></text-style><placement placement="1" centroidInside="1"'
        f' priority="{priority}"/><rendering displayAll="0" fontMinPixelSize="3" obstacle="0"'
        f' minFeatureSize="{narrowest:g}"/></settings></labeling>'
    )


def _vector_part(look: Look) -> str:
    """Make a renderer of rules over the columns that say whether a feature is told, and how
    dense it is.
    """
    lines = []
    symbols = []
    for i, rule in enumerate(look.rules):
        tests = [f'"{look.sure}"' if rule.low is not None else f'NOT "{look.sure}"']
        tests += [f'"{look.shown}" >= {rule.low!r}'] if rule.low is not None else []
        tests += [f'"{look.shown}" < {rule.high!r}'] if rule.high is not None else []
        key = f"{{00000000-0000-4000-8000-{i:012d}}}"
        lines.append(
            f'<rule key="{key}" symbol="{i}" label={quoteattr(rule.words)}'
            f" filter={quoteattr(' AND '.join(tests))}/>"
        )
        layers = _fill(rule.colour, dark=look.edged or (look.outlined and i > 1)) + (
            _hatch(110 if look.hatched else 173) if look.hatched or rule.low is None else ""
        )
        symbols.append(
            f'<symbol type="fill" name="{i}" alpha="1" clip_to_extent="1">{layers}</symbol>'
        )
    return (
        '<renderer-v2 type="RuleRenderer" symbollevels="0" enableorderby="0" forceraster="0">\n'
        "<rules"
        f' key="{{00000000-0000-4000-8000-999999999999}}">\n{chr(10).join(lines[::-1])}\n</rules>\n'
        f"<symbols>\n{chr(10).join(symbols)}\n</symbols></renderer-v2>\n"
        "<layerGeometryType>2</layerGeometryType>"
    )


def _fill(colour: str, *, dark: bool) -> str:
    """Make a plain fill, with a dark thin line around it or one of its own colour, which closes
    the gaps between neighbours.
    """
    red, green, blue = (round(channel * 255) for channel in style.rgb(colour))
    line = "51,51,51,170" if dark else f"{red},{green},{blue},255"
    return _layer(
        "SimpleFill",
        {
            "color": f"{red},{green},{blue},255",
            "style": "solid",
            "outline_color": line,
            "outline_style": "solid",
            "outline_width": "0.08",
            "outline_width_unit": "MM",
        },
    )


def _hatch(grey: int) -> str:
    """Make thin diagonal lines over a colour, so that it can be told apart in greyscale."""
    options = {
        "line_color": f"{grey},{grey},{grey},255",
        "line_width": "0.2",
        "line_style": "solid",
    }
    line = _layer("SimpleLine", options)
    options = {"angle": "45", "distance": "1.8", "distance_unit": "MM", "line_width": "0.2"}
    inner = f'<symbol type="line" name="@hatch@1" alpha="1" clip_to_extent="1">{line}</symbol>'
    return _layer("LinePatternFill", options, inner)


def _layer(kind: str, options: dict[str, str], inside: str = "") -> str:
    """Make a symbol layer; older QGIS reads `prop`, newer ones `Option`."""
    props = "".join(f'<prop k="{key}" v="{value}"/>' for key, value in options.items())
    maps = "".join(
        f'<Option type="QString" name="{key}" value="{value}"/>' for key, value in options.items()
    )
    return (
        f'<layer class="{kind}" enabled="1" pass="0" locked="0"><Option'
        f' type="Map">{maps}</Option>{props}{inside}</layer>'
    )


def _raster_part(record: Record, look: Look) -> str:
    """Make discrete colours for the band of densities that stand out from noise, and grey for
    its zeros.
    """
    steps = "\n".join(
        f'<item value="{"inf" if np.isinf(top) else repr(float(top))}" color="{colour}" alpha="255"'
        f" label={quoteattr(words)}/>"
        for top, colour, words in raster_steps(record, look)
    )
    return (
        '<pipe><provider><resampling enabled="false"/></provider><rasterrenderer'
        f' type="singlebandpseudocolor" band="{map_statement(record).columns.band}" opacity="1"'
        ' alphaBand="-1" nodataColor="" classificationMin="0"'
        ' classificationMax="1">\n<rastershader><colorrampshader colorRampType="DISCRETE"'
        ' classificationMode="1" clip="0" minimumValue="0"'
        f' maximumValue="1">\n{steps}\n</colorrampshader></rastershader></rasterrenderer></pipe>\n'
    )


def raster_steps(record: Record, look: Look) -> list[tuple[float, str, str]]:
    """Return upper ends, colours and words of the shown band's classes: those of the polygons,
    the grey one up to 0.
    """
    steps = []
    for rule in look.rules[1 if map_statement(record).columns.signed else 0 :]:
        below = (
            np.inf
            if rule.high is None
            else float(np.nextafter(np.float32(rule.high), np.float32(-np.inf)))
        )
        steps.append((0.0 if rule.low is None else below, rule.colour, rule.words))
    return steps
