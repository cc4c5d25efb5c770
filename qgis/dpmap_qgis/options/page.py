"""Shows the page "dpmap" in QGIS's settings, and takes it away."""

from pathlib import Path

from qgis.core import QgsApplication
from qgis.gui import QgsFileWidget, QgsOptionsPageWidget, QgsOptionsWidgetFactory
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import (
    QFileDialog,
    QGroupBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from ..command import finding, own, settings, standing, verifying, wheels
from ..words import plain, tr
from .work import Work, safe

ICON = Path(__file__).parents[1] / "icon.svg"


class Options:
    """The page in a window of QGIS."""

    def __init__(self, iface):
        self._iface, self._factory = iface, Factory()
        iface.registerOptionsWidgetFactory(self._factory)
        QgsApplication.taskManager().addTask(Work(tr("Wiping what is no longer used"), _swept))

    def remove(self):
        """Takes the page away."""
        self._iface.unregisterOptionsWidgetFactory(self._factory)


def _swept(_said, _stopped):
    own.sweep(settings.own_environments())


class Factory(QgsOptionsWidgetFactory):
    """Makes the page each time that the settings are opened."""

    def __init__(self):
        super().__init__("dpmap", QIcon(str(ICON)))

    def icon(self):
        """Returns the picture beside the page's name."""
        return QIcon(str(ICON))

    def createWidget(self, parent):
        """Makes the page."""
        return Page(parent)


class Page(QgsOptionsPageWidget):
    """Which dpmap is used, how to make one, and whether it keeps its promise."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setObjectName(settings.PAGE)
        self._work = None
        inner = QWidget()
        whole = QVBoxLayout(inner)
        for part in (self._using(), self._making(), self._verifying(), self._under_way()):
            whole.addWidget(part)
        whole.addStretch(1)
        around = QScrollArea()
        around.setWidgetResizable(True)
        around.setFrameShape(QScrollArea.Shape.NoFrame)
        around.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(around)
        self.look()

    def apply(self):
        """Keeps what was chosen; QGIS calls this when the settings are left with OK."""
        settings.choose(self.program.filePath())

    def _using(self):
        box, inside = _box(tr("The dpmap that is used"))
        inside.addWidget(
            _line(
                tr(
                    "QGIS asks a program called dpmap for every private map. Leave this empty to let it be found."
                )
            )
        )
        self.program = QgsFileWidget()
        self.program.setDialogTitle(tr("Choose the program dpmap"))
        self.program.setFilePath(settings.program())
        self.program.lineEdit().setPlaceholderText(
            tr("the program, or the folder of a Python environment")
        )
        self.program.setToolTip(
            tr(
                "The path of the program dpmap, or of the folder of a Python environment in which it is"
            )
        )
        self.program.fileChanged.connect(lambda _path: self.look())
        inside.addWidget(self.program)
        self.found = _line("")
        inside.addWidget(self.found)
        return box

    def _making(self):
        box, inside = _box(tr("No dpmap on this machine?"))
        inside.addWidget(_line(tr(
            "It is made here from a zip of wheels, without a network and apart from QGIS's own Python. Whoever builds dpmap makes this zip with make wheelhouse."
        )))  # fmt: skip
        self.zip = QPushButton(tr("Make it from a zip of wheels..."))
        self.zip.clicked.connect(lambda _checked: self.make_from_zip())
        self.download = QPushButton(tr("Download what it needs..."))
        self.download.clicked.connect(lambda _checked: self.make_by_download())
        inside.addLayout(_below(self.zip, self.download))
        return box

    def _verifying(self):
        box, inside = _box(tr("Does it keep its promise?"))
        inside.addWidget(
            _line(
                tr(
                    "The selftest checks noise, cap and ledger on this machine. It reads no survey and spends nothing."
                )
            )
        )
        self.quick, self.whole = (
            QPushButton(tr("Verify quickly")),
            QPushButton(tr("Verify all of it (some minutes)")),
        )
        self.quick.clicked.connect(lambda: self.verify(whole=False))
        self.whole.clicked.connect(lambda: self.verify(whole=True))
        inside.addLayout(_below(self.quick, self.whole))
        return box

    def _under_way(self):
        box = QWidget()
        inside = QVBoxLayout(box)
        inside.setContentsMargins(0, 0, 0, 0)
        self.bar, self.stop = QProgressBar(), QPushButton(tr("Stop"))
        self.stop.clicked.connect(lambda: self._work is not None and self._work.cancel())
        inside.addLayout(_row(self.bar, self.stop))
        self.told = _line("")
        inside.addWidget(self.told)
        self._show_working(False)
        return box

    def look(self):
        """Looks where dpmap is found now, with what stands in the page."""
        chosen = self.program.filePath()
        self.found.setText(tr("Looking..."))
        work = Work(tr("Looking for dpmap"), lambda _said, _stopped: _found(chosen))
        work.ready.connect(
            lambda answer: chosen == self.program.filePath() and self.found.setText(_told(answer))
        )
        self._looking = work
        QgsApplication.taskManager().addTask(work)

    def make_from_zip(self, path=""):
        """Makes dpmap's environment from a zip that is chosen."""
        path = (
            path
            or QFileDialog.getOpenFileName(
                self, tr("Choose the zip of wheels"), "", tr("Zip of wheels (*.zip)")
            )[0]
        )
        if not path:
            return
        try:
            known = wheels.looked_at(path)
        except wheels.BadZip as error:
            self.told.setText(plain(tr(str(error))))
            return
        if self.agreed(tr(
            "This zip holds dpmap {version}, {number} wheels. They are programs that will run on this machine: go on only if you trust who gave it to you."
        ).format(version=known.version, number=len(known.names))):  # fmt: skip
            self._make(
                tr("Making dpmap"),
                lambda said, stopped: own.from_zip(
                    path, settings.own_environments(), said, stopped
                ),
            )

    def make_by_download(self, wheel=""):
        """Makes dpmap's environment from its own wheel and a download of what that needs, after asking."""
        wheel = wheel or self.asked_for(tr(
            "Where is dpmap's wheel? Write the path of the file private_heatmaps-VERSION-py3-none-any.whl that you were given, or its address (https://...)"
        ))  # fmt: skip
        if not wheel:
            return
        try:
            own.named(wheel)
        except own.NotMade as error:
            self.told.setText(safe(error))
            return
        if self.agreed(tr(
            "dpmap is taken from there, and the libraries that it needs, some 300 MB, from the index that pip is set to on this machine. They are programs "
            "that will run on it, apart from QGIS: go on only if you trust who gave you the wheel. Nothing of yours is sent. Where a company has its own "
            "index or proxy, pip's settings say so. Go on?"
        )):  # fmt: skip
            self._make(
                tr("Downloading what dpmap needs"),
                lambda said, stopped: own.by_download(
                    wheel, settings.own_environments(), said, stopped
                ),
            )

    def verify(self, whole):
        """Runs the selftest, a part of it or the whole."""
        chosen = self.program.filePath()

        def work(said, stopped):
            return verifying.verify(
                chosen, whole=whole, stopped=stopped, progress=lambda told: said(str(told.get("step", "")), told.get("fraction"))
            )  # fmt: skip

        self._start(tr("Verifying dpmap"), work, _verdict)

    def asked_for(self, question):
        """Asks for a line of text; empty where nothing was said."""
        said, whole = QInputDialog.getText(self, "dpmap", question, QLineEdit.EchoMode.Normal)
        return said.strip() if whole else ""

    def agreed(self, question):
        """Asks before something is installed."""
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
        return QMessageBox.question(self, "dpmap", question, yes | no, no) == yes

    def _make(self, title, work):
        def told(answer):
            standing.forget()
            self.look()
            return (
                safe(answer)
                if isinstance(answer, Exception)
                else tr("dpmap is made. Verify it now.")
            )

        self._start(title, work, told)

    def _start(self, title, work, told):
        if self._work is not None:
            return
        self._work = Work(title, work)
        self._work.step.connect(lambda step: self.told.setText(plain(step)))
        self._work.progressChanged.connect(lambda part: self.bar.setValue(int(part)))
        self._work.ready.connect(lambda answer: self._ended(told(answer)))
        self._work.taskTerminated.connect(lambda: self._ended(tr("Stopped")))
        self._show_working(True)
        QgsApplication.taskManager().addTask(self._work)

    def _ended(self, line):
        self._work = None
        self._show_working(False)
        self.told.setText(line)

    def _show_working(self, working):
        self.bar.setValue(0)
        for one in (self.bar, self.stop):
            one.setVisible(working)
        for one in (self.zip, self.download, self.quick, self.whole):
            one.setEnabled(not working)

    def hideEvent(self, event):
        """Stops what the page alone waits for when the settings are closed."""
        if self._work is not None:
            self._work.cancel()
        super().hideEvent(event)


def _found(chosen):
    try:
        return finding.looked(chosen)
    except finding.NotFound as error:
        return error


def _told(answer):
    if isinstance(answer, Exception):
        return safe(answer)
    line = tr("Found through {where}: dpmap {version}, {minimum} or newer is needed.").format(
        where=answer.where, version=answer.standing.version, minimum=finding.minimum()
    )
    return "<br>".join(plain(one) for one in (line, answer.words[0], answer.standing.says) if one)


def _verdict(answer):
    if isinstance(answer, Exception):
        return safe(answer)
    known = tr("dpmap {version}, {minimum} or newer is needed").format(
        version=answer.version, minimum=answer.minimum
    )
    return "<br>".join(plain(one) for one in (answer.says, known if answer.version else "") if one)


def _box(title):
    box = QGroupBox(title)
    return box, QVBoxLayout(box)


def _line(text):
    line = QLabel(text)
    line.setWordWrap(True)
    line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return line


def _row(*parts):
    row = QHBoxLayout()
    for part in parts:
        row.addWidget(part)
    return row


def _below(*parts):
    """Puts buttons one below the other, so that the page fits a narrow window."""
    column = QVBoxLayout()
    for part in parts:
        column.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft)
    return column
