"""Draws one season of a series as any map of totals."""

from dpmap.render.kinds.totals import TotalsDrawing

kind = TotalsDrawing
