"""The schemas that what stands in a release's folder `metadata` is held to."""

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft7Validator, Draft201909Validator, Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

SCHEMAS = Path(__file__).parents[1] / "schemas"
STAC = "https://schemas.stacspec.org/v1.1.0/item-spec/json-schema/"


def _plain(name):
    return json.loads((SCHEMAS / name).read_text("utf-8"))


@cache
def _registry():
    """Everything that STAC's schemas ask for by an address, so that nothing is fetched."""
    found = {
        f"{STAC}{path.name}": json.loads(path.read_text("utf-8"))
        for path in (SCHEMAS / "stac").glob("*.json")
    }
    own = _plain("geojson.json")
    for name in ("Feature", "Geometry"):
        found[f"https://geojson.org/schema/{name}.json"] = {
            **own,
            "$ref": f"#/definitions/{name.lower()}",
        }
    return Registry().with_resources(
        (name, Resource.from_contents({**plain, "$id": name}, default_specification=DRAFT7))
        for name, plain in found.items()
    )


def _formats(validator):
    """A schema language's checks of formats, each address looked at once: their grammar is slow, and most files hold the same ones."""
    found = FormatChecker(formats=())
    for name, (check, raised) in validator.FORMAT_CHECKER.checkers.items():
        found.checkers[name] = (_once(check) if name.startswith("iri") else check, raised)
    return found


def _once(check):
    """The same check, which remembers what it found of a text."""
    known = cache(check)
    return lambda value: known(value) if isinstance(value, str) else check(value)


@cache
def validators(name):
    """The validators of one of the files."""
    formats, older = _formats(Draft202012Validator), _formats(Draft7Validator)
    if name == "stac.json":
        plain = [
            _plain(f"stac/{one}.json") for one in ("item", "projection-v2.0.0", "raster-v2.0.0")
        ]
        return [Draft7Validator(one, registry=_registry(), format_checker=older) for one in plain]
    if name == "datacite.json":
        return [Draft201909Validator(_plain("datacite-v4.5.json"), format_checker=formats)]
    if name == "dcat.jsonld":
        return [Draft202012Validator(_plain("dcat-dataset.json"), format_checker=formats)]
    return [Draft7Validator(_plain("tableschema-2.0.json"), format_checker=older)]


def problems(name, plain):
    """What a schema finds wrong, each in a line."""
    told = (
        plain | {"description": ""}
        if name == "tableschema.json" and isinstance(plain.get("description"), str)
        else plain
    )
    return list(_found(name, json.dumps(told)))


@cache
def _found(name, text):
    """The same of a text, found once: most tables are alike."""
    errors = (error for one in validators(name) for error in one.iter_errors(json.loads(text)))
    return tuple(f"{name} {error.json_path}: {error.message[:200]}" for error in errors)
