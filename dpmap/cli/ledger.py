"""`dpmap ledger`: every event, and what remains."""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flags import whole_number
from dpmap.cli.shared import given
from dpmap.errors import BadInput


def ledger(
    file: Annotated[Path, typer.Argument(help="The ledger file.", metavar="LEDGER")],
    against: Annotated[Path | None, typer.Option("--against", help="A release that this ledger must contain.")] = None,
    plan: Annotated[
        int | None,
        typer.Option(
            "--plan",
            parser=whole_number,
            metavar="INTEGER",
            help="Deal --total out to this many releases; then: --epsilon next.",
        ),
    ] = None,
    total: Annotated[str | None, typer.Option("--total", help="What the planned releases may spend together.")] = None,
    scheme: Annotated[
        str, typer.Option("--scheme", help="Shares of a plan: even, or decaying as 1, 1/2, 1/3.")
    ] = "even",
    disjoint: Annotated[
        list[str] | None,
        typer.Option("--disjoint", help="Data sets of which no unit is in two (repeat it), with --signed-by."),
    ] = None,
    signed_by: Annotated[str | None, typer.Option("--signed-by", help="Who answers for --disjoint.")] = None,
) -> None:
    """Show and verify a ledger: every event, and what remains. Or enter a plan, or that data sets share no units."""
    from dpmap.ledger.ledger import Ledger
    from dpmap.numbers import decimal_text

    book = Ledger(file)
    if plan is not None:
        book.plan(given(total, "--total"), releases=plan, scheme=scheme)
    if disjoint:
        book.disjoint(disjoint, signed_by=given(signed_by, "--signed-by"))
    book.refuse_emptied()
    events = book.events()
    for event in events:
        body = {key: value for key, value in event.body.items() if key not in ("time", "kind")}
        words = "  ".join(
            f"{key}={', '.join(value) if isinstance(value, list) else value}" for key, value in body.items()
        )
        line = f"{event.number:>4}  {event.body['time']}  {event.body['kind']:<8} {words}"
        typer.echo("".join(mark if mark.isprintable() else " " for mark in line))
    budget, spent = book.balance()
    typer.echo(f"spent {decimal_text(spent)} of {decimal_text(budget)}; remaining {decimal_text(budget - spent)}")
    most, gone = book.balance_delta()
    if most:
        typer.echo(f"delta: spent {decimal_text(gone)} of {decimal_text(most)}; remaining {decimal_text(most - gone)}")
    typer.echo(f"the chain of {len(events)} events is whole" + (f"; head {events[-1].digest}" if events else ""))
    if against is not None:
        from dpmap.record.file import read_record
        from dpmap.statement.kinds import of

        record = read_record(against)
        if why := of(record).unpaid:
            raise BadInput(f"--against: {against.name} {why}")
        receipt = record.receipt
        book.attests(event=receipt.event, head=receipt.head)
        typer.echo(f"{against.name} is event {receipt.event} of this ledger")
