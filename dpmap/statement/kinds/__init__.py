"""What each kind of map is called and how it is described: units, columns, and short sentences."""

from collections.abc import Callable

from dpmap.maps import kind_of_layers
from dpmap.record import Record
from dpmap.statement.kinds.means import MeansStatement
from dpmap.statement.kinds.merged import MergedStatement
from dpmap.statement.kinds.reports import ReportsStatement
from dpmap.statement.kinds.season import SeasonStatement
from dpmap.statement.kinds.sparse import SparseStatement
from dpmap.statement.kinds.totals import TotalsStatement

STATEMENTS: dict[str, Callable[[Record], TotalsStatement]] = {
    "season": SeasonStatement,
    "merged": MergedStatement,
    "reports": ReportsStatement,
    "sparse": SparseStatement,
    "means": MeansStatement,
}
"""The words of each kind that has its own; of layers together they are those of each layer."""


def map_statement(record: Record) -> TotalsStatement:
    """Return the words for a record, by the kind of its layers."""
    return STATEMENTS.get(kind_of_layers(record), TotalsStatement)(record)
