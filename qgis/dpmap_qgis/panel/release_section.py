"""Which release: the promise, who governs it, and the pages beside it."""

from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QDesktopServices

from ..words import tr
from . import promise, releases
from .labels import Words
from .section import Section, button

NONE = "Choose a layer of a release in the Layers panel: one of cells.gpkg, which dpmap writes beside release.dpmap."


class ReleaseSection(Section):
    """Shows the promise of a release, and opens what stands beside it."""

    def __init__(self, panel):
        super().__init__(tr("The map's promise"))
        self.panel = panel
        self.name = Words(name=tr("Release"), weight=1)
        self.lines = Words(name=tr("The promise"))
        self.add(self.name, self.lines)
        self.buttons = {
            name: button(
                tr(words),
                lambda name=name: self.open(name),
                tr("Opens {} of the release's folder").format(name),
            )
            for name, words in releases.PAGES
        }
        self.folder = button(tr("Folder"), self.open_folder, tr("Opens the release's folder"))
        self.layout_button = button(
            tr("Print layout"), panel.print_layout, tr("Makes a page to print, with the promise")
        )
        self.add_pairs([*self.buttons.values(), self.folder, self.layout_button])
        self.show_release(None, None)

    def show_release(self, release, about, error=""):
        """Shows a release: `about` is what dpmap told of it, None until it has."""
        for name, one in self.buttons.items():
            one.setEnabled(release is not None and bool(releases.page(release, name)))
        self.folder.setEnabled(release is not None)
        self.layout_button.setEnabled(release is not None)
        if release is None:
            self.name.say(tr("No release is chosen."))
            self.lines.say(tr(NONE))
        elif about is None:
            self.name.say(release.path)
            self.lines.say(error or tr("Reading the release..."))
        else:
            layer = releases.name_of_layer(release, about)
            self.name.say(f"{about.get('dataset')}, {layer}" if layer else about.get("dataset"))
            self.lines.say(*promise.lines(about))

    def open(self, name):
        """Opens a page that stands in the release's own folder, and no other."""
        release = self.panel.release
        path = releases.page(release, name) if release is not None else ""
        if path:
            QDesktopServices.openUrl(QUrl.fromLocalFile(path))
        else:
            self.lines.say(tr("{} is not in the release's folder any more").format(name))

    def open_folder(self):
        """Opens the release's folder."""
        if self.panel.release is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(self.panel.release.folder))
