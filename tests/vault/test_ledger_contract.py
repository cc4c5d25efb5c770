"""What every store of a ledger keeps, a SQLite file and a table of PostgreSQL alike: races, kills, edits, cuts and copies.

`DPMAP_DEEP=1` kills 80 processes instead of 6, and races in 60 fresh ledgers instead of 3.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from builders import surveys
from builders.postgres import server
from builders.waiting import LONG

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, BudgetExceeded, Refused, SystemFailed
from dpmap.ledger import ledger as ledger_module
from dpmap.ledger import postgresql_table, sqlite_file
from dpmap.ledger.events import Spend
from dpmap.ledger.ledger import Ledger, Reservation

DEEP = os.environ.get("DPMAP_DEEP") == "1"
KILLS = 80 if DEEP else 6
RACES = 60 if DEEP else 3
ROOT = Path(__file__).parents[2]
FLAGS = ("--bounds=0,50,1,51", "--shape=4,5", "--epsilon=0.1", "--unit=who", "--cap=3", "--dataset=d", "--budget=1",
         "--strategy=flat")  # fmt: skip


class SqliteStore:
    """Ledgers that are files of a folder, edited as somebody with a database browser would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def address(self, name: str = "x") -> str:
        return str(self.folder / f"{name}.ledger")

    def edit(self, *statements: str) -> None:
        drops = (f"DROP TRIGGER IF EXISTS no_{verb}" for verb in ("update", "delete"))
        self.run(*drops, *statements)

    def run(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.address())) as database:
            for statement in statements:
                database.execute(statement.replace("{table}", "events"))
            database.commit()

    def copy(self) -> None:
        shutil.copy(self.address(), self.folder / "old")

    def restore(self) -> None:
        shutil.copy(self.folder / "old", self.address())


class PostgresqlStore:
    """Ledgers that are tables of a schema of a server, edited by their owner."""

    def __init__(self, running: object, schema: str) -> None:
        self.running = running
        self.schema = schema
        running.run(f"CREATE SCHEMA {schema}")

    def address(self, name: str = "x") -> str:
        return self.running.url(more=f"?ledger={self.schema}.{name}")

    def edit(self, *statements: str) -> None:
        self.run("DROP TRIGGER IF EXISTS only_grows ON {table}", *statements)

    def run(self, *statements: str) -> None:
        table = f"{self.schema}.x"
        self.running.run(*(statement.replace("{table}", table) for statement in statements))

    def copy(self) -> None:
        self.run(f"CREATE TABLE {self.schema}.old AS SELECT * FROM {{table}}")

    def restore(self) -> None:
        self.edit("DELETE FROM {table}", f"INSERT INTO {{table}} SELECT * FROM {self.schema}.old")


@pytest.fixture(scope="module")
def database():
    with server(fsync="on") as running:
        running.run(
            "CREATE ROLE guarded LOGIN PASSWORD 'Swordfish'",
            "CREATE ROLE colleague LOGIN",
            "CREATE ROLE stranger LOGIN",
        )
        yield running


@pytest.fixture
def table(database, request):
    return PostgresqlStore(database, f"s{abs(hash(request.node.name)) % 10**12}")


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    return SqliteStore(tmp_path) if request.param == "sqlite" else request.getfixturevalue("table")


def reserve(
    book: Ledger, epsilon: str = "0.1", budget: str | None = "1", dataset: str = "d"
) -> Reservation:
    total = None if budget is None else Fraction(budget)
    return book.reserve(
        dataset=dataset, epsilon=Fraction(epsilon), budget=total, details={"unit": "who"}
    )


# --- races and kills ---------------------------------------------------------------------------------------------

RACERS = textwrap.dedent(
    """
    import json, os, sys, traceback
    from fractions import Fraction
    address, races, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    from dpmap.errors import BudgetExceeded
    from dpmap.ledger.ledger import Ledger
    import adbc_driver_postgresql.dbapi
    if kind == "release":
        import numpy, pyarrow, duckdb, dpmap as dm
        import dpmap.steward.release_run, dpmap.survey, dpmap.engines.duckdb
        from dpmap.steward.release_run import release

    def act(address, number):
        if kind == "reserve":
            book = Ledger(address)
            book.reserve(dataset="d", epsilon=Fraction(1, 10), budget=Fraction(1), details={})
        else:
            grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
            policy = dm.Policy(epsilon="0.1", unit="who", cap=3)
            release(dm.read("survey.csv"), grid, policy, ledger=address, dataset="d", budget="1")

    results = []
    for race in range(races):
        gate, go = os.pipe()
        children = []
        for number in range(16):
            pid = os.fork()
            if not pid:
                os.close(go)
                os.read(gate, 1)
                code = 77
                try:
                    act(address.replace("RACE", f"race{race}"), number)
                    code = 0
                except BudgetExceeded:
                    code = 3
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stderr.flush()
                    os._exit(code)
            children.append(pid)
        os.close(gate)
        os.close(go)  # all start at once
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
        results.append(sorted(codes))
    print(json.dumps(results))
    """
)


@pytest.mark.parametrize(("kind", "races"), [("reserve", RACES), ("release", 1)])
def test_sixteen_processes_race_for_the_last_epsilon(store, tmp_path, kind, races) -> None:
    """Of 16 processes that want a tenth of the budget each, at once and in a new ledger, exactly ten get it."""
    surveys.written(tmp_path, surveys.scattered(60))
    done = subprocess.run(
        [sys.executable, "-c", RACERS, store.address("RACE"), str(races), kind],
        capture_output=True,
        text=True,
        timeout=LONG,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout, done.stderr[-3000:]
    results = json.loads(done.stdout)
    assert results == [[0] * 10 + [3] * 6] * races, done.stderr[-3000:]
    for race in range(races):
        book = Ledger(store.address(f"race{race}"))
        assert book.balance() == (1, 1)
        assert len({event.body.get("release") for event in book.events()} - {None}) == 10


SPENDER = textwrap.dedent(
    """
    import sys
    from fractions import Fraction
    from pathlib import Path
    from dpmap.ledger.ledger import Ledger
    import adbc_driver_postgresql.dbapi
    print("ready", flush=True)
    for number in range(10_000):
        dataset = f"{sys.argv[2]}-{number}"
        paid = Ledger(sys.argv[1]).reserve(dataset=dataset, epsilon=Fraction(1, 1000), budget=Fraction(1000), details={})
        Path(f"drawn-{dataset}").touch()
        Ledger(sys.argv[1]).made(paid)
    """
)


def test_a_kill_leaves_no_draw_without_its_reservation(store, tmp_path) -> None:
    """Whatever moment a process is killed, nothing was drawn that the ledger does not know, its chain is whole, and it goes on."""
    book = Ledger(store.address())
    for number in range(KILLS):
        command = [sys.executable, "-c", SPENDER, store.address(), str(number)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, cwd=tmp_path, env=environment
        ) as spender:
            assert spender.stdout.readline() == b"ready\n"
            time.sleep(0.1 + random.uniform(0, 0.3))
            spender.send_signal(signal.SIGKILL)
    drawn = {path.name.removeprefix("drawn-") for path in tmp_path.glob("drawn-*")}
    assert drawn
    reserved = [event for event in book.events() if event.body["kind"] == "reserve"]
    assert drawn <= {event.body["dataset"] for event in reserved}
    assert len(book.without_release()) <= KILLS
    reserve(book, "0.5", "1000")
    assert book.balance() == (1000, len(reserved) * Fraction(1, 1000) + Fraction(1, 2))


def test_a_writer_that_holds_the_ledger_is_waited_for_in_one_line(store, monkeypatch) -> None:
    """Where another process writes for too long the reservation fails in one line and costs nothing."""
    module = sqlite_file if isinstance(store, SqliteStore) else postgresql_table
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.2)
    book = Ledger(store.address())
    reserve(book)
    with book._storage.writing(new=False):
        with pytest.raises(SystemFailed, match="in use by another process"):
            reserve(Ledger(store.address()))
    assert book.balance() == (1, Fraction(1, 10))


# --- edits, cuts and copies --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edit",
    [
        """UPDATE {table} SET body = replace(body, '"epsilon": "0.1"', '"epsilon": "0.0"') WHERE number = 3""",
        "UPDATE {table} SET digest = '00' WHERE number = 3",
        "DELETE FROM {table} WHERE number = 3",
        "DELETE FROM {table} WHERE number = 1",
        "UPDATE {table} SET number = 99 WHERE number = 4",
        "INSERT INTO {table} VALUES (5, 'no event', 'made up')",
        'UPDATE {table} SET body = replace(body, \'"budget": "1"\', \'"budget": "9"\') WHERE number = 1',
        "DELETE FROM {table}",
    ],
)
def test_an_edited_event_is_detected(store, edit) -> None:
    """Any event that was changed, removed, renumbered or slipped in is noticed, and nothing more can be spent."""
    book = Ledger(store.address())
    for _ in range(3):
        reserve(book)
    store.edit(edit)
    spend = Spend("d", Fraction(1, 10), budget=Fraction(1))
    for act in (book.events, book.balance, lambda: reserve(book), lambda: book.check(spend)):
        with pytest.raises(Refused, match=r"was changed at event|lost its events") as caught:
            act()
        assert "\n" not in str(caught.value)


def test_a_truncated_ledger_is_detected_against_a_later_release(store, tmp_path, capsys) -> None:
    """Cutting the last events off leaves a whole chain, yet a release that came later exposes it, on the command line too."""
    survey = surveys.written(tmp_path, surveys.scattered(60))
    out = tmp_path / "out"
    address = store.address()
    assert run(["release", str(survey), *FLAGS, f"--ledger={address}", f"--out={out}"]) == 0
    against = ["ledger", address, f"--against={out / 'release.dpmap'}"]
    assert run(against) == 0
    store.edit("DELETE FROM {table} WHERE number >= 2")
    assert Ledger(address).balance() == (1, 0)
    assert run(against) == 3
    assert "does not contain this release" in capsys.readouterr().err


def test_a_restored_ledger_is_detected_against_a_later_release(store) -> None:
    """An old copy put back is exposed by a later release, also after new releases were made from the copy."""
    book = Ledger(store.address())
    reserve(book)
    store.copy()
    paid = reserve(book)
    store.restore()
    for _ in range(2):
        with pytest.raises(Refused, match="restored from an old copy"):
            book.attests(event=paid.event, head=paid.head)
        reserve(book)


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "[]",
        "7",
        '{"kind": "reserve"}',
        '{"kind": "open", "dataset": "d", "budget": "lots"}',
        "{",
        '{"kind": "delta", "budget": "-1", "time": "t"}',
        '{"kind": "reserve", "dataset": "d", "epsilon": "1", "delta": "less", "time": "t"}',
        '{"kind": "elsewhere", "dataset": "d", "epsilon": "1", "unit": "who", "time": "t"}',
    ],
)
def test_a_forged_event_with_a_right_digest_is_one_line(store, body) -> None:
    """An event that someone forged, digest and all, is refused in one line, never an error from inside."""
    book = Ledger(store.address())
    reserve(book)
    digest = ledger_module._digest(book.events()[-1].digest, 3, body)
    with book._storage.writing(new=False) as connection:
        book._storage.append(connection, 3, body, digest)
    with pytest.raises(Refused, match="event 3 dpmap did not write") as caught:
        book.balance()
    assert "\n" not in str(caught.value)


def test_the_store_refuses_change_and_removal(store) -> None:
    """The store itself refuses to update or delete an event by accident, from any program."""
    reserve(Ledger(store.address()))
    for statement in (
        "UPDATE {table} SET body = ''",
        "DELETE FROM {table}",
        "UPDATE {table} SET number = number + 9",
    ):
        with pytest.raises(Exception, match="only grows"):
            store.run(statement)
    assert Ledger(store.address()).balance() == (1, Fraction(1, 10))


# --- the rules of the budget -------------------------------------------------------------------------------------


def test_a_ledger_begins_with_a_budget_and_ends_with_it(store) -> None:
    """The first release needs a budget, no check makes a ledger, and what would pass the budget is refused with what remains."""
    book = Ledger(store.address())
    spend = Spend("d", Fraction(1, 10), budget=Fraction(1))
    book.check(spend)
    assert not book.exists()
    with pytest.raises(BadInput, match="there is no"):
        book.events()
    with pytest.raises(Refused, match="no budget"):
        reserve(Ledger(store.address("y")), budget=None)
    paid = reserve(book, "0.7")
    assert [event.number for event in book.without_release()] == [paid.event]
    book.made(paid)
    assert book.without_release() == []
    with pytest.raises(BudgetExceeded, match=r"0\.3 of 1 remains"):
        reserve(book, "0.4", None)
    assert Ledger(store.address()).balance() == (1, Fraction(7, 10))


def test_what_was_spent_elsewhere_counts_like_a_release(store, capsys) -> None:
    """What another program spent is an event of the chain with its unit and reason, and takes of budget and plan, but is no
    release of the plan.
    """
    book = Ledger(store.address())
    entry = [
        "ledger",
        store.address(),
        "--dataset=Raptors",
        "--unit=observer_id",
        "--reason=OpenDP: counts by parish",
    ]
    assert run([*entry, "--spent-elsewhere=0.5"]) == 3
    assert "--budget" in capsys.readouterr().err
    assert run([*entry, "--spent-elsewhere=0.5", "--budget=3"]) == 0
    assert "elsewhere" in capsys.readouterr().out
    assert book.balance() == (3, Fraction(1, 2))
    assert [event.body["kind"] for event in book.events()] == ["open", "elsewhere"]
    assert book.events()[1].body["reason"] == "OpenDP: counts by parish"
    assert book.without_release() == []
    with pytest.raises(Refused, match="was released by observer_id"):
        book.enter("Raptors", 1, unit="row", reason="Tumult")
    book.plan("2", releases=2)
    book.enter("Raptors", "0.25", unit="observer_id", reason="Tumult")
    assert book.next_share("Raptors") == Fraction(3, 4)
    assert run(["ledger", store.address(), "--json"]) == 0
    (account,) = json.loads(capsys.readouterr().out)["datasets"]
    assert (account["spent"], account["elsewhere"], account["releases"]) == ("0.75", "0.75", 0)


def test_what_has_happened_is_entered_beyond_the_budget(store, capsys) -> None:
    """Spending that has happened is entered even where it exceeds the budget, and delta without a budget for it; then nothing
    more can be released, and the ledger says so.
    """
    book = Ledger(store.address())
    book.enter("d", 2, unit="who", reason="a table", delta="1e-6", budget=1)
    assert book.balance() == (1, 2)
    assert book.balance_delta() == (0, Fraction(1, 10**6))
    with pytest.raises(BudgetExceeded, match="0 of 1 remains"):
        reserve(book, budget=None)
    assert run(["ledger", store.address()]) == 0
    assert "remaining 0; more was spent elsewhere" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "option"),
    [
        ({"epsilon": 0}, "spent_elsewhere"),
        ({"reason": " "}, "reason"),
        ({"unit": "a\nb"}, "unit"),
        ({"delta": "-1e-6"}, "delta"),
        ({"delta": 1}, "delta"),
        ({"budget": "lots"}, "budget"),
    ],
)
def test_an_entry_that_says_nothing_is_refused(tmp_path, changed, option) -> None:
    """An entry without an amount, a unit or a reason is bad input that names its option, and begins no ledger."""
    book = Ledger(tmp_path / "x.ledger")
    entry = {"epsilon": 1, "unit": "who", "reason": "a table", "budget": 3, **changed}
    with pytest.raises(BadInput) as caught:
        book.enter("d", entry.pop("epsilon"), **entry)
    assert option.replace("_", "-") in caught.value.terminal_line.partition(":")[0]
    assert not book.exists()


# --- a server of one's own ---------------------------------------------------------------------------------------


def test_a_colleague_may_pay_who_can_change_nothing(table) -> None:
    """Who may read the table and add rows can pay from it, and cannot edit it; who may not is told before anything is spent."""
    reserve(Ledger(table.address()))
    spend = Spend("d", Fraction(1, 10))
    theirs = Ledger(table.address().replace("steward@", "colleague@"))
    with pytest.raises(SystemFailed, match="grant SELECT and INSERT"):
        theirs.check(spend)
    table.run(
        f"GRANT USAGE ON SCHEMA {table.schema} TO colleague", "GRANT SELECT ON {table} TO colleague"
    )
    assert theirs.balance() == (1, Fraction(1, 10))
    with pytest.raises(SystemFailed, match="grant SELECT and INSERT"):
        theirs.check(spend)
    with pytest.raises(SystemFailed, match="grant SELECT and INSERT"):
        reserve(theirs)
    table.run("GRANT INSERT ON {table} TO colleague")
    theirs.check(spend)
    theirs.made(reserve(theirs))
    assert theirs.balance() == (1, Fraction(2, 10))
    elsewhere = Ledger(table.address("new").replace("steward@", "stranger@"))
    with pytest.raises(SystemFailed, match="CREATE on the schema"):
        elsewhere.check(Spend("d", Fraction(1, 10), budget=Fraction(1)))


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        ("CREATE RULE gone AS ON INSERT TO {table} DO INSTEAD NOTHING", Refused),
        ("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY", Refused),
        ("ALTER TABLE {table} SET UNLOGGED", Refused),
        ("ALTER TABLE {table} DROP CONSTRAINT x_pkey", Refused),
        (
            "CREATE TRIGGER planted BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            Refused,
        ),
        ("ALTER TABLE {table} ADD COLUMN more text", BadInput),
    ],
)
def test_a_table_that_could_lose_rows_is_refused(table, planted, kind) -> None:
    """A table with a rule, policy or foreign trigger, without a key or unlogged, or another program's, takes no event."""
    book = Ledger(table.address())
    reserve(book)
    table.run(planted)
    for act in (
        book.events,
        lambda: reserve(book),
        lambda: book.check(Spend("d", Fraction(1, 10))),
    ):
        with pytest.raises(kind, match="ledger: s"):
            act()


def test_a_commit_is_flushed_by_the_server(table) -> None:
    """A reservation waits for the server's disk even where its settings say otherwise; a server that never flushes is refused."""
    book = Ledger(table.address())
    table.run("ALTER ROLE steward SET synchronous_commit = off")
    try:
        with book._storage.writing(new=True) as session:
            assert book._storage._ask(session, "SELECT current_setting('synchronous_commit')") == [
                ("on",)
            ]
    finally:
        table.run("ALTER ROLE steward RESET ALL")
    with server() as careless, pytest.raises(SystemFailed, match="fsync is off"):
        Ledger(careless.url()).check(Spend("d", Fraction(1, 10), budget=Fraction(1)))


def test_what_the_server_refuses_is_one_line_and_spends_nothing(
    table, tmp_path, capfd, monkeypatch
) -> None:
    """No server, a wrong password, no schema, a bad name: one line each before a row is read, with no password anywhere."""
    surveys.written(tmp_path, surveys.scattered(60))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGPASSWORD", "Marlinspike")
    monkeypatch.setattr(
        "dpmap.engines.duckdb.DuckDB.totals", lambda *_: pytest.fail("a row was read")
    )
    port = table.running.port
    inside = f"postgresql://guarded:Swordfish@127.0.0.1:{port}/postgres"
    for address, code, words in (
        ("postgresql://ana@127.0.0.1:1/nests", 1, "no connection"),
        (f"postgresql://guarded@127.0.0.1:{port}/postgres", 1, "PGPASSWORD or ~/.pgpass"),
        (table.running.url(more="?ledger=nowhere.x"), 2, "no schema nowhere"),
        (table.running.url(more="?ledger=A;drop"), 2, "small letters"),
        (inside, 2, "take it out"),
        (table.running.url(more="?pass%77ord=Swordfish"), 2, "take it out"),
        ("s3://bucket/x.ledger", 2, "lock nothing"),
    ):
        assert run(["release", "survey.csv", *FLAGS, f"--ledger={address}", "--out=none"]) == code
        error = capfd.readouterr().err
        assert words in error
        assert len(error.splitlines()) == 1
        assert run(["ledger", address]) in (code, 2)
        error += "".join(capfd.readouterr())
        assert "Swordfish" not in error
        assert "Marlinspike" not in error
    assert [path.name for path in tmp_path.iterdir()] == ["survey.csv"]
    with pytest.raises(BadInput, match="as a text an address"):
        Ledger(Path(table.address()))


def test_a_release_that_cannot_be_saved_lies_in_the_working_folder(
    table, tmp_path, monkeypatch
) -> None:
    """Where the place of a release fails once it is paid for from a table, it is kept in the working folder."""
    surveys.written(tmp_path, surveys.scattered(60))
    monkeypatch.chdir(tmp_path)
    real = dm.Release.save

    def save(self: dm.Release, path: object) -> object:
        if Path(path).name == "r.dpmap":
            raise OSError(28, "full")
        return real(self, path)

    monkeypatch.setattr(dm.Release, "save", save)
    grid = dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
    policy = dm.Policy(epsilon="0.1", unit="who", cap=3)
    with pytest.raises(SystemFailed, match="is spent, and the release is whole in"):
        dm.release(
            dm.read("survey.csv"),
            grid,
            policy,
            ledger=table.address(),
            dataset="d",
            budget=1,
            to="r.dpmap",
        )
    (saved,) = tmp_path.glob("release-*/release.dpmap")
    Ledger(table.address()).attests(
        event=dm.open(saved).record.receipt.event, head=dm.open(saved).record.receipt.head
    )
