"""One draw makes a map for each of several readers: what each holds, what it costs, and what is refused."""

import json
import os
import signal
import zipfile
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from builders import records, surveys

import dpmap as dm
from dpmap.errors import BadInput, Refused
from dpmap.export.styles import default_look
from dpmap.ledger.ledger import Ledger
from dpmap.releases.release import Release
from dpmap.releases.tiers import edges
from dpmap.render.colouring import View, paint
from dpmap.render.page_data import facts
from dpmap.statement.kinds import map_statement
from dpmap.statement.privacy_yaml import privacy_yaml
from dpmap.statement.statement import statement
from dpmap.steward import release_run as drawing
from dpmap.steward.planning import landscapes, planner
from dpmap.steward.planning.plan_text import summary
from dpmap.steward.planning.report import page
from dpmap.vault.session import Session

TIERS = {"manager": 3, "public": "0.3", "partners": 1}
RISING = ["public", "partners", "manager"]
CELLS = {"shape": (16, 20)}


def drawn(folder, tiers=TIERS, *, rows=None, policy=None, cells=None, **options):
    """A draw for these readers, adaptive unless something else is said."""
    promise = dm.Policy(**{"epsilon": 3, "unit": "who", "cap": 3, **(policy or {})})
    rows = surveys.scattered(900, people=90) if rows is None else rows
    settings = {"strategy": "adaptive", "tiers": tiers, **options}
    return surveys.released(rows, folder, cells or surveys.grid(**CELLS), promise, **settings)


def events(folder):
    return (
        [event.body for event in Ledger(folder / "x.ledger").events()]
        if (folder / "x.ledger").exists()
        else []
    )


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A draw for three readers, saved to folders, and its folder."""
    folder = tmp_path_factory.mktemp("tiers")
    return drawn(folder, to=folder), folder


def test_each_reader_has_a_map_under_her_own_promise(three):
    """The noisiest first, whatever order they are named in: a release each, of her own epsilon, with the noise that it buys."""
    tiers, _ = three
    assert isinstance(tiers, dm.Tiers) and list(tiers) == RISING
    assert [str(one.policy.epsilon) for one in tiers.values()] == ["3/10", "1", "3"]
    for one in tiers.values():
        told = one.record.measurements
        assert sum(m.epsilon for m in told) == one.policy.epsilon
        assert all(m.scale == one.policy.noise_scale(m.epsilon, m.lattice) for m in told)


def test_one_event_costs_the_dearest(three):
    """The ledger holds one reservation, of the largest epsilon and not of the sum, which names the tiers; all have its receipt."""
    tiers, folder = three
    (paid,) = [body for body in events(folder) if body["kind"] == "reserve"]
    assert (paid["epsilon"], paid["tiers"]) == ("3", ["public=0.3", "partners=1", "manager=3"])
    assert [body["kind"] for body in events(folder)] == ["open", "reserve", "made"]
    assert len({one.record.receipt for one in tiers.values()}) == 1
    assert tiers["public"].record.receipt.spent == 3


def test_the_regions_are_those_of_the_noisiest_tier(three):
    """All tiers tell of the same regions, so that no map's shape says more than the noisiest one's numbers."""
    tiers, _ = three
    told = [[m.partition.labels for m in one.record.measurements] for one in tiers.values()]
    for other in told[1:]:
        assert all(np.array_equal(one, two) for one, two in zip(told[0], other, strict=True))


def test_a_tiers_file_opens_alone_and_knows_the_others(three):
    """From its file alone a tier is opened as received, and says its own name and every tier's epsilon."""
    _, folder = three
    for name in RISING:
        opened = dm.open(folder / name / "release.dpmap")
        assert not opened.fresh and opened.record.about.tier.name == name
        assert opened.record.about.tier.epsilons == {
            "public": "0.3",
            "partners": "1",
            "manager": "3",
        }


@pytest.mark.parametrize(
    "policy",
    [{"cap": "auto:0.1:1-4"}, {"sample": "60%"}, {"unit": "row"}, {"limiter": "presence"}],
    ids=lambda policy: next(iter(policy)),
)
def test_each_tiers_promise_is_its_own_to_the_last_digit(tmp_path, policy):
    """A cap chosen privately costs everybody the same share of the noisiest epsilon; a sample turns each tier's own noise into its
    epsilon; and each tier's file opens, which checks that its measurements are those that its promise allows.
    """
    tiers = drawn(tmp_path, policy=policy, to=tmp_path)
    for name, one in tiers.items():
        assert sum(m.epsilon for m in one.record.measurements) == one.policy.measuring
        assert dm.open(tmp_path / name / "release.dpmap").policy == one.policy
    if "cap" in policy:
        assert {one.policy.choosing for one in tiers.values()} == {Fraction(3, 100)}
        assert all(
            one.policy.choosing + one.policy.measuring == one.policy.epsilon
            for one in tiers.values()
        )
        assert {one.policy.cap_origin for one in tiers.values()} == {"chosen privately"}


def test_layers_and_means_have_tiers_too(tmp_path):
    """What is proved for totals that a unit moves by its cap at most holds for layers, and for the two totals of a mean."""
    rows = surveys.scattered(900, people=90)
    kinds = [f"{row},{'owl' if at % 3 else 'kite'},{at % 10}" for at, row in enumerate(rows)]
    told = surveys.survey(tmp_path, kinds, f"{surveys.HEAD},kind,height")
    both = drawn(
        tmp_path, rows=told, cells=surveys.grid().layered(dm.Kinds("kind", ("owl", "kite")))
    )
    assert set(both["public"].layers) == {("owl",), ("kite",)}
    assert (
        both["public"].record.about.edges == both["manager"].layer("owl").record.about.edges != ()
    )
    mean = surveys.survey(
        tmp_path, kinds, f"{surveys.HEAD},kind,height", mean="height", between=(0, 9)
    )
    means = drawn(tmp_path, rows=mean, cells=surveys.grid(), strategy="flat", dataset="means")
    assert np.isfinite(means["manager"].estimate).any()


def test_a_tiers_file_that_contradicts_itself_is_not_opened(three, tmp_path):
    """A file that names another epsilon for its tier than its promise, or tiers out of order, is refused in one line."""
    tiers, _ = three
    record = tiers["partners"].record
    for losses in (
        {"public": "0.3", "partners": "3"},
        {"partners": "1", "public": "0.3"},
        {"partners": "1", "odd": "x"},
    ):
        Release(replace(record, about=record.about.of_tier("partners", losses))).save(
            tmp_path / "odd.dpmap"
        )
        with pytest.raises(BadInput, match="odd.dpmap is not a release dpmap can open: .*tier"):
            dm.open(tmp_path / "odd.dpmap")


def test_each_tiers_statement_names_the_others_and_what_several_tell(three):
    """In the statement, privacy.yaml, the title and the line under a picture: whose map it is, what the others may hold, what several
    tell of the person who is protected, and that the draw was paid for once.
    """
    tiers, _ = three
    record = tiers["public"].record
    told, yaml = statement(record), privacy_yaml(record)
    assert "with epsilon = 0.3" in told and "against whoever has this map alone" in told
    assert (
        "the map for `public`, one of 3" in told
        and "`partners` (epsilon `1`) and `manager` (epsilon `3`)" in told
    )
    assert "about any one `who` no more than the finest of them tells" in told
    assert (
        "is epsilon `3`: odds change by at most e^3 = 20.1 times" in told
        and "**never add up**" in told
    )
    assert "This draw cost epsilon `3`, once for all its 3 tiers" in told
    assert (
        "epsilon: 0.3" in yaml
        and "never the sum" in yaml
        and "is for 'manager' (epsilon 3)" in yaml
    )
    assert "own field `tier`" in yaml and "noisier copies" in yaml
    assert (
        record.title == record.heading == "d \N{MIDDLE DOT} map for: public"
        and record.title in told
    )
    assert (
        "map for 'partners', one of 3 maps" in map_statement(tiers["partners"].record).provenance()
    )
    assert "this is the surest" in map_statement(tiers["manager"].record).provenance()
    words = map_statement(tiers["partners"].record)
    assert "finest of them" in words.promise_words() and "tier" in words.facts()
    assert "tier" not in statement(records.told_of(surveys.grid())[0])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda plain: plain.update(format_version=3), "format version"),
        (
            lambda plain: plain["measurements"][0].update(
                lattice=plain["measurements"][0]["lattice"] // 2
            ),
            "other steps",
        ),
    ],
)
def test_a_file_that_pools_under_an_older_format_or_with_other_steps_is_refused(
    tmp_path, change, told
):
    """Answers are pooled in files of format 4 only, and of one lattice only; whatever else says so contradicts itself."""
    policy, cells = dm.Policy(epsilon=1, unit="who", cap=3), surveys.grid()
    session = Session(np.zeros(cells.shape), cells, policy.measuring, policy.cap, policy.lattice)
    session.course([Fraction(1, 2)] * 2)
    for _ in range(2):
        session.measure(dm.Partition.cells(cells), Fraction(1, 2))
    Release(records.record(cells, policy, session.made)).save(tmp_path / "good.dpmap")
    assert dm.open(tmp_path / "good.dpmap").record.measurements[1].pooled.all()
    with (
        zipfile.ZipFile(tmp_path / "good.dpmap") as archive,
        zipfile.ZipFile(tmp_path / "odd.dpmap", "w") as odd,
    ):
        for name in archive.namelist():
            content = archive.read(name)
            if name == "dpmap.json":
                plain = json.loads(content)
                assert plain["format_version"] == 4
                change(plain)
                content = json.dumps(plain).encode()
            odd.writestr(name, content)
    with pytest.raises(BadInput, match=told):
        dm.open(tmp_path / "odd.dpmap")


def test_two_units_at_once_have_tiers_too(tmp_path):
    """With a site protected beside the contributor, every tier keeps the one cap under its own epsilon."""
    seen = surveys.survey(
        tmp_path, [f"p{at % 20},0.5,50.5,n{at % 30}" for at in range(90)], f"{surveys.HEAD},nest"
    )
    places = surveys.survey(
        tmp_path,
        [f"n{at},0.{at + 10},50.5" for at in range(30)],
        "nest,longitude,latitude",
        name="nests.csv",
        unit="nest",
    )
    tiers = drawn(tmp_path, rows=seen, policy={"site": "nest"}, sites=places, to=tmp_path)
    assert all(dm.open(tmp_path / name / "release.dpmap").policy.site == "nest" for name in tiers)
    assert [str(one.policy.measuring) for one in tiers.values()] == ["3/10", "1", "3"]


# --- what is refused, before anything is spent -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "told", "changed"),
    [
        (BadInput, "one is given; for one reader write epsilon=0.3", {"tiers": {"public": "0.3"}}),
        (BadInput, "40 are given", {"tiers": {f"t{at}": at + 1 for at in range(40)}}),
        (BadInput, "name two to 10", {"tiers": "public=3"}),
        (BadInput, "a and b have the same epsilon", {"tiers": {"a": 3, "b": "3.0"}}),
        (BadInput, "a and A have one name, but for large and small letters", {"tiers": {"a": 1, "A": 3}}),
        (BadInput, "holds '.'; use letters", {"tiers": {"../a": 1, "b": 3}}),
        (BadInput, "'NUL' is a name that Windows keeps", {"tiers": {"a": 1, "NUL": 3}}),
        (BadInput, r"holds '\\n'; use letters", {"tiers": {"a\n": 1, "b": 3}}),
        (BadInput, "has 41 letters; use at most 40", {"tiers": {"a" * 41: 1, "b": 3}}),
        (BadInput, "begin and end it with a letter", {"tiers": {"a ": 1, "b": 3}}),
        (BadInput, "epsilon of a: '1_0' is not a number", {"tiers": {"a": "1_0", "b": 3}}),
        (BadInput, "what the dearest does, 2, and the policy says epsilon 3", {"tiers": {"a": 1, "b": 2}}),
        (BadInput, "it keeps tiers", {"tiers": None, "seal": "x.sealed"}),
        (BadInput, "there already", {"seal": "survey.csv"}),
        (BadInput, "make its folder first", {"seal": "nowhere/x.sealed"}),
        (BadInput, "would lie in the folder that is handed out", {"to": "open", "seal": "open/x.sealed"}),
        (BadInput, "would lie in the folder that is handed out", {"to": "open", "seal": "open/manager/x.sealed"}),
        (BadInput, "would lie in the folder that is handed out", {"to": "open", "seal": "alias/x.sealed"}),
        (BadInput, "x.ledger is the ledger's own file", {"seal": "x.ledger"}),
        (BadInput, "x.ledger is the ledger's own file", {"seal": "open/../x.ledger"}),
        (BadInput, "x.ledger-journal is the ledger's own file", {"seal": "x.ledger-journal"}),
        (BadInput, "x.ledger is the ledger's own file", {"tiers": None, "to": "x.ledger"}),
        (BadInput, "public is there already", {"to": "."}),
        (BadInput, "rel2 in this folder is of an earlier draw; name a new folder", {"to": "old"}),
        (BadInput, "a folder that is there", {"to": "nowhere"}),
        (Refused, "tiers= has no proof with delta=", {"policy": {"delta": "1e-6"}, "strategy": "flat", "budget_delta": "1e-5"}),
        (Refused, "tiers= has no proof with strategy= sparse", {"strategy": "sparse:20"}),
        (Refused, "tiers= has no proof with noise= opendp", {"noise": "opendp"}),
        (Refused, "tiers= has no proof with epsilon_by=", {"policy": {"epsilon_by": "who=1,3"}}),
    ],
)  # fmt: skip
def test_nothing_is_spent_on_tiers_that_cannot_be_made(tmp_path, monkeypatch, kind, told, changed):
    """Names, epsilons, places and tools that do not go together: one line that says what to type, and no ledger is begun."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "public").write_text("something of her own")
    (tmp_path / "open" / "manager").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / "open", target_is_directory=True)
    (tmp_path / "old" / "rel2").mkdir(parents=True)
    (tmp_path / "old" / "rel2" / "release.dpmap").write_bytes(b"another draw's")
    with pytest.raises(kind, match=told) as refused:
        drawn(tmp_path, **changed)
    assert "\n" not in str(refused.value)
    assert not events(tmp_path)


def test_a_tier_that_is_not_there_is_told_what_is(three, tmp_path):
    """One line names the tiers that there are, or how a sealed one is opened; a draw shows names, epsilons and what is sealed."""
    tiers, _ = three
    with pytest.raises(
        KeyError, match="^tiers: 'nobody' is none of them; there is public, partners, manager$"
    ):
        tiers["nobody"]
    assert tiers.get("nobody") is None and "manager" in tiers
    assert (
        repr(tiers)
        == "<Tiers of one draw: public (epsilon 0.3), partners (epsilon 1), manager (epsilon 3)>"
    )
    assert (
        "sealed: partners, manager" in repr(tiers.noisiest)
        and "<td>manager</td><td>3</td><td>sealed" in tiers.noisiest._repr_html_()
    )
    with pytest.raises(BadInput, match="'manager' is sealed; open it with dm.unseal"):
        tiers.noisiest["manager"]


# --- kept for later --------------------------------------------------------------------------------------------------


def test_a_sealed_tier_is_opened_later_to_the_same_bytes(tmp_path):
    """With `seal` only the noisiest tier is handed out and saved by itself; the others come out of the file as they were drawn."""
    (tmp_path / "open").mkdir()
    tiers = drawn(tmp_path, to=tmp_path / "open", seal=tmp_path / "r.sealed")
    assert list(tiers) == ["public"] and os.listdir(tmp_path / "open") == ["public"]
    assert sorted(os.listdir(tmp_path)) == ["open", "r.sealed", "survey.csv", "x.ledger"]
    before = len(events(tmp_path))
    for name in RISING:
        opened = dm.unseal(tmp_path / "r.sealed", name, tmp_path / f"{name}.dpmap")
        opened.save(tmp_path / "again.dpmap")
        assert (tmp_path / "again.dpmap").read_bytes() == (tmp_path / f"{name}.dpmap").read_bytes()
        assert (
            opened.record.about.tier.name == name
            and opened.record.receipt == tiers["public"].record.receipt
        )
    assert (tmp_path / "public.dpmap").read_bytes() == (
        tmp_path / "open" / "public" / "release.dpmap"
    ).read_bytes()
    assert len(events(tmp_path)) == before


@pytest.mark.skipif(os.name != "posix", reason="rights of this kind are POSIX")
def test_a_sealed_file_is_its_owners_alone(tmp_path):
    """Nobody else on the machine may read it."""
    drawn(tmp_path, seal=tmp_path / "r.sealed")
    assert (tmp_path / "r.sealed").stat().st_mode & 0o777 == 0o600


def test_a_sealed_file_that_is_none_is_refused_in_a_line(three, tmp_path):
    """A missing file, another one, one of a later dpmap and a tier that it does not hold: what is wrong, and nothing is written."""
    tiers, folder = three
    tiers.save(None, seal=tmp_path / "r.sealed")
    with zipfile.ZipFile(tmp_path / "later.sealed", "w") as archive:
        archive.writestr(
            "dpmap.json", '{"format": "dpmap sealed tiers", "format_version": 2, "tiers": {}}'
        )
    with zipfile.ZipFile(tmp_path / "odd.sealed", "w") as archive:
        archive.writestr(
            "dpmap.json",
            '{"format": "dpmap sealed tiers", "format_version": 1, "tiers": {"public": "1"}}',
        )
        archive.write(folder / "manager" / "release.dpmap", "tier_0.dpmap")
    with zipfile.ZipFile(tmp_path / "bomb.sealed", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "dpmap.json",
            '{"format": "dpmap sealed tiers", "format_version": 1, "tiers": {"public": "1"}}',
        )
        archive.writestr("tier_0.dpmap", bytes(10**7))
    with zipfile.ZipFile(tmp_path / "cut.sealed", "w") as archive:
        archive.writestr(
            "dpmap.json",
            '{"format": "dpmap sealed tiers", "format_version": 1, "tiers": {"public": "1"}}',
        )
        archive.writestr("tier_0.dpmap", (folder / "public" / "release.dpmap").read_bytes()[:500])
    tried = {
        "there is no file": tmp_path / "none.sealed",
        "not a file of sealed tiers": folder / "public" / "release.dpmap",
        "newer dpmap": tmp_path / "later.sealed",
        "is damaged": tmp_path / "odd.sealed",
        "or is damaged": tmp_path / "bomb.sealed",
        "^cut.sealed is not a file of sealed tiers": tmp_path / "cut.sealed",
        "is damaged; give": tmp_path,
    }
    for told, path in tried.items():
        with pytest.raises(BadInput, match=told):
            dm.unseal(path, "public", tmp_path / "out.dpmap")
    with pytest.raises(BadInput, match="holds public, partners, manager; name one"):
        dm.unseal(tmp_path / "r.sealed", "Manager", tmp_path / "out.dpmap")
    with pytest.raises(BadInput, match="there already"):
        dm.unseal(tmp_path / "r.sealed", "public", tmp_path / "r.sealed")
    assert not (tmp_path / "out.dpmap").exists()


def packed(path, losses, files, how=zipfile.ZIP_STORED):
    """A sealed file of somebody's own making."""
    with zipfile.ZipFile(path, "w") as archive:
        head = {"format": "dpmap sealed tiers", "format_version": 1, "tiers": losses}
        archive.writestr("dpmap.json", json.dumps(head))
        for number, file in enumerate(files):
            archive.writestr(f"tier_{number}.dpmap", file, how)
    return path


def test_a_sealed_file_holds_the_tiers_it_names_of_one_draw(three, tmp_path):
    """Entries of other epsilons than declared, of other tiers, of two draws, or packed so that they could unpack to anything, are refused."""
    tiers, folder = three
    files = [(folder / name / "release.dpmap").read_bytes() for name in RISING]
    losses = {"public": "0.3", "partners": "1", "manager": "3"}
    record = tiers["manager"].record
    odd = Release(replace(record, receipt=replace(record.receipt, release_id="another draw")))
    odd.save(tmp_path / "another.dpmap")
    another = (tmp_path / "another.dpmap").read_bytes()
    tried = [
        (losses | {"manager": "2"}, files, zipfile.ZIP_STORED),
        ({"public": "0.3", "manager": "3"}, [files[0], files[2]], zipfile.ZIP_STORED),
        (losses, [files[0], files[2], files[1]], zipfile.ZIP_STORED),
        (losses, [*files[:2], another], zipfile.ZIP_STORED),
        (losses, [files[0], bytes(10**6), bytes(10**6)], zipfile.ZIP_BZIP2),
        (losses, files[:2], zipfile.ZIP_STORED),
    ]
    for case in tried:
        with pytest.raises(BadInput, match="is not a file of sealed tiers, or is damaged"):
            dm.unseal(packed(tmp_path / "odd.sealed", *case), "public", tmp_path / "out.dpmap")
    assert not (tmp_path / "out.dpmap").exists()
    dm.unseal(packed(tmp_path / "own.sealed", losses, files), "public", tmp_path / "out.dpmap")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of this kind are POSIX")
def test_a_pipe_is_no_sealed_file(tmp_path):
    """It is refused, not waited for."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="is not a file of sealed tiers"):
        dm.unseal(tmp_path / "pipe", "public", tmp_path / "out.dpmap")


def test_all_tiers_are_saved_or_none(three, tmp_path, monkeypatch):
    """If one of them cannot be written, none is left behind, nor a folder for it."""
    tiers, _ = three
    real = Release.save

    def save(one, path):
        if one.record.about.tier.name == "manager":
            raise OSError(28, "full")
        real(one, path)

    monkeypatch.setattr(Release, "save", save)
    with pytest.raises(dm.errors.SystemFailed):
        tiers.save(tmp_path)
    assert not os.listdir(tmp_path)


def test_a_draw_is_kept_though_its_place_was_taken_meanwhile(three, tmp_path, monkeypatch):
    """What came to be in its place after the payment is left alone: the tiers stand beside it, and the line says where and what was spent."""
    real = drawing.Session.__init__

    def meanwhile(*given, **named):
        (tmp_path / "r.sealed").write_text("of another")
        (tmp_path / "o" / "public").symlink_to(tmp_path)
        real(*given, **named)

    (tmp_path / "o").mkdir()
    monkeypatch.setattr(drawing.Session, "__init__", meanwhile)
    with pytest.raises(
        dm.errors.SystemFailed,
        match=r"epsilon 3 of 'd' is spent, and all tiers are whole in r-2\.sealed",
    ):
        drawn(tmp_path, to=tmp_path / "o", seal=tmp_path / "r.sealed")
    assert dm.unseal(tmp_path / "r-2.sealed", "manager", tmp_path / "m.dpmap").policy.epsilon == 3
    assert (tmp_path / "r.sealed").read_text() == "of another" and os.listdir(tmp_path / "o") == [
        "public"
    ]
    assert events(tmp_path)[-1]["kind"] == "made"
    told = three[0].save_paid(tmp_path / "o")
    assert "o-2" in told and sorted(os.listdir(tmp_path / "o-2")) == sorted(RISING)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seal", [None, "r.sealed"])
def test_an_interruption_between_two_renames_waits_for_the_others(
    three, tmp_path, monkeypatch, number, seal
):
    """Stopped when the first file is in its place, the others follow before the interruption is passed on: all stand, or none."""
    tiers, _ = three
    real, usual = os.replace, signal.getsignal(number)

    def replaced(source, target):
        real(source, target)
        signal.raise_signal(number)

    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(number, stop)
    try:
        (tmp_path / "o").mkdir()
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Release, "save", lambda one, path: write_bytes(path))
            patch.setattr(os, "replace", replaced)
            tiers.save(tmp_path / "o", seal=seal and tmp_path / seal)
        assert signal.getsignal(number) is stop
    finally:
        signal.signal(number, usual)
    held = [
        name
        for name in os.listdir(tmp_path / "o")
        if os.listdir(tmp_path / "o" / name) == ["release.dpmap"]
    ]
    assert sorted(held) == (sorted(RISING) if seal is None else ["public"])
    assert seal is None or (tmp_path / seal).exists()


@pytest.mark.skipif(os.name != "posix", reason="rights of this kind are POSIX")
def test_what_a_killed_process_leaves_of_a_tier_is_its_owners_alone(three, tmp_path, monkeypatch):
    """Until all are written, the files that are to be renamed have rights for nobody else; the whole ones have those of any new file."""
    tiers, _ = three
    seen, real = set(), Release.save

    def save(one, path):
        real(one, path)
        seen.update(
            (file.name[0], file.stat().st_mode & 0o777)
            for file in tmp_path.rglob("*.dpmap")
            if file != path
        )

    def added(archive, *given, _real=zipfile.ZipFile.writestr):
        seen.update((".", file.stat().st_mode & 0o777) for file in tmp_path.rglob(".*.dpmap"))
        _real(archive, *given)

    monkeypatch.setattr(Release, "save", save)
    monkeypatch.setattr(zipfile.ZipFile, "writestr", added)
    before = os.umask(0o027)
    try:
        tiers.save(tmp_path)
    finally:
        os.umask(before)
    assert seen == {(".", 0o600)}
    assert {file.stat().st_mode & 0o777 for file in tmp_path.rglob("*.dpmap")} == {0o640}


def write_bytes(path):
    """Stands in for a release file, written in one step."""
    path.write_bytes(b"one")


# --- never taken for maps of their own -------------------------------------------------------------------------------


def test_tiers_of_one_draw_are_not_merged(three, tmp_path):
    """Their noises are copies, not independent, so two of them are refused; a tier and another survey's map are added up."""
    tiers, _ = three
    other = surveys.released(
        surveys.scattered(200), tmp_path, surveys.grid(**CELLS), dataset="another"
    )
    with pytest.raises(BadInput, match="tiers of one draw; use the finest of them alone"):
        dm.merge([tiers["public"], other, tiers["manager"]])
    assert dm.merge([tiers["manager"], other]).policy.epsilon == 4
    told = statement(dm.merge([tiers["public"], other]).record)
    assert (
        "`d` is the tier `public` (epsilon `0.3`) of one draw" in told
        and "`manager` (epsilon `3`)" in told
    )
    assert "may have lost its epsilon of `3`" in told
    assert "tier" not in statement(
        dm.merge(
            [
                other,
                surveys.released(
                    surveys.scattered(200), tmp_path, surveys.grid(**CELLS), dataset="more"
                ),
            ]
        ).record
    )


def test_all_tiers_are_drawn_in_the_same_classes(three, tmp_path):
    """Pictures, pages and layers of all tiers have the same legend, made from the noisiest one's numbers alone; whoever asks for another
    number of classes gets her own.
    """
    tiers, _ = three
    shared = tiers["public"].record.about.edges
    assert len(shared) > 2 and shared == tuple(edges(tiers["public"].record))
    paintings = [paint(one.record, one.reading, View()) for one in tiers.values()]
    assert {painting.edges for painting in paintings} == {shared}
    assert len({painting.unit for painting in paintings}) == 1
    legends = {tuple(words for words, _ in painting.labels) for painting in paintings}
    assert len(legends) == 1 and next(iter(legends))[0].endswith("and more")
    cells = [paint(one.record, one.reading, View(show="cells")) for one in tiers.values()]
    assert {painting.edges for painting in cells} == {shared}
    pages = [facts(one.record, one.reading, level=0.9, per_km2=True) for one in tiers.values()]
    assert all(
        tuple(page["edges"]) == shared and page["unit"] == pages[0]["unit"] for page in pages
    )
    looks = [default_look(one.record, one.reading) for one in tiers.values()]
    assert len({tuple(rule.words for rule in look.rules) for look in looks}) == 1
    assert "and more" in looks[0].rules[-1].words and all(
        page["labels"][-1].endswith("and more") for page in pages
    )
    finest = tiers["manager"]
    assert paint(finest.record, finest.reading, View(classes=3)).edges != shared


def test_a_plan_shows_each_tier(monkeypatch):
    """What each reader's map will show stands side by side, rehearsed as it will be drawn; all else is about the noisiest tier."""
    monkeypatch.setattr(planner, "MOST", 2)
    monkeypatch.setattr(landscapes, "LIBRARY", few := dict(list(landscapes.SHAPES.items())[:4]))
    monkeypatch.setattr(landscapes, "SHAPES", few)
    grid, policy = (
        dm.Grid(bounds=(0, 0, 8_000, 8_000), shape=(8, 8), crs="EPSG:3857"),
        dm.Policy(epsilon=3, unit="who", cap=5),
    )
    made = dm.plan(grid, policy, units=400, tiers=TIERS)
    assert str(made.policy.epsilon) == "3/10" and [one.tier for one in made.readers] == RISING
    assert [round(made.readers[0].half_width / one.half_width, 1) for one in made.readers] == [
        1,
        3.3,
        10,
    ]
    told = [{one.figure: one for one in reader.promise} for reader in made.readers]
    assert told[0].keys() == told[2].keys() and told[2]["places"].high >= told[0]["places"].high
    words = summary(made)
    assert (
        "costs epsilon 3, once, for tiers public 0.3, partners 1, manager 3"
        in words.splitlines()[0]
    )
    assert (
        "partners' noise is 3.33 times smaller than public's" in words
        and made.to_dict()["cost"] == "3"
    )
    assert words.count("(public, the noisiest tier)") == 3
    assert (
        "manager (3)" in page(made) and [one["tier"] for one in made.to_dict()["tiers"]] == RISING
    )
    assert "tiers" not in dm.plan(grid, policy, units=400).to_dict()
    with pytest.raises(Refused, match="tiers= has no proof with delta="):
        dm.plan(grid, dm.Policy(epsilon=3, unit="who", cap=5, delta="1e-6"), tiers=TIERS)
