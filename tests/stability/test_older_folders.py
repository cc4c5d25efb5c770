"""A folder that 0.1.0 made: its dpmap.toml means what it meant, and its privacy.yaml is where registries look for it."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

import dpmap as dm
from dpmap.cli import run

MOVING = Path(__file__).parents[2] / "docs" / "moving-to-0.2.md"
OLDER = Path(__file__).parent / "older" / "0.1.0"
SAMPLES = Path(__file__).parents[2] / "data_samples"


def _laid_out(folder):
    """Lays a dpmap.toml of 0.1.0 beside the survey and the area that it was written for."""
    for path in (OLDER / "dpmap.toml", SAMPLES / "raptors.csv", SAMPLES / "study_area.gpkg"):
        shutil.copy(path, folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the dpmap at hand makes of the same survey and the same dpmap.toml."""
    folder = tmp_path_factory.mktemp("older")
    _laid_out(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        words = (
            "release raptors.csv --config dpmap.toml --strategy flat --ledger a.ledger --out made"
        )
        assert run(words.split()) == 0
    return folder / "made"


def test_a_dpmap_toml_of_0_1_means_what_it_meant(made):
    """The same promise, grid, way of reading and budget follow from it."""
    old, new = (dm.open(folder / "release.dpmap").record for folder in (OLDER, made))
    assert new.policy == old.policy
    assert (new.grid.crs, new.grid.shape, new.grid.cells) == (
        old.grid.crs,
        old.grid.shape,
        old.grid.cells,
    )
    assert (new.grid.inside == old.grid.inside).all()
    assert (new.receipt.dataset, new.receipt.budget, new.receipt.spent) == (
        old.receipt.dataset,
        old.receipt.budget,
        old.receipt.spent,
    )
    assert new.about.written["sensitivity"] == old.about.written["sensitivity"]
    assert set(old.about.read_as) <= set(new.about.read_as)
    assert [(one.scale, one.kind) for one in new.measurements] == [
        (one.scale, one.kind) for one in old.measurements
    ]


@pytest.fixture
def older_folder(tmp_path, monkeypatch):
    """A folder of 0.1.0, in which one types."""
    _laid_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _on_the_page():
    """What the page about moving says of a dpmap.toml: the command, and the lines to add."""
    part = MOVING.read_text("utf-8").split("### A `dpmap.toml`")[1].split("\n## ")[0]
    return (re.search(rf"```{kind}\n(.+?)```", part, re.DOTALL)[1] for kind in ("text", "toml"))


def test_the_page_about_moving_says_what_to_type_for_a_dpmap_toml(older_folder):
    """The command on the page makes a release from a dpmap.toml of 0.1 as it is."""
    command, _ = _on_the_page()
    assert run(command.split()[1:]) == 0
    assert (
        dm.open(older_folder / "raptors-2026" / "release.dpmap").record.receipt.dataset
        == "Raptors of 0.1"
    )


def test_with_the_lines_of_the_page_release_alone_is_enough(older_folder):
    """After its two lines are added at the top, `dpmap release` needs no more words."""
    _, lines = _on_the_page()
    settings = older_folder / "dpmap.toml"
    settings.write_text(lines + settings.read_text("utf-8"), "utf-8")
    assert run(["release"]) == 0
    assert (older_folder / "raptors-2026" / "map.html").exists()


def test_a_dpmap_toml_without_a_survey_says_what_to_type(older_folder, capsys):
    """Whoever types `dpmap release` beside a dpmap.toml of 0.1 reads both ways on."""
    assert run(["release"]) == 2
    told = capsys.readouterr().err
    assert "names no survey" in told
    assert "--config dpmap.toml" in told
    assert 'survey = "FILE"' in told


def _told(path):
    return dict(_values(yaml.safe_load(path.read_text("utf-8"))))


def _values(plain, before=""):
    if isinstance(plain, dict):
        for name, value in plain.items():
            yield from _values(value, f"{before}.{name}")
    else:
        yield before, plain


def test_privacy_yaml_keeps_its_keys_and_numbers(made, tmp_path):
    """A registry that read one of 0.1.0 finds the same keys in one of today, and in one made anew from the old release."""
    dm.open(OLDER / "release.dpmap").write(tmp_path / "privacy.yaml")
    old, again, new = map(
        _told, (OLDER / "privacy.yaml", tmp_path / "privacy.yaml", made / "privacy.yaml")
    )
    assert set(old) <= set(again)
    assert set(old) <= set(new)
    words = (
        "description",
        "details",
        "notes",
        "mechanisms",
        "justification",
        "processing",
        "tuning",
        "composition",
        "domain",
        "quantities",
        "actors",
    )
    facts = [name for name in old if not name.endswith(words)]
    assert len(facts) > 15
    assert {name: again[name] for name in facts} == {name: old[name] for name in facts}
    dated = ("publication_date", "url_slug", "registry_authors")
    assert {name: new[name] for name in facts if not name.endswith(dated)} == {
        name: old[name] for name in facts if not name.endswith(dated)
    }
