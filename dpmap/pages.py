"""Pages from templates that stand beside the code: all that is filled in is escaped, and a name that nobody gave is an error."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def filled(room: str, template: str, **values: Any) -> str:
    """Returns a page of `room`, a package that keeps its templates in `assets`."""
    return _templates(room).get_template(template).render(values)


@cache
def _templates(room: str) -> Environment:
    return Environment(
        loader=PackageLoader(room, "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
