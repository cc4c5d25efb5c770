"""`dpmap ensure`: makes a release unless it is there, as often as a scheduler calls it."""

from typing import Annotated

import typer

from dpmap.cli.delivery import release_into_store
from dpmap.cli.flags import (
    AnswerFlags,
    Drawing,
    EngineFlags,
    Finer,
    FolderFlags,
    Promise,
    Published,
    Settings,
    Spending,
    Stamp,
    SurveyArgument,
    Watching,
)
from dpmap.cli.grid_flags import Gridding, LayerFlags
from dpmap.cli.promise_check import TypedPromise
from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.release import make_folder
from dpmap.errors import BadInput


@release_into_store
def ensure(
    survey: SurveyArgument = None,
    *,
    reading: ReadingFlags,
    gridding: Gridding,
    layers: LayerFlags,
    promise: Promise,
    finer: Finer,
    spending: Spending,
    drawing: Drawing,
    stamp: Stamp,
    published: Published,
    engine: EngineFlags,
    folder: FolderFlags,
    settings: Settings,
    watching: Watching,
    answer: AnswerFlags,
    spend_again: Annotated[
        bool,
        typer.Option(
            "--spend-again",
            help="Pay for another release where one was paid for and is not in --out any more.",
        ),
    ] = False,
) -> None:
    """Make a release unless it is there: for schedulers, which may call it again and again. Another
    declaration than that of the release in --out is refused, with 3.
    """
    typed_promise = TypedPromise(
        survey, reading, gridding, layers, promise, finer, spending, drawing, stamp, published
    )
    if folder.resume:
        raise BadInput("--resume: dpmap ensure resumes by itself; leave it out")
    make_folder(
        typed_promise, engine, folder, watching, answer, unless_there=True, spend_again=spend_again
    )
