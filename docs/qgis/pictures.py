"""Takes the pictures of docs/qgis.md: `python docs/qgis/pictures.py` opens the windows of the plugin in a real QGIS without a screen."""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from builders import plugin  # noqa: E402
from PIL import Image  # noqa: E402

COLOURS = 96
"""As many as keep text and maps clear, in a third of the bytes."""


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        home = plugin.enabled(Path(place) / "home")
        programs = str(plugin.dpmap_at(Path(place) / "programs").parent)
        for name in plugin.inside(home, HERE / "windows.py", place, path=programs):
            with Image.open(Path(place) / f"{name}.png") as held:
                held.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
                    HERE / f"{name}.png", optimize=True
                )
            print(name)


if __name__ == "__main__":
    main()
