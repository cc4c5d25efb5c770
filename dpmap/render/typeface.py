"""Sets the pictures in a typeface of the package, so that they look the same on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

FAMILY = "dpmap Sans"
FILES = ("dpmap-sans.ttf", "dpmap-sans-bold.ttf")


@contextmanager
def package_typeface(*, saved: bool = False) -> Iterator[None]:
    """Write what is made within in the typeface of the package, unless the user has set a font;
    letters that it lacks are taken from matplotlib's own. What is `saved` within has no hints,
    which the typeface lacks: letters that are hinted without them stand unevenly.
    """
    import matplotlib as mpl

    chosen = mpl.rcParams
    usual = mpl.rcParamsDefault
    if (
        chosen["font.family"] != usual["font.family"]
        or chosen["font.sans-serif"] != usual["font.sans-serif"]
    ):
        yield
        return
    _register()
    family = [FAMILY, usual["font.sans-serif"][0]]
    hinting = "none" if saved else chosen["text.hinting"]
    with mpl.rc_context({"font.family": family, "text.hinting": hinting}):
        yield


def _register() -> None:
    """Tell matplotlib where the files of the typeface are, once."""
    from matplotlib import font_manager

    if any(entry.name == FAMILY for entry in font_manager.fontManager.ttflist):
        return
    for file in FILES:
        with resources.as_file(resources.files("dpmap.render") / "assets" / file) as path:
            font_manager.fontManager.addfont(Path(path))
