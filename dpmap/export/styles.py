"""Writes styles for QGIS (.qml) and for map servers (.sld) by hand, with the same ramp and breaks as the maps.

One .qml holds both a vector renderer and a raster pipe; QGIS takes the part that fits the layer. So `map.qml` beside
`map.tif` and `map.geojson` styles either.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from dpmap import style
from dpmap.files import written_aside
from dpmap.inference import Estimate, distinguishable
from dpmap.inference.kinds import of as told
from dpmap.inference.patches import Patches
from dpmap.record import Record
from dpmap.statement.columns import Columns
from dpmap.statement.kinds import of as said


@dataclass(frozen=True, slots=True)
class Rule:
    """Describes a class of cells or places: `low` <= density < `high`; both are None for those that are not told."""

    words: str
    colour: str
    low: float | None = None
    high: float | None = None


def rules(record: Record, estimate: Estimate) -> list[Rule]:
    """Returns the classes of the map by density, the grey one first."""
    sure = distinguishable(estimate)
    edges = said(record).breaks(told(record).shown(estimate.values)[sure])
    found = [Rule(said(record).unsure_words(), style.UNSURE)]
    if len(edges) < 2:
        return [*found, Rule("distinguishable", style.hex_colour(0.02), 0.0, None)] if sure.any() else found
    bounds = [*edges[:-1], None]
    bounds[0] = -1e300 if said(record).columns.signed else bounds[0]
    for i, (words, colour) in enumerate(
        zip(said(record).unit(edges).labels(edges), style.class_colours(len(edges) - 1), strict=True)
    ):
        found.append(Rule(words, colour, bounds[i], bounds[i + 1]))
    return found


def vector_qml(record: Record, estimate: Estimate) -> str:
    """Makes a rule for each class, and a hatched grey one for cells that noise alone explains."""
    return _document(_cells_part(record, estimate))


def patches_qml(found: Patches) -> str:
    """Makes a rule for each class of places, and a hatched grey one for those whose colour is not told."""
    edges = style.place_breaks(found.density, found.told, found.nearly_empty)
    names = zip(style.class_labels(edges), style.class_colours(max(1, len(edges) - 1)), strict=False)
    bounds = [*edges[:-1], None]
    told_ones = [Rule(words, colour, bounds[i], bounds[i + 1]) for i, (words, colour) in enumerate(names)]
    return _document(_vector_part([Rule("not told", style.UNSURE), *told_ones], "told", "density"))


def combined_qml(record: Record, estimate: Estimate) -> str:
    """Makes the vector rules, and for squares the raster's colours too."""
    raster = _raster_part(record, estimate) if record.grid.kind == "squares" else ""
    return _document(raster + _cells_part(record, estimate))


def outline_qml() -> str:
    """Makes thin outlines for the regions that were measured."""
    layer = _layer("SimpleLine", {"line_color": "90,90,90,90", "line_width": "0.12", "line_style": "solid"})
    return _document(
        '<renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0">'
        f'<symbols><symbol type="fill" name="0" alpha="1" clip_to_extent="1">{layer}</symbol></symbols></renderer-v2>'
        "<layerGeometryType>2</layerGeometryType>"
    )


def write_qml(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Writes the style for QGIS."""
    with written_aside(path) as aside:
        aside.write_text(combined_qml(record, estimate), encoding="utf-8")


def write_beside(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Writes the style where QGIS looks for it: the layer's own name with .qml."""
    write_qml(record, estimate, Path(path).with_suffix(".qml"))


def write_sld(record: Record, estimate: Estimate, path: "str | os.PathLike[str]") -> None:
    """Writes the style for map servers: Styled Layer Descriptor 1.0."""
    with written_aside(path) as aside:
        aside.write_text(sld(record, estimate), encoding="utf-8")


def sld(record: Record, estimate: Estimate) -> str:
    """Makes the Styled Layer Descriptor 1.0 for the cells."""
    parts = [_sld_rule(rule, said(record).columns) for rule in rules(record, estimate)]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" '
        'xmlns:ogc="http://www.opengis.net/ogc">\n'
        f"<NamedLayer><Name>cells</Name><UserStyle><Title>{escape(said(record).unit_words())}</Title>\n"
        f"<FeatureTypeStyle>\n{''.join(parts)}</FeatureTypeStyle></UserStyle></NamedLayer>\n</StyledLayerDescriptor>\n"
    )


def _sld_rule(rule: Rule, columns: Columns) -> str:
    tests = [_compare("PropertyIsEqualTo", columns.sure, "false" if rule.low is None else "true")]
    if rule.low is not None:
        tests.append(_compare("PropertyIsGreaterThanOrEqualTo", columns.coloured, repr(rule.low)))
    if rule.high is not None:
        tests.append(_compare("PropertyIsLessThan", columns.coloured, repr(rule.high)))
    condition = tests[0] if len(tests) == 1 else f"<ogc:And>{''.join(tests)}</ogc:And>"
    return (
        f"<Rule><Name>{escape(rule.words)}</Name><ogc:Filter>{condition}</ogc:Filter><PolygonSymbolizer><Fill>"
        f'<CssParameter name="fill">{rule.colour}</CssParameter></Fill></PolygonSymbolizer></Rule>\n'
    )


def _compare(test: str, name: str, value: str) -> str:
    return f"<ogc:{test}><ogc:PropertyName>{name}</ogc:PropertyName><ogc:Literal>{value}</ogc:Literal></ogc:{test}>"


def _document(inside: str) -> str:
    return (
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        f'<qgis version="3.22.0" styleCategories="Symbology">\n{inside}\n</qgis>\n'
    )


def _cells_part(record: Record, estimate: Estimate) -> str:
    columns = said(record).columns
    return _vector_part(rules(record, estimate), columns.sure, columns.coloured)


def _vector_part(classes: list[Rule], sure: str, shown: str) -> str:
    """Makes a renderer of rules over the columns that say whether a feature is told, and how dense it is."""
    lines, symbols = [], []
    for i, rule in enumerate(classes):
        tests = [f'"{sure}"' if rule.low is not None else f'NOT "{sure}"']
        tests += [f'"{shown}" >= {rule.low!r}'] if rule.low is not None else []
        tests += [f'"{shown}" < {rule.high!r}'] if rule.high is not None else []
        key = f"{{00000000-0000-4000-8000-{i:012d}}}"
        lines.append(
            f'<rule key="{key}" symbol="{i}" label={quoteattr(rule.words)} filter={quoteattr(" AND ".join(tests))}/>'
        )
        layers = _fill(rule.colour) + (_hatch() if rule.low is None else "")
        symbols.append(f'<symbol type="fill" name="{i}" alpha="1" clip_to_extent="1">{layers}</symbol>')
    return (
        '<renderer-v2 type="RuleRenderer" symbollevels="0" enableorderby="0" forceraster="0">\n'
        f'<rules key="{{00000000-0000-4000-8000-999999999999}}">\n{chr(10).join(lines[::-1])}\n</rules>\n'
        f"<symbols>\n{chr(10).join(symbols)}\n</symbols></renderer-v2>\n<layerGeometryType>2</layerGeometryType>"
    )


def _fill(colour: str) -> str:
    red, green, blue = (round(channel * 255) for channel in style.rgb(colour))
    return _layer(
        "SimpleFill",
        {
            "color": f"{red},{green},{blue},255",
            "style": "solid",
            "outline_color": f"{red},{green},{blue},255",
            "outline_style": "solid",
            "outline_width": "0.08",
            "outline_width_unit": "MM",
        },
    )


def _hatch() -> str:
    """Makes thin diagonal lines over the grey, so that it can be told apart in greyscale."""
    line = _layer("SimpleLine", {"line_color": "173,173,173,255", "line_width": "0.2", "line_style": "solid"})
    options = {"angle": "45", "distance": "1.8", "distance_unit": "MM", "line_width": "0.2"}
    inner = f'<symbol type="line" name="@hatch@1" alpha="1" clip_to_extent="1">{line}</symbol>'
    return _layer("LinePatternFill", options, inner)


def _layer(kind: str, options: dict[str, str], inside: str = "") -> str:
    """Makes a symbol layer; older QGIS reads `prop`, newer ones `Option`."""
    props = "".join(f'<prop k="{key}" v="{value}"/>' for key, value in options.items())
    maps = "".join(f'<Option type="QString" name="{key}" value="{value}"/>' for key, value in options.items())
    return f'<layer class="{kind}" enabled="1" pass="0" locked="0"><Option type="Map">{maps}</Option>{props}{inside}</layer>'


def _raster_part(record: Record, estimate: Estimate) -> str:
    """Makes discrete colours for the band of densities that stand out from noise, and grey for its zeros."""
    steps = "\n".join(
        f'<item value="{"inf" if np.isinf(top) else repr(float(top))}" color="{colour}" alpha="255" '
        f"label={quoteattr(words)}/>"
        for top, colour, words in raster_steps(record, estimate)
    )
    return (
        '<pipe><provider><resampling enabled="false"/></provider>'
        f'<rasterrenderer type="singlebandpseudocolor" band="{said(record).columns.band}" opacity="1" alphaBand="-1" nodataColor="" '
        'classificationMin="0" classificationMax="1">\n'
        '<rastershader><colorrampshader colorRampType="DISCRETE" classificationMode="1" clip="0" '
        'minimumValue="0" maximumValue="1">\n'
        f"{steps}\n</colorrampshader></rastershader></rasterrenderer></pipe>\n"
    )


def raster_steps(record: Record, estimate: Estimate) -> list[tuple[float, str, str]]:
    """Returns upper ends, colours and words of the shown band's classes: those of the polygons, the grey one up to 0."""
    steps = []
    for rule in rules(record, estimate)[1 if said(record).columns.signed else 0 :]:
        below = np.inf if rule.high is None else float(np.nextafter(np.float32(rule.high), np.float32(-np.inf)))
        steps.append((0.0 if rule.low is None else below, rule.colour, rule.words))
    return steps
