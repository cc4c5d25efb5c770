"""Drawing several partners' maps as one."""

from dpmap.render.kinds.totals import Totals


class Merged(Totals):
    """Totals of all partners."""


kind = Merged
