"""Shows a released map, draws it again and writes it as layers: from its file alone, at no cost."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput
from dpmap.studio import jobs, release_info
from dpmap.studio.commands import PATIENCE, CommandJob, path, type_command
from dpmap.studio.folder import weight
from dpmap.studio.page import SubmittedForm, form, go, page, studio
from dpmap.studio.release_info import Released

SOON = 5.0
"""Seconds in which a command says what is wrong with what was typed."""
ENDINGS = {
    ".png": "a picture for pages and talks (PNG)",
    ".svg": "a picture that stays sharp (SVG)",
    ".pdf": "a page to print (PDF)",
}
PAGE = (".html", "an interactive page that needs no network (HTML)")
WHAT = {
    "estimate": "the best estimate",
    "low": "at least so many",
    "high": "at most so many",
    "exceedance": "how sure a cell is above the number below",
}
SHOW = {
    "patches": "places: the smallest land of which the density is told",
    "cells": "single cells, each by itself",
    "belief": "one smooth picture of what is believed, no finer than it is known",
}
HOTSPOTS = {
    "surroundings": "those truly above their surroundings",
    "TOTAL": "those above the total below",
}
LAYERS = {
    ".tif": "raster for a GIS (GeoTIFF)",
    ".nc": "raster for science (NetCDF)",
    ".gpkg": "layer for a GIS, with its style (GeoPackage)",
    ".fgb": "layer for large maps, read part by part (FlatGeobuf)",
    ".parquet": "layer for large tables (GeoParquet)",
    ".geojson": "layer for the web (GeoJSON)",
    ".csv": "table (CSV)",
    ".qml": "style alone, for QGIS",
    ".sld": "style alone, for map servers",
}
jobs.TITLES |= {"draw": "Drawing the map", "export": "Writing the layer", "show": "Drawing the map"}


def choices(release: Released) -> dict[str, list[tuple[str, str]]]:
    """Returns what can be chosen of a picture and a layer of this map, in words."""
    options = release.output["draw_options"]
    layers = [(one, one) for one in release.output["layers"]]
    return {
        "endings": [*ENDINGS.items(), *([PAGE] if options["page"] else [])],
        "what": [(one, WHAT.get(one, one)) for one in options["what"]],
        "show": [(one, SHOW.get(one, one)) for one in options["show"]],
        "hotspots": (
            [("", "none")] * bool(options["hotspots"])
            + [(one, HOTSPOTS.get(one, one)) for one in options["hotspots"]]
        ),
        "layers": layers,
        "exports": [(one, LAYERS.get(one, one)) for one in release.output["exports"]],
    }


def draw(request: Request) -> Response:
    """Draws the map as it was chosen, into a new file beside the release."""
    release = release_info.requested_release(request)
    submitted = form(request)
    can = choices(release)
    ending = _chosen_options(submitted["ending"], can["endings"], "choose what the picture is for")
    if ending == PAGE[0] and (
        submitted["what"] or submitted["show"] or submitted["threshold"] or submitted["hotspots"]
    ):
        raise BadInput(
            "an interactive page has all readings at once: leave what a picture shows as usual, or"
            " draw a picture"
        )
    words = [
        "draw",
        path(release.name),
        *_picture(submitted, can),
        *_layer(submitted["draw_layer"], release),
    ]
    return _lead_on(request, release, "draw", "map", ending, words)


def _picture(submitted: SubmittedForm, can: dict[str, list[tuple[str, str]]]) -> list[str]:
    """Returns the words that say what a picture shows."""
    chosen = [name for name in ("what", "show") if submitted[name]]
    words = [
        f"--{name}={_chosen_options(submitted[name], can[name], 'choose what the picture shows')}"
        for name in chosen
    ]
    if submitted["what"] == "exceedance" and not submitted["threshold"]:
        raise BadInput("type the number that cells are to be above, like 30")
    if submitted["threshold"]:
        words.append(f"--threshold={submitted['threshold']}")
    if submitted["hotspots"]:
        hotspots = _chosen_options(
            submitted["hotspots"], can["hotspots"], "choose which cells are outlined"
        )
        if hotspots == "TOTAL" and not submitted["total"]:
            raise BadInput("type the total that outlined cells are to be above, like 30")
        words.append(f"--hotspots={submitted['total'] if hotspots == 'TOTAL' else hotspots}")
    return words


def export(request: Request) -> Response:
    """Writes the map as a layer or table, into a new file beside the release."""
    release = release_info.requested_release(request)
    submitted = form(request)
    ending = _chosen_options(
        submitted["suffix"], choices(release)["exports"], "choose what the layer is written as"
    )
    words = ["export", path(release.name), *_layer(submitted["export_layer"], release)]
    return _lead_on(request, release, "export", "cells", ending, words)


def _chosen_options(one: str, among: list[tuple[str, str]], why: str) -> str:
    if one not in [key for key, _ in among]:
        raise BadInput(f"{why}: {', '.join(words for key, words in among if key)}")
    return one


def _layer(name: str, release: Released) -> list[str]:
    """Returns the words that name one layer of a map that has several."""
    if not name:
        return []
    if name not in release.output["layers"]:
        raise BadInput("this map has no such layer; choose one of the list")
    return [f"--layer={name}"]


def _lead_on(
    request: Request, release: Released, kind: str, stem: str, ending: str, words: list[str]
) -> Response:
    workspace = studio(request)
    out = release_info.free(workspace.folder, release, stem, ending)
    then = {"back": f"/release/{release.kept.id}", "release": release.kept.id}
    return begun(
        workspace.commands.start(
            kind, " ".join(words), *words, "--to", path(out), "--json", then=then
        )
    )


def begun(job: CommandJob) -> Response:
    """Leads on to a command that was started; what it says at once is wrong is told on the
    form's own page.
    """
    answer = job.wait(SOON)
    if answer is not None and not answer.good:
        raise answer.failure
    return go(f"/job/{job.id}")


def show_made(request: Request, job: CommandJob) -> Response:
    """Shows what was drawn or written."""
    wrote = (job.answer.output if job.answer else {}).get("wrote", [])
    place = job.then["back"]
    release = release_info.find_release(request, job.then["release"])
    files = [
        (one, weight(one.size), release_info.can_be_shown(one))
        for one in release.beside
        if one.name in map(_plain, wrote)
    ]
    return page(
        request,
        "made.html",
        room="/releases",
        release=release,
        files=files,
        back=place,
        drawn=job.kind == "draw",
        command=type_command([word for word in job.words if word != "--json"]),
    )


def _plain(name: str) -> str:
    return Path(name).as_posix()


def show_page(request: Request) -> Response:
    """Shows the interactive page that lies beside the release."""
    release = release_info.requested_release(request)
    page_file = release.own("map.html")
    return (
        drawing(request)
        if page_file is None
        else release_info.show_boxed(studio(request).folder.path / page_file.name)
    )


def drawing(request: Request) -> Response:
    """Shows the interactive page drawn now from the release; while it is drawn, how long that
    takes.
    """
    place, job = _private(request, release_info.requested_release(request), ".html")
    if job is None or ((answer := job.wait(1.0)) is not None and answer.good):
        return release_info.show_boxed(place)
    waiting = page(
        request,
        "drawing.html",
        status=200 if answer is None else 400,
        error=answer.error if answer else "",
    )
    if answer is None:
        waiting.headers["refresh"] = "1"
    return waiting


def picture(request: Request) -> Response:
    """Shows the picture that lies beside the release, or one drawn now."""
    release = release_info.requested_release(request)
    folder = studio(request).folder
    if (picture_file := release.own("map.png")) is not None:
        return release_info.show_boxed(folder.path / picture_file.name)
    place, job = _private(request, release, ".png")
    answer = None if job is None else job.wait(PATIENCE)
    if job is not None and (answer is None or not answer.good):
        raise BadInput(
            answer.error if answer else "this picture takes too long; try it on the command line"
        )
    return release_info.show_boxed(place)


def _private(request: Request, release: Released, ending: str) -> tuple[Path, CommandJob | None]:
    """Returns where the studio keeps a map that it drew itself, and the command that draws it,
    if it is not there yet.
    """
    workspace = studio(request)
    status = (workspace.folder.path / release.name).stat()
    place = (
        Path(workspace.private) / f"{release.kept.id}-{status.st_mtime_ns}-{status.st_size}{ending}"
    )
    if place.is_file():
        return place, None
    words = ("draw", path(release.name), "--to", str(place), "--json")
    return place, workspace.commands.start(
        "show", place.name, *words, then={"back": f"/release/{release.kept.id}"}
    )


def look(request: Request) -> Response:
    """Shows a picture or page that lies beside the release."""
    file = release_info.requested_release(request).one(request.path_params["file"])
    if not release_info.can_be_shown(file):
        raise BadInput("this file cannot be shown; download it")
    return release_info.show_boxed(studio(request).folder.path / file.name)


def save(request: Request) -> Response:
    """Hands out a file that lies beside the release."""
    file = release_info.requested_release(request).one(request.path_params["file"])
    return release_info.download(studio(request).folder.path / file.name)


def shown_again(request: Request, job: CommandJob) -> Response:
    """Leads back to the map for which a page was drawn."""
    del request
    return go(job.then["back"])


jobs.RESULTS |= {"draw": show_made, "export": show_made, "show": shown_again}
routes = [
    Route("/release/{id}/map", show_page),
    Route("/release/{id}/drawn", drawing),
    Route("/release/{id}/picture", picture),
    Route("/release/{id}/look/{file}", look),
    Route("/release/{id}/file/{file}", save),
]
