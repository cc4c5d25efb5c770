"""One file for each algorithm; a new one is a new file and a line here."""

from .heatmap import PrivateHeatmap
from .ledger import ReadLedger

ALGORITHMS = [PrivateHeatmap, ReadLedger]
