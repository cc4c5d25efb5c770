"""Opens databases of PostgreSQL by their address, and asks them; no message holds a password, the
address or the server's own words.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import unquote

from dpmap.errors import BadInput, DpmapError, MissingExtra, SystemFailed

EXAMPLE = "postgresql://user@host/database"
Answer = TypeVar("Answer")
Explain = Callable[[str, str], DpmapError]
"""Returns the error to raise for an SQLSTATE and the server's words, which may hold values."""


def is_postgresql(address: object) -> bool:
    """Whether this is an address of PostgreSQL.

    >>> is_postgresql("postgresql://ana@localhost/nests"), is_postgresql("nests.ledger")
    (True, False)
    """
    return isinstance(address, str) and re.match(r"postgres(ql)?://", address) is not None


def check_no_password(address: str, option: str) -> None:
    """Refuses an address with a password: other users of the machine could read it."""
    user = re.match(r"\w+://([^@/]*)@", address)
    if (user and ":" in user[1]) or re.search(r"(?i)[?&]\s*\w*password\s*=", unquote(address)):
        raise BadInput(
            f"{option}: a password in the address is seen by others on this machine and kept in"
            " histories; take it out, and put it in PGPASSWORD or ~/.pgpass"
        )


def connect(address: str, explain: Explain) -> Any:
    """Opens a connection, which begins a transaction; closing it undoes what is not committed."""
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError:
        raise MissingExtra(
            "databases need a driver; type:"
            ' pip install "adbc-driver-manager>=1.4" "adbc-driver-postgresql>=1.4"'
        ) from None
    return serve(lambda: dbapi.connect(address), explain)


def ask(session: Any, explain: Explain, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Runs a statement with a short answer and returns its rows; `values` stand for $1, $2 ..."""

    def run() -> list[tuple[Any, ...]]:
        with session.cursor() as cursor:
            cursor.execute(statement, values or None)
            return list(cursor.fetchall()) if cursor.description else []

    return serve(run, explain)


def serve(step: Callable[[], Answer], explain: Explain) -> Answer:
    """Runs a step and turns the server's refusal into one line, since its own words may hold
    values and the address.
    """
    try:
        return step()
    except DpmapError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever kinds the driver has
        failure = explain(str(getattr(error, "sqlstate", None) or ""), str(error))
    raise failure  # here, where the server's error is not its context


def explain_connection(option: str, state: str, words: str) -> SystemFailed | None:
    """Returns the error of a connection that could not be made, None if there was one."""
    if not state and "password" in words:
        return SystemFailed(
            f"{option}: the server asks for a password, or for another; put it in PGPASSWORD or"
            " ~/.pgpass"
        )
    if not state and "Failed to connect" in words:
        return SystemFailed(
            f"{option}: no connection; check the host, port, user and database of the address"
            f" ({EXAMPLE}), and that psql can open it"
        )
    return None
