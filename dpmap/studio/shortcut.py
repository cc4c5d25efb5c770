"""Makes a double-click start of the studio for one folder: a desktop entry, a `.command` or a
`.cmd`, as the system has it.

Each runs this very dpmap in a window that stays open, so that the address and any error are seen. A
path is written by the rules of what reads it; one that cannot be written so is refused.
"""

import hashlib
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dpmap import relaunch
from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput

ENDED = "The studio has ended. Press Enter to close this window."
KEEP = f'"$0" "$@"; echo; echo "{ENDED}"; read -r _'
"""What a desktop entry gives to sh, with the words that start dpmap on the folder behind it."""
UNSAFE = re.compile(r'[/\\:*?"<>|%!^&\s]+')
LONGEST = 60


def install(
    path: "str | os.PathLike[str]",
    *,
    system: str = sys.platform,
    start: Sequence[str] | None = None,
    home: Path | None = None,
    environment: Mapping[str, str] = os.environ,
) -> list[Path]:
    """Writes the shortcuts of this system for a folder, and returns where they lie; `start` are
    the words that start dpmap.
    """
    folder = _folder(path)
    start = start or relaunch.command()
    for words in (folder, *start):
        _check(words)
    home_folder = home or Path.home()
    mark = hashlib.sha256(folder.encode()).hexdigest()[:12]
    if system == "win32":
        return [
            _write_shortcut(
                _windows_desktop(home_folder), folder, mark, ".cmd", batch(start, folder, mark)
            )
        ]
    if system == "darwin":
        return [
            _write_shortcut(
                home_folder / "Desktop", folder, mark, ".command", command(start, folder, mark)
            )
        ]
    text = entry(start, folder, mark)
    written_files = [
        _write_shortcut(
            _data(home_folder, environment) / "applications",
            folder,
            mark,
            ".desktop",
            text,
            f"dpmap-studio-{mark}",
        )
    ]
    desktop = _desktop(home_folder, environment)
    return (
        [*written_files, _write_shortcut(desktop, folder, mark, ".desktop", text)]
        if desktop
        else written_files
    )


def entry(start: Sequence[str], folder: str, mark: str) -> str:
    """Writes a desktop entry, as Linux and its kin read it."""
    words = " ".join(map(_exec, ("sh", "-c", KEEP, *start, "studio", folder)))
    icon = Path(__file__).with_name("assets") / "icon.svg"
    lines = {
        "Type": "Application",
        "Name": _value(f"dpmap studio: {os.path.basename(folder) or folder}"),
        "Comment": "Private maps without a command line",
        "Exec": words,
        "Icon": _value(str(icon)),
        "Terminal": "true",
        "Categories": "Science;Geoscience;",
    }
    return f"# {_marked(mark)}\n[Desktop Entry]\n" + "".join(
        f"{key}={value}\n" for key, value in lines.items()
    )


def command(start: Sequence[str], folder: str, mark: str) -> str:
    """Writes a file of shell commands, which macOS opens in a terminal."""
    return (
        f"#!/bin/sh\n# {_marked(mark)}\n{shlex.join([*start, 'studio', folder])}\n"
        f"echo\necho {shlex.quote(ENDED)}\nread -r _\n"
    )


def batch(start: Sequence[str], folder: str, mark: str) -> str:
    """Writes a batch file, which Windows runs in a window; it is in UTF-8, as its third line
    tells the system.
    """
    words = " ".join([_batch(start[0]), *start[1:], "studio", _batch(folder)])
    return (
        f"@echo off\r\nrem {_marked(mark)}\r\nchcp 65001 >nul\r\nsetlocal"
        f" DisableDelayedExpansion\r\ntitle dpmap studio\r\n{words}\r\necho.\r\npause\r\n"
    )


def _folder(path: "str | os.PathLike[str]") -> str:
    try:
        folder = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise BadInput(
            "studio: there is no such folder; name the one that holds your survey, like dpmap"
            " studio . --install-shortcut"
        ) from None
    if not folder.is_dir():
        raise BadInput(
            "studio: that is a file; name the folder that holds it, like dpmap studio ."
            " --install-shortcut"
        )
    return str(folder)


def _check(words: str) -> None:
    """Refuses a path that no shortcut can hold."""
    if not words or any(
        mark < " " or mark == "\x7f" or "\ud800" <= mark <= "\udfff" for mark in words
    ):
        raise BadInput(
            "--install-shortcut: the path of the folder, or of Python, holds a line break or what"
            " is no text; rename it, or start the studio by typing dpmap studio"
        )


def _exec(words: str) -> str:
    r"""Writes one word of an Exec line: quoted, then escaped once more as every value of a desktop
    entry.

    >>> print(_exec('50% of "$5"'))
    "50%% of \\"\\$5\\""
    """
    quoted = re.sub(r'(["`$\\])', r"\\\1", words).replace("%", "%%")
    return _value(f'"{quoted}"')


def _value(words: str) -> str:
    """Writes a value of a desktop entry."""
    return words.replace("\\", "\\\\")


def _batch(words: str) -> str:
    r"""Writes one word of a batch file; a last backslash would else take the quote for its own.

    >>> print(_batch("C:\\50%\\"))
    "C:\50%%\\"
    """
    doubled = f"{words}\\" if words.endswith("\\") else words
    return '"' + doubled.replace("%", "%%") + '"'


def _marked(mark: str) -> str:
    return f"dpmap studio, shortcut {mark}"


def _write_shortcut(
    place: Path, folder: str, mark: str, ending: str, text: str, stem: str = ""
) -> Path:
    """Writes a shortcut, over an older one of the same folder but over nothing else."""
    place.mkdir(parents=True, exist_ok=True)
    name = UNSAFE.sub(" ", os.path.basename(folder)).strip(" .")[:LONGEST] or "folder"
    target = _free(
        place, stem or f"dpmap studio {name}", ending, lambda file: _marked(mark) in _start(file)
    )
    with written_aside(target) as aside:
        aside.write_bytes(text.encode("utf-8"))
        aside.chmod(0o755)
    return target


def _free(place: Path, stem: str, ending: str, is_ours: Callable[[Path], bool]) -> Path:
    """Returns the first name that is free or our own."""
    number = 1
    while os.path.lexists(
        target := place / f"{stem}{'' if number == 1 else f' {number}'}{ending}"
    ) and not is_ours(target):
        number += 1
    return target


def _start(file: Path) -> str:
    """Returns the first bytes of a file as text; of what is no plain file, nothing."""
    if file.is_symlink() or not file.is_file():
        return ""
    with open(file, "rb") as opened:
        return opened.read(200).decode("utf-8", "replace")


def _data(home: Path, environment: Mapping[str, str]) -> Path:
    """Returns where this user's programs are listed."""
    return _absolute(environment.get("XDG_DATA_HOME", "")) or home / ".local" / "share"


def _desktop(home: Path, environment: Mapping[str, str]) -> Path | None:
    """Returns the desktop's folder, if there is one; the system may have given it another name
    and place.
    """
    folders_file = (
        _absolute(environment.get("XDG_CONFIG_HOME", "")) or home / ".config"
    ) / "user-dirs.dirs"
    try:
        setting = re.search(
            r'^XDG_DESKTOP_DIR="(.*)"', folders_file.read_text("utf-8"), re.MULTILINE
        )
    except (OSError, UnicodeDecodeError):
        setting = None
    named = (
        re.sub(r"\\(.)", r"\1", setting[1]).replace("$HOME", str(home), 1)
        if setting
        else str(home / "Desktop")
    )
    desktop = Path(named)
    return desktop if desktop.is_absolute() and desktop.is_dir() and desktop != home else None


def _absolute(text: str) -> Path | None:
    return Path(text) if os.path.isabs(text) else None


def _windows_desktop(home: Path) -> Path:
    """Returns the desktop's folder of Windows, which may have been moved to a drive or a cloud."""
    if sys.platform == "win32":
        import winreg

        key = r"Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders"
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                desktop = Path(os.path.expandvars(winreg.QueryValueEx(opened, "Desktop")[0]))
        except OSError:
            return home / "Desktop"
        if desktop.is_dir():
            return desktop
    return home / "Desktop"
