"""Maps that are ready to be confirmed, and a studio in a process of its own that can be killed."""

import http.client
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

from builders.studios import SAMPLES, Browser
from builders.waiting import LONG
from dpmap.ledger.ledger import Ledger

FLAGS = """unit = "observer_id"
cap = 5
area = "study_area.gpkg"
cell = "20 km"
consent = "consent=yes"
strategy = "flat"
"""
STAMPS = {"authorised_by": "", "purpose": "", "expires": "", "label": ""}


def filled(folder: Path) -> Path:
    """A new folder with the sample survey and its area."""
    folder.mkdir()
    for name in ("raptors.csv", "study_area.gpkg"):
        shutil.copy(SAMPLES / name, folder)
    return folder


def ready(
    browser: Browser, dataset: str = "Raptors 2026", *, epsilon="0.5", budget="2", more: str = ""
) -> str:
    """Begins a map that lacks nothing, and returns the start of its pages' addresses."""
    place = browser.begin("raptors.csv", dataset=dataset)
    (draft,) = (one for one in browser.folder.glob("*.toml") if "cap =" not in one.read_text())
    paid = f'epsilon = "{epsilon}"\n' + (f'budget = "{budget}"\n' if budget else "")
    draft.write_text(draft.read_text() + FLAGS + paid + more)
    return place


def shown(page) -> dict[str, str]:
    """What a form of the confirm page sends if nothing is typed."""
    found = {
        name: re.search(f'name="{name}" value="([^"]*)"', page.text)[1] for name in ("mark", "word")
    }
    return found | STAMPS


def confirmed(browser: Browser, place: str, name: str = "Raptors 2026", **fields):
    """Reads the confirm page, types the name and releases; returns the page that follows."""
    told = shown(browser.get(f"{place}/confirm")) | fields
    return browser.post(f"{place}/confirm", told | {"name": name, "release": "yes"})


def paid(folder: Path) -> list[str]:
    """The epsilon of each reservation in the folder's ledger, after its chain was verified."""
    events = [event for path in sorted(folder.glob("*.ledger")) for event in Ledger(path).events()]
    return [event.body["epsilon"] for event in events if event.body["kind"] == "reserve"]


class Program(Browser):
    """A studio in a process of its own, as `dpmap studio FOLDER` starts it."""

    def __init__(self, folder: Path, env: "dict[str, str] | None" = None):
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dpmap", "studio", str(folder), "--no-browser"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=folder, env=env,
        )  # fmt: skip
        address = urlsplit(re.search(r"http\S+", self.process.stdout.readline())[0])
        self.home, self.port = address.hostname, address.port
        line = http.client.HTTPConnection(self.home, self.port, timeout=LONG)
        line.request("GET", f"{address.path}?{address.query}")
        name, value = line.getresponse().headers["set-cookie"].split(";")[0].split("=", 1)
        line.close()
        self.keys = SimpleNamespace(name=name, cookie=value)

    def killed(self) -> None:
        """Kills the studio as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(LONG)
        self.process.stdout.close()
        self.process.stderr.close()


def faulty(line: str, only: str):
    """Stands in for the studio's own commands: one of them runs after a line that makes something fail."""
    code = f"import os, sys, signal\n{line}\nfrom dpmap.cli import main\nmain()"
    return lambda words: [
        sys.executable,
        "-P",
        *(["-c", code] if words[0] == only else ["-m", "dpmap"]),
        *words,
    ]


def whole(folder: Path) -> bool:
    """Whether no half-written file is left below a folder, and none of a release is missing."""
    left = [path for path in folder.rglob(".*") if path.is_file()]
    out = folder / "raptors-2026-map"
    return not left and all(
        (out / name).exists()
        for name in ("release.dpmap", "statement.md", "map.html", "cells.gpkg")
    )
