"""Tries the installers of Linux as somebody would who has neither Python nor a network, and prints what it saw.

`try.py FILE.deb FILE.tar.gz`, in the environment from which they were built. Everything happens in namespaces of this process's own: without a
network, and where it runs as root over a copy of the system that is thrown away, in which the .deb is really installed and really
removed. Without root the .deb is unpacked and no more.
"""

import contextlib
import fcntl
import http.cookiejar
import os
import pwd
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dpmap.version import own_code

INSIDE = "--inside"
SYSTEMS_OWN = ("/usr/sbin", "/usr/bin", "/sbin", "/bin")
PATH = "PATH=" + ":".join(SYSTEMS_OWN)
HOME = "home/newcomer"
CHANGED_BY_DPKG = re.compile(
    r"^(var/(lib/dpkg|log|cache|lib/apt)/|tmp/|home/|usr/share/(applications/mimeinfo|icons/.*\.cache|mime/))"
)
"""What any installing and removing changes: the system's own lists and notes."""
RELEASE = '--cell "5 km" --unit observer_id --consent consent=yes --epsilon 1 --cap 5 --dataset "Raptors 2026" --budget 3 --ledger raptors.ledger --out raptors'
PATIENCE = 300


@dataclass
class Place:
    """Where the program lies: `words` go before a command there, `home` is the user's folder as this process sees it."""

    words: list[str]
    home: Path

    def run(self, *command: str) -> str:
        """Runs one command to its end, with nothing of this process's surroundings, and returns what it said."""
        begun = time.monotonic()
        done = subprocess.run(
            [*self.words, *command],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            cwd=self.home,
        )
        if done.returncode:
            sys.exit(f"FAILED: {' '.join(command)}\n{done.stdout}{done.stderr}")
        said = (
            "dpmap release, the sample"
            if command[0] == "/bin/sh"
            else f"{os.path.basename(command[0])} {' '.join(command[1:3])}"
        )
        saw(said, f"{time.monotonic() - begun:.1f} s")
        return done.stdout


def main() -> None:
    """Goes into namespaces of its own, and tries both."""
    if INSIDE not in sys.argv:
        own = (
            ["unshare", "--net", "--mount"]
            if os.geteuid() == 0
            else ["unshare", "--net", "--mount", "--map-root-user"]
        )
        sys.exit(
            subprocess.run(
                [*own, sys.executable, __file__, INSIDE, str(os.geteuid()), *sys.argv[1:]]
            ).returncode
        )
    root, deb, archive = sys.argv[2] == "0", *(Path(one).resolve() for one in sys.argv[3:5])
    this_machine_alone()
    with tempfile.TemporaryDirectory(prefix="dpmap-try-") as folder:
        try_archive(archive, Path(folder) / "an empty folder, žluťoučký")
        try_deb(deb, Path(folder) / "deb", really=root)
    print("all is as it should be")


def try_archive(archive: Path, place: Path) -> None:
    """Unpacks the archive into an empty folder and uses it there."""
    print(f"{archive.name}, unpacked into an empty folder; no network, no Python, an empty home:")
    (home := place / "home").mkdir(parents=True)
    subprocess.run(["tar", "-xzf", archive, "-C", place], check=True)
    (unpacked,) = [one for one in place.iterdir() if one != home]
    saw("on the disk", size(unpacked))
    program = str(unpacked / "dpmap")
    clean = Place(["env", "-i", f"HOME={home}", "PATH=/nowhere"], home)
    use(clean, program, unpacked / "_internal")
    shutil.rmtree(unpacked)
    shutil.rmtree(home)
    saw("left after removing", ", ".join(one.name for one in place.iterdir()) or "nothing")


def try_deb(deb: Path, place: Path, *, really: bool) -> None:
    """Installs the .deb into a copy of this system that is thrown away, uses it as a user without rights, and removes it."""
    place.mkdir()
    if not really:
        print(f"{deb.name}, only unpacked, since installing needs root:")
        subprocess.run(["dpkg-deb", "-x", deb, place], check=True)
        valid(place / "usr/share/applications/dpmap-studio.desktop")
        (home := place / HOME).mkdir(parents=True)
        use(
            Place(["env", "-i", f"HOME={home}", "PATH=/nowhere"], home),
            str(place / "opt/dpmap/dpmap"),
            place / "opt/dpmap/_internal",
        )
        return
    print(
        f"{deb.name}, installed by dpkg into a copy of this system; no network, no Python, a user without rights:"
    )
    with copied_system(place) as (system, changed):
        shutil.copy(deb, system / "tmp/dpmap.deb")
        manage = Place(
            ["chroot", str(system), "env", "-i", PATH, "DEBIAN_FRONTEND=noninteractive"], Path("/")
        )
        manage.run("dpkg", "--install", "/tmp/dpmap.deb")
        listed = manage.run("dpkg", "--listfiles", "dpmap").splitlines()
        saw("files", f"{len(listed)}, {size(system / 'opt/dpmap')}")
        valid(system / "usr/share/applications/dpmap-studio.desktop")
        hidden(system)
        home = system / HOME
        home.mkdir(parents=True)
        os.chown(home, nobody := pwd.getpwnam("nobody").pw_uid, nobody)
        rights = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups"]
        inside = [
            "chroot",
            str(system),
            *rights,
            "env",
            "-i",
            "--chdir",
            f"/{HOME}",
            f"HOME=/{HOME}",
            PATH,
        ]
        use(
            Place(inside, home),
            "/usr/bin/dpmap",
            Path("/opt/dpmap/_internal"),
            icon="/opt/dpmap/dpmap-studio",
        )
        manage.run("dpkg", "--purge", "dpmap")
        left = [one for one in left_in(changed) if not CHANGED_BY_DPKG.match(one)]
        saw("left after removing", ", ".join(left) or "nothing but the user's files")
        if left:
            sys.exit("FAILED: removing leaves something behind")


def use(place: Place, program: str, inner: Path, icon: str = "") -> None:
    """Does what a newcomer does: asks for help, the demo, a release by hand, the studio, and a check of the promise."""
    for _ in range(2):
        place.run(program, "--help")
    place.run(program, "demo")
    samples = inner / "dpmap/samples"
    command = (
        f"'{program}' release '{samples}/raptors.csv' --area '{samples}/study_area.gpkg' {RELEASE}"
    )
    place.run("/bin/sh", "-c", command)
    made = sorted(one.name for one in (place.home / "raptors").iterdir())
    saw("a release holds", " ".join(made))
    if own_code() not in (place.home / "raptors/statement.md").read_text("utf-8"):
        sys.exit("FAILED: the code that made the release is not that of the wheel")
    saw("its code", "the very files of the wheel")
    place.run(program, "selftest", "--only", "fresh", "--cores", "2")
    try_studio(place, [icon] if icon else [program, "studio", "--home"])
    kept = sorted(f"{one.name}{'/' * one.is_dir()}" for one in place.home.iterdir())
    saw("in the home folder", " ".join(kept))


def try_studio(place: Place, words: list[str]) -> None:
    """Starts the studio as its icon does, opens its first pages as the browser would, and closes it by its button."""
    browser = place.home / "browser"
    browser.write_text('#!/bin/sh\necho "${LD_LIBRARY_PATH-as it was}" >"${0%/*}/seen"\n')
    browser.chmod(0o755)
    opening = f"/{HOME}/browser" if words[0].startswith("/opt") else str(browser)
    begun = time.monotonic()
    started = [*place.words, f"BROWSER={opening}", *words]
    with subprocess.Popen(
        started,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=place.home,
    ) as studio:
        try:
            lines = said_until(studio, "http://")
            shutil.copy(place.home / "raptors.ledger", place.home / "dpmap")
            (place.home / "dpmap/raptors.ledger").chmod(0o666)
            ask = visitor()
            address = re.search(r"http://\S+", lines)[0]
            home = address.split("/enter")[0]
            ask(address)
            if "Private maps of sensitive places" not in ask(f"{home}/"):
                sys.exit("FAILED: the studio's first page is not what it should be")
            saw("studio, first page", f"{time.monotonic() - begun:.1f} s")
            told = ask(f"{home}/ledgers")
            if "Raptors 2026" not in told:
                sys.exit(f"FAILED: the studio cannot run a command\n{told}")
            saw("studio, a command of its own", "answered")
            ask(f"{home}/stop", home)
            studio.wait(30)
        finally:
            studio.terminate()
    saw("studio, closed by its button", lines.splitlines()[0])
    saw("libraries of the browser", (place.home / "seen").read_text().strip())


def visitor() -> "object":
    """Returns what asks for a page as the operator's browser does."""
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
    )

    def ask(address: str, origin: str = "") -> str:
        sent = urllib.request.Request(
            address, data=b"" if origin else None, headers={"Origin": origin} if origin else {}
        )
        with opener.open(sent, timeout=60) as answer:
            return answer.read().decode()

    return ask


def said_until(started: "subprocess.Popen[str]", word: str) -> str:
    """Returns what a program says up to the line that holds this word."""
    said = ""
    for line in started.stdout:
        said += line
        if word in line:
            return said
    sys.exit(f"FAILED: the studio ended by itself\n{said}")


@contextlib.contextmanager
def copied_system(place: Path) -> Iterator[tuple[Path, Path]]:
    """Lays a thin layer over this system that takes all changes, and throws it away."""
    changed, work, system = (place / one for one in ("changed", "work", "system"))
    for one in (changed, work, system):
        one.mkdir()
    mounted = [system]
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    layers = f"lowerdir=/,upperdir={changed},workdir={work}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, system], check=True)
    try:
        for name in ("proc", "dev"):
            subprocess.run(["mount", "--rbind", f"/{name}", system / name], check=True)
            mounted.append(system / name)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", system / "tmp"], check=True)
        mounted.append(system / "tmp")
        yield system, changed
    finally:
        for one in reversed(mounted):
            subprocess.run(["umount", "--lazy", one], check=True)


def hidden(system: Path) -> None:
    """Takes every Python out of the copy."""
    for place in {Path(sys.base_prefix), Path(sys.prefix), Path("/root")} - {
        Path("/usr"),
        Path("/"),
    }:
        if (system / place.relative_to("/")).is_dir():
            subprocess.run(
                ["mount", "-t", "tmpfs", "tmpfs", system / place.relative_to("/")], check=True
            )
    for folder in ("usr/bin", "usr/local/bin"):
        for found in (system / folder).glob("python*"):
            if not found.is_symlink():
                subprocess.run(["mount", "--bind", "/dev/null", found], check=True)


def left_in(changed: Path) -> list[str]:
    """Lists what the layer of changes holds that this system does not."""
    found = (one for one in changed.rglob("*") if one.is_symlink() or one.is_file())
    return sorted(one.relative_to(changed).as_posix() for one in found)


def this_machine_alone() -> None:
    """Wakes the one address that a machine without a network has: its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        fcntl.ioctl(
            asked, 0x8914, struct.pack("16sH14s", b"lo", 0x1 | 0x40, b"")
        )  # SIOCSIFFLAGS: up, running


def valid(entry: Path) -> None:
    """Has the system check the desktop entry, where it can."""
    if shutil.which("desktop-file-validate") is None:
        saw("the icon's entry", "not checked: desktop-file-validate is not here")
        return
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True)
    if done.returncode or done.stdout:
        sys.exit(f"FAILED: the desktop entry\n{done.stdout}{done.stderr}")
    saw("the icon's entry", "valid")


def size(folder: Path) -> str:
    """Returns how much a folder takes on the disk."""
    return f"{sum(one.lstat().st_size for one in folder.rglob('*')) / 1e6:.0f} MB"


def saw(what: str, how: str) -> None:
    """Prints one thing that was seen."""
    print(f"  {what:32} {how}", flush=True)


if __name__ == "__main__":
    main()
