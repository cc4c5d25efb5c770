"""What a click holds: the panel's part about one place."""

from ..words import tr
from . import looking, place, releases
from .labels import Words
from .section import Section, button
from .tools import band, take_off

HINT = "Click on a place of the map. By keyboard: move the map with the arrow keys, then ask its middle."
NONE = "Add the layers of a release to the map, like those of cells.gpkg."
ALONE = "A place is asked of the layers patches or cells in cells.gpkg: tick one of them. A picture alone cannot be asked; zones can."


class PlaceSection(Section):
    """Says what a place holds."""

    def __init__(self, panel):
        super().__init__(tr("What a place holds"))
        self.panel = panel
        self.found = None
        self.about = None
        self.outline = None
        self.ask_button = button(
            tr("Ask a place"), panel.take_place_tool, tr("Then click on the map")
        )
        self.ask_button.setCheckable(True)
        self.middle_button = button(
            tr("Ask the middle"),
            lambda: self.ask(panel.canvas.center()),
            tr("Asks without a mouse"),
        )
        self.name = Words(name=tr("Place"), weight=1)
        self.lines = Words(name=tr("What the place holds"))
        self.add(self.ask_button, self.middle_button, self.name, self.lines)
        self.clear()

    def ask(self, point):
        """Says what a point of the map holds."""
        found, layer = looking.at(point, self.panel.canvas, self.panel.chosen_layer())
        self._draw(found, layer)
        self.found = found
        if layer is None:
            self.name.say(tr("No layer that can be asked is shown."))
            self.lines.say(tr(ALONE if self.panel.release is not None else NONE))
        elif found is None:
            self.name.say(tr("Outside the map"))
            self.lines.say(
                tr(
                    "The release tells nothing of this place; this does not mean that nothing is there."
                ),
                _of(layer),
            )
        else:
            self.panel.turn_to(layer)
            self.tell()

    def tell(self):
        """Says what was found; again, in better words, when dpmap has told what the release counts."""
        if self.found is not None:
            about = self.panel.about if self._own() else None
            self.name.say(place.title(self.found.values))
            layer = self.panel.layer_of(self.found.layer)
            self.lines.say(*place.lines(self.found.values, about, self.found.colour), _of(layer))

    def _own(self):
        """Whether the place is of the release that the panel shows."""
        layer = self.panel.layer_of(self.found.layer)
        release = releases.of(layer)
        return (
            release is not None
            and self.panel.release is not None
            and release.path == self.panel.release.path
        )

    def clear(self):
        """Forgets what was found."""
        self.found = None
        self._undraw()
        self.name.say("")
        self.lines.say(tr(HINT))

    def gone(self, layers):
        """Forgets what was found in layers that are removed."""
        if self.found is not None and self.found.layer in layers:
            self.clear()

    def _draw(self, found, layer):
        self._undraw()
        if found is not None:
            self.outline = band(self.panel.canvas)
            self.outline.setToGeometry(found.shape, layer)

    def _undraw(self):
        take_off(self.outline)
        self.outline = None


def _of(layer):
    """Says which layer was asked: two may lie on each other."""
    return "" if layer is None else tr("Layer: {}").format(layer.name())
