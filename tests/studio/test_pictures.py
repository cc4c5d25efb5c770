"""The guide's pictures are there, and there is one of every page."""

import re
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "studio"


def test_each_picture_of_the_guide_is_there():
    """No page of the guide shows a picture that is missing, and none lies there that no page shows."""
    shown = {
        name
        for page in GUIDE.glob("*.md")
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+\.png)\)", page.read_text("utf-8"))
    }
    assert shown == {path.name for path in GUIDE.glob("*.png")}
