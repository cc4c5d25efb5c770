"""Drawing a map of reports that devices randomised."""

from dpmap.render.kinds.totals import Totals


class Reported(Totals):
    """Totals of volunteers."""


kind = Reported
