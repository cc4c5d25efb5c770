"""Shows the layers of one release in the same classes, so that a season can be compared with the
next by its colour.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from dpmap.record import Record
from dpmap.record.metadata import About
from dpmap.render.page_data import shared_edges

if TYPE_CHECKING:
    from dpmap.releases.release import Release


def classes(whole: "Release") -> list[float]:
    """Returns the edges of the classes of all layers together: those of their page."""
    return shared_edges(
        [(one.record, one.reading) for one in whole.layers.values()], level=0.9, per_km2=True
    )


def alike(record: Record, edges: list[float]) -> Record:
    """Returns a layer's record that is shown in these classes."""
    return replace(record, about=About.from_mapping({**record.about.to_dict(), "edges": edges}))
