"""The one table of options: of it the command line's flags and their help, dpmap.toml and what
`dpmap init` writes are made, and the studio and the QGIS plugin are held to it.
"""

from collections.abc import Iterator

from dpmap.options.cells import CELLS, LAYERS
from dpmap.options.execution import ANSWER, CONFIG, ENGINE, FOLDER, PROGRESS
from dpmap.options.option import ConfigLine, Option, OptionGroup
from dpmap.options.promise import BUDGET, FINER_PROMISE, PROMISE, STRATEGY
from dpmap.options.publication import PUBLISHED, STAMP
from dpmap.options.survey_input import READING

GROUPS = (
    READING,
    CELLS,
    LAYERS,
    PROMISE,
    FINER_PROMISE,
    BUDGET,
    STRATEGY,
    STAMP,
    PUBLISHED,
    ENGINE,
    FOLDER,
    CONFIG,
    PROGRESS,
    ANSWER,
)
"""All groups of options of `dpmap release`."""

__all__ = [
    "ANSWER",
    "BUDGET",
    "CELLS",
    "CONFIG",
    "ENGINE",
    "FINER_PROMISE",
    "FOLDER",
    "GROUPS",
    "LAYERS",
    "PROGRESS",
    "PROMISE",
    "PUBLISHED",
    "READING",
    "STAMP",
    "STRATEGY",
    "ConfigLine",
    "Option",
    "OptionGroup",
    "all_options",
    "find_option",
]


def all_options() -> Iterator[Option]:
    """Yields every option of `dpmap release`, group after group."""
    for group in GROUPS:
        yield from group.options


def find_option(name: str) -> Option:
    """Returns the option of this name in the code.

    >>> find_option("max_uncertainty").typed
    '--max-uncertainty'
    """
    return next(option for option in all_options() if option.name == name)
