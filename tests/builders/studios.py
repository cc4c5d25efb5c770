"""A studio over a folder of its own, on a real port, asked as the operator's browser asks."""

import http.client
import re
import shutil
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import uvicorn

from builders.waiting import LONG, until
from dpmap.studio.auth import Keys
from dpmap.studio.folder import BrowsedFolder
from dpmap.studio.server import guard_pages, pages_of, settings

SAMPLES = Path(__file__).parents[2] / "data_samples"


@dataclass
class Page:
    """What the studio answered: where from, with which status and headers, and what."""

    place: str
    status: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")


class Browser:
    """Asks one studio as the browser does that the operator opened: with the cookie, and forms from the studio's own pages."""

    home = "127.0.0.1"

    def __init__(self, folder: Path, private: Path):
        self.folder = folder
        private.mkdir(exist_ok=True)
        self.pages = pages_of(BrowsedFolder(folder), str(private))
        self.pages.state.stop = lambda: None
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        self.port = bound.getsockname()[1]
        self.keys = Keys(self.port)
        self.server = uvicorn.Server(settings(guard_pages(self.pages, self.keys)))
        threading.Thread(target=self.server.run, kwargs={"sockets": [bound]}, daemon=True).start()

    @property
    def host(self) -> str:
        return f"{self.home}:{self.port}"

    @property
    def own(self) -> dict[str, str]:
        """Headers of a request from one of the studio's own pages."""
        return {
            "Host": self.host,
            "Origin": f"http://{self.host}",
            "Cookie": f"{self.keys.name}={self.keys.cookie}",
        }

    def ask(
        self, method: str, place: str, body: str | bytes = "", headers: dict[str, str] | None = None
    ) -> Page:
        """Sends one request with exactly these headers, and follows nothing."""
        line = http.client.HTTPConnection(self.home, self.port, timeout=LONG)
        told = self.own if headers is None else headers
        line.putrequest(method, place, skip_host="Host" in told, skip_accept_encoding=True)
        sent = body.encode() if isinstance(body, str) else body
        if method == "POST" and "Content-Type" not in told:
            line.putheader("Content-Type", "application/x-www-form-urlencoded")
        for name, value in told.items():
            line.putheader(name, value)
        if method == "POST":
            line.putheader("Content-Length", str(len(sent)))
        line.endheaders(sent or None)
        answer = line.getresponse()
        page = Page(place, answer.status, answer.headers, answer.read())
        line.close()
        return page

    def get(self, place: str) -> Page:
        return self._followed(self.ask("GET", place))

    def post(self, place: str, fields: dict | None = None) -> Page:
        return self._followed(
            self.ask("POST", place, urlencode(fields or {"sent": "yes"}, doseq=True))
        )

    def _followed(self, page: Page) -> Page:
        while page.status == 303:
            page = self.ask("GET", urlsplit(page.headers["location"]).path)
        return page

    def begin(self, *names: str, dataset: str = "Raptors 2026") -> str:
        """Begins a map of these files, and returns the start of its pages' addresses."""
        ids = [one.id for one in BrowsedFolder(self.folder).surveys() if one.name in names]
        page = self.post("/begin", {"survey": ids, "dataset": dataset})
        assert page.status == 200, page.text
        return page.place.rsplit("/", 1)[0]

    def mark(self, place: str) -> str:
        """Returns the mark of the draft that a page shows."""
        return re.search(r'name="mark" value="([^"]*)"', self.get(place).text)[1]

    def change(self, at: str, /, **fields):
        """Fills in a page's form, or the part of the first page that the fields belong to, and sends it."""
        return self.post(at, {"mark": self.mark(at), "part": _parts(fields), **fields})

    def finished(self, page):
        """Waits for the command that a page watches, and returns the page that shows its answer."""

        def ended():
            nonlocal page
            if (running := re.search(r'data-job="([^"]+)"', page.text)) is None:
                return page
            page = self.get(running[1])
            return None

        return until(ended, lambda: page.text, pause=lambda: time.sleep(0.05))


def _parts(fields) -> list[str]:
    """The parts of the first page that fields belong to."""
    parts = {"who": ("unit",), "where": ("area_way", "cell_way", "times_dates")}
    named = [part for part, names in parts.items() if set(names) & set(fields)]
    return named or ["file"]


def studio(tmp_path: Path, *samples: str) -> Browser:
    """Opens a studio over a new folder that holds these sample files."""
    folder = tmp_path / "survey"
    folder.mkdir()
    for name in samples or ("raptors.csv", "study_area.gpkg", "districts.gpkg"):
        shutil.copy(SAMPLES / name, folder)
    return Browser(folder, tmp_path / "private")
