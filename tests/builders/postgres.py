"""A real PostgreSQL with PostGIS, started on a free loopback port for as long as a test module runs."""

import glob
import os
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager

from builders.waiting import LONG

MISSING = "the tests of databases need PostgreSQL with PostGIS; type: make system"
OPEN = "local all all trust\nhost all guarded 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"


class Server:
    """`url("db")` is an address on it; `run` commits statements as its owner."""

    def __init__(self, port):
        self.port = port

    def url(self, database="postgres", user="steward", more=""):
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}{more}"

    def run(self, *statements, database="postgres"):
        from adbc_driver_postgresql import dbapi

        with (
            dbapi.connect(self.url(database), autocommit=True) as connection,
            connection.cursor() as cursor,
        ):
            for statement in statements:
                cursor.execute(statement)

    def load(self, name, columns, rows, database="postgres"):
        """A table of text columns."""

        def cell(text):
            return (
                "NULL" if text is None or text == "" else "'" + str(text).replace("'", "''") + "'"
            )

        names = ", ".join('"' + column.replace('"', '""') + '" text' for column in columns)
        values = ", ".join(f"({', '.join(map(cell, row))})" for row in rows)
        self.run(f"CREATE TABLE {name} ({names})", *([f"INSERT INTO {name} VALUES {values}"] if rows else []),
                 database=database)  # fmt: skip


def _programs():
    """The folder of initdb and pg_ctl: on the path, or where Debian puts it."""
    found = [
        os.path.realpath(path) for path in (shutil.which("pg_ctl"), shutil.which("initdb")) if path
    ]
    folders = [os.path.dirname(path) for path in found] + sorted(
        glob.glob("/usr/lib/postgresql/*/bin"), reverse=True
    )
    for folder in folders:
        if os.path.exists(os.path.join(folder, "pg_ctl")):
            return folder
    raise RuntimeError(MISSING)


def _as_user():
    """PostgreSQL refuses to run as root: then as the user its package makes, or as nobody."""
    if os.getuid():
        return {}
    import pwd  # Unix has it; this file is also looked at where nothing of it runs

    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise RuntimeError(MISSING)


@contextmanager
def server(fsync="off"):
    """Starts a server, which flushes to the disk only if it is asked to: ledgers need that."""
    folder, programs, who = tempfile.mkdtemp(prefix="dpmap-postgres-"), _programs(), _as_user()
    data, log = os.path.join(folder, "data"), os.path.join(folder, "log")
    if who:
        os.chown(folder, who["user"], who["group"])

    def program(name, *arguments):
        done = subprocess.run(
            [os.path.join(programs, name), "-D", data, *arguments], capture_output=True, text=True, cwd=folder,
            env={**os.environ, "LC_ALL": "C", "HOME": folder}, **who,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stdout[-500:]} {done.stderr[-500:]}")

    try:
        program("initdb", "-U", "steward", "-E", "UTF8", "--no-locale", "--no-sync", "-A", "trust")
        with open(os.path.join(data, "pg_hba.conf"), "w") as rules:
            rules.write(OPEN)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync={fsync} -c shared_buffers=16MB"
        program("pg_ctl", "-w", "-t", str(LONG), "-l", log, "-o", options, "start")
        running = Server(port)
        try:
            try:
                running.run("CREATE EXTENSION postgis")
            except Exception as error:
                raise RuntimeError(MISSING) from error
            yield running
        finally:
            program("pg_ctl", "-w", "-t", str(LONG), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
