"""Explains each input of Private heatmap in a sentence or two, for whoever rests the mouse on it."""

from ..words import tr

HELPS = {
    "INPUT": "The layer with the records, a row each. It is read, never changed or copied; a filter and a selection are honoured.",
    "CONFIRM": "Tick it where a filter, a selection, a join or an expression decides which rows count. The promise is then about the rows that are left.",
    "AREA": "The study area: a public layer of polygons. It is part of the map, so it must not be drawn around the records.",
    "COUNTRY": "A country's English name instead of an area layer, like Kenya. Its border comes with dpmap.",
    "CELL": "The side of a square cell with its unit, like 1 km, 500 m, 0.1 deg or 5 min. Larger cells tell more surely.",
    "GRID": "The cells of an official grid instead, by its name: each cell gets the code that others know it by.",
    "HEXAGONS": "H3 hexagons instead of squares: 0 is the coarsest, 15 the finest; one of 6 covers about 36 square kilometres.",
    "BY_AREA": "Counts in each polygon of the area layer instead of in squares: districts, parks, fields.",
    "UNIT": "The field that names who is protected: the person, the nest, the animal. All rows with one name are one unit.",
    "EACH_ROW": "Protects each row by itself. Somebody who stands in many rows is then not protected: choose a field where you can.",
    "CAP": "How many points one unit adds to the whole map at most. Choose it from what is known of the work, not from these rows.",
    "EPSILON": "How far the map may move anybody's odds about one unit; smaller protects more. The word next takes the ledger's plan.",
    "CONSENT": "The field that says whether a row may count. A row that says something else is left out before anything is counted.",
    "CONSENT_VALUES": "What stands in that field where the answer is yes, with commas between; all else is no.",
    "LEDGER": "The file that keeps what all maps of a data set have cost. Name the same one each time; a second one would forget the first.",
    "DATASET": "The name under which the ledger keeps this survey. Give each map of the same people or places the same name.",
    "BUDGET": "The most epsilon that all maps of this data set may ever cost together. It is declared once, at the first map.",
    "FOLDER": "A new folder that stays: the release, its layers, its statement and its page are put there.",
    "WHERE": "Only rows for which this is true count. It looks at one row by itself, so that nobody's row depends on another's.",
    "FROM": "Rows of this day and later count. Write the column before it where there are several: seen=2020-05.",
    "TO": "Rows up to this day count, the day itself included.",
    "DATES": "The order of day, month and year where it can be read two ways: dmy is 31/05/2020.",
    "CONSENT_BY": "What is left out where somebody refuses: the row that says so, or every row of that unit.",
    "MISSING_UNIT": "What happens to a row that names nobody: it is dropped, or it counts as a unit of its own.",
    "TEAM": "Where one text names several people: what stands between the names. Each of them is then protected.",
    "UNCERTAINTY": "The field that says by how many metres a place may be wrong.",
    "MAX_UNCERTAINTY": "Rows whose place is less certain than this are left out; write a length, like 1 km.",
    "SURFACE": "A line or an area counts once, at a point that lies on it. Without this only points are taken.",
    "SITE": "The field that names the site of each row, where the sites are to be protected beside the units.",
    "SITES": "A file with the place of each site. It is kept as the survey is: it is not part of the map.",
    "SITE_CAP": "From how many units one site takes points at most; without it, from one.",
    "LIMITER": "How a unit with more rows than the cap is held to it: all rows weigh less (scale), some are drawn (sample), or each cell counts once (presence).",
    "STRATEGY": "Adaptive joins cells where little is and is right for most maps; flat gives each cell its own noisy number; sparse:20 only those of 20 and more.",
    "KINDS": "Makes a map for each kind that you name, all under one cap and one epsilon: species=Kestrel,Red kite.",
    "TIMES": "Makes a map for each span between two dates: seen=2023,2024,2025 makes two, one for each year.",
    "AREA_NAME": "Takes only the polygons of the area layer in which a text field holds exactly this name.",
    "GRID_CRS": "The reference system in which the squares are laid out. Leave it empty to have one chosen that keeps areas true.",
    "SENSITIVITY": "Refuses cells that are smaller than a body of practice allows for such records, like gbif-2.",
    "FEW_CELLS": "Confirms that so small a map is meant: with four cells or fewer a mistake of size is likelier.",
    "LOOKED": "Tick it where somebody chose the cap after seeing the rows: the statement then says so, as honesty asks.",
    "AUTHORISED_BY": "The person or body that decided to publish; shown on the map.",
    "PURPOSE": "What readers may use it for; shown on the map.",
    "EXPIRES": "The day after which it must not be used any more; shown on the map.",
    "LABELS": "Labels by which an Indigenous community says how its knowledge may be used; shown on the map.",
    "LICENCE": "The terms of use, by a short name like CC-BY-4.0 or an https address.",
    "REASON": "Why exact places are withheld, in a term that portals know.",
    "RETENTION": "Told to auditors: who holds the survey and the ledger, where, and when they are destroyed.",
    "ALSO_PUBLISHED": "Other maps or tables of the same data, which add to what is known; or the word nothing.",
}  # fmt: skip


def explain(parameter):
    """Gives a parameter its sentence."""
    parameter.setHelp(tr(HELPS[parameter.name()]))
    return parameter
