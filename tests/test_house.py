"""The house keeps its own rules: floors, banned randomness, and a command line that starts without heavy libraries."""

import ast
import graphlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest
from builders.waiting import LONG

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def copied(folder: Path) -> Path:
    """The package's sources and settings in a folder of their own."""
    shutil.copytree(
        ROOT / "dpmap", folder / "dpmap", ignore=shutil.ignore_patterns("__pycache__", "assets")
    )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")
    }  # it loads libraries
    return subprocess.run(
        words,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**kept, "PYTHONPATH": str(folder)},
        timeout=LONG,
    )


def linted(folder: Path) -> subprocess.CompletedProcess:
    return run(folder, str(BIN / "lint-imports"), "--no-cache")


def plant(folder: Path, module: str, line: str) -> None:
    path = folder / "dpmap" / module
    text = path.read_text("utf-8")
    end = ast.parse(text).body[0].end_lineno  # after the docstring
    lines = text.splitlines()
    path.write_text("\n".join([*lines[:end], line, *lines[end:]]) + "\n", "utf-8")


def test_no_line_is_longer_than_a_hundred_characters():
    """Code, strings and docstrings of the package fit a screen beside another."""
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "dpmap").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 100
    ]
    assert not long


def test_no_floor_imports_from_above(tmp_path):
    """Maps, exports, strategies and releases cannot reach rows, engines or the vault: the import rules hold."""
    done = linted(copied(tmp_path))
    assert done.returncode == 0, done.stdout


def test_what_the_import_rules_cannot_see_is_in_few_files():
    """Files are loaded by name, which no import rule sees, for public names and within a room only."""
    loading = {
        "__init__.py",
        "cli/commands.py",
        "engines/__init__.py",
        "export/__init__.py",
        "export/atlas/__init__.py",
        "grid/grid.py",
        "local/__init__.py",
    }
    package = ROOT / "dpmap"
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if {getattr(node, "id", ""), getattr(node, "attr", "")} & {"import_module", "__import__"}
        or (isinstance(node, ast.alias) and node.name in ("importlib", "import_module", "runpy"))
    }
    assert found == loading


NOUNS = {
    "accounting", "cell_drawing", "colouring", "kernel_smoothing", "region_growing", "sampling", "unit_spelling",
}  # fmt: skip
KINDS_OF_MAPS = {"layered", "merged"}
NO_NOUNS = {"alike", "apart", "asked", "beside", "both", "few", "here", "laid", "meant", "named", "of", "own", "several", "told", "together", "where", "who"}  # fmt: skip


def definitions():
    """Yields each class and function of the package with its file."""
    package = ROOT / "dpmap"
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield path.relative_to(package).as_posix(), node


def test_a_class_name_stands_once():
    """Whoever searches for a class finds one."""
    homes = {}
    for path, node in definitions():
        if isinstance(node, ast.ClassDef):
            homes.setdefault(node.name, []).append(path)
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}


def test_functions_are_called_by_what_they_do():
    """No function is called by a preposition or a participle that could mean anything."""
    unclear = {"of", "told", "named"}
    assert not [f"{path}: {node.name}" for path, node in definitions() if node.name in unclear]


def test_a_file_is_called_by_a_noun():
    """No file has the name of a participle, an adverb or a pronoun."""
    names = {path.stem for path in (ROOT / "dpmap").rglob("*.py")} - NOUNS - KINDS_OF_MAPS
    assert not [name for name in names if name.endswith(("ing", "ed", "ly")) or name in NO_NOUNS]


def test_no_files_import_each_other_in_a_loop():
    """No file needs another that needs it: but for types, and for what a package loads by name, imports have an order."""
    graph = grimp.build_graph("dpmap", exclude_type_checking_imports=True, cache_dir=None)
    left = {file: graph.find_modules_directly_imported_by(file) for file in graph.modules}
    while first := [file for file, needed in left.items() if not needed & left.keys()]:
        for file in first:
            del left[file]
    assert not left


def imports_of(tree: ast.AST, package: str, modules: frozenset) -> set:
    """The modules that a file imports, wherever it does: for types and inside functions too."""
    named = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{package}: imports are written in full"
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                named.add(inside if inside in modules else node.module)
    return named & modules


def test_no_files_name_each_other_in_a_loop():
    """Nor does a file need another's types, or anything of it inside a function, that needs the file itself."""
    paths = {}
    for path in (ROOT / "dpmap").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    modules = frozenset(paths)
    graph = {
        module: imports_of(ast.parse(path.read_text("utf-8")), module, modules) - {module}
        for module, path in paths.items()
    }
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()
    graphlib.TopologicalSorter(graph).prepare()


PLANTED = {
    "a renderer that reads surveys": (
        "render/static.py",
        "from dpmap.survey import read as _read",
    ),
    "an export that opens the vault": (
        "export/vector.py",
        "import dpmap.vault.session as _session",
    ),
    "a strategy that runs an engine": (
        "strategies/__init__.py",
        "def _peek():\n    from dpmap.engines import make_engine\n    return make_engine",
    ),
    "an inference that sees totals": (
        "inference/flat_estimate.py",
        "from dpmap.vault import cap_sql as _limiter",
    ),
    "a release that opens surveys": (
        "releases/release.py",
        "from dpmap.survey.files.source_opener import open_source as _open",
    ),
    "a survey that draws": ("survey/survey.py", "from dpmap.render import static as _static"),
    "a vault that reads surveys": (
        "vault/session.py",
        "from dpmap.steward.release_run import release as _release",
    ),
    "a plan that reads surveys": (
        "steward/planning/planner.py",
        "from dpmap.survey import read as _read",
    ),
    "a plan that counts": (
        "steward/planning/landscapes.py",
        "def _count():\n    from dpmap.engines import duckdb\n    return duckdb",
    ),
    "a plan that releases": (
        "steward/planning/report.py",
        "from dpmap.steward.release_run import release as _release",
    ),
    "a plan that opens a ledger": (
        "steward/planning/tradeoff.py",
        "from dpmap.ledger.ledger import Ledger as _Ledger",
    ),
    "a rehearsal of a survey": (
        "steward/simulation.py",
        "from dpmap.survey.survey import Survey as _Survey",
    ),
    "a rehearsal that counts": (
        "steward/simulation.py",
        "from dpmap.engines import make_engine as _make_engine",
    ),
    "a session that leads plans to surveys": (
        "vault/session.py",
        "from dpmap.survey import Survey as _Survey",
    ),
    "a device's code that reads surveys": (
        "local/device.py",
        "from dpmap.survey import read as _read",
    ),
    "pages that know releases": (
        "templates.py",
        "from dpmap.releases.release import Release as _Release",
    ),
    "a policy that knows grids": ("promise/policy.py", "from dpmap.grid import Grid as _Grid"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_violation_fails(tmp_path, name):
    """Each of these forbidden imports, put into a copy of the package, makes the check fail."""
    folder = copied(tmp_path)
    plant(folder, *PLANTED[name])
    done = linted(folder)
    assert done.returncode == 1
    assert "BROKEN" in done.stdout


def test_a_plan_loads_no_survey_and_no_engine(tmp_path):
    """Planning and simulating run without the code that reads surveys or counts them ever being loaded."""
    check = (
        "import sys, dpmap as dm\n"
        "grid = dm.Grid(bounds=(0, 0, 8, 8), shape=(8, 8), crs='EPSG:3857')\n"
        "dm.plan(grid, dm.Policy(epsilon=1, unit='who', cap=5), units=20)\n"
        "assert dm.simulate([[5, 0], [1, 2]], epsilon=1).shape == (2, 2)\n"
        "print('LOADED', *(name for name in sys.modules if name.startswith(('dpmap.survey', 'dpmap.engines', 'dpmap.steward.release_run'))))"
    )
    done = run(
        tmp_path, sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{check}"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["LOADED"]


@pytest.mark.parametrize(
    "line",
    ["import random", "from random import choice", "import numpy.random", "from numpy.random import default_rng", "import numpy as np\nX = np.random.default_rng(7)",
     "from numpy import random"],
)  # fmt: skip
@pytest.mark.parametrize(
    "module", ["strategies/__init__.py", "vault/session.py", "cli/commands.py"]
)
def test_randomness_is_banned_by_lint(tmp_path, module, line):
    """Python's and numpy's own randomness are refused by the linter wherever they are put."""
    folder = copied(tmp_path)
    plant(folder, module, line)
    done = run(folder, str(BIN / "ruff"), "check", "--no-cache", f"dpmap/{module}")
    assert done.returncode == 1
    assert "TID251" in done.stdout


def test_the_sources_themselves_use_no_random_module():
    """Only `secrets` and the operating system's entropy appear in the package."""
    for path in (ROOT / "dpmap").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not {"random", "numpy.random", "pickle", "shelve", "marshal"} & set(names), path
            if isinstance(node, ast.Attribute) and node.attr == "random":
                assert not (
                    isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy")
                ), path


HEAVY = (
    "numpy",
    "pandas",
    "geopandas",
    "matplotlib",
    "shapely",
    "pyproj",
    "pyogrio",
    "pyarrow",
    "duckdb",
    "rasterio",
    "folium",
    "scipy",
    "xarray",
    "h3",
    "sqlite3",
)
ASKS = {
    "importing the command line": "import dpmap.cli, dpmap.cli.commands",
    "importing the library": "import dpmap",
    "--help": "from dpmap.cli import run; run(['--help'])",
    "release --help": "from dpmap.cli import run; run(['release', '--help'])",
    "--version": "from dpmap.cli import run; run(['--version'])",
    "a mistyped flag": "from dpmap.cli import run; run(['release', 'x.csv', '--nonsense'])",
}


@pytest.mark.parametrize("asked", ASKS)
def test_help_loads_no_heavy_library(tmp_path, asked):
    """Help, version and usage errors come at once, since nothing that draws, counts or reads is loaded for them."""
    check = f"{ASKS[asked]}\nimport sys\nprint('LOADED', *(name for name in {HEAVY!r} if name in sys.modules))"
    done = run(
        tmp_path, sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{check}"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].split() == ["LOADED"]


def test_a_plain_table_is_counted_with_little_loaded(tmp_path):
    """To read and count a local CSV takes numpy, Arrow and DuckDB: no web, frames or PROJ are waited for."""
    (tmp_path / "s.csv").write_text(
        "who,longitude,latitude\n" + "Ana,1.5,1.5\nBo,0.5,0.5\n" * 100, "utf-8"
    )
    check = (
        "import sys, dpmap as dm\n"
        "from dpmap.engines.duckdb import DuckDB\n"
        "from dpmap.vault.cap_sql import capped_totals\n"
        "grid = dm.Grid(bounds=(0, 0, 2, 2), shape=(2, 2), crs='EPSG:4326')\n"
        "policy = dm.Policy(epsilon=1, unit='who', cap=5)\n"
        "assert len(DuckDB().totals(dm.read('s.csv'), grid, policy, capped_totals(policy), str)._cells) == 2\n"
        "print('LOADED', *({'http.client', 'ssl', 'pandas', 'pyproj', 'shapely', 'scipy'} & set(sys.modules)))"
    )
    done = run(
        tmp_path, sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{check}"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["LOADED"]


def test_every_public_name_is_there():
    """Each name the library announces can be used."""
    import dpmap

    for name in dpmap.__all__:
        assert getattr(dpmap, name) is not None
    assert set(dir(dpmap)) >= set(dpmap.__all__)


@pytest.mark.parametrize(
    "first",
    [
        "dm.open",
        "dm.Release",
        "from dpmap.releases.release import Release",
        "import dpmap.releases.release",
        "dm.read",
        "dm.Ledger",
        "import dpmap.cli.commands",
        "dm.release",
    ],
)
def test_release_is_the_call_whatever_was_used_before(tmp_path, first):
    """`dm.release` is the function that makes a release, also after `dm.open` or an import of the module of that name."""
    check = f"import dpmap as dm\n{first}\nassert callable(dm.release) and dm.release.__module__ == 'dpmap.steward.release_run', dm.release\nassert callable(dm.open)"
    done = run(
        tmp_path, sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{check}"
    )
    assert done.returncode == 0, done.stderr


def test_options_of_a_release_are_declared_in_the_table_alone():
    """No file of the command line's groups of flags writes an option by hand: they are made of `dpmap.options`."""
    for name in ("flags", "grid_flags", "reading_flags", "release"):
        text = (ROOT / "dpmap" / "cli" / f"{name}.py").read_text("utf-8")
        made = text.replace(
            'Annotated[Path, typer.Option("--out", help="Folder to make.")]', ""
        )  # that of `demo`
        assert "typer.Option(" not in made, name
