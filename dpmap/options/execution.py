"""What counts the rows, where a release goes, and how a command answers."""

from dpmap.options.config_headings import MADE
from dpmap.options.option import FIRST_MAP, ConfigLine, Option, OptionGroup

ENGINE = OptionGroup(
    "What counts the rows",
    (
        Option(
            "engine",
            "What counts the rows: duckdb or spark.",
            default="duckdb",
            not_in_plugin="DuckDB counts on a desktop",
        ),
        Option(
            "memory",
            'Most memory for the engine, like "2GB".',
            not_in_plugin="DuckDB counts on a desktop",
        ),
        Option(
            "threads",
            "Most threads for the engine.",
            kind="whole number",
            not_in_plugin="DuckDB counts on a desktop",
        ),
        Option(
            "temp",
            "Folder with room, in which the engine may spill what memory cannot hold.",
            kind="path",
            not_in_plugin="DuckDB counts on a desktop",
        ),
    ),
)

FOLDER = OptionGroup(
    "Settings and answers",
    (
        Option(
            "out",
            "New folder for the release.",
            kind="path",
            in_config=ConfigLine(MADE, "release", "a new folder for each release"),
        ),
        Option(
            "resume",
            "Make what is missing in a release's folder (FILE, or --out) from its release.dpmap,"
            " at no cost.",
            kind="switch",
            default=False,
            not_in_plugin=FIRST_MAP,
        ),
        Option(
            "only",
            "Make this file of the folder beside release.dpmap, not all (again for more), like"
            " map.png; --resume makes the rest later. --only release.dpmap makes no other.",
            kind="texts",
            not_in_studio="the studio makes them all",
            not_in_plugin=FIRST_MAP,
        ),
    ),
)

CONFIG = OptionGroup(
    "Settings and answers",
    (
        Option(
            "config",
            "TOML file with any of these flags.",
            kind="path",
            not_in_studio="the studio writes its own dpmap.toml",
            not_in_plugin="the plugin's own fields say all",
        ),
    ),
)

ANSWER = OptionGroup(
    "Settings and answers",
    (
        Option(
            "json",
            "Print the answer as JSON.",
            kind="switch",
            default=False,
        ),
    ),
)

PROGRESS = OptionGroup(
    "Settings and answers",
    (
        Option(
            "progress",
            'json: a JSON object a line on stderr, with "step", "fraction" and "seconds_left". log:'
            " a line with the time for each step.",
            not_in_studio="the studio shows the progress itself",
        ),
    ),
)
