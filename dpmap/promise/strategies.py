"""Specifies each strategy in one place: its tool and its words; `dpmap/strategies` adds what it
does, and names the same ones.
"""

from dataclasses import dataclass

from dpmap.errors import BadInput

CUSTOM = "custom"
"""The word, before a colon and a name, for a strategy that the releaser brought."""
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySpec:
    """Specifies a strategy: everything but its questions.

    - `tool`: what `combinations` calls it, where it is decided what it is used with; None for the
      one that all proofs are about.
    - `by_cell`: whether its map is read cell by cell, and not by regions.
    - `takes_number`: whether it is written with a number, like `sparse:20`.
    - `since`: the first format of release files whose readers know it (`record/formats.py`).
    - `title`, `hint`: what the studio says of it.
    """

    tool: str | None
    by_cell: bool
    takes_number: bool
    since: int
    title: str
    hint: str

    def __post_init__(self) -> None:
        if not self.title or not self.hint:
            raise TypeError("a strategy is specified whole, and here are no words")


STRATEGY_SPECS: dict[str, StrategySpec] = {
    "adaptive": StrategySpec(
        tool="adaptive",
        by_cell=False,
        takes_number=False,
        since=1,
        title="Adaptive",
        hint=(
            "The usual one: epsilon goes first to larger regions, then to where there is something"
            " to see."
        ),
    ),
    "flat": StrategySpec(
        tool=None,
        by_cell=True,
        takes_number=False,
        since=1,
        title="Flat",
        hint=(
            "Every cell gets a noisy number of its own: plain to explain, and mostly further from"
            " the truth."
        ),
    ),
    "sparse": StrategySpec(
        tool="sparse",
        by_cell=True,
        takes_number=True,
        since=2,
        title="Sparse",
        hint="As flat, but only cells of at least so many noisy points are listed.",
    ),
}
if len({spec.tool for spec in STRATEGY_SPECS.values()}) < len(STRATEGY_SPECS):
    raise TypeError(
        "each strategy but one is a tool of its own, decided on with each of the others"
    )


def custom_name(text: str) -> str:
    """Returns the name of the strategy that the releaser brought, if a record's word for it says
    that; "" for dpmap's own.

    >>> custom_name("custom:halving"), custom_name("sparse:20")
    ('halving', '')
    """
    word, _, name = text.partition(":")
    return name if word == CUSTOM else ""


def check_name(name: object) -> str:
    """Returns the public name of a strategy that the releaser brings, or refuses it: it stands in
    every page and statement.

    >>> check_name("halving")
    'halving'
    """
    if (
        not isinstance(name, str)
        or not 0 < len(name) <= LONGEST_NAME
        or not name.isprintable()
        or name != name.strip()
    ):
        raise BadInput(
            f"strategy: its name is public and is printed: give it an attribute `name` of 1 to"
            f" {LONGEST_NAME} printable characters, like halving"
        )
    return name
