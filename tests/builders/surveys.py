"""Surveys of invented people: the file, the survey read from it, and a release of it."""

import dpmap as dm

HEAD = "who,longitude,latitude"
DEGREE = dict(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
METRES = dict(x="x", y="y", crs="EPSG:3857")


def grid(**changed):
    """Four rows of five cells on one square degree, or what is changed of it."""
    return dm.Grid(**{**DEGREE, **changed})


def scattered(count, people=7, more=""):
    """Rows that visit every part of that degree, by a few people in turn."""
    return [
        f"p{i % people},{(i * 37 % 100) / 100},{50 + (i * 53 % 100) / 100}{more}"
        for i in range(count)
    ]


def written(folder, rows, head=HEAD, name="survey.csv"):
    """A CSV file of these rows, each a line or its values; it ends with a line break."""
    lines = [row if isinstance(row, str) else ",".join(map(str, row)) for row in rows]
    path = folder / name
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return path


def survey(folder, rows, head=HEAD, *, name="survey.csv", **read):
    """The sealed survey of these rows."""
    return dm.read(written(folder, rows, head, name), **read)


def released(rows, folder, cells=None, policy=None, **options):
    """A release of a survey, or of rows, with its ledger in the folder: cheap and plain where nothing else is said."""
    rows = survey(folder, rows) if isinstance(rows, list) else rows
    settings = {
        "ledger": folder / "x.ledger",
        "dataset": "d",
        "budget": 9,
        "strategy": "flat",
        "confirm_epsilon": True,
        **options,
    }
    return dm.release(
        rows, cells or grid(), policy or dm.Policy(epsilon=1, unit="who", cap=3), **settings
    )
