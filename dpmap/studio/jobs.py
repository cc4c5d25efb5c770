"""Shows a long command while it runs, and leads on to what it made."""

from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dpmap.studio import error_fields
from dpmap.studio.commands import CommandJob, type_command
from dpmap.studio.page import go, page, studio

Shown = Callable[[Request, CommandJob], Response]
RESULTS: dict[str, Shown] = {}
"""What shows the answer of each kind of job: a room adds its own."""
TITLES = {
    "inspect": "Looking at the survey",
    "plan": "Working out what the map will show",
    "release": "Releasing the map",
}
SOON = 1.0


def requested_job(request: Request) -> CommandJob:
    """Returns the job of the page's address."""
    job = studio(request).commands.job(request.path_params["id"])
    if job is None:
        raise HTTPException(404)
    return job


def show(request: Request) -> Response:
    """Shows how far a command is, or its answer."""
    job = requested_job(request)
    job.wait(SOON)  # a quick one is shown at once
    if (answer := job.answer) is not None:
        if not answer.good and job.kind != "release":
            return page(
                request,
                "failed.html",
                status=400,
                job=job,
                words=answer.error,
                back=error_fields.back_to(job.then.get("back", ""), answer.failure)[0],
                command=job.then.get("command", type_command(job.words)),
            )
        return RESULTS[job.kind](request, job)
    title = TITLES.get(job.kind, "At work")
    return page(
        request,
        "job.html",
        job=job,
        title=title,
        progress=job.progress(),
        command=job.then.get("command", type_command(job.words)),
    )


def progress(request: Request) -> Response:
    """Tells a page's script how far a command is."""
    job = requested_job(request)
    return JSONResponse({"done": not job.running, "stopping": job.stopping, **job.progress()})


def stop(request: Request) -> Response:
    """Stops a command gently, so that it can say what was spent."""
    requested_job(request).stop()
    return go(f"/job/{request.path_params['id']}")


routes = [
    Route("/job/{id}", show),
    Route("/job/{id}/progress", progress),
    Route("/job/{id}/stop", stop, methods=["POST"]),
]
