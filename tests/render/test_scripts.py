"""The scripts of the pages: their check finds what is planted, and what the pages carry is what the modules build."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builders.waiting import LONG

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".ci" / "page"
INSTALL = "the page's tools are missing; type: make lint"
CHECKS = {
    "types": ["typescript/bin/tsc", "--project", ".ci/page"],
    "lint": [
        "eslint/bin/eslint.js",
        "--config",
        ".ci/page/eslint.config.js",
        "dpmap/render/scripts",
    ],
    "style": [
        "prettier/bin/prettier.cjs",
        "--config",
        ".ci/page/prettier.json",
        "--check",
        "dpmap/render/scripts",
    ],
    "build": ["../build.js", "--check"],
}
PLANTED = {
    "a fact by a wrong name": ("types", "facts.js", "/** @param {Facts} facts */\nexport const x = (facts) => facts.titel;"),
    "a number where words go": ("types", "words.js", "export const x = many('1');"),
    "a name that is nowhere": ("types", "words.js", "export const x = () => nowhere;"),
    "a name that nobody uses": ("lint", "words.js", "const unused = 3;"),
    "a function of a hundred lines": ("lint", "words.js", "export function x() {" + "\n  many(1);" * 100 + "\n}"),
    "a line of another style": ("style", "words.js", "export const x = 'y'"),
    "modules in a circle": ("build", "life.js", 'import { open } from "./open.js";\nopen("x");'),
    "a change that was not built": ("build", "law/noise.js", "pValue(0, 0, 1, 1);"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A copy of the scripts with their tools."""
    assert (TOOLS / "node_modules").is_dir(), INSTALL
    for room in ("render", "local"):
        for part in ("scripts", "assets"):
            shutil.copytree(ROOT / "dpmap" / room / part, tmp_path / "dpmap" / room / part)
    shutil.copytree(TOOLS, tmp_path / ".ci" / "page", ignore=shutil.ignore_patterns("node_modules"))
    (tmp_path / ".ci" / "page" / "node_modules").symlink_to(TOOLS / "node_modules")
    return tmp_path


def checked(folder, name):
    tool, *words = CHECKS[name]
    program = os.path.normpath(folder / ".ci" / "page" / "node_modules" / tool)
    return subprocess.run(
        [Path(sys.executable).parent / "node", program, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONG,
    )


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name, folder):
    """Each of these, put into a copy of a module, makes its check fail; before that the check passes."""
    check, module, fault = PLANTED[name]
    done = checked(folder, check)
    assert done.returncode == 0, done.stdout + done.stderr
    path = folder / "dpmap" / "render" / "scripts" / module
    path.write_text(f"{path.read_text('utf-8')}\n{fault}\n", "utf-8")
    done = checked(folder, check)
    assert done.returncode != 0
    assert check != "build" or "type: make page" in done.stderr or "in a circle" in done.stderr


def test_every_module_is_checked():
    """No script of ours goes without types being checked."""
    for room in ("render", "local"):
        for path in (ROOT / "dpmap" / room / "scripts").rglob("*.js"):
            assert path.read_text("utf-8").startswith("// @ts-check\n"), path


def test_a_built_page_hides_nothing():
    """Scripts keep the names and the sentences of their modules, and one name is all that they give the page."""
    for page, name in (("render/assets/map.js", "dpmap"), ("local/assets/page.js", "dpmapLocal")):
        script = (ROOT / "dpmap" / page).read_text("utf-8")
        assert max(map(len, script.splitlines())) < 400
        assert script.count("/**") >= 25
        assert re.findall(r"Object\.assign\(globalThis, \{ (\w+)", script) == [name]
        assert not re.search(r"\b(?:window|globalThis|self)\.\w+ = ", script)


def test_the_tools_name_no_registry():
    """The lock says what is installed and leaves where it comes from to whoever installs it."""
    lock = json.loads((TOOLS / "package-lock.json").read_text("utf-8"))
    assert all("resolved" not in package for package in lock["packages"].values())
