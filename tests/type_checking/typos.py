"""Slips of the pen: each line marked `# error` must be an error to mypy and to pyright, and no other. Nothing here is run."""

import dpmap as dm

# names
dm.relase  # error
dm.Gird  # error
dm.errors.Refusd  # error
dm.engines.DuckDb()  # error
dm.local.Qestion  # error


def annotated(release: dm.Relaese) -> None:  # error
    """A misspelt annotation."""


# options
dm.read("a.csv", unti="observer_id")  # error
dm.read("a.csv", wher="year > 2020")  # error
dm.read("a.csv", unit=5)  # error
dm.read("a.csv", missing_unit="dorp")  # error
dm.read("a.csv", consent_by="rows")  # error
dm.read("a.csv", header_row="two")  # error
dm.read("a.csv", max_uncertainty=["1 km"])  # error
dm.read("a.csv", crs=dm.Grid)  # error
dm.Policy(epsilom="1", unit="observer_id", cap=5)  # error
dm.Policy(epsilon=1, unit="observer_id", cap=5, limiter="scal")  # error
dm.Policy(epsilon=None, unit="observer_id", cap=5)  # error
dm.Policy(epsilon=1, unit="observer_id", cap=[5])  # error
dm.Policy("1", "observer_id", 5)  # error
dm.Grid.covering("area.gpkg", cel="1 km")  # error
dm.Grid.covering("area.gpkg")  # error
dm.Grid.covering(None, cell="1 km")  # error
dm.Grid.covering(5, cell="1 km")  # error
dm.Grid(bounds=(0, 0, 1), shape=(2, 2), crs="EPSG:4326")  # error
dm.Kinds("species", "Kestrel")  # error
dm.open(5)  # error
dm.open("a.dpmap", layer="x")  # error
dm.simulate([[1]], epsilon=1, strategie="flat")  # error
dm.epsilon_for(5, eror=10)  # error


def make(survey: dm.Survey, grid: dm.Grid, policy: dm.Policy) -> dm.Release:
    """A call of `release`, with each slip."""
    dm.release(survey, grid, policy, dataset="Raptors")  # error
    dm.release(survey, grid, policy, ledger="a", datset="Raptors")  # error
    dm.release(survey, grid, policy, ledger="a", dataset="Raptors", buget=3)  # error
    dm.release(survey, grid, policy, ledger="a", dataset="Raptors", budget={3})  # error
    dm.release(grid, survey, policy, ledger="a", dataset="Raptors")  # error
    dm.release(survey, grid, policy, ledger="a", dataset="Raptors", notes="a")  # error
    dm.plan(grid, policy, unit=100)  # error
    dm.plan(grid, policy, each=[1])  # error
    dm.plan_years(grid, policy, years=3)  # error
    tiers = dm.release(survey, grid, policy, ledger="a", dataset="Raptors", tiers={"public": 1})
    return tiers  # error


def use(release: dm.Release, policy: dm.Policy) -> None:
    """Attributes and methods."""
    release.estimat  # error
    release.asks("zones.gpkg")  # error
    release.ask("zones.gpkg", layr="x")  # error
    release.ask(5)  # error
    release.interval("wide")  # error
    policy.epsilon = 2  # error
    policy.capp  # error
    dm.compare(release, "last.dpmap")  # error
    dm.compare(release, release, zones=5)  # error
    dm.merge(release)  # error
    for answer in dm.read("a.csv"):  # error
        print(answer)
