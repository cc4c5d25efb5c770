"""The plugin's `command` package without QGIS, and programs that only pretend to be dpmap."""

import importlib
import stat
import sys
import textwrap
import zipfile
from pathlib import Path

PLUGIN = Path(__file__).parents[2] / "qgis" / "dpmap_qgis"


def part(name: str):
    """Returns a module of `dpmap_qgis.command`. The folder that holds the plugin stays off the path: it would hide QGIS's own package."""
    if "dpmap_qgis" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "dpmap_qgis", PLUGIN / "__init__.py", submodule_search_locations=[str(PLUGIN)]
        )
        sys.modules["dpmap_qgis"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return importlib.import_module(f"dpmap_qgis.command.{name}")


def pretending(place: Path, body: str) -> Path:
    """Writes a program of Python that takes `argv` and answers `--version` as a good dpmap does, unless `body` does first."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(
        f"#!{sys.executable}\nimport json, os, signal, sys, time\nargv = sys.argv[1:]\n{textwrap.dedent(body)}\n"
        "if argv == ['--version']:\n    print('dpmap 1.0.0')\n"
    )
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    return place


TOP = "dpmap-1.0.0-wheels-{system}-py{python}"
DPMAP = "import sys\nif sys.argv[1:] == ['--version']:\n    print('dpmap {version}')\n"


def wheel(version: str = "1.0.0", *, needs: str = "", name: str = "") -> bytes:
    """A wheel of dpmap, or of `name`, with one module that knows its version."""
    import io

    distribution = name or "private_heatmaps"
    name = name or "dpmap"
    out, info = io.BytesIO(), f"{distribution}-{version}.dist-info"
    told = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n" + (
        f"Requires-Dist: {needs}\n" if needs else ""
    )
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(f"{name}/__init__.py", "")
        packed.writestr(f"{name}/__main__.py", DPMAP.format(version=version))
        packed.writestr(f"{info}/METADATA", told)
        packed.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        packed.writestr(f"{info}/RECORD", "")
    return out.getvalue()


def wheelhouse(
    place: Path, members: dict | None = None, *, system: str = "", python: str = ""
) -> Path:
    """A zip of wheels as `make wheelhouse` makes it, with one tiny wheel; `members` are further names and contents."""
    import sysconfig

    top = TOP.format(
        system=system or sysconfig.get_platform(),
        python=python or ".".join(map(str, sys.version_info[:2])),
    )
    with zipfile.ZipFile(place, "w") as packed:
        packed.writestr(f"{top}/READ-ME-FIRST.txt", "how to")
        packed.writestr(f"{top}/private_heatmaps-1.0.0-py3-none-any.whl", wheel())
        for name, content in (members or {}).items():
            packed.writestr(
                name if isinstance(name, zipfile.ZipInfo) else name.replace("TOP", top), content
            )
    return place
