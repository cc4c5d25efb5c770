"""Plain public values: what was measured, under which promise, and the file that keeps it.

A `Record` is everything a release consists of; estimates, intervals and maps derive from it and can be derived
again, better, years later. `release.dpmap` is a zip of one JSON document and plain numpy arrays: no pickle, sizes
checked before anything is unpacked, safe to open from a stranger. `docs/file-format.md` describes it.
"""

import io
import json
import math
import os
import zipfile
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.errors import BadInput, DpmapError
from dpmap.files import written_aside
from dpmap.grid import Grid, Partition, Shown
from dpmap.grid.areas import Areas
from dpmap.grid.axes import Values, axis_in, axis_out
from dpmap.grid.hexagons import Hexagons
from dpmap.grid.squares import Squares
from dpmap.grid.together import window
from dpmap.laws import LAWS, Law
from dpmap.numbers import decimal_text, exact
from dpmap.policy import Policy

FIRST_FORMAT = 1
FORMAT = 3
"""Sparse files, and those with layers, a sample, sites, personal limits or partners, are of the second version, those with
a delta of the third: a dpmap that knows none of them says so."""
LARGEST_ARRAY = 2 << 30
LARGEST_DOCUMENT = 8 << 20

KINDS = (("dpmap.vault.session", "FreshMeasurement"), ("dpmap.record", "Reports"))
"""The kinds of measurement there are beside the plain one."""


class Measurement:
    """Noisy totals of the regions of one partition, and the exact law of their noise.

    `steps` are the totals as drawn, signed, in fixed-point lattice steps of 1/`lattice` points; `values` are the same
    in points. The noise of each is independent, of a law of exactly `scale` points: a discrete Laplace, or a discrete
    Gaussian where `kind` says so. Anyone may build one (to read a file, to simulate); only the vault mints a *fresh* one.

    >>> from dpmap.grid import Partition
    >>> m = Measurement(Partition(np.array([0, 1])), np.array([-4, 12]), lattice=4, scale=Fraction(2), epsilon=Fraction(1))
    >>> m.values, m.fresh
    (array([-1.,  3.]), False)
    """

    __slots__ = ("__weakref__", "epsilon", "kind", "lattice", "partition", "scale", "steps")

    fresh = False

    def __init__(
        self,
        partition: Partition,
        steps: NDArray[np.int64],
        *,
        lattice: int,
        scale: Fraction,
        epsilon: Fraction,
        kind: str = "laplace",
    ) -> None:
        if steps.shape != (partition.regions,):
            raise BadInput("measurement: one value for each region")
        steps = np.array(steps, dtype=np.int64)
        steps.flags.writeable = False
        noise = {"lattice": lattice, "scale": scale, "epsilon": epsilon, "kind": kind}
        values = {"partition": partition, "steps": steps, **noise}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    partition: Partition
    steps: NDArray[np.int64]
    lattice: int
    scale: Fraction
    epsilon: Fraction
    kind: str

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a measurement cannot be changed")

    def __init_subclass__(cls) -> None:
        homes = [(kind.__module__, kind.__name__) for kind in Measurement.__subclasses__()]
        mine = (cls.__module__, cls.__name__)
        if mine not in KINDS or cls.__base__ is not Measurement or homes.count(mine) > 1:
            raise TypeError("only the vault may say where a measurement comes from")

    def __reduce__(self) -> Any:
        """A copy or a pickle is a received measurement, whatever it was made from."""
        return _received, (self.partition, self.steps, self._noise)

    @property
    def _noise(self) -> dict[str, Any]:
        """What is said of the noise."""
        return {"lattice": self.lattice, "scale": self.scale, "epsilon": self.epsilon, "kind": self.kind}

    @property
    def values(self) -> NDArray[np.float64]:
        """Noisy totals in points, signed, as drawn."""
        return self.steps / self.lattice

    @property
    def scale_steps(self) -> Fraction:
        """The noise scale in lattice steps."""
        return self.scale * self.lattice

    @property
    def law(self) -> Law:
        """The law of the noise, in lattice steps."""
        return LAWS[self.kind](self.scale_steps)

    def within(self, place: tuple[int, ...]) -> "Measurement | None":
        """The regions that lie in one layer of a layered grid, as they were drawn; None where one reaches beyond it.

        >>> from dpmap.grid import Partition
        >>> both = Partition(np.array([[0, 0], [2, 1]]))
        >>> m = Measurement(both, np.array([8, 12, -4]), lattice=4, scale=Fraction(2), epsilon=Fraction(1))
        >>> m.within((1,)).partition.labels.tolist(), m.within((1,)).values.tolist()
        ([1, 0], [3.0, -1.0])
        """
        labels = self.partition.labels[place]
        used, sizes = np.unique(labels[labels >= 0], return_counts=True)
        everywhere = np.bincount(self.partition.labels[self.partition.labels >= 0], minlength=self.partition.regions)
        if not np.array_equal(everywhere[used], sizes):
            return None
        number = np.full(self.partition.regions + 1, -1, dtype=np.int64)
        number[used] = np.arange(len(used))
        inside = Partition(number[labels], len(used))
        return Measurement(inside, self.steps[used], **self._noise)

    def __repr__(self) -> str:
        origin = "fresh" if self.fresh else "received"
        return f"<Measurement: {self.partition.regions:,} regions, scale {decimal_text(self.scale)}, {origin}>"


def _received(partition: Partition, steps: NDArray[np.int64], named: dict[str, Any]) -> Measurement:
    return Measurement(partition, steps, **named)


MOST_REPORTS = 10**8


class Reports(Measurement):
    """What came back from devices that randomised each answer themselves: how many reports support each cell.

    `steps` are those counts; of `count` reports in all, each supports its true answer with chance `truth` (p) and any other
    with chance `other` (q); `elsewhere` counts the reports that support no cell of the map. `values` are unbiased estimates,
    (steps - count q) / (p - q). Their noise is that of the coins on the devices, binomial, so there is no scale.

    >>> from dpmap.grid import Partition
    >>> cells = Partition(np.array([0, 1]))
    >>> half = dict(mechanism="oue", truth=Fraction(1, 2), other=Fraction(1, 4), epsilon=Fraction(11, 10))
    >>> Reports(cells, np.array([40, 25]), count=100, elsewhere=30, **half).values
    array([60.,  0.])
    """

    __slots__ = ("count", "elsewhere", "mechanism", "other", "truth")

    def __init__(
        self, partition: Partition, steps: NDArray[np.int64], *, count: int, elsewhere: int, mechanism: str,
        truth: Fraction, other: Fraction, epsilon: Fraction,
    ) -> None:  # fmt: skip
        steps = np.array(steps, dtype=np.int64)
        steps.flags.writeable = False
        values = {
            "partition": partition, "steps": steps, "lattice": 1, "epsilon": epsilon, "kind": "reports", "count": count,
            "elsewhere": elsewhere, "mechanism": mechanism, "truth": truth, "other": other,
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    count: int
    elsewhere: int
    mechanism: str
    truth: Fraction
    other: Fraction

    def _check(self) -> None:
        """Counts that can be, and chances that keep epsilon."""
        p, q = self.truth, self.other
        if self.steps.shape != (self.partition.regions,) or self.mechanism not in ("grr", "oue") or not 0 < q < p < 1:
            raise BadInput("reports: one count for each cell, and chances of a mechanism that dpmap has")
        odds = p / q if self.mechanism == "grr" else p * (1 - q) / (q * (1 - p))
        if math.log(odds) > float(self.epsilon) * (1 + 1e-9):
            raise BadInput("reports: their chances do not keep the epsilon they name")
        supported = [*self.steps.tolist(), self.elsewhere]
        if not 0 < self.count <= MOST_REPORTS or not all(0 <= s <= self.count for s in supported):
            raise BadInput("reports: no answer is supported by more reports than there are")
        if self.mechanism == "grr" and sum(supported) != self.count:
            raise BadInput("reports: each names one answer")

    def __reduce__(self) -> Any:
        named = {name: getattr(self, name) for name in (*Reports.__slots__, "epsilon")}
        return _received_reports, (self.partition, self.steps, named)

    @property
    def values(self) -> NDArray[np.float64]:
        """Unbiased estimates in points, signed."""
        return np.asarray((self.steps - self.count * float(self.other)) * float(1 / (self.truth - self.other)))

    @property
    def scale(self) -> Fraction:  # type: ignore[override]  # there is none
        """Refused: what is built on a curator's noise cannot be made of reports."""
        raise BadInput(LOCAL)

    @property
    def law(self) -> Law:
        """Refused, like `scale`."""
        raise BadInput(LOCAL)

    def __repr__(self) -> str:
        return f"<Reports: {self.count:,} on {self.partition.regions:,} cells, {self.mechanism}>"


LOCAL = "this release is made of reports that devices randomised, which has no proof yet; use the map, its table or ask"


def _received_reports(partition: Partition, steps: NDArray[np.int64], named: dict[str, Any]) -> Reports:
    return Reports(partition, steps, **named)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the ledger attests: the data set, this release's place in the hash chain, and the budget around it."""

    dataset: str
    release_id: str
    head: str
    event: int
    budget: Fraction
    spent: Fraction
    budget_delta: Fraction = Fraction(0)
    spent_delta: Fraction = Fraction(0)

    @property
    def remaining(self) -> Fraction:
        """What later releases may still spend."""
        return self.budget - self.spent


@dataclass(frozen=True, slots=True)
class Record:
    """One release as public values: the grid, the promise, the noisy measurements, the ledger's receipt.

    A merged one has no measurements of its own but its `partners`' records, and the promise that follows from theirs.
    """

    grid: Grid
    policy: Policy
    strategy: str
    measurements: tuple[Measurement, ...]
    receipt: Receipt
    released_on: str
    versions: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    mean: Values | None = None
    partners: tuple["Record", ...] = ()

    @property
    def face(self) -> "Record":
        """What is drawn and exported of a map of means: one ground, its two layers as measurements of it, and what the
        mean is of. Any other record is its own.
        """
        if self.grid.mean is None:
            return self
        parts = (measurement.within((part,)) for measurement in self.measurements for part in (0, 1))
        kept = tuple(part for part in parts if part is not None)
        return replace(self, grid=self.grid.ground, measurements=kept, mean=self.grid.mean)

    @property
    def fresh(self) -> bool:
        """Whether this process's vault made it; a record opened from a file is *received*."""
        return bool(self.measurements) and all(measurement.fresh for measurement in self.measurements)

    @property
    def reports(self) -> Reports | None:
        """What devices reported, where the map is made of that; None where a curator held the survey."""
        last = self.measurements[-1] if self.measurements else None
        return last if isinstance(last, Reports) else None

    @property
    def sparse(self) -> bool:
        """Whether only the cells above a public threshold are listed."""
        return bool(self.measurements) and isinstance(self.measurements[-1].partition, Shown)

    @property
    def title(self) -> str:
        """The data set, and of a single layer its names."""
        names = self.notes.get("layer")
        return self.receipt.dataset + (f": {', '.join(map(str, names))}" if isinstance(names, list) else "")

    def layer(self, names: tuple[str, ...]) -> "Record":
        """One layer as a record of its own: its cells, and what was measured within it alone."""
        place = self.grid.maps[names]
        within = (measurement.within(place) for measurement in self.measurements)
        kept = tuple(measurement for measurement in within if measurement is not None)
        partners = tuple(partner.layer(names) for partner in self.partners)
        notes = {**self.notes, "layer": list(names)}
        return replace(self, grid=self.grid.single, measurements=kept, notes=notes, partners=partners)

    @property
    def _format(self) -> int:
        """The oldest version that holds what is in here."""
        if self.policy.delta is not None:
            return FORMAT
        second = self.grid.axes or self.policy.beyond_first or self.reports or self.sparse or self.partners
        return FORMAT - 1 if second else FIRST_FORMAT

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the file aside, then renames it into place."""
        with written_aside(path) as aside, aside.open("wb") as file:
            self.write_to(file)

    def write_to(self, file: IO[bytes]) -> None:
        """The archive; of a merged record, its partners' files are entries of it."""
        arrays: dict[str, NDArray[Any]] = {}
        document = {
            "format": "dpmap release",
            "format_version": self._format,
            "grid": grid_out(self.grid, arrays),
            "policy": self.policy.to_dict(),
            "strategy": self.strategy,
            "measurements": [
                _measurement_out(measurement, self.grid, index, arrays)
                for index, measurement in enumerate(self.measurements)
            ],
            "receipt": _receipt_out(self.receipt),
            "released_on": self.released_on,
            "versions": self.versions,
            "notes": self.notes,
            **({"partners": len(self.partners)} if self.partners else {}),
        }
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            _add(archive, "dpmap.json", json.dumps(document, indent=1, ensure_ascii=False).encode())
            add_arrays(archive, arrays)
            for number, partner in enumerate(self.partners):
                inner = io.BytesIO()
                partner.write_to(inner)
                _add(archive, f"partner_{number}.dpmap", inner.getbuffer())

    @classmethod
    def open(cls, path: "str | os.PathLike[str]") -> "Record":
        """Reads a release file, checking everything in it."""
        name = "".join(
            mark if mark.isprintable() else " " for mark in os.path.basename(os.fspath(path)) or os.fspath(path)
        )
        if os.path.isdir(path):
            raise BadInput(f"{name} is a folder; give the release file in it, like {name}/release.dpmap")
        try:
            with zipfile.ZipFile(path) as archive:
                document = json.loads(_unpack(archive, "dpmap.json", LARGEST_DOCUMENT))
                return _record_in(document, archive)
        except FileNotFoundError:
            raise BadInput(f"there is no file {name}; give a release.dpmap") from None
        except PermissionError:
            raise BadInput(f"no right to read {name}; check its permissions") from None
        except DpmapError as error:
            raise BadInput(f"{name} is not a release dpmap can open: {error}") from None
        except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
            raise BadInput(f"{name} is not a dpmap release, or is damaged; give a release.dpmap") from None


def add_arrays(archive: zipfile.ZipFile, arrays: dict[str, NDArray[Any]]) -> None:
    """Each array as an entry of its own."""
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
        _add(archive, f"{name}.npy", buffer.getbuffer())


def _add(archive: zipfile.ZipFile, name: str, content: "bytes | memoryview") -> None:
    """An entry with a fixed date, so that equal records make equal files."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def _unpack(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """One entry, never more than `limit` bytes whatever its header claims."""
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadInput("an entry is packed in a way that cannot be bounded")
    with archive.open(name) as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise BadInput("an entry is larger than it may be")
    return content


def _array_in(archive: zipfile.ZipFile, name: str, dtype: str, count: int) -> NDArray[Any]:
    """A one-dimensional array of exactly this type and length; both are checked before its data is unpacked."""
    size = np.dtype(dtype).itemsize * count
    if not 0 <= size <= LARGEST_ARRAY:
        raise BadInput("an array is larger than it may be")
    buffer = io.BytesIO(_unpack(archive, f"{name}.npy", size + 4096))
    if np.lib.format.read_magic(buffer) != (1, 0):
        raise BadInput("an array has an unknown version")
    shape, _, found = np.lib.format.read_array_header_1_0(buffer)
    if shape != (count,) or found != np.dtype(dtype) or found.hasobject:
        raise BadInput("an array has another shape or type than declared")
    return np.frombuffer(buffer.read(size), dtype=found, count=count)


def grid_out(grid: Grid, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """A grid as plain values, its arrays added to `arrays`."""
    plain: dict[str, Any] = {"kind": grid.kind, "crs": grid.crs, "shape": list(grid.cells.shape)}
    if grid.axes:
        plain["axes"] = [axis_out(axis) for axis in grid.axes]
    if grid.mask is not None:
        arrays["mask"] = np.packbits(grid.mask.ravel())
        plain["masked"] = True
    if isinstance(grid.cells, Squares):
        plain["bounds"] = list(grid.cells.bounds)
    elif isinstance(grid.cells, Hexagons):
        plain["resolution"] = grid.cells.resolution
        arrays["hexagons"] = grid.cells.ids
    else:
        import shapely

        outlines = [bytes(wkb) for wkb in shapely.to_wkb(grid.cells.shapes, output_dimension=2)]
        plain["names"], plain["lengths"] = list(grid.cells.names), [len(wkb) for wkb in outlines]
        arrays["areas"] = np.frombuffer(b"".join(outlines), dtype=np.uint8)
    return plain


def grid_in(plain: dict[str, Any], archive: zipfile.ZipFile) -> Grid:
    """The grid back from its plain values and the archive that holds its arrays."""
    shape = tuple(int(side) for side in plain["shape"])
    size = math.prod(shape)
    if not 1 <= len(shape) <= 2 or min(shape) < 1 or size > 1 << 31:
        raise BadInput("its grid has an impossible shape")
    mask = None
    if plain.get("masked"):
        mask = np.unpackbits(_array_in(archive, "mask", "u1", -(-size // 8)), count=size).astype(bool).reshape(shape)
    cells: Squares | Hexagons | Areas
    if plain["kind"] == "squares":
        west, south, east, north = (float(side) for side in plain["bounds"])
        cells = Squares((west, south, east, north), (shape[0], shape[1]))
    elif plain["kind"] == "hexagons":
        cells = Hexagons(_array_in(archive, "hexagons", "<u8", size), int(plain["resolution"]))
    elif plain["kind"] == "areas":
        cells = Areas(_shapes_in(plain, archive), tuple(str(text) for text in plain["names"]))
    else:
        raise BadInput("its grid is of a kind this version does not know")
    if cells.shape != shape:
        raise BadInput("its grid contradicts itself")
    axes = tuple(axis_in(axis) for axis in plain.get("axes", ()))
    return Grid(cells=cells, crs=str(plain["crs"]), mask=mask, axes=axes)


def _shapes_in(plain: dict[str, Any], archive: zipfile.ZipFile) -> NDArray[Any]:
    import shapely

    lengths = [int(length) for length in plain["lengths"]]
    joined = _array_in(archive, "areas", "u1", sum(lengths)).tobytes()
    outlines = [joined[start:end] for start, end in pairwise(np.cumsum([0, *lengths]))]
    shapes: NDArray[Any] = shapely.from_wkb(np.array(outlines, dtype=object))
    return shapes


def _measurement_out(
    measurement: Measurement, grid: Grid, index: int, arrays: dict[str, NDArray[Any]]
) -> dict[str, Any]:
    arrays[f"measurement_{index}"] = measurement.steps
    if isinstance(measurement, Reports):
        return {
            "partition": "cells", "regions": measurement.partition.regions, "reports": measurement.count,
            "elsewhere": measurement.elsewhere, "mechanism": measurement.mechanism, "truth": decimal_text(measurement.truth),
            "other": decimal_text(measurement.other), "epsilon": decimal_text(measurement.epsilon),
        }  # fmt: skip
    told = {
        "regions": measurement.partition.regions,
        "lattice": measurement.lattice,
        "scale": decimal_text(measurement.scale),
        "epsilon": decimal_text(measurement.epsilon),
        **({} if measurement.kind == "laplace" else {"noise": measurement.kind}),
    }
    if isinstance(measurement.partition, Shown):
        arrays[f"partition_{index}"] = measurement.partition.places
        return {**told, "partition": "shown", "threshold": decimal_text(measurement.partition.threshold)}
    labels = measurement.partition.labels.ravel()
    by_cell = measurement.partition.regions == grid.cells_inside and bool(
        np.array_equal(labels[grid.inside.ravel()], np.arange(grid.cells_inside))
    )
    if not by_cell:
        arrays[f"partition_{index}"] = labels.astype(np.int32)
    return {**told, "partition": "cells" if by_cell else "labels"}


def _measurement_in(plain: dict[str, Any], grid: Grid, index: int, archive: zipfile.ZipFile) -> Measurement:
    regions = int(plain["regions"])
    steps = _array_in(archive, f"measurement_{index}", "<i8", regions)
    if plain["partition"] == "cells" and regions != grid.cells_inside:
        raise BadInput("a measurement has another number of regions than the grid has cells")
    if "mechanism" in plain:
        return Reports(
            Partition.cells(grid), steps, count=int(plain["reports"]), elsewhere=int(plain["elsewhere"]),
            mechanism=str(plain["mechanism"]), epsilon=exact(plain["epsilon"], name="epsilon"),
            **{name: exact(plain[name], name=name) for name in ("truth", "other")},
        )  # fmt: skip
    if plain["partition"] == "cells":
        partition = Partition.cells(grid)
    elif plain["partition"] == "shown":
        partition = Shown(
            _array_in(archive, f"partition_{index}", "<i8", regions), exact(plain["threshold"], name="threshold")
        )
        if regions and (partition.places[-1] >= grid.size or steps.min() < partition.threshold * int(plain["lattice"])):
            raise BadInput("it shows cells that are not there or lie below its threshold")
    else:
        labels = _array_in(archive, f"partition_{index}", "<i4", grid.size)
        partition = Partition(labels.reshape(grid.shape), regions)
    lattice, scale = int(plain["lattice"]), exact(plain["scale"], name="scale", longest=10_000)
    if not 1 <= lattice <= 1 << 40 or scale <= 0:
        raise BadInput("a measurement's noise is impossible")
    epsilon = exact(plain["epsilon"], name="epsilon", longest=10_000)
    if epsilon <= 0:
        raise BadInput("a measurement's noise is impossible")
    return Measurement(
        partition, steps, lattice=lattice, scale=scale, epsilon=epsilon, kind=plain.get("noise", "laplace")
    )


def _receipt_out(receipt: Receipt) -> dict[str, Any]:
    return {
        "dataset": receipt.dataset,
        "release_id": receipt.release_id,
        "head": receipt.head,
        "event": receipt.event,
        "budget": decimal_text(receipt.budget),
        "spent": decimal_text(receipt.spent),
        **(
            {"budget_delta": decimal_text(receipt.budget_delta), "spent_delta": decimal_text(receipt.spent_delta)}
            if receipt.budget_delta
            else {}
        ),
    }


def _receipt_in(plain: dict[str, Any]) -> Receipt:
    dataset = str(plain["dataset"])
    if not dataset.isprintable() or len(dataset) > 200:
        raise BadInput("its data set has a name no ledger takes")
    return Receipt(
        dataset=dataset,
        release_id=str(plain["release_id"]),
        head=str(plain["head"]),
        event=int(plain["event"]),
        budget=exact(plain["budget"], name="budget", longest=10_000),
        spent=exact(plain["spent"], name="spent", longest=10_000),
        budget_delta=exact(plain.get("budget_delta", 0), name="budget", longest=10_000),
        spent_delta=exact(plain.get("spent_delta", 0), name="spent", longest=10_000),
    )


def _partners_in(document: dict[str, Any], archive: zipfile.ZipFile) -> tuple[Record, ...]:
    """The records of a merged file, none of them merged itself."""
    found = []
    for number in range(int(document.get("partners", 0))):
        inner = io.BytesIO(_unpack(archive, f"partner_{number}.dpmap", LARGEST_ARRAY))
        with zipfile.ZipFile(inner) as partner:
            one = json.loads(_unpack(partner, "dpmap.json", LARGEST_DOCUMENT))
            if one.get("partners"):
                raise BadInput("it merges maps that are merged themselves")
            found.append(_record_in(one, partner))
    return tuple(found)


def _check_merged(record: Record) -> None:
    """A merged record says of its partners what follows from them."""
    apart = isinstance(record.notes.get("disjoint"), dict)
    losses, caps = ([getattr(one.policy, name) for one in record.partners] for name in ("epsilon", "cap"))
    if record.measurements or (record.policy.epsilon, record.policy.cap) != (
        (max(losses), max(caps)) if apart else (sum(losses), sum(caps))
    ):
        raise BadInput("its promise is not that of the maps in it")
    for one in record.partners:
        if np.empty(record.grid.shape, dtype=bool)[window(record.grid, one.grid)].shape != one.grid.shape:
            raise BadInput("its cells are not those of the maps in it")


def _record_in(document: dict[str, Any], archive: zipfile.ZipFile) -> Record:
    if document.get("format") != "dpmap release" or int(document["format_version"]) > FORMAT:
        raise BadInput("it was written by a newer dpmap; update with: pip install --upgrade dpmap")
    grid, policy = grid_in(document["grid"], archive), Policy.from_dict(document["policy"])
    record = Record(
        grid=grid,
        policy=policy,
        strategy=str(document["strategy"]),
        measurements=tuple(
            _measurement_in(plain, grid, index, archive) for index, plain in enumerate(document["measurements"])
        ),
        receipt=_receipt_in(document["receipt"]),
        released_on=str(document["released_on"]),
        versions={str(key): str(value) for key, value in document.get("versions", {}).items()},
        notes=dict(document.get("notes", {})),
        partners=_partners_in(document, archive),
    )
    if record.partners:
        _check_merged(record)
        return record
    parts = record.measurements
    if any(isinstance(part, Reports) for part in parts):
        if len(parts) > 1 or parts[0].epsilon != policy.epsilon or policy.cap != 1 or grid.axes:
            raise BadInput("its reports are not those its promise allows")
        return record
    if (
        not parts
        or sum(m.epsilon for m in parts) > policy.measuring
        or any(m.kind != policy.noise or m.scale != policy.noise_scale(m.epsilon, m.lattice) for m in parts)
        or (policy.delta is not None and any((m.partition.sizes() > 1).any() for m in parts))
    ):
        raise BadInput("its measurements are not those its promise allows")
    return record
