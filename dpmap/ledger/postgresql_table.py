"""Keeps a ledger's rows in a table of PostgreSQL, for teams: one writer at a time by a lock of the
server's, which holds where a file on a network drive has none.

Who may only read the table and add rows to it can pay from it: nobody but its owner needs more.
"""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import unquote

from dpmap import postgresql
from dpmap.errors import BadInput, DpmapError, Refused, SystemFailed

DEFAULT = "dpmap_ledger"
PATIENCE_SECONDS = 60
COLUMNS = "number bigint, body text, digest text"
ONLY_GROWS = "BEGIN RAISE EXCEPTION 'the ledger only grows'; END"
_STATE = f"""
    SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', '
            ORDER BY a.attnum) = '{COLUMNS}',
        c.relkind = 'r' AND c.relpersistence = 'p' AND NOT c.relispartition
            AND NOT c.relhassubclass AND NOT c.relhasrules AND NOT c.relrowsecurity
            AND EXISTS (SELECT FROM pg_index i
                WHERE i.indrelid = c.oid AND i.indisprimary AND i.indkey::text = '1')
            AND NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND p.prosrc <> $3)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = $1 AND c.relname = $2 GROUP BY c.oid
"""
"""What the catalogue says of the table: whether it has the columns of a ledger, and whether it is
plain. A rule, a policy or a foreign trigger could undo or hide what is spent; an unlogged table is
empty after a crash.
"""


class PostgresqlTable:
    """Stores a ledger in one table, which `writing` and `append` make when it is not there.

    Its name is part of the address (`?ledger=raptors`), with its schema, or else in `public`: by
    the search path another user would find another ledger, and a new budget.
    """

    kind = "table"

    def __init__(self, address: str) -> None:
        postgresql.check_no_password(address, "ledger")
        base, _, query = address.partition("?")
        settings = [setting for setting in query.split("&") if setting]
        names = [unquote(setting[7:]) for setting in settings if setting.startswith("ledger=")]
        rest = "&".join(setting for setting in settings if not setting.startswith("ledger="))
        name = names[0] if names else DEFAULT
        matched = re.fullmatch(r"(?:([a-z_][a-z0-9_]{0,49})\.)?([a-z_][a-z0-9_]{0,49})", name)
        if matched is None or len(names) > 1:
            raise BadInput(
                "ledger: name its table once, in small letters, digits and _, like"
                f" {postgresql.EXAMPLE}?ledger=raptors or ?ledger=schema.raptors"
            )
        self.schema = matched[1] or "public"
        self.table = matched[2]
        self.name = f"{self.schema}.{self.table}"
        self.relation = f'"{self.schema}"."{self.table}"'
        self.path = f"{base}?{rest}" if rest else base

    def exists(self) -> bool:
        """Returns whether there is such a table."""
        with self.reading() as session:
            return self._is_there(session)

    def check_writable(self) -> None:
        """Refuses a table that this user may not read and add to; creates nothing."""
        with self._session("READ WRITE") as session:
            if self._is_there(session):
                right = "has_table_privilege($1, 'SELECT') AND has_table_privilege($1, 'INSERT')"
                allowed = self._ask(session, f"SELECT {right}", self.relation)
            else:
                right = "has_schema_privilege($1, 'CREATE, USAGE')"
                allowed = self._ask(session, f"SELECT {right}", self.schema)
        if allowed != [(True,)]:
            raise self._explain("42501", "")

    def refuse_emptied(self) -> None:
        """Does nothing: a table and its first row appear in one commit, and one without rows is
        refused wherever it is read.
        """

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Opens a transaction that can only read."""
        with self._session("READ ONLY") as session:
            yield session

    @contextmanager
    def writing(self, *, new: bool) -> Iterator[Any]:
        """Takes the ledger's lock before anything is read, and commits when the block ends well;
        the server has then flushed it.

        The lock is the transaction's, and no lock of the table, so that it needs no right to change
        rows. Each statement sees what was committed before it (READ COMMITTED), so that what is
        read under the lock is the newest.
        """
        with self._session("READ WRITE") as session:
            self._ask(session, "SET LOCAL synchronous_commit = on")
            self._ask(session, f"SET LOCAL lock_timeout = '{PATIENCE_SECONDS * 1000}ms'")
            self._ask(session, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", self.name)
            if not new and not self._is_there(session):
                raise self._explain("42P01", "")
            yield session
            postgresql.serve(session.commit, self._explain)

    def rows(self, session: Any) -> Iterator[tuple[int, str, str]] | None:
        """Returns the number, text and digest of every event in order; None before the first."""
        if not self._is_there(session):
            return None
        statement = f"SELECT number, body, digest FROM {self.relation} ORDER BY number"
        return iter(self._ask(session, statement))

    def append(self, session: Any, number: int, text: str, digest: str) -> None:
        """Adds one row, and before the first one the table, with a trigger that refuses to change
        or remove a row by accident.
        """
        if number == 1:
            function = f'"{self.schema}"."{self.table}_grows"()'
            columns = "number bigint PRIMARY KEY, body text NOT NULL, digest text NOT NULL"
            verbs = "UPDATE OR DELETE OR TRUNCATE"
            refusal = f"EXECUTE FUNCTION {function}"
            for statement in (
                f"CREATE TABLE {self.relation} ({columns})",
                f"CREATE FUNCTION {function} RETURNS trigger LANGUAGE plpgsql AS $${ONLY_GROWS}$$",
                f"CREATE TRIGGER only_grows BEFORE {verbs} ON {self.relation} {refusal}",
            ):
                self._ask(session, statement)
        statement = f"INSERT INTO {self.relation} VALUES ($1, $2, $3)"
        self._ask(session, statement, number, text, digest)

    @contextmanager
    def _session(self, mode: str) -> Iterator[Any]:
        """Opens a connection with one transaction; leaving it without a commit rolls back."""
        with closing(postgresql.connect(self.path, self._explain)) as session:
            isolation = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"
            self._ask(session, f"{isolation}, {mode}")
            if self._ask(session, "SELECT current_setting('fsync')") != [("on",)]:
                raise SystemFailed(
                    "ledger: this server flushes nothing to its disk (fsync is off), so a crash"
                    " could undo what was spent; turn it on"
                )
            yield session

    def _is_there(self, session: Any) -> bool:
        """Returns whether there is such a table, and refuses one that is no plain ledger."""
        state = self._ask(session, _STATE, self.schema, self.table, ONLY_GROWS)
        if state and not state[0][0]:
            raise BadInput(
                f"ledger: {self.name} is another program's table; name another, like"
                f" {postgresql.EXAMPLE}?ledger=raptors"
            )
        if state and not state[0][1]:
            raise Refused(
                f"ledger: {self.name} is not the plain table that dpmap makes (a trigger, rule or"
                " policy, no key, or unlogged); restore it"
            )
        return bool(state)

    def _ask(self, session: Any, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return postgresql.ask(session, self._explain, statement, *values)

    def _explain(self, state: str, words: str) -> DpmapError:
        """Returns the error to raise for this SQLSTATE; without one there was no connection."""
        if failure := postgresql.explain_connection("ledger", state, words):
            return failure
        if state == "55P03":
            return SystemFailed(f"ledger: {self.name} is in use by another process; try again")
        if state == "42501":
            return SystemFailed(
                f"ledger: this user may not read {self.name} and add rows to it; ask its owner to"
                " grant SELECT and INSERT, or USAGE and CREATE on the schema for a new one"
            )
        if state == "3F000":
            return BadInput(
                f"ledger: the database has no schema {self.schema}; make it, or name another"
            )
        if state == "42P01":
            return BadInput(f"ledger: there is no table {self.name}; check the address")
        if state in ("25006", "0A000"):
            return SystemFailed(
                "ledger: this server only reads, like a standby; give the address of the one that"
                " writes"
            )
        if not state or state.startswith(("08", "57P")):
            return SystemFailed(
                "ledger: the connection to its database broke off; type  dpmap ledger  and its"
                " address to see what was spent"
            )
        return SystemFailed(
            f"ledger: the server stopped (SQLSTATE {state}); try the same with psql"
        )
