"""Makes the parts of the panel: boxes with a title, buttons and labels that stand one under the other."""

from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtWidgets import QGridLayout, QGroupBox, QPushButton, QSizePolicy, QVBoxLayout, QWidget


class Section(QGroupBox):
    """A box of the panel."""

    def __init__(self, title):
        super().__init__(title)
        self.column = QVBoxLayout(self)

    def add(self, *widgets):
        """Adds widgets under those that are there, and returns the last."""
        for widget in widgets:
            self.column.addWidget(widget)
        return widgets[-1]

    def add_pairs(self, widgets):
        """Adds widgets two in a row, where there is room."""
        self.column.addWidget(Pairs(widgets))


class Pairs(QWidget):
    """Shows widgets two in a row, and one in a row where the panel is too narrow for their words."""

    def __init__(self, widgets):
        super().__init__()
        self.widgets, self.columns = widgets, 0
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self._lay(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self):
        """As narrow as its widest button."""
        return QSize(self._widest(), super().minimumSizeHint().height())

    def resizeEvent(self, event):
        """Lays the widgets out anew."""
        super().resizeEvent(event)
        self._lay(2 if self.width() >= 2 * self._widest() + self.grid.spacing() else 1)

    def _widest(self):
        return max(widget.sizeHint().width() for widget in self.widgets)

    def _lay(self, columns):
        if columns != self.columns:
            self.columns = columns
            for at, widget in enumerate(self.widgets):
                self.grid.addWidget(widget, at // columns, at % columns)
            self.updateGeometry()


def button(text, pressed, told=""):
    """Makes a button that does something; `told` is what a screen reader says of it besides."""
    made = QPushButton(text)
    made.clicked.connect(lambda checked=False: pressed())
    made.setAccessibleDescription(told)
    made.setToolTip(told)
    return made
