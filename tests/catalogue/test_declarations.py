"""What is declared to portals has a form: licence, DOI, reason and project are what portals know, or are refused in one line."""

from datetime import date

import pytest
from builders import records

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput
from dpmap.promise.governance import Governance
from dpmap.promise.licences import LICENCES
from dpmap.promise.sensitivity_reasons import REASONS
from dpmap.releases.release import Release
from dpmap.statement.kinds import map_statement

TODAY = date(2026, 11, 23)
PROJECT = "71b32571-0176-4627-8e01-4d78818432a7"
TAKEN = {
    "licence": {
        "cc-by-4.0": "CC-BY-4.0", "ODBL-1.0": "ODbL-1.0", "https://example.org/terms": "https://example.org/terms",
        "https://example.org:8443/a?b=c#d": "https://example.org:8443/a?b=c#d",
    },
    "doi": {
        "10.5072/owls": "10.5072/owls", "https://doi.org/10.5072/Owls.2": "10.5072/Owls.2", "http://dx.doi.org/10.5072/a(b)": "10.5072/a(b)",
        "doi: 10.5072/owls": "10.5072/owls", "DOI:10.5072/owls": "10.5072/owls",
    },
    "reason": {"SPECIESLOCATION": "speciesLocation", "tradeSensitive": "tradeSensitive"},
    "local_contexts": {
        PROJECT.upper(): PROJECT, f"https://localcontextshub.org/projects/{PROJECT}": PROJECT,
        f"https://localcontextshub.org/projects/{PROJECT}/": PROJECT,
    },
}  # fmt: skip
REFUSED = {
    "licence": ("CC BY 4.0", "http://example.org", "javascript:alert(1)", "https://", "https://a b.org", 'https://x.org/"><script>', "see file"),
    "doi": ("owls", "10.50/owls", "10.5072/", "https://example.org/10.5072/owls", "10.5072/a b", "10.5072/<b>", "10.5072/a\"b"),
    "reason": ("it is secret", "speciesLocation; nonLegal", "<b>", "2.1"),
    "local_contexts": ("ours", "71b32571", f"https://example.org/projects/{PROJECT}", f"{PROJECT}/../x"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given_as", "kept"),
    [(n, g, k) for n, pairs in TAKEN.items() for g, k in pairs.items()],
)
def test_people_may_paste_what_they_have(name, given_as, kept):
    """Case is forgiven, and of an address what portals read is kept."""
    found = Governance(**{name: given_as})
    assert getattr(found, name) == kept
    found.check_new(TODAY)
    assert Governance.from_notes({"governance": found.to_dict()}) == found


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values]
)
def test_what_portals_cannot_read_is_one_line(name, value):
    """Anything else is refused with what to type instead; in a stranger's file it counts as not declared."""
    with pytest.raises(BadInput) as told:
        Governance(**{name: value})
    line = told.value.terminal_line
    assert line.startswith(f"--{name.replace('_', '-')}: ") and "\n" not in line
    assert not Governance.from_notes({"governance": {name: value}})


def test_what_is_no_usual_licence_or_reason_names_those_most_like_it():
    """A new release is held to the vocabularies; an older file may name what they do not hold yet."""
    with pytest.raises(
        BadInput,
        match=r"licence: 'CC-BY-40' is no usual licence for data \(did you mean CC-BY-4.0",
    ):
        Governance(licence="CC-BY-40").check_new(TODAY)
    with pytest.raises(
        BadInput,
        match=r"reason: 'specieLocation' is no term of the vocabulary \(did you mean speciesLocation",
    ):
        Governance(reason="specieLocation").check_new(TODAY)
    assert (
        Governance.from_notes({"governance": {"licence": "CC-BY-9.0", "reason": "later"}}).licence
        == "CC-BY-9.0"
    )


def test_the_vocabularies_are_whole():
    """The reasons are all of the draft's, broad and narrow; licences have https addresses of their own."""
    assert len(REASONS) == 24 and {
        "firstNationsCulturalSignificance",
        "lackOfConsent",
        "biosecurity",
    } <= set(REASONS)
    addresses = [address for _, address in LICENCES.values()]
    assert all(one.startswith("https://") for one in addresses) and len(set(addresses)) == len(
        addresses
    )


def test_unknown_terms_of_later_versions_are_described_without_claiming_a_meaning():
    """A licence that this dpmap does not know stands by its name alone, and a reason that it does not know is left out."""
    from dpmap.catalogue.write import text

    record = records.told_of(
        dm.Grid(bounds=(0, 50, 1, 51), shape=(2, 2), crs="EPSG:4326"),
        governance={"licence": "CC-BY-9.0", "reason": "later"},
    )[0]
    assert '"rights": "CC-BY-9.0"' in text(
        record, "datacite.json"
    ) and "rightsIdentifier" not in text(record, "datacite.json")
    assert "treatmentReason" not in text(record, "restricted-access.json")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"w{i % 9},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100}\n" for i in range(200)]
    (tmp_path / "s.csv").write_text("who,longitude,latitude\n" + "".join(rows))
    return tmp_path


PLAIN = "release s.csv --bounds 0,50,1,51 --shape 6,8 --epsilon 1 --unit who --cap 3 --dataset d --budget 9 --ledger l --out out".split()


def test_flags_reach_statement_layers_and_about(here, capsys):
    """What was declared by flags is in the record, in the facts of layers, and in what `dpmap about` prints."""
    more = [
        "--licence",
        "odbl-1.0",
        "--doi",
        "https://doi.org/10.5072/x",
        "--reason",
        "threatenedpopulations",
        "--local-contexts",
        PROJECT.upper(),
    ]
    assert run([*PLAIN, *more]) == 0
    record = dm.open("out/release.dpmap").record
    told = {
        "licence": "ODbL-1.0",
        "doi": "10.5072/x",
        "reason": "threatenedPopulations",
        "local_contexts": PROJECT,
    }
    assert (
        record.about.governance.facts() == told
        and told.items() <= map_statement(record).facts().items()
    )
    capsys.readouterr()
    assert run(["about", "out/release.dpmap"]) == 0
    shown = capsys.readouterr().out
    assert all(value in shown for value in told.values())


@pytest.mark.parametrize(
    "wrong",
    [
        ("--licence", "CC-BY-5.0"),
        ("--doi", "owls"),
        ("--reason", "secret"),
        ("--local-contexts", "ours"),
        ("--licence", "CC BY"),
    ],
    ids=str,
)
def test_a_slip_costs_nothing(here, capsys, wrong):
    """It is one line before anything is spent or written."""
    assert run([*PLAIN, *wrong]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1 and told[0].startswith(f"dpmap: {wrong[0]}: ")
    assert not (here / "out").exists() and not (here / "l").exists()


def test_in_python_metadata_are_written_by_name(here):
    """`release.write("datacite.json")` writes that file; a layer of any other name keeps its format."""
    made = Release(records.case("1 cell")[0])
    assert [path.name for path in made.write("datacite.json")] == ["datacite.json"]
    assert (here / "datacite.json").read_text().startswith('{\n "schemaVersion"')
    assert "features" in made.write("cells.json")[0].read_text()
