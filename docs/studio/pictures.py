"""Takes the pictures of the studio's pages: `python docs/studio/pictures.py` goes the whole way on the invented survey, by keys alone.

Each page is kept as it looks in a window of 1,000 points. The map is a real release of invented sightings, so the pictures differ from run to run.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from builders.pages import Watch, driver, launched  # noqa: E402
from builders.studios import studio  # noqa: E402
from builders.whole_way import arrived, walk  # noqa: E402

KEPT = ("data", "sure", "confirm", "planner")
COLOURS = 96
"""As many as keep text and maps clear, in a third of the bytes."""


def main() -> None:
    with tempfile.TemporaryDirectory() as place, driver(), launched() as browser:
        opened, watch = studio(Path(place)), Watch(browser, 1000, 760)
        page = watch.page

        def seen(name: str) -> None:
            if name not in KEPT:
                return
            held = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
            held.quantize(COLOURS, dither=Image.Dither.NONE).save(
                HERE / f"{name}.png", optimize=True
            )
            print(name)

        walk(page, opened.keys.address(), seen)
        arrived(page, "h1:has-text('Released')")
        page.click("text=See the map")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(4000)
        page.select_option("[name=zones]", label="districts.gpkg")
        page.click("button:has-text('Ask')")
        arrived(page, "table")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1000)  # the table has its height once it is sorted
        seen("planner")
        watch.close()


if __name__ == "__main__":
    main()
