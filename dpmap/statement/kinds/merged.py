"""Words for several partners' maps in one."""

from typing import TYPE_CHECKING, Any

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.inference.kinds import map_reader
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.file_names import ATTESTED, METADATA
from dpmap.statement.kinds.totals import Odds, TotalsStatement, law_words
from dpmap.statement.phrases import (
    and_site,
    clean,
    factor,
    listed,
    official_words,
    plain,
    selected,
    survey_line,
    survey_words,
    unit_words,
)

if TYPE_CHECKING:
    from dpmap.statement.attestation.participant_page import Page
    from dpmap.statement.attestation.questions import Answering


class MergedStatement(TotalsStatement):
    """Words for the sum of the partners' totals; what may differ between partners stands in
    their own releases.
    """

    files = ("statement.md", *ATTESTED, "map.png", "map.html", *METADATA)
    unpaid = "is merged; check each partner's own release"
    unmerged = "merge: one of these is merged already; give the partners' own releases"

    def provenance(self) -> str:
        """Says whose maps these are, and what they promise together."""
        record, policy, apart = (
            self.record,
            self.record.policy,
            self.record.about.disjoint is not None,
        )
        unit = "each single row" if policy.unit == "row" else f"each {policy.unit}"
        how = "who is in one of them only" if apart else "for all of them together"
        return (
            f"Merged from {len(record.partners)} differentially private maps"
            f" ({clean(record.receipt.dataset)}): \N{GREEK SMALL LETTER EPSILON} ="
            f" {decimal_text(policy.epsilon)} for {unit}, {how} \N{MIDDLE DOT} cells:"
            f" {record.grid.cell_text} \N{MIDDLE DOT} {self.error_words()}"
        )

    def capped_words(self) -> str:
        """Says that each partner's cap holds."""
        return "capped: nobody counts for more in a partner's map than its cap"

    def promise_words(self) -> str:
        """Says whether the promise is one unit's loss in one of the maps, or in all of them."""
        if self.record.about.disjoint:
            return (
                f"{super().promise_words()} That holds where no unit is in two of the merged data"
                " sets, as was declared."
            )
        return super().promise_words()

    def odds(self) -> Odds:
        """Returns what the maps promise together, about taking part alone."""
        return {
            "took_part": (odds_factor(self.record.policy.epsilon), _took_part(self.record)),
            "where": None,
        }

    def facts(self) -> dict[str, str]:
        """Returns the facts that the partners share."""
        apart = ("cap_origin", "limiter", "consent", "ledger_head")
        return {key: value for key, value in super().facts().items() if key not in apart}

    def noised_words(self) -> str:
        """Says that each partner's numbers have noise of their own."""
        return (
            "Random noise was added to each partner's measured numbers before they left its survey,"
            " and the noisy numbers were added up."
        )

    def noise_words(self) -> str:
        """Says the laws of the partners' noises."""
        return law_words(self.record.policy, [one.measurements[-1] for one in self.record.partners])

    def statement(self) -> str:
        """Returns the statement: whose the maps are, what they promise together, how sure the
        sum is.
        """
        return statement(self.record)

    def accuracy(self) -> str:
        """Returns the statement's section on how sure the map is."""
        return _accuracy(self.record)

    def attested(self) -> "Answering":
        """Returns what answers each question, where it is otherwise than of a curator's map."""
        from dpmap.statement.attestation import merged_attestation

        return merged_attestation.ANSWERS

    def protected(self) -> "Page":
        """Returns the page for whoever is protected."""
        from dpmap.statement.attestation import participant_page

        return participant_page.merged(self.record)

    def deployment(self) -> dict[str, Any]:
        """Always refused."""
        raise BadInput(
            "privacy.yaml: a merged map is no deployment of its own; keep those of the partners'"
            " releases"
        )


def statement(record: Record) -> str:
    """Returns the statement of several partners' maps in one: whose they are, their joint
    promise, how sure the sum is.
    """
    return (
        "\n\n".join((_partners(record), _added_up(record), _together(record), _accuracy(record)))
        + "\n"
    )


def _partners(record: Record) -> str:
    rows = "\n".join(map(_partner, record.partners))
    return (
        f"# What this map is: {len(record.partners)} maps added up\n\nEach of these was released by"
        " itself, with its own noise and its own statement. Adding them up looked at no survey and"
        " cost nothing.\n\n| data set | released | epsilon | cap | consent rule | ledger event,"
        f" head |\n|---|---|---|---|---|---|\n{rows}"
    )


def _partner(record: Record) -> str:
    """Makes one row of the table of partners."""
    policy, receipt = record.policy, record.receipt
    consent = plain(str(policy.consent)) if policy.consent else "none"
    rule = f"; {plain(selected(record))}" if selected(record) else ""
    own = "" if policy.epsilon_by is None else " at most, by each unit's own limit"
    return (
        f"| {plain(receipt.dataset)} | {plain(record.released_on)} |"
        f" {decimal_text(policy.epsilon)}{own} | {policy.cap} | {consent}{rule} | {receipt.event},"
        f" {plain(receipt.head[:16])} |"
    )


def _added_up(record: Record) -> str:
    grid = record.grid
    coded = f" {words}" if (words := official_words(grid)) else ""
    return (
        f"## What was done\n\nThe totals of each cell were added up, over {grid.cells_inside:,}"
        f" cells of {grid.cell_text} ({plain(crs_tools.name(grid.crs))}); a cell that a partner's"
        " map does not reach holds the others' totals only. Sightings that two partners both hold"
        f" count twice.{_times(record)}{coded}"
    )


def _several(record: Record) -> list[Record]:
    """Returns the maps that are of a data set of which there is more than one here."""
    names = [one.receipt.dataset for one in record.partners]
    return [one for one in record.partners if names.count(one.receipt.dataset) > 1]


def _times(record: Record) -> str:
    """Says why the rows of one data set do not count twice, where several maps are of it."""
    if not _several(record):
        return ""
    return (
        " No row counts in two maps of the same data set: their times were declared apart, or they"
        " are layers of one release."
    )


def _together(record: Record) -> str:
    """Says what the maps promise together."""
    epsilon, apart = record.policy.epsilon, record.about.disjoint
    if same := _several(record):
        once = len({one.receipt.release_id for one in same}) < len(same)
        layers = (
            " Layers of one release share its cap and its noise, and cost its epsilon once."
            if once
            else ""
        )
        whose = (
            "The same unit may have rows in several of these maps, and counts up to the cap of"
            " each release. So a unit that is in all of them loses the sum of their epsilons,"
            f" {decimal_text(epsilon)}; one that is in one of them, that one's.{layers}"
        )
        return _protected(record, whose)
    whose = (
        f"No unit is in two of these data sets, as {plain(apart.signed_by)} declares. So a unit"
        f" loses what its own map costs, at most epsilon = {decimal_text(epsilon)}. Where a unit is"
        " in two of them, it is not so."
        if apart
        else (
            "A unit that is in all of these data sets loses the sum of their epsilons,"
            f" {decimal_text(epsilon)}; one that is in one of them, that one's."
        )
    )
    return _protected(record, whose)


def _protected(record: Record, whose: str) -> str:
    """Says who is protected, and by how much."""
    return (
        "## What it protects\n\nThe unit of protection is"
        f" **{unit_words(record.policy)}**{and_site(record.policy)}. {whose}\n\n-"
        f" {_took_part(record)}\n- Other releases of the same data sets add to that: each partner's"
        " ledger holds them." + "".join(map(_tier, record.partners))
    )


def _took_part(record: Record) -> str:
    """Says how far odds may move about whether anyone took part."""
    return (
        "Whether any one unit took part: nobody's odds about that change by more than a factor of "
        f"{factor(odds_factor(record.policy.epsilon))} by these maps."
    )


def _tier(record: Record) -> str:
    """Says what a partner's map that is a tier leaves out: what those who hold the other tiers
    of its draw are told.
    """
    if (tier := record.about.tier) is None:
        return ""
    epsilon = decimal_text(record.policy.epsilon)
    others = listed(
        [f"{plain(name)} (epsilon {plain(other)})" for name, other in tier.others.items()]
    )
    return (
        f"\n- The map of {plain(record.receipt.dataset)} is the tier {plain(tier.name)} (epsilon"
        f" {plain(epsilon)}) of one draw, from which other readers have maps of their own:"
        f" {others}. What is said here counts this tier alone; to whoever holds the dearest, the"
        f" units of that data set may have lost its epsilon of {plain(tier.dearest)}."
    )


def _accuracy(record: Record) -> str:
    return (
        "## How sure it is\n\n- The noises of the maps add up too. They are independent and their"
        " laws are known, so the law of the sum is worked out, not guessed, and the intervals hold"
        " what they say.\n- Half-width of the 90 % interval of a cell that all partners measured"
        f" by itself: {map_reader(record).half_width():.4g}"
        f" points.\n{survey_line(survey_words(record.grid, map_reader(record).noise_variance))}-"
        " Where a partner measured a block of cells as one, the lower bound leaves its total out"
        " and the upper one takes all of it.\n- All intervals are for the capped totals; what each"
        " cap left out is not in them."
    )


kind = MergedStatement
