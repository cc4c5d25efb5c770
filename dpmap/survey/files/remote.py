"""Reads surveys from object stores and web servers: tables and Parquet, copied once into the
engine's private folder.

Arrow's own file systems reach S3 and Google Cloud Storage with the credentials that their usual
tools use (environment, profile, role); pages come over HTTPS. No address is repeated in a message:
it may hold a signature.
"""

import fnmatch
import io
import os
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.survey.files.tables import FilePiece
from dpmap.survey.sources import Source, printable_name

if TYPE_CHECKING:
    from http.client import HTTPMessage, HTTPResponse

STORES = ("s3", "gs")
PAGES = ("https", "http")
SECONDS = 60
BUFFER = 1 << 20
MOST_FILES = 10_000
HERE = ("localhost", "127.0.0.1", "::1")
Answer = TypeVar("Answer")


def is_remote(path: str) -> bool:
    """Whether this is the address of a stored object or a web page.

    >>> is_remote("s3://bucket/nests.parquet"), is_remote(
    ...     "postgresql://localhost/nests"
    ... ), is_remote("nests.csv")
    (True, False, False)
    """
    return path.split("://", 1)[0].lower() in (*STORES, *PAGES) and "://" in path


def open_remote(address: str, gather: "Callable[[dict[str, FilePiece], str], Source]") -> Source:
    """Opens an address; `gather` finds the kind of its files, as for a folder.

    >>> open_remote("http://example.org/nests.csv", None)
    Traceback (most recent call last):
    ...
    dpmap.errors.BadInput: survey: over http:// anyone on the way can read the rows; use https://
    """
    parts = urlsplit(address)
    scheme = parts.scheme.lower()
    path = unquote(parts.path)
    name = printable_name(os.path.basename(path.rstrip("/")) or "the address")
    if "@" in parts.netloc:
        raise BadInput(
            "survey: a password in the address is seen by others on this machine and kept in"
            " histories; take it out, and let the environment, a profile or a role hold it"
        )
    if scheme in STORES:
        objects = _list_objects(
            _store(scheme, parts.netloc, parts.query), parts.netloc, path.strip("/"), name
        )
    else:
        if scheme == "http" and parts.hostname not in HERE:
            raise BadInput("survey: over http:// anyone on the way can read the rows; use https://")
        if "*" in path or path.endswith("/"):
            raise BadInput("survey: a web server does not list its files; give the address of one")
        objects = {os.path.basename(path): partial(_Page, address, name)}
    return gather(
        {
            member: FilePiece(os.path.basename(member), _opener(open_one))
            for member, open_one in objects.items()
        },
        name,
    )


def _opener(open_one: Callable[[], io.RawIOBase]) -> Callable[[], BinaryIO]:
    return lambda: cast("BinaryIO", io.BufferedReader(open_one(), BUFFER))


# --- object stores --------------------------------------------------------------------------------


def _store(scheme: str, bucket: str, query: str) -> str:
    """Writes a bucket's address as Arrow wants it, with the region that the environment names
    unless it is given.
    """
    options = {key: values[-1] for key, values in parse_qs(query).items()}
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if scheme == "s3" and region:
        options.setdefault("region", region)
    endpoint = options.get("endpoint_override", "")
    if options.get("scheme") == "http" and urlsplit(f"//{endpoint}").hostname not in HERE:
        raise BadInput(
            "survey: over http anyone on the way can read the rows; leave scheme=http out"
        )
    if {"access_key", "secret_key", "session_token"} & set(options):
        raise BadInput(
            "survey: the address must hold no key; let the environment, a profile or a role hold it"
        )
    return f"{scheme}://{bucket}" + (f"?{urlencode(options)}" if options else "")


def _list_objects(
    store: str, bucket: str, key: str, name: str
) -> dict[str, Callable[[], io.RawIOBase]]:
    """Lists the objects that a key names: one, those of a folder, or those that match a pattern
    such as `2026/part-*.parquet`.
    """
    from pyarrow import fs

    system = _system(store)
    pattern = re.search(r"[*\[]", key) is not None
    base = (
        # it matched
        key[: re.search(r"[^/]*[*\[]", key).start()].rstrip("/")  # type: ignore[union-attr]
        if pattern
        else key
    )

    def ask() -> list[str]:
        if not pattern and system.get_file_info(f"{bucket}/{key}").type == fs.FileType.File:
            return [f"{bucket}/{key}"]
        below = fs.FileSelector(
            f"{bucket}/{base}".rstrip("/"), recursive=True, allow_not_found=True
        )
        return [
            one.path
            for one in system.get_file_info(below)
            if one.type == fs.FileType.File and one.size
        ]

    files = [
        path
        for path in sorted(_served(ask, name))
        if not os.path.basename(path).startswith((".", "_"))
    ]
    if pattern:
        files = [path for path in files if _fits(path.split("/", 1)[1], key)]
    if not files:
        raise BadInput(f"survey: there is no {name} in the store; check the address")
    if len(files) > MOST_FILES:
        raise BadInput(f"survey: {name} names more than {MOST_FILES:,} files; name fewer")
    return {
        path: partial(_Object, store, path, printable_name(os.path.basename(path)))
        for path in files
    }


def _fits(path: str, pattern: str) -> bool:
    """Whether a key matches a pattern, part by part; `**` stands for any folders.

    >>> _fits("a/b/c.csv", "a/*.csv"), _fits("a/c.csv", "a/*.csv"), _fits("a/b/c.csv", "a/**/*.csv")
    (False, True, True)
    """
    if "**" in pattern:
        return fnmatch.fnmatchcase(path, pattern.replace("**/", "*").replace("**", "*"))
    ours = path.split("/")
    theirs = pattern.split("/")
    return len(ours) == len(theirs) and all(map(fnmatch.fnmatchcase, ours, theirs))


def _system(store: str) -> Any:
    from pyarrow import fs

    return _served(lambda: fs.FileSystem.from_uri(store)[0], "the address")


class _Object(io.RawIOBase):
    """Reads one object of a store by ranges."""

    def __init__(self, store: str, path: str, name: str) -> None:
        self._name = name
        system = _system(store)
        self._file = _served(lambda: system.open_input_file(path), name)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._file.seek(offset, whence))

    def readinto(self, buffer: Any, /) -> int:
        data = _served(lambda: self._file.read(len(buffer)), self._name)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


def _served(step: "Callable[[], Answer]", name: str) -> "Answer":
    """Runs a step and turns the store's failure into one line, since its own words hold the
    address and may hold keys.
    """
    try:
        return step()
    except DpmapError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever kinds Arrow has
        failure = _error_of_store(str(error), name)
    raise failure  # here, where the store's error is not its context


def _error_of_store(words: str, name: str) -> DpmapError:
    """Returns the error to raise for a store's failure."""
    if re.search(
        r"(?i)no"
        r" credentials|ACCESS_DENIED|\b40[13]\b|InvalidAccessKeyId|SignatureDoesNotMatch|expired|"
        r"unauthenticated",
        words,
    ):
        return _no_right(name)
    if re.search(r"(?i)NO_SUCH|does not exist|not found|\b404\b", words):
        return BadInput(f"survey: there is no {name} in the store; check the address")
    if re.search(r"(?i)unrecognized|unexpected query|cannot parse|invalid uri|expected a", words):
        return BadInput(
            "survey: the address is not understood; write it like s3://bucket/folder/nests.parquet"
        )
    return _no_connection(name)


def _no_right(name: str) -> SystemFailed:
    return SystemFailed(
        f"survey: no right to read {name}, or no credentials; they come from the environment, a"
        " profile or a role, and a signed address runs out"
    )


def _no_connection(name: str) -> SystemFailed:
    return SystemFailed(
        f"survey: {name} cannot be fetched: no connection, or it broke off; check the network and"
        " the address, and try again"
    )


# --- web servers ----------------------------------------------------------------------------------


class _Page(io.RawIOBase):
    """Reads one file of a web server, in order where possible, else by ranges."""

    def __init__(self, address: str, name: str) -> None:
        self._address = address
        self._name = name
        self._at = 0
        self._body = _fetched(address, name, 0)
        length = self._body.headers.get("Content-Length")
        self._size = int(length) if length and length.isdigit() else None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._size is not None

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Moves the reading position; the bytes there are requested only when read."""
        start = (0, self._at, self._size or 0)[whence]
        if start + offset != self._at:
            self._body.close()
            self._at = start + offset
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        from http.client import HTTPException

        if self._size is not None and self._at >= self._size:
            return 0
        if self._body.closed:
            self._body = _fetched(self._address, self._name, self._at)
        try:
            data = self._body.read(len(buffer))
        except (OSError, HTTPException):
            data = None
        if data is None or (self._size is not None and len(data) == 0 < len(buffer)):
            raise _no_connection(self._name)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_body"):
            self._body.close()
        super().close()


def _fetched(address: str, name: str, start: int) -> "HTTPResponse":
    """Requests the file from this byte on and returns the server's answer."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, build_opener

    headers = {"User-Agent": "dpmap", "Accept-Encoding": "identity"} | (
        {"Range": f"bytes={start}-"} if start else {}
    )
    try:
        body = build_opener(_safe_redirects()).open(
            Request(address, headers=headers),  # noqa: S310  # checked
            timeout=SECONDS,
        )
    except DpmapError:
        raise
    except HTTPError as error:
        code = error.code
        error.close()
    except (OSError, ValueError, HTTPException):
        code = 0
    else:
        if not start or body.status == 206:
            return cast("HTTPResponse", body)
        body.close()
        raise BadInput(
            f"survey: the server of {name} sends whole files only; fetch it and give the file"
        )
    if code in (401, 403):
        raise _no_right(name)
    if code in (404, 410):
        raise BadInput(f"survey: there is no {name} at that address; check it")
    raise _no_connection(name)


def _safe_redirects() -> Any:
    """Follows a server's redirects, except to an unencrypted address."""
    from urllib.request import HTTPRedirectHandler, Request

    class Safe(HTTPRedirectHandler):
        def redirect_request(
            self, req: Request, fp: Any, code: int, msg: str, headers: "HTTPMessage", newurl: str
        ) -> Request | None:
            if urlsplit(newurl).scheme != "https" and urlsplit(newurl).hostname not in HERE:
                fp.close()
                raise BadInput(
                    "survey: the server sends on to an address without https; fetch the file and"
                    " give that"
                )
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return Safe()
