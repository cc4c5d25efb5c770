"""The whole way through the studio by keys alone: from a file of the folder to a released map."""

from builders.keyboard import Keyboard
from builders.waiting import until


def walk(page, address, seen=lambda name: None):
    """Goes from the first page to the released map; `seen` is told of each page that is worth a look."""
    keys = Keyboard(page)
    page.goto(address)
    page.wait_for_selector("h1:has-text('Private maps')")
    seen("first")
    keys.tick("raptors.csv")
    keys.write("What is the data set called?", "Raptors 2026")
    keys.press("Begin")
    seen("data")
    keys.press("Keep this and go on")
    keys.pick("Protect", "each person: observer_id")
    keys.pick("How much may one of them add?", "A number that I declare")
    keys.write("At most so many points", "5")
    keys.write("Column of consent", "consent")
    keys.write("Words in it that mean yes", "yes")
    seen("who")
    keys.press("Keep this and go on")
    keys.pick("Which land does the map show?", "The land in a file of this folder")
    keys.choose("File", "study_area")
    keys.pick("In which cells are points counted?", "Squares of one size")
    keys.write("Side of a square", "5 km")
    seen("where")
    keys.press("Keep this and go on")
    keys.write("I must tell this many sightings from none", "20")
    keys.write("About how many take part", "500")
    keys.write("Budget of the data set", "3")
    seen("sure")
    keys.press("Find what this needs")
    arrived(page, "h2:has-text('Which protection do you take?')")
    seen("planned")
    keys.press("Take this one")
    keys.write("Who authorises it", "Raptor trust")
    keys.press("Keep this")
    keys.write("To confirm, type the data set's name", "Raptors 2026")
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
