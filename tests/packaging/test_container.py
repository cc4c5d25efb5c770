"""The container holds the wheel and what it needs, runs as nobody in particular, and works without a network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTAINERFILE = ROOT / "packaging" / "Containerfile"
BUILDERS = ("podman", "docker")


def instructions():
    """The instructions of the Containerfile, in its order: each word and what stands behind it."""
    lines = [line for line in CONTAINERFILE.read_text("utf-8").splitlines() if line[:1] != "#"]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
    return [tuple(line.split(maxsplit=1)) for line in joined if line]


def told(name):
    return [rest for word, rest in instructions() if word == name]


def builder():
    """A program that builds containers here and answers, or nothing."""
    for name in BUILDERS:
        found = shutil.which(name)
        if found and subprocess.run([found, "info"], capture_output=True).returncode == 0:
            return found
    return None


def test_each_base_is_one_version():
    """A container that is built again has the same Python and system: no base is named by a tag that moves on to another one."""
    bases = [line.split()[0] for line in told("FROM")]
    assert bases and all(re.fullmatch(r"docker\.io/library/python:3\.\d+-slim-[a-z]+", one) for one in bases)  # fmt: skip


def test_it_holds_the_wheel_and_nothing_of_the_folder():
    """Of the folder it is built in it takes dpmap's own wheel; dpmap is never fetched by a name."""
    given = [line for line in told("COPY") if not line.startswith("--from=environment ")]
    assert given == ["private_heatmaps-*-py3-none-any.whl /wheels/"]
    assert told("ADD") == []
    (installed,) = re.findall(r"pip install (.*)", "\n".join(told("RUN")))
    assert [word for word in installed.split() if word[0] != "-"] == [":all:", '"$1[$EXTRAS]"']


def test_it_runs_as_nobody_in_particular_and_serves_nothing():
    """Its program is dpmap, started by a user without rights, and no port is opened."""
    (user,) = told("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert told("ENTRYPOINT") == ['["dpmap"]']
    assert told("EXPOSE") == told("VOLUME") == []
    last = instructions()[[word for word, _ in instructions()].index("USER") :]
    assert {word for word, _ in last} == {"USER", "ENTRYPOINT", "CMD"}


@pytest.mark.parametrize("page", [CONTAINERFILE, ROOT / "docs" / "installing.md"], ids=lambda path: path.name)  # fmt: skip
def test_it_is_shown_without_a_network(page):
    """Each command that starts it takes the network away."""
    shown = re.findall(r"^.*\b(?:podman|docker) run .*$", page.read_text("utf-8"), re.M)
    assert shown and all("--network none" in line for line in shown)


@pytest.mark.deep
def test_built_of_the_wheel_it_makes_the_first_map(tmp_path):
    """Where a builder of containers is, the image is built, and the demo runs in it without a network."""
    found = builder()
    if found is None:
        pytest.skip(
            "NOT TRIED: no podman or docker that answers, so the Containerfile was not built"
        )
    base = told("FROM")[-1]
    if subprocess.run([found, "pull", base], capture_output=True).returncode:
        pytest.skip(f"NOT TRIED: {base} cannot be fetched, so the Containerfile was not built")
    wheel = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "dist", ROOT]  # fmt: skip
    subprocess.run(wheel, check=True, capture_output=True)
    image = f"dpmap-test-{os.getpid()}"
    build = [found, "build", "--file", CONTAINERFILE, "--tag", image, tmp_path / "dist"]
    subprocess.run(build, check=True, capture_output=True)
    try:
        place = tmp_path / "place"
        place.mkdir(mode=0o777)
        place.chmod(0o777)
        run = [found, "run", "--rm", "--network", "none", "--volume", f"{place}:/work", image]
        subprocess.run([*run, "demo"], check=True, capture_output=True)
        assert {"map.html", "release.dpmap"} <= {path.name for path in (place / "dpmap-demo").iterdir()}  # fmt: skip
    finally:
        subprocess.run([found, "rmi", "--force", image], capture_output=True)
