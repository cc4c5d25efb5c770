"""Builds the site: `python docs/site/build_site.py [FOLDER]`, by default build/docs. Nothing is fetched, and every warning is an error."""

import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]


def build(out: Path, work: Path | None = None) -> int:
    """Stages the sources, builds the pages, and checks every link; returns 0, or 1 where something is wrong, which is printed."""
    import link_check
    from links import BrokenLink
    from sphinx.cmd.build import main
    from staging import stage

    work = work or out.with_name(out.name + "-work")
    try:
        stage(work / "sources")
    except BrokenLink as broken:
        print(f"docs: {broken}", file=sys.stderr)
        return 1
    shutil.rmtree(out, ignore_errors=True)
    os.environ["DPMAP_DOCS_SOURCES"] = str(work / "sources")
    arguments = [
        "-b",
        "html",
        "-W",
        "--keep-going",
        "-n",
        "-q",
        "-E",
        "-j",
        "2",
        "-c",
        str(ROOT / "docs"),
        "-d",
        str(work / "doctrees"),
    ]
    if main([*arguments, str(work / "sources"), str(out)]):
        return 1
    for left in (
        ".buildinfo",
        "_static/webpack-macros.html",
    ):  # Sphinx's own notes, and the theme's
        (out / left).unlink(missing_ok=True)
    shutil.rmtree(out / "_sources", ignore_errors=True)  # an empty folder
    wrong = link_check.broken(out)
    print("\n".join(wrong), file=sys.stderr) if wrong else None
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "docs"
    code = build(folder.resolve())
    print("docs: could not be built" if code else f"docs: open {folder / 'index.html'}")
    sys.exit(code)
