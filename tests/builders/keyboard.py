"""Somebody who has a keyboard and no mouse: goes from field to field by Tab, and knows each by its name."""

NAMED = """
() => {
  const e = document.activeElement;
  if (!e || e === document.body) return { role: "", name: "", checked: false };
  const texts = [...(e.labels ?? [])].map((label) => label.innerText.trim());
  const group = e.type === "radio" ? e.closest("fieldset")?.querySelector("legend")?.innerText.trim() ?? "" : "";
  const role = e.tagName === "A" ? "link" : e.tagName === "BUTTON" ? "button" : e.tagName === "SUMMARY" ? "summary" : e.type ?? e.tagName.toLowerCase();
  return { role, name: texts.join(" ") || e.getAttribute("aria-label") || e.innerText?.trim() || "", group, checked: e.checked ?? false };
}
"""
ENOUGH = 250


class Keyboard:
    """Uses one page by keys alone."""

    def __init__(self, page):
        self.page = page

    def go(self, name, role=None):
        """Tabs on until the field, button or link of this name has the focus."""
        seen = []
        for _ in range(ENOUGH):
            self.page.keyboard.press("Tab")
            here = self.page.evaluate(NAMED)
            seen.append(here["name"][:60])
            if name in here["name"] and role in (None, here["role"]):
                return here
        raise AssertionError(f"no {name!r} by Tab on {self.page.url}: {seen}")

    def write(self, name, text):
        """Goes to a field and writes into it what it shall hold."""
        self.go(name)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def tick(self, name):
        """Goes to a box and ticks it."""
        if not self.go(name, "checkbox")["checked"]:
            self.page.keyboard.press("Space")

    def pick(self, group, name):
        """Goes to a group of choices and moves by arrows to the one of this name."""
        for _ in range(ENOUGH):
            self.page.keyboard.press("Tab")
            here = self.page.evaluate(NAMED)
            if here["role"] == "radio" and group in here["group"]:
                break
        for _ in range(ENOUGH):
            if name in here["name"]:
                if not here["checked"]:
                    self.page.keyboard.press("Space")
                return
            self.page.keyboard.press("ArrowDown")
            here = self.page.evaluate(NAMED)
        raise AssertionError(f"no choice {name!r} in {group!r}")

    def choose(self, name, option):
        """Goes to a list and types the start of what to choose."""
        self.go(name)
        self.page.keyboard.type(option)

    def open(self, name):
        """Opens what is folded away."""
        self.go(name, "summary")
        self.page.keyboard.press("Enter")

    def press(self, name):
        """Goes to a button or link and presses Enter; returns when the next page is there."""
        self.go(name)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
