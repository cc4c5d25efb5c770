"""Hands out the few files that pages load: the style, the script and the icon."""

from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

KINDS = {
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "ledger.css": "text/css",
    "ways.css": "text/css",
    "drawing.js": "text/javascript",
}
"""Their names and what they are; nothing else in the folder is handed out."""


def show(request: Request) -> Response:
    """Hands out one of them."""
    name = request.path_params["name"]
    if name not in KINDS:
        raise HTTPException(404)
    return Response(
        files("dpmap.studio").joinpath("assets", name).read_bytes(), media_type=KINDS[name]
    )


routes = [Route("/assets/{name}", show)]
