"""`dpmap studio`: a local page that leads from a file to a released map."""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flags import from_zero


def studio(
    folder: Annotated[
        Path, typer.Argument(help="The folder of your survey; nothing outside it is shown.", metavar="FOLDER")
    ] = Path(),
    *,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address only.")] = False,
    port: Annotated[
        int, typer.Option("--port", parser=from_zero, metavar="INTEGER", help="Port to listen on; else a free one.")
    ] = 0,
) -> None:
    """Open the studio: private maps without a command line, on a page of this machine alone."""
    from dpmap.studio import serve

    serve(folder, port=port, browser=not no_browser)
