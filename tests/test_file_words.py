"""A release file carries the lowest format number whose readers know all that stands in it, and nothing unknown is read."""

import json
import runpy
import zipfile
from pathlib import Path
from typing import Literal

import pytest

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.record.formats import FIRST, FORMAT, check_format, format_needed

SAVED = Path(__file__).parent / "stability" / "saved"
KEPT = Path(__file__).parent / "stability" / "formats.json"
"""Which words each format number first had, as they were released."""


def document(name):
    """The document of a saved file."""
    with zipfile.ZipFile(SAVED / name) as archive:
        return json.loads(archive.read("dpmap.json"))


def opened(name, folder, change):
    """A saved file, opened after a change of its document."""
    with zipfile.ZipFile(SAVED / name) as old, zipfile.ZipFile(folder / "a.dpmap", "w") as new:
        for entry in old.namelist():
            content = old.read(entry)
            if entry == "dpmap.json":
                plain = json.loads(content)
                change(plain)
                content = json.dumps(plain).encode()
            new.writestr(entry, content)
    return dm.open(folder / "a.dpmap")


WORDS = {
    "file": lambda plain: plain.update(quadtree=[]),
    "policy": lambda plain: plain["policy"].update(shuffled=True),
    "limiter": lambda plain: plain["policy"].update(limiter="every"),
    "cap's origin": lambda plain: plain["policy"].update(cap_origin="a guess"),
    "strategy": lambda plain: plain.update(strategy="quadtree:4"),
    "grid": lambda plain: plain["grid"].update(turned=30),
    "kind of cells": lambda plain: plain["grid"].update(kind="triangles"),
    "axis": lambda plain: plain["grid"].update(
        axes=[{"kinds": "k", "names": ["a"], "weights": [1]}]
    ),
    "measurement": lambda plain: plain["measurements"][0].update(thinned="1/2"),
    "partition": lambda plain: plain["measurements"][0].update(partition="rings"),
    "noise": lambda plain: plain["measurements"][0].update(noise="staircase"),
    "devices' mechanism": lambda plain: plain["measurements"][0].update(mechanism="olh"),
}


@pytest.mark.parametrize("what", FIRST)
@pytest.mark.parametrize("number", [FORMAT, FORMAT + 1])
def test_a_word_that_no_version_has_is_refused(what, number, tmp_path):
    """A limiter, kind, mechanism, strategy or key of a newer dpmap ends in one line that says what to do, whatever number the
    file carries, and is not read as something else."""

    def change(plain):
        WORDS[what](plain)
        plain["format_version"] = number

    with pytest.raises(BadInput, match="newer dpmap; update yours") as refused:
        opened("0.2.0/flat.dpmap", tmp_path, change)
    assert "\n" not in str(refused.value)


def test_a_word_that_is_no_text_is_refused(tmp_path):
    """A list or a number where a name is due ends in one line as well."""
    for wrong in (["scale"], 3, None, {"scale": 1}):
        with pytest.raises(BadInput):
            opened(
                "0.2.0/flat.dpmap",
                tmp_path,
                lambda plain, wrong=wrong: plain["policy"].update(limiter=wrong),
            )


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("flat", 1),
        ("kinds-and-times", 2),
        ("gaussian", 3),
        ("adaptive", 4),
        ("sparse", 2),
        ("merged", 2),
    ],
)
def test_a_file_says_the_number_that_its_words_need(name, number, tmp_path):
    """A saved release carries the lowest number whose readers know it: no less, so that they refuse it; no more, so that they can."""
    plain = document(f"0.2.0/{name}.dpmap")
    assert plain["format_version"] == format_needed(plain) == number
    dm.open(SAVED / f"0.2.0/{name}.dpmap").save(tmp_path / "again.dpmap")
    with zipfile.ZipFile(tmp_path / "again.dpmap") as archive:
        assert json.loads(archive.read("dpmap.json"))["format_version"] == number


@pytest.mark.parametrize("name", ["gaussian", "adaptive", "kinds-and-times", "sites"])
def test_a_number_too_low_for_its_words_is_refused(name, tmp_path):
    """A file that claims a number whose readers would not have understood it is refused."""
    with pytest.raises(BadInput):
        opened(f"0.2.0/{name}.dpmap", tmp_path, lambda plain: plain.update(format_version=1))


def test_every_saved_file_keeps_its_words():
    """All files of all versions are of words that this one knows, and say a number that has them."""
    paths = sorted(SAVED.glob("*/*.dpmap"))
    for path in paths:
        check_format(document(path.relative_to(SAVED)))
    assert len(paths) > 150


def test_a_new_word_raises_the_number():
    """Words that were released keep the number that first had them, and any other has a higher one than all of those."""
    kept = json.loads(KEPT.read_text("utf-8"))
    released = {
        (what, word): number for what, words in kept.items() for word, number in words.items()
    }
    here = {(what, word): number for what, words in FIRST.items() for word, number in words.items()}
    assert released.items() <= here.items()
    assert all(here[new] > max(released.values()) for new in here.keys() - released.keys())
    assert FORMAT == max(here.values())


def test_a_word_without_a_number_does_not_load(monkeypatch):
    """A kind of noise, a mechanism or an origin of a cap that has no number keeps dpmap from starting, and not a release from
    being saved once it is paid for."""
    from dpmap.local import device
    from dpmap.noise import distributions
    from dpmap.promise import policy
    from dpmap.record import formats

    for room, name, table in (
        (distributions, "LAWS", distributions.LAWS | {"staircase": distributions.DiscreteLaplace}),
        (device, "Mechanism", Literal["grr", "oue", "olh"]),
        (policy, "CapOrigin", Literal["declared", "after inspection", "to be chosen privately"]),
    ):
        runpy.run_path(formats.__file__)
        with monkeypatch.context() as patched:
            patched.setattr(room, name, table)
            with pytest.raises(TypeError):
                runpy.run_path(formats.__file__)
