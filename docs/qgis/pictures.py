"""Takes the pictures of docs/qgis.md: `python docs/qgis/pictures.py` makes maps of the samples, and opens the windows of a real QGIS without a screen."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "data_samples"
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from builders import plugin  # noqa: E402
from PIL import Image  # noqa: E402

COLOURS, WIDEST = 96, 1200
"""As many as keep text and maps clear, in a third of the bytes."""
MAPS = {
    "map": (
        "--cell=5 km",
        "--authorised-by=J. Moor, county ecologist",
        "--purpose=where to survey next",
    ),
    "seasons": ("--cell=10 km", "--times=date=2025,2026,2027"),
}


def released(place: Path, name: str, words: tuple[str, ...]) -> Path:
    """Makes a map of the sample survey; what dpmap tells of it stands beside it."""
    dpmap = [sys.executable, "-m", "dpmap"]
    files = [
        place / "raptors.csv",
        f"--area={place / 'study_area.gpkg'}",
        f"--ledger={place / name}.ledger",
        f"--out={place / name}",
    ]
    said = [
        "--unit=observer_id",
        "--cap=5",
        "--epsilon=1",
        "--consent=consent=yes",
        "--dataset=Raptors 2026",
        "--budget=3",
    ]
    subprocess.run(
        [*dpmap, "release", *map(str, files), *said, *words], check=True, capture_output=True
    )
    release = place / name / "release.dpmap"
    told = subprocess.run(
        [*dpmap, "about", "--json", str(release)], check=True, capture_output=True
    )
    (place / f"{name}.json").write_bytes(told.stdout)
    return release


def keep(source: Path) -> None:
    """Keeps a picture in fewer colours, and no wider than a page shows it."""
    with Image.open(source) as held:
        picture = held.convert("RGB")
    picture.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(HERE / source.name, optimize=True)
    print(source.name, (HERE / source.name).stat().st_size)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("raptors.csv", "study_area.gpkg"):
            shutil.copy(SAMPLES / name, place)
        maps = [released(place, name, words) for name, words in MAPS.items()]
        home = plugin.enabled(place / "home")
        programs = str(plugin.dpmap_at(place / "programs").parent)
        told = plugin.inside(
            home, HERE / "windows.py", place, *maps, place / "map.ledger", path=programs
        )
        for name in told:
            keep(place / f"{name}.png")


if __name__ == "__main__":
    main()
