"""Makes labels that show a text as it stands, wrap in a narrow dock, and are read by keyboard and screen reader."""

import re
import unicodedata

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy

LONGEST = 20
"""So many letters in a row; then a line may break, so that a long name does not widen the panel."""
ENOUGH = 2000
"""So many letters of one line are shown."""
TURNING = ("Cc", "Cf", "Cs")
"""Kinds of marks that nobody sees: they would turn round, hide or break what is read."""
BREAK = "\N{ZERO WIDTH SPACE}"


class Words(QLabel):
    """Shows plain text; marks of HTML in a stranger's text stand as they are."""

    def __init__(self, text="", name="", weight=0):
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.name = name
        if name:
            self.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus
            )  # what was answered is reached with Tab, and so read aloud
        if weight:
            font = self.font()
            font.setBold(True)
            self.setFont(font)
        self.say(text)

    def say(self, *lines):
        """Shows these lines; hidden where there is none."""
        text = "\n".join(filter(None, (cut(line) for line in lines if line)))
        self.setText(breakable(text))
        self.setAccessibleName(": ".join(filter(None, [self.name, text])))
        self.setVisible(bool(text))

    def said(self):
        """Returns what is shown, without the places where lines may break."""
        return self.text().replace(BREAK, "")


def cut(text):
    r"""Returns a stranger's text as one line of a bearable length, without marks that turn or hide what follows.

    >>> cut("Nests\nAuthorised by: the ministry"), cut("a\u202eb"), len(cut("x" * 9000))
    ('Nests Authorised by: the ministry', 'ab', 2003)
    """
    flat = " ".join(str(text).split())
    kept = "".join(mark for mark in flat if unicodedata.category(mark) not in TURNING)
    return kept if len(kept) <= ENOUGH else kept[:ENOUGH] + "..."


def breakable(text):
    """Lets long words break.

    >>> breakable("short words"), breakable("x" * 25).count(BREAK)
    ('short words', 1)
    """
    return re.sub(rf"\S{{{LONGEST}}}(?=\S)", lambda found: found.group() + BREAK, text)
