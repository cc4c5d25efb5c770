"""Saves one file of each kind that the dpmap at hand can write, with what it must say for ever beside it.

    python tests/stability/make.py            # before a release: into saved/VERSION
    python tests/stability/make.py NAME       # into saved/NAME
    python tests/stability/make.py NAME KIND ...
    python tests/stability/make.py --describe   # what stands there without its JSON

A file that is there is never written again, nor is its JSON. An old dpmap makes its own files, as its users hold them, when its tree comes first
in PYTHONPATH (what it cannot make is left out); today's then says what they hold: run `--describe` without it.
"""

import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).parent
SAVED = HERE / "saved"
sys.path.insert(0, str(HERE))


def save(folder: Path, kinds: list[str]) -> None:
    """Makes the files of these kinds, or of all, in a folder that is new."""
    import shutil

    import invented

    from dpmap.errors import BadInput

    if folder.exists():
        raise SystemExit(
            f"{folder.name} is there already, and saved files are for ever: name another folder"
        )
    folder.mkdir(parents=True)
    for name in kinds or invented.KINDS:
        with tempfile.TemporaryDirectory() as place:
            try:
                made = invented.made(name, place)
            except (
                BadInput,
                TypeError,
                AttributeError,
            ) as error:  # what an old dpmap does not know yet
                print(f"not made: {name} ({error})")
                continue
            for file, one in made.items():
                shutil.copy(one, folder / file) if isinstance(one, Path) else one.save(
                    folder / file
                )


def describe() -> None:
    """Writes down what each file says that is not described yet, and the names of all."""
    from facts import described
    from readable import readable

    for path in sorted(SAVED.glob("*/*")):
        beside = path.with_name(f"{path.name}.json")
        if path.suffix != ".json" and not beside.exists():
            beside.write_text(readable(described(path)) + "\n", encoding="utf-8")
    names = sorted(
        f"{path.parent.name}/{path.name}" for path in SAVED.glob("*/*") if path.suffix != ".json"
    )
    lost = set(
        (SAVED / "names.txt").read_text("utf-8").split() if (SAVED / "names.txt").exists() else []
    ) - set(names)
    if lost:
        raise SystemExit(f"these were saved once, and are for ever: {', '.join(sorted(lost))}")
    (SAVED / "names.txt").write_text("\n".join(names) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import dpmap

    warnings.simplefilter("ignore")
    if sys.argv[1:] != ["--describe"]:
        save(SAVED / (sys.argv[1] if len(sys.argv) > 1 else dpmap.__version__), sys.argv[2:])
    if (Path(dpmap.__file__).parents[1] / "tests" / "stability").is_dir():
        describe()
