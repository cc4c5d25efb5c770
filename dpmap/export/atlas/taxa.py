"""What portals call the kinds of a map, and the time that a map without times is of: declared, and never read off a survey."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Taxa:
    """Says what the kinds of a map are called where portals look them up.

    - `keys`: the key of a kind in a portal's own list, by the kind's name.
    - `names`: its scientific name, by the kind's name, where the two differ.
    - `year`: the year or month, such as 2024 or 2024-05, of a map without times.
    """

    keys: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    year: str = ""
