"""The commands, each from its own file: parse -> one library call -> save."""

from typing import Annotated

import typer

from dpmap.cli.about import about
from dpmap.cli.choose import choose
from dpmap.cli.compare import compare
from dpmap.cli.draws import draws
from dpmap.cli.ensure import ensure
from dpmap.cli.flag_groups import Command, with_flag_groups
from dpmap.cli.grid import grid
from dpmap.cli.hotspots import hotspots
from dpmap.cli.inspect import init, inspect
from dpmap.cli.ledger import ledger
from dpmap.cli.local import local
from dpmap.cli.map_commands import ask, draw, export
from dpmap.cli.merge import merge
from dpmap.cli.plan import plan
from dpmap.cli.rehearse import rehearse
from dpmap.cli.release import demo, release
from dpmap.cli.selftest import selftest
from dpmap.cli.series import series
from dpmap.cli.studio import studio
from dpmap.cli.unseal import unseal

app = typer.Typer(
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


for command in (
    release,
    ensure,
    draw,
    draws,
    export,
    about,
    grid,
    plan,
    rehearse,
    ask,
    hotspots,
    compare,
    series,
    merge,
    ledger,
    demo,
    inspect,
    init,
    choose,
    unseal,
    selftest,
    studio,
):
    app.command(cls=Command)(with_flag_groups(command))
app.add_typer(local, name="local")
