"""Drawing a map of means: pictures only."""

from typing import NoReturn

from dpmap.inference.kinds.means import face, refuse
from dpmap.record import Record
from dpmap.render.kinds.totals import Totals


class Means(Totals):
    """Means in classes; where none is told, grey."""

    def face(self) -> Record:
        """One ground, and what the mean is of."""
        return face(self.record)

    def check_page(self, what: str) -> NoReturn:
        """Refused: a page is made for totals."""
        refuse(what)


kind = Means
