"""Maps without a trusted curator: each volunteer's own device randomises her answer before anything
is sent.

`device` is all that a device needs (the standard library only), `assets/` the same as a page of
JavaScript; `questions` makes the public question, `reports` turns what came back into a release.
Nothing here ever holds a true answer.

>>> import dpmap as dm
>>> grid = dm.Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
>>> question = dm.local.ask(grid, "2", title="Owls", text="Where did you hear one?")
>>> lines = [dm.local.randomise(cell, question) for cell in [5] * 300 + [None] * 200]
>>> dm.local.aggregate(lines, question).record.reports.count
500
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpmap.local.device import Question as Question
    from dpmap.local.device import answer_once as answer_once
    from dpmap.local.device import randomise as randomise
    from dpmap.local.pages import write_page as write_page
    from dpmap.local.questions import ask as ask
    from dpmap.local.questions import read_question as read_question
    from dpmap.local.questions import write_question as write_question
    from dpmap.local.reports import aggregate as aggregate

_HOMES = {
    "Question": "device",
    "aggregate": "reports",
    "answer_once": "device",
    "ask": "questions",
    "randomise": "device",
    "read_question": "questions",
    "write_page": "pages",
    "write_question": "questions",
}

__all__ = [*_HOMES]  # noqa: PLE0604  # the keys are the public words, as texts


if not TYPE_CHECKING:  # a checker that saw it would let every misspelt name pass

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'dpmap.local' has no attribute {name!r}")
        return getattr(import_module(f"dpmap.local.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
