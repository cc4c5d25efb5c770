"""The command line: parses what was typed, makes one library call and saves. Heavy libraries
load inside the commands.
"""

import json
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from dpmap import deprecation
from dpmap.cli.interrupted_message import INTERRUPTED, LEFT
from dpmap.cli.stderr import for_programs, say_beside
from dpmap.errors import PARTS, DpmapError, MissingExtra, near
from dpmap.relaunch import installed_alone


def main() -> None:
    """Runs a command; every failure is one line on stderr and the right exit code, never a
    traceback.
    """
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = _say(LEFT.get(), 130)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Runs a command and returns its exit code: 0 done, 1 the system failed, 2 bad input, 3
    refused, 130 interrupted.
    """
    LEFT.set(INTERRUPTED)
    arguments, old = deprecation.flags(arguments)
    for_programs(arguments)
    for line in old:
        say_beside(line)
    with _interrupts() as interrupts:
        code, failure = _outcome(arguments)
    if code == 130 or (interrupts and code):
        failure = DpmapError(LEFT.get())
        code = 130
    if failure is None:
        return code
    if "--json" in arguments:
        document = {"error": failure.terminal_line, "option": failure.option}
        with suppress(OSError):  # nobody can be told there
            print(json.dumps(document), flush=True)
    return _say(failure.terminal_line, code)


def _outcome(arguments: list[str]) -> tuple[int, DpmapError | None]:
    """Returns the exit code and what went wrong; no exception passes through, since a traceback
    could quote the survey.
    """
    try:
        import typer

        from dpmap.cli.commands import app

        usage_error: type[Exception] = typer.BadParameter.__mro__[1]
        with warnings.catch_warnings():
            if not sys.warnoptions:
                warnings.simplefilter("ignore")
            _own_pictures()
            return _called(app, arguments, typer.Exit, usage_error)
    except DpmapError as error:
        return error.exit_code, _advised(error)
    except KeyboardInterrupt:
        return 130, DpmapError(INTERRUPTED)
    except BrokenPipeError:
        return 0, None
    except MemoryError:
        return 1, DpmapError("memory ran out; close other programs or use larger cells")
    except OSError as error:
        return 1, DpmapError(
            f"the system failed ({type(error).__name__}); check disk space and rights"
        )
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        if library not in PARTS:
            return 1, DpmapError(f"dpmap failed inside (no {library}); please install it anew")
        return MissingExtra.exit_code, _advised(MissingExtra(PARTS[library]))
    except Exception as error:  # noqa: BLE001  # a traceback could quote the survey
        return 1, DpmapError(
            f"dpmap failed inside ({type(error).__name__}); please report the command you typed"
        )


def _advised(error: DpmapError) -> DpmapError:
    """Says what went wrong; where a part is missing from a program that an installer brought,
    pip cannot add it there.
    """
    if isinstance(error, MissingExtra) and installed_alone():
        return MissingExtra(
            f"{error.terminal_line} in an environment of Python; this program of an installer takes"
            " no further parts"
        )
    return error


def _own_pictures() -> None:
    """Keeps a matplotlibrc of the working folder from deciding what pictures do: it can have TeX
    print any file of the machine.

    The library looks for one where it is first imported, so that is done elsewhere. The user's own,
    at home, is followed.
    """
    if not os.path.lexists("matplotlibrc"):
        return
    folder = os.getcwd()
    os.chdir(os.path.abspath(os.sep))
    try:
        import matplotlib  # noqa: F401, ICN001  # read its settings from elsewhere
    except ImportError:
        pass
    finally:
        os.chdir(folder)


def _called(
    app: object, arguments: list[str], stop: type[Exception], usage_error: type[Exception]
) -> tuple[int, DpmapError | None]:
    """Returns what typer answers: it raises `stop` for --help and --version and `usage_error`
    for unknown flags.
    """
    try:
        # typer is loaded late
        code = app(arguments, standalone_mode=False, prog_name="dpmap")  # type: ignore[operator]
        return int(code or 0), None
    except stop as ended:
        return int(getattr(ended, "exit_code", 0)), None
    except usage_error as wrong:
        words = " ".join(_describe_wrong_words(wrong, arguments).split()).rstrip(".")
        if not words:
            return 2, None
        return 2, DpmapError(f"{words}; dpmap COMMAND --help lists what there is")


def _describe_wrong_words(wrong: Any, arguments: list[str]) -> str:
    """Says what is wrong with the words typed: an unknown flag with similar ones, or all that is
    missing at once.
    """
    if (name := getattr(wrong, "option_name", "")) and hasattr(wrong, "possibilities"):
        flags = [flag for one in wrong.ctx.command.get_params(wrong.ctx) for flag in one.opts]
        return f"No such option: {name}{near(name, flags)}"
    if hasattr(wrong, "param_type") and len(lacking := _lacking(wrong.ctx, arguments)) > 1:
        return f"Missing {', '.join(lacking[:-1])} and {lacking[-1]}"
    return str(wrong.format_message() if hasattr(wrong, "format_message") else wrong)


def _lacking(context: Any, arguments: list[str]) -> list[str]:
    """Lists each argument and flag that the command needs and was not given, with its purpose."""
    command = context.command
    words = arguments[len(context.command_path.split()) - 1 :]
    parsed = command.make_context(
        context.info_name, list(words), parent=context.parent, resilient_parsing=True
    ).params
    return [
        f"{param.opts[0] if param.opts[0].startswith('-') else param.metavar}"
        f" ({(param.help or '').rstrip('.')})"
        for param in command.params
        if param.required and not parsed.get(param.name)
    ]


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Remembers Ctrl-C, a polite end of the process (SIGTERM), a terminal that was closed (SIGHUP)
    and a console's break on Windows (SIGBREAK), since an engine may turn the KeyboardInterrupt that
    they cause into an error of its own. Under nohup, which has SIGHUP ignored, it stays so.
    """
    seen: list[int] = []

    def interrupt(number: int, _: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    known = (getattr(signal, name, None) for name in ("SIGHUP", "SIGBREAK"))
    heard = [
        number
        for number in known
        if number is not None and signal.getsignal(number) != signal.SIG_IGN
    ]
    before = {
        number: signal.signal(number, interrupt)
        for number in (signal.SIGINT, signal.SIGTERM, *heard)
    }
    try:
        yield seen
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


def _say(message: str, code: int) -> int:
    """Prints one line on stderr, whatever characters a file's or column's name may hold."""
    print(
        "dpmap: " + "".join(mark if mark.isprintable() else " " for mark in message),
        file=sys.stderr,
    )
    return code
