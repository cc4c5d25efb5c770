"""Files that dpmap saved once read the same for ever; their pictures and estimates may get better."""

import io
import json
import shutil
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import get_args

import facts
import invented
import matplotlib.pyplot as plt
import numpy as np
import pytest

import dpmap as dm
from dpmap.errors import DpmapError
from dpmap.local.device import Mechanism
from dpmap.maps import KINDS
from dpmap.noise.distributions import LAWS
from dpmap.promise.compatibility import TOOLS
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import CapOrigin
from dpmap.promise.strategies import CUSTOM, STRATEGY_SPECS
from dpmap.record.formats import FORMAT
from dpmap.record.metadata import KNOWN
from dpmap.releases.summary import summarise

SAVED = Path(__file__).parent / "saved"
AGES = ("first", "layers", "0.1.0", "pooled", "before-0.2.0", "one-unit")
"""The folders of before versions gave them their names, the oldest first."""
RELEASES = sorted(
    SAVED.glob("*/*.dpmap"),
    key=lambda path: (
        AGES.index(path.parent.name) if path.parent.name in AGES else len(AGES),
        path,
    ),
)
OTHERS = sorted([*SAVED.glob("*/*.ledger"), *SAVED.glob("*/*.sealed")])


def named(path):
    return f"{path.parent.name}/{path.name}"


def told(path):
    """What was written down beside a file when it was saved."""
    return json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))


# --- what is in them ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*RELEASES, *OTHERS], ids=named)
def test_a_saved_file_says_what_it_said(path):
    """Values, exact scales, noise laws, cells, promise, receipt and ledger events are those of the day it was saved."""
    assert facts.described(path) == told(path)


@pytest.mark.parametrize("path", RELEASES, ids=named)
def test_numbers_are_those_that_any_tool_finds_in_the_file(path):
    """A release file is a zip of JSON and numpy arrays, and dpmap adds nothing to the numbers that stand there."""
    found = dict(_plain(path.read_bytes()))
    measured = [one for release in _parts(dm.open(path).record) for one in release.measurements]
    assert len(found) == len(measured)
    for one, (steps, scale) in zip(measured, found.values(), strict=True):
        np.testing.assert_array_equal(one.steps, steps)
        assert scale is None or one.scale == scale


def _parts(record):
    return [record, *(part for partner in record.partners for part in _parts(partner))]


def _plain(content, name=""):
    """Reads steps and scales without dpmap."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        document = json.loads(archive.read("dpmap.json"))
        for number, one in enumerate(document["measurements"]):
            steps = np.load(
                io.BytesIO(archive.read(f"measurement_{number}.npy")), allow_pickle=False
            )
            yield f"{name}{number}", (steps, Fraction(one["scale"]) if "scale" in one else None)
        for number in range(document.get("partners", 0)):
            yield from _plain(archive.read(f"partner_{number}.dpmap"), f"{name}{number}/")


@pytest.mark.parametrize("path", RELEASES, ids=named)
def test_saving_it_again_loses_nothing(path, tmp_path):
    """Whoever opens an old file and saves it has a file that says the same."""
    dm.open(path).save(tmp_path / "again.dpmap")
    changed = {"file": None, "format_version": None}
    assert {**facts.facts(tmp_path / "again.dpmap"), **changed} == {**told(path), **changed}


# --- what can be done with them ----------------------------------------------------------------------------------

WAYS = {
    "statement and about": lambda release, zone: summarise(release.record)["statement"],
    "to_geodataframe": lambda release, zone: release.to_geodataframe(),
    "ask": lambda release, zone: release.ask(zone),
    "explore": lambda release, zone: release.explore(context=False).get_root().render(),
    "plot": lambda release, zone: release.plot(context=False, show="cells"),
}
LACKING = {"to_geodataframe": {"sparse"}, "explore": {"sparse", "means"}, "plot": {"sparse"}}
"""What maps of a kind never had; a line here may go, and none may be added."""


def _one_of_each():
    """The newest and the oldest file of each kind of map, noise and strategy."""
    found = {}
    for path in RELEASES:
        one = told(path)
        noise = one["measurements"][-1].get("noise") if one["measurements"] else ""
        found.setdefault((one["kind"], noise, one["strategy"].partition(":")[0]), []).append(path)
    return [path for paths in found.values() for path in dict.fromkeys((paths[0], paths[-1]))]


@pytest.mark.parametrize("path", _one_of_each(), ids=named)
def test_a_saved_file_is_drawn_asked_and_told(path, tmp_path):
    """An old release does all that a new one of its kind does."""
    release = dm.open(path)
    for name, way in WAYS.items():
        if told(path)["kind"] not in LACKING.get(name, ()):
            assert way(release, (-3.8, 56.1, -3.4, 56.4)) is not None, name
    release.draw(tmp_path / "map.png", context=False, dpi=60)
    plt.close("all")


# --- none is forgotten, and none is lost -------------------------------------------------------------------------


def test_no_saved_file_is_lost():
    """Every file that was ever saved is there, with what it says beside it."""
    listed = (SAVED / "names.txt").read_text("utf-8").split()
    here = [named(path) for path in (*RELEASES, *OTHERS)]
    assert sorted(listed) == sorted(here), "run: python tests/stability/make.py --describe"
    assert all(path.with_name(f"{path.name}.json").exists() for path in (*RELEASES, *OTHERS))


def test_every_format_version_is_saved():
    """A file of each version, from the first to the one that is written today."""
    assert {told(path)["format_version"] for path in RELEASES} == set(range(1, FORMAT + 1))


def test_every_kind_that_can_be_made_is_saved():
    """A new kind of map, noise, limiter, note, grid or strategy comes with a saved file, or this fails."""
    records = [part for path in RELEASES for part in _parts(dm.open(path).record)]
    measured = [one for record in records for one in record.measurements]
    assert {told(path)["kind"] for path in RELEASES} == set(KINDS) - {
        "season"
    }  # it follows from other files
    assert {getattr(one, "kind", "") for one in measured} >= set(LAWS)
    assert {record.policy.limiter for record in records} == set(LIMITERS)
    assert {record.policy.cap_origin for record in records} == set(get_args(CapOrigin)) - {
        "to be chosen privately"
    }
    assert {one.mechanism for one in measured if hasattr(one, "mechanism")} == set(
        get_args(Mechanism)
    )
    assert {record.grid.kind for record in records} == {"squares", "hexagons", "areas"}
    assert {record.strategy.partition(":")[0] for record in records} >= {
        *STRATEGY_SPECS,
        CUSTOM,
        "merged",
        "reports",
    }
    assert {name for record in records for name in record.about.written} >= KNOWN - {
        "layer"
    }  # of a single layer, never saved
    assert {name for record in records for name in _used(record.policy)} == set(dm.Policy.__slots__)
    assert any(one.pooled.any() for one in measured)
    assert any(record.grid.mask is not None for record in records)
    assert {type(axis).__name__ for record in records for axis in record.grid.axes} == {
        "Kinds",
        "Times",
        "Values",
    }


def _used(policy):
    return {name for name in policy.__slots__ if getattr(policy, name) is not None}


MADE_WITH = {
    "rows": "rows", "chosen cap": "chosen-cap", "presence": "presence", "sample": "sample-of-units", "sites": "sites",
    "limits": "personal-limits", "layers": "kinds", "counts": "individuals", "teams": "teams", "withdrawal": "withdrawal",
    "means": "means", "own units": "own-units", "devices": "reports-oue", "delta": "gaussian", "sampled rows": "sampled-rows",
    "adaptive": "adaptive", "sparse": "sparse", "custom": "custom-strategy", "opendp": "opendp-noise", "tiers": "tiers-public",
}  # fmt: skip
"""The saved file of each tool; a choice makes no release file."""


def test_every_tool_has_a_saved_file():
    """A new tool needs a line above, and so a file."""
    assert set(MADE_WITH) == set(TOOLS) - {"choice"}
    assert set(MADE_WITH.values()) <= {path.stem for path in RELEASES}
    assert all(
        any(path.stem in (kind, f"{kind}-public") for path in RELEASES) for kind in invented.KINDS
    )


def test_nothing_saved_is_written_again(tmp_path, monkeypatch):
    """The script that saves new files refuses a folder that is there."""
    import make

    with pytest.raises(SystemExit, match="for ever"):
        make.save(SAVED / "0.1.0", ["flat"])


# --- a ledger and a file of a newer dpmap ------------------------------------------------------------------------


@pytest.mark.parametrize("path", [path for path in OTHERS if path.suffix == ".ledger"], ids=named)
def test_an_old_ledger_goes_on(path, tmp_path):
    """A ledger that any dpmap began takes the next release, holds those before it, and says so of each."""
    field = invented.Field(tmp_path)
    shutil.copy(path, field.ledger)
    before = [(event.number, event.digest) for event in dm.Ledger(path).events()]
    made = field.release(promise={"epsilon": "0.25"}, budget="6")
    after = [(event.number, event.digest) for event in dm.Ledger(field.ledger).events()]
    assert after[: len(before)] == before
    assert dm.Ledger(field.ledger).balance()[1] == dm.Ledger(path).balance()[1] + Fraction(1, 4)
    receipt = made.record.receipt
    assert (receipt.event, receipt.head) in after
    old = dm.open(path.with_name("ledger.dpmap")).record.receipt
    assert (old.event, old.head) in after


def test_a_file_of_a_newer_dpmap_is_refused_in_one_line(tmp_path):
    """Nothing is guessed of a format that this version does not know: it says what to update."""
    with (
        zipfile.ZipFile(SAVED / "0.1.0" / "flat.dpmap") as old,
        zipfile.ZipFile(tmp_path / "a.dpmap", "w") as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            if name == "dpmap.json":
                content = json.dumps({**json.loads(content), "format_version": FORMAT + 1}).encode()
            new.writestr(name, content)
    with pytest.raises(
        DpmapError, match="newer dpmap; update yours the way you installed it"
    ) as refused:
        dm.open(tmp_path / "a.dpmap")
    assert "\n" not in str(refused.value)


def test_what_a_newer_dpmap_notes_beside_is_kept(tmp_path):
    """Notes that this version does not know are kept when the file is saved again, and nothing follows from them."""
    release = dm.open(SAVED / "0.1.0" / "flat.dpmap")
    noted = dm.open(_with_note(tmp_path))
    assert noted.record.about.more == {"of later": [1, 2]}
    noted.save(tmp_path / "again.dpmap")
    assert dm.open(tmp_path / "again.dpmap").record.about.more == {"of later": [1, 2]}
    np.testing.assert_array_equal(noted.estimate, release.estimate)


def _with_note(folder):
    with (
        zipfile.ZipFile(SAVED / "0.1.0" / "flat.dpmap") as old,
        zipfile.ZipFile(folder / "a.dpmap", "w") as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            if name == "dpmap.json":
                document = json.loads(content)
                content = json.dumps(
                    {**document, "notes": {**document["notes"], "of later": [1, 2]}}
                ).encode()
            new.writestr(name, content)
    return folder / "a.dpmap"
