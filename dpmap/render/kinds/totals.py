"""Drawing a map of totals, and what every other kind does unless it says otherwise."""

import os
from typing import TYPE_CHECKING, Any, Protocol

from dpmap.inference import Estimate
from dpmap.record import Record

if TYPE_CHECKING:
    import matplotlib.axes


class Readable(Protocol):
    """A release as it is drawn: its record, its reading, and its layers as such again."""

    @property
    def record(self) -> Record:
        """What was released."""
        ...

    @property
    def reading(self) -> Estimate:
        """What it tells."""
        ...

    @property
    def layers(self) -> "dict[tuple[str, ...], Any]":
        """Each layer; none where there are none."""
        ...


class Totals:
    """Densities in classes, as a picture and as a page."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def face(self) -> Record:
        """The record as pictures take it: one ground, and what was measured of it."""
        return self.record

    def check_page(self, what: str) -> None:
        """Refuses `what`, where the page has no place for such a map."""

    def plot(self, release: Readable, ax: Any, **options: Any) -> "matplotlib.axes.Axes":
        """Draws on an Axes, or on a new figure, and returns it."""
        from dpmap.render.static import draw

        return draw(self.face(), release.reading, ax=ax, **options)

    def explore(self, release: Readable, **options: Any) -> Any:
        """The interactive map."""
        from dpmap.render.interactive import explore

        self.check_page("explore")
        return explore(self.record, release.reading, **options)

    def draw(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """A file, by its suffix."""
        write = self.write_page if os.fspath(path).lower().endswith(".html") else self.write_picture
        write(release, path, **options)

    def write_page(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """The page."""
        from dpmap.render.interactive import write_html

        self.check_page("a page")
        write_html(self.record, release.reading, path, **options)

    def write_picture(self, release: Readable, path: "str | os.PathLike[str]", **options: Any) -> None:
        """The picture."""
        from dpmap.render.static import write_picture

        write_picture(self.face(), release.reading, path, **options)


kind = Totals
