"""The one home of what tests build: surveys (files of invented people) and records (released numbers, by hand)."""
