"""Whatever a caller writes beside a release, nothing follows from it: what is said and added up is dpmap's own."""

import json
import zipfile
from dataclasses import replace
from fractions import Fraction

import pytest
from builders import surveys

import dpmap as dm
from dpmap.errors import BadInput
from dpmap.record import About
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement
from dpmap.statement.phrases import noun
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement

GRID = dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326")
CLAIMS = {
    "noise": "none at all",
    "read_as": [["unit", "a unit of my own"], ["protected", "everybody and all they know"]],
    "noun": "unicorns",
    "sensitivity": "nbn-10km",
    "governance": {"authorised_by": "The Queen", "labels": ["TK Clan"]},
    "plan": {"release": 1, "of": 1, "scheme": "even"},
    "disjoint": {"datasets": ["A", "B"], "signed_by": "Nobody"},
    "layer": ["a layer of my own"],
    "question": "What is it?",
    "lines": {"other": 7},
    "round": "first",
}


def released(folder, name="A", **options):
    named = {"ledger": folder / f"{name}.ledger", "dataset": name, **options}
    return surveys.released(["ana,0.5,50.5"], folder, GRID, **named)


def through_a_file(release, folder):
    release.save(folder / f"{release.record.receipt.dataset}.dpmap")
    return dm.open(folder / f"{release.record.receipt.dataset}.dpmap")


@pytest.mark.parametrize("opened", [False, True])
def test_a_callers_notes_change_nothing_that_is_said(tmp_path, opened):
    """Notes that claim another noise, unit, noun, plan, authority or layer change no word, number or picture's label."""
    plain, claimed = (
        released(tmp_path, name, notes=notes) for name, notes in (("A", None), ("B", CLAIMS))
    )
    if opened:
        plain, claimed = through_a_file(plain, tmp_path), through_a_file(claimed, tmp_path)
    assert claimed.record.about == plain.record.about
    assert claimed.record.about.written["noise"] == "dpmap"
    assert claimed.record.remarks == CLAIMS
    assert claimed.record.title == "B"
    assert noun(claimed.record) == "records"
    assert not claimed.record.about.governance
    same = ("epsilon", "unit", "noise", "statement", "strategy")
    assert [map_statement(claimed.record).facts()[key] for key in same] == [
        map_statement(plain.record).facts()[key] for key in same
    ]
    body, _, remarks = statement(claimed.record).partition("## Notes of whoever released it")
    assert remarks
    for word in ("unicorns", "The Queen", "Nobody", "of my own", "none at all", "planned"):
        assert word not in body, word
        assert word not in privacy_yaml(claimed.record)


@pytest.mark.parametrize("opened", [False, True])
def test_notes_cannot_halve_what_merged_maps_cost(tmp_path, opened):
    """Partners who note that no person is in two of their maps are not believed: the epsilons add up unless it is signed."""
    parts = [released(tmp_path, name, notes=CLAIMS) for name in "AB"]
    if opened:
        parts = [through_a_file(part, tmp_path) for part in parts]
    assert dm.merge(parts).policy.epsilon == 2
    assert dm.merge(parts, signed_by="Ana Ruiz").policy.epsilon == 1


def test_what_a_ledger_has_signed_still_travels_with_the_file(tmp_path):
    """Declared in the ledger, that two data sets share nobody is believed, whatever the caller notes beside it."""
    book = dm.Ledger(tmp_path / "both.ledger")
    book.disjoint(["A", "B"], signed_by="Bo Lee")
    other = {"disjoint": {"datasets": ["A", "B"], "signed_by": "Nobody"}}
    parts = [
        through_a_file(released(tmp_path, name, ledger=book, notes=other), tmp_path)
        for name in "AB"
    ]
    merged = dm.merge(parts)
    assert merged.policy.epsilon == 1
    assert "as `Bo Lee` declares" in statement(merged.record)


def rewritten(path, change):
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(entries["dpmap.json"])
    change(document)
    entries["dpmap.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return dm.open(path)


def test_a_file_of_before_opens_and_its_word_is_not_taken_for_the_ledgers(tmp_path):
    """A release written when callers' notes stood among dpmap's own opens, reads and saves as it was; merging it asks for a
    signature, since who wrote `disjoint` cannot be told.
    """

    def of_before(document):
        document["notes"] |= {
            "disjoint": {"datasets": ["A", "B"], "signed_by": "Nobody"},
            "mine": 7,
        }
        document["versions"] = {"dpmap": "0.1.0", "numpy": "2.1.3", "python": "3.11.7"}
        del document["remarks"]

    parts = []
    for name in "AB":
        released(tmp_path, name).save(tmp_path / f"{name}.dpmap")
        parts.append(rewritten(tmp_path / f"{name}.dpmap", of_before))
        parts[-1].save(tmp_path / f"{name}-again.dpmap")
        assert dm.open(tmp_path / f"{name}-again.dpmap").record.remarks is None
        assert dm.open(tmp_path / f"{name}-again.dpmap").record.about == parts[-1].record.about
        assert "Made with `dpmap 0.1.0`, `numpy 2.1.3`, `python 3.11.7`" in statement(
            parts[-1].record
        )
    assert dm.merge(parts).policy.epsilon == 2
    assert dm.merge(parts, signed_by="Ana Ruiz").policy.epsilon == 1


GARBLED = (
    7, [], {"datasets": 7, "signed_by": "x"}, {"datasets": ["A", "B"]}, {"datasets": ["A", "B"], "signed_by": None},
    {"datasets": ["A", "B"], "signed_by": ""}, {"datasets": ["A", "B"], "signed_by": "x\ny"},
    {"datasets": ["A", ["B"]], "signed_by": "x"}, {"datasets": "AB", "signed_by": "x"},
)  # fmt: skip


@pytest.mark.parametrize("group", GARBLED, ids=str)
def test_a_garbled_declaration_counts_as_none(tmp_path, group):
    """What a stranger's file holds in the place of a declaration is no declaration, and breaks nothing."""
    parts = []
    for name in "AB":
        released(tmp_path, name).save(tmp_path / f"{name}.dpmap")
        parts.append(
            rewritten(
                tmp_path / f"{name}.dpmap",
                lambda document: document["notes"].update(disjoint=group),
            )
        )
        assert "No unit is in two" not in statement(parts[-1].record)
    assert dm.merge(parts).policy.epsilon == 2


@pytest.mark.parametrize("signed", [*GARBLED, {"datasets": ["A", "C"], "signed_by": "x"}], ids=str)
def test_a_merged_file_that_claims_less_names_who_signed(tmp_path, signed):
    """A merged file that states the largest epsilon alone is refused unless it says of just these maps who signed that."""
    dm.merge([released(tmp_path, name) for name in "AB"]).save(tmp_path / "both.dpmap")

    def halved(document, group):
        document["policy"] |= {"epsilon": "1", "cap": 3}
        document["notes"] = {"disjoint": group}

    with pytest.raises(BadInput, match="both.dpmap is not a release"):
        rewritten(tmp_path / "both.dpmap", lambda document: halved(document, signed))
    real = {"datasets": ["A", "B"], "signed_by": "Ana Ruiz"}
    assert rewritten(
        tmp_path / "both.dpmap", lambda document: halved(document, real)
    ).policy.epsilon == Fraction(1)


def test_notes_are_kept_as_they_were_given(tmp_path):
    """What is written comes back from the file, also if the caller changes her dict afterwards, and the statement shows it
    as hers."""
    mine = {"field season": "third", "crews": [3, 4], "`odd` <b>": {"a": None}}
    made = released(tmp_path, notes=mine)
    mine["crews"].append(5)
    assert made.record.remarks["crews"] == [3, 4]
    assert through_a_file(made, tmp_path).record.remarks == {**mine, "crews": [3, 4]}
    text = statement(made.record)
    assert "- `field season`: `third`" in text
    assert "- `odd <b>`: `" in text
    assert "nothing that it says or draws follows from them" in text


@pytest.mark.parametrize(
    "notes",
    [
        7,
        [1],
        "text",
        {"a": object()},
        {"a": float("nan")},
        {"a": b"x"},
        {"a": "\ud800"},
        {"a": "x" * 200_000},
    ],
    ids=lambda notes: str(type(notes)),
)
def test_notes_that_no_file_could_hold_are_refused_before_anything_is_spent(tmp_path, notes):
    """A note that is a table or an object, or a book, is one line at once, and not a release that cannot be saved."""
    with pytest.raises(BadInput, match="^notes: give a dict") as told:
        released(tmp_path, notes=notes)
    assert "\n" not in str(told.value)
    assert not (tmp_path / "A.ledger").exists()


def test_what_another_version_added_is_kept_and_shown_and_nothing_follows(tmp_path):
    """An entry that this version does not know goes through open and save as it is, and stands in the statement."""
    made = released(tmp_path)
    added = {"future": {"noise": "none"}, "old": "a caller's own"}
    record = replace(made.record, about=About.from_mapping(made.record.about.to_dict() | added))
    again = through_a_file(Release(record), tmp_path)
    assert again.record.about.more == added
    words = statement(again.record)
    assert (
        words[: words.index("## Also in the release file")].strip()
        == statement(made.record).strip()
    )
    assert "a caller's own" in words
    assert (again.estimate == made.estimate).all()
    with pytest.raises(AttributeError):
        again.record.about.written = {}
