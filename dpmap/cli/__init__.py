"""The command line: parse, one library call, save. Heavy libraries load inside the commands."""

import sys

from dpmap.errors import DpmapError


def main() -> None:
    """Runs a command; every failure is one line on stderr and the right exit code, never a traceback."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code: 0 done, 1 the system failed, 2 bad input, 3 refused to protect privacy, 130 interrupted."""
    import typer

    from dpmap.cli.commands import app

    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    try:
        return int(app(arguments, standalone_mode=False, prog_name="dpmap") or 0)
    except DpmapError as error:
        return _fail(str(error), error.exit_code)
    except typer.Exit as stop:
        return stop.exit_code
    except usage_error as error:
        return _fail(f"{_one_line(error)}; dpmap COMMAND --help lists what there is", 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted; nothing half-written is left, the ledger says what was spent", 130)
    except BrokenPipeError:
        return 0
    except MemoryError:
        return _fail("memory ran out; close other programs or use larger cells", 1)
    except OSError as error:
        return _fail(f"the system failed ({type(error).__name__}); check disk space and rights", 1)
    except Exception as error:  # noqa: BLE001  # a traceback could quote the survey
        return _fail(f"dpmap failed inside ({type(error).__name__}); please report the command you typed", 1)


def _fail(message: str, code: int) -> int:
    print(f"dpmap: {message}", file=sys.stderr)
    return code


def _one_line(error: BaseException) -> str:
    told = getattr(error, "format_message", lambda: str(error))()
    return " ".join(str(told).split()).rstrip(".")
