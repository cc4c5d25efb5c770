"""How a survey is read."""

from dpmap.options.config_headings import READ
from dpmap.options.option import FIRST_MAP, ConfigLine, Option, OptionGroup

READING = OptionGroup(
    "How the survey is read",
    (
        Option(
            "x",
            "Column of the x coordinate or longitude.",
            in_config=ConfigLine(READ, "COLUMN"),
        ),
        Option(
            "y",
            "Column of the y coordinate or latitude.",
            in_config=ConfigLine(READ, "COLUMN"),
        ),
        Option(
            "place",
            "One column that says where a row is: WKT, GeoJSON, lat lon, grid reference.",
            in_config=ConfigLine(READ, "COLUMN"),
        ),
        Option(
            "crs",
            "CRS of the survey's coordinates, like EPSG:4326.",
            in_config=ConfigLine(READ, "EPSG:4326"),
        ),
        Option(
            "datum",
            "Column that names each row's datum or EPSG code.",
            in_config=ConfigLine(READ, "COLUMN"),
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "swap",
            "x and y are the other way round.",
            kind="switch",
            default=False,
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "west_positive",
            "Longitudes count westwards.",
            kind="switch",
            default=False,
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "surface",
            "Lines and areas count, at a point on them.",
            kind="switch",
            default=False,
            in_config=ConfigLine(READ, True, "lines and areas count, each at a point on it"),
        ),
        Option(
            "uncertainty",
            "Column of uncertainty in metres.",
            in_config=ConfigLine(READ, "COLUMN", "how certain a place is, in metres"),
        ),
        Option(
            "max_uncertainty",
            'Leave out what is less certain, like "1 km".',
            in_config=ConfigLine(READ, "1 km", "leave out what is less certain", always=True),
        ),
        Option(
            "layer",
            "Layer of the survey file, all of them where they have the same columns (all), or file"
            " in an archive.",
            in_config=ConfigLine(READ, "LAYER"),
        ),
        Option(
            "sheet",
            "Sheet of a workbook, by its name or number.",
            in_config=ConfigLine(READ, "SHEET"),
            not_in_plugin="QGIS opens the sheet as a layer",
        ),
        Option(
            "header_row",
            "Row of a sheet, or line of a text, that holds the names.",
            kind="whole number",
            in_config=ConfigLine(READ, "1"),
            not_in_plugin="QGIS opens the sheet as a layer",
        ),
        Option(
            "format",
            "What the file is, where it cannot say so itself: geojson, json, kml, gpx, gbif ...",
            in_config=ConfigLine(READ, "gbif"),
        ),
        Option(
            "columns",
            "Names of the columns, with commas between, where a file has no header; or the fields"
            " to read.",
            in_config=ConfigLine(READ, "A,B,C"),
            not_in_plugin="QGIS knows the columns",
        ),
        Option(
            "delimiter",
            "Mark between the fields of a text, like ';' or tab; else its header tells.",
            in_config=ConfigLine(READ, ";"),
        ),
        Option(
            "encoding",
            "Encoding of a text file, like cp1252.",
            in_config=ConfigLine(READ, "cp1252"),
        ),
        Option(
            "table",
            "Table of a database, like schema.table.",
            in_config=ConfigLine(READ, "schema.table"),
            not_in_studio="a database is read from a terminal: the studio opens files",
            not_in_plugin="QGIS opens the table as a layer",
        ),
        Option(
            "query",
            "One SELECT for a database to answer; its rows are the survey.",
            in_config=ConfigLine(READ, "SELECT"),
            not_in_studio="a database is read from a terminal: the studio opens files",
            not_in_plugin="QGIS opens the query as a layer",
        ),
        Option(
            "where",
            "Rule over a row's columns, like \"species = 'Aquila' and year >= 2020\": rows that"
            " count.",
            in_config=ConfigLine(
                READ,
                "COLUMN = 'text' and COLUMN >= 5",
                "rows that count, by their own columns",
                always=True,
            ),
        ),
        Option(
            "since",
            "First date of rows that count: 2020, 2020-05, COLUMN=2020-05-31.",
            flag="--from",
            metavar="DATE",
            in_config=ConfigLine(READ, "2020", "first date that counts, or COLUMN=DATE"),
        ),
        Option(
            "until",
            "Last date of rows that count, included; as --from.",
            flag="--to",
            metavar="DATE",
            in_config=ConfigLine(READ, "2024", "last date that counts"),
        ),
        Option(
            "dates",
            "How dates are written, tried in order: dmy, mdy, ymd, iso, excel, epoch; start takes"
            " a range by its start.",
            in_config=ConfigLine(READ, "iso", "how dates are written, tried in this order"),
        ),
        Option(
            "chosen_by",
            "Who or what chose the rows before dpmap reads them, like 'a filter in QGIS': the"
            " statement says it.",
            not_in_studio="no other program chooses rows on the way to the studio",
        ),
        Option(
            "team",
            "What stands between names in one text: auto (; and |), none, or like '; & and'.",
            in_config=ConfigLine(
                READ,
                "none",
                "none: a text is one unit; auto: a row counts once for each name between ; and |",
            ),
        ),
        Option(
            "missing_unit",
            "Rows that name nobody: drop, or own-unit for each its own.",
            default="drop",
            in_config=ConfigLine(READ, "drop", "rows that name nobody"),
        ),
        Option(
            "consent_by",
            "What a refusal takes: its row, or its whole unit.",
            default="row",
            in_config=ConfigLine(READ, "row", '"unit": one refusal takes all of a unit\'s rows'),
        ),
        Option(
            "signals",
            "The format's own signs of obscuring and refusal: all, wishes or none.",
            default="all",
            in_config=ConfigLine(
                READ, "all", "the format's own signs of obscuring and refusal are honoured"
            ),
            not_in_studio="the safe default holds; dpmap.toml may say otherwise",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "count",
            "Column of how many, with --max-count.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "max_count",
            "Most that one row may count for.",
            kind="whole number",
            not_in_studio="counts are weighed from a terminal or by dpmap.toml",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "mean",
            "Column whose mean the map tells, with --between and --strategy flat.",
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "between",
            "LOW,HIGH: the declared least and most of a value.",
            not_in_studio="means are made from a terminal or by dpmap.toml",
            not_in_plugin=FIRST_MAP,
        ),
    ),
)
