"""`dpmap ledger`: every event, and what remains."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap.cli.flag_groups import whole_number
from dpmap.cli.flags import AnswerFlags
from dpmap.cli.helpers import ledger_place, require_flag
from dpmap.errors import BadInput, Refused

if TYPE_CHECKING:
    from dpmap.ledger.events import Event
    from dpmap.ledger.ledger import Ledger
    from dpmap.record import Record


def ledger(
    file: Annotated[
        Path,
        typer.Argument(
            help="The ledger file, or postgresql://user@host/database.",
            metavar="LEDGER",
            parser=ledger_place,
        ),
    ],
    against: Annotated[
        Path | None, typer.Option("--against", help="A release that this ledger must contain.")
    ] = None,
    plan: Annotated[
        int | None,
        typer.Option(
            "--plan",
            parser=whole_number,
            metavar="INTEGER",
            help="Deal --total out to this many releases; then: --epsilon next.",
        ),
    ] = None,
    total: Annotated[
        str | None, typer.Option("--total", help="What the planned releases may spend together.")
    ] = None,
    scheme: Annotated[
        str,
        typer.Option(
            "--scheme",
            help=(
                "Shares of a plan: even, decaying as 1, 1/2, 1/3, or alternate: even,"
                " with a release every second season only."
            ),
        ),
    ] = "even",
    disjoint: Annotated[
        list[str] | None,
        typer.Option(
            "--disjoint",
            help="Data sets of which no unit is in two (repeat it), with --signed-by.",
        ),
    ] = None,
    signed_by: Annotated[
        str | None, typer.Option("--signed-by", help="Who answers for --disjoint.")
    ] = None,
    spent_elsewhere: Annotated[
        str | None,
        typer.Option(
            "--spent-elsewhere",
            help="Epsilon that another program spent on --dataset, with --unit and --reason.",
            metavar="EPSILON",
        ),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="The data set that it was spent on.")
    ] = None,
    unit: Annotated[
        str | None, typer.Option("--unit", help="Whom the other program's output protects.")
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason", help="What was made, like 'OpenDP 0.14: counts by parish, 2026-03'."
        ),
    ] = None,
    delta: Annotated[
        str | None, typer.Option("--delta", help="Delta that was spent with --spent-elsewhere.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option("--budget", help="Most epsilon ever, at the data set's first event."),
    ] = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Show and verify a ledger: every event, and what remains. Or enter a plan, that data sets
    share no units, or what was spent elsewhere.
    """
    from dpmap.ledger.accounting import remainder
    from dpmap.ledger.ledger import Ledger
    from dpmap.numbers import decimal_text
    from dpmap.steward import ledger_summary

    book = Ledger(file)
    if plan is not None:
        book.plan(require_flag(total, "--total"), releases=plan, scheme=scheme)
    if disjoint:
        book.disjoint(disjoint, signed_by=require_flag(signed_by, "--signed-by"))
    if spent_elsewhere is not None:
        book.enter(
            require_flag(dataset, "--dataset"),
            spent_elsewhere,
            unit=require_flag(unit, "--unit"),
            reason=require_flag(reason, "--reason"),
            delta=delta,
            budget=budget,
        )
    elif any(value is not None for value in (dataset, unit, reason, delta, budget)):
        raise BadInput(
            "--spent-elsewhere: add the epsilon that was spent; --dataset, --unit, --reason,"
            " --delta and --budget say of what"
        )
    book.refuse_emptied()
    events = book.events()
    each = ledger_summary.accounts(events)
    lines = [*map(_line, events), *(_printable(one.line()) for one in each)]
    most_epsilon, spent = book.balance()
    document: dict[str, Any] = {
        "budget": decimal_text(most_epsilon),
        "spent": decimal_text(spent),
        "remaining": decimal_text(remainder(most_epsilon, spent)),
    }
    over = "; more was spent elsewhere than the budget, so nothing more is released"
    lines.append(
        f"spent {document['spent']} of {document['budget']}; remaining {document['remaining']}"
        f"{over if spent > most_epsilon else ''}"
    )
    document["units"] = ledger_summary.units(events)
    if len(document["units"]) > 1:
        lines.append(_printable(ledger_summary.units_line(document["units"])))
    most_delta, gone = book.balance_delta()
    if most_delta or gone:
        amounts = {
            "budget": decimal_text(most_delta),
            "spent": decimal_text(gone),
            "remaining": decimal_text(remainder(most_delta, gone)),
        }
        document["delta"] = amounts
        lines.append(
            f"delta: spent {amounts['spent']} of {amounts['budget']}; remaining"
            f" {amounts['remaining']}"
        )
    lines.append(
        f"the chain of {len(events)} events is whole"
        + (f"; head {events[-1].digest}" if events else "")
    )
    document["head"] = events[-1].digest if events else None
    if against is not None:
        document["contains"] = _attested(book, against)
        lines.append(f"{against.name} is event {document['contains']} of this ledger")
    lost = [event for event in book.without_release() if event.number != document.get("contains")]
    document["without_release"] = [event.number for event in lost]
    lines += [
        f"{spent_by(event)}, and no release came of it (unless one is being made now)"
        for event in lost
    ]
    document |= {"datasets": [one.to_dict() for one in each], "plan": ledger_summary.plan(events)}
    document["disjoint"] = ledger_summary.disjoint(events)
    left = ledger_summary.remaining(events)
    document["events"] = [
        {"number": one.number, **one.body, "remaining": after}
        for one, after in zip(events, left, strict=True)
    ]
    answer.tell(document, lines)


def spent_by(event: "Event") -> str:
    """Says what a reservation spent, of which data set."""
    return (
        f"event {event.number} spent epsilon {event.body['epsilon']} of {event.body['dataset']!r}"
    )


def _line(event: "Event") -> str:
    """Writes one event on a line that no text in it can break."""
    body = {key: value for key, value in event.body.items() if key not in ("time", "kind", "then")}
    words = "  ".join(
        f"{key}={', '.join(value) if isinstance(value, list) else value}"
        for key, value in body.items()
    )
    return _printable(f"{event.number:>4}  {event.body['time']}  {event.body['kind']:<8} {words}")


def _printable(line: str) -> str:
    """Returns a line without what does not print, whatever the ledger's texts hold."""
    return "".join(mark if mark.isprintable() else " " for mark in line)


def _attested(book: "Ledger", against: Path) -> int:
    """Returns the number of the event that paid for a release; this ledger must hold it."""
    from dpmap.record.release_file import read_record
    from dpmap.statement.kinds import map_statement

    record = read_record(against)
    if why := map_statement(record).unpaid:
        raise BadInput(f"--against: {against.name} {why}")
    book.attests(event=record.receipt.event, head=record.receipt.head)
    _check_paid(record, book.events()[record.receipt.event - 1], against)
    return record.receipt.event


def _check_paid(record: "Record", event: "Event", against: Path) -> None:
    """Refuses a release that says another epsilon than its event paid for, or other tiers."""
    from dpmap.numbers import decimal_text

    tier = record.about.tier
    paid = str(event.body["epsilon"])
    tiers = event.body.get("tiers", [])
    tier_losses = (
        [f"{name}={epsilon}" for name, epsilon in tier.epsilons.items()] if tier is not None else []
    )
    said = decimal_text(record.policy.epsilon) if tier is None else tier.dearest
    is_own_loss = tier is None or tier.epsilons[tier.name] == decimal_text(record.policy.epsilon)
    if said != paid or tier_losses != tiers or not is_own_loss:
        words = ", ".join(map(str, tiers)) if isinstance(tiers, list) and tiers else paid
        raise Refused(
            f"--against: {against.name} says epsilon {', '.join(tier_losses) or said}, and event"
            f" {event.number} paid for {words}; it was changed after it was made, so ask its maker"
            " for the file again"
        )
