"""`dpmap release --resume`: the rest of a folder, from the release that is saved in it."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dpmap.cli.flags import AnswerFlags, Watching
from dpmap.cli.ledger import spent_by
from dpmap.cli.promise_check import TypedPromise
from dpmap.cli.release_folder import SAVED, file_facts, save_all
from dpmap.errors import BadInput
from dpmap.releases.folder_writer import refuse_unknown

if TYPE_CHECKING:
    from dpmap.releases.release import Release


def resume(
    place: Path | None,
    book: Path | str | None,
    private: tuple[str | None, ...],
    typed_promise: TypedPromise,
    watching: Watching,
    answer: AnswerFlags,
    *,
    only: Sequence[str] | None = None,
) -> None:
    """Makes the files that are missing beside a release.dpmap, or in a folder for each tier; it is
    read, never drawn again, and `asked` may name no other promise than its own.

    `private` are the survey's own files, which no layer of `--context` may be.
    """
    from dpmap.atomic_write import only_one_at_once
    from dpmap.releases.release import Release

    if place is None:
        raise BadInput(
            "--resume: name the folder of a release, like dpmap release --resume raptors"
        )
    saved = (
        [place / SAVED] if os.path.exists(place / SAVED) else sorted(place.glob(f"*/{SAVED}"))
    )  # the second is of tiers
    if not saved:
        raise BadInput(
            f"--resume: {place.name or place} holds no release.dpmap to go on from;"
            f" {_spent(book, place)}"
        )
    made = {one: Release.open(one) for one in saved}
    for release in made.values():
        typed_promise.refuse_changed(release.record, place)
    grid = next(iter(made.values())).grid
    refuse_unknown(only, grid)
    context = typed_promise.stamp.layers(grid, *private)
    with only_one_at_once(place), watching.shown() as progress:
        written = [
            path
            for one in made
            for path in save_all(made[one], one.parent, progress, context, missing=True, only=only)
        ]
    tell_resumed(made, written, place, answer)


def tell_resumed(
    made: "Mapping[Path, Release]", written: list[Path], place: Path, answer: AnswerFlags
) -> None:
    """Print what was made beside releases that were there, and that nothing was spent."""
    lines = [f"wrote {path}" for path in written] or [f"nothing is missing in {place}"]
    receipt = next(iter(made.values())).record.receipt
    document = {
        "wrote": [str(path) for path in written],
        "files": [file_facts(path) for path in written],
        "dataset": receipt.dataset,
        "epsilon": "0",
        "release_id": receipt.release_id,
    }
    names = " and ".join(map(str, made))
    lines += [] if next(iter(made)).parent == place else _not_there(list(made.values()))
    answer.tell(
        document,
        [
            *lines,
            f"spent nothing; {names} {'is as it was' if len(made) == 1 else 'are as they were'}",
        ],
    )


def _not_there(made: "Sequence[Release]") -> list[str]:
    """Names the tiers of one draw whose release is not in the folder: it is not drawn again."""
    tiers = [one.record.about.tier for one in made]
    there = {tier.name for tier in tiers if tier is not None}
    names = [
        name
        for tier in tiers[:1]
        if tier is not None
        for name in tier.epsilons
        if name not in there
    ]
    return [
        f"the release of tier {name!r} is not here; look for a copy, as it cannot be drawn again"
        for name in names
    ]


def _spent(book: Path | str | None, place: Path) -> str:
    """Says what the ledger knows of releases that never were saved."""
    from dpmap.ledger.ledger import Ledger

    ledgers = (one for one in (book, place.parent / "dpmap.ledger") if one is not None)
    ledger = next((one for one in ledgers if Ledger(one).exists()), None)
    if ledger is None:
        return "dpmap ledger LEDGER says what was spent"
    lost = Ledger(ledger).without_release()
    if not lost:
        return (
            f"{ledger} knows of nothing that was spent in vain, so release it as for the first time"
        )
    return (
        f"by {ledger}, {'; '.join(spent_by(event) for event in lost[-3:])} for which nothing is"
        " there"
    )
