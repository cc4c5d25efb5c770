"""Offers files and columns to choose from, and reads which one a form names."""

from dpmap.errors import BadInput, near
from dpmap.studio import drafts
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, FoundFile, short
from dpmap.studio.page import SubmittedForm

NO_FILE = "choose one"
MOST_NAMED = 40
NATIONAL = {
    "EPSG:27700": "Great Britain: British National Grid",
    "EPSG:29903": "Ireland: Irish Grid",
    "EPSG:2157": "Ireland: Irish Transverse Mercator",
    "EPSG:3035": "Europe: the grid of the European Environment Agency",
    "EPSG:2154": "France: Lambert-93",
    "EPSG:25830": "Spain: ETRS89 / UTM zone 30N",
    "EPSG:25832": "Germany and Denmark: ETRS89 / UTM zone 32N",
    "EPSG:25833": "Norway: ETRS89 / UTM zone 33N",
    "EPSG:28992": "Netherlands: RD New",
    "EPSG:2056": "Switzerland: LV95",
    "EPSG:3006": "Sweden: SWEREF99 TM",
    "EPSG:3067": "Finland: TM35FIN",
    "EPSG:5070": "United States: CONUS Albers",
    "EPSG:3347": "Canada: Statistics Canada Lambert",
    "EPSG:3577": "Australia: Albers",
    "EPSG:2193": "New Zealand: NZTM2000",
    "EPSG:6933": "The world: EASE-Grid 2.0, equal area",
}
"""National grids by the names that people know them by."""
LANDS = {
    "EPSG:27700": "United Kingdom",
    "EPSG:29903": "Ireland",
    "EPSG:2157": "Ireland",
    "EPSG:2154": "France",
    "EPSG:28992": "Netherlands",
    "EPSG:2056": "Switzerland",
    "EPSG:3006": "Sweden",
    "EPSG:3067": "Finland",
    "EPSG:2193": "New Zealand",
}
"""The land that a survey in a national grid is likely of: what its columns' names and format say,
and not where its points lie.
"""


def offer_files(listed: list[FoundFile], chosen: str) -> list[tuple[str, str]]:
    """Returns the choices of a list of files; one that was chosen by its path stands there too."""
    known = [(one.id, one.name) for one in listed]
    more = (
        [(short(chosen), chosen)] if chosen and chosen not in [one.name for one in listed] else []
    )
    return [("", NO_FILE), *more, *known]


def chosen_file(
    folder: BrowsedFolder, listed: list[FoundFile], submitted: SubmittedForm, name: str, before: str
) -> str:
    """Returns the path of the file that a form names: a path that was typed counts before the
    list, nothing is an empty text.
    """
    if submitted[f"{name}_path"]:
        return folder.inside(submitted[f"{name}_path"])
    if not submitted[name]:
        return ""
    return (
        before
        if before and submitted[name] == short(before)
        else folder.one(listed, submitted[name]).name
    )


def refuse_survey(draft: Draft, file: str, layer: str, what: str) -> None:
    """Refuses the survey's own shapes where public ones are asked for; another layer of the same
    file may be public.
    """
    if file and file in draft.survey and layer in ("", str(draft.get("layer"))):
        raise BadInput(
            f"{what}: that is the survey itself, and its shapes would become public; take another"
            " file, or name a layer of it that holds no survey"
        )


def column_of(known: list[str], wanted: str, flag: str) -> str:
    """Returns a column's name as the survey writes it, or says which are like it; where no names
    are known, what was typed.
    """
    same = [one for one in known if one.lower() == wanted.lower()]
    if wanted in known or not known:
        return wanted
    if len(same) != 1:
        more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
        has = ", ".join(known[:MOST_NAMED]) + more
        raise BadInput(
            f"--{flag}: the survey has no column {wanted[:60]!r}{near(wanted, known)}; it has {has}"
        )
    return same[0]


def put_back(folder: BrowsedFolder, now: Draft, before: Draft) -> None:
    """Writes a draft as it was: what a command refuses is kept on the page, and not in the file."""
    drafts.change_draft(folder, now, now.mark, dict.fromkeys(now.flags, "") | before.flags)
