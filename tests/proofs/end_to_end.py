"""Checks whole runs: from a survey file to a saved release and back, many times, against one
ledger.

The true totals are known here, since the survey is invented: what a release holds minus them is its
noise.
"""

import math
from fractions import Fraction

import numpy as np

from dpmap import strategies
from dpmap.selftest import privacy_audit, statistics
from dpmap.selftest.check import Broken, CheckResult, Effort
from dpmap.selftest.end_to_end import TOWNS, _size, _towns, _towns_policy, check_noise, noise_of
from proofs import sampling


def session(effort: Effort) -> CheckResult:
    """Checks the noise of sessions by themselves, for every strategy, drawn as it always is."""
    here, _ = privacy_audit.totals("scale")
    copies, runs = 30, effort.many(60, least=12)
    tiled = np.tile(here, copies)
    totals = {int(cell): int(tiled[cell]) for cell in np.flatnonzero(tiled)}
    found = [
        noise_of(privacy_audit.ask(strategy, here, copies), totals)
        for strategy in strategies.STRATEGIES
        for _ in range(runs)
    ]
    ratio = check_noise(found, "sessions")
    return CheckResult(
        f"{len(found)} sessions of {len(strategies.STRATEGIES)} strategies,"
        f" {sum(map(_size, found)):,} noisy totals",
        f"noise {ratio} too wide or narrow",
    )


def sampled(_: Effort) -> CheckResult:
    """Checks a sample of units: who is drawn depends on all of a secret; and, with so much epsilon
    that all who were drawn can be seen, how many are, and not the same ones twice.
    """
    secrets = sampling.hang_on_every_bit()
    epsilon, chance = Fraction(20), Fraction(1, 4)
    policy = _towns_policy(epsilon=epsilon, sample=chance)
    releases = [_towns(policy) for _ in range(2)]
    if any(
        math.log1p(float(chance) * math.expm1(float(one.epsilon))) > float(epsilon) * (1 + 1e-9)
        for one in releases
    ):
        raise Broken("a sampled release is billed for less than it may tell")
    drawn = np.array([one.values > privacy_audit.CAP / 2 for one in releases])[:, 0::2]
    for what, counts, share in (
        ("are drawn", drawn, chance),
        ("are drawn twice", drawn.all(0), chance**2),
    ):
        expected, deviation = (
            counts.size * float(share),
            math.sqrt(counts.size * float(share * (1 - share))),
        )
        if abs(int(counts.sum()) - expected) > statistics.beyond(statistics.CHANCE / 2) * deviation:
            raise Broken(f"{counts.mean():.1%} of the units {what}, instead of {float(share):.1%}")
    off = (
        statistics.beyond(statistics.CHANCE / 2) + statistics.beyond(statistics.MISS)
    ) * math.sqrt(3 / drawn.size)
    return CheckResult(
        f"{secrets} secrets, heard; 2 releases of {TOWNS // 2:,} units, {chance} of them drawn",
        f"a bit of the secret lost; {1 + off:.2f}x as many drawn; any seed",
    )
