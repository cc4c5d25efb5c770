"""What remains: the panel's part about the ledger."""

from qgis.PyQt.QtWidgets import QFileDialog, QLabel, QLineEdit, QProgressBar

from ..words import tr
from . import releases, remains, remembered
from .labels import Words
from .section import Section, button

KIND = "ledger"


class LedgerSection(Section):
    """Shows what a ledger says; asks anew when another one is chosen or found."""

    def __init__(self, panel):
        super().__init__(tr("What remains"))
        self.panel = panel
        self.waiting = False  # whether a ledger was chosen before its project had a place
        self.path = QLineEdit()
        self.path.setPlaceholderText(tr("found beside the release"))
        self.path.editingFinished.connect(self._typed)
        label = QLabel(tr("Ledger:"))
        label.setBuddy(self.path)
        self.path.setAccessibleName(tr("Ledger"))
        self.sums = Words(name=tr("What remains"), weight=1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Part of the budget that is spent"))
        self.lines = Words(name=tr("What was spent"))
        self.where = Words(name=tr("Where the ledger is"))
        self.add(label, self.path)
        self.refresh_button = button(tr("Refresh"), self.refresh, tr("Reads the ledger anew"))
        self.choose_button = button(tr("Choose..."), self._choose, tr("Chooses the ledger's file"))
        self.add_pairs([self.choose_button, self.refresh_button])
        self.add(self.sums, self.bar, self.where, self.lines)
        self._kept = ""
        self.nothing()

    def nothing(self):
        """Shows that no ledger is known."""
        self.panel.asker.drop(KIND)
        self.sums.say(
            tr(
                "No ledger is chosen, and none stands beside the release. Choose its file to see what remains."
            )
        )
        self.bar.hide()
        self.lines.say("")
        self.where.say("")

    def of_project(self):
        """Takes the ledger that the project remembers."""
        self.waiting = False
        self._set(remembered.ledger())
        self.refresh()

    def project_placed(self):
        """Remembers a ledger that was chosen before its project had a place."""
        if self.waiting and self._kept:
            self.waiting = not remembered.remember(self._kept)

    def refresh(self):
        """Asks dpmap: the chosen ledger, else those beside the release, until one of them holds it."""
        if self._kept:
            self._ask(
                self._kept,
                [],
                lambda answer: self._answered(answer, tr("The ledger of this project.")),
            )
        elif self.panel.release is not None:
            self._find(releases.ledgers_beside(self.panel.release), self.panel.release)
        else:
            self.nothing()

    def _find(self, candidates, release, refused=""):
        if not candidates:
            self.nothing()
            if refused:
                self.sums.say(
                    tr(
                        "No ledger that was asked beside the release paid for it. Choose its file to see what remains."
                    )
                )
                self.lines.say(refused)
            return

        def heard(answer):
            if answer.good:
                self._answered(
                    answer,
                    tr("Found beside the release, which it paid for: {}").format(candidates[0]),
                )
            elif answer.code in (2, 3):  # another release's ledger, or none at all
                self._find(candidates[1:], release, answer.error)
            else:
                self._answered(answer, "")

        self._ask(candidates[0], ["--against", release.path], heard)

    def _ask(self, path, more, then):
        self.where.say(tr("Reading the ledger..."))
        words = ["ledger", "--json", *more, "--", path]
        self.panel.asker.ask(KIND, tr("reading a ledger"), words, then)

    def _answered(self, answer, where):
        self.panel.heard(answer)
        if not answer.good or not isinstance(answer.told, dict):
            self.sums.say(answer.error or tr("dpmap gave no answer that can be read"))
            self.bar.hide()
            self.where.say("")
            self.lines.say("")
            return
        found = remains.of(answer.told)
        self.sums.say(found.sums)
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * found.part))
        self.bar.setAccessibleDescription(found.sums)
        self.bar.show()
        self.where.say(where)
        self.lines.say(*found.lines)

    def _choose(self):
        path, _ = QFileDialog.getOpenFileName(
            self, tr("The ledger"), self._kept, tr("Ledgers (*.ledger);;All files (*)")
        )
        if path:
            self.path.setText(path)
            self._typed()

    def _typed(self):
        """Takes what stands in the field, and remembers it in the project."""
        path = self.path.text().strip()
        if path == self._kept:
            return
        self._set(path)
        self.waiting = not remembered.remember(path) and bool(path)
        self.refresh()

    def _set(self, path):
        self._kept = path
        self.path.setText(path)
