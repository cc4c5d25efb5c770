"""Starts a release once, says what came of it, and makes the rest of one that was interrupted."""

import hashlib
import os
import secrets
import threading
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpmap.atomic_write import only_one_at_once
from dpmap.errors import BadInput
from dpmap.studio import error_fields, jobs
from dpmap.studio.commands import CommandJob, path, type_command
from dpmap.studio.drafts import Draft
from dpmap.studio.folder import BrowsedFolder, short
from dpmap.studio.page import Studio, go, page, studio
from dpmap.studio.steps.data import draft_of

SAVED = "release.dpmap"
LONGEST_NAME = 255
ONE = threading.Lock()
"""Held while a confirmation is looked up and its release started, so that the same click twice
finds the first.
"""


def below(folder: BrowsedFolder, flag: str, line: str) -> str:
    """Returns a path of the map's own file of flags as it stands below the studio's folder;
    outside there is none.
    """
    try:
        name = folder.within(line)
    except BadInput as wrong:
        raise BadInput(f"{flag}: {wrong.terminal_line}") from None
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in name.split("/")):
        raise BadInput(
            f"{flag}: that name is longer than a disk takes; write a shorter one into the map's"
            " file"
        )
    return name


def others_in(folder: BrowsedFolder, out: str) -> bool:
    """Whether the place where a map is to go is taken by anything else, which the map's files
    would be mixed with or written over.
    """
    place = folder.path / out
    try:
        return any(not one.startswith(".") for one in os.listdir(place))
    except OSError:
        return os.path.lexists(place)


def maps_in(folder: BrowsedFolder, out: str) -> list[dict[str, str]]:
    """Lists the released maps in a folder, one or one for each reader: path, short name, reader."""
    place = folder.path / out
    try:
        paths = [
            one
            for one in (place / SAVED, *sorted(place.glob(f"*/{SAVED}")))
            if one.is_file() and not one.is_symlink()
        ]
    except OSError:  # a name that no disk takes, or a folder that somebody else closed
        return []
    named = [
        (one.relative_to(folder.path).as_posix(), one.parent.name if one.parent != place else "")
        for one in paths
    ]
    return [{"name": name, "id": short(name), "reader": reader} for name, reader in named]


def at_work(workspace: Studio, draft: Draft, out: str) -> CommandJob | None:
    """Returns the command that fills the map's folder now, if this studio started it."""
    jobs = [
        job
        for job in workspace.commands.running()
        if job.about == draft.name and job.then.get("out") == out
    ]
    return jobs[0] if jobs else None


def is_being_written(folder: BrowsedFolder, out: str) -> bool:
    """Whether a release is being written into this folder by anybody, such as one that outlived
    the studio it came from.
    """
    if not os.path.isdir(folder.path / out):
        return False
    try:
        with only_one_at_once(folder.path / out):
            return False
    except BadInput:
        return True


def begin(
    workspace: Studio, draft: Draft, out: str, submitted: dict[str, Any], word: str
) -> CommandJob:
    """Starts the release that was confirmed, and uses up the confirmation's word; the same word
    leads to the same release.
    """
    command = (
        "release",
        "--config",
        _as_confirmed(workspace, draft),
        *submitted["more"],
        "--json",
        "--progress",
        "json",
    )
    back = f"/map/{draft.kept.id}/confirm"
    then = {
        "back": back,
        "map": draft.kept.id,
        "out": out,
        "ledger": submitted["ledger"],
        "dataset": submitted["dataset"],
    }
    then |= {
        "before": str(submitted["events"]),
        "command": type_command(["release", *draft.config, *submitted["more"]]),
    }
    job = workspace.commands.start("release", draft.name, *command, then=then)
    workspace.confirmed[word] = job.id
    return job


def _as_confirmed(workspace: Studio, draft: Draft) -> str:
    """Keeps a copy of the flags that were confirmed: what another window or an editor writes now
    is not what is released.
    """
    try:
        content = (workspace.folder.path / draft.name).read_bytes()
    except OSError:
        content = b""
    if hashlib.sha256(content).hexdigest()[:16] != draft.mark:
        raise BadInput(
            "the map was changed since you read this page; go back and read it as it is now"
        )
    place = Path(workspace.private) / secrets.token_hex(8) / draft.name
    place.parent.mkdir()
    place.write_bytes(content)
    return str(place)


def resume(request: Request) -> Response:
    """Starts making the files that are missing beside a release that was saved; it costs
    nothing.
    """
    draft = draft_of(request)
    workspace = studio(request)
    out = below(workspace.folder, "out", str(draft.get("out")))
    words = ("release", *draft.config, "--resume", "--json", "--progress", "json")
    then = {"back": f"/map/{draft.kept.id}/confirm", "map": draft.kept.id, "out": out}
    return go(f"/job/{workspace.commands.start('resume', draft.name, *words, then=then).id}")


def show_ended(request: Request, job: CommandJob) -> Response:
    """Shows what a release spent and what remains; where it failed or was stopped, what the
    ledger knows of it.
    """
    workspace = studio(request)
    answer = job.answer
    maps = maps_in(workspace.folder, job.then["out"])
    if answer is not None and answer.good:
        output = dict(answer.output or {})
        return page(
            request,
            "released.html",
            output=output,
            maps=maps,
            map=job.then["map"],
            again=job.kind == "resume",
            command=job.then.get("command", type_command(job.words[:-3])),
        )
    back = job.then["back"]
    step = ""
    if answer is not None and not maps:
        back, step = error_fields.back_to(back, answer.failure)
    return page(
        request,
        "ended.html",
        words=_why(job),
        back=back,
        at=step,
        stopped=job.stopping or _code(job) == STOPPED,
        maps=maps,
        then=job.then,
        account=_after(workspace, job),
        command=job.then.get("command", type_command(job.words[:-3])),
        status=400,
    )


STOPPED = 130


def _code(job: CommandJob) -> int:
    return job.answer.code if job.answer is not None else 0


def _why(job: CommandJob) -> str:
    """Returns the command's own line; one that was killed could say nothing."""
    if job.answer is not None and job.answer.code >= 0:
        return job.answer.error
    if job.stopping:
        return "It was stopped before it could say anything."
    return (
        "It was ended from outside, perhaps because memory ran out; close other programs, or use"
        " larger cells."
    )


def _after(workspace: Studio, job: CommandJob) -> dict[str, Any] | None:
    """Asks the ledger what a release that did not end well has spent; None where it cannot tell."""
    if "ledger" not in job.then:
        return None
    if not os.path.exists(workspace.folder.path / job.then["ledger"]):
        return None if int(job.then["before"]) else {"lost": [], "remaining": "", "others": False}
    answer = workspace.commands.ask("ledger", path(job.then["ledger"]), "--json")
    if not answer.good or len(answer.output["events"]) < int(
        job.then["before"]
    ):  # an older one was put in its place
        return None
    new = [one for one in lost_of(answer.output) if one["number"] > int(job.then["before"])]
    releases = [one for one in new if one["dataset"] == job.then["dataset"]]
    return {
        "lost": releases,
        "remaining": answer.output["remaining"],
        "others": is_being_written(workspace.folder, job.then["out"]),
    }


def lost_of(output: dict[str, Any]) -> list[dict[str, Any]]:
    """Lists the events of a ledger that spent epsilon and of which nothing came."""
    return [one for one in output["events"] if one["number"] in output["without_release"]]


jobs.RESULTS["release"] = jobs.RESULTS["resume"] = show_ended
jobs.TITLES["resume"] = "Making the missing files"
routes = [Route("/map/{id}/resume", resume, methods=["POST"])]
