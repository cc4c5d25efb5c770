"""Defines every error that dpmap raises: one line each, never carrying data.

Every message says what is wrong, where (a column, a flag, a file; never a value from the survey)
and what to type instead. It is written once, with the command line's flags; a caller in Python
reads the keywords in their place. The command line turns each kind into its exit code.

>>> issubclass(BudgetExceeded, Refused), BadInput.exit_code, Refused.exit_code
(True, 2, 3)
"""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from importlib.util import find_spec
from inspect import signature
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
KEYWORDS = {
    "above": "threshold",
    "area-layer": "layer",
    "area-name": "name",
    "as": "form",
    "from": "since",
    "grid-crs": "crs",
    "label": "labels",
    "out": "to",
    "taxon": "taxa",
    "temp": "folder",
    "tier": "tiers",
    "to": "path",
    "zones-layer": "layer",
}
"""Keywords of Python that are not called as their flags."""
ONLY_TYPED = (
    *("against", "all-rows", "by-area", "config", "few-cells", "html", "json", "names-only"),
    *("only", "progress", "resume", "kinds", "times"),
)
"""Flags without a keyword: a message names them as they are typed."""
UNDASHED = (
    *("area", "bounds", "budget", "budget-delta", "cap", "cell", "consent", "count", "crs"),
    *("dataset", "delta", "epsilon", "epsilon-by", "grid", "kinds", "lifetime", "mean", "per"),
    *("place", "sample", "shape", "site", "sites", "strategy", "times", "unit", "units", "where"),
    *("within", "zones"),
)
"""Flags that messages begin with without their dashes; other words there are commands or files."""
_FLAG = r"(?<![^\s(,])--([a-z][a-z-]*)"
_COMMAND = r"dpmap [a-z][^;,)]*"
_NAMED_ONCE = re.compile(rf"^(?:{'|'.join(UNDASHED)})(?=: )|{_COMMAND}|{_FLAG}")
_TYPED = re.compile(
    rf"(?P<command>{_COMMAND})"
    r"|(?:--[a-z][a-z-]* (?:[^\s()]+ )?)+\((?P<pair>[a-z_]+=[^)\s][^)]*)\)"
    r"|--[a-z][a-z-]*(?: (?P<value>[^\s()]+))? \((?P<keyword>[a-z_]+=)(?: in Python)?\)"
    rf"|{_FLAG}(?: (?=[A-Z0-9'\"]|(?<=--consent-by )unit|(?<=--team )none|[a-z]+[-=.,_:+]\w))?"
)


def find_option(message: str) -> str:
    """Returns the option that a message is about, by its name in dpmap.toml: the one that it begins
    with, else the first that it says to type.

    >>> find_option("--max-uncertainty: write a length"), find_option("cap: a whole number")
    ('max_uncertainty', 'cap')
    >>> find_option("no cap: add --cap C (cap=)"), find_option("type dpmap init --out a.toml")
    ('cap', '')
    """
    for mention in _NAMED_ONCE.finditer(message):
        if not mention[0].startswith("dpmap "):
            return (mention[1] or mention[0]).replace("-", "_")
    return ""


def name_keywords(message: str) -> str:
    """Returns a message with the keywords of Python in place of the flags of the command line;
    commands that it quotes stay.

    >>> name_keywords("--max-uncertainty: no such column; leave --max-uncertainty out")
    'max_uncertainty: no such column; leave max_uncertainty= out'
    >>> name_keywords("no cap: add --cap C (cap=), or type dpmap init --unit who")
    'no cap: add cap=C, or type dpmap init --unit who'
    """

    def name_keyword(mention: re.Match[str]) -> str:
        if mention["command"] or mention["pair"]:
            return mention["command"] or mention["pair"]
        if mention["keyword"]:
            return f"{mention['keyword']}{mention['value'] or ''}"
        flag = mention[5]
        if flag in ONLY_TYPED:
            return mention[0]
        if flag == "to" and ("--from" in message or " date" in message):
            return "until="
        return f"{KEYWORDS.get(flag, flag).replace('-', '_')}="

    return re.sub(r"^(?:--)?(\w+)=?:", r"\1:", _TYPED.sub(name_keyword, message))


class DpmapError(Exception):
    """Base class of all errors: `except dm.errors.DpmapError` catches everything dpmap raises on
    purpose.

    >>> import dpmap as dm
    >>> try: dm.open("nothing.dpmap")
    ... except dm.errors.DpmapError as error: print(error, error.exit_code)
    there is no file nothing.dpmap; give a release.dpmap 2

    `option` is what the error is about, by its name in dpmap.toml, empty where it is about none;
    `terminal_line` is the message as the command line prints it.
    """

    exit_code = 1

    def __init__(self, *message: object, option: str | None = None) -> None:
        super().__init__(*message)
        self.option = find_option(self.terminal_line) if option is None else option

    @property
    def terminal_line(self) -> str:
        """The message with the flags of the command line."""
        return str(self.args[0]) if self.args else ""

    def __str__(self) -> str:
        return name_keywords(self.terminal_line)


class SystemFailed(DpmapError, RuntimeError):
    """Raised when the machine failed: disk, memory, rights, engine."""


class BadInput(DpmapError, ValueError):
    """Raised when the call cannot be understood or a file cannot be read."""

    exit_code = 2


class MissingFile(BadInput, FileNotFoundError):
    """Raised when a file that was named is not there.

    >>> import dpmap as dm
    >>> try: dm.open("nothing.dpmap")
    ... except FileNotFoundError as error: print(error)
    there is no file nothing.dpmap; give a release.dpmap
    """


class WrongType(BadInput, TypeError):
    """Raised when a call is given an option that it has not, or a value of a type that it does not
    take.
    """


class NoPlace(BadInput):
    """Raised when no column is known to say where a row is; `flags` is what to add, `columns`
    are those there are.
    """

    def __init__(self, message: str, flags: str, columns: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.flags = flags
        self.columns = columns


class SeveralTables(BadInput):
    """Raised when a file holds several tables and none was chosen; `flag` chooses one of these
    `names`.
    """

    def __init__(self, message: str, flag: str, names: Iterable[str]) -> None:
        super().__init__(message)
        self.flag = flag
        self.names = tuple(names)


class NoTier(BadInput, KeyError):
    """Raised when a draw has no map for the reader of this name, or keeps it sealed."""


class MissingExtra(BadInput, ImportError):
    """Raised when an optional library is needed; the message names the library itself, since an
    index may hold another dpmap.
    """


SURVEYS = 'surveys and Parquet need two libraries; type: pip install "duckdb>=2" "pyarrow>=17"'
PARTS = {
    "duckdb": SURVEYS,
    "pyarrow": SURVEYS,
    "rasterio": 'rasters need rasterio; type: pip install "rasterio>=1.4"',
    "xarray": 'labelled arrays need xarray; type: pip install "xarray>=2024.6"',
    "folium": 'explore needs folium; type: pip install "folium>=0.18" "branca>=0.7"',
}
"""The libraries that a map is opened, asked and drawn without, and what to type for each."""


def require_library(name: str) -> None:
    """Raise `MissingExtra` where a library of `PARTS` is not installed."""
    try:
        is_there = find_spec(name) is not None
    except (ImportError, ValueError):
        is_there = False
    if not is_there:
        raise MissingExtra(PARTS[name])


class Refused(DpmapError, RuntimeError):
    """Raised when a call is understood but declined, to protect privacy.

    >>> import dpmap as dm
    >>> try: dm.Policy(epsilon=1, unit="observer_id")
    ... except dm.errors.Refused as refused: print(refused)
    no cap: add cap=C, the most points one unit may add to the whole map, for example 5
    """

    exit_code = 3


class BudgetExceeded(Refused):
    """Raised when the ledger has too little budget left for this release."""


def near(wanted: str, known: Iterable[str]) -> str:
    """Returns the end of a message about an unknown name: the known names most like it, or nothing.

    >>> near("--epsilom", ["--epsilon", "--epsilon-by", "--cap"]), near("--zzz", ["--cap"])
    (' (did you mean --epsilon or --epsilon-by?)', '')
    """
    folded = {name.lower(): name for name in known}
    found = [folded[name] for name in get_close_matches(wanted.lower(), folded, n=3, cutoff=0.7)]
    if not found:
        return ""
    return f" (did you mean {', '.join(found[:-1])}{' or ' * (len(found) > 1)}{found[-1]}?)"


def one_line(call: Callable[P, R]) -> Callable[P, R]:
    """Answers an unknown option of a call with one line: the options most like it, or all that it
    has.

    >>> @one_line
    ... def draw(path, *, title=None, legend=True): return path
    >>> try: draw("map.png", titel="Owls")
    ... except BadInput as error: print(error)
    draw: titel is no option (did you mean title?)
    """
    known = [
        name for name, one in signature(call).parameters.items() if one.default is not one.empty
    ]

    @wraps(call)
    def checked(*args: P.args, **given: P.kwargs) -> R:
        for name in given:
            if name not in signature(call).parameters:
                nearest = near(name, known) or f"; it has {', '.join(known)}"
                raise WrongType(f"{call.__name__}: {name} is no option{nearest}")
        return call(*args, **given)

    return checked
