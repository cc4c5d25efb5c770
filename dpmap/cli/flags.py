"""Declares the groups of flags once each: Promise, Finer, Spending, Stamp, Published, Engine and
others; those of the cells are in `grid_flags.py`.

They are not compared and not shown, and so are made without the methods for it: `--help` waits for
each.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from dpmap.cli.config_file import config_callback, resume_callback, survey_callback, units_callback
from dpmap.cli.flag_groups import LAST_PANEL
from dpmap.cli.helpers import progress_shown
from dpmap.cli.survey_paths import one_file
from dpmap.errors import BadInput
from dpmap.numbers import real, whole
from dpmap.promise import limiters
from dpmap.promise.compatibility import NOISE_SOURCES

if TYPE_CHECKING:
    from dpmap.grid import Grid
    from dpmap.promise.governance import Governance
    from dpmap.render.user_layers import Context


def whole_number(text: str, least: int | None = None) -> int:
    """Reads a flag's whole number in digits; Python alone would take `1_0` for ten.

    >>> whole_number("10")
    10
    """
    try:
        found = whole(str(text))
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a whole number") from None
    if least is not None and found < least:
        raise typer.BadParameter(f"{found} is below {least}")
    return found


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
Unit = Annotated[
    str | None, typer.Option("--unit", help="Column of who is protected, COLUMN+COLUMN, or row.")
]
ConsentFlag = Annotated[
    str | None, typer.Option("--consent", help="COLUMN=VALUE[,VALUE]: rows that count.")
]
LimiterFlag = Annotated[
    str, typer.Option("--limiter", help=f"How the cap is kept: {limiters.listed()}.")
]
EpsilonByFlag = Annotated[
    str | None,
    typer.Option(
        "--epsilon-by",
        help="Column of each unit's own limit on epsilon, COLUMN=0.1,0.5,1: rounded down to these.",
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


TierFlag = Annotated[
    list[str] | None,
    typer.Option(
        "--tier",
        parser=one_tier,
        metavar="NAME=EPSILON",
        help=(
            "A map for this reader, at her epsilon; repeat it. All are one draw and cost the"
            " dearest, once. Leave --epsilon out."
        ),
    ),
]


def changed(group: Any) -> dict[str, Any]:
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


@dataclass(frozen=True, eq=False, repr=False)
class Promise:
    """Who is protected, and how well."""

    panel: ClassVar = "The promise"
    unit: Unit = None
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon",
            help=(
                "How far it may move odds about one unit (e^epsilon times), like 0.5; or next, by"
                " the ledger's plan."
            ),
        ),
    ] = None
    cap: Annotated[
        str | None,
        typer.Option(
            "--cap",
            help=(
                "Most points one unit adds to all cells or areas together, or for a map auto:0.05:"
                " spend that share of epsilon on choosing it privately."
            ),
        ),
    ] = None
    limiter: LimiterFlag = limiters.DEFAULT
    consent: ConsentFlag = None


@dataclass(frozen=True, eq=False, repr=False)
class Finer:
    """Further flags of the promise of a map."""

    panel: ClassVar = Promise.panel
    cap_origin: Annotated[
        str,
        typer.Option(
            "--cap-origin",
            help='How a cap given as a number was found: "declared" or "after inspection".',
        ),
    ] = "declared"
    site: Annotated[
        str | None,
        typer.Option(
            "--site", help="Column of the sites to protect too, like nest_id; with --sites."
        ),
    ] = None
    sites: Annotated[
        str | None,
        typer.Option("--sites", help="File that says where each site is, under the same name."),
    ] = None
    site_cap: Annotated[
        int,
        typer.Option(
            "--site-cap",
            parser=whole_number,
            metavar="INTEGER",
            help="Most contributors that one site counts for.",
        ),
    ] = 1
    sample: Annotated[
        str | None,
        typer.Option(
            "--sample", help="Draw this share of the units first, like 5%: less noise, of fewer."
        ),
    ] = None
    tier: TierFlag = None
    seal: Annotated[
        Path | None,
        typer.Option(
            "--seal",
            help=(
                "With --tier: make the noisiest now, and keep all in this new file for later (dpmap"
                " unseal)."
            ),
        ),
    ] = None
    epsilon_by: EpsilonByFlag = None
    lifetime: Annotated[
        str | None,
        typer.Option(
            "--lifetime",
            help="The limits are for good, and this release takes this share of each, like 25%.",
        ),
    ] = None
    delta: Annotated[
        str | None,
        typer.Option(
            "--delta",
            help=(
                "Chance that epsilon need not hold, like 1e-6: Gaussian noise; with --strategy"
                " flat."
            ),
        ),
    ] = None
    units: Annotated[
        int | None,
        typer.Option(
            "--units",
            parser=whole_number,
            callback=units_callback,
            metavar="INTEGER",
            help="Most units the survey may hold, declared: bounds --delta.",
        ),
    ] = None


@dataclass(frozen=True, eq=False, repr=False)
class Spending:
    """What pays for an answer."""

    panel: ClassVar = "The budget"
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Name of the data set in the ledger.")
    ] = None
    budget: Annotated[
        str | None,
        typer.Option("--budget", help="Most epsilon ever, declared at the first release."),
    ] = None
    ledger: Annotated[
        Path | None,
        typer.Option("--ledger", help="Ledger file; by default dpmap.ledger beside the survey."),
    ] = None

    confirm_epsilon: Annotated[
        bool,
        typer.Option(
            "--confirm-epsilon",
            help="An epsilon above 20, which protects hardly anybody, is meant.",
        ),
    ] = False

    def dataset_name(self) -> str:
        """Returns the data set's name, which must be given."""
        if self.dataset is None:
            raise BadInput(
                "--dataset: name the data set, like --dataset 'Raptors 2026'; its ledger adds up"
                " all its releases"
            )
        return self.dataset


@dataclass(frozen=True, eq=False, repr=False)
class Drawing:
    """How a map spends its epsilon."""

    panel: ClassVar = Spending.panel
    budget_delta: Annotated[
        str | None,
        typer.Option(
            "--budget-delta", help="Most delta ever, declared at the first release with --delta."
        ),
    ] = None
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help=(
                "How epsilon is spent: adaptive; flat for every cell's own noisy count; sparse:20"
                " for those of 20 and more."
            ),
        ),
    ] = "adaptive"
    noise: Annotated[
        str, typer.Option("--noise", help=f"Source of the noise: {' or '.join(NOISE_SOURCES)}.")
    ] = "dpmap"
    prior: Annotated[
        list[str] | None,
        typer.Option(
            "--prior",
            metavar="FILE[:COLUMN]",
            help=(
                "Raster, layer or earlier release.dpmap, which you declare to be public before this"
                " release: it sharpens the map at no cost, as far as the noisy answers bear it out;"
                " may be repeated."
            ),
        ),
    ] = None

    def refuse_survey(self, *private: str | None) -> None:
        """Refuses a prior that is one of the `private` files: what is private cannot be public
        before.
        """
        from dpmap.grid.allocate import parted
        from dpmap.render.user_layers import refuse_survey

        files = (parted(one)[0] for one in self.prior or ())
        refuse_survey(
            files,
            *private,
            flag="--prior",
            why="a prior is public before, so give files that are no secret",
        )


ContextFlag = Annotated[
    list[str] | None,
    typer.Option(
        "--context",
        metavar="FILE[:LAYER]",
        help="Public layer to draw with the map, as it is: roads, parks; may be repeated.",
    ),
]


@dataclass(frozen=True, eq=False, repr=False)
class Stamp:
    """What a map shows about who is responsible for it, and of the land around."""

    panel: ClassVar = "Shown on the map"
    authorised_by: Annotated[
        str, typer.Option("--authorised-by", help="Who authorised this map; shown on it.")
    ] = ""
    purpose: Annotated[
        str, typer.Option("--purpose", help="What it may be used for; shown on it.")
    ] = ""
    expires: Annotated[
        str, typer.Option("--expires", help="Last day of use, like 2031-12-31; shown on it.")
    ] = ""
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label", help='Local Contexts label, like "TK Attribution"; may be repeated.'
        ),
    ] = None
    context: ContextFlag = None

    def layers(self, grid: "Grid", *private: str | None) -> "Context":
        """Reads the layers of `--context`, none of which may be one of the `private` files."""
        from dpmap.render.user_layers import read, refuse_survey

        refuse_survey(self.context or (), *private)
        return read(self.context, grid) if self.context else True


@dataclass(frozen=True, eq=False, repr=False)
class Published:
    """What portals and auditors are told of a release."""

    panel: ClassVar = "Told to portals and auditors"
    licence: Annotated[
        str,
        typer.Option(
            "--licence", help="Terms of use: an SPDX id such as CC-BY-4.0, or an https address."
        ),
    ] = ""
    doi: Annotated[
        str, typer.Option("--doi", help="Its DOI, if it has one, like 10.5072/example.")
    ] = ""
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            help="Why its places are sensitive, in a term portals know: speciesLocation, ...",
        ),
    ] = ""
    local_contexts: Annotated[
        str,
        typer.Option(
            "--local-contexts", help="Id of the project at Local Contexts, which portals read."
        ),
    ] = ""
    retention: Annotated[
        str,
        typer.Option(
            "--retention", help="Who can reach the survey and the ledger, and for how long."
        ),
    ] = ""
    also_published: Annotated[
        list[str] | None,
        typer.Option(
            "--also-published",
            help='What else was published of the same data, or "nothing"; may be repeated.',
        ),
    ] = None

    def governance(self, stamp: Stamp) -> "Governance":
        """Returns all that is declared about the map's use, as the record holds it."""
        from dpmap.promise.governance import Governance

        return Governance(
            stamp.authorised_by,
            stamp.purpose,
            stamp.expires,
            tuple(stamp.label or ()),
            self.local_contexts,
            self.licence,
            self.doi,
            self.reason,
            self.retention,
            tuple(self.also_published or ()),
        )


@dataclass(frozen=True, eq=False, repr=False)
class EngineFlags:
    """Which engine counts the rows, and with what settings."""

    panel: ClassVar = "What counts the rows"
    engine: Annotated[
        str, typer.Option("--engine", help="What counts the rows: duckdb or spark.")
    ] = "duckdb"
    memory: Annotated[
        str | None, typer.Option("--memory", help='Most memory for the engine, like "2GB".')
    ] = None
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads", parser=from_one, metavar="INTEGER", help="Most threads for the engine."
        ),
    ] = None
    temp: Annotated[
        Path | None,
        typer.Option(
            "--temp",
            help="Folder with room, in which the engine may spill what memory cannot hold.",
        ),
    ] = None

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


@dataclass(frozen=True, eq=False, repr=False)
class FolderFlags:
    """Where a release goes."""

    panel: ClassVar = LAST_PANEL
    out: Annotated[Path | None, typer.Option("--out", help="New folder for the release.")] = None
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            callback=resume_callback,
            help=(
                "Make what is missing in a release's folder (FILE, or --out) from its"
                " release.dpmap, at no cost."
            ),
        ),
    ] = False


@dataclass(frozen=True, eq=False, repr=False)
class Settings:
    """A file of flags."""

    panel: ClassVar = LAST_PANEL
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            callback=config_callback,
            is_eager=True,
            help="TOML file with any of these flags.",
        ),
    ] = None


@dataclass(frozen=True, eq=False, repr=False)
class AnswerFlags:
    """How an answer is printed."""

    panel: ClassVar = LAST_PANEL
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False

    def tell(self, answer: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Prints the answer as JSON if asked for, else as lines for people."""
        for line in [dumps(answer, ensure_ascii=False)] if self.json else lines:
            typer.echo(line)


@dataclass(frozen=True, eq=False, repr=False)
class Watching:
    """How the progress of a long command is shown."""

    panel: ClassVar = LAST_PANEL
    progress: Annotated[
        str | None,
        typer.Option(
            "--progress",
            help=(
                'json: a JSON object a line on stderr, with "step", "fraction" and "seconds_left".'
            ),
        ),
    ] = None

    def shown(self) -> AbstractContextManager[Callable[[str], None]]:
        """Returns what to call with each step."""
        return progress_shown(self.progress)
