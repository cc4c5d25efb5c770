"""The commands, each in its own file, loaded where it is run: parse -> one library call -> save."""

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from dpmap.cli.flag_groups import Command, with_flag_groups


class ListedCommand(NamedTuple):
    """Where a command is, and what `dpmap --help` says of it: the beginning of its own help."""

    file: str
    help: str


LISTED = {
    "release": ListedCommand(
        "release",
        "Release one private map of a survey, paid for from its ledger. Without a FILE, "
        "dpmap.toml here says all.",
    ),
    "ensure": ListedCommand(
        "ensure",
        "Make a release unless it is there: for schedulers, which may call it again and "
        "again. Another declaration than that of the release in --out is refused, with 3.",
    ),
    "draw": ListedCommand(
        "map_commands",
        "Draw a release again, as a page or a picture; it costs nothing. A page holds all "
        "readings at once. Named for-the-planner.pdf or .html it is the planner's page.",
    ),
    "draws": ListedCommand(
        "draws",
        "Draw whole maps that may be the true one, to compute any number with its interval;"
        " it costs nothing.",
    ),
    "export": ListedCommand(
        "map_commands",
        "Export a release as a GIS layer, or with --as in a form that an atlas or a portal "
        "takes; it costs nothing.",
    ),
    "about": ListedCommand(
        "about",
        "Say what a release promises, to whoever holds it: its statement. It needs no "
        "ledger and no survey, and costs nothing.",
    ),
    "grid": ListedCommand(
        "grid",
        "Count the cells that a map would have, and say where they lie. Reads no survey.",
    ),
    "plan": ListedCommand(
        "plan",
        "Plan a release before anything is spent: what its map will show, errors, which "
        "cells, which epsilon. Reads no survey.",
    ),
    "rehearse": ListedCommand(
        "rehearse",
        "See on an invented survey what caps do, and three epsilons that the budget pays. "
        "Reads no survey, spends nothing.",
    ),
    "ask": ListedCommand(
        "map_commands",
        "Ask a release for the totals of project areas, each with its interval; it costs nothing.",
    ),
    "hotspots": ListedCommand(
        "hotspots",
        "Find hot spots: cells that truly hold more than a number, or than what is around "
        "them. It costs nothing.",
    ),
    "compare": ListedCommand(
        "compare",
        "Tell what changed from one release to another: in clusters, places and cells, or "
        "in zones, with intervals. It costs nothing.",
    ),
    "series": ListedCommand(
        "series",
        "Read the seasons of a survey together: a better map of each, and the trend over "
        "all. It costs nothing.",
    ),
    "merge": ListedCommand(
        "merge",
        "Merge partners' releases into one map: totals add up, and so does their known "
        "noise. It costs nothing.",
    ),
    "ledger": ListedCommand(
        "ledger",
        "Show and verify a ledger: every event, and what remains. Or enter a plan, that "
        "data sets share no units, or what was spent elsewhere.",
    ),
    "demo": ListedCommand(
        "release",
        "Make a private map of the invented sample survey, and say what to open.",
    ),
    "inspect": ListedCommand(
        "inspect",
        "Look at a survey before a release: true numbers, for the operator's eyes. Spends "
        "nothing, writes nothing.",
    ),
    "init": ListedCommand(
        "inspect",
        "Write a commented dpmap.toml with the recognised columns, and with every flag of "
        "release that is given here.",
    ),
    "choose": ListedCommand(
        "choose",
        "Which of these areas holds most? Or which cell size tells most? One name, told "
        "privately; no total is.",
    ),
    "unseal": ListedCommand(
        "unseal",
        "Open a tier that --seal kept for later, in a folder of its own: it was drawn and "
        "paid for, and costs nothing.",
    ),
    "selftest": ListedCommand(
        "selftest",
        "Check the promise on this machine: noise, cap, odds, whole runs, ledger. Some "
        "minutes, no survey, nothing spent.",
    ),
    "studio": ListedCommand(
        "studio",
        "Open the studio: private maps without a command line, on a page of this machine alone.",
    ),
    "local": ListedCommand(
        "local",
        "Nobody is trusted with true answers: each volunteer's own device randomises hers "
        "before it is sent.",
    ),
}
"""All commands in the order of `dpmap --help`, which so waits for none of their flags."""


class CommandsByName(Mapping[str, Any]):
    """The commands by their names; each is loaded, with all of its flags, where it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return load_command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(LISTED)

    def __len__(self) -> int:
        return len(LISTED)


@cache
def load_command(name: str) -> Any:
    """Load a command, or `local` with those below it."""
    found = getattr(import_module(f"dpmap.cli.{LISTED[name].file}"), name)
    if isinstance(found, typer.Typer):
        below = found
    else:
        below = typer.Typer(add_completion=False, rich_markup_mode="rich")
        below.command(name, cls=Command)(with_flag_groups(found))
    command = typer.main.get_command(below)
    command.name = name
    return command


class CommandGroup(TyperGroup):
    """Lists all commands, and loads the one that is run."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self.commands: Any = CommandsByName()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write `dpmap --help`, for which no command is loaded."""
        listed = copy(self)
        listed.commands = {
            name: TyperCommand(name, help=one.help, rich_markup_mode="rich")
            for name, one in LISTED.items()
        }
        super(CommandGroup, listed).format_help(ctx, formatter)


app = typer.Typer(
    cls=CommandGroup,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Private heatmaps of sensitive points: noise on cell totals; no point is moved.",
)


def _version(asked: bool) -> None:
    if asked:
        from dpmap.version import describe_version

        typer.echo(f"dpmap {describe_version()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Private heatmaps of sensitive points: noise on cell totals; no point is moved."""
