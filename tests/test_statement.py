"""statement.md says in plain words what was promised, to whom, how sure it is, and what it does not protect."""

import math
import re
from fractions import Fraction

import pytest
from builders import records

import dpmap as dm
from dpmap.grid import Grid, Partition
from dpmap.maps import read_map
from dpmap.noise.theory import smallest_detectable, two_sided_quantile
from dpmap.promise.limiters import LIMITERS
from dpmap.promise.policy import Consent
from dpmap.record import Record
from dpmap.record.release_file import write_record
from dpmap.statement.statement import statement

GRID = Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")


def made(
    *, receipt: dict | None = None, grid: Grid = GRID, changes: dict | None = None, **policy: object
) -> Record:
    promise = records.promise(
        **{"unit": "observer", "cap": 4, "consent": "ok=yes,s\u00ed", **policy}
    )
    paper = {"dataset": "Raptor survey", "event": 7, "spent": Fraction(17, 10), **(receipt or {})}
    plain = {
        "receipt": records.receipt(**paper), "released_on": "2026-01-02",
        "versions": {"dpmap": "0.1.0", "numpy": "2.1.3", "python": "3.11.7"}, **(changes or {}),
    }  # fmt: skip
    return records.record(
        grid, promise, [records.measured(Partition.cells(grid), 0, promise)], **plain
    )


def section(text: str, title: str) -> str:
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


def test_it_says_epsilon_and_the_unit() -> None:
    """The reader is told epsilon and who is protected."""
    protects = section(statement(made()), "What it protects")
    assert "epsilon = 0.5" in protects
    assert "all rows of one `observer`" in protects


def test_it_says_the_odds_bounds() -> None:
    """The odds bounds are given as numbers: e^eps for taking part, e^(2 eps) for where, e^(k eps) for k together."""
    protects = section(statement(made()), "What it protects")
    assert f"e^epsilon = {math.exp(0.5):.3g}" in protects
    assert f"e^(2 epsilon) = {math.exp(1):.3g}" in protects
    assert "e^(k epsilon)" in protects
    assert f"2 units {math.exp(1.0):.3g}" in protects
    assert f"5 units {math.exp(2.5):.3g}" in protects


@pytest.mark.parametrize(("epsilon", "cap"), [("0.5", 4), ("1", 1), ("1/3", 5), ("2", 20)])
def test_it_says_the_noise_and_how_sure_the_map_is(epsilon: str, cap: int) -> None:
    """Scale, half-width and the smallest detectable total are those of the exact noise law."""
    record = made(epsilon=epsilon, cap=cap)
    text = statement(record)
    scale = Fraction(cap) / Fraction(epsilon)
    sure = section(text, "How sure it is")
    assert f"{float(scale):.4g} points" in sure
    width = two_sided_quantile(0.9, scale * record.policy.lattice) / record.policy.lattice
    assert read_map(record).half_width() == width
    assert width == pytest.approx(float(scale) * math.log(10), rel=1e-6)
    assert f"{width:.4g} points" in sure
    assert f"{smallest_detectable(cap, Fraction(epsilon)):.3g} points" in sure
    assert "smallest" in sure.lower()
    assert "90 %" in sure


def test_it_says_the_scale_exactly() -> None:
    """The scale of the noise is written as the exact fraction that was used."""
    assert "scale 15 on 20 regions" in statement(made(epsilon="1/3", cap=5))
    assert "scale 3.333 (exactly 10/3) on 20 regions" in statement(made(epsilon="3", cap=10))


@pytest.mark.parametrize("limiter", LIMITERS)
def test_it_says_the_limiter_the_cap_and_its_origin(limiter: str) -> None:
    """How contributions were limited, to how much, and how that number was chosen."""
    done = section(statement(made(limiter=limiter)), "What was done")
    assert f"limiter `{limiter}`" in done
    assert "more than 4 " in done
    assert "declared" in done
    assert "{cap}" not in done
    looked = statement(made(limiter=limiter, cap_origin="after inspection"))
    assert "after looking at the data" in looked
    assert "does not cover" in looked


def test_it_says_the_consent_rule() -> None:
    """Which rows counted by consent, or that no consent rule was declared."""
    done = section(statement(made()), "What was done")
    assert "`ok`" in done
    assert "`yes` or `s\u00ed`" in done
    assert "No consent rule was declared" in statement(made(consent=None))


def test_it_says_what_was_spent_and_what_remains() -> None:
    """The budget: this release, all so far, the total, what remains, and how to check it."""
    budget = section(statement(made()), "Budget")
    assert "spent epsilon = 0.5" in budget
    assert "1.7 of 3" in budget
    assert "remaining 1.3" in budget
    assert "cd" * 32 in budget
    assert "--against release.dpmap" in budget


def test_it_says_the_versions_and_the_date() -> None:
    """Which program made it and when, for whoever must check it later."""
    text = statement(made())
    for word in ("dpmap 0.1.0", "numpy 2.1.3", "python 3.11.7", "2026-01-02"):
        assert word in text


def test_it_says_what_is_not_protected() -> None:
    """The limits: places that many report, what the map is for, public inputs, other publications, grey cells."""
    text = section(statement(made()), "What it does not protect")
    for words in (
        "place",
        "public",
        "outside this guarantee",
        "not entered in this ledger",
        "not distinguishable from none",
    ):
        assert words in text, words
    assert text.count("\n- ") >= 5


def test_protecting_rows_only_is_called_what_it_is() -> None:
    """When each row is its own unit, nobody may think that people are protected."""
    text = statement(made(unit="row"))
    assert "one row" in section(text, "What it protects")
    assert "single rows only" in section(text, "What it does not protect")
    assert "`row`" not in section(text, "What it protects")


def test_it_says_the_cells() -> None:
    """How many cells, how large, and that empty ones are in the map too."""
    done = section(statement(made()), "What was done")
    assert "20 cells of 0.2\N{DEGREE SIGN} x 0.25\N{DEGREE SIGN}" in done
    assert "empty ones too" in done


@pytest.mark.parametrize(
    ("epsilon", "warned"), [("0.5", False), ("10", False), ("10.1", True), ("1000000", True)]
)
def test_a_large_epsilon_is_warned_of(epsilon: str, warned: bool) -> None:
    """Where epsilon is so large that the bound means nothing, the statement says so in bold, and does not overflow."""
    text = statement(
        made(epsilon=epsilon, receipt={"budget": Fraction(10**9), "spent": Fraction(10**7)})
    )
    assert ("no such protection.**" in text) == warned
    assert "inf" not in text.replace("information", "")


def test_it_is_the_same_after_a_round_trip(tmp_path: object) -> None:
    """The statement can be made again from release.dpmap alone, word for word."""
    record = made()
    write_record(record, tmp_path / "a.dpmap")
    assert statement(dm.open(tmp_path / "a.dpmap").record) == statement(record)
    dm.open(tmp_path / "a.dpmap").write(tmp_path / "again.md")
    assert (tmp_path / "again.md").read_text(encoding="utf-8") == statement(record)


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](https://evil.example)",
    "![pixel](https://evil.example/x.png)",
    "`code` **bold** __bold__ *it* ~~gone~~",
    "_under_ score",
    "name\n\n## What it protects\n\nEverything, always.",
    "name\r\n\r\n# Title",
    "name\u2028# Title",
    "a | b | c",
    "https://evil.example/x",
    "www.evil.example",
    "<https://evil.example>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\x1b[2Jgone\x00\x07",
    "\u202egnp.paM",
    "$x^2$ \\[ y \\]",
    "a` <b>bold</b> `b",
    "``",
    "\\",
    "{{ template }} {% raw %}",
]


def harmless(text: str) -> None:
    """Only dpmap's own headings and bold words, no link, tag, table, control character or live address."""
    assert re.findall(r"^#+ .*", text, re.M)[1:] == [
        "## What was done", "## What it protects", "## What it does not protect", "## How sure it is", "## Budget",
    ]  # fmt: skip
    outside = re.sub(r"`[^`\n]*`", "", text)
    assert "<" not in outside
    assert "](" not in outside
    assert "|" not in outside
    assert not re.search(r"\bhttps?://|\bwww\.", outside), "a live address"
    assert "~~" not in outside
    assert not re.search(r"(?<!\w)_{1,3}\w", outside), "emphasis"
    assert "&lt;" not in outside
    assert text.count("`") % 2 == 0
    assert all(mark.isprintable() or mark == "\n" for mark in text)
    assert outside.count("**") == statement(made()).count("**")


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("where", ["dataset", "unit", "consent column", "consent value"])
def test_hostile_names_do_nothing(name: str, where: str) -> None:
    """Names of data sets and columns cannot act as Markdown, HTML, links or terminal codes in the statement."""
    if where == "dataset":
        record = made(receipt={"dataset": name})
    elif where == "unit":
        record = made(unit=name.replace("+", ""))
    else:
        record = made(
            consent=Consent(name, ("yes",)) if where == "consent column" else Consent("ok", (name,))
        )
    harmless(statement(record))


@pytest.mark.parametrize(
    "field", ["strategy", "versions", "version names", "released_on", "head", "release_id"]
)
def test_a_strangers_file_does_nothing_either(field: str) -> None:
    """The statement of a release from a stranger is as harmless, whatever its other fields hold."""
    name = "<b>x</b> [click](https://evil.example) **y**\n## What it protects"
    changes, receipt = {}, {}
    if field in ("head", "release_id"):
        receipt[field] = name
    else:
        changes = {"versions": {"dpmap": name}} if field == "versions" else {field: name}
        changes = {"versions": {name: "1"}} if field == "version names" else changes
    harmless(statement(made(receipt=receipt, changes=changes)))


def test_names_stay_readable() -> None:
    """Honest names come through unchanged: accents, underscores, apostrophes, brackets of a year."""
    text = statement(made(unit="observer_id", receipt={"dataset": "Búho's nests (2026), part 2"}))
    assert "`observer_id`" in text
    assert "Búho's nests (2026), part 2" in text
