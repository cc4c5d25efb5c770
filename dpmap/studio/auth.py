"""Guards the studio's door: only the browser that the operator opened may ask, and nothing it is
told is kept by it.

Other programs on the machine can knock on any port of it, and any page of the web can make a
browser knock. So each request must name this server (else a foreign name could be pointed at it,
DNS rebinding), carry the cookie that a one-time token was traded for, and, where it changes
something, come from a page of this server.
"""

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_FORM = 1 << 20
"""Most bytes of a form: an area drawn by hand is far smaller."""
MOST_FIELDS = 2_000
MOST_READ = 1 << 26
PATIENCE = 30.0
"""Bytes of a form that is too long which are still taken and thrown away, so that its sender
hears why; and seconds for all of it.
"""
A_DAY = 86_400
"""Seconds for which a browser that was closed finds its way back; the studio's end ends it too."""
ENTER = "/enter"
HOME = "127.0.0.1"
"""The address that every machine has for itself."""
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'self'"
)
FRAMED = (
    "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; script-src"
    " 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'none';"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
"""For pages that dpmap made and the studio only shows, such as a map: they run in a box of their
own and can ask for nothing.
"""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "referrer-policy": (
        "same-origin"
    ),  # without any referrer a browser would hide the origin of a form too
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Keys:
    """Holds the one-time token that opens the door, and the cookie it is traded for."""

    def __init__(self, port: int, home: str = HOME) -> None:
        self.port = port
        self._home = home
        self._token = ""
        self.name = f"dpmap-studio-{port}"
        self.cookie = secrets.token_urlsafe(32)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names that this server answers to."""
        return f"{self._home}:{self.port}", *(
            [f"localhost:{self.port}"] if self._home == HOME else []
        )

    def address(self) -> str:
        """Returns an address that opens the door once; the one before it opens nothing any more."""
        self._token = secrets.token_urlsafe(32)
        return f"http://{self.hosts[0]}{ENTER}?token={self._token}"

    def taken(self, token: str) -> bool:
        """Whether this is the token, which is used up then."""
        right = bool(self._token) and hmac.compare_digest(token.encode(), self._token.encode())
        if right:
            self._token = ""
        return right

    def known(self, cookies: str) -> bool:
        """Whether a header of cookies holds the right one."""
        pairs = (one.strip().partition("=") for one in cookies.split(";"))
        return any(
            name == self.name and hmac.compare_digest(value.encode(), self.cookie.encode())
            for name, _, value in pairs
        )


class Guard:
    """Lets a request through to the pages, or answers why not."""

    def __init__(
        self,
        pages: App,
        keys: Keys,
        refuse: Callable[[int, str], bytes],
        welcome: Callable[[], bytes],
    ) -> None:
        self._pages = pages
        self._keys = keys
        self._refuse = refuse
        self._welcome = welcome

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._pages(scope, receive, send)
            return
        headers = _headers(scope)
        refused = self._stranger(scope, headers)
        if refused is None and scope["path"] == ENTER:
            await self._entered(scope, send)
            return
        if refused is None and not self._keys.known(headers.get("cookie", "")):
            refused = 401, "closed"
        if refused is None and scope["method"] == "POST":
            scope["form"], refused = await _form(headers, receive)
        if refused is not None:
            await _answer(send, refused[0], self._refuse(*refused))
            return
        with contextlib.suppress(
            Exception
        ):  # the page has said so by then; a server's log would quote what it held
            await self._pages(scope, receive, _with_headers(send))

    def _stranger(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Returns why a request is none of ours, by its headers alone."""
        host = headers.get("host", "")
        if host not in self._keys.hosts:
            return 421, "other host"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "other method"
        if scope["method"] == "POST" and headers.get("origin") != f"http://{host}":
            return 403, "other origin"
        if scope["path"] != ENTER and headers.get("sec-fetch-site", "none") not in (
            "none",
            "same-origin",
        ):
            return 403, "other origin"
        return None

    async def _entered(self, scope: Scope, send: Send) -> None:
        """Trades the token for the cookie, on a page that leads on by itself: a redirect from
        elsewhere would drop a strict cookie.
        """
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] != "GET" or not self._keys.taken(token):
            await _answer(send, 401, self._refuse(401, "closed"))
            return
        cookie = (
            f"{self._keys.name}={self._keys.cookie}; Path=/; Max-Age={A_DAY}; HttpOnly;"
            " SameSite=Strict"
        )
        await _answer(send, 200, self._welcome(), {"set-cookie": cookie})


def _headers(scope: Scope) -> dict[str, str]:
    """Returns the request's headers; of one given twice, what no server would take for either."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        joined = "; " if key == "cookie" else ", "
        headers[key] = (
            headers[key] + joined + value.decode("latin-1")
            if key in headers
            else value.decode("latin-1")
        )
    return headers


async def _form(
    headers: dict[str, str], receive: Receive
) -> tuple[dict[str, list[str]] | None, tuple[int, str] | None]:
    """Reads the fields of a form; of one that is none of ours it returns why instead."""
    if (
        headers.get("content-type", "").partition(";")[0].strip().lower()
        != "application/x-www-form-urlencoded"
    ):
        return None, (415, "other form")
    try:
        async with asyncio.timeout(PATIENCE):
            body = await _body(receive)
    except TimeoutError:
        return None, (408, "too slow")
    if body is None:
        return None, (413, "too long")
    try:
        fields = parse_qs(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except UnicodeDecodeError:
        return None, (400, "other form")
    except ValueError:  # more fields than any form of ours has
        return None, (413, "too long")
    return fields, None


async def _body(receive: Receive) -> bytes | None:
    """Reads what was sent; of more than a form can hold nothing is kept."""
    body = bytearray()
    size = 0
    while size <= MOST_READ:
        message = await receive()
        if message["type"] != "http.request":
            break
        piece = message.get("body", b"")
        size += len(piece)
        if size <= LONGEST_FORM:
            body += piece
        if not message.get("more_body"):
            return bytes(body) if size <= LONGEST_FORM else None
    return None


def _with_headers(send: Send) -> Send:
    """Adds the headers that every answer carries, unless the page has its own."""

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            header_names = {name.lower() for name, _ in message["headers"]}
            more = [
                (name.encode(), value.encode())
                for name, value in HEADERS.items()
                if name.encode() not in header_names
            ]
            message["headers"] = [*message["headers"], *more]
        await send(message)

    return sent


async def _answer(send: Send, status: int, page: bytes, more: dict[str, str] | None = None) -> None:
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-length": str(len(page)),
        **HEADERS,
        **(more or {}),
    }
    coded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": coded})
    await send({"type": "http.response.body", "body": page})
