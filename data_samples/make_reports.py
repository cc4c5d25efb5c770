"""Writes question.json and reports.jsonl: what the invented volunteers' own devices would send, each about its main cell.

Their randomness is the system's, so the reports differ each time; question.json is kept, unless it is not there.
"""

from pathlib import Path

import pandas as pd

import dpmap as dm

HERE = Path(__file__).parent


def main_cells():
    """For each volunteer of the survey the cell of 20 km with most of her sightings; none where that is outside."""
    grid = dm.Grid.covering(HERE / "study_area.gpkg", cell="20 km")
    rows = pd.read_csv(HERE / "raptors.csv").dropna(subset=["observer_id", "longitude", "latitude"])
    rows = rows[rows["consent"] == "yes"]
    number = {int(place): cell for cell, place in enumerate(grid.to_geodataframe()["cell"])}
    rows["cell"] = [
        number.get(int(place), -1)
        for place in grid.locate(rows["longitude"], rows["latitude"], "EPSG:4326")
    ]
    most = rows.groupby("observer_id")["cell"].agg(lambda cells: cells.value_counts().index[0])
    return grid, [None if cell < 0 else int(cell) for cell in most]


if __name__ == "__main__":
    grid, cells = main_cells()
    if not (HERE / "question.json").exists():
        asked = dm.local.ask(
            grid,
            "3",
            title="Raptors, spring 2026 (invented)",
            text="In which cell did you see most of them?",
        )
        dm.local.write_question(asked, HERE / "question.json")
    asked = dm.local.read_question(HERE / "question.json")
    lines = [dm.local.randomise(cell, asked) for cell in cells]
    (HERE / "reports.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines)} reports, mechanism {asked.mechanism}")
