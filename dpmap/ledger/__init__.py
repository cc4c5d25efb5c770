"""The chained file of what was spent, and what all releases add up to."""
