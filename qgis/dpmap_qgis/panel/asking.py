"""Asks dpmap apart from QGIS's window, which never waits; an answer that nobody waits for any more is dropped."""

import json
import os
from contextlib import suppress

from qgis.core import QgsApplication, QgsTask

from ..command import finding, running, settings
from ..command.private import private_folder
from ..words import tr

MISSING = "missing"


class Asked(QgsTask):
    """One question to dpmap, in a thread; `then` is told the answer in the window's own thread."""

    def __init__(self, question, words, then, files=None):
        super().__init__(tr("dpmap: {}").format(question), QgsTask.Flag.CanCancel)
        self.words, self.then, self.files = words, then, files or {}
        self.told = settings.program()
        self.answer = None

    def run(self):
        """Asks; runs in a thread and touches nothing of the window."""
        try:
            self.answer = self._answer()
        except finding.NotFound as error:
            self.answer = running.Answer(MISSING, None, str(error))
        except OSError:
            self.answer = running.Answer(
                MISSING, None, tr("dpmap could not be started; verify it in the settings")
            )
        return self.answer is not None and self.answer.good

    def finished(self, good):
        """Hands the answer over, unless nobody waits for it; whoever stopped it in QGIS's list of tasks is told so."""
        del good
        then, self.then = self.then, None
        if then is not None:
            stopped = running.Answer(
                running.INTERRUPTED, None, tr("stopped; ask again to have an answer")
            )
            then(stopped if self.isCanceled() or self.answer is None else self.answer)

    def forget(self):
        """Drops whoever waits, and stops."""
        self.then = None
        self.cancel()

    def _answer(self):
        program = finding.found(self.told)
        with private_folder() as folder:
            for name, content in self.files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    json.dump(content, file)
            words = [
                os.path.join(folder, word.name) if isinstance(word, InPrivate) else word
                for word in self.words
            ]
            return running.run(program, words, stopped=self.isCanceled)


class InPrivate:
    """Stands among a command's words for a file in the private folder, whose place is not known yet."""

    def __init__(self, name):
        self.name = name


class Asker:
    """Asks one question of each kind at a time: a newer one stops the older."""

    def __init__(self):
        self.tasks = {}

    def ask(self, kind, question, words, then, files=None):
        """Asks dpmap `words`; `then` gets the answer unless a newer question of this `kind` came, or the panel closed."""
        self.drop(kind)

        def answered(answer):
            if self.tasks.get(kind) is task:
                del self.tasks[kind]
            then(answer)

        task = Asked(question, words, answered, files)
        self.tasks[kind] = task
        QgsApplication.taskManager().addTask(task)

    def asks(self, kind):
        """Whether an answer of this kind is awaited."""
        return kind in self.tasks

    def drop(self, kind):
        """Stops waiting for an answer of this kind."""
        task = self.tasks.pop(kind, None)
        if task is not None:
            _forget(task)

    def close(self):
        """Stops all."""
        for kind in list(self.tasks):
            self.drop(kind)


def _forget(task):
    with suppress(RuntimeError):  # QGIS has deleted it already
        task.forget()
