"""The ledger: the chained file of what was spent, and the sums over its releases."""
