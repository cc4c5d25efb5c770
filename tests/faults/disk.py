"""A disk that remembers and fails: SQLite's own file system, with every write, flush, lock and removal seen or refused.

SQLite lets its file system (VFS) be replaced. Ours calls the real one and notes what happened, in order, so that a test
can ask what a power cut at any moment could have left behind: what was flushed is there; of what was not, any part may be.
"""

import _sqlite3
import ctypes
import os
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p

import dpmap.atomic_write

FULL, READONLY, CANTOPEN = 13, 8, 14
IO_READ, IO_WRITE, IO_FLUSH, IO_DELETE, IO_LOCK = 266, 778, 1034, 2570, 3850
BUSY = 5

OPEN = CFUNCTYPE(
    c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int)
)  # names as addresses: SQLite keeps them
DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
READ = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
CUT = CFUNCTYPE(c_int, c_void_p, c_int64)
FLAG = CFUNCTYPE(c_int, c_void_p, c_int)


class System(ctypes.Structure):
    """`sqlite3_vfs`, of which we replace two functions."""

    _fields_ = [("version", c_int), ("size", c_int), ("longest", c_int), ("next", c_void_p), ("name", c_char_p),
                ("data", c_void_p), ("open", OPEN), ("delete", DELETE), ("rest", c_void_p * 13)]  # fmt: skip


class Methods(ctypes.Structure):
    """`sqlite3_io_methods`: what can be done to one open file."""

    _fields_ = [("version", c_int), ("close", c_void_p), ("read", READ), ("write", READ), ("cut", CUT), ("flush", FLAG),
                ("length", c_void_p), ("lock", FLAG), ("rest", c_void_p * 11)]  # fmt: skip


class Disk:
    """Everything that was done to files below one folder, in order, as `steps`; `fails` makes a chosen step fail.

    Steps: ("create", path), ("write", path, offset, bytes), ("cut", path, size), ("flush", path), ("delete", path, flushed),
    ("rename", from, to), ("flush folder",), ("whole", path, bytes) and whatever a test notes itself.
    """

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.steps, self._paths, self._tables = [], {}, {}
        self._kind, self._nth, self._code = None, 0, 0

    def fails(self, kind, nth, code):
        """The nth step of this kind from now on fails with SQLite's `code`, once; `failed` then says so."""
        self._kind, self._nth, self._code, self.failed = kind, nth, code, False

    def _refused(self, kind, path):
        if path is None or kind != self._kind:
            return 0
        self._nth -= 1
        self.failed |= self._nth == 0
        return self._code if self._nth == 0 else 0

    @contextmanager
    def watched(self):
        """SQLite, and dpmap's own way of saving files, go through this disk while the block lasts."""
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype, library.sqlite3_vfs_find.argtypes = c_void_p, [c_char_p]
        library.sqlite3_vfs_register.argtypes = library.sqlite3_vfs_unregister.argtypes = [
            c_void_p,
            c_int,
        ]
        self._real = System.from_address(library.sqlite3_vfs_find(None))
        ours = System.from_buffer_copy(self._real)
        ours.name, ours.open, ours.delete = b"watched", OPEN(self._open), DELETE(self._delete)
        kept = dpmap.atomic_write.os.fsync, dpmap.atomic_write.os.replace
        library.sqlite3_vfs_register(ctypes.addressof(ours), 1)
        os.fsync, os.replace = self._fsync(kept[0]), self._replace(kept[1])
        try:
            yield self
        finally:
            os.fsync, os.replace = kept
            library.sqlite3_vfs_unregister(ctypes.addressof(ours), 1)
            library.sqlite3_vfs_register(ctypes.addressof(self._real), 1)

    def _fsync(self, real):
        def fsync(handle):
            path = os.readlink(f"/proc/self/fd/{handle}") if os.path.isdir("/proc/self/fd") else ""
            if path.startswith(self.folder):
                if os.path.isdir(path):
                    self.steps.append(("flush folder",))
                else:
                    with open(path, "rb") as file:
                        self.steps.append(("whole", path, file.read()))
            return real(handle)

        return fsync

    def _replace(self, real):
        def replace(source, target):
            real(source, target)
            self.steps.append(("rename", str(source), str(target)))

        return replace

    def _open(self, system, name, file, flags, out):
        path = ctypes.string_at(name).decode() if name else None
        mine = path if path and os.path.realpath(path).startswith(self.folder) else None
        if code := self._refused("open", mine):
            ctypes.memset(file, 0, 8)  # no methods: not open
            return code
        there = path is not None and os.path.exists(path)
        code = self._real.open(system, name, file, flags, out)
        if code == 0 and mine:
            self._paths[file] = mine
            if not there:
                self.steps.append(("create", mine))
            self._watch(file)
        return code

    def _watch(self, file):
        """Gives the open file our table of methods: the real one with five of them replaced."""
        table = ctypes.c_void_p.from_address(file)
        if table.value not in self._tables:
            real = Methods.from_address(table.value)
            ours = Methods.from_buffer_copy(real)
            ours.read, ours.write, ours.cut, ours.flush, ours.lock = self._methods(real)
            self._tables[table.value] = ours
        table.value = ctypes.addressof(self._tables[table.value])

    def _methods(self, real):
        def read(file, into, size, offset):
            return self._refused("read", self._paths.get(file)) or real.read(
                file, into, size, offset
            )

        def write(file, data, size, offset):
            path = self._paths.get(file)
            if code := self._refused("write", path):
                return code
            code = real.write(file, data, size, offset)
            if code == 0:
                self.steps.append(("write", path, offset, ctypes.string_at(data, size)))
            return code

        def cut(file, size):
            self.steps.append(("cut", self._paths.get(file), size))
            return real.cut(file, size)

        def flush(file, flags):
            path = self._paths.get(file)
            if code := self._refused("flush", path):
                return code
            code = real.flush(file, flags)
            self.steps.append(("flush", path))
            return code

        def lock(file, level):
            return self._refused("lock", self._paths.get(file)) or real.lock(file, level)

        return READ(read), READ(write), CUT(cut), FLAG(flush), FLAG(lock)

    def _delete(self, system, name, flushed):
        path = ctypes.string_at(name).decode()
        mine = path if os.path.realpath(path).startswith(self.folder) else None
        if code := self._refused("delete", mine):
            return code
        code = self._real.delete(system, name, flushed)
        if code == 0 and mine:
            self.steps.append(("delete", mine, bool(flushed)))
        return code


class File:
    """One file's flushed bytes, and what was done since."""

    def __init__(self, whole=b""):
        self.flushed, self.since = whole, []

    def settle(self, kept):
        """The bytes with those later changes that `kept` lets through."""
        content = bytearray(self.flushed)
        for change in self.since:
            kept(content, change)
        return bytes(content)


def apply(content, change):
    """A change as it was meant."""
    if change[0] == "cut":
        del content[change[1] :]
        return
    _, offset, data = change
    content.extend(bytes(max(0, offset + len(data) - len(content))))
    content[offset : offset + len(data)] = data


def torn(chance):
    """Of each change that was not flushed: all, nothing, or some of its 512-byte sectors."""

    def kept(content, change):
        luck = chance.random()
        if luck < 0.4:
            apply(content, change)
        elif luck < 0.7 and change[0] == "write":
            _, offset, data = change
            for start in range(0, len(data), 512):
                if chance.random() < 0.5:
                    apply(content, ("write", offset + start, data[start : start + 512]))

    return kept


def after_power_cut(steps, chance, *, obeys=True):
    """The files that a power cut after these steps may leave, each path with its bytes.

    What was flushed is there; of the rest, `torn` decides. Names (made, removed, renamed) come to the disk in order, and
    are sure once their folder was flushed: after a journal's first flush, and after a removal that asked for it. A disk that
    does not obey (`obeys=False`) forgets that it was told to flush.
    """
    names, pending, files = {}, [], {}

    def sure():
        for path, file in pending:
            names[path] = file
        pending.clear()

    for step in steps:
        kind, path = step[0], step[1] if len(step) > 1 else None
        if kind == "create":
            files[path] = File()
            pending.append((path, files[path]))
        elif kind in ("write", "cut"):
            files[path].since.append((kind, *step[2:]))
        elif kind == "flush" and obeys:
            files[path].flushed, files[path].since = files[path].settle(apply), []
            if path.endswith("-journal"):
                sure()
        elif kind == "delete":
            pending.append((path, None))
            if step[2] and obeys:
                sure()
        elif kind == "whole":
            files[path] = File(step[2] if obeys else b"")
        elif kind == "rename":
            files[step[2]] = files.get(path, File())  # never flushed: it may come out empty
            pending.append((step[2], files[step[2]]))
        elif kind == "flush folder" and obeys:
            sure()
    for path, file in pending[: chance.randint(0, len(pending))]:
        names[path] = file
    return {path: file.settle(torn(chance)) for path, file in names.items() if file is not None}
