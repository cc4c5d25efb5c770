"""Makes labels that show a text as it stands, wrap in a narrow dock, and are read by keyboard and screen reader."""

import re

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy

LONGEST = 20
"""So many letters in a row; then a line may break, so that a long name does not widen the panel."""
BREAK = "\N{ZERO WIDTH SPACE}"


class Words(QLabel):
    """Shows plain text; marks of HTML in a stranger's text stand as they are."""

    def __init__(self, text="", name="", weight=0):
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        if name:
            self.setAccessibleName(name)
        if weight:
            font = self.font()
            font.setBold(True)
            self.setFont(font)
        self.say(text)

    def say(self, *lines):
        """Shows these lines; hidden where there is none."""
        text = "\n".join(str(line) for line in lines if line)
        self.setText(breakable(text))
        self.setAccessibleDescription(text)
        self.setVisible(bool(text))

    def said(self):
        """Returns what is shown, without the places where lines may break."""
        return self.text().replace(BREAK, "")


def breakable(text):
    """Lets long words break.

    >>> breakable("short words"), breakable("x" * 25).count(BREAK)
    ('short words', 1)
    """
    return re.sub(rf"\S{{{LONGEST}}}(?=\S)", lambda found: found.group() + BREAK, text)
