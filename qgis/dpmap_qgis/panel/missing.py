"""Says that dpmap is missing, and leads to where it is found."""

from ..command import settings
from ..words import tr
from .labels import Words
from .section import Section, button


class MissingSection(Section):
    """Stands at the top where dpmap is not found."""

    def __init__(self, panel):
        super().__init__(tr("dpmap cannot be used"))
        self.panel = panel
        self.words = Words(name=tr("dpmap cannot be used"))
        self.settings_button = button(
            tr("Settings"),
            self.open_settings,
            tr("Opens where dpmap's program is chosen and verified"),
        )
        self.again_button = button(tr("Look again"), panel.again, tr("Looks for dpmap anew"))
        self.add(self.words)
        self.add_pairs([self.settings_button, self.again_button])
        self.hide()

    def say(self, error):
        """Shows why dpmap is missing; hidden where it is not."""
        self.words.say(error)
        self.setVisible(bool(error))

    def open_settings(self):
        """Opens the plugin's page of QGIS's options."""
        self.panel.iface.showOptionsDialog(self.panel.iface.mainWindow(), settings.PAGE)
        self.panel.again()
