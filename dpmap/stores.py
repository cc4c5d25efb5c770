"""Reads files from object stores and web servers.

Arrow's own file systems reach S3 and Google Cloud Storage with the credentials that their usual
tools use (environment, profile, role); pages come over HTTPS. A public file is copied whole into a
private folder and read there like any file. No store's own words are repeated, nor the options of
an address: they may hold a signature.
"""

import io
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from dpmap.errors import BadInput, DpmapError, MissingFile, SystemFailed
from dpmap.plain_file import shown_name
from dpmap.private_folder import private_folder

if TYPE_CHECKING:
    from http.client import HTTPMessage, HTTPResponse

PathLike = str | os.PathLike[str]
STORES = ("s3", "gs")
PAGES = ("https", "http")
SECONDS = 60
BUFFER = 1 << 20
LARGEST_COPY = 16 << 30
"""Bytes of a public file; larger ones are not copied."""
ROOM = 1 << 26
"""Bytes that stay free on the disk beside a copy."""
MOST_FILES = 10_000
HERE = ("localhost", "127.0.0.1", "::1")
Answer = TypeVar("Answer")
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+")


def is_url(path: object) -> bool:
    """Whether this is an address rather than a path of this machine; a path holds one slash of two.

    >>> is_url("s3://bucket/x"), is_url(PurePath("s3://bucket/x")), is_url("C:/x"), is_url("x.gpkg")
    (True, True, False, False)
    """
    return isinstance(path, str | os.PathLike) and _URL.match(_text(path)) is not None


def spell(path: PathLike) -> str:
    """Returns a path as text, an address with both its slashes and without its options.

    >>> spell(PurePath("s3://bucket/x/map.png?region=eu-west-2"))
    's3://bucket/x/map.png'
    """
    return _url(path).partition("?")[0] if is_url(path) else os.fspath(path)


def _text(path: PathLike) -> str:
    return path.as_posix() if isinstance(path, PurePath) else os.fspath(path)


def _url(path: PathLike) -> str:
    """Returns an address with both its slashes."""
    return _URL.sub(lambda found: f"{found[1].lower()}://", _text(path), count=1)


def split_url(url: PathLike) -> tuple[str, list[str]]:
    """Splits s3://bucket/FILE:WORD:WORD into the file's address and the words.

    >>> split_url("s3://bucket/districts.gpkg:people?region=eu-west-2")
    ('s3://bucket/districts.gpkg?region=eu-west-2', ['people'])
    """
    parts = urlsplit(_url(url))
    path, *words = parts.path.split(":")
    return parts._replace(path=path).geturl(), words


@dataclass(frozen=True, slots=True)
class Location:
    """Holds where a file or folder lies: in a bucket under a key, or on a web server.

    `role` is what messages call it, such as `area` or `--out`.
    """

    url: str
    scheme: str
    bucket: str
    key: str
    role: str

    @classmethod
    def parse(cls, url: PathLike, role: str, *, writing: bool = False) -> "Location":
        """Takes an address apart; refuses one that leads nowhere or holds a password.

        >>> Location.parse("ftp://example.org/area.gpkg", "area")
        Traceback (most recent call last):
        ...
        dpmap.errors.BadInput: area: ftp:// is not read; give s3://, gs://, https:// or a path
        """
        url = _url(url)
        parts = urlsplit(url)
        scheme = parts.scheme
        if scheme not in (STORES if writing else (*STORES, *PAGES)):
            usable = "s3://, gs://" if writing else "s3://, gs://, https://"
            verb = "written to" if writing else "read"
            raise BadInput(f"{role}: {scheme}:// is not {verb}; give {usable} or a path")
        if "@" in parts.netloc:
            raise BadInput(
                f"{role}: a password in the address is seen by others on this machine and kept in"
                " histories; take it out, and let the environment, a profile or a role hold it"
            )
        if scheme == "http" and parts.hostname not in HERE:
            raise BadInput(f"{role}: over http:// anyone on the way can read it; use https://")
        return cls(url, scheme, parts.netloc, unquote(parts.path).strip("/"), role)

    @property
    def name(self) -> str:
        """The last part of the key, to be shown."""
        return shown_name(self.key or self.bucket)

    @property
    def file_name(self) -> str:
        """The last part of the key, as a file of this machine is called."""
        name = os.path.basename(self.key)
        if not self.bucket or name in ("", ".", ".."):
            raise BadInput(
                f"{self.role}: the address names no file; write it like s3://bucket/folder/name"
            )
        return name

    @property
    def path(self) -> str:
        """The bucket and the key, as the store's file system takes them."""
        return f"{self.bucket}/{self.key}".rstrip("/")

    @property
    def address(self) -> str:
        """The address without its options."""
        return f"{self.scheme}://{self.path}"

    @property
    def store(self) -> str:
        """The bucket's address, as Arrow takes it."""
        return store_url(self.scheme, self.bucket, urlsplit(self.url).query, self.role)

    def within(self, key: str) -> "Location":
        """Returns where another key of the same bucket lies."""
        return replace(self, key=key)

    def open(self) -> io.RawIOBase:
        """Opens the file to read it."""
        if self.scheme in PAGES:
            return open_page(self.url, self.name, self.role)
        return open_object(self.store, self.path, self.name, self.role)


# --- public files ---------------------------------------------------------------------------------


@contextmanager
def local_copy(path: Any, role: str) -> Iterator[Any]:
    """Gives what was given, and for an address the path of a copy, which its owner alone may read
    and which goes with the block.
    """
    if not is_url(path):
        yield path
        return
    location = Location.parse(path, role)
    name = location.file_name
    if name.lower().endswith((".shp", ".gdb")):
        raise BadInput(
            f"{role}: {location.name} is one of several files; put all of them into one .zip, or"
            " give a GeoPackage"
        )
    with private_folder() as folder:
        target = os.path.join(folder, "copy", name)
        os.mkdir(os.path.dirname(target))
        fetch(location, target)
        yield target


def fetch(location: Location, target: str) -> None:
    """Copies a file whole to this machine, if it is not too large for it."""
    free = shutil.disk_usage(os.path.dirname(target)).free - ROOM
    most = min(LARGEST_COPY, free)
    size = 0
    with location.open() as source, open(target, "xb") as copy:
        buffer = memoryview(bytearray(BUFFER))
        while count := source.readinto(buffer):
            size += count
            if size > most:
                raise SystemFailed(
                    f"{location.role}: {location.name} is larger than {most / 1e6:,.0f} MB, which"
                    " is what may be copied here; free some space, or give a smaller file"
                )
            copy.write(buffer[:count])


# --- object stores --------------------------------------------------------------------------------


def store_url(scheme: str, bucket: str, query: str, role: str) -> str:
    """Writes a bucket's address as Arrow wants it, with the region that the environment names
    unless it is given.
    """
    options = {key: values[-1] for key, values in parse_qs(query).items()}
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if scheme == "s3" and region:
        options.setdefault("region", region)
    endpoint = options.get("endpoint_override", "")
    if options.get("scheme") == "http" and urlsplit(f"//{endpoint}").hostname not in HERE:
        raise BadInput(f"{role}: over http anyone on the way can read it; leave scheme=http out")
    if {"access_key", "secret_key", "session_token"} & set(options):
        raise BadInput(
            f"{role}: the address must hold no key; let the environment, a profile or a role hold"
            " it"
        )
    return f"{scheme}://{bucket}" + (f"?{urlencode(options)}" if options else "")


def connect(store: str, role: str) -> Any:
    """Returns Arrow's file system of a store."""
    from pyarrow import fs

    return guard(lambda: fs.FileSystem.from_uri(store)[0], "the address", role)


class _StoredObject(io.RawIOBase):
    """Reads one object of a store by ranges."""

    def __init__(self, store: str, path: str, name: str, role: str) -> None:
        self._name = name
        self._role = role
        system = connect(store, role)
        self._file = guard(lambda: system.open_input_file(path), name, role)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._file.seek(offset, whence))

    def readinto(self, buffer: Any, /) -> int:
        data = guard(lambda: self._file.read(len(buffer)), self._name, self._role)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


def open_object(store: str, path: str, name: str, role: str) -> io.RawIOBase:
    """Opens an object of a store, which is read by ranges."""
    return _StoredObject(store, path, name, role)


def guard(step: Callable[[], Answer], name: str, role: str, verb: str = "read") -> Answer:
    """Runs a step and turns the store's failure into one line, since its own words hold the
    address and may hold keys.
    """
    try:
        return step()
    except DpmapError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever kinds Arrow has
        failure = error_of_store(str(error), name, role, verb)
    raise failure  # here, where the store's error is not its context


def error_of_store(words: str, name: str, role: str, verb: str = "read") -> DpmapError:
    """Returns the error to raise for a store's failure."""
    if re.search(
        r"(?i)no"
        r" credentials|ACCESS_DENIED|\b40[13]\b|InvalidAccessKeyId|SignatureDoesNotMatch|expired|"
        r"unauthenticated",
        words,
    ):
        return _no_right(name, role, verb)
    if verb == "write" and re.search(r"(?i)NO_SUCH|bucket does not exist|\b404\b", words):
        return MissingFile(f"{role}: there is no such bucket; check the address")
    if re.search(r"(?i)NO_SUCH|does not exist|not found|\b404\b", words):
        return MissingFile(f"{role}: there is no {name} in the store; check the address")
    if re.search(r"(?i)unrecognized|unexpected query|cannot parse|invalid uri|expected a", words):
        return BadInput(
            f"{role}: the address is not understood; write it like s3://bucket/folder/nests.parquet"
        )
    return _no_connection(name, role, verb)


def _no_right(name: str, role: str, verb: str = "read") -> SystemFailed:
    return SystemFailed(
        f"{role}: no right to {verb} {name}, or no credentials; they come from the environment, a"
        " profile or a role, and a signed address runs out"
    )


def _no_connection(name: str, role: str, verb: str = "read") -> SystemFailed:
    done = "fetched" if verb == "read" else "put"
    return SystemFailed(
        f"{role}: {name} cannot be {done}: no connection, or it broke off; check the network and"
        " the address, and try again"
    )


# --- web servers ----------------------------------------------------------------------------------


class _Page(io.RawIOBase):
    """Reads one file of a web server, in order where possible, else by ranges."""

    def __init__(self, address: str, name: str, role: str) -> None:
        self._address = address
        self._name = name
        self._role = role
        self._at = 0
        self._body = _request(address, name, role, 0)
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
            self._body = _request(self._address, self._name, self._role, self._at)
        try:
            data = self._body.read(len(buffer))
        except (OSError, HTTPException):
            data = None
        if data is None or (self._size is not None and len(data) == 0 < len(buffer)):
            raise _no_connection(self._name, self._role)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed and hasattr(self, "_body"):
            self._body.close()
        super().close()


def open_page(address: str, name: str, role: str) -> io.RawIOBase:
    """Opens a file of a web server."""
    return _Page(address, name, role)


def _request(address: str, name: str, role: str, start: int) -> "HTTPResponse":
    """Requests the file from this byte on and returns the server's answer."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, build_opener

    headers = {"User-Agent": "dpmap", "Accept-Encoding": "identity"} | (
        {"Range": f"bytes={start}-"} if start else {}
    )
    try:
        body = build_opener(_safe_redirects(role)).open(
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
            f"{role}: the server of {name} sends whole files only; fetch it and give the file"
        )
    if code in (401, 403):
        raise _no_right(name, role)
    if code in (404, 410):
        raise MissingFile(f"{role}: there is no {name} at that address; check it")
    raise _no_connection(name, role)


def _safe_redirects(role: str) -> Any:
    """Follows a server's redirects, except to an unencrypted address."""
    from urllib.request import HTTPRedirectHandler, Request

    class Safe(HTTPRedirectHandler):
        def redirect_request(
            self, req: Request, fp: Any, code: int, msg: str, headers: "HTTPMessage", newurl: str
        ) -> Request | None:
            if urlsplit(newurl).scheme != "https" and urlsplit(newurl).hostname not in HERE:
                fp.close()
                raise BadInput(
                    f"{role}: the server sends on to an address without https; fetch the file and"
                    " give that"
                )
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return Safe()
