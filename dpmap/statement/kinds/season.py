"""Words for one season of a series, whose cells were read with those of the other seasons."""

from dpmap.numbers import decimal_text
from dpmap.record import Record
from dpmap.record.season import SeasonRelease as SeasonRecord
from dpmap.statement.kinds.totals import TotalsStatement
from dpmap.statement.phrases import clean, count_words


class SeasonStatement(TotalsStatement):
    """Words for a season's own release, with what the others lend it."""

    record: SeasonRecord
    files = ("map.png", "map.html")
    unpaid = "is one season's map made from several releases; check each season's own"
    unmerged = "merge: one of these is a season of a series; give the releases themselves"

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        if not isinstance(record, SeasonRecord):
            raise TypeError("a season's record knows the others")

    def provenance(self) -> str:
        """Say that the others helped, after what the season's own release says; of a picture of
        all seasons what holds for all.
        """
        if self.record.about.layer:
            return self._of_all()
        return f"{super().provenance()} \N{MIDDLE DOT} {self.together_words()}"

    def together_words(self) -> str:
        """Say in a few words with which other seasons it was read."""
        others = count_words(str(self.record.others), "other season")
        return (
            f"{clean(self.record.seasons.labels[self.record.place])}, read together with {others};"
            " intervals are its own"
        )

    def _of_all(self) -> str:
        """Say what the seasons promise, each by itself and together."""
        records = self.record.seasons.records
        losses = list(dict.fromkeys(decimal_text(record.policy.epsilon) for record in records))
        policy = self.record.policy
        unit = "each single row" if policy.unit == "row" else f"each {policy.unit}"
        return (
            f"{len(records)} differentially private maps, each \N{GREEK SMALL LETTER EPSILON} ="
            f" {' or '.join(losses)} for {unit}, which add up for one that is in several"
            f" \N{MIDDLE DOT} {self.capped_words()} \N{MIDDLE DOT} cells:"
            f" {self.record.grid.cell_text} \N{MIDDLE DOT} the seasons are read together; intervals"
            " rest on each one's own noise"
        )

    def facts(self) -> dict[str, str]:
        """Return the facts of the season's release, and the names of the others."""
        labels = self.record.seasons.labels
        return {
            **super().facts(),
            "season": clean(labels[self.record.place]),
            "read_with": clean(
                ", ".join(one for at, one in enumerate(labels) if at != self.record.place)
            ),
        }
