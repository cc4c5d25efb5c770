"""Makes the studio's pages from templates, and reads what their forms hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from dpmap import templates
from dpmap.errors import DpmapError
from dpmap.studio import error_fields
from dpmap.version import __version__

if TYPE_CHECKING:
    from dpmap.studio.commands import Commands
    from dpmap.studio.folder import BrowsedFolder

ROOM = "dpmap.studio"
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff"
    "\ud800-\udfff]"
)
STEPS = {
    "data": "Your file and your land",
    "sure": "How strong",
    "confirm": "Confirm",
}
"""The way through, in order: the last part of a page's address, and what the page is called."""


@dataclass
class Studio:
    """What all pages share: the folder, the commands that run in it, and what was confirmed."""

    folder: "BrowsedFolder"
    commands: "Commands"
    private: str
    confirmed: dict[str, str]


def studio(request: Request) -> Studio:
    """Returns what all pages share."""
    workspace: Studio = request.app.state.studio
    return workspace


def page(request: Request, name: str, *, status: int = 200, **values: Any) -> Response:
    """Fills in a page."""
    folder_name = studio(request).folder.path.name
    facts = {
        "pairs": _pairs,
        "plain": error_fields.name_fields,
        "folder": folder_name,
        "version": __version__,
        "steps": STEPS,
        "error": "",
        "draft": None,
        "step": "",
        "head": "",
        **values,
    }
    error = facts["error"]
    facts["at_fault"] = error_fields.fields_of(error) if facts["draft"] else []
    line = error.terminal_line if isinstance(error, DpmapError) else error
    facts["error"] = error_fields.name_fields(line)
    return HTMLResponse(_plain(templates.fill_page(ROOM, name, **facts)), status)


def _plain(text: str) -> str:
    r"""Returns a page in which what no reader could see is a mark: half letters, and orders to
    write from right to left.

    >>> _plain("nests\u202efdp.csv") == "nests\ufffdfdp.csv"
    True
    """
    return UNSEEN.sub("\ufffd", text)


def _pairs(names: list[str]) -> list[tuple[str, str]]:
    """Returns names as the choices of a list, each shown as it is."""
    return [(name, name) for name in names]


def alone(title: str, words: str) -> bytes:
    """Fills in a page for somebody whom the door does not let in: it tells nothing of the
    folder.
    """
    return templates.fill_page(ROOM, "door.html", title=title, words=words, onward="").encode()


def onward(place: str) -> bytes:
    """Fills in the page that leads from the door to the first page."""
    return templates.fill_page(
        ROOM, "door.html", title="dpmap studio", words="Your studio is open.", onward=place
    ).encode()


def go(place: str) -> Response:
    """Sends the browser on after a form: a reload then sends nothing again."""
    return RedirectResponse(place, 303)


class SubmittedForm(Mapping[str, str]):
    """Holds the fields of a form; one that is not there is empty."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        """Returns a field's text without outer blanks."""
        return self._fields.get(name, [""])[-1].strip()

    def __contains__(self, name: object) -> bool:
        """Whether the form has this field, empty or not."""
        return name in self._fields

    def __iter__(self) -> Any:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def all(self, name: str) -> list[str]:
        """Returns every value of a field that may be chosen several times, without empty ones."""
        return [one.strip() for one in self._fields.get(name, []) if one.strip()]


def form(request: Request) -> SubmittedForm:
    """Returns the fields of the form that was sent."""
    return SubmittedForm(request.scope.get("form") or {})
