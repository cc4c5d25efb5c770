"""Makes the question a page of its own for any browser or field app, which asks for nothing from
any network.
"""

import json
import os
from importlib import resources

from dpmap.atomic_write import written_aside
from dpmap.local.device import Question
from dpmap.templates import fill_page, safe_json


def page(question: Question) -> str:
    """Returns the page, of under 30 kB without the question."""
    plain = json.loads(question.to_json())
    del plain["grid"]  # for whoever adds the reports up; a device has `places`
    script = _asset("page.js")
    return fill_page(
        __package__, "page.html", title=question.title, question=safe_json(plain), script=script
    )


def write_page(question: Question, path: "str | os.PathLike[str]") -> None:
    """Writes the page that asks a `question` to `path`: one file that works without a network and
    sends nothing by itself.

    >>> import dpmap as dm
    >>> grid = dm.Grid(bounds=(0, 50, 4, 54), shape=(4, 4), crs="EPSG:4326")
    >>> write_page(
    ...     dm.local.ask(grid, "2", title="Owls", text="Where did you hear one?"), "report.html"
    ... )
    """
    with written_aside(path) as aside:
        aside.write_text(page(question), encoding="utf-8")


def _asset(name: str) -> str:
    return resources.files("dpmap.local").joinpath("assets", name).read_text(encoding="utf-8")
