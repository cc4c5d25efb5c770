"""Defines an option: what it is called, what it takes, and what every face says of it."""

from dataclasses import dataclass
from typing import Literal

FIRST_MAP = "the plugin has the options of a first map; a terminal or the studio has this one"
Kind = Literal["text", "texts", "whole number", "switch", "path"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of `dpmap release` and of the commands that share it.

    `name` is its name in the code and, where `flag` is left out, on the command line and in
    dpmap.toml, with dashes there. `in_config` is the line that `dpmap init` writes of it. An
    option that the studio or the QGIS plugin does not ask for says why.
    """

    name: str
    help: str
    kind: Kind = "text"
    default: object = None
    flag: str = ""
    metavar: str | None = None
    in_config: "ConfigLine | None" = None
    not_in_studio: str = ""
    not_in_plugin: str = ""

    @property
    def typed(self) -> str:
        """Its name as it is typed.

        >>> Option("since", "...", flag="--from").typed, Option("site_cap", "...").typed
        ('--from', '--site-cap')
        """
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def key(self) -> str:
        """Its name in dpmap.toml, with underscores.

        >>> Option("since", "...", flag="--from").key
        'from'
        """
        return self.typed.removeprefix("--").replace("-", "_")


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """What `dpmap init` writes of an option: under which heading, an example, what it is; and
    whether it stands there as a comment where nothing is known of it.
    """

    heading: str
    example: object
    words: str = ""
    always: bool = False


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that a command takes together, and the panel of `--help` that they stand in."""

    panel: str
    options: tuple[Option, ...]
