"""Takes the pictures of the studio's pages: `python docs/studio/pictures.py` goes the whole way on the invented survey, by keys alone.

Each page is kept as it looks in a window of 1,000 points. The map is a real release of invented sightings, so the pictures differ from run to run.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from builders.pages import Watch, driver, launched  # noqa: E402
from builders.studios import studio  # noqa: E402
from builders.whole_way import arrived, walk  # noqa: E402

COLOURS = 96
"""As many as keep text and maps clear, in a third of the bytes."""


def main() -> None:
    with tempfile.TemporaryDirectory() as place, driver(), launched() as browser:
        opened, watch = studio(Path(place)), Watch(browser, 1000, 760)
        page, base = watch.page, f"http://{opened.host}"

        def seen(name: str) -> None:
            held = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
            held.quantize(COLOURS, dither=Image.Dither.NONE).save(
                HERE / f"{name}.png", optimize=True
            )
            print(name)

        def at(address: str, name: str) -> None:
            page.goto(base + address)
            page.wait_for_load_state("networkidle")
            seen(name)

        walk(page, opened.keys.address(), seen)
        page.wait_for_timeout(1500)
        seen("releasing")
        arrived(page, "h1:has-text('Released')")
        seen("spent")
        page.click("text=See the map")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(4000)
        seen("released")
        release = page.url.removeprefix(base)
        page.select_option("[name=zones]", label="districts.gpkg")
        page.click("button:has-text('Ask')")
        arrived(page, "table")
        seen("planner")
        draft = next(opened.folder.glob("*.toml"))
        from dpmap.studio.folder import short

        at(f"/map/{short(draft.name)}/confirm", "already")
        at(f"/map/{short(draft.name)}/data", "read")
        page.click("text=Show me, I am the operator")
        arrived(page, "h1:has-text('What the survey holds')")
        seen("operator")
        at("/", "maps")
        at("/releases", "releases")
        at("/ledgers", "ledgers")
        at(f"/ledger/{short('dpmap.ledger')}", "ledger")
        shutil.copytree(opened.folder / "raptors-2026-map", opened.folder / "another-map")
        two = [short("raptors-2026-map/release.dpmap"), short("another-map/release.dpmap")]
        at(f"/releases/compare/{two[0]}/{two[1]}", "compared")
        at("/help", "help")
        at("/help/withdrawn", "withdrawn")
        (opened.folder / "raptors.csv").write_text("a,b\n")
        at(f"/map/{short(draft.name)}/data", "mistake")
        assert release
        watch.close()


if __name__ == "__main__":
    main()
