"""`dpmap studio`: a local page that leads from a file to a released map."""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flags import from_zero
from dpmap.errors import BadInput


def studio(
    folder: Annotated[
        Path,
        typer.Argument(
            help="The folder of your survey; nothing outside it is shown.", metavar="FOLDER"
        ),
    ] = Path(),
    *,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address only.")
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            parser=from_zero,
            metavar="INTEGER",
            help="Port to listen on; else a free one.",
        ),
    ] = 0,
    home: Annotated[
        bool,
        typer.Option(
            "--home",
            help=(
                "In place of FOLDER: the folder dpmap of your home folder, made where there is"
                " none."
            ),
        ),
    ] = False,
    install_shortcut: Annotated[
        bool,
        typer.Option(
            "--install-shortcut", help="Make a double-click start of it for this folder, and end."
        ),
    ] = False,
) -> None:
    """Open the studio: private maps without a command line, on a page of this machine alone."""
    if home:
        folder = _own_folder(folder)
    if install_shortcut:
        from dpmap.studio.shortcut import install

        made = install(folder)
        for place in made:
            typer.echo(f"wrote {place}")
        if any(place.parent.name == "applications" for place in made):
            typer.echo("It is among the programs of your desktop's menu.")
        if any(place.parent.name != "applications" for place in made):
            typer.echo(
                "A double click on the one on your desktop opens the studio; if it asks first,"
                " allow it to start."
            )
        return
    from dpmap.studio import serve

    serve(folder, port=port, browser=not no_browser)


def _own_folder(named: Path) -> Path:
    """Returns the user's own folder for maps, and says where it is when it has just been made."""
    from dpmap.studio.default_folder import own_folder

    if named != Path():
        raise BadInput("studio: name a FOLDER or type --home, not both")
    folder, made = own_folder()
    if made:
        typer.echo(f"made the folder {folder}: copy the survey's file there")
    return folder
