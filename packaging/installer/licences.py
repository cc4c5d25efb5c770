"""Writes the licences of everything that is in the bundle into one file beside it.

Run in the environment from which the bundle was taken: `licences.py BUNDLE LIST`, where LIST names the system's own libraries that came along.
"""

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

NOT_IN_IT = {
    "altgraph", "pip", "private-heatmaps", "pyinstaller-hooks-contrib", "setuptools", "wheel"
}  # fmt: skip
"""What the environment needs to build the bundle, which does not go into it; of PyInstaller itself the beginning of the program does."""
TOLD = re.compile(
    r"(^|/)(licen[cs]e|copying|notice|authors|copyright)[^/]*$|/licenses/[^/]+$", re.IGNORECASE
)
LINE = "=" * 100
COMPILED_IN = {
    "GDAL": ("libgdal", "MIT"), "GEOS": ("libgeos", "LGPL-2.1-only, its text below shapely"), "PROJ": ("libproj", "MIT"), "curl": ("libcurl", "curl"),
    "HDF5": ("libhdf5", "BSD-3-Clause"), "netCDF": ("libnetcdf", "BSD-3-Clause"), "OpenJPEG": ("libopenjp2", "BSD-2-Clause"),
    "libtiff": ("libtiff", "libtiff"), "libpng": ("libpng", "libpng-2.0"), "libjpeg-turbo": ("libjpeg", "IJG AND BSD-3-Clause"), "libwebp": ("libwebp", "BSD-3-Clause"),
    "libsharpyuv": ("libsharpyuv", "BSD-3-Clause"), "giflib": ("libgif", "MIT"), "Lerc": ("libLerc", "Apache-2.0"), "libaec": ("libaec", "BSD-2-Clause"),
    "szip of libaec": ("libsz", "BSD-2-Clause"), "Blosc": ("libblosc", "BSD-3-Clause"), "libdeflate": ("libdeflate", "MIT"), "Zstandard": ("libzstd", "BSD-3-Clause"),
    "XZ": ("liblzma", "0BSD"), "lcms2": ("liblcms2", "MIT"), "json-c": ("libjson-c", "MIT"), "SQLite": ("libsqlite3", "public domain"), "nghttp2": ("libnghttp2", "MIT"),
    "OpenSSL": (("libssl", "libcrypto"), "Apache-2.0"), "PCRE2": ("libpcre2", "BSD-3-Clause"), "Brotli": ("libbrotli", "MIT"), "FreeType": ("libfreetype", "FTL"),
    "HarfBuzz": ("libharfbuzz", "MIT"), "libavif": ("libavif", "BSD-2-Clause"), "XCB": (("libxcb", "libXau"), "MIT"), "OpenBLAS": ("libscipy_openblas", "BSD-3-Clause"),
    "GCC runtime": (("libgfortran", "libquadmath", "libgcc", "libstdc"), "GPL-3.0-or-later WITH GCC-exception-3.1"), "Expat": ("libexpat", "MIT"), "zlib": ("libz", "Zlib"),
}  # fmt: skip
"""Libraries that wheels carry compiled, by the beginnings of their files; some wheels hold no more about them than this."""


def main(bundle: Path, listed: Path) -> None:
    """Gathers and writes all licences."""
    parts = [
        f"dpmap holds the work of others. Their licences follow, each below the name of its part.\n\n{_python()}"
    ]
    known = {one.metadata["Name"]: one for one in distributions()}
    parts += [
        _of(known[name]) for name in sorted(known, key=str.lower) if name.lower() not in NOT_IN_IT
    ]
    parts.append(_compiled_in(bundle))
    parts += [f"{LINE}\n{name}\n{LINE}\n{text}" for name, text in _of_the_system(listed)]
    for found in sorted(bundle.glob("_internal/dpmap/**/LICENSE*")):
        name = found.name.partition(".")[2].capitalize() or found.name
        parts.append(f"{LINE}\n{name} (within dpmap)\n{LINE}\n{found.read_text('utf-8')}")
    (bundle / "THIRD-PARTY-LICENCES.txt").write_text("\n\n".join(parts) + "\n", "utf-8")


def _python() -> str:
    place = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    return f"{LINE}\nPython {sys.version.split()[0]}\n{LINE}\n{place.read_text('utf-8')}"


def _of(one: Distribution) -> str:
    """Returns what a package says of its licence: in its description, and in all files of it that are called so."""
    told = one.metadata
    said = (
        told.get("License-Expression")
        or told.get("License")
        or _classified(told.get_all("Classifier") or [])
    )
    texts = [
        found.locate().read_text("utf-8", "replace")
        for found in one.files or []
        if _holds_words(found)
    ]
    if not texts and not said:
        sys.exit(
            f"{told['Name']} says nothing of its licence; look it up before you give the installer to anybody"
        )
    heading = f"{LINE}\n{told['Name']} {one.version}: {(said or '').strip().partition(chr(10))[0] or 'as follows'}\n{LINE}"
    return "\n".join([heading, *dict.fromkeys(texts)])


def _compiled_in(bundle: Path) -> str:
    """Lists the libraries that wheels carry compiled, and asks about one that is not known here."""
    files = sorted({(one.parent.name, one.name) for one in bundle.glob("_internal/*.libs/*")})
    lines = [f"{folder}/{name}: {_known(name)}" for folder, name in files]
    for line in lines:
        if line.endswith(": "):
            print(f"whose licence is this? {line[:-2]}", file=sys.stderr)
    return "\n".join([LINE, "Libraries that these packages carry compiled", LINE, *lines])


def _known(name: str) -> str:
    return next(
        (
            f"{called}, {licence}"
            for called, (begins, licence) in COMPILED_IN.items()
            if name.startswith(begins)
        ),
        "",
    )


def _holds_words(found: object) -> bool:
    return bool(TOLD.search(str(found))) and not str(found).endswith((".py", ".pyc", ".so", ".pyi"))


def _classified(lines: list[str]) -> str:
    return ", ".join(line.rpartition(" :: ")[2] for line in lines if line.startswith("License"))


def _of_the_system(listed: Path) -> Iterator[tuple[str, str]]:
    """Yields the package and the licence of each library that is the system's own, where it keeps a list (Debian and its kin)."""
    packages = dict[str, list[str]]()
    for line in listed.read_text("utf-8").splitlines():
        file = Path(line).resolve()
        packages.setdefault(_package(file), []).append(file.name)
    for package, files in sorted(packages.items()):
        place = Path("/usr/share/doc") / package / "copyright"
        if package and place.exists():
            yield f"{package} ({', '.join(sorted(files))})", place.read_text("utf-8")
        elif package or not all(map(_pythons_own, files)):
            print(f"whose licence is this? {', '.join(files)}", file=sys.stderr)


def _package(file: Path) -> str:
    """Returns the package of the system to which a file belongs, or nothing."""
    for name in (
        file,
        Path("/usr") / file.relative_to("/"),
        Path("/") / file.relative_to("/usr") if file.is_relative_to("/usr") else file,
    ):
        done = subprocess.run(
            ["dpkg-query", "-S", name], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    return ""


def _pythons_own(name: str) -> bool:
    return "python" in name.lower()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
