"""Words for several partners' maps in one."""

from dpmap.maps import read_map
from dpmap.noise.theory import odds_factor
from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.statement.kinds.totals import Odds, TotalsStatement, law_words
from dpmap.statement.phrases import (
    clean,
    factor,
    survey_line,
    survey_words,
)


class MergedStatement(TotalsStatement):
    """Words for the sum of the partners' totals; what may differ between partners stands in
    their own releases.
    """

    files = tuple(name for name in TotalsStatement.files if name != "privacy.yaml")
    unpaid = "is merged; check each partner's own release"
    unmerged = "merge: one of these is merged already; give the partners' own releases"

    def provenance(self) -> str:
        """Say whose maps these are, and what they promise together."""
        record = self.record
        policy = self.record.policy
        is_disjoint = self.record.about.disjoint is not None
        unit = "each single row" if policy.unit == "row" else f"each {policy.unit}"
        how = "who is in one of them only" if is_disjoint else "for all of them together"
        return (
            f"Merged from {len(record.partners)} differentially private maps"
            f" ({clean(record.receipt.dataset)}): \N{GREEK SMALL LETTER EPSILON} ="
            f" {decimal_text(policy.epsilon)} for {unit}, {how} \N{MIDDLE DOT} cells:"
            f" {record.grid.cell_text} \N{MIDDLE DOT} {self.error_words()}"
        )

    def capped_words(self) -> str:
        """Say that each partner's cap holds."""
        return "capped: nobody counts for more in a partner's map than its cap"

    def terms(self) -> list[list[str]]:
        """Return nothing: caps and consent rules may differ, and the statement lists each."""
        return []

    def promise_words(self) -> str:
        """Say whether the promise is one unit's loss in one of the maps, or in all of them."""
        if self.record.about.disjoint:
            return (
                f"{super().promise_words()} That holds where no unit is in two of the merged data"
                " sets, as was declared."
            )
        return super().promise_words()

    def odds(self) -> Odds:
        """Return what the maps promise together, about taking part alone."""
        return {
            "took_part": (
                odds_factor(self.record.policy.epsilon),
                took_part_merged_words(self.record),
            ),
            "where": None,
        }

    def facts(self) -> dict[str, str]:
        """Return the facts that the partners share."""
        of_partners = ("cap_origin", "limiter", "consent", "ledger_head")
        return {key: value for key, value in super().facts().items() if key not in of_partners}

    def noised_words(self) -> str:
        """Say that each partner's numbers have noise of their own."""
        return (
            "Random noise was added to each partner's measured numbers before they left its survey,"
            " and the noisy numbers were added up."
        )

    def noise_words(self) -> str:
        """Say the laws of the partners' noises."""
        return law_words(
            self.record.policy, [partner.measurements[-1] for partner in self.record.partners]
        )

    def accuracy(self) -> str:
        """Return the statement's section on how sure the map is."""
        return merged_accuracy(self.record)


def took_part_merged_words(record: Record) -> str:
    """Say how far odds may move about whether anyone took part."""
    return (
        "Whether any one unit took part: nobody's odds about that change by more than a factor of "
        f"{factor(odds_factor(record.policy.epsilon))} by these maps."
    )


def merged_accuracy(record: Record) -> str:
    """Return the section on how sure a merged map is."""
    return (
        "## How sure it is\n\n- The noises of the maps add up too. They are independent and their"
        " laws are known, so the law of the sum is worked out, not guessed, and the intervals hold"
        " what they say.\n- Half-width of the 90 % interval of a cell that all partners measured"
        f" by itself: {read_map(record).half_width():.4g}"
        f" points.\n{survey_line(survey_words(record.grid, read_map(record).noise_variance))}-"
        " Where a partner measured a block of cells as one, the lower bound leaves its total out"
        " and the upper one takes all of it.\n- All intervals are for the capped totals; what each"
        " cap left out is not in them."
    )
