"""Fits words into a box of a printed sheet: long texts get smaller letters, and at last an end that says where the rest stands."""

from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QFont, QFontMetricsF

SMALLEST, STEP = 6.0, 0.5
LONGEST_WORD = 24
BREAK = "\u200b"
MM_IN_POINT, PIXELS_IN_MM = 0.352778, 40


def fit(label, text, size, *, bold=False):
    """Writes a text into a label of a layout, in letters of `size` points or, where it is long, smaller ones."""
    box = label.rect()
    text = breakable(text)
    while size > SMALLEST and not _fits(text, font(size, bold=bold), box):
        size -= STEP
    while text and not _fits(text, font(size, bold=bold), box):
        text = text[: int(len(text) * 0.9)].rstrip(" .\u2026") + " \u2026"
        if len(text) < 12:
            break
    _letters(label, font(size, bold=bold))
    label.setText(text)


def breakable(text):
    r"""Lets very long words go on in the next line.

    >>> breakable("a" * 30).count("\u200b")
    1
    """
    return " ".join(_broken(word) for word in text.split(" "))


def font(size, *, bold=False):
    """Returns the letters of the sheet."""
    found = QFont("Sans Serif")
    found.setStyleHint(QFont.StyleHint.SansSerif)
    found.setPointSizeF(size)
    found.setBold(bold)
    return found


def _broken(word):
    if len(word) <= LONGEST_WORD:
        return word
    return BREAK.join(word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD))


def _fits(text, letters, box):
    """Whether the text stands in the box, with a twentieth to spare: renderers differ a little."""
    drawn = QFont(letters)
    drawn.setPixelSize(max(1, round(letters.pointSizeF() * MM_IN_POINT * PIXELS_IN_MM)))
    wide = (box.width() - 1) * PIXELS_IN_MM
    flags = int(getattr(Qt.TextFlag.TextWordWrap, "value", Qt.TextFlag.TextWordWrap))
    found = QFontMetricsF(drawn).boundingRect(QRectF(0, 0, wide * 0.95, 1e7), flags, text)
    return found.height() <= box.height() * PIXELS_IN_MM and found.width() <= wide


def _letters(label, letters):
    """Sets a label's letters, in QGIS before 3.24 and after."""
    if hasattr(label, "setTextFormat"):
        written = label.textFormat()
        written.setFont(letters)
        written.setSize(letters.pointSizeF())
        label.setTextFormat(written)
    else:
        label.setFont(letters)
