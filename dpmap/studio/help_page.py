"""Shows the help's few pages: what to do when somebody withdraws, how to keep a ledger, what
epsilon means.
"""

import re
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.markdown import blocks
from dpmap.studio.page import page

PAGES = {
    "withdrawn": (
        "A volunteer withdraws after a release",
        "What cannot be undone, what still protects her, what to do now.",
    ),
    "moving": (
        "Moving, restoring and sharing a ledger",
        "Another computer, a broken disk, a colleague, an auditor: so that nothing is spent twice.",
    ),
    "epsilon": ("What epsilon means", "In odds, with an example."),
}
"""The pages: the last part of each address, its title, and what it answers."""


def show_all(request: Request) -> Response:
    """Lists the pages."""
    return page(request, "help.html", room="/help", listed=PAGES)


def show(request: Request) -> Response:
    """Shows one page."""
    name = request.path_params["name"]
    if name not in PAGES:
        raise HTTPException(404)
    return page(
        request,
        "helped.html",
        room="/help",
        title=PAGES[name][0],
        blocks=blocks(text(name), links=True),
        lead=lead,
    )


def text(name: str) -> str:
    """Returns a page's text, which stands in `docs/studio` too: inside an installed package, or
    beside a checkout.
    """
    folder = Path(__file__).parent
    for place in (folder / "texts", folder.parents[1] / "docs" / "studio"):
        if (place / f"{name}.md").is_file():
            return (place / f"{name}.md").read_text(encoding="utf-8")
    raise HTTPException(404)


def lead(link: str) -> str:
    """Returns where a link of a page leads in the studio, or nothing.

    >>> lead("moving.md"), lead("../promise.md")
    ('/help/moving', '')
    """
    page_link = re.fullmatch(r"(\w+)\.md", link)
    return f"/help/{page_link[1]}" if page_link and page_link[1] in PAGES else ""


routes: list[Any] = [Route("/help", show_all), Route("/help/{name}", show)]
