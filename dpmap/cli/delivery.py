"""Puts what a command wrote into a store, once it is whole on this machine, and names the places in
the store in its answer.
"""

import secrets
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

from dpmap.cli.flags import DELIVER, Telling
from dpmap.cli.interrupted_message import INTERRUPTED, LEFT
from dpmap.cli.survey_paths import Files, is_apart, ledger_beside, paths
from dpmap.errors import DpmapError, SystemFailed
from dpmap.private_folder import private_folder
from dpmap.store_results import (
    PLACE_NAME,
    RELEASE,
    check_store,
    get_folder,
    put_folder,
    refuse_other_release,
)
from dpmap.stores import Location, is_url

Command = Callable[..., None]


@dataclass(slots=True)
class Delivery:
    """A folder of this machine whose files go to a folder of a store; `left` is what to say where
    they cannot be put.
    """

    place: Path
    target: Location
    left: str = ""
    failed: bool = False

    def deliver(self, answer: Mapping[str, Any], lines: Iterable[str]) -> Telling:
        """Puts the files, and returns the answer with their places in the store."""
        self.put()
        return self.rename(answer), self.rename(list(lines))

    def put(self) -> None:
        """Puts the files; where that fails, the folder stays, and the line says what to type."""
        if self.left:
            LEFT.set(f"interrupted; {self.left}")
        self.failed = True
        try:
            if self.left:
                refuse_other_release(self.place, self.target)
            put_folder(self.place, self.target)
        except DpmapError as error:
            words = f"; {self.left}" if self.left else ""
            raise SystemFailed(f"{error.terminal_line}{words}") from None
        self.failed = False
        LEFT.set(INTERRUPTED)

    def rename(self, value: Any) -> Any:
        """Returns an answer with the names of the files in the store."""
        if isinstance(value, str):
            return value.replace(str(self.place), self.target.address)
        if isinstance(value, Mapping):
            return {name: self.rename(one) for name, one in value.items()}
        return [self.rename(one) for one in value] if isinstance(value, list | tuple) else value


@contextmanager
def _pending(delivery: Delivery) -> Iterator[None]:
    """Has the command put its files before it answers, and name them as they are in the store."""
    deliver = DELIVER.set(delivery.deliver)
    renamed = PLACE_NAME.set(delivery.rename)
    try:
        yield
    finally:
        PLACE_NAME.reset(renamed)
        DELIVER.reset(deliver)


def into_store(flag: str) -> Callable[[Command], Command]:
    """Lets a command write the file that this flag names into a store."""
    parameter = flag.removeprefix("--")

    def decorate(command: Command) -> Command:
        @wraps(command)
        def writing(**given: Any) -> None:
            if not is_url(given.get(parameter)):
                command(**given)
                return
            target = Location.parse(given[parameter], flag, writing=True)
            with private_folder() as folder:
                place = Path(folder) / "results"
                place.mkdir()
                parent = target.within(target.key.rpartition("/")[0])
                with _pending(Delivery(place, parent)):
                    command(**{**given, parameter: place / target.file_name})

        return writing

    return decorate


def release_into_store(command: Command) -> Command:
    """Lets `dpmap release` fill a folder of a store: the store is tried before anything is spent,
    the folder is made on this machine, and then all of it is put.

    A release that is in the store already is fetched first, so that the command goes on with it or
    refuses it as it does a folder of this machine.
    """

    @wraps(command)
    def writing(survey: Files | None = None, **given: Any) -> None:
        folder = given["folder"]
        if not is_url(folder.out):
            command(survey, **given)
            return
        target = Location.parse(folder.out, "--out", writing=True)
        name = target.file_name
        check_store(target)
        place = _left_folder(survey) if folder.resume else None
        if place is not None:
            survey = None
            scratch = None
        else:
            ledger_folder = _beside(survey, given["spending"].ledger)
            scratch = ledger_folder / f"{name}-{secrets.token_hex(3)}"
            place = scratch / name
            get_folder(target, place)
        fetched = place.exists()
        again = shlex.join(["dpmap", "release", "--resume", str(place), "--out", target.url])
        left = f"all of it is whole in {place}; type  {again}  to put it there, at no cost"
        delivery = Delivery(place, target, left)
        try:
            with _pending(delivery):
                command(survey, **{**given, "folder": replace(folder, out=place)})
        except BaseException:
            if scratch is not None and fetched and not delivery.failed:
                shutil.rmtree(scratch, ignore_errors=True)
            raise
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)

    return writing


def _left_folder(survey: Files | None) -> Path | None:
    """Returns the release's folder of this machine that stands where a survey would be."""
    given = paths(survey) if survey else []
    place = Path(given[0]) if len(given) == 1 else None
    if place is None or (not (place / RELEASE).exists() and not list(place.glob(f"*/{RELEASE}"))):
        return None
    return place


def _beside(survey: Files | None, ledger: Path | None) -> Path:
    """Returns the folder of the ledger, whose disk must take what is paid for; else a temporary
    one.
    """
    if ledger is None and survey and not is_apart(survey):
        ledger = ledger_beside(survey)
    if ledger is None or is_url(ledger):
        return Path(tempfile.gettempdir())
    return ledger.absolute().parent
