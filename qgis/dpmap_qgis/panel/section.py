"""Makes the parts of the panel: boxes with a title, buttons and labels that stand one under the other."""

from qgis.PyQt.QtWidgets import QGridLayout, QGroupBox, QPushButton, QVBoxLayout


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
        """Adds widgets two in a row, which a narrow dock has room for."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(4)
        for at, widget in enumerate(widgets):
            grid.addWidget(widget, at // 2, at % 2)
        self.column.addLayout(grid)


def button(text, pressed, told=""):
    """Makes a button that does something; `told` is what a screen reader says of it besides."""
    made = QPushButton(text)
    made.clicked.connect(lambda *_: pressed())
    made.setAccessibleDescription(told)
    made.setToolTip(told)
    return made
