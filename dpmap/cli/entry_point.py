"""The command line as a process of its own, which begins and ends as fast as the libraries that
it needs allow.
"""

import atexit
import gc
import os
import sys

from dpmap.cli import main
from dpmap.network_guard import lock_process

OFTEN = 20_000
"""So many new objects, not 700, before Python looks for rings of dead ones: while libraries load
there are none, and each look takes long.
"""


def program() -> None:
    """Runs a command, and ends the process as soon as what it said is out.

    All that it made is in its place by then. Python would go on to take every library apart in
    memory, which the system does at once.
    """
    gc.set_threshold(OFTEN)
    lock_process()
    try:
        main()
    except SystemExit as ended:
        atexit._run_exitfuncs()  # noqa: SLF001  # what libraries asked to be done last
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (
            OSError,
            AttributeError,
        ):  # a closed pipe, or no terminal at all: Python's own end knows what to do
            raise ended from None
        os._exit(ended.code if isinstance(ended.code, int) else 0)
