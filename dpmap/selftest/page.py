"""Shows the verdict on one screen, in words for those who must rely on it."""

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from dpmap.selftest import Line, Verdict

MARKS = {"passed": ("ok", "green"), "broken": ("BROKEN", "bold red"), "not here": ("-", "yellow")}
PARTS = {
    "noise": "The noise",
    "cap": "The cap",
    "odds": "The odds",
    "runs": "Whole runs",
    "local": "Answers randomised on a device",
    "guards": "The guards",
}
WIDEST = 160
NOT_COVERED = (
    "Not covered: your survey, cap, epsilon and unit (read the statement of each release), the"
    " operating system's entropy itself, who can open the survey or rewrite the ledger file,"
    " releases made elsewhere, and time taken while counting."
)


def page(verdict: Verdict) -> RenderableType:
    """Returns a table of all checks and what they amount to."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", no_wrap=True)
    for name, share in (
        ("what is promised", 5),
        ("what was tried", 5),
        ("would have caught (95 %)", 3),
    ):
        table.add_column(name, ratio=share)
    part = ""
    for line in verdict.lines:
        if line.part != part:
            part = line.part
            table.add_row("", Text(PARTS[part], style="bold"), "", "")
        table.add_row(*_cells(line))
    return Group(table, Panel(_summary(verdict), border_style="green" if verdict.passed else "red"))


def _cells(line: Line) -> tuple[Text, Text, Text, Text]:
    mark, style = MARKS[line.outcome]
    words = Text(line.tried, style="red" if line.outcome == "broken" else "")
    return Text(mark, style=style), Text(line.promise), words, Text(line.caught)


def _summary(verdict: Verdict) -> Text:
    """Says the verdict in a few sentences."""
    broken = [line.name for line in verdict.lines if line.outcome == "broken"]
    held = sum(line.outcome == "passed" for line in verdict.lines)
    minutes, seconds = divmod(round(verdict.seconds), 60)
    text = Text()
    if broken:
        text.append(f"BROKEN: {', '.join(broken)}. ", style="bold red")
        text.append("Release nothing with this build; please report this page.\n")
    else:
        text.append("The promise held. ", style="bold green")
        text.append(f"All {held} checks that could be made passed.\n")
    text.append(
        f"{minutes} min {seconds} s on this machine, with this build, on invented surveys and the"
        " system's own entropy; "
    )
    text.append(
        "an honest build fails by chance less than once in a million runs. Checks show the presence"
        " of faults "
    )
    text.append("above the strengths named, the proofs in dpmap/vault their absence.\n")
    text.append(NOT_COVERED, style="dim")
    return text


def show(verdict: Verdict) -> None:
    """Prints the page."""
    console = Console(highlight=False)
    if not console.is_terminal or console.width > WIDEST:
        console = Console(highlight=False, width=WIDEST)
    console.print(page(verdict))
