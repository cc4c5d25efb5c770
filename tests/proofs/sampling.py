"""Checks that who takes part in a sample depends on every bit of a fresh secret, and on nothing
else.

The entropy that the vault takes is listened to, and who is drawn with it is worked out a second
time here.
"""

import csv
import os
import tempfile
from hashlib import md5
from pathlib import Path

from dpmap import engines
from dpmap.grid import Grid
from dpmap.promise.policy import Policy
from dpmap.selftest import cap
from dpmap.selftest.check import Broken, replace_attribute
from dpmap.steward.release_run import _limiter
from dpmap.survey import Survey, read
from dpmap.vault import sampling

SECRET = 64
"""Bytes of entropy on which a draw hangs."""
UNITS, SHARE = 400, "25%"


class Heard:
    """Replaces the system's entropy for the vault: passes it on, and remembers it."""

    def __init__(self) -> None:
        self.entropy = b""

    def urandom(self, count: int) -> bytes:
        """Returns the system's own bytes."""
        told = os.urandom(count)
        self.entropy += told
        return told


def hang_on_every_bit() -> int:
    """Checks that each limiter counts exactly those whom the whole secret draws, twice with
    different secrets.
    """
    secrets, policies = (
        list[bytes](),
        [Policy(epsilon=1, unit="who", cap=2, limiter=one, sample=SHARE) for one in cap.LIMITERS],
    )
    with tempfile.TemporaryDirectory(prefix="dpmap-proof-") as folder:
        survey = _survey(Path(folder) / "survey.csv")
        for policy in 2 * policies:
            heard = Heard()
            with replace_attribute(sampling, "os", heard):
                limiter = _limiter(policy, survey.roles.shares)
            if len(heard.entropy) < SECRET:
                raise Broken(
                    f"who is drawn hangs on a secret of {8 * len(heard.entropy)} bits, not"
                    f" {8 * SECRET}"
                )
            secrets.append(heard.entropy[:SECRET])
            if _counted(survey, policy, limiter) != _drawn(secrets[-1], policy):
                raise Broken(
                    f"limiter {policy.limiter}: those who count are not those whom all of the"
                    " secret draws"
                )
    if len(set(secrets)) < len(secrets):
        raise Broken("two draws have the same secret")
    return len(secrets)


def _survey(path: Path) -> Survey:
    """Puts everybody in a cell of her own, over the cap."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [("who", "x", "y"), *((f"u{n}", n + 0.5, 0.5) for n in range(UNITS) for _ in range(3))]
        )
    return read(path, x="x", y="y", crs="EPSG:3857")


def _counted(survey: Survey, policy: Policy, limiter: str) -> set[int]:
    """Returns who adds something, by the engine."""
    strip = Grid(bounds=(0, 0, UNITS, 1), shape=(1, UNITS), crs="EPSG:3857")
    found = engines.make_engine("duckdb").totals(survey, strip, policy, limiter, lambda step: None)
    return {
        cell
        for cell, steps in zip(found._cells.tolist(), found._steps.tolist(), strict=True)
        if steps
    }


def _drawn(secret: bytes, policy: Policy) -> set[int]:
    """Returns those whose keyed hash lies below the bar, as `sampling` says."""
    inner, outer = secret[:32].hex(), secret[32:].hex()

    def mark(name: str) -> int:
        return int(_hash(outer + _hash(inner + name)), 16)

    return {n for n in range(UNITS) if mark(f"u{n}") < int((policy.sample or 0) * 2**128)}


def _hash(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()
