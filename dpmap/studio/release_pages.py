"""Shows released maps, to the steward and to whoever has only the file: they can be read, asked,
drawn and exported at no cost.
"""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.markdown import blocks
from dpmap.studio import compare_page, draw_page, release_info, zones_page
from dpmap.studio.commands import type_command
from dpmap.studio.folder import weight
from dpmap.studio.page import form, go, page, studio

MOST_LISTED = 200


def index(
    request: Request, error: DpmapError | str = "", was: "dict[str, str] | None" = None
) -> Response:
    """Lists the released maps of the folder."""
    releases = studio(request).folder.releases()
    listed = [
        (release, release.name.removesuffix("/release.dpmap"), weight(release.size))
        for release in releases[:MOST_LISTED]
    ]
    return page(
        request,
        "releases.html",
        room="/releases",
        listed=listed,
        more=len(releases) - len(listed),
        error=error,
        was=was or {},
        status=400 if error else 200,
    )


def open_release(request: Request) -> Response:
    """Opens the released map at a path."""
    typed_path = form(request)["path"]
    try:
        return go(f"/release/{release_info.typed_release(request, typed_path).id}")
    except DpmapError as wrong:
        return index(request, wrong, {"path": typed_path})


def compare(request: Request) -> Response:
    """Leads on to two maps side by side."""
    submitted = form(request)
    was = {"one": submitted["one"], "other": submitted["other"]}
    if not all(was.values()) or was["one"] == was["other"]:
        return index(request, "choose two different maps to be compared", was)
    listed = studio(request).folder.releases()
    folder = studio(request).folder
    try:
        return go(
            "/releases/compare/" + "/".join(folder.one(listed, one).id for one in was.values())
        )
    except BadInput as wrong:
        return index(request, wrong, was)


def show(
    request: Request, error: DpmapError | str = "", was: "dict[str, str] | None" = None
) -> Response:
    """Shows what one released map is and promises, the map itself, and what can be made of it."""
    folder = studio(request).folder
    try:
        release = release_info.requested_release(request)
    except DpmapError as wrong:
        return index(request, wrong)
    files = [(one, weight(one.size), release_info.can_be_shown(one)) for one in release.beside]
    values: dict[str, Any] = {
        "release": release,
        "output": release.output,
        "facts_told": release_info.facts(release),
        "where": (release.output["odds"]["where"] or {"words": ""})["words"],
        "statement": blocks(release.output["statement"]),
        "files": files,
        "page_beside": release.own("map.html"),
        "drawing": draw_page.choices(release),
        "zones": folder.layers()[:MOST_LISTED],
        "levels": zones_page.LEVELS,
        "was": was or {},
    }
    return page(
        request,
        "release.html",
        room="/releases",
        error=error,
        status=400 if error else 200,
        command=type_command(["about", release.name]),
        **values,
    )


def answer_form(act: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Does what a form of the page asks, or shows the page again with what is wrong, and with
    what was typed.
    """

    def done(request: Request) -> Response:
        try:
            return act(request)
        except DpmapError as wrong:
            return show(request, wrong, dict(form(request)))

    return done


routes = [
    Route("/releases", index),
    Route("/releases", open_release, methods=["POST"]),
    Route("/releases/compare", compare, methods=["POST"]),
    Route("/release/{id}", show),
    Route("/release/{id}/draw", answer_form(draw_page.draw), methods=["POST"]),
    Route("/release/{id}/export", answer_form(draw_page.export), methods=["POST"]),
    Route("/release/{id}/ask", answer_form(zones_page.ask), methods=["POST"]),
    *draw_page.routes,
    *compare_page.routes,
]
