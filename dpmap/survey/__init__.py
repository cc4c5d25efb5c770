"""Reads survey exports and finds the columns that say where, who and whether; the rows
themselves stay sealed.
"""

from dpmap.survey.survey import Survey, read

__all__ = ["Survey", "read"]
