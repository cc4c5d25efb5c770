"""Shows two released maps side by side, and what both say about the same zones."""

from itertools import zip_longest
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.errors import BadInput, DpmapError
from dpmap.studio import jobs, release_info, zones_page
from dpmap.studio.commands import CommandJob, type_command
from dpmap.studio.draw_page import begun
from dpmap.studio.page import form, go, page, studio
from dpmap.studio.release_info import Released

MOST_LISTED = 200
jobs.TITLES["both"] = "Asking both maps"


def two(request: Request) -> tuple[Released, Released]:
    """Returns the two maps that the page's address names."""
    return release_info.requested_release(request, "one"), release_info.requested_release(
        request, "other"
    )


def show(
    request: Request, error: DpmapError | str = "", was: "dict[str, str] | None" = None
) -> Response:
    """Shows two maps, and in which facts they differ."""
    one, other = two(request)
    return page(
        request,
        "side.html",
        room="/releases",
        one=one,
        other=other,
        rows=compare_facts(one, other),
        error=error,
        was=was or {},
        zones=studio(request).folder.layers()[:MOST_LISTED],
        levels=zones_page.LEVELS,
        status=400 if error else 200,
    )


def compare_facts(one: Released, other: Released) -> list[tuple[str, str, str, str]]:
    """Returns each fact of both maps, and in words whether they differ."""
    first = dict(_facts(one))
    second = dict(_facts(other))
    names = [*first, *(name for name in second if name not in first)]
    both = [(name, first.get(name, "not said"), second.get(name, "not said")) for name in names]
    return [
        (name, first_value, yours, "the same" if first_value == yours else "different")
        for name, first_value, yours in both
    ]


def _facts(release: Released) -> list[tuple[str, str]]:
    return [("Data set", str(release.output["dataset"])), *release_info.facts(release)]


def ask(request: Request) -> Response:
    """Asks both maps about the same zones."""
    try:
        return _asked_maps(request)
    except DpmapError as wrong:
        return show(request, wrong, dict(form(request)))


def _asked_maps(request: Request) -> Response:
    workspace = studio(request)
    submitted = form(request)
    zones = zones_page.zones_of(request, submitted)
    maps = two(request)
    questions = []
    for release, field in zip(maps, ("one_layer", "other_layer"), strict=True):
        if release.output["layers"] and submitted[field] not in release.output["layers"]:
            raise BadInput("choose which layer of each map is asked")
        layer = [f"--layer={submitted[field]}"] * bool(submitted[field])
        questions.append([*zones_page.question(release.name, zones, submitted), *layer, "--json"])
    then = {"one": maps[0].kept.id, "other": maps[1].kept.id, "zones": zones}
    then["back"] = f"/releases/compare/{then['one']}/{then['other']}"
    mark = repr(questions)
    second = workspace.commands.start(
        "both", f"second {mark}", *questions[1], then={"back": then["back"]}
    )
    first = workspace.commands.start(
        "both", f"first {mark}", *questions[0], then={**then, "second": second.id}
    )
    second.then["first"] = first.id
    begun(second)
    return begun(first)


def show_answers(request: Request, job: CommandJob) -> Response:
    """Shows what both maps say, once both have answered."""
    commands = studio(request).commands
    first = job if "second" in job.then else commands.job(job.then["first"])
    second = None if first is None else commands.job(first.then["second"])
    if first is None or second is None:
        raise BadInput("these answers are not kept any more; ask both maps again")
    for one_job in (first, second):
        if one_job.answer is None or not one_job.answer.good:
            return go(f"/job/{one_job.id}")
    one, other = (release_info.find_release(request, first.then[name]) for name in ("one", "other"))
    outputs: list[dict[str, Any]] = [one.answer.output for one in (first, second) if one.answer]
    return page(
        request,
        "both.html",
        room="/releases",
        one=one,
        other=other,
        zones=first.then["zones"],
        back=first.then["back"],
        rows=pair_answers(outputs[0], outputs[1]),
        outputs=outputs,
        level=zones_page.LEVELS[f"{outputs[0]['level']:g}"],
        command="\n".join(
            type_command([word for word in half.words if word != "--json"])
            for half in (first, second)
        ),
    )


def pair_answers(first: dict[str, Any], second: dict[str, Any]) -> list[dict[str, str]]:
    """Returns both answers about each zone, and in words whether their intervals meet."""
    pairs = zip_longest(first["zones"], second["zones"])
    return [
        _pair(one, other, number)
        for number, (one, other) in enumerate(pairs, start=1)
        if one and other
    ]


def _pair(one: dict[str, Any], other: dict[str, Any], number: int) -> dict[str, str]:
    ends = [one["low"], one["high"], other["low"], other["high"]]
    if None in ends:
        words = "not told by both"
    elif one["high"] < other["low"]:
        words = "apart: the second is higher"
    elif other["high"] < one["low"]:
        words = "apart: the first is higher"
    else:
        words = "overlap: no change is told"
    named_zone = {"name": zones_page.zone_label(one, number), "words": words}
    for key, zone in (("one", one), ("other", other)):
        named_zone[key] = zones_page.figure(zone.get("estimate", zone.get("mean")))
        named_zone[f"{key}_interval"] = zones_page.interval(zone, "low", "high")
    return named_zone


jobs.RESULTS["both"] = show_answers
routes = [
    Route("/releases/compare/{one}/{other}", show),
    Route("/releases/compare/{one}/{other}/ask", ask, methods=["POST"]),
]
