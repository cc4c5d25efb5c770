"""How the page finds cells of a national grid."""

import dpmap as dm
from dpmap.render import natural_earth, page_geometry


def test_a_small_site_is_not_lost_at_the_rim_of_a_national_grid():
    """Where PROJ changes its operation within the frame, zones of a hundred metres keep their share of a cell, in few bytes."""
    grid = dm.Grid.official("region:England", grid="os-hectad")
    facts = page_geometry.mesh(grid.cells, grid.crs, natural_earth.lonlat_box(grid))
    assert facts["tolerance"] < 1e-5  # of a cell's side
    assert facts["nodes"] <= 65
