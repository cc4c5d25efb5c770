"""Two units at once: neither a volunteer nor a nest moves the map by more than its cap, and both have one epsilon."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpmap as dm
from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput, Refused
from dpmap.private_totals import Edges
from dpmap.statement.statement import statement
from dpmap.survey import row_sql
from dpmap.survey.row_sql import JOINT
from dpmap.vault.two_unit_cap import capped_pairs, count_refused, edges, greedy

WIDTH = 5
graphs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), unique=True, max_size=30)


def kept_in_cells(graph, cap, site_cap, without=None, keep=greedy):
    """Cell totals of the greedy over edges in a fixed order, with a contributor ("u", i) or a site ("s", i) removed."""
    left = [(u, s) for u, s in graph if without not in (("u", u), ("s", s))]
    kept = keep([u for u, _ in left], [s for _, s in left], cap, site_cap)
    totals = np.zeros(WIDTH)
    for (_, s), counted in zip(left, kept, strict=True):
        totals[s % WIDTH] += counted
    return totals


def worst(graph, cap, site_cap, keep=greedy):
    """How far the removal of any one contributor, and of any one site, moves the totals."""
    whole = kept_in_cells(graph, cap, site_cap, keep=keep)
    moved = {}
    for kind, at in (("u", 0), ("s", 1)):
        nodes = {edge[at] for edge in graph}
        changes = [
            np.abs(whole - kept_in_cells(graph, cap, site_cap, (kind, node), keep)).sum()
            for node in nodes
        ]
        moved[kind] = max(changes, default=0)
    return moved


@settings(max_examples=400, deadline=None)
@given(graphs, st.integers(1, 4), st.integers(1, 3))
def test_the_theorem(graph, cap, site_cap):
    """A contributor moves the totals by at most C_u, a site by at most 2 C_s, in any graph and any order."""
    moved = worst(graph, cap, site_cap)
    assert moved["u"] <= cap
    assert moved["s"] <= 2 * site_cap


@settings(max_examples=100, deadline=None)
@given(graphs, st.integers(1, 4), st.integers(1, 3))
def test_both_caps_are_kept(graph, cap, site_cap):
    kept = greedy([u for u, _ in graph], [s for _, s in graph], cap, site_cap)
    for at, most in ((0, cap), (1, site_cap)):
        counts = np.bincount(
            [edge[at] for edge, counted in zip(graph, kept, strict=True) if counted], minlength=1
        )
        assert counts.max() <= most


def by_row_number(who, site, cap, site_cap):
    """A wrong way: the order depends on how many edges there are."""
    order = sorted(range(len(who)), key=lambda at: at * 7 % max(1, len(who)))
    kept = greedy([who[at] for at in order], [site[at] for at in order], cap, site_cap)
    return [counted for _, counted in sorted(zip(order, kept, strict=True))]


def without_site_cap(who, site, cap, site_cap):
    """A wrong way: sites are not capped."""
    return greedy(who, site, cap, len(who) + 1)


@pytest.mark.parametrize("wrong", [by_row_number, without_site_cap])
def test_the_check_catches_a_broken_greedy(wrong):
    """The check of the theorem is strong enough to see a limiter that breaks it."""
    rng = random.Random(4)
    for _ in range(4000):
        graph = list({(rng.randrange(5), rng.randrange(5)) for _ in range(rng.randrange(25))})
        rng.shuffle(graph)
        moved = worst(graph, 2, 1, keep=wrong)
        if moved["u"] > 2 or moved["s"] > 2:
            return
    pytest.fail("nothing was caught")


GRID = dm.Grid(bounds=(0, 50, 5, 51), shape=(1, WIDTH), crs="EPSG:4326")
POLICY = dm.Policy(epsilon=1, unit="who", site="nest", cap=2)


def surveys(folder, seen, listed):
    """A survey of (who, nest) rows, whose own coordinates say nothing, and the nests' own (id, cell) table."""
    rows, sites = folder / "s.csv", folder / "nests.csv"
    rows.write_text(
        "who,nest,longitude,latitude\n" + "".join(f"{who},{nest},-170,-80\n" for who, nest in seen)
    )
    sites.write_text(
        "nest,longitude,latitude\n"
        + "".join(f"{nest},{cell + 0.5},50.5\n" for nest, cell in listed)
    )
    return dm.read(rows), dm.read(sites, unit="nest")


def found_edges(folder, seen, listed, policy=POLICY, threads=1):
    survey, sites = surveys(folder, seen, listed)
    return DuckDB(threads=threads).pairs(
        survey, sites, GRID, policy, edges(JOINT), lambda step: None
    )


def totals(folder, seen, listed, policy=POLICY, threads=1):
    found = capped_pairs(found_edges(folder, seen, listed, policy, threads), policy)
    full = np.zeros(WIDTH)
    full[found._cells] = found._steps / policy.lattice
    return full


LISTED = [(f"n{i}", i % WIDTH) for i in range(12)]


def test_a_pair_counts_once_in_its_sites_cell(tmp_path):
    """Repeats, spellings, unlisted sites and the rows' own coordinates change nothing."""
    seen = [
        ("Ana", "n1"),
        ("ana ", "N1"),
        ("Ana", "n2"),
        ("Bo", "n3"),
        ("Bo", "n99"),
        ("", "n4"),
        ("Bo", ""),
        ("NULL", "n5"),
    ]
    assert totals(tmp_path, seen, LISTED).tolist() == [0, 1, 1, 1, 0]


def test_inspect_says_what_each_cap_leaves_out(tmp_path):
    """Every link counts, or is left out since its contributor or else its site was full; no release says so."""
    links = (
        [("Ana", f"n{i}") for i in range(7)] + [(f"p{i}", "n0") for i in range(4)] + [("Bo", "n99")]
    )
    told = count_refused(found_edges(tmp_path, links, LISTED, POLICY, 1), POLICY)
    kept = totals(tmp_path, links, LISTED).sum()
    assert (
        told["links"] == 11
        and told["count"] == kept == sum(told.values()) - 11 - told["cap"] - told["site cap"]
    )
    assert (told["cap"], told["site cap"]) in (
        (7 - POLICY.cap, 4),
        (7 - POLICY.cap - 1, 4),
        (7 - POLICY.cap, 3),
    )


@pytest.mark.parametrize("again", [("n1", 0), ("n1", 1), (" N1", 0), ("n1", -50)])
def test_a_site_listed_twice_is_refused(tmp_path, again):
    """Whichever spelling, in the area or outside it: one line that names no site ends it, before anything is spent."""
    survey, sites = surveys(tmp_path, [("Ana", "n1")], [*LISTED, again])
    with pytest.raises(BadInput, match="sites: a site stands in more than one line") as told:
        dm.release(survey, GRID, POLICY, sites=sites, ledger=tmp_path / "l", dataset="d", budget=1)
    assert "n1" not in str(told.value).lower()
    assert not (tmp_path / "l").exists()


def test_sites_without_a_name_are_not_one_site_listed_twice(tmp_path):
    """Lines of the list that name no site, or lie nowhere, are left out by themselves."""
    assert totals(tmp_path, [("Ana", "n1")], [*LISTED, ("", 0), ("n/a", 0), ("", 1)]).tolist() == [
        0,
        1,
        0,
        0,
        0,
    ]


def test_order_of_rows_and_threads_change_nothing(tmp_path):
    rng = random.Random(2)
    seen = [(f"p{rng.randrange(8)}", f"n{rng.randrange(12)}") for _ in range(60)]
    first = totals(tmp_path, seen, LISTED)
    rng.shuffle(seen)
    assert np.array_equal(first, totals(tmp_path, seen, LISTED[::-1], threads=2))


def stray_quotes(folder, unplaced):
    """A file of many people's visits, most of them without a place, and two rows of one person with a stray quote each."""
    place = "," if unplaced else "-170,-80"
    lines = [f"p{at},n{at % 12},{place}\n" for at in range(80)]
    lines[20:20] = ['tess,n1,"1,50.5\n']
    lines[70:70] = ['tess,n1,1,50.5"\n']
    rows, sites = folder / "s.csv", folder / "nests.csv"
    rows.write_text("who,nest,longitude,latitude\n" + "".join(lines))
    sites.write_text(
        "nest,longitude,latitude\n"
        + "".join(f"{nest},{cell + 0.5},50.5\n" for nest, cell in LISTED)
    )
    return dm.read(rows), dm.read(sites, unit="nest")


@pytest.mark.parametrize("unplaced", [True, False])
def test_stray_quotes_swallow_nobodys_visits(tmp_path, unplaced, monkeypatch):
    """A visit counts wherever it lies, so a file in which quotes may have swallowed one is refused; were only those with a place
    looked for, one person's quotes would take 49 people's visits.
    """
    survey, sites = stray_quotes(tmp_path, unplaced)
    count = lambda: DuckDB().pairs(survey, sites, GRID, POLICY, edges(JOINT), lambda step: None)
    with pytest.raises(BadInput):
        count()
    if unplaced:
        placed = (((("longitude",), True), (("latitude",), True)),)
        monkeypatch.setattr(row_sql, "_link_needs", lambda parts: placed)
        assert len(count()._who) < 40


@pytest.mark.parametrize("name", ["who+nest", "WHO+nest", "nest+who"])
def test_a_column_called_like_a_pair_is_no_pair(tmp_path, name):
    """Who was where is told by the column of each, whatever other columns are called."""
    seen = [("Ana", "n1"), ("Bo", "n1"), ("Bo", "n2")]
    surveys(tmp_path, seen, LISTED)
    sites = dm.read(tmp_path / "nests.csv", unit="nest")
    found = []
    for other in ("remark", name):
        rows = "".join(f"{who},{nest},-170,-80,tess\n" for who, nest in seen)
        (tmp_path / "s.csv").write_text(f"who,nest,longitude,latitude,{other}\n{rows}")
        links = DuckDB().pairs(
            dm.read(tmp_path / "s.csv"), sites, GRID, POLICY, edges(JOINT), lambda step: None
        )
        found.append((links._who.tolist(), links._site.tolist(), links._cell.tolist()))
    assert found[0] == found[1] and len(found[0][0]) == 3


@pytest.mark.parametrize("seed", range(4))
def test_removing_anyone_or_any_nest_from_the_files_keeps_the_bounds(tmp_path, seed):
    """Through the whole engine: a volunteer's rows, or a nest with its line in the list, taken out."""
    rng = random.Random(seed)
    seen = [(f"p{rng.randrange(6)}", f"n{rng.randrange(12)}") for _ in range(40)]
    whole = totals(tmp_path, seen, LISTED)
    for who in {who for who, _ in seen}:
        others = totals(tmp_path, [row for row in seen if row[0] != who], LISTED)
        assert np.abs(whole - others).sum() <= 2
    for nest in ("n0", "n5", "n11"):
        others = totals(
            tmp_path,
            [row for row in seen if row[1] != nest],
            [site for site in LISTED if site[0] != nest],
        )
        assert np.abs(whole - others).sum() <= 2


def test_the_release_states_both_guarantees(tmp_path):
    survey, sites = surveys(tmp_path, [(f"p{i}", f"n{i % 12}") for i in range(300)], LISTED)
    made = dm.release(
        survey,
        GRID,
        POLICY,
        sites=sites,
        ledger=tmp_path / "l",
        dataset="d",
        budget=1,
        strategy="flat",
    )
    words = statement(made.record)
    assert "one `nest`**: that it exists, and where" in words
    assert "not more than 2 pairs of one `who` nor 1 of one `nest`" in words
    made.save(tmp_path / "r.dpmap")
    assert dm.open(tmp_path / "r.dpmap").policy == POLICY
    (measurement,) = made.measurements
    assert measurement.scale == 2


@pytest.mark.parametrize("wrong", [
    {"cap": 1}, {"cap": 3, "site_cap": 2}, {"sample": "5%"}, {"cap": "auto:0.05"}, {"limiter": "presence"},
    {"unit": "row"}, {"unit": "nest"}, {"site": " "},
])  # fmt: skip
def test_what_has_no_proof_is_refused(wrong):
    with pytest.raises((Refused, BadInput)):
        dm.Policy(**{"epsilon": 1, "unit": "who", "site": "nest", "cap": 2, **wrong})


@pytest.mark.parametrize("read", [{"team": "auto"}, {"team": ";"}, {"missing_unit": "own-unit"}])
def test_links_of_teams_and_of_nobody_are_refused(tmp_path, read):
    """Else a list of people would be one contributor, or a unit of its own be left out, against what the release says."""
    path = tmp_path / "s.csv"
    path.write_text("who,nest,lon,lat\na;b,n1,1,1\n")
    survey = dm.read(path, x="lon", y="lat", crs="EPSG:4326", **read)
    sites = surveys(tmp_path, [("a", "n1")], LISTED)[1]
    with pytest.raises(Refused, match="has no proof with"):
        dm.release(survey, GRID, POLICY, sites=sites, ledger=tmp_path / "l", dataset="d", budget=1)
    assert not (tmp_path / "l").exists()


def test_sites_are_never_taken_for_disjoint(tmp_path, monkeypatch):
    """Volunteers may be in one data set only, and their nest still in two: so neither order of the two is allowed, and
    no row is read before the refusal.
    """
    survey, sites = surveys(tmp_path, [("a", "n1")], LISTED)
    book = dm.Ledger(tmp_path / "l")
    dm.release(survey, GRID, POLICY, sites=sites, ledger=book, dataset="north", budget=9)
    with pytest.raises(Refused, match="a site may be in two"):
        book.disjoint(["north", "south"], signed_by="R. Keeper")
    book.disjoint(["east", "west"], signed_by="R. Keeper")
    monkeypatch.setattr(DuckDB, "pairs", lambda *_: pytest.fail("rows were read"))
    with pytest.raises(Refused, match="a site may be in two"):
        dm.release(survey, GRID, POLICY, sites=sites, ledger=book, dataset="east", budget=9)
    assert book.balance() == (9, 1)


@pytest.mark.parametrize("case", ["no table", "no site", "layers", "no column"])
def test_the_table_and_the_column_go_together(tmp_path, case):
    survey, sites = surveys(tmp_path, [("a", "n1")], LISTED)
    policy = dm.Policy(epsilon=1, unit="who", cap=2) if case == "no site" else POLICY
    grid = GRID.layered(dm.Kinds("who", ("a",))) if case == "layers" else GRID
    if case == "no column":
        policy = dm.Policy(epsilon=1, unit="who", site="den", cap=2)
    with pytest.raises((BadInput, Refused)):
        dm.release(
            survey,
            grid,
            policy,
            sites=None if case == "no table" else sites,
            ledger=tmp_path / "l",
            dataset="d",
            budget=1,
        )
    assert not (tmp_path / "l").exists()


def test_edges_are_sealed(tmp_path):
    found = found_edges(tmp_path, [("a", "n1")], LISTED)
    assert repr(found) == "<Edges: sealed>"
    assert isinstance(found, Edges)
    with pytest.raises(Refused):
        list(found)


def test_an_engine_that_cannot_count_pairs_says_so_and_costs_nothing(tmp_path):
    """Two units at once on Spark end in one line, before Spark starts and before anything is reserved."""
    survey, sites = surveys(tmp_path, [("a", "n1")], LISTED)
    with pytest.raises(BadInput, match="engine"):
        dm.release(
            survey,
            GRID,
            POLICY,
            sites=sites,
            ledger=tmp_path / "l",
            dataset="d",
            budget=1,
            engine="spark",
        )
    assert not (tmp_path / "l").exists()
