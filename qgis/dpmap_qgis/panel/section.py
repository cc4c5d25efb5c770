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
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._lay(1)

    def minimumSizeHint(self):
        """As narrow as its widest button, and no higher than it must be."""
        return QSize(self._widest(), self.heightForWidth(2 * self._widest() + self._gap()))

    def hasHeightForWidth(self):
        """Its height hangs on its width."""
        return True

    def heightForWidth(self, width):
        """Returns how high it is at a width."""
        rows = -(-len(self.widgets) // self._columns_at(width))
        each = max(widget.sizeHint().height() for widget in self.widgets)
        return rows * each + (rows - 1) * self._gap()

    def resizeEvent(self, event):
        """Lays the widgets out anew."""
        super().resizeEvent(event)
        self._lay(self._columns_at(self.width()))

    def _columns_at(self, width):
        return 2 if width >= 2 * self._widest() + self._gap() else 1

    def _gap(self):
        return max(self.grid.spacing(), 0)

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
