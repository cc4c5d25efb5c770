"""`dpmap selftest`: the promise, checked on this machine."""

import json
from typing import Annotated

import typer

from dpmap.cli.flags import AnswerFlags, Watching, from_one
from dpmap.errors import BadInput


def selftest(
    deep: Annotated[
        bool, typer.Option("--deep", help="A night's work: fainter faults, other engines too.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="A check by its name; may be repeated.", metavar="NAME"),
    ] = None,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="Only releases of invented neighbours, handed back the same noisy answers.",
        ),
    ] = False,
    cores: Annotated[
        int | None,
        typer.Option(
            "--cores",
            parser=from_one,
            metavar="INTEGER",
            help="Processes to use; all cores by default.",
        ),
    ] = None,
    *,
    watching: Watching,
    answer: AnswerFlags,
) -> None:
    """Check the promise on this machine: noise, cap, odds, whole runs, ledger. Some minutes, no
    survey, nothing spent.

    Prints a page that says what was tried and how small a fault would have been caught. Exit status
    0 when every promise held, 1 when one is broken.
    """
    from dpmap import selftest as checks
    from dpmap.selftest.check import Effort, all_cores

    wanted = (*(only or ()), *(["replay"] if replay else []))
    names = [check.name for check in (*checks.CHECKS, *checks.DEEP)]
    unknown = sorted(set(wanted) - set(names))
    if unknown:
        raise BadInput(
            f"--only: there is no check {', '.join(unknown)}; there are {', '.join(names)}"
        )
    usual = checks.REPLAY if replay else 1.0
    effort = Effort(times=checks.NIGHT if deep else usual, cores=cores or all_cores(), deep=deep)
    with watching.shown() as progress:
        verdict = checks.selftest(effort, wanted, progress)
    if answer.json:
        typer.echo(json.dumps(verdict.to_dict(), indent=1, ensure_ascii=False))
    else:
        from dpmap.selftest.page import show

        show(verdict)
    if not verdict.passed:
        raise typer.Exit(1)
