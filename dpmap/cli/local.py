"""`dpmap local`: a map from answers that volunteers' own devices have randomised."""

import math
from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flag_groups import Command, with_flag_groups
from dpmap.cli.flags import AnswerFlags, Published, Stamp, Watching, from_zero
from dpmap.cli.grid_flags import Gridding
from dpmap.cli.helpers import refuse_lacking, require_flag
from dpmap.errors import BadInput, Refused
from dpmap.numbers import real

local = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    no_args_is_help=True,
    help=(
        "Nobody is trusted with true answers: each volunteer's own device randomises hers before it"
        " is sent."
    ),
)
QuestionArgument = Annotated[
    Path, typer.Argument(help="The question file, from: dpmap local ask.", metavar="QUESTION")
]


@local.command(cls=Command)
@with_flag_groups
def ask(
    gridding: Gridding,
    flags: AnswerFlags,
    to: Annotated[
        Path | None, typer.Option("--to", help="Question file to write, like question.json.")
    ] = None,
    title: Annotated[
        str | None,
        typer.Option("--title", help="What the round is about, and the data set's name."),
    ] = None,
    text: Annotated[
        str, typer.Option("--text", help="What volunteers are asked.")
    ] = "In which of these cells did you see most of them?",
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon",
            help="How far one report may move odds about an answer (e^epsilon times), like 2.",
        ),
    ] = None,
) -> None:
    """Write the public question that devices answer: cells, epsilon and a round of its own."""
    from dpmap.local.questions import ask as make
    from dpmap.local.questions import write_question

    refuse_lacking(
        "local ask",
        (to is None, BadInput, "--to question.json"),
        (title is None, BadInput, "--title WORDS"),
        (not gridding.framed and not gridding.ways, BadInput, '--cell "1 km"'),
        (not gridding.framed and gridding.area is None, Refused, "--area FILE"),
        (epsilon is None, Refused, "--epsilon 2"),
    )
    if to is None or title is None:
        raise BadInput(
            "local ask: add "
            + ("--to question.json" if to is None else "--title, what the round is about")
        )
    question = make(gridding.grid(), require_flag(epsilon, "--epsilon"), title=title, text=text)
    write_question(question, to)
    made = {
        "wrote": [str(to)],
        "cells": question.cells,
        "mechanism": question.mechanism,
        "round": question.round,
    }
    flags.tell(
        made,
        [
            (
                f"wrote {to}: {question.cells:,} cells, mechanism {question.mechanism}, round"
                f" {question.round}"
            )
        ],
    )


@local.command(cls=Command)
@with_flag_groups
def page(
    question: QuestionArgument,
    to: Annotated[Path, typer.Option("--to", help="Page to write, like report.html.")],
) -> None:
    """Write the question as a page for any browser or field app; it needs no network and no
    other file.
    """
    from dpmap.local.pages import write_page
    from dpmap.local.questions import read_question

    if to.suffix.lower() != ".html":
        raise BadInput("--to: the page is written as .html, like report.html")
    write_page(read_question(question), to)
    typer.echo(f"wrote {to}")


@local.command(cls=Command)
@with_flag_groups
def answer(
    question: QuestionArgument,
    cell: Annotated[
        int | None,
        typer.Option(
            "--cell",
            parser=from_zero,
            metavar="INTEGER",
            help="Number of the cell, from 0 in row order.",
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", help="Or the place: latitude,longitude in degrees.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Or the cell's name, where cells have names.")
    ] = None,
    elsewhere: Annotated[
        bool, typer.Option("--elsewhere", help="Elsewhere, or nothing to report.")
    ] = False,
    kept: Annotated[
        Path | None,
        typer.Option(
            "--kept",
            help=(
                "Folder that remembers reports, so that a question is answered once: by default one"
                " at home."
            ),
        ),
    ] = None,
) -> None:
    """Randomise one answer on this device and print the line to send; the answer itself is kept
    nowhere.
    """
    from dpmap.local.device import ReportStore, answer_once
    from dpmap.local.questions import read_question

    question_read = read_question(question)
    if sum((cell is not None, at is not None, name is not None, elsewhere)) != 1:
        raise BadInput(
            "answer: give one of --cell 12, --at 40.55,-1.72, --name NAME or --elsewhere"
        )
    where = (
        question_read.locate(*_place(at))
        if at is not None
        else question_read.cell_named(name)
        if name is not None
        else cell
    )
    typer.echo(
        answer_once(where, question_read, ReportStore(kept or Path.home() / ".dpmap" / "reports"))
    )


@local.command(cls=Command)
@with_flag_groups
def aggregate(
    reports: Annotated[
        list[Path], typer.Argument(help="Files with a report on each line.", metavar="REPORTS...")
    ],
    question: Annotated[Path, typer.Option("--question", help="The question that they answer.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to make.")],
    stamp: Stamp,
    published: Published,
    watching: Watching,
    flags: AnswerFlags,
) -> None:
    """Add the reports up to a map with its honest, wider intervals. Needs no ledger: nothing
    private is read.
    """
    from dpmap.atomic_write import new_folder, only_one_at_once
    from dpmap.cli.release_folder import check_new, save_all
    from dpmap.local.questions import read_question
    from dpmap.local.reports import LineCounts, lines_of
    from dpmap.local.reports import aggregate as make

    question_read = read_question(question)
    check_new(out)
    made = make(
        lines_of(reports, question_read), question_read, governance=published.governance(stamp)
    )
    context = stamp.layers(made.grid)
    with new_folder(out) as folder, only_one_at_once(folder), watching.shown() as progress:
        check_new(out)
        written = save_all(made, folder, progress, context)
    lines = dict(made.record.about.lines or {})
    words = [*(f"wrote {path}" for path in written), LineCounts(**lines).words()]
    flags.tell({"wrote": [str(path) for path in written], "lines": lines}, words)


def _place(at: str) -> tuple[float, float]:
    """Reads longitude and latitude as people write them: latitude first."""
    try:
        lat, lon = (real(part) for part in at.split(","))
    except ValueError:
        lat = lon = math.nan
    if not (abs(lat) <= 90 and abs(lon) <= 180):  # nan too
        raise BadInput("--at: write latitude,longitude in degrees, like --at 40.55,-1.72")
    return lon, lat
