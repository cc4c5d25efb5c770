"""Writes a record to its file `release.dpmap`, and checks everything in it when reading it back.

The file is a zip of one JSON document and plain numpy arrays: no pickle, sizes checked before
anything is unpacked, safe to open from a stranger. `docs/file-format.md` describes it.
"""

import io
import json
import math
import os
import zipfile
from itertools import combinations, pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dpmap.atomic_write import opened_private, written_aside
from dpmap.errors import BadInput, DpmapError, MissingFile
from dpmap.grid import Grid, Partition, Shown
from dpmap.grid.common_grid import window
from dpmap.grid.h3_cells import Hexagons
from dpmap.grid.layer_axes import axis_in, axis_out
from dpmap.grid.polygon_cells import Areas
from dpmap.grid.squares import Squares
from dpmap.numbers import decimal_text, exact
from dpmap.promise.policy import Policy
from dpmap.promise.strategies import CUSTOM, check_name
from dpmap.promise.tiers import epsilons
from dpmap.read_only_arrays import read_only
from dpmap.record import About, Measurement, Prior, Receipt, Record, Reports
from dpmap.record.formats import LATER, check_format, format_needed
from dpmap.record.periods import apart_in_time, once_each
from dpmap.record.prior import MOST_PRIORS
from dpmap.record.season import SeasonRelease
from dpmap.stores import local_copy

SEALED = "dpmap sealed tiers"
LARGEST_ARRAY = 2 << 30
LARGEST_DOCUMENT = 8 << 20


def write_record(record: Record, path: "str | os.PathLike[str]") -> None:
    """Writes the file aside, where its owner alone may read it, then renames it into place."""
    if isinstance(record, SeasonRelease):
        raise BadInput(
            "save: a season's better map follows from the releases of all its seasons; keep those,"
            " and read them together again (dm.open_series)"
        )
    with written_aside(path) as aside, opened_private(aside) as file:
        _write(record, file)


def read_record(path: "str | os.PathLike[str]") -> Record:
    """Reads a release file of this machine or of a store, checking everything in it."""
    with local_copy(path, "release") as file:
        return _read_file(file)


def _read_file(path: "str | os.PathLike[str]") -> Record:
    """Reads a release file of this machine."""
    name = "".join(
        mark if mark.isprintable() else " "
        for mark in os.path.basename(os.fspath(path)) or os.fspath(path)
    )
    if os.path.isdir(path):
        raise BadInput(
            f"{name} is a folder; give the release file in it, like {name}/release.dpmap"
        )
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would never end
        raise BadInput(f"{name} is not a file; give a release.dpmap")
    try:
        with zipfile.ZipFile(path) as archive:
            document = json.loads(unpack(archive, "dpmap.json", LARGEST_DOCUMENT))
            return _record_in(document, archive)
    except FileNotFoundError:
        raise MissingFile(f"there is no file {name}; give a release.dpmap") from None
    except PermissionError:
        raise BadInput(f"no right to read {name}; check its permissions") from None
    except DpmapError as error:
        raise BadInput(f"{name} is not a release dpmap can open: {error.terminal_line}") from None
    except Exception:  # noqa: BLE001  # whatever a hostile file makes a parser raise
        raise BadInput(
            f"{name} is not a dpmap release, or is damaged; give a release.dpmap"
        ) from None


def _write(record: Record, file: IO[bytes]) -> None:
    """Writes the archive; a merged record contains its partners' files as entries."""
    arrays: dict[str, NDArray[Any]] = {}
    document = {
        "format": "dpmap release",
        "format_version": 0,
        "grid": grid_out(record.grid, arrays),
        "policy": record.policy.to_dict(),
        "strategy": record.strategy,
        "measurements": [
            _measurement_out(measurement, record.grid, index, arrays)
            for index, measurement in enumerate(record.measurements)
        ],
        "receipt": _receipt_out(record.receipt),
        "released_on": record.released_on,
        "versions": record.versions,
        "notes": record.about.to_dict(),
        **({} if record.remarks is None else {"remarks": record.remarks}),
        **({"partners": len(record.partners)} if record.partners else {}),
        **({"priors": _priors_out(record.priors, arrays)} if record.priors else {}),
    }
    document["format_version"] = format_needed(document)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        content = json.dumps(document, indent=1, ensure_ascii=False).encode()
        add_entry(archive, "dpmap.json", content)
        add_arrays(archive, arrays)
        for number, partner in enumerate(record.partners):
            inner = io.BytesIO()
            _write(partner, inner)
            add_entry(archive, f"partner_{number}.dpmap", inner.getbuffer())


def add_arrays(archive: zipfile.ZipFile, arrays: dict[str, NDArray[Any]]) -> None:
    """Adds each array to the archive as an entry of its own."""
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.lib.format.write_array(
            buffer, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False
        )
        add_entry(archive, f"{name}.npy", buffer.getbuffer())


def add_entry(archive: zipfile.ZipFile, name: str, content: "bytes | memoryview") -> None:
    """Adds an entry with a fixed date, so that equal records make equal files."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def unpack(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Unpacks one entry, never more than `limit` bytes whatever its header claims."""
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadInput("an entry is packed in a way that cannot be bounded")
    with archive.open(name) as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise BadInput("an entry is larger than it may be")
    return content


def _array_in(archive: zipfile.ZipFile, name: str, dtype: str, count: int) -> NDArray[Any]:
    """Reads a one-dimensional array of exactly this type and length; both are checked before its
    data is unpacked.
    """
    size = np.dtype(dtype).itemsize * count
    if not 0 <= size <= LARGEST_ARRAY:
        raise BadInput("an array is larger than it may be")
    buffer = io.BytesIO(unpack(archive, f"{name}.npy", size + 4096))
    if np.lib.format.read_magic(buffer) != (1, 0):
        raise BadInput("an array has an unknown version")
    shape, _, written = np.lib.format.read_array_header_1_0(buffer)
    if shape != (count,) or written != np.dtype(dtype) or written.hasobject:
        raise BadInput("an array has another shape or type than declared")
    return np.frombuffer(buffer.read(size), dtype=written, count=count)


def grid_out(grid: Grid, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Returns a grid as plain values, and adds its arrays to `arrays`."""
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
        plain["names"] = list(grid.cells.names)
        plain["lengths"] = [len(wkb) for wkb in outlines]
        arrays["areas"] = np.frombuffer(b"".join(outlines), dtype=np.uint8)
    return plain


def grid_in(plain: dict[str, Any], archive: zipfile.ZipFile) -> Grid:
    """Makes the grid again from its plain values and the archive that holds its arrays."""
    shape = tuple(int(side) for side in plain["shape"])
    size = math.prod(shape)
    if not 1 <= len(shape) <= 2 or min(shape) < 1 or size > 1 << 31:
        raise BadInput("its grid has an impossible shape")
    mask = None
    if plain.get("masked"):
        mask = (
            np.unpackbits(_array_in(archive, "mask", "u1", -(-size // 8)), count=size)
            .astype(bool)
            .reshape(shape)
        )
        read_only(mask)
    cells: Squares | Hexagons | Areas
    if plain["kind"] == "squares":
        west, south, east, north = (float(side) for side in plain["bounds"])
        cells = Squares((west, south, east, north), (shape[0], shape[1]))
    elif plain["kind"] == "hexagons":
        cells = Hexagons(_array_in(archive, "hexagons", "<u8", size), int(plain["resolution"]))
    elif plain["kind"] == "areas":
        names = tuple(str(text) for text in plain["names"])
        if len(names) != size:
            raise BadInput("its grid contradicts itself")
        cells = Areas(_shapes_in(plain, archive), names)
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
            "partition": "cells",
            "regions": measurement.partition.regions,
            "reports": measurement.count,
            "elsewhere": measurement.elsewhere,
            "mechanism": measurement.mechanism,
            "truth": decimal_text(measurement.truth),
            "other": decimal_text(measurement.other),
            "epsilon": decimal_text(measurement.epsilon),
        }
    plain = {
        "regions": measurement.partition.regions,
        "lattice": measurement.lattice,
        "scale": decimal_text(measurement.scale),
        "epsilon": decimal_text(measurement.epsilon),
        **({} if measurement.kind == "laplace" else {"noise": measurement.kind}),
        **({"pooled": True} if measurement.earlier else {}),
    }
    if measurement.earlier:
        arrays[f"pooled_{index}"] = measurement.pooled
    if isinstance(measurement.partition, Shown):
        arrays[f"partition_{index}"] = measurement.partition.places
        return {
            **plain,
            "partition": "shown",
            "threshold": decimal_text(measurement.partition.threshold),
        }
    labels = measurement.partition.labels.ravel()
    by_cell = measurement.partition.regions == grid.cells_inside and bool(
        np.array_equal(labels[grid.inside.ravel()], np.arange(grid.cells_inside))
    )
    if not by_cell:
        arrays[f"partition_{index}"] = labels.astype(np.int32)
    return {**plain, "partition": "cells" if by_cell else "labels"}


def _measurements_in(
    document: dict[str, Any], grid: Grid, archive: zipfile.ZipFile
) -> tuple[Measurement, ...]:
    measurements: list[Measurement] = []
    for index, plain in enumerate(document["measurements"]):
        measurements.append(_measurement_in(plain, grid, index, archive, measurements))
    return tuple(measurements)


def _pooled_in(
    partition: Partition,
    lattice: int,
    index: int,
    archive: zipfile.ZipFile,
    before: list[Measurement],
) -> dict[str, Any]:
    """Reads how many questions before it each answer pools, which must have been about the same
    region, one after the other.
    """
    if any(measurement.lattice != lattice for measurement in before):
        raise BadInput("an answer pools questions whose noise has other steps")
    pooled = _array_in(archive, f"pooled_{index}", "u1", partition.regions)
    same = partition.same_in(before[-1].partition)
    pooled_before = np.append(before[-1].pooled.astype(np.int64), -1)[same]
    if (pooled.astype(np.int64)[pooled > 0] != pooled_before[pooled > 0] + 1).any() or (
        same[pooled > 0] < 0
    ).any():
        raise BadInput("an answer pools questions about another region")
    return {"pooled": pooled, "earlier": [measurement.epsilon for measurement in reversed(before)]}


def _measurement_in(
    plain: dict[str, Any],
    grid: Grid,
    index: int,
    archive: zipfile.ZipFile,
    before: list[Measurement],
) -> Measurement:
    regions = int(plain["regions"])
    steps = _array_in(archive, f"measurement_{index}", "<i8", regions)
    if plain["partition"] == "cells" and regions != grid.cells_inside:
        raise BadInput("a measurement has another number of regions than the grid has cells")
    if "mechanism" in plain:
        return Reports(
            Partition.cells(grid),
            steps,
            count=int(plain["reports"]),
            elsewhere=int(plain["elsewhere"]),
            mechanism=str(plain["mechanism"]),
            epsilon=exact(plain["epsilon"], name="epsilon"),
            **{name: exact(plain[name], name=name) for name in ("truth", "other")},
        )
    if plain["partition"] == "cells":
        partition = Partition.cells(grid)
    elif plain["partition"] == "shown":
        partition = Shown(
            _array_in(archive, f"partition_{index}", "<i8", regions),
            exact(plain["threshold"], name="threshold"),
        )
        if regions and (
            partition.places[-1] >= grid.size
            or steps.min() < partition.threshold * int(plain["lattice"])
        ):
            raise BadInput("it shows cells that are not there or lie below its threshold")
    else:
        labels = _array_in(archive, f"partition_{index}", "<i4", grid.size)
        partition = Partition(labels.reshape(grid.shape), regions)
    lattice = int(plain["lattice"])
    scale = exact(plain["scale"], name="scale", longest=10_000)
    if not 1 <= lattice <= 1 << 40 or scale <= 0:
        raise BadInput("a measurement's noise is impossible")
    epsilon = exact(plain["epsilon"], name="epsilon", longest=10_000)
    if epsilon <= 0:
        raise BadInput("a measurement's noise is impossible")
    pooling = _pooled_in(partition, lattice, index, archive, before) if plain.get("pooled") else {}
    noise = plain.get("noise", "laplace")
    return Measurement(
        partition, steps, lattice=lattice, scale=scale, epsilon=epsilon, kind=noise, **pooling
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
            {
                "budget_delta": decimal_text(receipt.budget_delta),
                "spent_delta": decimal_text(receipt.spent_delta),
            }
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


def _priors_out(priors: tuple[Prior, ...], arrays: dict[str, NDArray[Any]]) -> list[dict[str, str]]:
    """Returns what each public prior is called and its hash, and adds its numbers to `arrays`."""
    arrays.update((f"prior_{number}", prior.values.ravel()) for number, prior in enumerate(priors))
    return [{"name": prior.name, "sha256": prior.sha256} for prior in priors]


def _priors_in(document: dict[str, Any], grid: Grid, archive: zipfile.ZipFile) -> tuple[Prior, ...]:
    """Reads the public priors; how many there are is checked before any of their numbers is
    unpacked.
    """
    written = document.get("priors", [])
    shape = grid.cells.shape
    if not isinstance(written, list) or len(written) > MOST_PRIORS:
        raise BadInput(f"it has more public priors than the {MOST_PRIORS} a map may have")
    arrays = (
        _array_in(archive, f"prior_{number}", "<f4", math.prod(shape))
        for number in range(len(written))
    )
    return tuple(
        Prior(str(prior["name"]), str(prior["sha256"]), values.reshape(shape))
        for prior, values in zip(written, arrays, strict=True)
    )


def _partners_in(document: dict[str, Any], archive: zipfile.ZipFile) -> tuple[Record, ...]:
    """Reads the partners' records of a merged file; none of them may be merged itself."""
    records = []
    for number in range(int(document.get("partners", 0))):
        inner = io.BytesIO(unpack(archive, f"partner_{number}.dpmap", LARGEST_ARRAY))
        with zipfile.ZipFile(inner) as partner:
            inner_document = json.loads(unpack(partner, "dpmap.json", LARGEST_DOCUMENT))
            if inner_document.get("partners"):
                raise BadInput("it merges maps that are merged themselves")
            records.append(_record_in(inner_document, partner))
    return tuple(records)


def _check_merged(record: Record) -> None:
    """Checks that a merged record's promise and cells are those that follow from its partners'
    maps.
    """
    names = {partner.receipt.dataset for partner in record.partners}
    parts = once_each(record.partners)
    for first, second in combinations(record.partners, 2):
        alike = (
            first.receipt.release_id == second.receipt.release_id
            or first.receipt.dataset == second.receipt.dataset
        )
        if alike and not apart_in_time(first, second):
            raise BadInput("two of the maps in it are of one data set or one draw")
    twice = len(names) < len(record.partners)
    is_disjoint = (
        record.about.disjoint is not None
        and names <= set(record.about.disjoint.datasets)
        and not twice
    )
    losses = [part.policy.epsilon for part in parts]
    caps = [part.policy.cap for part in parts]
    if (record.about.disjoint is not None and not is_disjoint) or (
        is_disjoint and record.policy.site is not None
    ):
        raise BadInput("its promise is not that of the maps in it")
    if record.measurements or (record.policy.epsilon, record.policy.cap) != (
        (max(losses), max(caps)) if is_disjoint else (sum(losses), sum(caps))
    ):
        raise BadInput("its promise is not that of the maps in it")
    for partner in record.partners:
        place = window(record.grid, partner.grid)
        if np.empty(record.grid.shape, dtype=bool)[place].shape != partner.grid.shape:
            raise BadInput("its cells are not those of the maps in it")


def _check_tier(record: Record) -> None:
    """Checks that a tier's own epsilon is that of its promise, and that the tiers' epsilons
    rise.
    """
    if (tier := record.about.tier) is not None:
        known = epsilons(tier.epsilons)
        if list(known) != list(tier.epsilons) or known[tier.name] != record.policy.epsilon:
            raise BadInput("its tier has another epsilon than its promise")


def _record_in(document: dict[str, Any], archive: zipfile.ZipFile) -> Record:
    if document.get("format") == SEALED:
        raise BadInput("it holds sealed tiers; open one: dpmap unseal FILE --tier NAME --out DIR")
    if document.get("format") != "dpmap release":
        raise BadInput(LATER)
    check_format(document)
    grid = grid_in(document["grid"], archive)
    policy = Policy.from_dict(document["policy"])
    record = Record(
        grid=grid,
        policy=policy,
        strategy=str(document["strategy"]),
        measurements=_measurements_in(document, grid, archive),
        receipt=_receipt_in(document["receipt"]),
        released_on=str(document["released_on"]),
        versions={str(key): str(value) for key, value in document.get("versions", {}).items()},
        about=About.from_mapping(document.get("notes", {})),
        remarks=dict(document["remarks"]) if "remarks" in document else None,
        partners=_partners_in(document, archive),
        priors=_priors_in(document, grid, archive),
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
        or any(
            m.kind != policy.noise or m.scale != policy.noise_scale(m.epsilon, m.lattice)
            for m in parts
        )
        or (policy.delta is not None and any((m.partition.sizes() > 1).any() for m in parts))
    ):
        raise BadInput("its measurements are not those its promise allows")
    if record.strategy.startswith(f"{CUSTOM}:"):
        check_name(record.custom_strategy)
    _check_tier(record)
    return record
