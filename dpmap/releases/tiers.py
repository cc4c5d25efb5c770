"""Holds the maps of one draw that was made for several readers, each with an epsilon of her own,
and saves them all at once.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np

from dpmap import style
from dpmap.atomic_write import (
    as_any_new,
    check_writable,
    held_back,
    new_folder,
    refuse_address,
    try_place,
    written_aside,
)
from dpmap.errors import BadInput, DpmapError, NoTier, SystemFailed
from dpmap.inference import distinguishable
from dpmap.inference.patches.region_growing import NEARLY_EMPTY
from dpmap.maps import read_map
from dpmap.numbers import decimal_text
from dpmap.record import About, Record
from dpmap.releases.fallback import failed_line, free_path, save_beside_ledger
from dpmap.releases.release import Release
from dpmap.releases.sealed_tiers import write_sealed
from dpmap.statement.kinds import map_statement

PathLike = str | os.PathLike[str]
SAVED = "release.dpmap"
KEPT = "tiers.sealed"
"""The sealed file of tiers whose own places failed."""


class Tiers(Mapping[str, Release]):
    """A release for each reader by the name of her tier, the noisiest first, made by
    `dm.release(..., tiers=)`.

    It is a mapping: `tiers["public"].plot()`, `list(tiers)`. The noisier ones are copies of the
    finest with more noise, so whoever holds several has learnt what the finest of them tells. They
    are never merged or compared as if each were drawn by itself.

    >>> import dpmap as dm
    >>> policy = dm.Policy(epsilon=3, unit="observer_id", cap=5)
    >>> grid = dm.Grid.covering("study_area.gpkg", cell="20 km")
    >>> paid = dict(ledger="tiers.ledger", dataset="Raptors 2026", budget=3)
    >>> tiers = dm.release(
    ...     dm.read("raptors.csv"), grid, policy, **paid, tiers={"public": "0.3", "manager": 3}
    ... )
    >>> list(tiers), tiers["public"].policy.epsilon
    (['public', 'manager'], Fraction(3, 10))
    """

    def __init__(self, releases: Mapping[str, Release]) -> None:
        self._releases = dict(releases)

    def __getitem__(self, name: str) -> Release:
        if name not in self._releases:
            raise NoTier(self._lacks(str(name)[:40]))
        return self._releases[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._releases)

    def __len__(self) -> int:
        return len(self._releases)

    @property
    def noisiest(self) -> "Tiers":
        """The noisiest tier alone."""
        return Tiers(dict(list(self._releases.items())[:1]))

    def __repr__(self) -> str:
        tiers = [
            f"{name} (epsilon {loss})"
            for name, loss in self._epsilons.items()
            if name in self._releases
        ]
        sealed = f"; sealed: {', '.join(self.sealed)}" if self.sealed else ""
        return f"<Tiers of one draw: {', '.join(tiers)}{sealed}>"

    def _repr_html_(self) -> str:
        """Show in a notebook whose maps these are, with their epsilons, and which are sealed."""
        rows = "".join(
            (
                f"<tr><td>{escape(name)}</td><td>{escape(loss)}</td>"
                f"<td>{'sealed' if name in self.sealed else 'here'}</td></tr>"
            )
            for name, loss in self._epsilons.items()
        )
        return f"<table><tr><th>tier</th><th>epsilon</th><th></th></tr>{rows}</table>"

    @property
    def sealed(self) -> list[str]:
        """The names of those tiers of the draw that are not here, but in the sealed file."""
        return [name for name in self._epsilons if name not in self._releases]

    @property
    def _epsilons(self) -> Mapping[str, str]:
        """The epsilon of each tier of the draw."""
        tier = next((_release.record.about.tier for _release in self._releases.values()), None)
        return tier.epsilons if tier else {}

    def _lacks(self, name: str) -> str:
        """Say what there is instead of a tier of this name."""
        if name in self.sealed:
            return f"tiers: {name!r} is sealed; open it with dm.unseal(FILE, {name!r}, to=...)"
        return f"tiers: {name!r} is none of them; there is {', '.join(self)}"

    def save_paid(
        self,
        folder: PathLike | None,
        *,
        seal: PathLike | None = None,
        ledger: PathLike | None = None,
    ) -> str:
        """Save what was paid for; return a line to end with where it stands elsewhere than asked,
        else nothing.

        What came to be in its place while it was drawn is left alone, and all tiers are kept under
        a free name beside it. Where that place fails they are kept beside the `ledger`.
        """
        try:
            try:
                check_new(folder, list(self), seal=seal)
            except BadInput as taken:
                saved = self._saved_beside(folder, seal)
                return f"{taken.terminal_line}; {self._spent()}, and {saved}"
            self.save(folder, seal=seal)
        # whatever failed, what is paid for is not lost for it
        except Exception as failed:  # noqa: BLE001
            line = failed_line(failed)
            if (
                seal is not None and Path(seal).exists()
            ):  # the sealed file is the first in its place
                return f"{line}; {self._spent()}, and {_sealed_words(Path(seal))}"
            words = (
                None if ledger is None else self._saved_by_ledger(ledger, sealed=seal is not None)
            )
            if words is not None:
                return f"{line}; {self._spent()}, and {words}"
            kind = type(failed) if isinstance(failed, DpmapError) else SystemFailed
            raise kind(f"{line}; {self._spent()}, and nothing came of it") from None
        return ""

    def _saved_by_ledger(self, ledger: PathLike, *, sealed: bool) -> str | None:
        """Keep all tiers in a folder beside the ledger, sealed if they were to be, and says
        where; None where that fails.
        """
        record = next(iter(self.values())).record
        if not sealed:
            folder = save_beside_ledger(record, ledger, self.save)
            return None if folder is None else _resumed(folder)
        folder = save_beside_ledger(
            record, ledger, lambda place: self.save(None, seal=place / KEPT)
        )
        return None if folder is None else _sealed_words(folder / KEPT)

    def _saved_beside(self, folder: PathLike | None, seal: PathLike | None) -> str:
        """Keep all tiers in a sealed file or a folder that is free, and say where."""
        if seal is not None:
            self.save(None, seal=(free_folder := free_path(Path(seal))))
            return _sealed_words(free_folder)
        with new_folder(free_folder := free_path(Path(folder or "").resolve())):
            self.save(free_folder)
        return _resumed(free_folder)

    def _spent(self) -> str:
        record = next(iter(self.values())).record
        tier = record.about.tier
        spent = decimal_text(record.policy.epsilon) if tier is None else tier.dearest
        return f"epsilon {spent} of {record.receipt.dataset!r} is spent"

    def save(self, folder: PathLike | None, *, seal: PathLike | None = None) -> None:
        """Write each tier's release file to a folder of its name in `folder`, all of them or none,
        whatever interrupts it.

        With `seal`, a new file, all are kept in that, and only the noisiest has a folder.
        `dm.release(..., to=)` does this by itself.
        """
        check_new(folder, list(self), seal=seal)
        saved = {} if folder is None else self if seal is None else self.noisiest
        asides: list[Path] = []
        with (
            ExitStack() as stack
        ):  # it ends with what it began last: the sealed file is in its place before any other
            for name, one in saved.items():
                place = stack.enter_context(new_folder(Path(folder or "") / name))
                one.save(aside := stack.enter_context(written_aside(place / SAVED)))
                with suppress(OSError):  # a disk that knows no rights
                    aside.chmod(0o600)  # what a killed process leaves is nobody else's
                asides.append(aside)
            if seal is not None:
                stack.enter_context(write_sealed(self, seal))
            with held_back():
                for aside in asides:
                    as_any_new(aside)
                stack.close()


def _sealed_words(sealed: Path) -> str:
    """Say what a sealed file that stands is good for."""
    return (
        f"all tiers are whole in {sealed.name}; type  dpmap unseal {sealed} --tier NAME --out DIR "
        " for each, at no cost"
    )


def _resumed(folder: Path) -> str:
    """Say what a folder of all tiers is good for."""
    return (
        f"all tiers are whole in {folder}; type  dpmap release --resume {folder}  for the rest, at"
        " no"
        " cost"
    )


def try_tiers(
    folder: PathLike | None, names: Sequence[str], *, seal: PathLike | None, room: int
) -> None:
    """Try the places of tiers before they are paid for: each tier's own folder is made, and
    taken away again.
    """
    for name in names if folder is not None else ():
        with _taken_away(place := Path(folder or "") / name):
            check_writable(place)
            try_place(place / SAVED, room=room)
    if seal is not None:
        try_place(seal, room=room, flag="--seal (seal=)")


@contextmanager
def _taken_away(place: Path) -> Iterator[None]:
    """Remove a folder at the end of the block that was not there at its beginning, if nothing
    is in it.
    """
    is_new = not os.path.lexists(place)
    try:
        yield
    finally:
        if is_new:
            with suppress(OSError):
                place.rmdir()


def check_new(
    folder: PathLike | None,
    names: Sequence[str],
    *,
    seal: PathLike | None,
    ledger: PathLike | None = None,
) -> None:
    """Refuse places where the tiers could not be saved once they are paid for, would replace
    others, or would be passed on.
    """
    for place, flag in ((folder, "--out (to=)"), (seal, "--seal (seal=)")):
        if place is not None:
            refuse_address(place, flag)
    for name in names if folder is not None and ledger is not None else ():
        check_no_ledger(Path(folder or "") / name / SAVED, ledger, flag="--out (to=)")
    if folder is not None and os.path.isdir(folder):
        _check_alone(Path(folder), names)
    for name in names if folder is not None else ():
        place = Path(folder or "") / name
        if (
            (place / SAVED).exists()
            or (place.exists() and not place.is_dir())
            or place.is_symlink()
        ):
            raise BadInput(f"--out (to=): {name} is there already; choose a new folder")
    if folder is not None and not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        raise BadInput(
            "--out (to=): with tiers this is a folder that is there; make it first, or name another"
        )
    if seal is not None:
        _check_seal(Path(seal))
        check_no_ledger(seal, ledger, flag="--seal (seal=)")
    if (
        seal is not None
        and folder is not None
        and Path(folder).resolve() in Path(seal).resolve().parents
    ):
        raise BadInput(
            f"--seal (seal=): {Path(seal).name} would lie in the folder that is handed out; keep it"
            " with the survey, outside --out (to=)"
        )


def check_no_ledger(path: PathLike, ledger: PathLike | None, *, flag: str) -> None:
    """Refuse to write to the ledger, also to one that is not there yet, or to the journal that
    SQLite keeps beside it.
    """
    if ledger is None:
        return
    book, place = (os.path.normcase(os.path.realpath(one)) for one in (ledger, path))
    if place in (book, *(f"{book}-{ending}" for ending in ("journal", "wal", "shm"))):
        raise BadInput(f"{flag}: {Path(path).name} is the ledger's own file; name another")


def _check_alone(folder: Path, names: Sequence[str]) -> None:
    """Refuse a folder that holds the tiers of another draw: two draws' maps side by side would
    pass for one's.
    """
    others = (place.parent.name for place in folder.glob(f"*/{SAVED}"))
    if (other := next((name for name in others if name not in names), None)) is not None:
        raise BadInput(
            f"--out (to=): {other} in this folder is of an earlier draw; name a new folder, as each"
            " draw has its own"
        )


def _check_seal(seal: Path) -> None:
    """Refuse a sealed file that is there already, or whose folder is not."""
    if seal.exists() or seal.is_symlink():
        raise BadInput(
            f"--seal (seal=): {seal.name} is there already; name a new file, like raptors.sealed"
        )
    if not seal.parent.is_dir() or not os.access(seal.parent, os.W_OK):
        raise BadInput(
            f"--seal (seal=): {seal.name} cannot be written there; make its folder first, or name"
            " another"
        )


def share_classes(records: Mapping[str, Record]) -> dict[str, Record]:
    """Return the tiers' records with the edges of their classes: one legend for all, from the
    noisiest one alone.
    """
    shared = edges(next(iter(records.values())))
    return {
        name: replace(one, about=About.from_mapping({**one.about.to_dict(), "edges": shared}))
        for name, one in records.items()
    }


def edges(record: Record) -> list[float]:
    """Return edges of densities from nearly empty land to the densest land that this map tells; of
    means, over their declared range.

    Where it tells nothing, they reach to what a measured region must hold to be told.
    """
    layers = [record.layer(names) for names in record.grid.maps if names] or [record]
    if (mean := read_map(layers[0]).mean) is not None:
        return map_statement(layers[0]).breaks(np.array([float(mean.low), float(mean.high)]))
    releases = [Release(layer) for layer in layers]
    areas = [layer.grid.square_km[layer.grid.inside] for layer in layers]
    values = [release.estimate[release.grid.inside] for release in releases]
    sure = [distinguishable(release.reading)[release.grid.inside] for release in releases]
    densities = np.concatenate(
        [
            value[is_sure] / area[is_sure]
            for value, is_sure, area in zip(values, sure, areas, strict=True)
        ]
    )
    ground = float(sum(area.sum() for area in areas))
    regions = record.measurements[-1].partition.regions
    noise = float(record.measurements[-1].scale) * regions / ground
    mean_density = sum(float(np.maximum(value, 0).sum()) for value in values) / ground
    return style.growing_breaks(
        NEARLY_EMPTY * (mean_density or noise), float(densities.max(initial=0.0)) or noise
    )
