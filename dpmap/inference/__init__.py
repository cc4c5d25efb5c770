"""From measurements to a map: a pure function of public values, free to run again."""

from dpmap.grid import Grid
from dpmap.inference.estimate import Estimate, discoveries
from dpmap.inference.flat import FlatEstimate
from dpmap.inference.layered import LayeredEstimate
from dpmap.inference.means import MeanEstimate
from dpmap.inference.merged import MergedEstimate
from dpmap.inference.reported import ReportedEstimate
from dpmap.record import Measurement, Record, Reports

__all__ = ["Estimate", "discoveries", "infer", "read"]


def read(record: Record) -> Estimate:
    """The best reading of a record; of a merged one, the sum of its partners' readings, layer by layer."""
    if not record.partners:
        return infer(record.grid, record.measurements)
    if record.grid.axes:
        return LayeredEstimate(record.grid.shape, [read(record.layer(names)) for names in record.grid.layers])
    read_alone = ((one.grid, one.measurements[-1], infer(one.grid, one.measurements)) for one in record.partners)
    return MergedEstimate(record.grid, list(read_alone))


def infer(grid: Grid, measurements: tuple[Measurement, ...]) -> Estimate:
    """The best reading dpmap knows of these measurements.

    A map in which every cell was measured once by itself is read as the mechanism gave it; anything else through the
    tree of its regions. Layers are read one by one.
    """
    if grid.mean is not None and len(grid.axes) == 1:
        return MeanEstimate(grid.mean, measurements[-1])
    if grid.axes:
        within = ([measurement.within(place) for measurement in measurements] for place in grid.maps.values())
        parts = [infer(grid.single, tuple(m for m in layer if m)) for layer in within]
        along = grid.shape[: len(next(iter(grid.maps)))]
        return LayeredEstimate((*along, *grid.cells.shape), parts)
    last = measurements[-1]
    if isinstance(last, Reports):
        return ReportedEstimate(last)
    if last.kind == "gaussian" or (len(measurements) == 1 and last.partition.regions == grid.cells_inside):
        return FlatEstimate(last)
    from dpmap.inference.tree import TreeEstimate  # scipy, which a flat map does not need

    return TreeEstimate.of(grid, measurements) or FlatEstimate(last)
