"""Stops a command: gently as Ctrl-C does, so that it can say what was spent; by force only where nothing can have been spent."""

import os
import signal
import subprocess
from contextlib import suppress

FREE = (
    "--version", "about", "ask", "compare", "draw", "export", "hotspots", "inspect", "ledger", "merge", "plan", "selftest",
)  # fmt: skip
"""Commands that spend nothing: they may be ended by force."""


def apart():
    """Starts a command in a group of its own: nothing that stops QGIS's group reaches it, and no window opens."""
    if os.name == "nt":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def hear_stops():
    """Lets commands that are started from here hear a stop where this program itself was told to ignore Ctrl-C.

    A program that a script starts behind `&` ignores it, and hands that on to all it starts: a stop that comes while dpmap loads
    would be lost, and a release would go on and spend. What is answered by a function, even one that does nothing, is
    not handed on. Python lets the main thread alone say so.
    """
    if os.name != "nt" and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda _number, _frame: None)


def spends(words):
    """Whether a command may spend; one that is not known may.

    >>> spends(["release", "-"]), spends(["ask", "a.dpmap"]), spends([])
    (True, False, True)
    """
    return not (words and words[0] in FREE)


def gently(process):
    """Asks a command to stop as Ctrl-C does."""
    try:
        if os.name == "nt":
            _break(process)
        else:
            os.killpg(process.pid, signal.SIGINT)
    except OSError:  # it has ended
        pass


def by_force(process):
    """Ends a command and all that it started."""
    try:
        if os.name == "nt":
            tool = os.path.join(
                os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe"
            )
            subprocess.run(  # noqa: S603  # nosec B603  # a program of Windows, with a number
                [tool, "/T", "/F", "/PID", str(process.pid)],
                check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **apart(),
            )  # fmt: skip
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    with suppress(OSError):
        process.kill()


def _break(process):
    """Sends Ctrl-Break to the command's group.

    A window has no console, and Windows takes the signal only from a program of the same console: so this one joins the
    command's for a moment. The signal goes to the command's group, in which QGIS is not.
    """
    try:
        process.send_signal(signal.CTRL_BREAK_EVENT)
    except OSError:
        import ctypes

        kernel = ctypes.windll.kernel32
        if kernel.AttachConsole(process.pid):
            kernel.GenerateConsoleCtrlEvent(1, process.pid)
            kernel.FreeConsole()
