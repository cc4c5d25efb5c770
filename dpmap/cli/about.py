"""`dpmap about`: what a release promises, from its file alone."""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flags import AnswerFlags


def about(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    *,
    answer: AnswerFlags,
) -> None:
    """Say what a release promises, to whoever holds it: its statement. It needs no ledger and no
    survey, and costs nothing.
    """
    from dpmap.releases.release import Release
    from dpmap.releases.summary import summarise
    from dpmap.statement.folder import list_saved_files

    record = Release.open(release).record
    files = [
        {
            "file": one.place,
            "what": one.title,
            "media": one.media,
            "layer": ", ".join(one.layer) or None,
        }
        for one in list_saved_files(record, release)
    ]
    document = {**summarise(record), "files": files}
    lines = document["statement"].splitlines()
    answer.tell(
        document, ("".join(mark if mark.isprintable() else " " for mark in line) for line in lines)
    )
