"""The whole way through the studio by keys alone: from a file of the folder to a released map."""

from builders.keyboard import Keyboard
from builders.waiting import until


def walk(page, address, seen=lambda name: None):
    """Goes from the first page to the released map; `seen` is told of each page that is worth a look."""
    keys = Keyboard(page)
    page.goto(address)
    page.wait_for_selector("h1:has-text('Private maps')")
    seen("first")
    keys.press("raptors.csv")
    keys.pick("Which land does the map show?", "A file of this folder")
    keys.choose("File of polygons", "study_area")
    keys.pick("In which cells are points counted?", "Squares of one size")
    keys.write("Side of a square", "5 km")
    seen("data")
    keys.press("Go on")
    arrived(page, "legend:has-text('How strong is the protection?')")
    seen("sure")
    keys.press("Go on")
    keys.write("Who authorises it", "Raptor trust")
    keys.write("To confirm, type the data set's name", "raptors")
    seen("confirm")
    keys.press("Release it for ever")


def arrived(page, selector):
    """Waits until a page is there that holds this; asked from outside, since the page's policy forbids Playwright's own way."""

    def there():
        assert not page.locator("h1:has-text('Not done')").count(), page.locator(
            "main"
        ).inner_text()
        return page.locator(selector).count()

    until(
        there, lambda: page.locator("main").inner_text(), pause=lambda: page.wait_for_timeout(100)
    )
