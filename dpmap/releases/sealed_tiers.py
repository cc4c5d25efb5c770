"""Keeps the tiers of one draw in a sealed file beside the survey, for its owner, until they are
opened.

They are drawn and paid for. The file is not encrypted: who may read it holds the finest tier in it,
and has its epsilon.
"""

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpmap.atomic_write import written_aside
from dpmap.errors import BadInput, MissingFile
from dpmap.numbers import decimal_text
from dpmap.private_folder import HIDDEN, private_folder
from dpmap.promise.tiers import is_name
from dpmap.record import About
from dpmap.record.release_file import LARGEST_ARRAY, LARGEST_DOCUMENT, unpack
from dpmap.releases.release import Release

PathLike = str | os.PathLike[str]
FORMAT = "dpmap sealed tiers"
VERSION = 1
DOCUMENT = "dpmap.json"


@contextmanager
def write_sealed(tiers: Mapping[str, Release], path: PathLike) -> Iterator[None]:
    """Write the tiers to a new file that its owner alone may read; it is put in its place when
    the block ends well.
    """
    with written_aside(path) as aside, private_folder(aside.parent, prefix=HIDDEN) as folder:
        epsilons = {name: decimal_text(one.policy.epsilon) for name, one in tiers.items()}
        head = {"format": FORMAT, "format_version": VERSION, "tiers": epsilons}
        with (
            open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
            zipfile.ZipFile(file, "w") as archive,
        ):
            archive.writestr(DOCUMENT, json.dumps(head, indent=1, ensure_ascii=False))
            for number, one in enumerate(tiers.values()):
                one.save(saved := Path(folder) / _entry(number))
                archive.write(saved, saved.name)
        yield


def unseal(sealed: PathLike, tier: str, to: PathLike) -> Release:
    """Return a tier that a sealed file holds, and saves it as it was made: nothing is drawn, and
    nothing is spent.

    - `sealed`: the file that `seal=` or `--seal` wrote.
    - `tier`: the name of the tier to open.
    - `to`: a new file, like partners.dpmap.

    >>> import dpmap as dm
    >>> policy = dm.Policy(epsilon=3, unit="observer_id", cap=5)
    >>> paid = dict(ledger="sealed.ledger", dataset="Raptors 2026", budget=3)
    >>> kept = dict(tiers={"public": "0.3", "manager": 3}, seal="raptors.sealed")
    >>> grid = dm.Grid.covering("study_area.gpkg", cell="20 km")
    >>> dm.release(dm.read("raptors.csv"), grid, policy, **paid, **kept).sealed
    ['manager']
    >>> dm.unseal("raptors.sealed", "manager", to="manager.dpmap").policy.epsilon
    Fraction(3, 1)
    """
    target = Path(to)
    name = Path(sealed).name
    if target.exists() or target.is_symlink():
        raise BadInput(f"--out (to=): {target.name} is there already; name a new one")
    content = _content(sealed, tier)
    with written_aside(target) as aside:
        aside.write_bytes(content)
        try:
            Release.open(aside)
        except BadInput:
            raise BadInput(_DAMAGED.format(name)) from None
    return Release.open(target)


_DAMAGED = "{} is not a file of sealed tiers, or is damaged; give what --seal wrote"


class _Newer(BadInput):
    """Says that a file is of a later dpmap."""


def _content(sealed: PathLike, tier: str) -> bytes:
    """Return the release file of one tier."""
    name = Path(sealed).name
    if Path(sealed).exists() and not Path(sealed).is_file():  # a pipe would never end
        raise BadInput(_DAMAGED.format(name))
    try:
        with zipfile.ZipFile(sealed) as archive:
            head = json.loads(unpack(archive, DOCUMENT, LARGEST_DOCUMENT))
            names = _names(head)
            if tier in names:
                _check_one_draw(archive, head["tiers"])
                return unpack(archive, _entry(names.index(tier)), LARGEST_ARRAY)
    except FileNotFoundError:
        raise MissingFile(f"there is no file {name}; give what --seal wrote") from None
    except PermissionError:
        raise BadInput(f"no right to read {name}; it is its owner's alone") from None
    except _Newer:
        raise
    except Exception:  # noqa: BLE001  # whatever a damaged file makes a parser raise
        raise BadInput(_DAMAGED.format(name)) from None
    raise BadInput(f"tier: {name} holds {', '.join(names)}; name one of these")


def _entry(number: int) -> str:
    """Name the release file of a tier in the archive."""
    return f"tier_{number}.dpmap"


def _check_one_draw(archive: zipfile.ZipFile, losses: Mapping[str, str]) -> None:
    """Refuse entries that are not the tiers of one draw whose names and epsilons the sealed
    file itself declares.
    """
    draws = set()
    for number, name in enumerate(losses):
        if (
            archive.getinfo(_entry(number)).compress_type != zipfile.ZIP_STORED
        ):  # so that reading on in it is cheap
            raise ValueError("an entry is packed")
        with archive.open(_entry(number)) as stream, zipfile.ZipFile(stream) as inner:
            document = json.loads(unpack(inner, DOCUMENT, LARGEST_DOCUMENT))
        tier = About.from_mapping(document["notes"]).tier
        if tier is None or tier.name != name or list(tier.epsilons.items()) != list(losses.items()):
            raise ValueError("an entry is another tier than declared")
        draws.add(document["receipt"]["release_id"])
    if len(draws) != 1:
        raise ValueError("the entries are of several draws")


def _names(head: Any) -> list[str]:
    """Return the names of the tiers, after checking that this version knows the format."""
    if head["format"] != FORMAT:
        raise ValueError("of another format")
    if int(head["format_version"]) > VERSION:
        raise _Newer(
            "sealed: it was written by a newer dpmap; update yours the way you installed it"
        )
    if not all(map(is_name, head["tiers"])):
        raise ValueError("a tier has a name that none has")
    return list(head["tiers"])
