"""A survey: where rows come from and which columns say where, who and whether. Sealed: it shows no row."""

import os
from dataclasses import dataclass

from dpmap.errors import BadInput
from dpmap.grid import crs as crs_tools
from dpmap.policy import Consent
from dpmap.sealed import Sealed
from dpmap.survey.sources import Source, open_source

LONLAT_NAMES = (
    ("decimalLongitude", "decimalLatitude"), ("longitude", "latitude"), ("long", "lat"), ("lon", "lat"),
    ("lng", "lat"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Roles:
    """Which columns play which part; public, since column names are not data."""

    crs: str
    geometry: str | None = None
    x: str | None = None
    y: str | None = None
    unit: str | None = None
    consent: Consent | None = None


class Survey(Sealed):
    """An opened survey. Only `dpmap.release` reads its rows; `roles` says which columns it will use."""

    __slots__ = ("_source", "roles")

    roles: Roles
    _source: Source

    def __init__(self, source: Source, roles: Roles) -> None:
        self._source = source
        self.roles = roles

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns' names, which are not data."""
        return self._source.columns

    def require(self, column: str, *, flag: str) -> str:
        """The column as the file spells it (case aside), or a refusal that lists what there is."""
        return _find(self._source.columns, column, flag=flag)


def read(
    path: "str | os.PathLike[str]",
    *,
    x: str | None = None,
    y: str | None = None,
    crs: object = None,
    unit: str | None = None,
    consent: "Consent | str | None" = None,
    layer: str | None = None,
) -> Survey:
    """Opens a survey export: reads its header, never its rows.

    Layers with geometry know their place and CRS. Tables need `x`, `y` and `crs`, unless the columns are called
    longitude and latitude (or decimalLongitude, lon, lng), which are degrees. `unit` and `consent` may be named here
    or in the policy.
    """
    source = open_source(path, layer=layer)
    rule = Consent.parse(consent) if isinstance(consent, str) else consent
    geometry, found_x, found_y, found_crs = _place(source, x, y, crs)
    roles = Roles(crs=found_crs, geometry=geometry, x=found_x, y=found_y, unit=unit, consent=rule)
    survey = Survey(source, roles)
    for column in (unit or "").split("+") if unit and unit != "row" else ():
        survey.require(column.strip(), flag="--unit")
    if rule is not None:
        survey.require(rule.column, flag="--consent")
    return survey


def _place(source: Source, x: str | None, y: str | None, crs: object) -> tuple[str | None, str | None, str | None, str]:
    """The geometry column, or the x and y columns, and the CRS they are in."""
    if (x is None) != (y is None):
        raise BadInput("place: give both --x and --y, or neither")
    if x is not None and y is not None:
        if crs is None:
            raise BadInput("crs: say what the coordinates are in, like --crs EPSG:4326 for degrees")
        return None, _find(source.columns, x, flag="--x"), _find(source.columns, y, flag="--y"), crs_tools.text_of(crs)
    if source.geometry is not None:
        if crs is None and source.crs is None:
            raise BadInput("crs: the layer does not say; add it, like --crs EPSG:4326")
        return source.geometry, None, None, crs_tools.text_of(crs if crs is not None else source.crs)
    lower = {column.lower(): column for column in source.columns}
    pairs = [(a, b) for a, b in LONLAT_NAMES if a.lower() in lower and b.lower() in lower]
    if not pairs:
        raise BadInput(
            f"place: no coordinate columns known by name; add --x COLUMN --y COLUMN --crs CODE (columns: {_listed(source.columns)})"
        )
    east, north = pairs[0]
    return (
        None,
        lower[east.lower()],
        lower[north.lower()],
        crs_tools.text_of(crs if crs is not None else crs_tools.LONLAT),
    )


def _find(columns: tuple[str, ...], wanted: str, *, flag: str) -> str:
    if wanted in columns:
        return wanted
    close = [column for column in columns if column.lower() == wanted.lower()]
    if len(close) == 1:
        return close[0]
    raise BadInput(f"{flag}: the survey has no column {wanted!r}; it has {_listed(columns)}")


def _listed(columns: tuple[str, ...]) -> str:
    shown = ", ".join(columns[:40])
    return shown + (f" and {len(columns) - 40} more" if len(columns) > 40 else "")
