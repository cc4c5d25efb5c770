"""What does each part of dpmap bring along? `python benchmarks/install_size.py`

Megabytes on disk of each library that dpmap asks for and of what that asks for in turn, from the lists of files of what is installed;
which of them are loaded by opening, asking, drawing and releasing; and what one installs for each set of extras, counted once.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "data_samples"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPENED = "import dpmap as dm; release = dm.open('a.dpmap'); "
STEPS = {
    "release of a CSV": None,
    "dm.open": OPENED,
    "estimate, interval": OPENED + "release.estimate, release.interval(0.9)",
    "plot": OPENED + "release.plot()",
    "page": OPENED + "release.draw('a.html')",
    "explore": OPENED + "release.explore()",
    "to_geodataframe": OPENED + "release.to_geodataframe()",
    "ask": OPENED + f"release.ask({str(SAMPLES / 'districts.gpkg')!r}, leave_outside=True)",
    "to_xarray": OPENED + "release.to_xarray()",
    "export .tif": OPENED + "release.export('a.tif')",
    "export .gpkg": OPENED + "release.export('a.gpkg')",
    "export .parquet": OPENED + "release.export('a.parquet')",
}
MADE = """
import dpmap as dm
grid = dm.Grid(bounds=(-3, 39, 0, 42), shape=(12, 12), crs="EPSG:4326")
policy = dm.Policy(epsilon=1, unit="observer_id", cap=5)
dm.release(dm.read({survey!r}), grid, policy, ledger="a.ledger", dataset="X", budget=1, to="a.dpmap")
"""


def plain(name):
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needs(requirements, extra=""):
    """The names of what is required on this system, with the extras asked of each."""
    for line in requirements or ():
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
            yield plain(wanted.name), tuple(wanted.extras)


def closure(requirements):
    """Every distribution that is installed for these requirements."""
    found, left = set(), list(needs(requirements))
    while left:
        name, extras = left.pop()
        if name in found:
            continue
        try:
            lines = distribution(name).requires
        except PackageNotFoundError:
            print(f"{name} is not installed here, and is not counted", file=sys.stderr)
            continue
        found.add(name)
        left += [need for extra in ("", *extras) for need in needs(lines, extra)]
    return found


def megabytes(name):
    """What a distribution's files take on disk, without what Python compiled of them."""
    files = [one.locate() for one in distribution(name).files or () if one.suffix != ".pyc"]
    return sum(path.stat().st_size for path in map(Path, files) if path.is_file()) / 1e6


def loaded(code, folder):
    """The distributions of the modules that a new process has loaded after this code."""
    tail = "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], cwd=folder, env={"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    homes = packages_distributions()
    modules = done.stdout.splitlines()[-1].split()
    return {plain(home) for module in modules for home in homes.get(module, ())}


def main():
    """Prints the three tables."""
    core = PROJECT["dependencies"]
    direct = [name for name, _ in needs(core)]
    sizes = {name: megabytes(name) for name in closure(core)}
    with tempfile.TemporaryDirectory() as folder:
        used = {}
        for step, code in STEPS.items():
            made = MADE.format(survey=str(SAMPLES / "raptors.csv"))
            used[step] = loaded(made if code is None else code, folder)
    print("| library | MB | loaded by |\n|---|---:|---|")
    for name in sorted(sizes, key=sizes.get, reverse=True):
        steps = ", ".join(step for step, names in used.items() if name in names)
        steps = "all" if all(name in names for names in used.values()) else steps
        if sizes[name] >= 1 or name in direct:
            print(
                f"| {name}{'' if name in direct else ' (through others)'} | {sizes[name]:.1f} | {steps} |"
            )
    print(
        f"\nall that `pip install` brings: {sum(sizes.values()):.0f} MB in {len(sizes)} distributions\n"
    )
    print("| step | MB of what it loads, with all that they ask for |\n|---|---:|")
    for step, names in used.items():
        lines = [line for line in core if plain(Requirement(line).name) in names]
        print(f"| {step} | {sum(sizes[name] for name in closure(lines)):.0f} |")
    print("\n| extra | MB beside those |\n|---|---:|")
    for extra, lines in PROJECT["optional-dependencies"].items():
        if extra not in ("docs", "test"):
            more = closure(lines) - sizes.keys()
            print(f"| {extra} | {sum(map(megabytes, more)):.0f} |")


if __name__ == "__main__":
    main()
