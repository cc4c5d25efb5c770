"""The cells of a map: the land, the grid, and a map for each kind and time."""

from dpmap.options.config_headings import DECLARED_PLACE
from dpmap.options.option import ConfigLine, Option, OptionGroup

CELLS = OptionGroup(
    "The cells",
    (
        Option(
            "area",
            "Polygon layer of the study area, country:Kenya or region:Dorset (Natural Earth). Never"
            " read off the survey.",
            in_config=ConfigLine(DECLARED_PLACE, "study_area.gpkg", always=True),
        ),
        Option(
            "cell",
            'Square cells: "1 km", "500 m", "0.1 deg", "5 min".',
            in_config=ConfigLine(DECLARED_PLACE, "1 km", always=True),
        ),
        Option(
            "area_layer",
            "Layer of the area file.",
            not_in_plugin="the land is a layer or a country",
        ),
        Option(
            "area_name",
            "Only the polygons of --area of which a text column holds this name.",
        ),
        Option(
            "hexagons",
            "H3 hexagons of this resolution instead of squares.",
            kind="whole number",
        ),
        Option(
            "by_area",
            "One cell for each polygon of --area.",
            kind="switch",
            default=False,
        ),
        Option(
            "official",
            "Cells of an official grid instead, by its name: eea-10km, os-hectad, qdgc ... Each"
            " cell gets its published code; those of maille-1km and maille-2km are unverified.",
            flag="--grid",
            metavar="NAME",
            in_config=ConfigLine(
                DECLARED_PLACE,
                "eea-10km",
                "an official grid instead of cell, if an atlas shall take the map",
                always=True,
            ),
        ),
        Option(
            "bounds",
            "west,south,east,north instead of --area, with --shape; in degrees, or what --grid-crs"
            " is in.",
            in_config=ConfigLine(
                DECLARED_PLACE,
                "0,50,2,52",
                "west,south,east,north, in degrees or what grid-crs is in",
            ),
            not_in_plugin="the land is a layer or a country",
        ),
        Option(
            "shape",
            "rows,columns: how many cells --bounds holds.",
            in_config=ConfigLine(
                DECLARED_PLACE, "20,20", "rows,columns: how many cells the bounds hold"
            ),
            not_in_plugin="the land is a layer or a country",
        ),
        Option(
            "grid_crs",
            "National grid for the cells, like EPSG:27700.",
            in_config=ConfigLine(
                DECLARED_PLACE, "EPSG:27700", "what the bounds are in, or the squares follow"
            ),
        ),
    ),
)

LAYERS = OptionGroup(
    "The cells",
    (
        Option(
            "kinds",
            "A map for each kind, COLUMN=A,B,C; all under one cap and epsilon.",
            kind="texts",
        ),
        Option(
            "times",
            "A map for each span between dates, COLUMN=2023,2024,2025.",
        ),
        Option(
            "sensitivity",
            "Smallest cells allowed: gbif-1 to gbif-4, inat, ebird, nbn-10km ...",
            in_config=ConfigLine(
                DECLARED_PLACE,
                "gbif-2",
                "the smallest cells allowed: gbif-1 to gbif-4, inat, ebird, nbn-10km ...",
                always=True,
            ),
        ),
        Option(
            "few_cells",
            "An area of four cells or fewer is what is meant.",
            kind="switch",
            default=False,
        ),
    ),
)
