"""Words that statements and maps share: what is counted, who is protected, and how far odds may
move.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from dpmap.grid import Grid, official
from dpmap.noise.theory import odds_factor, survey_share
from dpmap.numbers import decimal_text, one_in
from dpmap.promise.policy import Policy
from dpmap.record import Measurement, Record
from dpmap.record.metadata import Tier
from dpmap.record.periods import period

NOT_DISTINGUISHABLE = "not distinguishable from none"
NOT_TOLD = "not told"
NO_ANSWER = "no answer: too few records"
ONLY_TOTALS = (
    "merge: the noise of totals with Laplace noise is known together; maps of means, of reports and"
    " with --delta are not merged"
)
BLOCKS = "outlined: measured as one block; how it lies within is a guess"
PLACES = (
    "cells of one colour without a line between them are told as one place, some in several"
    " pieces: how these differ is not known"
)
SMOOTH = (
    "smooth: how close places differ is not known; detail is drawn only where the answers agree on"
    " it"
)
VAGUE = "less sure: may be two classes off, or more"
EVERY_CELL = "every cell whose colour is told is told by itself"
MANY_PLACES = "cells of one colour may be told as one place: how they differ is not known"

WEAK = 10
"""An epsilon above this says little."""


def plain(text: str) -> str:
    """Writes declared text as a code span, in which Markdown and HTML mean nothing, without
    invisible characters.
    """
    shown = "".join(mark if mark.isprintable() else " " for mark in text if mark != "`").strip()
    return f"`{shown or 'unnamed'}`"


def unit_words(policy: Policy) -> str:
    """Says who is protected."""
    return "one row" if policy.unit == "row" else f"all rows of one {plain(policy.unit)}"


def and_site(policy: Policy) -> str:
    """Says what else is protected, if a site is."""
    return (
        ""
        if policy.site is None
        else f", and also **one {plain(policy.site)}**: that it exists, and where"
    )


def factor(odds: float) -> str:
    """Writes a factor of odds, as precisely as its size allows.

    >>> factor(2.71828), factor(1808.04), factor(1e9)
    ('2.72', '1,810', 'over a million')
    """
    if odds >= 1e6:
        return "over a million"
    return f"{odds:.3g}" if odds < 999.5 else f"{float(f'{odds:.3g}'):,.0f}"


def took_part_words(epsilon: Fraction) -> str:
    """Says in one sentence how far odds may move about whether anyone took part."""
    return (
        "Whether any one unit took part: nobody's odds about that can change by more than a factor"
        f" e^epsilon = {factor(odds_factor(epsilon))}, whatever they know already and whatever they"
        " compute."
    )


def odds_words(policy: Policy, *, one_of_several: bool = False) -> str:
    """Says in a sentence or two what a map promises; `one_of_several` where it is one reader's map
    of a draw for several.

    >>> odds_words(Policy(epsilon="0.1", unit="ringer", cap=5))
    "Nobody's odds about whether any one ringer took part can change by more than a factor of 1.11
    (epsilon 0.1), whatever they know already."
    """
    unit = (
        "any one row is in the survey"
        if policy.unit == "row"
        else f"any one {clean(policy.unit)} took part"
    )
    site = f" or any one {clean(policy.site)} exists" if policy.site else ""
    but = f", but for a chance of at most {one_in(policy.delta)}" if policy.delta else ""
    tier = (
        ". Whoever holds several maps of this draw can learn no more than the finest of them tells"
        if one_of_several
        else ""
    )
    weak = " An epsilon as large as this protects next to nothing." if policy.epsilon > WEAK else ""
    return (
        f"Nobody's odds about whether {unit}{site} can change by more than a factor of"
        f" {factor(odds_factor(policy.epsilon))} (epsilon {decimal_text(policy.epsilon)}), whatever"
        f" they know already{but}{tier}.{weak}"
    )


def where_words(epsilon: Fraction) -> str:
    """Says how far odds may move about where a unit was.

    >>> where_words(Fraction(1, 10))
    'Where a unit that took part reported: by no more than e^(2 epsilon) = 1.22.'
    """
    return (
        "Where a unit that took part reported: by no more than e^(2 epsilon) ="
        f" {factor(odds_factor(epsilon, 2))}."
    )


SURVEY_CELLS = 25
"""So many cells has the project area of which `survey_words` speaks, or the map, if that has
fewer.
"""
SURVEY_POINTS = (100, 1000)
"""So much it holds."""
SURVEY_HEAD = "What the noise costs"
SURVEY_CHANCE = (
    "Beside the noise there is chance, here that of points that come one by one; where observers"
    " report several each, chance is larger and the noise costs less."
)
"""What the share takes for granted."""


def survey_words(grid: Grid, noise_variance: Callable[[int, float], float]) -> str:
    """Says in one sentence what the noise costs, as the share of the observers without whom a
    survey would be as good as this map.

    `noise_variance` is that of so many cells, measured each by itself, that hold so many points.

    >>> survey_words(
    ...     Grid(bounds=(0, 0, 8, 8), shape=(8, 8), crs="EPSG:3857"),
    ...     lambda cells, points: cells * 2.45,
    ... )
    'For a project area of 25 cells that holds 100 points the noise costs as much as if only 62 % of
    the observers had reported; for 1,000 points 94 %.'
    """
    cells = survey_cells(grid)
    area = (
        "an area" if grid.names else "a cell" if cells == 1 else f"a project area of {cells} cells"
    )
    few, many = SURVEY_POINTS
    shares = [
        share_words(survey_share(points, noise_variance(cells, points))) for points in SURVEY_POINTS
    ]
    return (
        f"For {area} that holds {few:,} points the noise costs as much as if only {shares[0]} of"
        f" the observers had reported; for {many:,} points {shares[1]}."
    )


def survey_line(sentence: str) -> str:
    """Returns the sentence of `survey_words` as a line of a list, with what it takes for
    granted; empty without one.
    """
    return f"- {sentence} {SURVEY_CHANCE}\n" if sentence else ""


def survey_cells(grid: Grid) -> int:
    """Returns of how many cells the project area is that `survey_words` speaks of: of areas with
    names it is one.
    """
    return 1 if grid.names else min(SURVEY_CELLS, grid.ground.cells_inside)


def share_words(share: float) -> str:
    """Writes a share in whole per cent; neither none nor all.

    >>> share_words(0.004), share_words(0.617), share_words(0.9971)
    ('1 %', '62 %', 'over 99 %')
    """
    return "over 99 %" if share > 0.99 else f"{max(share, 0.01):.0%}".replace("%", " %")


def tier_words(tier: Tier) -> str:
    """Says in one line for whom a tier's map is, of how many, and which of them tells most.

    >>> tier_words(Tier("public", {"public": "0.3", "manager": "3"}))
    "map for 'public', one of 2 maps of one draw; the surest is for 'manager' (epsilon 3)"
    """
    surest = list(tier.epsilons)[-1]
    surest_words = (
        "this is the surest"
        if tier.name == surest
        else f"the surest is for '{_short(surest)}' (epsilon {_short(tier.dearest)})"
    )
    return (
        f"map for '{_short(tier.name)}', one of {len(tier.epsilons)} maps of one draw;"
        f" {surest_words}"
    )


def _short(text: str) -> str:
    return clean(text)[:40]


def list_words(parts: Sequence[str]) -> str:
    """Writes several things as a sentence does.

    >>> list_words(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


DECLARED_PUBLIC = (
    "The steward declared that each was public before this release, and that none was made from the"
    " survey, but by earlier releases that were paid for; dpmap cannot check that. They cost no"
    " epsilon, and the noisy answers alone decide how far each is trusted."
)


def priors_words(record: Record) -> str:
    """Names what was public beforehand, each by the hash of its content, and says what that
    means; empty where there was nothing.
    """
    named = list_words(
        [f'"{clean(prior.name)}" (SHA-256 {prior.sha256})' for prior in record.priors]
    )
    return f"Public priors: {named}. {DECLARED_PUBLIC}" if record.priors else ""


LONGEST_RULE = 120
"""A declared rule of more characters is not repeated where a line of its own is all there is
room for.
"""


def selection_rule(record: Record, *, briefly: bool = False) -> str:
    """Returns the declared rule by which rows were selected, like `rows where year >= 2020`;
    empty if there is none.
    """
    rule = clean(
        next((words for part, words in record.about.read_as or () if part == "selected"), "")
    )
    return (
        "rows selected by a declared rule (see the statement)"
        if briefly and len(rule) > LONGEST_RULE
        else rule
    )


def rows_chosen_words(record: Record) -> str:
    """Says who or what chose the rows before dpmap read them, and what that means for the
    promise; empty where a file was read as it is.
    """
    notes = dict(record.about.read_as or ())
    origin = clean(notes.get("read from", "")).partition(":")[0]
    chooser = clean(notes.get("chosen by", ""))
    if not origin and not chooser:
        return ""
    lead = (
        f"The rows were chosen before dpmap read them, by {plain(chooser)}"
        if chooser
        else (f"The rows came from {plain(origin)}, and who or what chose them is not declared")
    )
    return (
        f"{lead}: the promise is about the rows that were left. An expression, or a hand, may keep"
        " or leave out one person's rows because of another's, and what that shows is not hidden"
        " by it."
    )


def noun(record: Record) -> str:
    """Returns the plural noun for what is counted: the steward's own word if the record has one."""
    return clean(record.about.noun or "records")[:40] or "records"


def count_words(count: str, noun: str) -> str:
    """Writes how many there are of something, as grammar has it.

    >>> count_words("1", "point"), count_words("2.5", "point")
    ('1 point', '2.5 points')
    """
    return f"{count} {noun}{'' if count == '1' else 's'}"


def official_words(grid: Grid) -> str:
    """Says in a sentence in which official grid the cells are, or what to change where they nearly
    are; empty where they are far from any.

    >>> official_words(
    ...     Grid(bounds=(4280000, 2670000, 4290000, 2680000), shape=(1, 1), crs="EPSG:3035")
    ... )[:68]
    'The cells are those of the EEA reference grid (column eeaCellCode) a'
    """
    title = official.title(grid)
    advice = official.advice(grid)
    if title:
        doubt = official.unverified(grid)
        return f"The {title}{'; ' if doubt else ''}{doubt}."
    return f"The cells have no official codes ({advice})." if advice else ""


def again_words(measurement: Measurement) -> str:
    """Says the noise of regions that had been asked before, if any were: their answers pool what
    both questions cost.
    """
    scales = [f"{float(scale):.4g}" for scale in measurement.pooled_scales[1:]]
    return f" ({' or '.join(scales)} where the same region had been asked before)" if scales else ""


def both_titles(before: Record, after: Record) -> tuple[str, str]:
    """Returns what two maps are called side by side: by their times, or the days they were
    released on, where their titles are one.
    """
    titles = clean(before.title), clean(after.title)
    if titles[0] != titles[1]:
        return titles
    spans = period(before), period(after)
    names = [
        one.released_on if span is None else span.name
        for one, span in zip((before, after), spans, strict=True)
    ]
    if names[0] == names[1]:
        names = ["the first release", "the second"]
    return f"{titles[0]} ({names[0]})", f"{titles[1]} ({names[1]})"


def clean(text: str) -> str:
    """Returns text on one line, without the control characters that XML and metadata cannot hold.

    >>> clean("one" + chr(9) + "two" + chr(7))
    'one two'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
