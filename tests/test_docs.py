"""What the documents show is what the program does: every command and every block of the README runs."""

import ast
import contextlib
import importlib
import inspect
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import matplotlib as mpl
import pytest
import typer

import dpmap as dm
from dpmap.cli import run
from dpmap.cli.commands import app

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TEXT = README.read_text("utf-8") if README.exists() else ""
COMMANDS = typer.main.get_command(app).commands
FENCE = re.compile(r"^```[ ]*([\w-]*)[^\n]*\n(.*?)^```[ ]*$", re.M | re.S)
PYTHON_WORDS, SHELL_WORDS = ("python", "py"), ("sh", "shell", "bash", "console")
ALGEBRA = sorted((ROOT / "docs" / "algebra").glob("*.md"))
TOOLS = [page for page in ALGEBRA if page.name != "README.md"]


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: what each is written in, and its text."""
    return [(match[1].lower(), match[2]) for match in FENCE.finditer(text)]


PYTHON = [code for kind, code in blocks(TEXT) if kind in PYTHON_WORDS]
SHELL = [code for kind, code in blocks(TEXT) if kind in SHELL_WORDS]
MAKE = ROOT / "Makefile"


def commands(block: str) -> list[list[str]]:
    """The commands of a shell block: continued lines joined, prompts and comments removed."""
    lines = re.sub(r"\\\n\s*", " ", block).splitlines()
    split = [shlex.split(line.strip().removeprefix("$ "), comments=True) for line in lines]
    return [words for words in split if words]


DPMAP = [words for block in SHELL for words in commands(block) if Path(words[0]).name == "dpmap"]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder with the samples, both as data_samples/ and by their plain names, and the usual names."""
    shutil.copytree(ROOT / "data_samples", tmp_path / "data_samples")
    for path in (ROOT / "data_samples").iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path / path.name)
    shutil.copy(ROOT / "data_samples" / "raptors.csv", tmp_path / "sightings.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))  # where `dpmap local answer` keeps reports
    return tmp_path


@pytest.fixture
def quiet() -> object:
    """Pictures are drawn without a screen."""
    import matplotlib.pyplot as plt

    before = mpl.get_backend()
    mpl.use("agg")
    yield
    plt.close("all")
    mpl.use(before)


def test_the_readme_shows_both_ways_in() -> None:
    """The README shows the notebook use, the command line, and the two make commands."""
    assert PYTHON, "no python block"
    assert SHELL, "no sh block"
    targets = {word for block in SHELL for words in commands(block) if words[0] == "make" for word in words[1:]}
    assert {"demo", "test"} <= targets
    assert DPMAP, "no dpmap command"


def test_the_readme_says_the_promise_and_its_limits() -> None:
    """The README says what is promised, and what is not."""
    assert "epsilon" in TEXT.lower()
    assert re.search(r"not promise|not protect|does not hide", TEXT, re.I)


@pytest.mark.usefixtures("quiet")
@pytest.mark.filterwarnings("default")
def test_python_blocks_run(workplace: Path) -> None:
    """The README's Python runs as it stands, block after block, beside the sample data."""
    names: dict[str, object] = {"__name__": "__main__"}
    for number, code in enumerate(PYTHON, start=1):
        tree = compile(code, f"README.md, python block {number}", "exec")
        exec(tree, names)


@pytest.mark.parametrize("words", DPMAP, ids=lambda words: " ".join(words)[:60])
def test_dpmap_commands_exist(words: list[str]) -> None:
    """Every dpmap command shown names a real command and real flags."""
    name = next((word for word in words[1:] if not word.startswith("-")), None)
    if name is None:
        return
    assert name in COMMANDS
    inner = getattr(COMMANDS[name], "commands", {})
    command = inner[words[words.index(name) + 1]] if inner else COMMANDS[name]
    flags = {flag for parameter in command.params for flag in [*parameter.opts, *parameter.secondary_opts]}
    for word in words:
        if word.startswith("--"):
            assert word.split("=")[0] in flags | {"--help"}, word


@pytest.mark.usefixtures("quiet")
@pytest.mark.filterwarnings("default")
def test_dpmap_commands_run(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The dpmap commands shown work, one after the other, on the sample data."""
    for words in DPMAP:
        code = run(words[1:])
        assert code == 0, (words, capsys.readouterr().err)


@pytest.mark.parametrize("page", TOOLS, ids=lambda page: page.stem)
@pytest.mark.usefixtures("quiet")
@pytest.mark.filterwarnings("default")
def test_the_pages_of_the_tools_run(page: Path, workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each page of the algebra shows commands and Python that work as they stand, in its order, on the sample data."""
    names: dict[str, object] = {"__name__": "__main__"}
    shown = [(kind, code) for kind, code in blocks(page.read_text("utf-8")) if kind in PYTHON_WORDS + SHELL_WORDS]
    assert shown, "nothing to run"
    for kind, code in shown:
        if kind in PYTHON_WORDS:
            exec(compile(code, page.name, "exec"), names)
        for words in commands(code) if kind in SHELL_WORDS else []:
            assert Path(words[0]).name != "dpmap" or run(words[1:]) == 0, (words, capsys.readouterr().err)


@pytest.mark.parametrize("page", TOOLS, ids=lambda page: page.stem)
def test_the_pages_of_the_tools_are_short_and_pictured(page: Path) -> None:
    """Each page of the algebra is short, is in the index, and shows the picture of what its tool buys."""
    text = page.read_text("utf-8")
    assert len(text.splitlines()) <= 60
    assert f"({page.name})" in (page.parent / "README.md").read_text("utf-8")
    picture = page.with_suffix(".png")
    assert f"]({picture.name})" in text
    assert picture.stat().st_size <= 120_000
    assert f'"{page.stem}":' in (page.parent / "pictures.py").read_text("utf-8")


def test_make_targets_exist() -> None:
    """`make demo` and `make test`, and every other make command shown, are targets of the Makefile."""
    targets = set(re.findall(r"^([\w-]+):", MAKE.read_text(), re.M))
    shown = {
        word
        for block in SHELL
        for words in commands(block)
        if words[0] == "make"
        for word in words[1:]
        if "=" not in word
    }
    assert {"demo", "test"} | shown <= targets


@pytest.mark.parametrize("page", [README, *ALGEBRA], ids=lambda page: str(page.relative_to(ROOT)))
def test_linked_files_exist(page: Path) -> None:
    """Every file that the README or a page of the algebra links to or pictures is there."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target.strip()).exists(), target


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


@pytest.mark.parametrize("path", sorted((ROOT / "dpmap").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is(path: Path) -> None:
    """Every file of the program begins by saying what it is."""
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_all_public_names_load() -> None:
    """Every name in dpmap.__all__ is there, and dir() lists them."""
    for name in dm.__all__:
        assert hasattr(dm, name), name
    assert set(dm.__all__) <= set(dir(dm))


@pytest.mark.parametrize(
    "first", ["dpmap.releases.release", "dpmap.steward.releasing", "dpmap.cli.commands", "dpmap.errors"]
)
def test_public_verbs_are_functions(first: str) -> None:
    """`dm.release`, `dm.open`, `dm.read` and `dm.simulate` can be called, whatever was imported before."""
    importlib.import_module(first)
    for name in ("release", "open", "read", "simulate"):
        assert inspect.isfunction(getattr(dm, name)), name


def test_the_changelog_has_this_version() -> None:
    """CHANGELOG.md has an entry for the version that is installed, and the version is the same everywhere."""
    assert re.search(rf"^## \[?{re.escape(dm.__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project.get("version", dm.__version__) == dm.__version__


def test_the_optional_parts_named_in_errors_exist() -> None:
    """Every extra that an error tells people to install is one that pyproject.toml has."""
    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])
    for path in (ROOT / "dpmap").rglob("*.py"):
        with contextlib.suppress(UnicodeDecodeError):
            for found in re.findall(r'pip install \\?"dpmap\[([\w,]+)\]', path.read_text("utf-8")):
                assert set(found.split(",")) <= extras, path
