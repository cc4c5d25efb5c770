"""Makes pages from templates that stand beside the code; all that is filled in is escaped, and a
missing name is an error.
"""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from jinja2.utils import htmlsafe_json_dumps


def fill_page(room: str, name: str, /, **values: Any) -> str:
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


def text_templates(room: str) -> Environment:
    """Return the reader of a room's texts: Markdown, which is escaped where it becomes a page.

    A missing fact is an error, and a passage is written without the lines around it.
    """
    environment = Environment(  # noqa: S701  # no HTML
        loader=PackageLoader(room, "assets"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_written,
    )
    environment.filters["thousands"] = lambda number: f"{number:,}"
    return environment


def _written(value: Any) -> Any:
    """Return what is written for a value; never "None" where a fact is missing."""
    if value is None:
        raise ValueError("a fact that a text states is missing")
    return value.strip("\n") if isinstance(value, str) else value


ITEM = re.compile(r"- |\d+\. ")
BEGINS_A_LINE = re.compile(rf"{ITEM.pattern}|#+ |\|")
"""An item, a heading or a row of a table; any other line goes on with the one above it."""


def unwrap(text: str) -> str:
    r"""Return Markdown in which each paragraph, item and heading stands on one line, without gaps
    between the items of a list.

    >>> unwrap("A sentence\nand its end.\n\n\n- An item\n  of a list.\n\n- Another\n")
    'A sentence and its end.\n\n- An item of a list.\n- Another\n'
    """
    lines = [""]
    for line in text.split("\n"):
        words = line.strip()
        if not words:
            lines += [""] if lines[-1] else []
        elif lines[-1] and not BEGINS_A_LINE.match(words):
            lines[-1] += f" {words}"
        else:
            follows_item = not lines[-1] and ITEM.match(lines[max(len(lines) - 2, 0)].strip())
            if ITEM.match(words) and follows_item:
                lines.pop()
            lines.append(line.rstrip())
    return "\n".join(lines).strip() + "\n"


def safe_json(plain: Any) -> str:
    r"""Writes JSON that cannot end the script element it is written in, whatever its strings hold;
    a template takes it as it is.

    >>> str(safe_json("</script>"))
    '"\\u003c/script\\u003e"'
    """
    return htmlsafe_json_dumps(plain, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
