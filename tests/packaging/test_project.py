"""What stands beside the code: metadata, citation, workflows, templates and the changelog agree with each other."""

import ast
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.version import Version

import dpmap
import dpmap.version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
FORGE = ROOT / ".github"
WORKFLOWS = sorted((FORGE / "workflows").glob("*.yml"))
FORMS = sorted(
    path for path in (FORGE / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"
)
COMMIT = "0123456789abcdef0123456789abcdef01234567"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def loaded(path):
    return yaml.safe_load(path.read_text("utf-8"))


def test_pyproject_is_well_formed():
    """Any tool that reads pyproject.toml understands it."""
    done = subprocess.run(
        [sys.executable, "-m", "validate_pyproject", ROOT / "pyproject.toml"],
        capture_output=True,
        text=True,
        env={"VALIDATE_PYPROJECT_NO_NETWORK": "1", "PATH": ""},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_one_version():
    """Package and metadata name the same version, citation and changelog the last one that was released and its day.

    A development version comes after that one, and its changes stand under a heading of their own.
    """
    citation = loaded(ROOT / "CITATION.cff")
    newest = re.search(r"^## (\S+) \((\S+)\)$", CHANGES, re.M)
    version = Version(dpmap.__version__)
    assert PROJECT["version"] == str(version)
    assert (citation["version"], citation["date-released"]) == newest.groups()
    if version.is_devrelease:
        assert version > Version(newest[1])
        assert re.search("^## Unreleased$", CHANGES, re.M)
    else:
        assert newest[1] == str(version)


@pytest.mark.parametrize(
    "head",
    [
        {"HEAD": f"{COMMIT}\n"},
        {"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"},
        {
            "HEAD": "ref: refs/heads/main\n",
            "packed-refs": f"# pack-refs\n{COMMIT} refs/heads/main\n",
        },
    ],
    ids=["commit", "branch", "packed branch"],
)
def test_a_development_version_names_the_commit_of_its_checkout(tmp_path, monkeypatch, head):
    """`dpmap --version` of a checkout names the commit, of a wheel the version alone, and a released version never one."""
    package = tmp_path / "dpmap" / "version.py"
    monkeypatch.setattr(dpmap.version, "__file__", str(package))
    monkeypatch.setattr(dpmap.version, "__version__", "1.2.0.dev0")
    assert dpmap.version.describe_version() == "1.2.0.dev0"
    for name, text in head.items():
        path = tmp_path / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert dpmap.version.describe_version() == f"1.2.0.dev0+g{COMMIT[:7]}"
    assert Version(dpmap.version.describe_version()).local == f"g{COMMIT[:7]}"
    monkeypatch.setattr(dpmap.version, "__version__", "1.2.0")
    assert dpmap.version.describe_version() == "1.2.0"


def test_the_citation_is_complete():
    """Who cites dpmap finds who made it, what it is, its version, day and licence; no address is invented."""
    citation = loaded(ROOT / "CITATION.cff")
    assert {
        "cff-version",
        "message",
        "type",
        "title",
        "abstract",
        "authors",
        "version",
        "date-released",
        "license",
        "keywords",
    } == set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert [one["name"] for one in citation["authors"]] == [
        one["name"] for one in PROJECT["authors"]
    ]
    assert citation["license"] == ["Apache-2.0"]


def test_each_python_of_the_metadata_is_tried_on_each_system():
    """The workflow tries Linux, macOS and Windows with every Python that the metadata name."""
    named = [line.split()[-1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    jobs = loaded(FORGE / "workflows" / "test.yml")["jobs"]
    assert (
        jobs["all"]["strategy"]["matrix"]["python"]
        == jobs["portable"]["strategy"]["matrix"]["python"]
        == named
    )
    systems = {*jobs["portable"]["strategy"]["matrix"]["system"], jobs["all"]["runs-on"]}
    assert {name.split("-")[0] for name in systems} == {"ubuntu", "macos", "windows"}
    assert named == [f"3.{minor}" for minor in range(11, 15)]
    assert PROJECT["requires-python"] == ">=3.11"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_what_it_needs_and_no_more(path):
    """Nothing is written by default, each action is pinned to a version, and no secret is kept."""
    flow = loaded(path)
    assert flow["permissions"] in ({}, {"contents": "read"})
    steps = [step for job in flow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert all(
        re.fullmatch(r"[\w.-]+/[\w.-]+@(v\d+|release/v\d+|[0-9a-f]{40})", name) for name in used
    )
    assert "secrets." not in path.read_text("utf-8")
    assert "pull_request_target" not in path.read_text("utf-8")
    for step in steps:
        if step.get("uses", "").startswith("actions/checkout"):
            assert step["with"]["persist-credentials"] is False


def test_what_the_workflows_type_is_there():
    """Each target of make and each path of pytest that a workflow names exists."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    typed = [
        step["run"]
        for path in WORKFLOWS
        for job in loaded(path)["jobs"].values()
        for step in job["steps"]
        if "run" in step
    ]
    made = {word for line in typed if line.startswith("make ") for word in line.split()[1:]}
    assert made <= targets
    paths = {word for line in typed for word in line.split() if word.startswith("tests/")}
    assert paths
    assert all((ROOT / name).exists() for name in paths)


def test_what_is_left_out_elsewhere_is_there_and_said(capsys):
    """What macOS and Windows do not run is a file or test that exists, has a reason, and is printed; the rest exists too."""
    portable = runpy.run_path(str(ROOT / "tests" / "portable.py"))
    given = portable["words"]()
    said = capsys.readouterr().out
    assert all((ROOT / name).exists() for name in portable["PARTS"])
    for name, reason in portable["LEFT_OUT"].items():
        path, _, test = name.partition("::")
        assert not test or re.search(rf"^def {test}\(", (ROOT / path).read_text("utf-8"), re.M), (
            name
        )
        assert f"{name} ({reason})" in said
        assert f"--{'deselect' if test else 'ignore'}={name}" in given


def test_no_test_needs_unix_to_be_found():
    """Modules that only Unix has are imported where they are used, so that the rest of a file runs elsewhere too."""
    only = set(runpy.run_path(str(ROOT / "tests" / "portable.py"))["MODULES"])
    for path in (ROOT / "tests").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        named = {
            alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names
        }
        named |= {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
        assert not named & only, path.name


def test_only_a_tag_publishes():
    """A release is published by its tag alone, from the checked build, without a password, with attestations."""
    flow = loaded(FORGE / "workflows" / "release.yml")
    assert flow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads the word `on` as true
    jobs = flow["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["needs"] == ["build", "attest"]
    assert jobs["build"]["permissions"] == {"contents": "read"}
    assert any(
        "attest-build-provenance" in step.get("uses", "") for step in jobs["attest"]["steps"]
    )
    assert jobs["publish"]["steps"][-1]["with"]["attestations"] is True


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_in_words(path):
    """Each form for an issue has what a forge needs to show it, and every question a label."""
    form = loaded(path)
    assert {"name", "description", "body"} <= set(form)
    assert all("label" in part["attributes"] for part in form["body"] if part["type"] != "markdown")
    asked = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(asked) == len(set(asked))


def test_who_reports_a_fault_is_warned_first():
    """The form for faults begins with: no rows of a survey, and holes are told in private."""
    form = loaded(FORGE / "ISSUE_TEMPLATE" / "bug.yml")
    assert form["body"][0]["type"] == "markdown"
    assert "Never paste rows" in form["body"][0]["attributes"]["value"]
    assert "SECURITY.md" in form["body"][0]["attributes"]["value"]
    assert form["body"][1]["attributes"]["options"][0]["required"] is True
    assert "SECURITY.md" in (FORGE / "ISSUE_TEMPLATE" / "promise.yml").read_text("utf-8")
    assert loaded(FORGE / "ISSUE_TEMPLATE" / "config.yml") == {"blank_issues_enabled": False}


def test_before_each_commit_style_and_types_are_checked():
    """pre-commit takes its settings, and they run ruff and mypy alone, in some seconds."""
    settings = ROOT / ".pre-commit-config.yaml"
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", settings],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    entries = [hook["entry"] for repo in loaded(settings)["repos"] for hook in repo["hooks"]]
    assert [entry.split()[0] for entry in entries] == [".venv/bin/ruff"] * 2 + [".venv/bin/mypy"]


@pytest.mark.parametrize(
    ("area", "within"), [("export", {"dpmap/export", "tests/export"}), ("vault", {"tests/vault"})]
)
def test_make_check_tests_the_room_that_is_named(area, within):
    """The tests of a room are its doctests, its folder and what always holds; a room that is none is refused with a line."""
    areas = ROOT / ".ci" / "areas.py"
    done = subprocess.run([sys.executable, areas, area], capture_output=True, text=True, check=True)
    assert within | {"tests/test_house.py"} <= set(done.stdout.split())
    wrong = subprocess.run([sys.executable, areas, "attic"], capture_output=True, text=True)
    assert wrong.returncode and "AREA: no room is called attic" in wrong.stderr


def test_the_changelog_is_by_kind():
    """Each version's changes stand under the known kinds, each kind once, and each line is short enough to read."""
    newest = re.split(r"^## .*$", CHANGES, flags=re.M)[1]
    kinds = re.findall(r"^### (.*)$", newest, re.M)
    assert kinds
    assert len(kinds) == len(set(kinds))
    assert set(kinds) <= set(KINDS)
    assert max(map(len, CHANGES.splitlines())) <= 160
    sections = re.findall(r"^## (\S+)", CHANGES, re.M)
    assert [name for name in sections if name != "Unreleased"] == ["0.2.0", "0.1.0"]
    assert "Unreleased" not in sections[1:]


@pytest.mark.parametrize(
    "name", ["CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "docs/releasing.md", "docs/moving-to-0.2.md"]
)
def test_links_of_these_pages_lead_somewhere(name):
    """A link to a file of this repository leads to a file that is there."""
    page = ROOT / name
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", page.read_text("utf-8"))
    assert links
    assert [
        link for link in links if not (page.parent / link).exists() and link != "stability.md"
    ] == []


def test_no_address_of_the_project_is_invented():
    """The project has no public address yet, so no page of the forge names one."""
    pages = [*FORGE.rglob("*.*"), ROOT / "CITATION.cff", ROOT / "CODE_OF_CONDUCT.md"]
    text = "\n".join(path.read_text("utf-8") for path in pages if path.is_file())
    assert not re.search(r"[\w.+-]+@[\w-]+\.\w+", re.sub(r"uses: \S+", "", text))
    assert set(re.findall(r"https?://[^\s)]+", text)) <= {"https://www.contributor-covenant.org/"}
