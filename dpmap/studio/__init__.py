"""The steward's studio: a local page that leads from a file to a released map, and keeps the ledger
in sight.

It knows nothing of surveys, noise or maps: each page writes a file of flags and runs the command
line in a process of its own.
"""

from typing import TYPE_CHECKING

from dpmap.errors import MissingExtra

if TYPE_CHECKING:
    import os


def serve(path: "str | os.PathLike[str]", *, port: int = 0, browser: bool = True) -> None:
    """Serves the studio over one folder until it is stopped."""
    try:
        from dpmap.studio.server import serve as run
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise MissingExtra(
            "studio: its pages need two small libraries; type:"
            ' pip install "starlette>=1.0" "uvicorn>=0.34"'
        ) from None
    run(path, port=port, browser=browser)
