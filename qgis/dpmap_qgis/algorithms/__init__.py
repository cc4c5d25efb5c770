"""One file for each algorithm; a new one is a new file and a line here."""

from .ledger import ReadLedger

ALGORITHMS = [ReadLedger]
