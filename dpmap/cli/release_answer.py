"""Prints what a release was made of, what was written and what was spent."""

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.cli.flags import AnswerFlags, Finer
from dpmap.cli.release_folder import file_facts

if TYPE_CHECKING:
    from dpmap.releases.release import Release


def print_answer(
    made: "Release",
    written: list[Path],
    answer: AnswerFlags,
    *,
    read_as: bool = True,
    finer: Finer | None = None,
    out: Path | None = None,
) -> None:
    """Print what each column was used for, what was written, and what was spent."""
    from dpmap.numbers import decimal_text

    receipt = made.record.receipt
    delta = made.policy.delta
    spent, budget, remaining = (
        decimal_text(one) for one in (made.policy.epsilon, receipt.budget, receipt.remaining)
    )
    tier = made.record.about.tier
    sealed = None if finer is None else finer.seal
    spent = spent if tier is None else tier.dearest
    document = {
        "wrote": [str(path) for path in written],
        "files": [file_facts(path) for path in written],
        "release_id": receipt.release_id,
        "dataset": receipt.dataset,
        "epsilon": spent,
        "budget": budget,
        "remaining": remaining,
        "read_as": dict(made.record.about.read_as or ()),
    }
    lines = (
        [f"{part + ':':<10} {words}" for part, words in made.record.about.read_as or ()]
        if read_as
        else []
    )
    lines += _wrote(written)
    lines.append(f"spent epsilon {spent}; {remaining} of {budget} remains for {receipt.dataset!r}")
    if tier is not None:
        document |= {"tiers": dict(tier.epsilons)}
        readers = ", ".join(f"{name} {epsilon}" for name, epsilon in tier.epsilons.items())
        lines.append(
            f"once for all tiers ({readers}): whoever holds several has the epsilon of the finest"
            " of them"
        )
    if tier is not None and sealed is not None:
        document |= {"sealed": str(sealed)}
        command = shlex.join(
            ["dpmap", "unseal", str(sealed), "--tier", list(tier.epsilons)[-1], "--out", str(out)]
        )
        lines.append(
            f"{sealed} keeps them all, for you alone: who has it has the finest. For another, at no"
            f" cost, type  {command}"
        )
    if delta is not None:
        most = decimal_text(receipt.budget_delta)
        left = decimal_text(receipt.budget_delta - receipt.spent_delta)
        document |= {"delta": decimal_text(delta), "budget_delta": most, "remaining_delta": left}
        lines.append(f"and delta {decimal_text(delta)}; {left} of {most} remains")
    if read_as and (lacking := _not_declared(made)):
        document |= {"not_declared": list(lacking)}
        lines.append(
            f"the attestation says Not declared of {' and '.join(lacking.values())}; next time add"
            f" {' and '.join(lacking)}"
        )
    envelope = next((path for path in written if path.name == "planner.zip"), None)
    if envelope and read_as:
        one_page = envelope.with_name("for-the-planner.pdf")
        lines.append(f"hand a planner {envelope}, or its one page, {one_page}")
    if (page := next((path for path in written if path.name == "map.html"), None)) and read_as:
        lines.append(
            f"open {page} first, in a browser; {page.with_name('statement.md')} says what is"
            " protected and what is not"
        )
        if (board := page.with_name("attestation.html")) in written:
            lines.append(
                f"for your board print {board}, for whoever is in the survey for-the-protected.html"
            )
    answer.tell(document, lines)


def _not_declared(made: "Release") -> dict[str, str]:
    """Returns what a board asks for and nobody declared: the flag, and what it would have said."""
    governance = made.record.about.governance
    declarations = {
        "--also-published": ("other publications", governance.also_published),
        "--retention": ("who can reach the survey", governance.retention),
    }
    return {flag: about for flag, (about, is_declared) in declarations.items() if not is_declared}


def _wrote(written: list[Path]) -> list[str]:
    """Returns a line for each file with its size, and one for all those that catalogues ask: a
    release has many.
    """
    catalogued = [path for path in written if path.parent.name == "metadata"]
    lines = [
        f"wrote {path}  ({_size(os.path.getsize(path))})"
        for path in written
        if path not in catalogued
    ]
    if catalogued:
        size = _size(sum(os.path.getsize(path) for path in catalogued))
        lines.append(
            f"wrote {catalogued[0].parent}  ({len(catalogued)} files for catalogues, {size})"
        )
    return lines


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
