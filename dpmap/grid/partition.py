"""Divides cells into disjoint regions: each cell is in at most one, which parallel composition
needs.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput
from dpmap.grid.squares import Squares

if TYPE_CHECKING:
    from dpmap.grid.grid import Grid

Labels = NDArray[np.int32]
Kind = TypeVar("Kind", bound=np.generic)
STRIP = 1 << 18
"""Cells counted at once: what fits a processor's cache, so that large maps need no second array
of their size.
"""
NO_MATCH = -2
"""The mark of a region that is the same as no other; -1 is a cell in no region."""


class Partition:
    """Gives each cell its region: `labels` holds, in grid shape, 0 to regions - 1, or -1 for a cell
    in none.

    `packed` holds the same in as few bytes as their number needs: large maps are first measured in
    few regions.

    >>> Partition(np.array([[0, 0], [1, -1]])).regions
    2
    """

    __slots__ = ("packed", "regions")

    packed: NDArray[np.signedinteger[Any]]
    regions: int

    def __init__(self, labels: Any, regions: int | None = None) -> None:
        label_array = np.asarray(labels)
        if (
            label_array.dtype != np.int32
            and label_array.size
            and label_array.max() > np.iinfo(np.int32).max
        ):
            raise BadInput("partition: at most 2147483647 regions")
        array = np.array(label_array, dtype=np.int32, order="C")
        array.flags.writeable = False
        highest = int(array.max(initial=-1))
        if array.min(initial=0) < -1 or (regions is not None and highest >= regions):
            raise BadInput("partition: labels are -1 (no region) or 0 to regions-1")
        self.packed = array.astype(np.min_scalar_type(min(-1, -1 - highest)), copy=False)
        self.packed.flags.writeable = False
        self.regions = highest + 1 if regions is None else regions

    @property
    def labels(self) -> Labels:
        """Each cell's region."""
        labels = self.packed.astype(np.int32, copy=False)
        labels.flags.writeable = False
        return labels

    def __repr__(self) -> str:
        return f"<Partition: {self.regions:,} regions over {self.packed.shape}>"

    @classmethod
    def cells(cls, grid: "Grid") -> "Partition":
        """Makes each in-area cell of `grid` a region of its own, numbered in row order.

        >>> import dpmap as dm
        >>> dm.Partition.cells(dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")).labels
        array([[0, 1, 2]], dtype=int32)
        """
        labels = np.full(grid.size, -1, dtype=np.int32)
        labels[grid.inside.ravel()] = np.arange(grid.cells_inside, dtype=np.int32)
        return cls(labels.reshape(grid.shape), grid.cells_inside)

    @classmethod
    def whole(cls, grid: "Grid") -> "Partition":
        """Makes all in-area cells of `grid` one region.

        >>> import dpmap as dm
        >>> dm.Partition.whole(dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")).labels
        array([[0, 0, 0]], dtype=int32)
        """
        return cls(np.where(grid.inside, 0, -1), 1)

    def polygons(self, grid: "Grid") -> NDArray[Any]:
        """Returns each region's cells joined into one polygon, in the grid's CRS; an empty one for
        a region of no cell.

        >>> import dpmap as dm
        >>> grid = dm.Grid(bounds=(0, 0, 3, 1), shape=(1, 3), crs="EPSG:3857")
        >>> [shape.bounds for shape in Partition([[0, 0, 1]]).polygons(grid)]
        [(0.0, 0.0, 2.0, 1.0), (2.0, 0.0, 3.0, 1.0)]
        """
        import shapely

        labels = self.labels[grid.inside]
        known = np.flatnonzero(labels >= 0)
        order = known[np.argsort(labels[known], kind="stable")]
        cells = np.flatnonzero(grid.ground.inside)[order]
        sizes = np.bincount(labels[known], minlength=self.regions)
        starts = np.cumsum(sizes) - sizes
        outlines = np.empty(self.regions, dtype=object)
        single = sizes == 1
        outlines[single] = grid.polygons_at(cells[starts[single]])
        joined = sizes != 1
        join = shapely.union_all
        if isinstance(grid.cells, Squares):
            join = shapely.coverage_union_all
            blocks, rectangles = _rectangles(cells, starts, sizes, grid.cells)
            outlines[blocks] = rectangles
            joined[blocks] = False
        for region in np.flatnonzero(joined).tolist():
            start = starts[region]
            outlines[region] = join(grid.polygons_at(cells[start : start + sizes[region]]))
        return outlines

    def spread(self, values: NDArray[Any], outside: float = np.nan) -> NDArray[np.float64]:
        """Writes each region's one of `values` to every cell of it; cells in no region get
        `outside`.

        >>> Partition(np.array([0, 1, -1])).spread(np.array([5.0, 7.0]), outside=0)
        array([5., 7., 0.])
        """
        padded = np.append(np.asarray(values, dtype=np.float64), outside)
        return padded[self.labels]

    def sizes(self) -> NDArray[np.int32]:
        """How many cells each region has.

        >>> Partition(np.array([0, 1, 1, -1])).sizes()
        array([1, 2], dtype=int32)
        """
        # the last entry counts the cells of label -1
        counts = np.zeros(self.regions + 1, dtype=np.int32)
        for strip in strips(self.packed.ravel()):
            np.add.at(counts, strip.astype(np.intp), np.int32(1))
        return counts[:-1]

    def same_in(self, other: "Partition") -> NDArray[np.int32]:
        """Returns for each region the number of the other partition's region that has exactly the
        same cells; -1 where none has.

        Two regions are the same where all cells of each lie in the other. The last cell of each
        region says in which region all its cells should lie; a cell that lies elsewhere marks both
        its regions as different.

        >>> Partition([0, 0, 1, 2]).same_in(Partition([1, 1, 0, 0]))
        array([ 1, -1, -1], dtype=int32)
        """
        match = np.full(self.regions + 1, -1, dtype=np.int32)
        reverse = np.full(other.regions + 1, -1, dtype=np.int32)
        cells = self.packed.ravel(), other.packed.ravel()
        for own_labels, other_labels in zip(*map(strips, cells), strict=True):
            match[own_labels] = other_labels
            reverse[other_labels] = own_labels
        for own_labels, other_labels in zip(*map(strips, cells), strict=True):
            elsewhere = (match[own_labels] != other_labels) | (reverse[other_labels] != own_labels)
            match[own_labels[elsewhere]] = -1
            reverse[other_labels[elsewhere]] = NO_MATCH
        match = match[:-1]
        matched = np.flatnonzero(match >= 0)
        match[matched[reverse[match[matched]] != matched]] = -1
        return match

    def sums(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Adds up public values, one for each of the `cells` in grid shape (areas, simulated
        counts), for each region.

        >>> Partition(np.array([0, 1, 1])).sums(np.array([1.0, 2.0, 3.0]))
        array([1., 5.])
        """
        labels = self.labels
        in_region = labels >= 0
        return np.bincount(
            labels[in_region], weights=cells[in_region], minlength=self.regions
        ).astype(np.float64)


def _rectangles(
    cells: NDArray[np.int64], starts: NDArray[np.int64], sizes: NDArray[np.int64], squares: Squares
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Returns the regions of several cells that are whole rectangles, and their outlines.

    Each outline has the vertices of its cells, in the order in which joining the cells has them.
    """
    import shapely

    regions = np.flatnonzero(sizes > 1)
    if not len(regions):
        return regions, np.empty(0, dtype=object)
    rows, columns = np.divmod(cells, squares.shape[1])
    # of a region without cells nothing follows: the bounds of the next one's are left out
    held = np.flatnonzero(sizes)
    place = np.searchsorted(held, regions)
    left, right = (
        bound.reduceat(columns, starts[held])[place] for bound in (np.minimum, np.maximum)
    )
    top = rows[starts[regions]]
    bottom = rows[starts[regions] + sizes[regions] - 1]
    high = bottom - top + 1
    wide = right - left + 1
    whole = high * wide == sizes[regions]
    regions, top, left, high, wide = (part[whole] for part in (regions, top, left, high, wide))
    outlines = np.empty(len(regions), dtype=object)
    for down, across in np.unique(np.stack([high, wide], axis=1), axis=0).tolist():
        alike = np.flatnonzero((high == down) & (wide == across))
        # clockwise from the north-west, of a single row from the south-west
        column = np.concatenate(
            [np.arange(across), np.full(down, across), np.arange(across, 0, -1), np.zeros(down)]
        ).astype(np.int64)
        row = np.concatenate(
            [np.zeros(across), np.arange(down), np.full(across, down), np.arange(down, 0, -1)]
        ).astype(np.int64)
        row, column = np.roll([row, column], 1 if down == 1 else 0, axis=1)
        west, _, _, north = squares.edges(top[alike, None] + row, left[alike, None] + column)
        outlines[alike] = shapely.polygons(np.stack([west, north], axis=-1))
    return regions, outlines


def strips(cells: NDArray[Kind]) -> Iterator[NDArray[Kind]]:
    """Yields a line of cells piece by piece."""
    return (cells[start : start + STRIP] for start in range(0, len(cells), STRIP))


SPARSE = (
    "this release is sparse: it lists only the cells above its threshold; draw it as a picture, ask"
    " it about zones, or export it to .parquet or .tif"
)


class Shown(Partition):
    """Lists the cells, in row order, whose noisy total reached a public threshold in points; the
    others stay unpublished.

    It stands for the single cells of a grid too large to hold, and so has no array of labels.

    >>> Shown([3, 8], Fraction(20)).regions
    2
    """

    __slots__ = ("places", "threshold")

    places: NDArray[np.int64]
    threshold: Fraction

    def __init__(self, places: Any, threshold: Fraction) -> None:
        array = np.array(places, dtype=np.int64)
        array.flags.writeable = False
        if (
            array.ndim != 1
            or (np.diff(array) <= 0).any()
            or (len(array) and array[0] < 0)
            or threshold <= 0
        ):
            raise BadInput("shown cells: numbers in rising order, and a threshold above 0")
        self.places = array
        self.threshold = threshold
        self.regions = len(array)

    @property
    def labels(self) -> Labels:
        """Always refused: a sparse release has no value for every cell."""
        raise BadInput(SPARSE)

    def __repr__(self) -> str:
        return f"<Shown: {self.regions:,} cells>"
