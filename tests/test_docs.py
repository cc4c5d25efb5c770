"""What the documents show is what the program does: every block of every page runs, every flag and every link exists."""

import ast
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import matplotlib as mpl
import pytest
import typer
from builders.documents import (
    BUILT,
    PAGES,
    PYTHON,
    ROOT,
    SHELL,
    anchors,
    blocks,
    dpmap,
    flags,
    lines,
    links,
    named,
    shown,
    words,
)
from builders.waiting import LONG

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.commands import app
from dpmap.steward.planning import landscapes, planner, zone_goals
from dpmap.steward.planning.invented_survey import LANDSCAPE

README = ROOT / "README.md"
COMMANDS = typer.main.get_command(app).commands
ALGEBRA = sorted(
    page for page in (ROOT / "docs" / "algebra").glob("*.md") if page.name != "README.md"
)
RUNNING = [page for page in PAGES if any(block.kind in (PYTHON, SHELL) for block in blocks(page))]
NEVER_RUN = (
    "studio",
    "selftest",
)  # one serves until it is stopped, the other takes minutes: they stand in ```text
BESIDES = (
    "cp",
    "mkdir",
    "mv",
    "rm",
)  # all else that may run: nothing a page shows may install or fetch anything
OTHERS = (
    "--index-url",
    "--network",
    "--userns",
)  # flags of other programs that a page names by themselves
LENGTHS = {"docs/start": 80, "docs/howto": 70}  # the most lines of a page there


def _flags(command: typer.core.TyperCommand) -> set[str]:
    return {
        flag
        for parameter in command.params
        for flag in [*parameter.opts, *parameter.secondary_opts]
    } | {"--help"}


def _every_flag() -> set[str]:
    found = {"--version", "--help"}
    for command in COMMANDS.values():
        for inner in getattr(command, "commands", {"": command}).values():
            found |= _flags(inner)
    return found


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder with the samples in data_samples/, as every page takes it for granted."""
    shutil.copytree(ROOT / "data_samples", tmp_path / "data_samples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))  # where `dpmap local answer` keeps reports
    return tmp_path


@pytest.fixture
def brief(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans rehearse few shapes few times: that a page runs does not hang on how fine its numbers are, which `tests/test_plan.py` tries."""
    if os.environ.get("DPMAP_DEEP") != "1":
        monkeypatch.setattr(
            landscapes,
            "LIBRARY",
            landscapes.SHAPES
            | {name: landscapes.LIBRARY[name] for name in (*zone_goals.LANDS, LANDSCAPE)},
        )
        monkeypatch.setattr(planner, "MOST", 2)


@pytest.fixture
def quiet() -> object:
    """Pictures are drawn without a screen."""
    import matplotlib.pyplot as plt

    before = mpl.get_backend()
    mpl.use("agg")
    yield
    plt.close("all")
    mpl.use(before)


def _run_line(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *typed = words(line)
    if name in BESIDES or (name == "python" and typed[0] == "-c"):
        subprocess.run(
            [sys.executable if name == "python" else name, *typed], check=True, timeout=LONG
        )
        return
    assert name == "dpmap" and typed[0] not in NEVER_RUN, (
        f"not to be run, so fence it as text: {line}"
    )
    code = run(typed)
    assert code == 0, (line, capsys.readouterr().err)


@pytest.mark.parametrize("page", RUNNING, ids=named)
@pytest.mark.usefixtures("brief", "quiet", "workplace")
@pytest.mark.filterwarnings("default")
def test_every_page_runs(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each page shows commands and Python that work as they stand, in its order, on the sample data."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.kind == PYTHON:
            exec(compile("\n" * block.line + block.code, named(page), "exec"), names)
        for line in lines(block.code) if block.kind == SHELL else []:
            _run_line(line, capsys)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_flag_exists(page: Path) -> None:
    """Every command and flag that a page shows, in a block or in a sentence, is one that dpmap has."""
    for piece in shown(page):
        assert set(flags(piece)) <= _every_flag() | set(OTHERS), piece
        name, *rest = dpmap(piece) or [""]
        if not re.fullmatch("[a-z]+", name):
            continue
        assert name in COMMANDS, piece
        command, inner = COMMANDS[name], getattr(COMMANDS[name], "commands", {})
        if inner:
            chosen = next((word for word in rest if re.fullmatch("[a-z]+", word)), None)
            if chosen is None:
                continue
            assert chosen in inner, piece
            command = inner[chosen]
        typed = {word.split("=")[0] for word in rest if re.match("--[a-z]", word)}
        assert typed <= _flags(command), piece


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Every file that a page links to or pictures is there, and so is the heading that a link names."""
    for link in links(page):
        target, _, anchor = link.partition("#")
        there = (page.parent / target).resolve() if target else page
        if there.is_relative_to(ROOT) and there.relative_to(ROOT).as_posix().startswith(BUILT):
            continue
        assert there.exists(), link
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), link


def test_the_readme_shows_both_ways_in() -> None:
    """The README is short and shows the notebook use, the three commands, and how to try, test and read."""
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 80
    assert max(map(len, text.splitlines())) <= 120
    assert any(block.kind == PYTHON for block in blocks(README))
    typed = {
        dpmap(line)[0]
        for block in blocks(README)
        if block.kind == SHELL
        for line in lines(block.code)
    }
    assert {"init", "plan", "release"} <= typed
    assert {"make demo", "make test", "make docs"} <= {
        piece.split("#")[0].strip() for piece in shown(README)
    }


def test_the_readme_says_the_promise_and_its_limits() -> None:
    """The README says what is promised, and what is not."""
    text = README.read_text("utf-8").lower()
    assert "epsilon" in text
    assert re.search(r"not\W+promise|not protect|does not hide", text)


LEFTOVER = re.compile(r"^\W*(?:@\w+@|TABLE)\W*$|\b(?:TODO|FIXME|XXX|TBD)\b", re.M)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_page_holds_what_was_meant_to_be_filled_in(page: Path) -> None:
    """A reader finds no mark of a writer's that stands for something still to come."""
    assert not LEFTOVER.findall(page.read_text("utf-8"))


@pytest.mark.parametrize(
    "left", ["@TABLE@", "TABLE", "text\n\n@NUMBERS@\n", "| TODO |", "say it (FIXME)", "XXX"]
)
def test_a_mark_that_was_left_is_noticed(left: str) -> None:
    """The test above has teeth, and lets words and addresses pass."""
    assert LEFTOVER.search(left)
    assert not LEFTOVER.search("The table of units.\n\n@media print\n\nsteward@localhost\n")


def test_the_page_of_the_command_line_lists_every_command() -> None:
    """The table of commands has each that the program has, and no other."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `dpmap ")]
    assert sorted(name for row in rows for name in re.findall("`dpmap ([a-z]+)`", row)) == sorted(
        COMMANDS
    )


def test_every_environment_variable_is_documented() -> None:
    """The table of environment variables has each that a module of dpmap names, and no other."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    table = page.partition("## Environment variables")[2].partition("\nThe libraries")[0]
    listed = {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([A-Z][A-Z0-9_]+)`", line.split("|")[1])
    }
    read = set[str]()
    for path in (ROOT / "dpmap").rglob("*.py"):
        text = path.read_text("utf-8")
        if not re.search(r"\bos\.environ\b|\bgetenv\b", text):
            continue
        texts = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        read |= {
            text
            for text in texts
            if re.fullmatch(
                r"[A-Z]+_[A-Z_]*[A-Z]|PATH|PYTHON[A-Z0-9]+|MATPLOTLIBRC|MPLCONFIGDIR", str(text)
            )
        }
    assert listed == read


def test_make_targets_exist() -> None:
    """Every make command that a page shows is a target of the Makefile."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    typed = [
        line.split("#")[0] for page in PAGES for line in shown(page) if line.startswith("make ")
    ]
    asked = {word for line in typed for word in line.split()[1:] if "=" not in word}
    assert asked <= targets


@pytest.mark.parametrize("folder", LENGTHS)
def test_pages_are_short_and_in_their_index(folder: str) -> None:
    """A page of the first hours or of the how-tos is read at one sitting, and its index leads to it."""
    index = (ROOT / folder / "README.md").read_text("utf-8")
    for page in (ROOT / folder).glob("*.md"):
        assert len(page.read_text("utf-8").splitlines()) <= LENGTHS[folder], named(page)
        assert page.name == "README.md" or f"({page.name})" in index, named(page)


def test_howtos_do_not_spend_or_write_over_what_another_made() -> None:
    """Who tries the how-tos one after the other in one folder meets no ledger, output or `dpmap.toml` of another page."""
    made: dict[str, set[str]] = {}
    for page in (ROOT / "docs" / "howto").glob("*.md"):
        for block in blocks(page):
            if block.kind not in (PYTHON, SHELL):
                continue
            for name in re.findall(r"--ledger (\S+)|--out (\S+)|ledger=\"([^\"]+)\"", block.code):
                made.setdefault("".join(name), set()).add(page.name)
            if "dpmap init" in block.code and "mv dpmap.toml" not in block.code:
                made.setdefault("dpmap.toml", set()).add(page.name)
    assert len(made) > 10
    assert {name: pages for name, pages in made.items() if len(pages) > 1} == {}


@pytest.mark.parametrize("page", ALGEBRA, ids=named)
def test_the_pages_of_the_tools_are_short_and_pictured(page: Path) -> None:
    """Each page of the algebra is short, is in the index, and shows the picture of what its tool buys."""
    text = page.read_text("utf-8")
    assert len(text.splitlines()) <= 60
    assert f"({page.name})" in (page.parent / "README.md").read_text("utf-8")
    picture = page.with_suffix(".png")
    assert f"]({picture.name})" in text
    assert picture.stat().st_size <= 120_000
    assert f'"{page.stem}":' in (page.parent / "pictures.py").read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in dm.__all__ if not name.startswith("__")])
def test_public_names_are_documented(name: str) -> None:
    """Every public name, and every public method on it, says what it is for."""
    thing = getattr(dm, name)
    assert inspect.getdoc(thing), name
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (
                callable(value) or isinstance(value, property | classmethod | staticmethod)
            ):
                assert inspect.getdoc(value), f"{name}.{member}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "dpmap").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_every_module_says_what_it_is(path: Path) -> None:
    """Every file of the program begins by saying what it is."""
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_all_public_names_load() -> None:
    """Every name in dpmap.__all__ is there, and dir() lists them."""
    for name in dm.__all__:
        assert hasattr(dm, name), name
    assert set(dm.__all__) <= set(dir(dm))


@pytest.mark.parametrize(
    "first",
    ["dpmap.releases.release", "dpmap.steward.release_run", "dpmap.cli.commands", "dpmap.errors"],
)
def test_public_verbs_are_functions(first: str) -> None:
    """`dm.release`, `dm.open`, `dm.read` and `dm.simulate` can be called, whatever was imported before."""
    importlib.import_module(first)
    for name in ("release", "open", "read", "simulate"):
        assert inspect.isfunction(getattr(dm, name)), name


def test_the_changelog_has_this_version() -> None:
    """CHANGELOG.md has an entry for the version that is installed, or says what comes with the one in development."""
    heading = "Unreleased" if ".dev" in dm.__version__ else dm.__version__
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## \[?{re.escape(heading)}\b", changes, re.M)


def test_missing_parts_are_asked_for_by_their_own_names() -> None:
    """An error that tells people to install something names libraries of an extra with its bounds, never dpmap, since an index may hold another one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [set(libraries) for libraries in project["optional-dependencies"].values()]
    told = [
        line
        for path in (ROOT / "dpmap").rglob("*.py")
        for line in re.findall(r"pip install .*", path.read_text("utf-8"))
    ]
    assert told
    for line in told:
        named = set(re.findall(r'"([\w-]+>=[\d.]+)"', line))
        assert named and any(named <= libraries for libraries in extras), line


def test_the_studio_brings_all_that_a_steward_needs() -> None:
    """Whoever installs dpmap as the pages say can read surveys, write rasters and cubes, and explore."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    for extra in ("survey", "raster", "cube", "folium"):
        assert set(extras[extra]) < set(extras["studio"])
    for extra in ("postgres", "spark"):
        assert set(extras["survey"]) < set(extras[extra])


# `dpmap` belongs to somebody else in the public index (decision 045): this name would install a stranger's program.
FROM_AN_INDEX = re.compile(
    r"""(?:\b(?:pip|pipx|uv pip|uv tool)\s+(?:install|run|upgrade)\b|\buvx\b)(?!.*--no-index)[^`\n|#]*[ '"]dpmap(?:\[[\w,]+\])?(?=['"`\s,]|$)"""
)


def from_an_index(text: str) -> list[str]:
    """The commands of a page that would fetch dpmap by its bare name."""
    return [
        found[0]
        for found in FROM_AN_INDEX.finditer(
            text.replace(" dpmap studio", "").replace(" dpmap demo", "")
        )
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "045-name.md"], ids=named)
def test_no_page_fetches_dpmap_by_its_bare_name(page: Path) -> None:
    """No page tells people to fetch `dpmap` from an index, where the name is another program's."""
    assert from_an_index(page.read_text("utf-8")) == []


def test_a_command_that_fetches_by_the_bare_name_is_noticed() -> None:
    """The test above sees each way of writing such a command."""
    for told in (
        "pip install dpmap",
        "pip install --upgrade dpmap",
        "uvx --from 'dpmap[studio]' dpmap studio .",
        'pipx install "dpmap[hex]"',
    ):
        assert from_an_index(told), told
    for told in (
        "pip install '.[studio]'",
        "pip install --no-index --find-links wheels 'dpmap[hex]'",
        "pip install ./private_heatmaps-0.3.0-py3-none-any.whl",
        "pip install 'private-heatmaps[studio]'",
        "uvx --from 'private-heatmaps[studio]' dpmap studio .",
    ):
        assert not from_an_index(told), told
