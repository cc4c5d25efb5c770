"""Keeps a ledger's rows in a SQLite file: one process writes at a time, and what is committed is on
the disk itself.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from dpmap.errors import BadInput, Refused, SystemFailed
from dpmap.plain_file import LEDGER, check_plain

PATIENCE_SECONDS = 60
MOMENT_SECONDS = 2
"""How long a ledger may be a file with nothing in it while another process is making it."""
_LAYOUT = (
    (
        "CREATE TABLE events (number INTEGER PRIMARY KEY, body TEXT NOT NULL, digest TEXT NOT NULL)"
        " STRICT"
    ),
    *(
        f"CREATE TRIGGER no_{verb.lower()} BEFORE {verb} ON events "
        "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
        for verb in ("UPDATE", "DELETE")
    ),
)


class SqliteFile:
    """Stores a ledger in one file, which `writing` makes when it is not there."""

    kind = "file"

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = os.path.basename(path)

    def exists(self) -> bool:
        """Returns whether there is such a file."""
        return os.path.exists(self.path)

    def check_writable(self) -> None:
        """Refuses a place that cannot be written to; creates nothing."""
        folder = os.path.dirname(os.path.abspath(self.path))
        if not os.path.isdir(folder):
            raise BadInput(
                f"ledger: the folder for {self.name} is not there; make it or give another --ledger"
            )
        if not os.access(self.path if os.path.exists(self.path) else folder, os.W_OK):
            raise SystemFailed(f"ledger: no right to write {self.name}; give another --ledger")

    def refuse_emptied(self) -> None:
        """Refuses an empty file: a ledger that was emptied would pass for a new one.

        While another process is making a ledger it is such a file too: for a moment, and then until
        that process, which holds the write lock, lets go of it.
        """
        until = time.monotonic() + MOMENT_SECONDS
        while self._is_empty():
            if time.monotonic() < until:
                time.sleep(0.02)
                continue
            with self.reading() as database:
                database.execute("BEGIN IMMEDIATE")
                emptied = self._is_empty()
            if emptied:
                raise Refused(
                    f"ledger: {self.name} is there but empty; delete it if it is meant to be new,"
                    " restore it if it held events"
                )

    def _is_empty(self) -> bool:
        """Whether the file exists and is empty."""
        try:
            return os.path.isfile(self.path) and os.path.getsize(self.path) == 0
        except OSError:
            return False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Opens the file as it is."""
        with self._connected("rw") as database:
            yield database

    @contextmanager
    def writing(self, *, new: bool) -> Iterator[sqlite3.Connection]:
        """Takes the write lock before anything is read (BEGIN IMMEDIATE), and commits when the
        block ends well; the event is then on the disk itself (synchronous = EXTRA).
        """
        with self._connected("rwc" if new else "rw") as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")

    def rows(self, database: sqlite3.Connection) -> Iterator[tuple[int, str, str]] | None:
        """Returns the number, text and digest of every event in order; None before the first."""
        tables = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchall()
        if not tables:
            return None
        return iter(database.execute("SELECT number, body, digest FROM events ORDER BY number"))

    def append(self, database: sqlite3.Connection, number: int, text: str, digest: str) -> None:
        """Adds one row, and before the first one the table."""
        if number == 1:
            _lay_out(database)
        database.execute("INSERT INTO events VALUES (?, ?, ?)", (number, text, digest))

    @contextmanager
    def _connected(self, mode: str) -> Iterator[sqlite3.Connection]:
        """Opens a connection whose failures are one clear line; leaving it without COMMIT rolls
        back.
        """
        if os.path.isdir(self.path):
            raise BadInput(f"ledger: {self.name} is a folder; give a file name to --ledger")
        for ending in ("", "-journal", "-wal", "-shm"):
            check_plain(self.path + ending, "ledger")
        if os.path.exists(self.path) and os.stat(self.path).st_nlink > 1:
            raise Refused(
                f"ledger: {self.name} has a second name (a hard link), under which a crash could"
                " undo what was spent; remove the other name or copy the file"
            )
        try:
            address = f"file:{_quoted(os.path.abspath(self.path))}?mode={mode}"
            opened = sqlite3.connect(
                address, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None
            )
            with closing(opened) as database:
                database.execute("PRAGMA journal_mode = DELETE").fetchone()
                database.execute("PRAGMA synchronous = EXTRA")
                # tables before the id: both appear in one commit
                (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
                (application,) = database.execute("PRAGMA application_id").fetchone()
                if tables and application != LEDGER:
                    raise BadInput(
                        f"ledger: {self.name} is another program's database; give another --ledger"
                    )
                _check_own(database, self.name)
                yield database
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", None) in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            )
            reason = (
                "is in use by another process; try again"
                if busy
                else "cannot be opened for writing; check disk and rights"
            )
            raise SystemFailed(f"ledger: {self.name} {reason}") from None
        except sqlite3.DatabaseError:
            raise Refused(
                f"ledger: {self.name} is damaged or is no ledger; restore the file, do not start a"
                " new one"
            ) from None


def _quoted(path: str) -> str:
    """Writes a path for SQLite's URI form."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _lay_out(database: sqlite3.Connection) -> None:
    """Makes the one table, with triggers that refuse to change or remove a line by accident."""
    database.execute(f"PRAGMA application_id = {LEDGER}")
    database.execute("PRAGMA user_version = 1")
    for statement in _LAYOUT:
        database.execute(statement)


def _check_own(database: sqlite3.Connection, name: str) -> None:
    """Refuses a ledger with anything but the one table and its triggers: a planted trigger could
    undo what is spent.
    """
    statements = {text for (text,) in database.execute("SELECT sql FROM sqlite_master")}
    if statements - set(_LAYOUT):
        raise Refused(
            f"ledger: {name} holds tables, views or triggers dpmap did not make; restore the file"
        )
