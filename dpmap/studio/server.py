"""Starts the studio: a small server on this machine alone, and the browser that may talk to it."""

import contextlib
import logging
import os
import secrets
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dpmap.errors import BadInput, DpmapError, SystemFailed
from dpmap.private_folder import private_folder
from dpmap.studio import assets, help_page, home, jobs, ledgers, release_pages
from dpmap.studio.auth import HOME, Guard, Keys
from dpmap.studio.commands import Commands
from dpmap.studio.folder import BrowsedFolder
from dpmap.studio.page import Studio, alone, onward, page
from dpmap.studio.steps import accuracy_page, area_page, base_map, confirm, data, survey_page

if TYPE_CHECKING:
    import uvicorn
    from starlette.routing import Route

ROOMS = (
    home,
    survey_page,
    data,
    area_page,
    base_map,
    accuracy_page,
    confirm,
    jobs,
    release_pages,
    ledgers,
    help_page,
    assets,
)
LEAST_PORT = 1024
MOST_PORT = 65535
NO_PORT = (
    f"--port: that port cannot be had; give another between {LEAST_PORT} and {MOST_PORT}, or leave"
    " it out"
)
SOON = 120.0
"""Seconds in which a release that was just confirmed has read its flags."""
WHY = {
    "closed": (
        "This door is closed",
        (
            "The studio belongs to whoever started it. Each address opens it once: take a new one"
            " from the window where dpmap studio runs (press Enter there), or start it again."
        ),
    ),
    "other host": (
        "Another name",
        "This server answers to its own address only: the one that dpmap studio printed.",
    ),
    "other origin": (
        "Another page asked",
        "Only the studio's own pages may ask this. Go back to the studio and do it there.",
    ),
    "other method": ("Not understood", "The studio's pages do not ask like this."),
    "too long": (
        "Too long",
        "That form is longer than any of the studio's. Go back and send less.",
    ),
    "too slow": ("Too slow", "That form did not arrive in time. Go back and send it again."),
    "other form": (
        "Not understood",
        "That is no form of the studio's. Go back and use the page's own button.",
    ),
}


def pages_of(folder: BrowsedFolder, private: str) -> Starlette:
    """Makes all pages over one folder."""
    routes: list[Route] = [route for room in ROOMS for route in room.routes]
    made = Starlette(
        routes=routes,
        exception_handlers={DpmapError: _error_words, HTTPException: _missing, Exception: _failed},
    )
    made.state.studio = Studio(folder, Commands(folder.path), private, {})
    return made


def guard_pages(pages: Starlette, keys: Keys) -> Guard:
    """Puts the door before the pages."""
    return Guard(pages, keys, lambda _, why: alone(*WHY[why]), lambda: onward("/"))


def serve(path: "str | os.PathLike[str]", *, port: int = 0, browser: bool = True) -> None:
    """Serves the studio over one folder until it is stopped."""
    import uvicorn

    folder = _folder(path)
    with private_folder() as private, _listening(port) as bound:
        home, number = bound.getsockname()
        keys = Keys(number, home)
        made = pages_of(folder, private)
        server = uvicorn.Server(settings(guard_pages(made, keys)))
        made.state.stop = lambda: setattr(server, "should_exit", True)
        _greet(folder, keys, private, browser=browser)
        try:
            with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how the studio is closed
                server.run(sockets=[bound])
        finally:
            _leave(made.state.studio.commands)


def settings(door: Guard) -> "uvicorn.Config":
    """Returns how the server runs: it keeps no log, since a log would hold what a page was
    asked.
    """
    import uvicorn

    from dpmap.studio.http_messages import Protocol

    for name in ("uvicorn", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    return uvicorn.Config(
        door,
        http=Protocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        workers=1,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=1 << 16,
    )


def _folder(path: "str | os.PathLike[str]") -> BrowsedFolder:
    try:
        folder = BrowsedFolder(path)
    except (OSError, ValueError, RuntimeError):
        raise BadInput(
            "studio: there is no such folder; name the one that holds your survey, like dpmap"
            " studio ."
        ) from None
    if not folder.path.is_dir():
        raise BadInput("studio: that is a file; name the folder that holds it, like dpmap studio .")
    if not os.access(folder.path, os.R_OK | os.W_OK | os.X_OK):
        raise SystemFailed(
            "studio: no right to write in that folder; choose another, or copy the survey to one of"
            " your own"
        )
    return folder


@contextlib.contextmanager
def _listening(port: int) -> Any:
    """Opens the port on this machine alone; another program of the machine cannot share it."""
    if port and not LEAST_PORT <= port <= MOST_PORT:
        raise BadInput(NO_PORT)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as bound:
        if sys.platform == "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        elif port:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            _bind(bound, port)
            # before the address is told: a browser may be faster than the server's start
            bound.listen()
        except OSError:
            raise BadInput(NO_PORT) from None
        yield bound


def _bind(bound: socket.socket, port: int) -> None:
    """Takes the port that was asked for; else any, on an address of this machine that no other
    program is likely to serve.

    Browsers show a cookie to all ports of an address, and so to whatever another user serves there.
    A machine has sixteen million addresses for itself, all that begin with 127; where a system has
    the first only, that one is taken.
    """
    if not port:
        address = (
            f"127.{1 + secrets.randbelow(254)}.{secrets.randbelow(256)}."
            f"{1 + secrets.randbelow(254)}"
        )
        with contextlib.suppress(OSError):
            bound.bind((address, 0))
            return
    bound.bind((HOME, port))


def _greet(folder: BrowsedFolder, keys: Keys, private: str, *, browser: bool) -> None:
    """Prints the address, and opens it; Enter prints another, since each opens the door once."""
    address = keys.address()
    print(
        f"dpmap studio on {folder.path.name}: open {address}\n(it opens once; Enter gives another,"
        " Ctrl-C ends the studio)",
        flush=True,
    )
    if browser:
        _open(address, Path(private) / "studio.html")
    if sys.stdin is not None and sys.stdin.isatty():
        threading.Thread(target=_ask_again, args=(keys,), daemon=True).start()


def _open(address: str, leading: Path) -> None:
    """Opens the browser by way of a file that this user alone can read: others see a process's
    words, and so its address.
    """
    leading.write_bytes(onward(address))
    leading.chmod(0o600)
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(leading.as_uri())


def _ask_again(keys: Keys) -> None:
    for _ in sys.stdin:
        print(keys.address(), flush=True)


def _leave(commands: Commands) -> None:
    """Ends what only the pages waited for, and says what goes on."""
    left = commands.running("release")
    commands.end()
    end = time.monotonic() + SOON
    while (
        any(job.running and job.progress()["step"] == "starting" for job in left)
        and time.monotonic() < end
    ):
        time.sleep(
            0.05
        )  # it still reads the flags that were confirmed, and they go with the studio
    for job in left:
        print(
            f"a release goes on by itself, into {job.then.get('out', 'its folder')}; the ledger"
            " will say what it spent",
            flush=True,
        )


def _error_words(request: Request, error: Exception) -> Response:
    """Says what is wrong and what to do, as the command line does."""
    return page(request, "wrong.html", status=400, words=getattr(error, "terminal_line", ""))


def _missing(request: Request, error: Exception) -> Response:
    return page(
        request,
        "wrong.html",
        status=getattr(error, "status_code", 404),
        words="There is no such page; begin again from the first one.",
    )


def _failed(request: Request, error: Exception) -> Response:
    """Says that the studio failed, without a word of what it held: a traceback could quote the
    survey.
    """
    words = (
        f"The studio failed inside ({type(error).__name__}). Nothing was spent by this page; go"
        " back and try again."
    )
    return page(request, "wrong.html", status=500, words=words)
