"""Says what conda calls what dpmap needs, with the bounds of pyproject.toml; typed alone it writes them into the recipe."""

import re
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECIPE = HERE / "recipe.yaml"
CONDA_CALLS_IT = {"duckdb": "python-duckdb", "matplotlib": "matplotlib-base", "h3": "h3-py"}
"""Names that differ; `matplotlib-base` is matplotlib without windows, which dpmap never opens."""


def told() -> dict:
    """Returns what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def project() -> dict:
    """Returns what pyproject.toml says of the project."""
    return told()["project"]


def named(requirement: str) -> str:
    """Writes a requirement as conda does.

    >>> named("duckdb>=2"), named("h3>=4.1,<5")
    ('python-duckdb >=2', 'h3-py >=4.1,<5')
    """
    name, bounds = re.fullmatch(r"([A-Za-z0-9._-]+)\s*(.*)", requirement).groups()
    return f"{CONDA_CALLS_IT.get(name.lower(), name.lower())} {bounds.replace(' ', '')}".strip()


def run() -> list[str]:
    """Lists what an installed dpmap needs, Python first."""
    needed = [*project()["dependencies"], *project()["optional-dependencies"]["studio"]]
    return ["python >=${{ python_min }}", *sorted(map(named, needed))]


def host() -> list[str]:
    """Lists what building needs."""
    return ["python ${{ python_min }}.*", "pip", *map(named, told()["build-system"]["requires"])]


def licences() -> list[str]:
    """Lists the files that hold the licences: dpmap's own, and those of what it carries."""
    return sorted(
        one.relative_to(ROOT).as_posix()
        for pattern in project()["license-files"]
        for one in ROOT.glob(pattern)
    )


def recipe() -> str:
    """Returns the recipe with today's version, needs and licences."""
    text = RECIPE.read_text("utf-8")
    for key, value in (
        ("version", project()["version"]),
        ("python_min", project()["requires-python"].removeprefix(">=")),
    ):
        text = re.sub(rf'(  {key}: )"[^"]*"', rf'\g<1>"{value}"', text, count=1)
    hexagons = list(map(named, project()["optional-dependencies"]["hex"]))
    for key, values in (
        ("host", host()),
        ("run", run()),
        ("run_constraints", hexagons),
        ("license_file", licences()),
    ):
        text = re.sub(
            rf"(  {key}:\n)(    - .*\n)+",
            lambda found: found[1] + "".join(f"    - {one}\n" for one in values),
            text,
            count=1,
        )  # noqa: B023
    return re.sub(r"(  license: ).*", rf"\g<1>{project()['license']}", text, count=1)


if __name__ == "__main__":
    RECIPE.write_text(recipe(), "utf-8")
