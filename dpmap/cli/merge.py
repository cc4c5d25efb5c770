"""`dpmap merge`: partners' releases as one map."""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flags import AnswerFlags, Watching
from dpmap.cli.release_folder import check_new, save_all


def merge(
    releases: Annotated[
        list[Path], typer.Argument(help="Two or more release.dpmap files.", metavar="RELEASE...")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder to make for the merged map.")],
    signed_by: Annotated[
        str | None,
        typer.Option(
            "--signed-by",
            help="Who declares that no unit is in two of these data sets, unless a ledger has it.",
        ),
    ] = None,
    *,
    watching: Watching,
    answer: AnswerFlags,
) -> None:
    """Merge partners' releases into one map: totals add up, and so does their known noise. It
    costs nothing.
    """
    from dpmap.atomic_write import new_folder, only_one_at_once
    from dpmap.numbers import decimal_text
    from dpmap.releases.merge import merge as together
    from dpmap.releases.release import Release

    merged = together([Release.open(path) for path in releases], signed_by=signed_by)
    check_new(out)
    with new_folder(out) as folder, only_one_at_once(folder), watching.shown() as progress:
        written = save_all(merged, folder, progress)
    disjoint = merged.record.about.disjoint
    epsilon = decimal_text(merged.policy.epsilon)
    how = "as no unit is in two of them" if disjoint else "all together"
    document = {
        "wrote": [str(path) for path in written],
        "maps": len(releases),
        "epsilon": epsilon,
        "disjoint": bool(disjoint),
    }
    lines = [f"wrote {path}" for path in written]
    answer.tell(
        document,
        [*lines, f"{len(releases)} maps in one: epsilon {epsilon} for any one unit, {how}"],
    )
