"""`dpmap draws`: whole maps that may be the true one, for any number that is computed from a
map.
"""

from pathlib import Path
from typing import Annotated

import typer

from dpmap.cli.flags import AnswerFlags
from dpmap.cli.map_commands import LayerFlag, open_map


def draws(
    release: Annotated[Path, typer.Argument(help="A release.dpmap file.", metavar="RELEASE")],
    to: Annotated[Path, typer.Option("--to", help="draws.nc, or .tif with a band for each map.")],
    n: Annotated[int, typer.Option("--n", help="How many maps.")] = 100,
    layer: LayerFlag = None,
    *,
    answer: AnswerFlags,
) -> None:
    """Draw whole maps that may be the true one, to compute any number with its interval; it
    costs nothing.
    """
    from dpmap.export.draws import READING, check_cells, check_suffix, write_draws

    check_suffix(to)
    one = open_map(release, layer)
    check_cells(one.record, to)
    maps = one.draws(n)
    wrote = write_draws(one.record, one.reading, maps, to)
    document = {"maps": n, "words": READING, "wrote": [str(path) for path in wrote]}
    answer.tell(document, [*(f"wrote {path}: {n:,} maps" for path in wrote), READING])
