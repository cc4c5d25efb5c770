"""Runs a strategy that the releaser brings, behind a session that passes on questions and noisy
answers, and nothing else.

The theorem of `vault/session` holds for whatever questions follow from answers and public facts,
so such a strategy needs no proof of its own. It runs in the same process with the same rights as
dpmap itself: the session keeps its mistakes from costing anything, and does not make a function
harmless that opens the survey's file.
"""

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, DpmapError
from dpmap.grid import Grid, Partition
from dpmap.promise.strategies import CUSTOM, check_name
from dpmap.record import Measurement
from dpmap.strategies.session import StrategySession


class AskedSession:
    """The session that a brought strategy holds; it ends when the strategy returns.

    No attribute leads to the session behind it: the methods are closures.
    """

    __slots__ = ("_left", "cap", "course", "epsilon", "finest", "grid", "measure", "priors")

    def __init__(
        self,
        behind: StrategySession,
        left: Callable[[], Fraction],
        course: Callable[[Sequence[Fraction]], None],
        measure: Callable[[Partition, Fraction], Measurement],
    ) -> None:
        self.cap = behind.cap
        self.epsilon = behind.epsilon
        self.finest = behind.finest
        self.grid = behind.grid
        self.priors = behind.priors
        self._left = left
        self.course = course
        self.measure = measure

    @property
    def left(self) -> Fraction:
        """The epsilon that may still be spent."""
        return self._left()


class Questions:
    """What one run of a brought strategy asks: opens its session, counts answers, and ends it."""

    def __init__(self, behind: StrategySession) -> None:
        self._behind: StrategySession | None = behind
        self._inside = behind.grid.inside
        self._layer_of_cell = _layer_of_cell(behind.grid)
        self._waiting: list[Fraction] = []
        self.answers = 0

        def left() -> Fraction:
            return self._open().left

        def course(shares: Sequence[Fraction]) -> None:
            self._declare(shares)

        def measure(partition: Partition, epsilon: Fraction) -> Measurement:
            return self._measure(partition, epsilon)

        self.session = AskedSession(behind, left, course, measure)

    def end(self) -> None:
        """Ends the session: whoever kept it gets no further answer."""
        self._behind = None

    def measure_the_rest(self) -> None:
        """Measures each cell with what a strategy that failed left of epsilon."""
        cells = Partition.cells(self._open().grid)
        while self._waiting:
            self._measure(cells, self._waiting[0])
        if left := self._open().left:
            self._measure(cells, left)

    def _open(self) -> StrategySession:
        if self._behind is None:
            raise BadInput(
                "strategy: its session has ended; ask everything before the function returns"
            )
        return self._behind

    def _declare(self, shares: Sequence[Fraction]) -> None:
        shares = list(shares)
        self._open().course(shares)
        self._waiting = shares

    def _measure(self, partition: Partition, epsilon: Fraction) -> Measurement:
        behind = self._open()
        self._check(partition)
        if self._waiting and epsilon != self._waiting[0]:
            raise BadInput("strategy: the course has another share here; ask as it was declared")
        waiting = self._waiting[1:]
        self._waiting = []  # what fails in the vault takes the rest of its course with it
        answer = behind.measure(partition, epsilon)
        self._waiting = waiting
        self.answers += 1
        return answer

    def _check(self, partition: Partition) -> None:
        """Refuses a partition that no map could be read from."""
        if type(partition) is not Partition or partition.labels.shape != self._inside.shape:
            raise BadInput("strategy: measure a dm.Partition in the grid's shape")
        labels = partition.labels[self._inside]
        if (labels < 0).any() or (partition.labels[~self._inside] >= 0).any():
            raise BadInput(
                "strategy: each cell of the area lies in a region, and no other cell does; to ask"
                " about more land costs no more"
            )
        layer = np.full(partition.regions, -1, dtype=np.int64)
        layer[labels] = self._layer_of_cell
        if (layer[labels] != self._layer_of_cell).any():
            raise BadInput("strategy: no region lies in two layers")


class CustomStrategy:
    """A strategy that the releaser brings, with its public name."""

    def __init__(self, ask: Callable[[StrategySession], object]) -> None:
        self._ask = ask
        self.name = check_name(getattr(ask, "name", getattr(ask, "__name__", None)))

    @property
    def record_name(self) -> str:
        """What the record says of it."""
        return f"{CUSTOM}:{self.name}"

    def __call__(self, session: StrategySession) -> None:
        """Runs it, and raises where it fails or measures nothing."""
        questions = Questions(session)
        try:
            self._run(questions)
        finally:
            questions.end()

    def ask_paid(self, session: StrategySession) -> None:
        """Runs it on what is paid for: where it fails, each cell is measured with the rest, so that
        nothing paid for is lost.
        """
        questions = Questions(session)
        try:
            self._run(questions)
        except (Exception, SystemExit) as error:
            with suppress(DpmapError):
                questions.measure_the_rest()
            if not questions.answers:
                raise
            reason = one_line(error) if isinstance(error, Exception) else "it ended the program"
            warnings.warn(
                f"strategy {self.name} failed after its epsilon was paid ({reason});"
                " each cell was measured with what was left, and the map is made of all answers",
                stacklevel=3,
            )
        finally:
            questions.end()

    def _run(self, questions: Questions) -> None:
        self._ask(questions.session)
        if not questions.answers:
            raise BadInput(
                "strategy: it measured nothing; call session.measure(partition, epsilon)"
            )


def one_line(error: Exception) -> str:
    """Returns an error's type and words as one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def invented_counts(grid: Grid) -> NDArray[np.float64]:
    """Returns public counts of 0 to 6 points a cell, the same each time, to try a strategy on."""
    from dpmap.inference.patches.calibration import Digits

    counts = np.floor(7 * Digits(b"invented counts").uniform(grid.size))
    return counts.reshape(grid.shape) * grid.inside


def _layer_of_cell(grid: Grid) -> NDArray[np.int64]:
    """Returns the number of each in-area cell's layer."""
    layers = np.zeros(grid.shape, dtype=np.int64)
    for number, place in enumerate(grid.maps.values()):
        layers[place] = number
    return layers[grid.inside]
