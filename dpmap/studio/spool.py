"""Keeps what a command writes where only the studio can read it."""

import os
import tempfile


class Spool:
    """Takes what a command writes: the command goes on writing even if the studio is gone, and
    nothing of it has a name.

    Where the system has no such files, one in the user's own temporary folder stands in. Its name
    is taken away at once, or, where a system cannot do that, at the end.
    """

    def __init__(self) -> None:
        self._path = None
        if hasattr(os, "memfd_create"):
            self._number = os.memfd_create("dpmap")
            return
        self._number, name = tempfile.mkstemp(prefix="dpmap-studio-")
        try:
            os.unlink(name)
        except OSError:
            self._path = name

    def fileno(self) -> int:
        """Returns the number by which a command is given this file."""
        return self._number

    def read(self, most: int) -> bytes:
        """Reads so many bytes from the start, or of the end where `most` is below 0, without moving
        the place at which the command writes.
        """
        start = max(0, os.fstat(self._number).st_size + most) if most < 0 else 0
        if self._path is not None:
            with open(self._path, "rb") as file:
                file.seek(start)
                return file.read(abs(most))
        data = bytearray()
        while len(data) < abs(most) and (
            piece := os.pread(self._number, abs(most) - len(data), start + len(data))
        ):
            data += piece
        return bytes(data)

    def close(self) -> None:
        """Lets go of what was written."""
        os.close(self._number)
        if self._path is not None:
            os.unlink(self._path)
