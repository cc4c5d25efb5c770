"""Makes `dpmap/render/assets/dpmap-sans.ttf` and `dpmap-sans-bold.ttf`, the typeface of the pictures.

    npm pack source-sans@3.52.0                           # Source Sans 3, SIL Open Font License
    tar xzf source-sans-3.52.0.tgz
    python benchmarks/typeface.py package OUT_FOLDER

Keeps the letters of Latin, Greek and Cyrillic and the signs that the pictures write. The licence
reserves the name Source to the whole typeface, so the shortened one has a name of its own. Runs in
seconds; needs fonttools.
"""

import sys
from pathlib import Path

from fontTools import subset

NAME = "dpmap Sans"
LETTERS = (
    "U+0020-007E,U+00A0-024F,U+02BB-02BC,U+02C6-02DD,U+0300-0304,U+0306-030C,U+0327-0328,"
    "U+0370-03FF,U+0400-045F,U+0490-0491,U+1E00-1EFF,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,"
    "U+2030,U+2032-2033,U+2039-203A,U+2044,U+2070-208E,U+20AC,U+2116,U+2122,U+2190-2193,U+2212,"
    "U+2248,U+2260,U+2264-2265"
)
TABLES = ("GPOS", "GSUB", "GDEF", "BASE", "DSIG")
"""Tables for layout engines, which matplotlib does not read."""
BOLD = 0x20
REGULAR = 0x40


def shorten(source: Path, target: Path, style: str) -> None:
    """Write a font with the wanted letters and a name of its own."""
    options = subset.Options(
        hinting=False, layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], glyph_names=False
    )
    options.drop_tables += TABLES
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(LETTERS))
    subsetter.subset(font)
    names = {1: NAME, 2: style, 3: f"{NAME} {style}", 4: f"{NAME} {style}"}
    names[6] = f"{NAME.replace(' ', '')}-{style}"
    for record in font["name"].names:
        record.string = names.get(record.nameID, record.string)
    if style == "Bold":
        font["OS/2"].usWeightClass = 700
        font["OS/2"].fsSelection = (font["OS/2"].fsSelection & ~REGULAR) | BOLD
        font["head"].macStyle |= 1
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    font.save(target)


if __name__ == "__main__":
    fonts = Path(sys.argv[1]) / "TTF"
    folder = Path(sys.argv[2])
    shorten(fonts / "SourceSans3-Regular.ttf", folder / "dpmap-sans.ttf", "Regular")
    shorten(fonts / "SourceSans3-Semibold.ttf", folder / "dpmap-sans-bold.ttf", "Bold")
