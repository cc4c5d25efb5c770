"""A map for each kind and time: each layer is read by itself, by its own kind."""

from collections.abc import Callable
from typing import NoReturn

from dpmap.errors import BadInput
from dpmap.grid import Partition
from dpmap.grid.layer_axes import Values
from dpmap.inference.estimate import Cells, Estimate, Mask
from dpmap.inference.stack_layers import LayeredEstimate
from dpmap.maps.totals import DrawOptions, TotalsMap
from dpmap.record import Record


def refuse(record: Record, what: str) -> NoReturn:
    """Refuse a call that can show only one map."""
    example = ", ".join(next(iter(record.grid.maps)))
    raise BadInput(
        f"{what}: this release has layers; name one of them, like --layer '{example}' (.layer())"
    )


class LayeredMap(TotalsMap):
    """The layers of one release; questions about all of them are answered by their own kind."""

    def __init__(
        self, record: Record, layers: TotalsMap, read: Callable[[Record], TotalsMap]
    ) -> None:
        super().__init__(record)
        self._layers = layers
        self._read = read

    @property
    def mean(self) -> Values | None:
        """The mean of the layers' own kind."""
        return self._layers.mean

    def estimate(self) -> Estimate:
        """Return the layers' estimates, stacked."""
        grid = self.record.grid
        along = grid.shape[: len(next(iter(grid.maps)))]
        return LayeredEstimate(
            (*along, *grid.cells.shape),
            [self._read(self.record.layer(names)).reading for names in grid.maps],
        )

    believes = False

    def single(self, what: str) -> NoReturn:
        """Refuse it: one layer is asked."""
        refuse(self.record, what)

    def draw_options(self) -> DrawOptions:
        """Return what may be asked of each layer."""
        return self._layers.draw_options()

    def check_page(self, what: str) -> None:
        """Refuse `what` if the page has no place for such layers."""
        self._layers.check_page(what)

    def hot_spots(self, threshold: float | None, rate: float, level: float) -> NoReturn:
        """Refuse it, like `single`."""
        del threshold, rate, level
        refuse(self.record, "hotspots")

    def draws(self, count: int) -> NoReturn:
        """Refuse it, like `single`."""
        del count
        refuse(self.record, "draws")

    def parts(self) -> tuple[Record, ...]:
        """Answer as the layers' own kind does."""
        return self._layers.parts()

    def half_width(self, level: float = 0.9) -> float:
        """Answer as the layers' own kind does."""
        return self._layers.half_width(level)

    def within(self, cells: int, level: float = 0.9) -> float:
        """Answer as the layers' own kind does."""
        return self._layers.within(cells, level)

    def noise_variance(self, cells: int, points: float) -> float:
        """Answer as the layers' own kind does."""
        return self._layers.noise_variance(cells, points)

    def known_regions(self) -> Partition:
        """Answer as the layers' own kind does."""
        return self._layers.known_regions()

    def alone(self) -> Mask:
        """Answer as the layers' own kind does."""
        return self._layers.alone()

    def noisy_cells(self) -> Cells:
        """Answer as the layers' own kind does."""
        return self._layers.noisy_cells()
