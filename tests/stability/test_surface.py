"""What users may rely on is listed in `surface.json`: nothing of it goes or changes unnoticed, and nothing new is forgotten."""

import copy

import pytest
import surface

from dpmap.steward.planning import planner

ADD = "add it to the list of promises with: python tests/stability/surface.py"
RETIRE = "it was promised: bring it back, by dpmap/deprecation.py if it has another name now, or move it to `retired` with its version"


@pytest.fixture(scope="module")
def now(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            planner, "MOST", 2
        )  # the names of what a plan answers do not hang on how often it rehearses
        return surface.surface(tmp_path_factory.mktemp("answers"))


def test_nothing_that_was_promised_is_gone_or_changed(now):
    """Names, parameters, defaults, flags, exit codes, keys of answers, files and columns go on as they are listed."""
    gone, _ = surface.differences(surface.read()[0], now)
    assert not gone, f"{gone}: {RETIRE}"


def test_whatever_is_public_is_listed(now):
    """What is new to users is a promise from the day it is released, and so is listed beforehand."""
    _, new = surface.differences(surface.read()[0], now)
    assert not new, f"{new}: {ADD}"


def test_what_is_retired_says_when_it_went():
    """A line of the list `retired` is what was listed, and the version in which it went; it is not listed any more."""
    listed, retired = surface.read()
    for line in retired:
        entry, _, version = line.rpartition(" went in ")
        assert version[:1].isdigit(), line
        part, name, *words = entry.split(": ", 2)
        assert not words or words[0] not in listed[part].get(name, ()), line
        assert words or name not in listed[part], line


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["python"].pop("dm.open"),
        lambda one: one["python"]["dm.plan"].remove("units=1000"),
        lambda one: one["python"].update({"dm.merge": ["signed_by=None", "releases"]}),
        lambda one: one["commands"]["dpmap release"].remove("--cap VALUE"),
        lambda one: one["commands"].pop("dpmap choose"),
        lambda one: one["files of a release"]["dpmap release"].remove("map.tif"),
        lambda one: one["columns and bands"].update({"map.tif": ["low"]}),
        lambda one: one["columns and bands"]["map.tif"].reverse(),
    ],
)
def test_a_change_is_noticed(change):
    """A name, a parameter, an order, a flag, a command, a file or a band that goes fails the tests above."""
    listed, _ = surface.read()
    changed = copy.deepcopy(listed)
    change(changed)
    assert surface.differences(listed, changed)[0]
    assert not surface.differences(listed, listed)[0]
