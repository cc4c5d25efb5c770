"""Executes the conda recipe on this machine, also where no conda channel can be reached.

It makes a small channel on the spot, of this Python and of the packages installed here; has rattler-build solve, build and test the recipe against it;
then installs the package as conda would, into an empty folder, and runs the demo there without a network. What conda-forge's own packages
would do differently is not seen by this.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import needs
import rattler_build as rb
from packaging.requirements import Requirement

WORK = needs.ROOT / "build" / "conda"
CHANNEL, OUT = WORK / "channel", needs.ROOT / "dist" / "conda"
PLATFORM = "linux-64"
NAME = needs.project()["name"]
VERSION = ".".join(map(str, sys.version_info[:2]))
PLACE = f"lib/python{VERSION}/site-packages"
LEFT_OUT = ("site-packages", "test", "idlelib", "tkinter", "turtledemo", "ensurepip", "__pycache__")
"""Of Python's own library: what is installed beside it, and what nothing here needs."""


def main() -> None:
    """Does all steps in order, and says what it saw."""
    shutil.rmtree(WORK, ignore_errors=True)
    os.environ["RATTLER_CACHE_DIR"] = str(
        WORK / "cache"
    )  # what is made here stays out of the user's own
    sdist = ["-m", "build", "--sdist", "--no-isolation", "--outdir", WORK, needs.ROOT]
    subprocess.run([sys.executable, *sdist], check=True, stdout=subprocess.DEVNULL)
    made = [
        python(),
        *map(packed, sorted(closure(f"{NAME}[studio]", "pip", "hatchling") - {NAME})),
    ]
    index(made)
    print(
        f"made a channel of {len(made)} packages, {sum(one.stat().st_size for one in made) / 1e6:.0f} MB"
    )
    package = built()
    print(
        f"built and tested {package.relative_to(needs.ROOT)}, {package.stat().st_size / 1e6:.1f} MB"
    )
    for line in seen(package):
        print(f"  {line}")


def built() -> Path:
    """Has rattler-build execute the recipe, then the tests that it put into the package, and returns the package."""
    shutil.rmtree(OUT, ignore_errors=True)
    (one,) = rb.Stage0Recipe.from_file(needs.RECIPE).render()
    told = one.run_build(
        rb.ToolConfiguration(test_strategy="skip"),
        output_dir=WORK / "out",
        channels=[CHANNEL.as_uri()],
    )
    (package,) = map(Path, told.packages)
    for tested in rb.Package.from_file(package).run_tests(channel=[CHANNEL.as_uri()]):
        if not tested.success:
            sys.exit(
                "\n".join([f"test {tested.test_index + 1} of the recipe failed", *tested.output])
            )
        print(f"test {tested.test_index + 1} of the recipe passed")
    OUT.mkdir(parents=True)
    return Path(shutil.copy(package, OUT))


def closure(*wanted: str) -> set[str]:
    """Returns the names of all packages that these need, as far as this system takes them."""
    found, left = dict[str, set[str]](), [Requirement(one) for one in wanted]
    while left:
        one = left.pop()
        name, extras = one.name.lower().replace("_", "-"), one.extras or {""}
        if extras <= found.get(name, set()):
            continue
        found.setdefault(name, set()).update(extras)
        needed = map(Requirement, distribution(name).requires or [])
        left += [
            need
            for need in needed
            if any(
                need.marker is None or need.marker.evaluate({"extra": extra})
                for extra in extras | {""}
            )
        ]
    return set(found)


def packed(name: str) -> Path:
    """Makes a conda package of one that is installed here."""
    one = distribution(name)
    files = [(found.locate(), str(found)) for found in one.files or [] if _within(str(found))]
    entries = [
        rb.FileEntry.from_paths(where, f"{PLACE}/{inner}")
        for where, inner in files
        if Path(where).is_file()
    ]
    return _assembled(_conda(name), one.version, entries, [f"python {VERSION}.*", *_needed(one)])


def python() -> Path:
    """Makes a conda package of this Python."""
    base = Path(sys.base_prefix)
    inner = [base / "bin" / f"python{VERSION}", *base.glob(f"lib/libpython{VERSION}.so*")]
    for folder, folders, files in os.walk(base / f"lib/python{VERSION}"):
        folders[:] = [
            one for one in folders if one not in LEFT_OUT and not one.startswith("config-")
        ]
        inner += [Path(folder) / one for one in files]
    entries = [rb.FileEntry.from_paths(one, one.relative_to(base)) for one in inner]
    entries += [
        rb.FileEntry.from_paths(base / f"bin/python{VERSION}", f"bin/{one}")
        for one in ("python", "python3")
    ]
    return _assembled("python", ".".join(map(str, sys.version_info[:3])), entries, [])


def index(packages: list[Path]) -> None:
    """Writes the list of a channel, which rattler-build solves against."""
    for subdir, listed in ((PLATFORM, packages), ("noarch", [])):
        told = {one.name: _told(one) for one in listed}
        whole = {
            "info": {"subdir": subdir},
            "packages": {},
            "packages.conda": told,
            "removed": [],
            "repodata_version": 1,
        }
        (CHANNEL / subdir).mkdir(parents=True, exist_ok=True)
        (CHANNEL / subdir / "repodata.json").write_text(json.dumps(whole), "utf-8")


def seen(package: Path) -> list[str]:
    """Installs the package into an empty folder, as its own list of files says, runs the demo there without a network, and says what it saw."""
    told, place = rb.Package.from_file(package), WORK / "installed"
    inner = place / "site-packages"
    inner.mkdir(parents=True)
    with zipfile.ZipFile(package) as opened:
        (packed_files,) = [one for one in opened.namelist() if one.startswith("pkg-")]
        opened.extract(packed_files, WORK)
    subprocess.run(["tar", "--zstd", "-xf", WORK / packed_files, "-C", place], check=True)
    paths = os.pathsep.join([str(inner), str(Path(distribution("numpy").locate_file("")))])
    code = "import dpmap, sys; from dpmap.cli.entry_point import program; assert 'installed' in dpmap.__file__; sys.argv = ['dpmap', 'demo']; program()"
    command = [
        "unshare",
        "--net",
        "--map-root-user",
        sys.executable,
        "-I",
        "-c",
        f"import sys; sys.path[:0] = {paths.split(os.pathsep)!r}; {code}",
    ]
    done = subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
    made = sorted(one.name for one in (place / "dpmap-demo").iterdir())
    assert "map.html" in made, done.stdout
    depends = ", ".join(told.depends)
    return [
        f"files: {len(told.files)}",
        f"needs: {depends}",
        f"tests in it: {told.test_count}",
        f"demo without a network: {' '.join(made)}",
    ]


def _assembled(name: str, version: str, entries: list, depends: list[str]) -> Path:
    place = CHANNEL / PLATFORM
    place.mkdir(parents=True, exist_ok=True)
    made = rb.assemble_package(
        name, version, PLATFORM, "here_0", place, files=entries, depends=depends, compression_level=1, detect_prefix=False
    )  # fmt: skip
    return made.path


def _told(package: Path) -> dict:
    """Returns what a channel's list says of one package."""
    content, one = package.read_bytes(), rb.Package.from_file(package)
    return {
        "name": one.name, "version": one.version, "build": one.build_string, "build_number": one.build_number, "depends": one.depends,
        "subdir": PLATFORM, "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), "md5": hashlib.md5(content).hexdigest(),
    }  # fmt: skip


def _needed(one: Distribution) -> list[str]:
    needed = map(Requirement, one.requires or [])
    told = [need for need in needed if need.marker is None or need.marker.evaluate({"extra": ""})]
    return sorted(_conda(need.name) for need in told)


def _conda(name: str) -> str:
    plain = name.lower().replace("_", "-")
    return needs.CONDA_CALLS_IT.get(plain, plain)


def _within(inner: str) -> bool:
    return not inner.startswith("..") and not inner.endswith(".pyc")


if __name__ == "__main__":
    main()
