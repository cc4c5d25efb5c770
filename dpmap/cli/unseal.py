"""`dpmap unseal`: the folder of a tier that was drawn and paid for before, and kept in a sealed
file.
"""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flag_groups import flag
from dpmap.cli.flags import AnswerFlags, Watching
from dpmap.cli.interrupted_message import opening
from dpmap.cli.release_folder import check_new, save_all
from dpmap.errors import BadInput


def unseal(
    sealed: Annotated[Path, typer.Argument(help="The file that --seal wrote.", metavar="FILE")],
    tier: Annotated[str, typer.Option("--tier", help="Name of the tier to open.")],
    out: Annotated[Path, typer.Option("--out", help="Where to make a folder of the tier's name.")],
    context: Annotated[list[str] | None, flag("context")] = None,
    *,
    watching: Watching,
    answer: AnswerFlags,
) -> None:
    """Open a tier that --seal kept for later, in a folder of its own: it was drawn and paid for,
    and costs nothing.
    """
    from dpmap.atomic_write import new_folder, only_one_at_once
    from dpmap.promise.tiers import is_name
    from dpmap.releases.sealed_tiers import unseal as opened

    place = out / tier if is_name(tier) else out
    if place.is_symlink():
        raise BadInput(f"--out: {place.name} is there already; choose a new folder")
    check_new(place)
    with (
        opening(place),
        new_folder(out),
        new_folder(place),
        only_one_at_once(place),
        watching.shown() as progress,
    ):
        made = opened(sealed, tier, place / "release.dpmap")
        written = save_all(made, place, progress, context or True)
    document = {"wrote": [str(path) for path in written], "tier": tier, "epsilon": "0"}
    answer.tell(
        document,
        [
            *(f"wrote {path}" for path in written),
            "spent nothing; it was paid for when it was drawn",
        ],
    )
