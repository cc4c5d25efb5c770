"""How long is the way from a survey's file to a released map in the studio? `python benchmarks/studio_way.py`

Goes it in Chromium, with a mouse, on three invented exports in the shape of real ones: a GBIF download of 50 columns, a county's
records in grid references, a heritage table of 40 columns. Printed for each are the clicks, the words that stand in view on the way,
and the seconds that one waits for a page. Before this way there were 34 clicks and 3,370 words; asked are about 7 and 1,200.
"""

import csv
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from builders.pages import driver, launched
from builders.releasing import Program
from builders.whole_way import arrived
from survey.fixtures import GBIF

ROWS = 4_000
HERITAGE = """EAMENA ID,Resource Name,Resource Type,Site Feature Interpretation Type,Site Feature Interpretation Certainty,Site Feature Form,Cultural Period
Cultural Sub-Period,Period Certainty,Overall Condition State,Damage Extent Type,Disturbance Cause Type,Disturbance Certainty,Threat Type,Threat Probability
Assessment Investigator,Assessment Activity Type,Assessment Activity Date,Location Certainty,Geometry Extent Certainty,Longitude,Latitude,Grid ID,Country
Administrative Division,Address,Topography Type,Land Cover Type,Land Cover Assessment Date,Marine Environment Type,Geology,Hydrology,Depth,Measurement Unit
Measurement Type,Measurement Number,Imagery Source,Imagery Date,Bibliography,Remarks""".replace(
    "\n", ","
).split(",")
RECORDS = "Recorder,Determiner,Common name,Taxon,Date,Grid reference,Location,Vice county,Abundance,Sex,Stage,Certainty,Record ID,Comment".split(
    ","
)


def people(chance: random.Random) -> str:
    """One recorder: a few record much."""
    return f"Recorder {int(300 * chance.random() ** 3)}"


def write(path: Path, columns: list[str], rows: list[dict[str, object]], mark: str = ",") -> None:
    """Writes a table."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, delimiter=mark, restval="")
        table.writeheader()
        table.writerows(rows)


def gbif(folder: Path, chance: random.Random) -> str:
    """A download of sightings around Kenya's lakes."""
    rows = [
        {
            "gbifID": at,
            "decimalLatitude": round(chance.gauss(-0.5, 0.9), 4),
            "decimalLongitude": round(chance.gauss(36.2, 0.8), 4),
            "recordedBy": people(chance),
            "eventDate": f"{chance.randrange(2015, 2026)}-05-{chance.randrange(1, 29):02}",
            "occurrenceStatus": "PRESENT",
            "countryCode": "KE",
        }
        for at in range(ROWS)
    ]
    write(folder / "0012345-260101120000000.csv", GBIF, rows, "\t")
    return "Kenya"


def records(folder: Path, chance: random.Random) -> str:
    """A county's records, each in a square of the British grid."""
    rows = [
        {
            "Recorder": people(chance),
            "Taxon": "Invented fritillary",
            "Date": f"{chance.randrange(1, 29):02}/06/{chance.randrange(2015, 2026)}",
            "Grid reference": f"S{chance.choice('TUYZ')}{chance.randrange(10)}{chance.randrange(10)}{chance.randrange(10)}{chance.randrange(10)}",
            "Record ID": at,
            "Certainty": chance.choice(["certain", "likely"]),
        }
        for at in range(ROWS)
    ]
    write(folder / "county butterflies 2015-2025.csv", RECORDS, rows)
    return "Dorset"


def heritage(folder: Path, chance: random.Random) -> str:
    """A table of sites, of which each may stand in several rows."""
    rows = [
        {
            "EAMENA ID": f"EAMENA-{int(1200 * chance.random()):07}",
            "Site Feature Interpretation Certainty": chance.choice(
                ["Definite", "Possible", "Probable", "Negligible", "High"]
            ),
            "Longitude": round(chance.gauss(36.2, 0.4), 4),
            "Latitude": round(chance.gauss(31.2, 0.6), 4),
            "Assessment Investigator": people(chance),
        }
        for _ in range(ROWS)
    ]
    write(folder / "heritage_sites.csv", HERITAGE, rows)
    return "Jordan"


class Way:
    """One way through the studio: what was clicked, read and waited for."""

    def __init__(self, page) -> None:
        self.page = page
        self.clicks = 0
        self.words = 0
        self.waited = 0.0

    def click(self, selector: str) -> None:
        """Clicks once."""
        self.page.locator(selector).first.click()
        self.clicks += 1

    def type(self, selector: str, text: str) -> None:
        """Clicks into a field and types."""
        self.click(selector)
        self.page.keyboard.type(text)

    def lead(self, selector: str, to: str) -> None:
        """Clicks what leads on, and waits until the next page is there."""
        self.click(selector)
        began = time.perf_counter()
        arrived(self.page, to)
        self.waited += time.perf_counter() - began

    def read(self) -> None:
        """Counts the words in view; what every page has is read once."""
        self.words += len(self.page.inner_text("main").split())


def walk(make, page, folder: Path) -> tuple[Way, str]:
    """Goes the way on one export."""
    land = make(folder, random.Random(7))
    studio = Program(folder)
    way = Way(page)
    page.context.add_cookies(
        [{"name": studio.keys.name, "value": studio.keys.cookie, "url": f"http://{studio.host}"}]
    )
    page.goto(f"http://{studio.host}/")
    way.read()
    way.lead(".files button", "#the-file")
    unit = page.locator("input[name=unit]:checked + label").inner_text()
    way.read()
    if page.input_value("#country") != land:
        way.type("#country", land)
    way.lead(
        "main button:has-text('Go on'):visible", "legend:has-text('How strong is the protection?')"
    )
    way.read()
    way.lead("main button:has-text('Go on'):visible", "h1:has-text('Release this map for ever?')")
    way.read()
    way.type("#authorised_by", "Records centre")
    way.type("#name", page.locator("label[for=name] strong").inner_text())
    way.lead("button:has-text('Release it for ever')", "h1:has-text('Released')")
    way.read()
    studio.killed()
    return way, unit


def main() -> None:
    with driver(), launched() as browser:
        for make in (gbif, records, heritage):
            with tempfile.TemporaryDirectory() as place:
                page = browser.new_context(viewport={"width": 1200, "height": 800}).new_page()
                way, unit = walk(make, page, Path(place))
                page.close()
            print(
                f"{make.__name__}: {way.clicks} clicks, {way.words:,} words in view, {way.waited:.0f} s waited for pages;"
                f" ticked as protected: {unit}"
            )
    print("asked: about 7 clicks, 1,200 words, ten minutes")


if __name__ == "__main__":
    main()
