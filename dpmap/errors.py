"""What can go wrong, in one line each, never carrying data.

Every message says what is wrong, where (a column, a flag, a file; never a value from the survey) and what to type
instead. The command line turns each kind into its exit code.

>>> issubclass(BudgetExceeded, Refused), BadInput.exit_code, Refused.exit_code
(True, 2, 3)
"""


class DpmapError(Exception):
    """The root: `except dm.errors.DpmapError` catches everything dpmap raises on purpose."""

    exit_code = 1


class SystemFailed(DpmapError, RuntimeError):
    """The machine failed: disk, memory, rights, engine."""


class BadInput(DpmapError, ValueError):
    """The call cannot be understood or the file cannot be read."""

    exit_code = 2


class MissingExtra(BadInput, ImportError):
    """An optional library is needed for this; the message names the extra to install."""


class Refused(DpmapError, RuntimeError):
    """The call is understood, and declined to protect privacy."""

    exit_code = 3


class BudgetExceeded(Refused):
    """The ledger cannot afford this release."""
