"""Private values show nothing by accident, and nobody but the vault can make a measurement that counts as fresh."""

import copy
import gc
import inspect
import json
import pickle
import pprint
import zipfile
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from builders import surveys

import dpmap as dm
from dpmap.private_totals import PrivateTotals, Sealed
from dpmap.record import Measurement, Record
from dpmap.steward.release_run import release as make
from dpmap.vault import session as vault
from dpmap.vault.session import FreshMeasurement, Session

SECRET = "zanzibar-heron"
GRID = dm.Grid(bounds=(0, 0, 4, 4), shape=(4, 4), crs="EPSG:4326")


@pytest.fixture
def survey(tmp_path):
    return surveys.survey(tmp_path, [f"{SECRET},1.23456789,2.3456789", "other,3,3"], "who,lon,lat")


@pytest.fixture
def release(survey, tmp_path):
    return surveys.released(survey, tmp_path, GRID, strategy="adaptive")


def sealed_things(survey):
    return [survey, PrivateTotals(np.array([7654321]), np.array([1234567]))]


SHOWN = {
    "repr": repr, "str": str, "f-string": lambda v: f"{v}", "f-string with a width": lambda v: f"{v:>80}", "!r": lambda v: f"{v!r}",
    "percent": lambda v: "%s" % v,  # noqa: UP031  # the very way that is tested
    "format": format, "pprint": pprint.pformat, "in a list": lambda v: str([v]), "in a dict": lambda v: str({"a": v}),
    "ascii": ascii,
}  # fmt: skip
REFUSED = {
    "json": json.dumps, "json by vars": lambda v: json.dumps(v, default=vars), "json by list": lambda v: json.dumps(v, default=list),
    "pickle": pickle.dumps, "pickle 0": lambda v: pickle.dumps(v, 0), "pickle 2": lambda v: pickle.dumps(v, 2), "copy": copy.copy, "deepcopy": copy.deepcopy,
    "deepcopy in a list": lambda v: copy.deepcopy([v]), "np.array": np.array, "np.asarray": np.asarray, "np.sum": np.sum, "np.array of floats": lambda v: np.array(v, dtype=float),
    "frame": pd.DataFrame, "series by list": lambda v: pd.Series(list(v)), "arrow table": pa.table, "arrow array": pa.array, "list": list, "tuple": tuple,
    "unpacking": lambda v: [*v], "iter": iter, "next": next, "reversed": reversed, "sorted": sorted, "enumerate": enumerate, "zip": lambda v: list(zip(v, v)),
    "len": len, "bool": bool, "not": lambda v: not v, "vars": vars, "dir": dir, "members": inspect.getmembers, "==": lambda v: v == 1, "!=": lambda v: v != 1,
    "== itself": lambda v: v == v, "reflected ==": lambda v: 1 == v, "hash": hash, "set": lambda v: {v}, "dict key": lambda v: {v: 1}, "in": lambda v: 1 in v,
    "index": lambda v: v[0], "slice": lambda v: v[:], "float": float, "int": int, "bytes": bytes, "memoryview": memoryview, "<": lambda v: v < 1, "sum": sum,
    "max": max, "getstate": lambda v: v.__getstate__(), "reduce": lambda v: v.__reduce__(), "dataframe protocol": lambda v: pd.api.interchange.from_dataframe(v),
    "+": lambda v: v + 1, "__dict__": lambda v: v.__dict__, "array slot": lambda v: [1, 2][v],
}  # fmt: skip


@pytest.mark.parametrize("way", SHOWN)
def test_what_python_prints_is_a_mask(survey, way):
    """However a survey or its totals get into a log line, they print as sealed and as nothing else."""
    for value in sealed_things(survey):
        text = SHOWN[way](value)
        assert f"<{type(value).__name__}: sealed>" in text
        assert not any(hidden in text for hidden in ("1234567", "7654321", SECRET, "survey.csv"))


@pytest.mark.parametrize(
    "way", ["list", "len", "np.asarray", "np.array", "np.sum", "frame", "in", "float", "index"]
)
def test_a_refusal_says_who_may_read_it(survey, way):
    """The usual slips of a notebook are answered with one sentence, whether Python, numpy or pandas was asked."""
    with pytest.raises(
        dm.errors.Refused, match="Survey is sealed: .* only dpmap.release.. may read it"
    ):
        REFUSED[way](survey)


@pytest.mark.parametrize("way", REFUSED)
def test_every_way_out_is_refused(survey, way):
    """No copy, conversion, iteration, comparison or dump of a sealed value works, and the refusal tells nothing of it."""
    for value in sealed_things(survey):
        with pytest.raises(Exception) as caught:  # noqa: B017
            REFUSED[way](value)
        assert isinstance(caught.value, dm.errors.Refused | TypeError | AttributeError | ValueError)
        assert not any(
            hidden in str(caught.value) for hidden in ("1234567", "7654321", SECRET, "survey.csv")
        )


def test_a_sealed_value_has_no_dictionary(survey):
    """Nothing can be hung on a sealed value, and everything that holds rows is one."""
    for value in sealed_things(survey):
        assert isinstance(value, Sealed)
        with pytest.raises(AttributeError):
            value.anything = 1


def test_a_numpy_array_around_a_survey_holds_no_rows(survey):
    """Where numpy or pandas can wrap the object itself, they wrap the sealed object and print its mask."""
    box = np.empty(1, dtype=object)
    box[0] = survey
    assert SECRET not in str(box)
    assert "sealed" in str(box)


def test_the_session_shows_no_totals(survey, tmp_path):
    """The strategy's session neither prints nor pickles nor lists the totals it measures."""
    session = Session(np.full((4, 4), 7654321), GRID, Fraction(1), 1, 2**10)
    assert "7654321" not in repr(session)
    for way in (pickle.dumps, copy.deepcopy, vars, json.dumps, iter, len):
        with pytest.raises((dm.errors.Refused, TypeError)):
            way(session)
    assert not any(
        isinstance(getattr(session, name), PrivateTotals)
        for name in dir(session)
        if not name.startswith("_")
    )


def test_a_session_cannot_be_opened_without_a_reservation():
    """Private totals are measured only under a reservation that the ledger made, and each only once."""
    totals = PrivateTotals(np.array([0]), np.array([1]))
    with pytest.raises(TypeError):
        Session(totals, GRID, Fraction(1), cap=1, lattice=1)
    with pytest.raises(TypeError):
        Session(totals, GRID, None, cap=1, lattice=1)


def test_a_reservation_is_claimed_once(tmp_path):
    """One reservation opens one session."""
    book = dm.Ledger(tmp_path / "x.ledger")
    reservation = book.reserve(dataset="d", epsilon=Fraction(1), budget=Fraction(1), details={})
    totals = PrivateTotals(np.array([0]), np.array([1]))
    session = Session(totals, GRID, reservation, cap=1, lattice=1)
    with pytest.raises(dm.errors.Refused):
        Session(totals, GRID, reservation, cap=1, lattice=1)
    session.measure(dm.Partition.cells(GRID), Fraction(1, 2))
    session.measure(dm.Partition.whole(GRID), Fraction(1, 2))
    with pytest.raises(dm.errors.BudgetExceeded):
        session.measure(dm.Partition.whole(GRID), Fraction(1, 10**9))


def parts(fresh):
    return (fresh.partition, np.array(fresh.steps)), {
        "lattice": fresh.lattice,
        "scale": fresh.scale,
        "epsilon": fresh.epsilon,
    }


def by_constructor(fresh):
    given, named = parts(fresh)
    return FreshMeasurement(object(), *given, **named)


def by_plain_constructor(fresh):
    given, named = parts(fresh)
    return Measurement(*given, **named)


def by_type_of_a_real_one(fresh):
    given, named = parts(fresh)
    return type(fresh)(*given, **named)


def by_subclass(fresh):
    kind = type("Mine", (Measurement,), {"fresh": True})
    return kind(*parts(fresh)[0], **parts(fresh)[1])


def by_subclass_of_fresh(fresh):
    kind = type(
        "Mine",
        (FreshMeasurement,),
        {"__init__": lambda self, *a, **k: Measurement.__init__(self, *a, **k)},
    )
    return kind(*parts(fresh)[0], **parts(fresh)[1])


def by_subclass_that_says_it_is_the_vaults(fresh):
    kind = type("Mine", (Measurement,), {"fresh": True, "__module__": "dpmap.vault.session"})
    return kind(*parts(fresh)[0], **parts(fresh)[1])


def by_class_assignment(fresh):
    made = by_plain_constructor(fresh)
    made.__class__ = FreshMeasurement
    return made


def by_object_class_assignment(fresh):
    made = by_plain_constructor(fresh)
    object.__setattr__(made, "__class__", FreshMeasurement)
    return made


def by_new(fresh):
    made = object.__new__(FreshMeasurement)
    for name in ("partition", "lattice", "scale", "epsilon"):
        object.__setattr__(made, name, getattr(fresh, name))
    object.__setattr__(made, "steps", np.array(fresh.steps) + 1)
    return made


def by_setting_fresh(fresh):
    made = by_plain_constructor(fresh)
    made.fresh = True
    return made


FORGERIES = [
    by_constructor, by_plain_constructor, by_type_of_a_real_one, by_subclass, by_subclass_of_fresh, by_subclass_that_says_it_is_the_vaults,
    by_class_assignment, by_object_class_assignment, by_new, by_setting_fresh, copy.copy, copy.deepcopy, lambda fresh: pickle.loads(pickle.dumps(fresh)),
]  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda f: f.__name__)
def test_a_fresh_measurement_cannot_be_made_outside_the_vault(release, forge):
    """Whatever is built, copied, unpickled or relabelled outside the vault is not fresh, or is refused."""
    (fresh,) = release.measurements
    assert fresh.fresh
    try:
        forged = forge(fresh)
    except (TypeError, AttributeError):
        return
    assert not forged.fresh
    assert "fresh" not in repr(forged)
    assert not Release_of(release, forged).fresh


def Release_of(release, measurement):
    old = release.record
    return dm.Release(
        Record(old.grid, old.policy, old.strategy, (measurement,), old.receipt, old.released_on)
    )


def test_a_fresh_measurement_cannot_be_changed(release):
    """The noisy values of a measurement are fixed when they are drawn."""
    (fresh,) = release.measurements
    with pytest.raises(ValueError):
        fresh.steps[0] = 0
    for name in ("steps", "scale", "lattice", "fresh", "values"):
        with pytest.raises(AttributeError):
            setattr(fresh, name, 1)


def test_an_opened_measurement_can_be_copied_and_sent_to_another_process(release, tmp_path):
    """Public values behave as Python's do: a release from a file may be copied and pickled, and stays received."""
    release.save(tmp_path / "r.dpmap")
    (received,) = dm.open(tmp_path / "r.dpmap").measurements
    for other in (
        copy.copy(received),
        copy.deepcopy(received),
        pickle.loads(pickle.dumps(received)),
    ):
        assert not other.fresh
        assert other.steps.tolist() == received.steps.tolist()


def test_a_release_from_a_file_says_so(release, tmp_path):
    """What was opened from a file is received, also after it is saved and opened again."""
    assert release.fresh
    assert "made here" in repr(release)
    release.save(tmp_path / "r.dpmap")
    opened = dm.open(tmp_path / "r.dpmap")
    assert not opened.fresh
    assert "opened from a file" in repr(opened)
    assert all("received" in repr(m) for m in opened.measurements)
    opened.save(tmp_path / "again.dpmap")
    assert not dm.open(tmp_path / "again.dpmap").fresh
    np.testing.assert_array_equal(opened.estimate, release.estimate)


def test_a_file_without_measurements_is_not_fresh(release, tmp_path):
    """A release file stripped of its measurements is refused, or at least never passes for one made here."""
    release.save(tmp_path / "r.dpmap")
    with (
        zipfile.ZipFile(tmp_path / "r.dpmap") as old,
        zipfile.ZipFile(tmp_path / "stripped.dpmap", "w") as new,
    ):
        document = json.loads(old.read("dpmap.json"))
        document["measurements"] = []
        new.writestr("dpmap.json", json.dumps(document))
    try:
        opened = dm.open(tmp_path / "stripped.dpmap")
    except dm.errors.BadInput:
        return
    assert not opened.fresh


def test_a_simulation_is_neither_fresh_nor_a_release():
    """What is simulated on public numbers is a plain array."""
    assert type(dm.simulate(np.ones((3, 3)), epsilon=1)) is np.ndarray


def reachable(root, limit=200_000):
    """Every object that can be reached from this one through plain references, modules and types left out."""
    seen, pending = {id(root): root}, [root]
    while pending and len(seen) < limit:
        for child in gc.get_referents(pending.pop()):
            if (
                id(child) not in seen
                and not inspect.ismodule(child)
                and not isinstance(child, type)
                and not callable(child)
            ):
                seen[id(child)] = child
                pending.append(child)
    return list(seen.values())


def test_no_seed_and_no_survey_can_be_reached_from_a_release(release):
    """A release holds noisy values and public facts: no generator, no seed, no totals, no survey."""
    import random

    found = reachable(release)
    kinds = (
        random.Random,
        np.random.Generator,
        np.random.RandomState,
        np.random.BitGenerator,
        np.random.SeedSequence,
        Sealed,
        Session,
        bytearray,
    )
    assert not [value for value in found if isinstance(value, kinds)]
    texts = [value for value in found if isinstance(value, str)]
    assert not [text for text in texts if "seed" in text.lower() or SECRET in text]
    assert not [name for name in dir(vault) if "seed" in name.lower()]


def test_no_public_call_takes_a_seed():
    """Nobody can ask for the same noise twice: no function of the library has a parameter for it."""
    for call in (
        make,
        dm.simulate,
        dm.read,
        dm.Policy,
        Session,
        Session.measure,
        dm.Ledger.reserve,
        dm.Release.save,
    ):
        assert not {
            name
            for name in inspect.signature(call).parameters
            if name in ("seed", "rng", "random_state", "generator", "state")
        }


def test_two_releases_of_one_survey_differ(survey, tmp_path):
    """The same survey released twice gets other noise."""
    policy = dm.Policy(epsilon=1, unit="who", cap=2)
    made = [
        make(survey, GRID, policy, ledger=tmp_path / "x.ledger", dataset="d", budget=5)
        for _ in range(2)
    ]
    assert made[0].measurements[0].steps.tolist() != made[1].measurements[0].steps.tolist()
