"""Gives the groups of options that a release is told by what commands do with them: Promise,
Spending, Stamp, Published, EngineFlags and others; those of the cells are in `grid_flags.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import fields
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpmap import options
from dpmap.cli.config_file import config_callback, resume_callback, survey_callback, units_callback
from dpmap.cli.flag_groups import FlagGroup, flag_group, whole_number
from dpmap.cli.helpers import ledger_place
from dpmap.cli.progress import progress_shown
from dpmap.cli.survey_paths import one_file
from dpmap.errors import BadInput
from dpmap.numbers import real

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.promise.governance import Governance
    from dpmap.render.user_layers import Context


def from_one(text: str) -> int:
    """Reads a flag's whole number of at least 1."""
    return whole_number(text, 1)


def from_zero(text: str) -> int:
    """Reads a flag's whole number of at least 0."""
    return whole_number(text, 0)


def decimal_number(text: str) -> float:
    """Reads a flag's number in digits."""
    try:
        return real(str(text))
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a number") from None


FileArgument = Annotated[
    list[str],
    typer.Argument(
        help=(
            "The survey export, several for one survey, or an address: s3://, gs://, https://,"
            " postgresql://user@host/database; - reads rows on standard input, packed with gzip."
        ),
        metavar="FILE",
        parser=one_file,
    ),
]
SurveyArgument = Annotated[
    list[str] | None,
    typer.Argument(
        callback=survey_callback,
        help=(
            "The survey export, several for one survey, or an address: s3://, gs://, https://,"
            " postgresql://user@host/database; - reads rows on standard input, packed with gzip."
            " Left out, dpmap.toml in this folder says it, and all else."
        ),
        metavar="FILE",
        parser=one_file,
    ),
]


def one_tier(given: Any) -> Any:
    """Returns tiers as they were given: NAME=EPSILON, or a table of names and epsilons.

    >>> one_tier("public=0.3")
    'public=0.3'
    """
    return given if isinstance(given, Mapping) else str(given)


def tiers(given: Sequence[Any] | None) -> dict[str, str] | None:
    """Returns the epsilon of each tier by its name; None where there are none.

    >>> tiers(["public=0.3", {"manager": 3}])
    {'public': '0.3', 'manager': '3'}
    """
    if not given:
        return None
    tables = [
        one if isinstance(one, Mapping) else dict([one.rpartition("=")[::2]]) for one in given
    ]
    pairs = [
        (str(name).strip(), str(epsilon).strip())
        for table in tables
        for name, epsilon in table.items()
    ]
    if not all(map(all, pairs)):
        raise BadInput(
            "--tier: write a name and an epsilon, like --tier public=0.3 --tier manager=3"
        )
    if len(dict(pairs)) < len(pairs):
        raise BadInput("--tier: a name stands twice; name each tier once")
    return dict(pairs)


def changed_flags(group: Any) -> dict[str, Any]:
    """Returns the flags of a group that differ from their defaults, by the names they are typed
    with, paths as texts.
    """
    return {
        _typed(one): str(value) if isinstance(value := getattr(group, one.name), Path) else value
        for one in fields(group)
        if getattr(group, one.name) != one.default
    }


def _typed(field: Any) -> str:
    """Returns a flag's name as it is typed, with underscores for dashes: `from` for the field
    `since`.
    """
    return str(field.type.__metadata__[0].default).removeprefix("--").replace("-", "_")


@flag_group(options.PROMISE)
class Promise(FlagGroup):
    """Who is protected, and how well."""


@flag_group(options.FINER_PROMISE, tier={"parser": one_tier}, units={"callback": units_callback})
class Finer(FlagGroup):
    """Further flags of the promise of a map."""


@flag_group(options.BUDGET, ledger={"parser": ledger_place, "metavar": "FILE"})
class Spending(FlagGroup):
    """What pays for an answer."""

    def dataset_name(self) -> str:
        """Returns the data set's name, which must be given."""
        if self.dataset is None:
            raise BadInput(
                "--dataset: name the data set, like --dataset 'Raptors 2026'; its ledger adds up"
                " all its releases"
            )
        return str(self.dataset)


@flag_group(options.STRATEGY)
class Drawing(FlagGroup):
    """How a map spends its epsilon."""

    def refuse_survey(self, *private: str | None) -> None:
        """Refuses a prior that is one of the `private` files: what is private cannot be public
        before.
        """
        from dpmap.grid.allocate import split_path
        from dpmap.render.user_layers import refuse_survey

        files = (split_path(one)[0] for one in self.prior or ())
        refuse_survey(
            files,
            *private,
            flag="--prior",
            why="a prior is public before, so give files that are no secret",
        )


@flag_group(options.STAMP)
class Stamp(FlagGroup):
    """What a map shows about who is responsible for it, and of the land around."""

    def layers(self, grid: "Grid", *private: str | None) -> "Context":
        """Reads the layers of `--context`, none of which may be one of the `private` files."""
        from dpmap.render.user_layers import read_layers, refuse_survey

        refuse_survey(self.context or (), *private)
        return read_layers(self.context, grid) if self.context else True


@flag_group(options.PUBLISHED)
class Published(FlagGroup):
    """What portals and auditors are told of a release."""

    def governance(self, stamp: Stamp) -> "Governance":
        """Returns all that is declared about the map's use, as the record holds it."""
        from dpmap.promise.governance import Governance

        return Governance(
            authorised_by=stamp.authorised_by,
            purpose=stamp.purpose,
            expires=stamp.expires,
            labels=tuple(stamp.label or ()),
            local_contexts=self.local_contexts,
            licence=self.licence,
            doi=self.doi,
            reason=self.reason,
            retention=self.retention,
            also_published=tuple(self.also_published or ()),
        )


@flag_group(options.ENGINE, threads={"parser": from_one})
class EngineFlags(FlagGroup):
    """Which engine counts the rows, and with what settings."""

    def started(self) -> Any:
        """Makes the engine of this name with these settings."""
        from dpmap import engines

        if self.engine == "spark" and self.threads is not None:
            raise BadInput("--threads: with Spark its own settings say how many; leave it out")
        if self.temp is not None and not self.temp.is_dir():
            raise BadInput(
                f"--temp: there is no folder {self.temp.name or self.temp}; make it, or name"
                " another"
            )
        folder = None if self.temp is None else str(self.temp)
        given = {"memory": self.memory, "threads": self.threads, "folder": folder}
        return engines.make_engine(
            self.engine, **{name: value for name, value in given.items() if value is not None}
        )


def named_folder(text: str) -> Path:
    """Reads a folder's name; an empty text, as of a variable that is not set, is none."""
    if not text.strip():
        raise typer.BadParameter("name a new folder for the release, like --out raptors")
    return Path(text)


@flag_group(
    options.FOLDER,
    resume={"callback": resume_callback},
    out={"parser": named_folder, "metavar": "PATH"},
)
class FolderFlags(FlagGroup):
    """Where a release goes."""


@flag_group(options.CONFIG, config={"callback": config_callback, "is_eager": True})
class Settings(FlagGroup):
    """A file of flags."""


Telling = tuple[Mapping[str, Any], Iterable[str]]
"""An answer as JSON and as lines for people."""
DELIVER: ContextVar[Callable[[Mapping[str, Any], Iterable[str]], Telling] | None] = ContextVar(
    "DELIVER", default=None
)
"""Puts what the running command wrote into a store, and names the places there in its answer."""


@flag_group(options.ANSWER)
class AnswerFlags(FlagGroup):
    """How an answer is printed."""

    def tell(self, answer: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Prints the answer as JSON if asked for, else as lines for people; what was written for a
        store is put there first.
        """
        if (deliver := DELIVER.get()) is not None:
            answer, lines = deliver(answer, lines)
        for line in [dumps(answer, ensure_ascii=False)] if self.json else lines:
            typer.echo(line)


@flag_group(options.PROGRESS)
class Watching(FlagGroup):
    """How the progress of a long command is shown."""

    def shown(self) -> AbstractContextManager[Callable[[str], None]]:
        """Returns what to call with each step."""
        return progress_shown(self.progress)
