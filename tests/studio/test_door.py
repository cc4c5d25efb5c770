"""The studio's door: only the browser that the operator opened may ask, and what it is told is kept nowhere."""

import asyncio
import contextlib
import http.client
import logging
import re
import socket
import sys

import pytest
from builders.studios import Browser, studio
from builders.waiting import LONG, until

from dpmap.studio import auth
from dpmap.studio.auth import HEADERS, LONGEST_FORM, MOST_FIELDS, Keys


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    return studio(tmp_path_factory.mktemp("door"))


def spoken(browser: Browser, *lines: str, body: bytes = b"") -> bytes:
    """What comes back over the wire when exactly these lines are sent."""
    with socket.create_connection(("127.0.0.1", browser.port), timeout=LONG) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := line.recv(1 << 16):
                found += piece
        return found


def said(browser: Browser, *headers: str, start: str = "GET / HTTP/1.1", body: bytes = b"") -> int:
    """The status of the answer to a request with exactly these headers, and the cookie."""
    cookie = f"Cookie: {browser.own['Cookie']}"
    found = spoken(browser, start, *headers, cookie, "Connection: close", body=body)
    status = int(found.split()[1])
    assert b"raptors.csv" not in found or status not in (401, 403, 405, 421)
    return status


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example", "[::1]:{port}", "0.0.0.0:{port}",
             "127.0.0.1:{port}, evil.example", "evil@127.0.0.1:{port}", "2130706433:{port}", ""],
)  # fmt: skip
def test_a_foreign_name_that_was_pointed_at_this_machine_opens_nothing(browser, host):
    """A page of the web whose name leads here (DNS rebinding) is refused by its name, even with the cookie."""
    assert said(browser, f"Host: {host.format(port=browser.port)}") in (400, 421)


def test_a_request_names_this_server_exactly_once(browser):
    """No name, or two, are refused; so is the name of another server as the target of the request."""
    own = f"Host: {browser.host}"
    assert said(browser, own) == 200
    assert said(browser) == 400
    assert said(browser, start="GET / HTTP/1.0") == 421
    assert said(browser, own, "Host: evil.example") == 400
    assert said(browser, "Host: evil.example", own) == 400
    assert said(browser, own, start="GET http://evil.example/ HTTP/1.1") == 404
    assert said(browser, "Host: evil.example", start=f"GET http://{browser.host}/ HTTP/1.1") == 421


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost:{port}", "https://127.0.0.1:{port}", ""],
)  # fmt: skip
def test_no_other_page_can_send_a_form(browser, origin):
    """A form from elsewhere, from nowhere, or from another server of this machine changes nothing, even with the cookie."""
    told = browser.own | {"Origin": (origin or "").format(port=browser.port)}
    if origin is None:
        del told["Origin"]
    for place in ("/begin", "/stop", "/enter", "/none"):
        assert browser.ask("POST", place, "dataset=x", told).status == 403
    assert not list(browser.folder.glob("*.toml"))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "CROSS-SITE", "anything"])
def test_no_other_page_can_load_one(browser, site):
    """A page, picture or script of the studio that another page asks for is refused, even one of another port of this machine."""
    for place in ("/", "/brief", "/assets/studio.js", "/none"):
        assert (
            browser.ask("GET", place, headers=browser.own | {"Sec-Fetch-Site": site}).status == 403
        )
    assert (
        browser.ask("GET", "/", headers=browser.own | {"Sec-Fetch-Site": "same-origin"}).status
        == 200
    )


def test_an_address_opens_the_door_once_and_only_the_newest_does(tmp_path):
    """Whoever reads the address in a history or over a shoulder cannot use it again."""
    browser = studio(tmp_path)
    ask = {"Host": browser.host}
    older, newer = (browser.keys.address().partition(browser.host)[2] for _ in range(2))
    assert browser.ask("GET", older, headers=ask).status == 401
    for method in ("HEAD", "POST"):
        told = ask | {"Origin": f"http://{browser.host}"}
        assert browser.ask(method, newer, headers=told).status == 401
    entered = browser.ask("GET", newer, headers=ask | {"Sec-Fetch-Site": "cross-site"})
    assert entered.status == 200
    assert browser.ask("GET", newer, headers=ask).status == 401
    cookie = entered.headers["set-cookie"].partition(";")[0]
    assert browser.ask("GET", "/", headers=ask | {"Cookie": cookie}).status == 200


@pytest.mark.parametrize(
    "query",
    ["", "?token=", "?token=x", "?token=x&token=", "?token=%ff%00", "?" + "token=a&" * 5000],
)
def test_a_guessed_address_opens_nothing(tmp_path, query):
    """Without the token no cookie is given, nor is the true token used up by guesses."""
    browser = studio(tmp_path)
    address = browser.keys.address().partition(browser.host)[2]
    found = browser.ask("GET", f"/enter{query}", headers={"Host": browser.host})
    assert found.status == 401
    assert "set-cookie" not in found.headers
    assert browser.ask("GET", address, headers={"Host": browser.host}).status == 200


def test_once_a_token_is_used_an_empty_one_opens_nothing():
    """Between two addresses no token is right, not even none."""
    keys = Keys(1)
    assert not keys.taken("")
    token = keys.address().partition("token=")[2]
    assert keys.taken(token)
    assert not keys.taken("")
    assert not keys.taken(token)


@pytest.mark.parametrize(
    "cookie",
    [
        None,
        "",
        "x",
        "{name}=",
        "{name}",
        "{name}=wrong",
        "other={value}",
        "{name}x={value}",
        "{name}={value}x",
        "{NAME}={value}",
    ],
)
def test_without_the_cookie_no_page_is_shown(browser, cookie):
    """Other programs of this machine see a closed door on every page, which tells nothing of the folder."""
    name, _, value = browser.own["Cookie"].partition("=")
    told = {"Host": browser.host, "Origin": f"http://{browser.host}"}
    if cookie is not None:
        told["Cookie"] = cookie.format(name=name, value=value, NAME=name.upper())
    for method, place in (
        ("GET", "/"),
        ("GET", "/assets/studio.css"),
        ("GET", "/none"),
        ("POST", "/begin"),
        ("POST", "/stop"),
    ):
        found = browser.ask(method, place, headers=told)
        assert found.status == 401
        assert "survey" not in found.text.replace("survey's", "")


def test_a_cookie_that_another_server_of_this_machine_set_does_not_shut_the_operator_out(browser):
    """Cookies of 127.0.0.1 are shared by its ports: a wrong one of the same name beside the right one does no harm."""
    name, _, value = browser.own["Cookie"].partition("=")
    for cookies in (
        f"{name}=wrong; {name}={value}",
        f"{name}={value}; {name}=wrong",
        f'a="; b"; {name}={value}',
    ):
        assert (
            browser.ask("GET", "/", headers={"Host": browser.host, "Cookie": cookies}).status == 200
        )


def test_the_cookie_is_for_this_server_alone(tmp_path):
    """No script can read it, no other site can make the browser send it, and it ends within a day."""
    browser = studio(tmp_path)
    entered = browser.ask(
        "GET", browser.keys.address().partition(browser.host)[2], headers={"Host": browser.host}
    )
    flags = [one.strip().lower() for one in entered.headers["set-cookie"].split(";")[1:]]
    assert sorted(flags) == ["httponly", "max-age=86400", "path=/", "samesite=strict"]
    assert len(browser.keys.cookie) > 40


def test_every_answer_carries_the_same_headers(browser, monkeypatch):
    """Pages, pieces, files, refusals and failures are kept by no browser, framed by nobody, and ask nothing elsewhere."""
    own, broken = browser.own, "dpmap.studio.folder.BrowsedFolder.ledgers"
    stranger = {"Host": browser.host}
    answers = [browser.ask("GET", place) for place in ("/", "/brief", "/assets/studio.css", "/assets/icon.svg", "/none", "/job/none", "/map/none/data",
                                                      "/assets/../auth.py", "/ledgers/", "/begin")]  # fmt: skip
    answers += [browser.ask("POST", place) for place in ("/begin", "/", "/none")]
    answers += [
        browser.ask("HEAD", "/"),
        browser.ask("GET", "/", headers=stranger),
        browser.ask("PUT", "/"),
        browser.ask("POST", "/", "x=" + "y" * LONGEST_FORM),
    ]
    answers += [
        browser.ask("GET", "/enter", headers=stranger),
        browser.ask("GET", "/", headers=own | {"Host": "evil.example"}),
    ]
    answers += [
        browser.ask("GET", browser.keys.address().partition(browser.host)[2], headers=stranger)
    ]
    monkeypatch.setattr(broken, lambda _: 1 / 0)
    answers.append(browser.ask("GET", "/"))
    assert {one.status for one in answers} >= {200, 307, 400, 401, 404, 405, 413, 421, 500}
    for one in answers:
        told = {name: one.headers.get_all(name) for name in HEADERS}
        assert told == {name: [value] for name, value in HEADERS.items()}, one.place
        assert not [name for name in one.headers if name.lower().startswith("access-control")]
        assert "server" not in one.headers


def test_what_is_no_http_gets_a_guarded_answer(browser):
    """Nonsense on the port is answered with the same headers, and hung up on."""
    for start in ("nonsense", "GET  HTTP/1.1", "GET / HTTP/one"):
        found = spoken(browser, start, f"Host: {browser.host}")
        assert found.startswith(b"HTTP/1.1 400")
        assert b"content-security-policy: default-src 'self'" in found.lower()


@pytest.mark.parametrize(
    "method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get"]
)
def test_only_plain_requests_are_answered(browser, method):
    """Other methods, and the question before a cross-site request, are refused: no other site is ever granted anything."""
    found = browser.ask(
        method,
        "/",
        headers=browser.own
        | {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert found.status == 405
    assert not [name for name in found.headers if name.lower().startswith("access-control")]


def test_a_form_that_is_too_long_is_refused_in_words(browser):
    """Two megabytes, or more fields than any form has, get an answer and not a broken line."""
    assert browser.ask("POST", "/begin", b"dataset=" + b"x" * (2 << 20)).status == 413
    assert (
        browser.ask("POST", "/begin", "&".join(f"a{number}=" for number in range(100_000))).status
        == 413
    )
    assert browser.ask("POST", "/begin", "a=&" * (MOST_FIELDS + 1)).status == 413
    assert "longer" in browser.ask("POST", "/begin", "a=&" * (MOST_FIELDS + 1)).text


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "application/json",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencodedx",
    ],
)
def test_a_form_of_another_kind_is_refused(browser, kind):
    """What no form of the studio's sends is not read: no file can be sent to it either."""
    assert (
        browser.ask("POST", "/begin", "dataset=x", browser.own | {"Content-Type": kind}).status
        == 415
    )


@pytest.mark.parametrize("body", [b"dataset=\xff", b"dataset=%ff", b"dataset=%ed%a0%80"])
def test_a_form_that_is_no_text_is_refused(browser, body):
    """Bytes that are no UTF-8 are not guessed at."""
    assert browser.ask("POST", "/begin", body).status == 400


def test_a_form_in_pieces_is_counted_as_well(browser):
    """A form without a length is read like any other, up to the same size."""
    own = [f"{name}: {value}" for name, value in browser.own.items() if name != "Cookie"]
    own += ["Content-Type: application/x-www-form-urlencoded", "Transfer-Encoding: chunked"]
    start = "POST /begin HTTP/1.1"
    assert (
        said(browser, *own, start=start, body=b"9\r\ndataset=x\r\n0\r\n\r\n") == 400
    )  # no survey was chosen
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    assert said(browser, *own, start=start, body=piece * 40 + b"0\r\n\r\n") == 413


def test_a_form_that_never_ends_holds_nothing_up(monkeypatch):
    """A sender that stops halfway is told so after a while; nothing waits for it for ever."""
    monkeypatch.setattr(auth, "PATIENCE", 0.05)

    async def silent():
        await asyncio.sleep(30)

    async def ask():
        return await auth._form({"content-type": "application/x-www-form-urlencoded"}, silent)

    assert asyncio.run(ask()) == (None, (408, "too slow"))


def test_others_are_answered_while_one_sender_is_slow(browser):
    """Half a request on the line keeps no page from the operator."""
    with contextlib.ExitStack() as lines:
        for _ in range(50):
            line = lines.enter_context(
                socket.create_connection(("127.0.0.1", browser.port), timeout=LONG)
            )
            line.sendall(
                f"POST /begin HTTP/1.1\r\nHost: {browser.host}\r\nContent-Length: 100\r\nCookie: {browser.own['Cookie']}\r\n".encode()
            )
        assert browser.ask("GET", "/").status == 200


def test_a_failure_says_nothing_of_what_was_asked(tmp_path, monkeypatch, caplog, capfd):
    """A page that breaks tells the kind of error alone, on the page and nowhere else: no log, no traceback on the screen."""
    browser = studio(tmp_path)

    def broken(self):
        raise ValueError("Zanzibarwitness at 51.9876")

    monkeypatch.setattr("dpmap.studio.folder.BrowsedFolder.ledgers", broken)
    with caplog.at_level(logging.DEBUG):
        found = browser.ask("GET", "/?secret=Zanzibarwitness")
    assert found.status == 500
    assert "ValueError" in found.text
    out, err = capfd.readouterr()
    assert "Zanzibarwitness" not in found.text + out + err + caplog.text
    assert not re.search("Traceback|ERROR|INFO", out + err)


def test_links_on_pages_keep_where_they_came_from_to_themselves(browser):
    """Another site that a page links to is never told the address of that page."""
    assert browser.ask("GET", "/").headers["referrer-policy"] in ("same-origin", "no-referrer")


def test_after_the_studio_ended_the_page_says_so(browser, tmp_path):
    """A page whose studio was killed says that what was begun is kept, and nobody else answers in its name."""
    other = studio(tmp_path)
    script = other.ask("GET", "/assets/studio.js").text
    assert "what was begun is kept" in script
    other.server.should_exit = True
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        until(lambda: other.ask("GET", "/") is None)


def test_the_studio_takes_an_address_of_its_own():
    """A cookie is shown to all ports of an address, so a studio shares none with other servers; with `--port` it is where it was asked to be."""
    from dpmap.studio.server import _listening

    with _listening(0) as one, _listening(0) as two:
        homes = {bound.getsockname()[0] for bound in (one, two)}
    assert all(home.startswith("127.") for home in homes)
    assert "127.0.0.1" not in homes or sys.platform == "darwin"
    assert len(homes) == 2 or sys.platform == "darwin"
