"""How long does one wait for the studio? `python benchmarks/studio.py [ROUNDS]`

From the start of `dpmap studio FOLDER` to its first page, whole; and, over a folder with a survey of a million rows that this
program makes, from the click on "show me, I am the operator" to the page with its true numbers, with the steps that the page told
meanwhile. Asked are under 1 s and under 5 s. Printed are the middle and the least of all rounds, in wall seconds.
"""

import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
ROWS = 1_000_000
FIRST, INSPECTED = 1.0, 5.0


def survey(path: Path) -> None:
    """Writes a survey of a million sightings by 20,000 people."""
    import duckdb

    columns = "i AS sighting_id, 'p' || (i * 7919 % 20000) AS observer_id, -9 + (i * 104729 % 1000003) / 76923.0 AS longitude"
    more = "36 + (i * 15485863 % 1000003) / 125000.0 AS latitude, DATE '2020-01-01' + CAST(i % 1800 AS INTEGER) AS date"
    duckdb.execute(
        f"COPY (SELECT {columns}, {more}, 'kite' AS species, 'yes' AS consent FROM range({ROWS}) r(i)) TO '{path}' (HEADER)"
    )


class Studio:
    """A studio in a process of its own, and the browser that opened it."""

    def __init__(self, folder: Path):
        command = [sys.executable, "-m", "dpmap", "studio", str(folder), "--no-browser"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        address = urlsplit(self.process.stdout.readline().split()[-1])
        assert address.port
        self.line, self.host = (
            http.client.HTTPConnection(address.hostname, address.port),
            address.netloc,
        )
        self.headers: dict[str, str] = {}
        self.headers = {
            "Cookie": self.ask("GET", f"{address.path}?{address.query}")[1]["set-cookie"].partition(
                ";"
            )[0]
        }

    def ask(self, method: str, place: str, **fields: str) -> tuple[str, http.client.HTTPMessage]:
        """Returns a page and its headers, after every redirect."""
        form = {
            "Origin": f"http://{self.host}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.line.request(method, place, urlencode(fields) or None, {**self.headers, **form})
        answer = self.line.getresponse()
        text = answer.read().decode()
        assert answer.status in (200, 303), text
        return (
            self.ask("GET", answer.headers["location"])
            if answer.status == 303
            else (text, answer.headers)
        )

    def end(self) -> None:
        """Ends it."""
        self.process.terminate()
        self.process.wait()


def first(folder: Path) -> float:
    """Returns the seconds from the start to the first page."""
    began = time.perf_counter()
    studio = Studio(folder)
    studio.ask("GET", "/")
    took = time.perf_counter() - began
    studio.end()
    return took


def inspected(folder: Path) -> tuple[float, list[str]]:
    """Returns the seconds from the click to the true numbers, and the steps that were told."""
    studio = Studio(folder)
    survey_id = re.findall(r'name="survey" value="([^"]+)"', studio.ask("GET", "/")[0])[0]
    page, _ = studio.ask("POST", "/begin", survey=survey_id, dataset="A million")
    place = re.findall(r'action="([^"]+)/look"', page)[0]
    began, steps = time.perf_counter(), []
    page, _ = studio.ask("POST", f"{place}/look", look="yes")
    while running := re.search(r'data-job="([^"]+)"', page):
        told, _ = studio.ask("GET", f"{running[1]}/progress")
        steps.append(told)
        page, _ = studio.ask("GET", running[1])
    took = time.perf_counter() - began
    assert f"{ROWS:,}" in page
    studio.end()
    for made in folder.glob("*.toml"):
        made.unlink()
    return took, steps


def told(what: str, took: list[float], asked: float) -> None:
    """Prints one line."""
    print(
        f"{what}: {statistics.median(took):.2f} s in the middle, {min(took):.2f} s at best, under {asked:g} s is asked"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        told("first page of an empty folder", [first(Path(place)) for _ in range(ROUNDS)], FIRST)
        survey(Path(place) / "million.csv")
        told("first page beside a million rows", [first(Path(place)) for _ in range(ROUNDS)], FIRST)
        rounds = [inspected(Path(place)) for _ in range(ROUNDS)]
        told("a million rows inspected", [took for took, _ in rounds], INSPECTED)
        print(
            "told meanwhile:",
            *dict.fromkeys(step for _, steps in rounds for step in steps),
            sep="\n  ",
        )
