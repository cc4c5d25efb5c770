"""Invented surveys, and one small release of every kind that dpmap can make of them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import dpmap as dm

BOX = (-4.0, 56.0, -3.0, 56.6)
GRID = dict(bounds=BOX, shape=(6, 8), crs="EPSG:4326")
KINDS: dict[str, Callable[..., Any]] = {}
"""Each kind of file by its name, and what makes it."""


def kind(make: Callable[..., Any]) -> Callable[..., Any]:
    """Names a kind of file by the function that makes one."""
    KINDS[make.__name__.replace("_", "-")] = make
    return make


class Field:
    """A folder with an invented survey, its area, its sites, and a ledger."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.ledger, self.survey = (
            folder,
            folder / "nests.ledger",
            folder / "survey.csv",
        )
        self.kept: dict[str, Path] = {}
        dice = np.random.default_rng(20)
        lines = ["observer_id,team,longitude,latitude,date,species,number,consent,comfort,nest_id"]
        for row in range(400):
            who = int(dice.integers(40))
            west, south = (
                dice.normal((-3.6, 56.35), 0.09) if row % 3 else dice.uniform(BOX[:2], BOX[2:])
            )
            lines.append(
                f"obs-{who},obs-{who}; obs-{who % 7 + 40},{west:.4f},{south:.4f},{2024 + row % 2}-0{row % 9 + 1}-15,"
                f"{('Kestrel', 'Owl')[row % 5 == 0]},{row % 4 + 1},{'yes' if row % 11 else 'no'},"
                f"{('0.1', '0.5', '1')[who % 3]},nest-{who % 12}"
            )
        self.survey.write_text("\n".join(lines) + "\n")
        sites = [f"nest-{n},{-3.95 + n * 0.08:.3f},{56.05 + n % 5 * 0.11:.3f}" for n in range(12)]
        (folder / "nests.csv").write_text("\n".join(["nest_id,longitude,latitude", *sites]) + "\n")
        corners = [[-4, 56], [-3, 56], [-3, 56.3], [-3.5, 56.6], [-4, 56.4], [-4, 56]]
        halves = [
            [[-4, 56], [-3.5, 56], [-3.5, 56.6], [-4, 56.6], [-4, 56]],
            [[-3.5, 56], [-3, 56], [-3, 56.6], [-3.5, 56.6], [-3.5, 56]],
        ]
        _polygons(folder / "area.geojson", [corners], ["The moor"])
        _polygons(folder / "districts.geojson", halves, ["West", "East"])

    def release(
        self,
        grid: Any = None,
        reading: "dict[str, Any] | None" = None,
        promise: "dict[str, Any] | None" = None,
        **more: Any,
    ) -> Any:
        """Releases the survey: flat noise on squares in degrees for each observer, unless told otherwise."""
        survey = dm.read(
            self.survey, x="longitude", y="latitude", crs="EPSG:4326", **(reading or {})
        )
        policy = dm.Policy(**{"epsilon": "1", "unit": "observer_id", "cap": 5, **(promise or {})})
        spending = {
            "ledger": self.ledger,
            "dataset": "Invented owls",
            "budget": "5",
            "strategy": "flat",
            **more,
        }
        return dm.release(survey, grid or dm.Grid(**GRID), policy, **spending)


def _polygons(path: Path, rings: list[Any], names: list[str]) -> None:
    import json

    features = [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": {"type": "Polygon", "coordinates": [ring]},
        }
        for name, ring in zip(names, rings, strict=True)
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))


# --- grids and strategies ----------------------------------------------------------------------------------------


@kind
def flat(field):
    return field.release(promise={"consent": "consent=yes"})


@kind
def adaptive(field):
    return field.release(dm.Grid(bounds=BOX, shape=(24, 32), crs="EPSG:4326"), strategy="adaptive")


@kind
def masked_squares(field):
    return field.release(dm.Grid.covering(field.folder / "area.geojson", cell="10 km"))


@kind
def national_grid(field):
    return field.release(
        dm.Grid.covering(field.folder / "area.geojson", cell="10 km", crs="EPSG:27700")
    )


@kind
def hexagons(field):
    return field.release(dm.Grid.hexagons(field.folder / "area.geojson", resolution=5))


@kind
def areas(field):
    return field.release(dm.Grid.areas(field.folder / "districts.geojson"))


@kind
def sparse(field):
    return field.release(
        dm.Grid(bounds=BOX, shape=(60, 80), crs="EPSG:4326"),
        promise={"epsilon": "2", "cap": 1},
        strategy="sparse:4",
    )


@kind
def custom_strategy(field):
    """Regions that cross, chosen by a strategy of the releaser's own."""

    def stripes(session):
        for labels in np.indices(session.grid.shape):
            session.measure(dm.Partition(labels), session.epsilon / 4)
        session.measure(dm.Partition.cells(session.grid), session.epsilon / 2)

    return field.release(strategy=stripes)


@kind
def kinds_and_times(field):
    grid = dm.Grid(bounds=BOX, shape=(3, 4), crs="EPSG:4326")
    return field.release(
        grid.layered(
            dm.Kinds("species", ("Kestrel", "Owl")), dm.Times("date", ("2024", "2025", "2026"))
        )
    )


@kind
def kinds(field):
    grid = dm.Grid(bounds=BOX, shape=(12, 16), crs="EPSG:4326")
    return field.release(grid.layered(dm.Kinds("species", ("Kestrel", "Owl"))), strategy="adaptive")


@kind
def times(field):
    return field.release(
        dm.Grid.hexagons(field.folder / "area.geojson", resolution=5).layered(
            dm.Times("date", ("2024", "2025", "2026"))
        )
    )


@kind
def public_priors(field):
    effort, tracks = np.add.outer(np.arange(24.0), np.arange(32.0)), np.zeros((24, 32))
    tracks[::5] = 0.3
    cells = dm.Grid(bounds=BOX, shape=(24, 32), crs="EPSG:4326")
    return field.release(cells, strategy="adaptive", prior=[effort, tracks])


# --- what is counted ---------------------------------------------------------------------------------------------


@kind
def individuals(field):
    return field.release(reading={"count": "number", "max_count": 4}, promise={"cap": 12})


@kind
def means(field):
    return field.release(
        dm.Grid(bounds=BOX, shape=(3, 4), crs="EPSG:4326"),
        reading={"mean": "number", "between": (1, 4)},
    )


@kind
def teams(field):
    return field.release(reading={"team": "auto"}, promise={"unit": "team"})


@kind
def selected_rows(field):
    return field.release(
        reading={
            "where": "species = 'Owl'",
            "since": "date=2024",
            "until": "2024-12",
            "dates": "iso",
        }
    )


@kind
def nobody_in_it(field):
    head = field.survey.read_text().splitlines()[0]
    field.survey.write_text(f"{head}\n")
    return field.release()


# --- who is protected, and how -----------------------------------------------------------------------------------


@kind
def rows(field):
    return field.release(promise={"unit": "row", "cap": 1})


@kind
def two_columns_one_unit(field):
    return field.release(promise={"unit": "observer_id+species"})


@kind
def own_units(field):
    return field.release(reading={"missing_unit": "own-unit"})


@kind
def withdrawal(field):
    return field.release(reading={"consent_by": "unit"}, promise={"consent": "consent=yes"})


@kind
def presence(field):
    return field.release(promise={"limiter": "presence"})


@kind
def sampled_rows(field):
    return field.release(promise={"limiter": "sample", "cap_origin": "after inspection"})


@kind
def chosen_cap(field):
    return field.release(promise={"cap": "auto:0.05"})


@kind
def sample_of_units(field):
    return field.release(promise={"sample": "20%", "epsilon": "0.5"})


@kind
def personal_limits(field):
    return field.release(
        promise={"epsilon": "0.25", "epsilon_by": "comfort=0.1,0.5,1", "lifetime": "25%"}
    )


@kind
def sites(field):
    nests = dm.read(
        field.folder / "nests.csv", x="longitude", y="latitude", crs="EPSG:4326", unit="nest_id"
    )
    return field.release(promise={"site": "nest_id"}, sites=nests)


@kind
def gaussian(field):
    return field.release(promise={"delta": "1e-6", "cap": 25, "units": 5000}, budget_delta="1e-5")


@kind
def opendp_noise(field):
    return field.release(noise="opendp")


# --- ledgers, readers, partners ----------------------------------------------------------------------------------


@kind
def share_of_a_plan(field):
    dm.Ledger(field.ledger).plan("3", releases=12)
    return field.release(
        promise={"epsilon": dm.Ledger(field.ledger).next_share("Invented owls")}, budget="3"
    )


@kind
def disjoint_data_sets(field):
    field.release()
    dm.Ledger(field.ledger).disjoint(
        ["Invented owls", "Invented owls of the east"], signed_by="Ada Invented"
    )
    return field.release(dataset="Invented owls of the east")


@kind
def other_units(field):
    """The last release of a ledger that holds others by other units."""
    field.release(promise={"unit": "row"}, dataset="Single sightings")
    field.release(promise={"unit": "nest_id"}, dataset="Invented owls by nest")
    return field.release()


@kind
def governed(field):
    stamp = dm.Governance(
        "The moor's council", "Planning of paths", "2099-12-31", ("TK Attribution",)
    )
    grid = dm.Grid(bounds=BOX, shape=(3, 4), crs="EPSG:4326")
    return field.release(
        grid, governance=stamp, sensitivity="gbif-2", notes={"told to": "the council", "copies": 3}
    )


@kind
def tiers(field):
    return field.release(
        promise={"epsilon": "3"}, tiers={"public": "0.3", "partners": 1, "manager": 3}
    )


@kind
def adaptive_tiers(field):
    return field.release(
        promise={"epsilon": "2"}, tiers={"public": "0.5", "manager": 2}, strategy="adaptive"
    )


@kind
def ledger(field):
    """A ledger of every event that its dpmap knows, and the last release that it paid for."""
    field.release(budget="6")
    book = dm.Ledger(field.ledger)
    if hasattr(book, "disjoint"):
        book.disjoint(["Invented owls", "Invented owls of the east"], signed_by="Ada Invented")
        field.release(dataset="Invented owls of the east", budget="6")
    if "delta" in getattr(dm.Policy, "__slots__", ()):
        field.release(promise={"delta": "1e-6", "cap": 25}, budget="6", budget_delta="1e-5")
    if hasattr(book, "plan"):
        book.plan("2", releases=4)
    field.kept["ledger.ledger"] = field.ledger
    return field.release(promise={"epsilon": "0.5"}, budget="6")


@kind
def sealed_tiers(field):
    """A file of sealed tiers, and each tier as it was opened from there."""
    sealed = field.folder / "tiers.sealed"
    field.release(
        promise={"epsilon": "3"}, tiers={"public": "0.3", "partners": 1, "manager": 3}, seal=sealed
    )
    field.kept["sealed-tiers.sealed"] = sealed
    return {
        name: dm.unseal(sealed, name, field.folder / f"{name}.dpmap")
        for name in ("public", "partners", "manager")
    }


@kind
def merged(field):
    west, east = (
        dm.Grid(bounds=(side, 56.0, side + 0.5, 56.6), shape=(6, 4), crs="EPSG:4326")
        for side in (-4.0, -3.5)
    )
    return dm.merge([field.release(west), field.release(east, dataset="Invented owls of the east")])


@kind
def merged_disjoint(field):
    return dm.merge(
        [field.release(), field.release(dataset="Other owls")], signed_by="Ada Invented"
    )


# --- nobody trusted ----------------------------------------------------------------------------------------------


def _reported(shape: tuple[int, int], epsilon: str) -> Any:
    question = dm.local.ask(
        dm.Grid(bounds=BOX, shape=shape, crs="EPSG:4326"),
        epsilon,
        title="Invented owls",
        text="Where did you hear one?",
    )
    cells = [n % question.cells if n % 4 else None for n in range(300)]
    return dm.local.aggregate([dm.local.randomise(cell, question) for cell in cells], question)


@kind
def reports_grr(field):
    return _reported((2, 3), "3")


@kind
def reports_oue(field):
    return _reported((6, 8), "1")


@kind
def reports_governed(field):
    question = dm.local.ask(
        dm.Grid(bounds=BOX, shape=(2, 3), crs="EPSG:4326"), "2", title="Owls", text="Where?"
    )
    stamp = dm.Governance("The moor's council")
    return dm.local.aggregate(
        [dm.local.randomise(n % 6, question) for n in range(200)], question, governance=stamp
    )


def made(name: str, folder: "str | os.PathLike[str]") -> "dict[str, Any]":
    """Makes the release, or the releases of one draw, of a kind, and the files beside; by the names that their files have."""
    field = Field(Path(folder))
    release = KINDS[name](field)
    if isinstance(release, dm.Release):
        return {f"{name}.dpmap": release, **field.kept}
    return {**{f"{name}-{tier}.dpmap": one for tier, one in release.items()}, **field.kept}
