"""Makes pages from templates that stand beside the code; all that is filled in is escaped, and a
missing name is an error.
"""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from jinja2.utils import htmlsafe_json_dumps


def filled(room: str, name: str, /, **values: Any) -> str:
    """Returns a page of `room`, a package that keeps its templates in `assets`."""
    return template(room, name).render(values)


def template(room: str, name: str) -> Template:
    """Returns the template of a page, before anything is filled in."""
    return _templates(room).get_template(name)


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


def safe_json(plain: Any) -> str:
    r"""Writes JSON that cannot end the script element it is written in, whatever its strings hold;
    a template takes it as it is.

    >>> str(safe_json("</script>"))
    '"\\u003c/script\\u003e"'
    """
    return htmlsafe_json_dumps(plain, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
