"""What the build adds: the bill of materials in the wheel, and a description whose links lead somewhere.

hatchling loads this file (`pyproject.toml` names it twice). It needs the standard library and hatchling alone.
"""

import hashlib
import json
import os
import re
import tempfile
import tomllib
import uuid
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

BILL = "dpmap.cdx.json"
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "dpmap")
"""Serial numbers are made of the bill's own content below this, so that the same source has the same bill."""


class BillOfMaterials(BuildHookInterface):
    """Writes the bill of materials and hands it to the wheel, where it stands in `.dist-info/sboms` (PEP 770)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's own signature)
        """Called before a wheel is built."""
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / BILL
        path.write_text(
            json.dumps(bill(Path(self.root)), indent=2, ensure_ascii=False) + "\n",
            "utf-8",
            newline="\n",
        )
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 (as above)
        """Called after it: nothing is left behind."""
        self._folder.cleanup()


class Description(MetadataHookInterface):
    """Makes the package's description of the README: links into the repository would lead nowhere from an index."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called whenever metadata are asked for."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": description(text)}


def description(readme: str) -> str:
    """Returns the README without pictures of the repository, and with the words of links into it instead of the links.

    >>> description("![A map](docs/map.png)\\n\\nSee [the promise](docs/promise.md) and [NIST](https://www.nist.gov/).")
    'See the promise and [NIST](https://www.nist.gov/).'
    """
    own = r"\((?!https?://|mailto:|#)[^)\s]*\)"
    pictures = re.sub(r"\[?!\[[^\]]*\]" + own + r"(?:\]" + own + r")?\n*", "", readme)
    return re.sub(r"(?<!!)\[([^\]]*)\]" + own, r"\1", pictures)


def bill(root: Path) -> dict[str, Any]:
    """Returns the bill of materials of the package in a folder, as CycloneDX 1.6 has it."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    vendored = tomllib.loads((root / "packaging" / "vendored.toml").read_text("utf-8"))["vendored"]
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    needed, carried = _requirements(project), [_carried(root, one) for one in vendored]
    parts = {
        "metadata": {
            **_time(),
            "tools": {"components": [{"type": "application", "name": "hatchling", "version": version("hatchling")}]},
            "component": {
                "type": "library", "bom-ref": own, "name": project["name"], "version": project["version"],
                "description": project["description"], "licenses": [{"expression": project["license"]}], "purl": own,
            },
        },
        "components": [*needed, *carried],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(one["bom-ref"] for one in (*needed, *carried))},
        ],
    }  # fmt: skip
    serial = uuid.uuid5(NAMESPACE, json.dumps(parts, sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        **parts,
    }


def _time() -> dict[str, str]:
    """Returns the time of the source, where the build is told it: the clock would make each build another."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return (
        {"timestamp": datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        if epoch
        else {}
    )


def _requirements(project: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns a component for each declared dependency: its bounds as written, and which extras ask for it.

    The tests' own tools are left out: no user's machine gets them.
    """
    asked: dict[str, list[str]] = {line: [] for line in project["dependencies"]}
    for extra, lines in project["optional-dependencies"].items():
        for line in lines if extra != "test" else ():
            asked.setdefault(line, []).append(extra)
    core = set(project["dependencies"])
    return [_requirement(line, extras, optional=line not in core) for line, extras in asked.items()]


def _requirement(line: str, extras: list[str], *, optional: bool) -> dict[str, Any]:
    name = re.match(r"[A-Za-z0-9._-]+", line)[0]
    purl = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}"
    requirement_and_extras = [
        {"name": "dpmap:requirement", "value": line},
        *({"name": "dpmap:extra", "value": extra} for extra in extras),
    ]
    return {
        "type": "library", "bom-ref": purl, "name": name, "purl": purl,
        "scope": "optional" if optional else "required",
        "properties": requirement_and_extras,
    }  # fmt: skip


def _carried(root: Path, one: dict[str, Any]) -> dict[str, Any]:
    """Returns the component of something that the package carries, with the hash of each of its files."""
    reference = one.get("purl") or f"carried:{one['name']}"
    return {
        "type": one["type"], "bom-ref": reference, "name": one["name"],
        **{key: one[key] for key in ("version", "purl") if key in one},
        "description": one["said"], "scope": "required", "licenses": [_license(one)],
        **({"pedigree": {"ancestors": [_ancestor(through) for through in one["through"]]}} if "through" in one else {}),
        "components": [_file(root, reference, name) for name in one["files"]],
    }  # fmt: skip


def _license(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "license": {"id": one["license"]} if "license" in one else {"name": one["license_name"]}
    }


def _ancestor(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "library",
        **{key: one[key] for key in ("name", "version", "purl")},
        "licenses": [_license(one)],
    }


def _file(root: Path, reference: str, name: str) -> dict[str, Any]:
    content = (root / name).read_bytes()
    hashes = [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}]
    return {"type": "file", "bom-ref": f"{reference}#{name}", "name": name, "hashes": hashes}
