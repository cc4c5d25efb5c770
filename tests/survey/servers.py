"""A web server and an object store of this machine, for tests: both hold the files of one folder."""

import http.server
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD, ranges too, and takes objects; a `fault` says what goes wrong."""

    protocol_version = "HTTP/1.1"
    folder: ClassVar[Path]
    fault: ClassVar[dict[str, object]]
    asked: ClassVar[list[str]]
    parts: ClassVar[dict[str, dict[int, bytes]]]

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.asked.append(f"{self.command} {self.path} {self.headers.get('Range', '')}")
        if "status" in self.fault:
            return self.sent(int(str(self.fault["status"])), b"")
        if "elsewhere" in self.fault:
            return self.sent(302, b"", {"Location": str(self.fault["elsewhere"])})
        if "list-type" in parse_qs(parts.query):
            return self.listed(
                unquote(parts.path).strip("/"), parse_qs(parts.query).get("prefix", [""])[0]
            )
        place = self.folder / unquote(parts.path).lstrip("/")
        if not place.is_file():
            return self.sent(404, b"")
        return self.part(place.read_bytes())

    def do_PUT(self) -> None:
        """An object, or a part of one."""
        content = self.body()
        self.asked.append(f"PUT {self.path}")
        name = unquote(urlsplit(self.path).path).lstrip("/")
        options = parse_qs(urlsplit(self.path).query)
        if "unwritable" in self.fault or str(self.fault.get("unwritable_name")) in name:
            return self.sent(403, b"")
        if not (self.folder / name.split("/")[0]).is_dir():
            return self.sent(404, b"<Error><Code>NoSuchBucket</Code></Error>")
        if "partNumber" in options:
            self.parts.setdefault(name, {})[int(options["partNumber"][0])] = content
            return self.sent(200, b"")
        self.store(name, content)

    def do_POST(self) -> None:
        """The beginning or the end of an object that comes in parts."""
        self.body()
        name = unquote(urlsplit(self.path).path).lstrip("/")
        options = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        if "unwritable" in self.fault or str(self.fault.get("unwritable_name")) in name:
            return self.sent(403, b"")
        if "uploads" in options:
            if not (self.folder / name.split("/")[0]).is_dir():
                return self.sent(404, b"<Error><Code>NoSuchBucket</Code></Error>")
            answer = "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
            return self.sent(200, answer.encode())
        parts = self.parts.pop(name, {})
        self.store(
            name,
            b"".join(parts[number] for number in sorted(parts)),
            b"<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>",
        )

    def do_DELETE(self) -> None:
        self.asked.append(f"DELETE {self.path}")
        name = unquote(urlsplit(self.path).path).lstrip("/")
        (self.folder / name).unlink(missing_ok=True)
        self.sent(204, b"")

    def store(self, name: str, content: bytes, answer: bytes = b"") -> None:
        """Keeps an object; one that stands for a folder is the folder."""
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            place.mkdir(exist_ok=True)
        else:
            place.write_bytes(content)
        self.sent(200, answer)

    def body(self) -> bytes:
        """What is sent, without the frames that S3's clients put around its parts."""
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            content = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "aws-chunked" not in self.headers.get("Content-Encoding", ""):
            return content
        plain = b""
        while content:
            line, _, content = content.partition(b"\r\n")
            size = int(line.split(b";")[0], 16)
            if not size:
                break
            plain += content[:size]
            content = content[size + 2 :]
        return plain

    def part(self, content: bytes) -> None:
        """The range that is asked for, or all."""
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None or "whole" in self.fault:
            return self.sent(200, content)
        start, end = int(wanted[1]), min(int(wanted[2] or len(content)), len(content) - 1)
        told = {"Content-Range": f"bytes {start}-{end}/{len(content)}"}
        return self.sent(206, content[start : end + 1], told)

    def listed(self, bucket: str, prefix: str) -> None:
        """The objects of a bucket, as S3 lists them."""
        files = sorted(path for path in (self.folder / bucket).rglob("*") if path.is_file())
        keys = {os.path.relpath(path, self.folder / bucket): path.stat().st_size for path in files}
        found = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{size}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            "</Contents>"
            for key, size in keys.items()
            if key.startswith(prefix)
        )
        page = f"<ListBucketResult><Name>{bucket}</Name><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"
        self.sent(200, page.encode())

    def sent(self, status: int, content: bytes, told: "dict[str, str] | None" = None) -> None:
        self.send_response(status)
        headers = {
            "Content-Length": str(len(content)),
            "Last-Modified": formatdate(0, usegmt=True),
            "ETag": '"1"',
        }
        for name, value in (headers | (told or {})).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            half = "breaks" in self.fault and len(content) > 1
            self.wfile.write(content[: len(content) // 2] if half else content)
            self.close_connection = self.close_connection or half

    def log_message(self, *_: object) -> None:
        """Not on the screen."""


class Server(http.server.ThreadingHTTPServer):
    """Quiet when a reader hangs up."""

    def handle_error(self, *_: object) -> None:
        """Not on the screen."""


@contextmanager
def serving(folder: Path) -> "Iterator[tuple[str, type[Handler]]]":
    """The server's host and port, and its handler, whose `fault` may be set and which says what it was `asked`."""

    class Mine(Handler):
        pass

    Mine.folder, Mine.fault, Mine.asked = folder, {}, []
    Mine.parts = {}
    server = Server(("127.0.0.1", 0), Mine)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}", Mine
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
