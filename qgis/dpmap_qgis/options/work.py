"""Does what takes long apart from the window: it can be stopped, and tells how far it is."""

from qgis.core import QgsTask
from qgis.PyQt.QtCore import pyqtSignal

from ..words import plain, tr


class Work(QgsTask):
    """One piece of work. `work(said, stopped)` runs in a thread of its own; `ready` brings what it returned, or what it raised."""

    ready = pyqtSignal(object)
    step = pyqtSignal(str)

    def __init__(self, title, work):
        super().__init__(title, QgsTask.Flag.CanCancel)
        self._work, self.answer, self.over = work, None, False

    def run(self):
        """Works; QGIS calls this in another thread."""
        try:
            self.answer = self._work(self._said, self.isCanceled)
        except Exception as error:  # noqa: BLE001  # it is shown in the window
            self.answer = error
        return True

    def finished(self, _whole):
        """Brings the answer; QGIS calls this in the window's thread."""
        if not self.over:
            self.ready.emit(self.answer)

    def _said(self, step, fraction):
        self.step.emit(step)
        if fraction is not None:
            self.setProgress(100.0 * fraction)


def safe(error):
    """Returns what went wrong as one line for people; a fault of our own is named by its kind, without what it held."""
    from ..command import finding, own

    if isinstance(error, (finding.NotFound, own.NotMade)):
        return plain(tr(str(error)))
    return tr("This failed ({kind}): please report it").format(kind=type(error).__name__)
