"""The attestation answers what a board and an auditor ask, each answer with evidence that exists; a page says to whoever is protected what is learned."""

import json
import math
import os
import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import typer
from builders import records
from builders.pages import axe_faults, launched, patient
from test_statement import HOSTILE

import dpmap as dm
from dpmap import selftest
from dpmap.cli import run
from dpmap.cli.commands import app
from dpmap.grid import Grid, Partition
from dpmap.grid.layer_axes import Kinds
from dpmap.maps import KINDS, kind
from dpmap.noise.theory import odds_factor
from dpmap.record import About
from dpmap.selftest import privacy_audit
from dpmap.selftest.check import Effort
from dpmap.statement.attestation import writers
from dpmap.statement.attestation.attestation import CHECKS
from dpmap.statement.attestation.group_size import MOST_GROUPS, vanishing
from dpmap.statement.file_names import ATTESTED
from dpmap.statement.kinds import map_statement
from dpmap.statement.statement import statement

ROOT = Path(__file__).parents[1]
SAVED = sorted((ROOT / "tests" / "stability" / "saved").glob("*/*.dpmap"))
NEWEST = sorted((ROOT / "tests" / "stability" / "saved" / "0.2.0").glob("*.dpmap"))
SCHEMA = json.loads(
    (ROOT / "dpmap" / "statement" / "attestation" / "assets" / "attestation.schema.json").read_text(
        "utf-8"
    )
)
DEEP = os.environ.get("DPMAP_DEEP") == "1"
ADJECTIVES = re.compile(
    r"\b(strong\w*|robust\w*|state[- ]of[- ]the[- ]art|rigorous\w*|secure\w*|safe|safely|best|excellent|powerful|highly|very|cutting[- ]edge|"
    r"comprehensive\w*|advanced|trustworthy|reliabl\w+|world[- ]class|industry|leading|complete\w*|full[- ]proof|military|bank[- ]grade|unbreakable|"
    r"guaranteed|perfect\w*|optimal\w*|thorough\w*|sophisticated|proven|innovative|modern|simple|easy|great\w*|good|negligible|minimal)\b",
    re.I,
)
"""Words that praise: an attestation says facts."""


HEADS = {"context", "data", "identifiability", "governance"}
QUESTIONS = [
    *("purpose", "published", "trust", "other-publications"),
    *("unit", "contributions", "correlated", "rows", "choices", "invariants"),
    *("epsilon", "variant", "composition", "attacks", "correctness"),
    *("randomness", "side-channels", "utility", "vanishing"),
    *("access", "terms", "checking"),
]
"""What programs that read attestation.json find, whatever made it."""


def opened(path):
    return dm.open(path).record


def case(**changed):
    return replace(records.case("blocks")[0], **changed)


def ids(path):
    return f"{path.parent.name}/{path.stem}"


def test_the_saved_releases_are_of_every_kind():
    """What is tried here on saved files is tried on each kind of map."""
    assert {kind(opened(path)) for path in NEWEST} == set(KINDS) - {
        "season"
    }  # it follows from other files


@pytest.mark.matrix(40)
@pytest.mark.parametrize("path", SAVED, ids=ids)
def test_every_question_is_answered_of_every_release_ever_saved(path):
    """Each question has an answer with evidence, in JSON of the published structure, whatever dpmap saved the release."""
    record = opened(path)
    told = json.loads(writers.plain_json(record))
    jsonschema.validate(told, SCHEMA)
    assert [one["id"] for one in told["answers"]] == QUESTIONS
    assert {one["head"] for one in told["answers"]} == HEADS
    for one in told["answers"]:
        assert one["answer"].strip() and one["evidence"], one["id"]
        assert "None" not in one["answer"] and "nan" not in one["answer"].split(), one


def test_the_schema_is_one():
    """Who validates with it gets a schema that is itself valid."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", NEWEST, ids=ids)
def test_no_form_says_more_or_less_than_another(path):
    """Markdown, JSON and the page hold the same questions, answers and evidence."""
    record = opened(path)
    answers = json.loads(writers.plain_json(record))["answers"]
    page, text = (
        squeezed(shown(writers.page(record))),
        squeezed(writers.markdown(record).replace("`", "")),
    )
    for one in answers:
        for part in (
            one["question"],
            *one["answer"].splitlines(),
            *(e["ref"] for e in one["evidence"]),
        ):
            plain = squeezed(part.removeprefix("- "))
            assert plain in page, part
            assert plain in squeezed(re.sub(r"\*+", "", text)) or plain in text, part


def shown(html):
    """The words of a page."""
    found = []
    parser = HTMLParser()
    parser.handle_data = found.append
    parser.feed(re.sub(r"<style>.*?</style>", "", html, flags=re.S))
    return "".join(found)


def squeezed(text):
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("path", NEWEST, ids=ids)
def test_no_answer_praises(path):
    """No adjective tells a reader what to think of a fact, on no page."""
    record = opened(path)
    own = re.sub(r"`[^`]*`", " ", writers.markdown(record))
    own += shown(writers.protected_page(record)).replace("hidden less well", "")
    assert not ADJECTIVES.findall(own)


# --- evidence ------------------------------------------------------------------------------------------------------


def every_evidence():
    return {
        (one["kind"], one["ref"], one["says"])
        for path in NEWEST
        for answer in json.loads(writers.plain_json(opened(path)))["answers"]
        for one in answer["evidence"]
    }


def test_every_mark_and_section_and_every_proof_that_is_named_exists():
    """An auditor who follows an anchor finds a section of the promise, or the mark of a sentence, which leads to its test; a theorem's file holds a proof."""
    promise = (ROOT / "docs" / "promise.md").read_text("utf-8")
    heads = {head.lower().replace(" ", "-") for head in re.findall(r"^## (.+)$", promise, re.M)}
    marks = set(re.findall(r"\[\u2713\]\[([\w-]+)\]", promise))
    assert not heads & marks, "an anchor is one place"
    anchors = [ref for evidence, ref, _ in every_evidence() if evidence == "promise"]
    assert len(anchors) > 40
    for ref in anchors:
        page, _, anchor = ref.partition("#")
        assert page == "docs/promise.md" and anchor in heads | marks, ref
    for ref in [ref for evidence, ref, _ in every_evidence() if evidence == "theorem"]:
        text = (ROOT / ref).read_text("utf-8")
        assert "roof" in text or "Theorem" in text, ref


def test_every_flag_and_command_that_is_named_exists():
    """What a reader is told to type, dpmap takes."""
    commands = typer.main.get_command(app).commands
    flags = {flag for one in commands["release"].params for flag in one.opts}
    for evidence, ref, _ in every_evidence():
        if evidence == "declared":
            assert set(ref.split(", ")) <= flags, ref
        if evidence == "command":
            words = ref.split()
            assert words[0] == "dpmap" and words[1] in commands, ref
            taken = {flag for one in commands[words[1]].params for flag in one.opts}
            assert {word for word in words if word.startswith("--")} <= taken, ref


def test_every_field_of_the_record_that_is_named_exists():
    """Evidence from the record names what the record has."""
    record = case()
    for evidence, ref, _ in every_evidence():
        if evidence == "record":
            for field in ref.split(", "):
                found = record
                for part in field.split("."):
                    assert hasattr(found, part), ref
                    found = getattr(found, part)


def test_checks_of_the_selftest_are_named_as_it_names_them():
    """Each check that an answer names is one of the selftest's, with the promise that it states."""
    promises = {check.name: check.promise for check in selftest.CHECKS}
    assert {name: promise for name, (promise, _) in CHECKS.items()} == {
        name: promises[name] for name in CHECKS
    }


def test_every_check_that_can_be_named_is():
    """No line of the table of checks is idle: some kind of release names each."""
    assert {ref for evidence, ref, _ in every_evidence() if evidence == "selftest"} == set(CHECKS)


STRENGTHS = {
    "flat": privacy_audit.flat,
    **({"adaptive": privacy_audit.adaptive} if DEEP else {}),
}


@pytest.mark.parametrize("name", STRENGTHS)
def test_the_selftest_sees_what_is_said_that_it_can_see(name):
    """A usual run would catch, with 95 %, an epsilon that exceeds the stated one by what the attestation says: weaker runs than this are
    not to be had, but for chances far below one in a million.
    """
    said = float(re.search(r"epsilon ([\d.]+) times", CHECKS[name][1])[1])
    caught = STRENGTHS[name](Effort()).strength
    assert max(map(float, re.findall(r"([\d.]+)x", caught))) <= said, caught


def test_a_selftest_says_of_which_code_it_speaks():
    """Whoever keeps a selftest's answer beside an attestation can compare the two hashes."""
    from dpmap.version import own_code

    assert selftest.Verdict((), 1.0, False).to_dict()["code"] == own_code()


# --- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NEWEST, ids=ids)
def test_numbers_are_those_of_the_statement(path):
    """Epsilon, cap, noise, half-width and the ledger stand in both alike."""
    record = opened(path)
    told = {one["id"]: one["answer"] for one in json.loads(writers.plain_json(record))["answers"]}
    said = writers.words(statement(record))
    for line in told["utility"].splitlines():
        assert squeezed(line.removeprefix("- ")) in squeezed(said)
    for about in map_statement(record).odds().values():
        if about and kind(record) not in ("merged", "reports"):
            assert squeezed(about[1]) in squeezed(told["epsilon"]) and squeezed(
                about[1]
            ) in squeezed(said)
    if not record.partners and record.reports is None:
        assert (
            record.receipt.head in told["composition"]
            and f"adds more than {record.policy.cap}" in told["contributions"]
            or (record.policy.epsilon_by or record.policy.site)
        )


def test_chances_follow_from_the_factor():
    """What a reader can come to is worked out from the odds, and rounded to the side that promises less."""
    record = case()
    moved = odds_factor(record.policy.epsilon)
    told = next(
        one for one in json.loads(writers.plain_json(record))["answers"] if one["id"] == "epsilon"
    )["answer"]
    most, least = 100 * moved / (1 + moved), 100 / (1 + moved)
    assert (
        f"50 in 100 can come to {math.ceil(most)} in 100 at most and {math.floor(least)} in 100 at least"
        in told
    )
    rare = float(re.search(r"who gives it 1 in 1,000, to ([\d.]+) in 1,000", told)[1])
    assert 0.999 * moved / (1 + 0.001 * (moved - 1)) <= rare <= 1.15 * moved


# --- who vanishes --------------------------------------------------------------------------------------------------


def test_a_group_shows_from_where_its_interval_leaves_none():
    """Half of the time a group shows that is as large as half the width of its 90 % interval; nine times in ten, one that also withstands the noise."""
    record = case()
    zones = {zone.name: zone for zone in vanishing(record).zones}
    last = record.last
    assert zones["one cell"].half_width == last.law.two_sided(0.9) / last.lattice
    assert zones["10 cells"].half_width == last.law.of_sum(0.9, 10) / last.lattice
    assert all(
        zone.half_the_time == math.ceil(zone.half_width) < zone.least for zone in zones.values()
    )
    text = writers.words(writers.markdown(record))
    assert (
        f"nine times in ten a group needs {zones['one cell'].least:,} records in one cell" in text
    )
    assert zones["one cell"].error(30) == zones["one cell"].half_width / 30


@pytest.mark.parametrize("name, cells", [("one cell", 1), ("10 cells", 10), ("the whole map", 20)])
def test_groups_show_as_often_as_the_table_says(name, cells):
    """Of 20,000 invented groups of the size that the table names, nine in ten show, and half of those of the smaller size; by chance it fails less than
    once in a million.
    """
    grid, policy = Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326"), records.promise()
    record = records.record(grid, policy, [records.measured(Partition.cells(grid), 7.0, policy)])
    zone = next(zone for zone in vanishing(record).zones if zone.name == name)
    noise = np.random.default_rng(8).laplace(0, float(policy.scale), (20_000, cells)).sum(axis=1)
    for size, share in ((zone.least, 0.9), (zone.half_the_time, 0.5)):
        shown = float((size + noise > zone.half_width).mean())
        rounding = float((size - 1 + noise > zone.half_width).mean())
        assert shown > share - 0.02 and rounding < share + 0.02


def test_volunteers_answers_show_as_often_as_the_table_says():
    """Where devices randomise, answers in a cell bring coins of their own: a group of the size that the table names shows nine times in ten all the same."""
    record = opened(next(path for path in NEWEST if path.stem == "reports-grr"))
    (zone, *others) = vanishing(record).zones
    reports, dice = record.reports, np.random.default_rng(9)
    many, truth, other = reports.count, float(reports.truth), float(reports.other)
    group = min(zone.least, many)
    support = dice.binomial(group, truth, 20_000) + dice.binomial(many - group, other, 20_000)
    found = (support - many * other) / (truth - other)
    assert (found > zone.half_width).mean() > 0.88
    assert "the whole map" not in [one.name for one in others], "how many answered is public"


def test_who_was_not_drawn_is_not_counted_as_shown():
    """Of a sample the page says that a group of the survey is so many times as large, and on what the smaller epsilon rests."""
    record = opened(next(path for path in NEWEST if opened(path).policy.sample))
    text = writers.words(writers.markdown(record))
    assert (
        "Only units that were drawn are counted here" in text and "MD5 under a secret key" in text
    )


@pytest.mark.parametrize("path", NEWEST, ids=ids)
def test_a_board_with_one_minute_finds_it_in_the_box(path):
    """On top of each form stand what is published, unit, epsilon as a chance, cap, budget, what shows, what is not protected, who answers and what nobody declared, in the same words."""
    record = opened(path)
    told = {
        one["name"]: one["says"] for one in json.loads(writers.plain_json(record))["at_a_glance"]
    }
    assert list(told) == [
        "Published",
        "Protected",
        "Epsilon",
        "Not hidden",
        "Cap",
        "Budget",
        "What shows",
        "Not protected",
        "Answers for it",
        "Not declared",
    ]
    assert "50 in 100" in told["Epsilon"] and re.match(r"[\d.]+", told["Epsilon"])
    shown = squeezed(re.sub("<[^>]*>", " ", writers.page(record)).split("22 questions")[0])
    top = squeezed(writers.words(writers.markdown(record).split("22 questions")[0]))
    for says in told.values():
        assert squeezed(says) in top
    assert re.match(r"[\d.]+", told["Epsilon"])[0] in shown


def test_intervals_of_the_whole_hold_as_often_as_they_say():
    """Nine times in ten the whole area's total lies within the half-width; 400 draws fall below 82 % less than once in a million."""
    grid, policy = Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326"), records.promise()
    dice, held = np.random.default_rng(5), 0
    for _ in range(400):
        noise = dice.laplace(0, float(policy.scale), 20)
        record = records.record(
            grid, policy, [records.measured(Partition.cells(grid), 7.0, policy, noise)]
        )
        (group,) = vanishing(record).groups
        held += abs(group.total - 140) <= group.half_width
    assert 0.82 <= held / 400 <= 0.98


def test_named_areas_and_layers_are_told_by_name():
    """Each named area has a row, each layer has one, and names that say something to a program are text."""
    areas = vanishing(records.case("areas")[0])
    assert {group.name for group in areas.groups if group.kind == "area"} == {
        " ".join(name.split()) for name in records.NAMES
    }
    grid = Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326").layered(
        Kinds("kind", ("owl", "kite"))
    )
    policy = records.promise()
    layered = records.record(
        grid, policy, [records.measured(Partition.cells(grid), np.arange(8.0) * 10, policy)]
    )
    owl, kite = vanishing(layered).groups
    assert (owl.name, owl.total, kite.name, kite.total) == (
        "owl",
        pytest.approx(60, abs=1e-6),
        "kite",
        pytest.approx(220, abs=1e-6),
    )
    assert not owl.shows or owl.total > owl.half_width
    assert "the whole map" not in [zone.name for zone in vanishing(layered).zones]


def test_many_layers_are_cut_and_counted():
    """A map of very many layers lists some, and says how many are left."""
    names = tuple(f"kind {number}" for number in range(MOST_GROUPS + 7))
    grid = Grid(bounds=(0, 50, 1, 51), shape=(1, 1), crs="EPSG:4326").layered(Kinds("kind", names))
    policy = records.promise()
    found = vanishing(
        records.record(grid, policy, [records.measured(Partition.cells(grid), 3.0, policy)])
    )
    assert (len(found.groups), found.unlisted) == (MOST_GROUPS, 7)


# --- declared, and not ---------------------------------------------------------------------------------------------


def governed(**said):
    return case(about=About.from_mapping({"governance": said}))


def test_what_nobody_declared_is_said_to_be_so():
    """Each of the two things that a board asks first is quoted, or said not to be declared, with what that means."""
    silent, told = (
        writers.words(writers.markdown(case())),
        writers.words(
            writers.markdown(
                governed(
                    retention="The archive, ten years",
                    also_published=["A table by district", "nothing"],
                )
            )
        ),
    )
    assert (
        "what else was published of the same data (--also-published), who can reach the records (--retention)"
        in silent
    )
    assert "says neither that there is nothing nor what it is" in silent
    assert "The archive, ten years" in told and "Declared: A table by district" in told
    assert "(--also-published)" not in told and "(--retention)" not in told


# --- strangers' texts ----------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, sorted(name for name, _ in attrs)))


def hostile(text):
    receipt = records.receipt(text, head=text, release_id=text)
    about = About.from_mapping({"governance": {"purpose": text[:200], "also_published": [text[:200]], "retention": text[:200]}, "noun": text,
                      "read_as": [["protected", text], ["not protected", text], ["selected", text]]})  # fmt: skip
    policy = records.promise(unit=text.replace("+", "") or "x")
    plain = case()
    return replace(
        plain,
        receipt=receipt,
        about=about,
        policy=policy,
        released_on=text,
        strategy=text,
        versions={text: text},
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_strangers_texts_are_text(text):
    """Whatever a stranger's release holds, no page has another tag than an honest one's, and Markdown no link, tag or heading of it."""
    record = hostile(text)
    honest = case(about=hostile("a").about, strategy="a", versions={"a": "a"})
    for page in (writers.page, writers.protected_page):
        tags = {tag for tag, _ in Tags(page(record)).found}
        assert tags == {tag for tag, _ in Tags(page(honest)).found}
        style = re.search(r"<style>(.*?)</style>", page(record), re.S)[1]
        assert re.sub(r'content:"[\w\\]*"', "", style) == re.sub(
            r'content:"[\w\\]*"', "", re.search(r"<style>(.*?)</style>", page(honest), re.S)[1]
        )
    markdown = writers.markdown(record)
    assert all(mark.isprintable() or mark == "\n" for mark in markdown)
    outside = re.sub(r"`[^`\n]*`", "", markdown)
    assert "<" not in outside and "](" not in outside and "http" not in outside
    heads = re.findall(r"^#+ .*", markdown, re.M)
    assert len(heads) == 1 + 1 + len(HEADS) + len(QUESTIONS), "title, box, heads and questions"
    jsonschema.validate(json.loads(writers.plain_json(record)), SCHEMA)


# --- for whoever is protected --------------------------------------------------------------------------------------


def me(record):
    return re.sub(r"\s+", " ", shown(writers.protected_page(record)))


def test_she_is_told_who_she_is_here():
    """A volunteer, a nest, a single record: the page says who is meant, and a person with many rows of a row's promise is not led astray."""
    assert "column observer_id names" in me(case())
    rows = me(case(policy=records.promise(unit="row")))
    assert "you as a person are not" in rows and "your record is in the survey" in rows
    sites = next(path for path in NEWEST if path.stem == "sites")
    assert "is hidden in the same way" in me(opened(sites))


def test_she_is_told_numbers_of_this_map_and_of_all():
    """Even odds and small chances, by this map, by all of the ledger so far, and by all that it allows."""
    told = me(case())
    for epsilon in (Fraction(1, 2), Fraction(1), Fraction(3)):  # the map's own; spent; the budget
        moved = odds_factor(epsilon)
        assert f"{math.ceil(100 * moved / (1 + moved))} in 100" in told
    assert (
        f"{math.ceil(100 * math.e / (1 + math.e))} in 100" in told
    )  # about where: twice the exponent
    assert "at most 2 records in the whole map" in told


def test_maps_that_protect_somebody_else_are_not_added_up_for_her():
    """Where a ledger holds releases by another unit, their epsilons are not said to bound what is learned about her."""
    path = next(path for path in SAVED if path.stem == "other-units")
    record = opened(path)
    assert record.about.others is not None and "Those that protect you" in me(record)
    moved = odds_factor(Fraction(record.about.others.spent))
    assert f"bring 50 in 100 to at most {math.ceil(100 * moved / (1 + moved))} in 100" in me(record)
    garbled = replace(
        record,
        about=About.from_mapping(
            {**record.about.written, "units": {"others": ["x"], "spent": "lots"}}
        ),
    )
    assert "bring 50 in 100" not in me(garbled) and "is not in the record" in writers.markdown(
        garbled
    )


def test_an_epsilon_that_protects_nobody_is_called_so():
    """Nobody is told small words for a promise that says next to nothing."""
    assert "hides next to nothing about you" in me(case(policy=records.promise(epsilon=12)))
    assert "nearly 100 in 100" in me(case(policy=records.promise(epsilon=12)))


# --- where they stand ----------------------------------------------------------------------------------------------


def survey(tmp_path):
    rows = "".join(
        f"p{i % 7},{i / 100},{50 + i / 100},{'owl' if i % 2 else 'kite'}\n" for i in range(90)
    )
    (tmp_path / "s.csv").write_text("who,longitude,latitude,kind\n" + rows)
    return ["release", tmp_path / "s.csv", "--bounds", "0,50,1,51", "--shape", "2,2", "--unit", "who", "--cap", "3", "--dataset", "Owls",
            "--budget", "4", "--out", tmp_path / "out"]  # fmt: skip


def call(capsys, *words):
    capsys.readouterr()
    code = run([str(word) for word in words])
    return code, *capsys.readouterr()


def test_they_stand_once_at_the_top_and_are_made_again(tmp_path, capsys, monkeypatch):
    """A map with layers has them beside its release and not in each layer's folder; what is lost is made again from the record."""
    monkeypatch.setattr(
        "dpmap.releases.release.Release.draw",
        lambda self, path, **_: Path(path).write_text("drawn"),
    )
    code, out, err = call(capsys, *survey(tmp_path), "--epsilon", "1", "--kinds", "kind=owl,kite")
    assert (code, err) == (0, "")
    found = sorted(
        path.relative_to(tmp_path / "out").as_posix()
        for name in ATTESTED
        for path in (tmp_path / "out").rglob(name)
    )
    assert found == sorted(ATTESTED)
    before = {name: (tmp_path / "out" / name).read_text("utf-8") for name in ATTESTED}
    for name in ATTESTED:
        (tmp_path / "out" / name).unlink()
    code, out, _ = call(capsys, "release", "--resume", tmp_path / "out")
    assert code == 0 and "spent nothing" in out and out.count("wrote ") == len(ATTESTED)
    assert before == {name: (tmp_path / "out" / name).read_text("utf-8") for name in ATTESTED}
    assert "<h1>" in before["attestation.html"] and "drawn" not in before["for-the-protected.html"]


def test_each_reader_of_a_draw_has_her_own(tmp_path, capsys, monkeypatch):
    """Each tier's folder has an attestation of that tier's epsilon, which names the finest."""
    monkeypatch.setattr(
        "dpmap.releases.release.Release.draw",
        lambda self, path, **_: Path(path).write_text("drawn"),
    )
    assert call(capsys, *survey(tmp_path), "--tier", "public=0.5", "--tier", "manager=2")[0] == 0
    for name, epsilon in (("public", "0.5"), ("manager", "2")):
        text = (tmp_path / "out" / name / "attestation.md").read_text("utf-8")
        assert (
            f"Epsilon is {epsilon} for one unit" in text
            and "For whoever holds the finest tier too: epsilon `2`" in text
        )


def test_whoever_releases_is_told_what_the_attestation_lacks(tmp_path, capsys, monkeypatch):
    """One line says which flags to add next time; with both given there is none, and programs find the same in JSON."""
    monkeypatch.setattr(
        "dpmap.cli.release.save_all", lambda made, place, progress, context, **how: []
    )
    words = [*survey(tmp_path), "--epsilon", "1"]
    out = call(capsys, *words)[1]
    assert (
        "the attestation says Not declared of other publications and who can reach the survey"
        in out
    )
    assert "next time add --also-published and --retention" in out
    words[-3] = tmp_path / "two"
    told = json.loads(call(capsys, *words, "--retention", "the archive", "--json")[1])
    assert told["not_declared"] == ["--also-published"]
    words[-3] = tmp_path / "three"
    out = call(capsys, *words, "--retention", "the archive", "--also-published", "nothing")[1]
    assert "Not declared" not in out


# --- in a browser --------------------------------------------------------------------------------------------------

A4_WIDE, A4_HIGH = round(170 / 25.4 * 96), round(297 / 25.4 * 96)


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


@pytest.mark.parametrize("name", ["attestation.html", "for-the-protected.html"])
@pytest.mark.parametrize("stem", ["sites", "kinds", "merged", "reports-grr", "tiers-public"])
def test_pages_can_be_read_by_everybody_and_printed(browser, tmp_path, name, stem):
    """No fault of accessibility, no script, nothing fetched, and nothing that is cut off where it is printed on A4."""
    release = dm.open(next(path for path in NEWEST if path.stem == stem))
    release.write(tmp_path / name)
    text = (tmp_path / name).read_text("utf-8")
    assert (
        "<script" not in text
        and "default-src 'none'" in text
        and not re.search(r"(src|href)=", text)
    )
    page = patient(browser.new_page(viewport={"width": A4_WIDE, "height": A4_HIGH}))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / name).as_uri())
    assert [url for url in asked if not url.startswith("file:")] == []
    assert axe_faults(page) == []
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= A4_WIDE
    if name == "for-the-protected.html":
        high = page.evaluate("document.querySelector('main').getBoundingClientRect().height")
        assert high <= 0.6 * A4_HIGH, "about half a page"
    page.close()
