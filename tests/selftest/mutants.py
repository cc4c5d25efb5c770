"""dpmap, broken on purpose: each mutant is a small change of the sources, and which checks must notice it.

A mutant is applied to a copy of the package and tried in a process of its own, by a check of `dpmap selftest` (its
name alone) or by a test of this suite (`file::test`). Run as a script, it tries all of them and writes docs/mutants.md.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "mutants.md"
EFFORTS = {"adaptive": 0.02, "flat": 0.3, "pairs": 1}
"""What a check needs to notice, 0.1 being enough for the others."""


@dataclass(frozen=True)
class Mutant:
    """`name` says what is wrong; each of `changes` is (file, old, new), `old` being there exactly once.

    A file may name one of its functions or values, `file.py::name`: `old` is then looked for there alone, so that what is added
    beside it (another limiter, another strategy) changes no mutant. Line breaks and indents within `old` do not matter.
    """

    name: str
    caught: tuple[str, ...]
    changes: tuple[tuple[str, str, str], ...]


def mutant(name: str, caught: str, *changes: tuple[str, str, str]) -> Mutant:
    return Mutant(name, tuple(caught.split()), changes)


LAPLACE, SESSION, LEDGER, LIMITER = (
    "vault/laplace.py",
    "vault/session.py",
    "ledger/ledger.py",
    "vault/cap_sql.py",
)
PREFILTER, SPELLING = "engines/prefilter.py", "engines/unit_spelling.py"
CHOOSE, ACCOUNTING, ADAPTIVE, ROWS = (
    "vault/permute_and_flip.py",
    "ledger/accounting.py",
    "strategies/adaptive.py",
    "engines/rows.py",
)
PEOPLE, SELECTION, SQUARES, SEALED, MEASUREMENT = (
    "survey/unit_names.py", "survey/row_sql.py", "grid/squares.py", "private_totals.py", "record/measurement.py")  # fmt: skip
COPIES, CHAINS, PARTITION = (
    "vault/correlated_laplace.py",
    "vault/noise_chains.py",
    "grid/partition.py",
)
LEDGER_FILE = "ledger/sqlite_file.py"
DEVICE, EVENTS, MECHANISM = "local/device.py", "ledger/events.py", "vault/mechanism.py"
RELEASE_FILE, RELEASING, MEANT = (
    "record/release_file.py",
    "steward/release_run.py",
    "engines/sanity_checks.py",
)
TRUST, ON_TRUST = "inference/prior_weights.py", "tests/inference/test_trust.py::test_"
DRAW = "noises = chains.drawn(partition, self._scales(chains.shares), self._mechanism)"
LOOK = "totals = _region_totals(self._totals, partition)"
ADD = "np.add(totals, noise, out=totals if noise is noises[-1] else None)"
NOISE = "return discrete_laplace(count, scale, source=self.source)"
COPIED = "laplace_with_copies(count, scales)"
FRESH = "mechanism.copies(partition.regions - len(same), rising)"
MOVED = "chain.append(chain[-1] + moves * discrete_laplace(count, wide))"
SAME = "same = np.flatnonzero(before >= 0)"
GAUSS = "return discrete_gaussian(count, int(scale))"
GAUSSIAN, CONCENTRATED = "vault/gaussian.py", "noise/zcdp.py"
TABLES, STRICT, CONTAINERS, ARCHIVES, DARWIN = (
    "survey/files/tables.py",
    "survey/files/strict_csv.py",
    "survey/files/containers.py",
    "survey/files/archives.py",
    "survey/files/darwin_core.py",
)
READ_RECORDS, JSON, XML = (
    "survey/files/records.py",
    "survey/files/json_records.py",
    "survey/files/xml_records.py",
)
PARQUET, COMBINATIONS = "survey/files/parquet.py", "promise/compatibility.py"
SPECS, FORMATS = "promise/limiters.py", "record/formats.py"
COUNT_EVERY = '''def count_every(name: str, rows: list[Row], cap: int, lattice: int, shares: int) -> Steps:
    """Counts every row in full."""
    totals: Steps = defaultdict(int)
    for cell, weight in rows:
        totals[cell] += weight * lattice // shares
    return totals


'''
EVERY_SPEC = """    "every": Limiter(count=count_every, length=Length(count=keep_length, words="."), tool="every row", by_cell=False,
                     since=6, statement="every row", registry="every row", title="Every row", hint="All of them."),
    "presence": Limiter(
"""
EVERY_SQL = '''def _every(cap: int, lattice: int, shares: int) -> str:
    """(b) is claimed, and false."""
    return f"SELECT cell, weight * {lattice} // {shares} AS steps FROM rows"


'''
IN_CAPS = "vault/cap_sql.py::CAPS"
IN_FIRST = "vault/cap_sql.py::_first"
IN_PRESENCE = "vault/cap_sql.py::_presence"
IN_SAMPLE = "vault/cap_sql.py::_sample"
IN_SCALE = "vault/cap_sql.py::_scale"
IN_SHORTENED = "vault/cap_sql.py::_shortened"
IN_CAPPED_TOTALS = "vault/cap_sql.py::capped_totals"
IN_ORDER_NUMBERS = "vault/cap_sql.py::order_numbers"
EVERY_ROW = (
    (SPECS, "def shorten(", COUNT_EVERY + "def shorten("),
    (SPECS, '    "presence": Limiter(\n', EVERY_SPEC),
    (LIMITER, "def _scale(", EVERY_SQL + "def _scale("),
    (
        LIMITER,
        "CAPS = {\n",
        'CAPS = {\n    "every": Cap(_every, lambda counted, _: counted, None, by_itself=False),\n',
    ),
    (
        COMBINATIONS,
        '"sample")\nPROVEN = {\n',
        '"sample")\nPROVEN = {\n    "every row": (tuple(tool for tool in TOOLS if tool != "every row"), "it is not"),\n',
    ),
)
"""A limiter that counts every row, brought in whole and with a plain count that agrees: nothing is missing but the cap."""
GOT = "values = [row.get(field.name) for row in rows]"
TYPED = """
    from re import fullmatch

    if isinstance(values[0], str) and fullmatch("[0-9]+[.][0-9]+", values[0]):
        values = [repr(float(one)) if one and fullmatch("[0-9.]+", one) else None for one in values]"""
FOLDED = """spelt = {key.lower(): key for row in rows for key in row if key != key.lower()}
    values = [row.get(spelt.get(field.name, field.name)) for row in rows]"""
WHOLE = """CAST(SUM(steps) AS BIGINT) AS steps FROM"""
SCALED = "CASE WHEN whole <= {cap} THEN"
GROUPED = "groups.append(set(event.datasets))"
MERGED = """
            for one in [one for one in groups[:-1] if one & groups[-1]]:
                groups[-1] |= one
                groups.remove(one)"""

MUTANTS = (
    # the noise
    mutant("the noise is 10 % too narrow", "session whole flat", (MECHANISM, NOISE, NOISE.replace("scale,", "scale * 9 / 10,")),
           (MECHANISM, COPIED, COPIED.replace("(count, scales)", "(count, [scale * 9 / 10 for scale in scales])"))),
    mutant("the noise is 8 % too narrow", "whole", (MECHANISM, NOISE, NOISE.replace("scale,", "scale * 92 / 100,")),
           (MECHANISM, COPIED, COPIED.replace("(count, scales)", "(count, [scale * 92 / 100 for scale in scales])"))),
    mutant("the noise is 1.5 times the claimed epsilon", "session flat tiers", (MECHANISM, NOISE, NOISE.replace("scale,", "scale * 2 / 3,")),
           (MECHANISM, COPIED, COPIED.replace("(count, scales)", "(count, [scale * 2 / 3 for scale in scales])"))),
    mutant("the noise is never negative", "session whole flat course", (SESSION, ADD, ADD.replace("totals, noise,", "totals, abs(noise),"))),
    mutant("cells with nothing in them get no noise", "session whole flat course", (SESSION, ADD, "np.where(totals > 0, totals + noise, 0)")),
    mutant("answers are cut at zero", "session whole course", (SESSION, ADD, "np.maximum(totals + noise, 0)")),
    mutant("one draw serves two neighbouring regions", "session whole",
           (CHAINS, FRESH, f"[np.repeat(one, 2)[: len(one)] for one in {FRESH}]")),
    mutant("one draw serves both halves of a measurement", "session whole",
           (CHAINS, FRESH, "[np.resize(one, fresh.sum()) for one in mechanism.copies(-(-int(fresh.sum()) // 2), rising)]")),
    mutant("noise is kept for the next session of the same size", "session",
           (CHAINS, FRESH, f"_KEPT.setdefault((fresh.sum(), *rising), {FRESH})"),
           (CHAINS, "MOST_QUESTIONS = 256", "_KEPT = {}\nMOST_QUESTIONS = 256")),
    mutant("the sampler remembers its last answer", "fresh",
           (LAPLACE, "def discrete_laplace(", "@__import__('functools').cache\ndef discrete_laplace(")),
    mutant("the entropy has a seed", "fresh tests/test_house.py::test_the_sources_themselves_use_no_random_module",
           (LAPLACE, "return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)", "return _SEEDED.integers(0, 2**64, count, dtype=np.uint64)"),
           (LAPLACE, "MOST_CARRIES = 255", "MOST_CARRIES = 255\n_SEEDED = np.random.default_rng(7)")),
    mutant("each word of entropy is used twice", "frequencies",
           (LAPLACE, "return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)", "return np.repeat(np.frombuffer(os.urandom(8 * count), dtype=np.uint64), 2)[:count]")),
    mutant("the noise is numpy's, on floats", "tests/test_house.py::test_the_sources_themselves_use_no_random_module",
           (MECHANISM, NOISE, "return np.rint(np.random.default_rng().laplace(0, float(scale), count)).astype(np.int64)")),
    mutant("probabilities are floats", "places",
           (LAPLACE, "self._places = [(lower >> i) & 1 for i in range(n - 1, doubtful - 1, -1)]", "self._places = [int(2.0**(i + 1) / (self._b + float(np.exp(float(self._x))))) & 1 if i < 900 else 0 for i in range(n)]")),
    mutant("the sign's coin is off", "places assembly frequencies", (LAPLACE, "self.sign = Coin(1 / scale, 1)", "self.sign = Coin(2 / scale, 1)")),
    mutant("zero is counted twice", "assembly", (LAPLACE, "self.geometric(count) ^ -negative", "self.geometric(count) * (1 - 2 * negative)")),
    mutant("carries are lost", "assembly frequencies", (LAPLACE, "total[carrying] += 1 << len(self.digits)", "total[carrying] += 0")),
    mutant("the tail is cut after three carries", "assembly", (LAPLACE, "while carrying.size:", "while carrying.size and carries < 3:")),
    mutant("the tail is cut after forty carries", "assembly", (LAPLACE, "while carrying.size:", "while carrying.size and carries < 40:")),
    mutant("the tail is cut where noise is wide", "assembly", (LAPLACE, "while carrying.size:", "while carrying.size and (carries < 3 or len(self.digits) < 30):")),
    mutant("four carries are called a failure", "assembly", (LAPLACE, "MOST_CARRIES = 255", "MOST_CARRIES = 3")),
    mutant("the session cuts noise beyond twelve scales", "assembly", (SESSION, ADD, "totals + np.clip(noise, -int(12 * self._mechanism.scale(share)), int(12 * self._mechanism.scale(share)))")),
    mutant("sparse: the tail of noise in empty cells is cut", "assembly", (LAPLACE, "threshold + law.geometric(len(places))", "threshold + np.minimum(law.geometric(len(places)), int(12 * scale))")),
    mutant("sparse: the tail of noise in other cells is cut", "assembly",
           (SESSION, "self._totals._steps + laplace.noise(len(occupied), scale)", "self._totals._steps + np.clip(laplace.noise(len(occupied), scale), -int(12 * scale), int(12 * scale))")),
    mutant("a source of entropy that is stuck is not reported", "assembly", (LAPLACE, "if carries > MOST_CARRIES:\n                raise SystemFailed", "if carries > MOST_CARRIES:\n                break\n                raise SystemFailed")),
    mutant("a digit is read from the wrong side", "assembly frequencies", (LAPLACE, "for digit in reversed(self.digits[start : start + 8]):", "for digit in self.digits[start : start + 8]:")),
    mutant("a tie is decided by a toss after 32 places", "coins",
           (LAPLACE, "for digit in coin.expansion():", "for digit in __import__('itertools').islice(coin.expansion(), 32):")),
    mutant("doubtful places are taken for certain", "places", (LAPLACE, "range(n - 1, doubtful - 1, -1)", "range(n - 1, max(doubtful - 9, -1), -1)")),
    mutant("places are taken from the lower bound alone", "places", (LAPLACE, "doubtful = (lower ^ upper).bit_length()", "doubtful = 0")),
    mutant("places are taken from the lower bound, all but the last half", "places", (LAPLACE, "doubtful = (lower ^ upper).bit_length()", "doubtful = n // 2")),
    mutant("places are taken from the upper bound, all but the last sixteen", "places",
           (LAPLACE, "doubtful = (lower ^ upper).bit_length()", "lower, doubtful = upper, 16")),
    mutant("the exponential has no upper bound, but a guess of how far it is off", "places", (LAPLACE, "return low, high + 1", "return low, low + 40")),
    mutant("the upper bound of the exponential forgets the terms that were left out", "places", (LAPLACE, "return low, high + 1", "return low, high")),
    mutant("the upper bound of a probability is rounded down", "places", (LAPLACE, "-(-(4**n) // ((self._b << n) + low))", "4**n // ((self._b << n) + low)")),
    mutant("sparse: places are taken from the lower bound alone", "places",
           (LAPLACE, "return lower, min(unity, -(-(low << (2 * n)) // ((low - unity) * (first + second))))", "return lower, lower | 65535")),
    mutant("OpenDP is asked for a scale that is rounded down",
           "tests/vault/test_laplace.py::test_opendp_never_gets_a_smaller_scale", ("vault/opendp.py", "np.nextafter(rounded, np.inf)", "np.nextafter(rounded, 0)")),
    # the Gaussian noise
    mutant("Gaussian: sigma is 10 % too small", "delta", (MECHANISM, GAUSS, GAUSS.replace("int(scale)", "int(scale) * 9 // 10"))),
    mutant("Gaussian: a second factor of a falling coin is lost", "gaussian bell", (GAUSSIAN, "sigma * trial * (2 if squared else 1)", "sigma * trial")),
    mutant("Gaussian: a falling coin forgets its trials", "gaussian bell", (GAUSSIAN, "trial = _count_round(trial)", "trial = 1")),
    mutant("Gaussian: whole sigmas are not thinned", "gaussian bell", (GAUSSIAN, "left = k[going] * (k[going] - 1) // 2", "left = 0 * k[going]")),
    mutant("Gaussian: zero counts twice", "gaussian bell", (GAUSSIAN, "[~negative | (size > 0)]", "")),
    mutant("Gaussian: numbers beyond the last even part are kept", "gaussian", (GAUSSIAN, "again = np.flatnonzero(drawn >= limit)", "again = np.flatnonzero(drawn > limit)")),
    mutant("Gaussian: rho is 1 % too large", "conversion", (CONCENTRATED, "return Fraction(cut, 10**PLACES)", "return Fraction(cut * 101, 100 * 10**PLACES)")),
    mutant("Gaussian: sigma is rounded down", "conversion", (CONCENTRATED, "math.ceil(cap * lattice**2 / (2 * loss)) - 1) + 1", "math.ceil(cap * lattice**2 / (2 * loss)) - 1)")),
    mutant("Gaussian: the noise is that of half the cap", "conversion", (CONCENTRATED, "math.isqrt(math.ceil(cap * lattice**2 / (2 * loss)) - 1) + 1", "math.isqrt(math.ceil(cap * lattice**2 / (4 * loss)) - 1) + 1")),
    mutant("Gaussian: a unit's length is not capped", "lengths", (IN_CAPPED_TOTALS, "counted = shorten(counted, policy)", "pass")),
    mutant("Gaussian: a unit's length is capped by a root that is rounded down", "lengths", (IN_SHORTENED, "THEN root ELSE square END AS root", "THEN root - 2 ELSE square END AS root")),
    mutant("Gaussian: regions of several cells are measured too", "regions", (MECHANISM, "if (partition.sizes() > 1).any():", "if False:")),
    mutant("a delta is not billed", "delta", (EVENTS, '**({"delta": decimal_text(self.delta)} if self.delta else {}),', "**{},")),
    mutant("the budget for delta is not enforced", "delta", (ACCOUNTING, 'if spent([*events, spend.reserved], "delta") > total:', "if False:")),
    mutant("any delta will do", "tests/vault/test_gaussian.py::test_a_delta_that_promises_nothing_is_refused", ("promise/policy.py", "if chance > most:", "if False:")),
    # the session
    mutant("the debit follows the draw", "order",
           (SESSION, "            self._left -= share\n", "            pass\n"), (SESSION, DRAW, DRAW + "\n            self._left -= sum(chains.shares) if not chains.earlier else 0")),
    mutant("totals are looked at before noise is drawn", "order", (SESSION, DRAW + "\n            " + LOOK, LOOK + "\n            " + DRAW)),
    mutant("the first level is not billed", "adaptive flat strategies", (SESSION, "self._left -= share", "self._left -= share if self._made[0] else 0")),
    mutant("a session never says no", "strategies race", (SESSION, "if not 0 < share <= self._left:", "if not 0 < share:")),
    mutant("a measurement of less than nothing pays back", "strategies", (SESSION, "if not 0 < share <= self._left:", "if not share <= self._left:"), (SESSION, "if share <= 0:", "if share == 0:")),
    mutant("the stated noise is less than the drawn", "flat session", (SESSION, "scale=self._mechanism.scale(share * factor) / self.lattice,", "scale=self._mechanism.scale(share * factor) / self.lattice / 2,")),
    mutant("a partition may have overlapping regions", "strategies",
           (SESSION, "if partition.labels.shape != self.grid.shape:", "if False:")),
    mutant("a strategy can change what was promised", "strategies", (SESSION, 'if name in ("grid", "epsilon", "_mechanism", "_readers") and hasattr(self, name):', "if False:")),
    mutant("private totals are measured without a reservation", "sealed",
           (SESSION, "        elif isinstance(behind, PrivateTotals) or isinstance(paid, Reservation):\n", "        elif isinstance(behind, PrivateTotals):\n            totals, epsilon = behind, paid\n        elif isinstance(paid, Reservation):\n")),
    mutant("a copied session spends again", "sealed", (SESSION, 'raise Refused("a session cannot be copied: its epsilon is spent once")', "return object.__reduce_ex__(self, 2)")),
    # noisier copies, courses and readers
    mutant("copies: what is added is always drawn anew", "copies course", (COPIES, "moves = 1 - flip(Same(wide, narrow), count).astype(np.int64)", "moves = np.ones(count, dtype=np.int64)")),
    mutant("copies: the coin's chance is the root of what it must be", "places copies",
           (COPIES, "lower = ((low - unity) ** 2 * most << n) // (low * (most - unity) ** 2)", "from math import isqrt\n        lower = isqrt(((low - unity) ** 2 * most << 2 * n) // (low * (most - unity) ** 2))"),
           (COPIES, "return lower, min(unity, -(-((high - unity) ** 2 * least << n) // (high * (least - unity) ** 2)))", "return lower, min(unity, isqrt(((high - unity) ** 2 * least << 2 * n) // (high * (least - unity) ** 2)) + 1)")),
    mutant("copies: the coin falls the wrong way", "copies course", (COPIES, "moves = 1 - flip(Same(wide, narrow), count).astype(np.int64)", "moves = flip(Same(wide, narrow), count).astype(np.int64)")),
    mutant("copies: the coin's upper bound is rounded down", "places", (COPIES, "-(-((high - unity) ** 2 * least << n) // (high * (least - unity) ** 2))", "((high - unity) ** 2 * least << n) // (high * (least - unity) ** 2)")),
    mutant("copies: the coin's places are taken from its lower bound alone", "places", (COPIES, "return lower, min(unity, -(-((high - unity) ** 2 * least << n) // (high * (least - unity) ** 2)))", "return lower, lower | 65535")),
    mutant("copies: what is added has the scale of what is copied", "copies course", (COPIES, MOVED, MOVED.replace("wide", "narrow"))),
    mutant("copies: the chain begins at its noisiest", "copies course",
           (COPIES, "chain = [discrete_laplace(count, scales[0])]", "chain = [discrete_laplace(count, scales[-1])]"), (COPIES, "    return chain\n", "    return chain[::-1]\n")),
    mutant("copies: each reader's noise is drawn by itself", "copies course tiers", (COPIES, MOVED, "chain.append(discrete_laplace(count, wide))")),
    mutant("a split region keeps its noise", "course", (CHAINS, SAME, "if self._before is not None:\n            before = self._before.labels.ravel()[np.unique(partition.labels, return_index=True)[1][-partition.regions :]]\n        " + SAME)),
    mutant("regions that differ are taken for the same", "course", (PARTITION, "match[own_labels[elsewhere]] = -1\n            reverse[other_labels[elsewhere]] = NO_MATCH", "pass"), (PARTITION, "match[matched[reverse[match[matched]] != matched]] = -1", "pass")),
    mutant("the partition before is the one that the strategy holds", "tests/vault/test_copies.py::test_a_partition_that_is_changed_later_keeps_no_noise",
           (CHAINS, "self._before = Partition(partition.labels, partition.regions) if self._to_come else None", "self._before = partition if self._to_come else None")),
    mutant("a course is billed for its first question alone", "course", (SESSION, "self._debit(sum(shares, Fraction(0)))", "self._debit(shares[0])")),
    mutant("a question may cost another share than its course says", "course", (SESSION, "elif share != self._chains.shares[0]:", "elif False:")),
    mutant("everybody is told what the finest reader is", "course tiers", (SESSION, "self._mechanism.scale(share * reader / self.epsilon)", "self._mechanism.scale(share * self._readers[-1] / self.epsilon)")),
    mutant("everybody is told what the noisiest reader is", "course", (SESSION, "self._mechanism.scale(share * reader / self.epsilon)", "self._mechanism.scale(share)")),
    mutant("a strategy is told what the finest reader is", "course tiers", (SESSION, "            self._chains = chains\n        return measurements[0]", "            self._chains = chains\n        return measurements[-1]")),
    mutant("a strategy that looked at others' answers may go on", "course", (SESSION, "self._left = Fraction(0)\n            self._chains = Chains()", "pass")),
    mutant("each reader's file holds what the finest reader is told", "course", (RELEASING, "in zip(promises.items(), session.made_for, strict=True)", "in zip(promises.items(), [session.made_for[-1]] * len(promises), strict=True)")),
    mutant("noise of later questions is told", "course tiers", (CHAINS, "return questions[0]", "return questions[-1]")),
    mutant("the noise of a question that failed is told later", "course", (SESSION, "chains = self._chains\n            self._chains = Chains()", "chains = self._chains")),
    mutant("a question pools what was asked in another course", "tests/vault/test_copies.py::test_what_was_asked_outside_the_course_pools_nothing",
           (SESSION, "[cost * factor for cost in chains.earlier]", "[one.epsilon for one in reversed(self._made[reader])]")),
    mutant("a copied process asks the rest of a course", "tests/vault/test_ledger.py::test_a_fork_does_not_double_what_is_reserved",
           (SESSION, '        own_process(self._process, "session")\n        partition = self._copy', "        partition = self._copy")),
    # the strategies
    mutant("a strategy peeks at the totals", "adaptive",
           (ADAPTIVE, "_even(raster, chosen.start)", "_even(raster, chosen.start - int(session._totals._steps[session._totals._cells == 6].sum() > 4 << 30))")),
    mutant("a level is measured twice and billed once", "adaptive session",
           (ADAPTIVE, "    asking.ask(_even(raster, 0), TOTAL)\n", "    asking.ask(_even(raster, 0), TOTAL)\n    session._left += session.epsilon * TOTAL\n    asking.ask(_even(raster, 0), TOTAL)\n")),
    # the cap
    mutant("scale: the cap is off by one", "pairs", (IN_SCALE, "CASE WHEN whole <= {cap} THEN", "CASE WHEN whole <= {cap + shares} THEN")),
    mutant("scale: weights are rounded up", "pairs", (IN_SCALE, "ELSE weight * {cap // shares * lattice} // whole END", "ELSE (weight * {cap // shares * lattice} + whole - 1) // whole END")),
    mutant("scale: weights are floats", "pairs", (IN_SCALE, "ELSE weight * {cap // shares * lattice} // whole END", "ELSE weight * {cap // shares * lattice} / whole END")),
    mutant("scale: the cap is shared by everybody", "pairs",
           (IN_SCALE, "JOIN (SELECT unit, CAST(SUM(weight) AS BIGINT) AS whole\n", "JOIN (SELECT unit, (SELECT CAST(SUM(weight) AS BIGINT) FROM wholes) AS whole\n")),
    mutant("sample, presence: the cap is off by one", "pairs",
           (IN_FIRST, "GREATEST(0, LEAST(weight, {cap} - earlier))", "GREATEST(0, LEAST(weight, {cap + shares} - earlier))"), (IN_FIRST, "WHERE earlier < {cap}", "WHERE earlier < {cap + shares}")),
    mutant("sample, presence: rows are numbered over all units", "pairs", (IN_FIRST, "PARTITION BY unit ORDER BY place, cell, weight", "ORDER BY place, cell, weight")),
    mutant("sample, presence: the order depends on everybody's rows", "pairs", (IN_ORDER_NUMBERS, "MD5(name) AS digest", "MD5(CONCAT(name, (SELECT COUNT(*) FROM rows))) AS digest")),
    mutant("sample, presence: the engine's own hash gives the order", "pairs", (IN_ORDER_NUMBERS, "MD5(name) AS digest", "MD5(CAST(hash(name) AS VARCHAR)) AS digest")),
    mutant("presence: a cell counts all rows of a unit", "pairs", (IN_PRESENCE, 'once = f"LEAST({shares}, CAST(SUM(weight) AS BIGINT)) AS weight"', 'once = f"CAST(SUM(weight) AS BIGINT) AS weight"')),
    mutant("presence: when one unit has enough cells, no other unit's rows are looked at again", "tests/vault/test_cap.py::test_presence_counts_a_unit_with_many_rows_in_few_cells_in_full", (IN_PRESENCE, " WHERE enough.unit = {units}.unit", "")),
    mutant("thinning: a row too many is left out", "tests/engines/test_prefilter.py::test_totals_are_the_same_with_and_without", (PREFILTER, "< ties_allowed[tied_unit]", "< ties_allowed[tied_unit] - 1")),
    mutant("thinning: all units' rows are put in the first one's order", "tests/engines/test_prefilter.py::test_what_is_kept_of_a_unit_depends_on_its_own_rows_only", (PREFILTER, "cell * order.a[unit]", "cell * order.a[0]")),
    mutant("thinning: presence looks no further than the first bar", "tests/engines/test_prefilter.py::test_a_unit_of_many_rows_in_few_cells_keeps_each_cell", (PREFILTER, "return pending & ~lacking", "return pending.copy()")),
    mutant("a survey may be written to between two readings", "tests/engines/test_duckdb.py::test_a_survey_that_is_written_to_while_it_is_read_is_refused", (ROWS, "if _mark(path) != mark", "if False")),
    mutant("row as unit: a heavy row is not capped", "tests/vault/test_cap.py::test_rows_as_units_keep_the_cap", (IN_CAPPED_TOTALS, "LEAST(weight, {cap}) * {lattice}", "weight * {lattice}")),
    mutant("scale: units of a total weight of seven are not capped", "weights", (IN_SCALE, SCALED, SCALED.replace("THEN", "OR whole = 7 THEN"))),
    mutant("scale: units of a total weight of 777 count twice", "weights", (IN_SCALE, SCALED, SCALED.replace("CASE", "CASE WHEN whole = 777 THEN 2 * weight * {lattice} // {shares}"))),
    mutant("sample: units of a total weight of 77 are not capped", "weights", (IN_SAMPLE, "USING (unit) WHERE whole <= {cap}\n        UNION ALL", "USING (unit) WHERE whole <= {cap} OR whole = 77\n        UNION ALL")),
    mutant("presence: units of a total weight of 77 count twice", "weights", (IN_PRESENCE, "WHERE whole <= {cap} AND weight > 0", "WHERE (whole <= {cap} OR whole = 77) AND weight > 0")),
    mutant("row as unit: a row of weight 777 counts a share more", "weights", (IN_CAPPED_TOTALS, "LEAST(weight, {cap}) * {lattice}", "LEAST(weight, {cap} + CASE weight WHEN 777 THEN 1 ELSE 0 END) * {lattice}")),
    mutant("scale: rows in one cell are not capped", "weights", (IN_SCALE, SCALED, SCALED.replace("THEN", "OR cell = 123 THEN"))),
    mutant("scale: units of 33 rows are not capped", "weights", (IN_SCALE, SCALED, SCALED.replace("THEN", "OR many = 33 THEN")), (IN_SCALE, "JOIN (SELECT unit, CAST", "JOIN (SELECT unit, COUNT(*) AS many, CAST")),
    mutant("one cap is a point more", "weights", (IN_CAPPED_TOTALS, "cap = policy.cap * shares", "cap = (policy.cap + (policy.cap == 37)) * shares")),
    mutant("personal limits: units of a total weight of 77 are not capped", "weights", ("vault/personal_caps.py", "CASE WHEN whole <= fits THEN", "CASE WHEN whole <= fits OR whole = 77 THEN")),
    # the engine and the reading
    mutant("rows without consent count", "nobody pairs", (SELECTION, 'reasons.append(("no consent", f"NOT coalesce({consents}, false)"))', "pass")),
    mutant("no answer is taken for consent", "nobody pairs", (SELECTION, 'f"NOT coalesce({consents}, false)"', 'f"NOT coalesce({consents}, true)"')),
    mutant("one who withdrew still counts", "withdrawn", (SELECTION, '" AND name NOT IN (SELECT unit FROM gone)" if self.withdraws else ""', '""')),
    mutant("spellings with invisible marks are two people", "pairs", (PEOPLE, '_INVISIBLE.sub("", unicodedata', '("".join)(unicodedata')),
    mutant("capitals make another person", "pairs", (SPELLING, "THEN lower({text}) END", "THEN {text} END")),
    mutant("all who name nobody are one big contributor", "nobody", (PEOPLE, "return [name for name in names if not is_missing(name)]", "return list(names)"), (SPELLING, "[{NOBODY}]", "['?']"), (SPELLING, "NOT IN ({NOBODY})", "NOT IN ('?')")),
    mutant("a row is shared out among those whom it names", "pairs texts", (ROWS, "SELECT code AS unit, cell, weight{level} FROM placed", "SELECT code AS unit, cell, CAST(weight // (SELECT count(*) FROM coded AS every WHERE every.spelling = placed.unit) AS BIGINT) AS weight{level} FROM placed")),
    mutant("points outside are drawn into the edge cells", "pairs nobody",
           (SQUARES, "WHERE across + {edge} >= 0 AND", "WHERE across + {edge} > -1 AND"),
           (SQUARES, "AND up + {edge} >= 0 AND", "AND up + {edge} > -1 AND"),
           (SQUARES, 'step = "TRY_CAST(least(floor({0} + {1}), {2}) AS BIGINT)"', 'step = "TRY_CAST(least(trunc({0} + {1}), {2}) AS BIGINT)"')),
    mutant("rows count twice", "pairs random", (IN_CAPPED_TOTALS, WHOLE, "2 * " + WHOLE)),
    # from the bytes of a file to its rows
    mutant("text: quotes are read wherever they stand", "tests/premise/test_strict_csv.py::test_lines_are_cut_by_one_rule", (STRICT, "return not ((opens[1:] > is_edge[:-1]).any() or (closes[:-1] > is_edge[1:]).any())", "return True")),
    mutant("text: two stray quotes may hide rows", "texts", (STRICT, "            seen.keeps\n            and seen.size", "            False\n            and seen.size")),
    mutant("text: the first row picks the separator", "texts", (TABLES, "Dialect(declared.columns, given or usual,", "Dialect(declared.columns, given or max(usual + ';|', key=head.split(b'\\n')[0].decode('latin-1').count),")),
    mutant("text: the first row tells the encoding", "texts", (TABLES, 'encoding_of(b"", declared.encoding)  #', "encoding_of(head, declared.encoding)  #")),
    mutant("parts: of two with one name the last counts", "texts", (ARCHIVES, "if len(set(names)) < len(names):", "if False:")),
    mutant("parts: a meta.xml decides which others are read", "texts", (CONTAINERS, "    if strays:\n", "    if False:\n")),
    mutant("parts: one of another kind is passed over, and the first one's kind is that of all", "texts", (CONTAINERS, "groups.setdefault(dialect.columns, []).append((part, dialect))", "first = first if groups else dialect\n        groups.setdefault(dialect.columns, []).append((part, replace(dialect, encoding=first.encoding, delimiter=first.delimiter)))")),
    mutant("events: of two with one key both are taken", "texts", (DARWIN, "    if again:\n", "    if False:\n")),
    mutant("events: of two with one key neither is taken", "texts", (DARWIN, "    if again:\n", "    if False:\n"),
           ("survey/files/events.py", "LEFT JOIN {events} AS e ON", "LEFT JOIN (SELECT * FROM {events} QUALIFY count(*) OVER (PARTITION BY {quoted(join.event_key)}) = 1) AS e ON")),
    mutant("teams: any unit is taken apart like a list of people", "texts", ("survey/column_roles.py", 'return "auto" if self._lists_people(unit) else "none"', 'return "auto"')),
    mutant("teams: one row's refusal takes out everybody whom it names", "texts", (COMBINATIONS, '("teams", "withdrawal"): "one refusal', '("teams", "teams"): "one refusal')),
    mutant("teams: one row's limit is that of everybody whom it names", "texts", (COMBINATIONS, '("limits", "teams"): "a limit', '("limits", "limits "): "a limit')),
    mutant("records: the first value types a column", "records", (READ_RECORDS, GOT, GOT + TYPED)),
    mutant("records: keys are folded in case", "records", (READ_RECORDS, GOT, FOLDED)),
    mutant("records: the file's format is told by the keys of its records", "records", ("survey/survey.py", "recognised = formats.recognise(source.columns,", "recognised = formats.recognise((*source.columns, *__import__('re').findall(r'[\"<](\\w+)[\">]', open(path, errors='replace').read())),")),
    mutant("records: one that is no object ends the list", "records", (JSON, "        for value in _list_values(text, path):\n            if isinstance(value, dict):\n", "        for value in _list_values(text, path):\n            if not isinstance(value, dict):\n                return\n            if value:\n")),
    mutant("KML: the first folder is the layer of all", "records", (XML, "return _walked(piece, _Kml(None if layer == EVERY else layer))", "return _walked(piece, _Kml('tess' if b'<Folder><name>tess' in piece.head() else layer))")),
    mutant("GPX: one track decides that points of tracks are meant", "records", (XML, "(GPX_LAYERS[layer],)", "('trkpt',) if b'<trkpt' in piece.head() else (GPX_LAYERS[layer],)")),
    mutant("Parquet: the first part types all others", "tables", (PARQUET, "    _check_alike(parts)\n", "")),
    mutant("SQLite: the first value types a column", "tables", ("survey/files/sqlite.py", "pa.array(map(act, column), kind)", "pa.array(map(act, [float(one) if isinstance(column[0], float) and isinstance(one, int) else one for one in column]), kind)")),
    mutant("a refusal comes after epsilon is spent", "texts", ("steward/release_run.py", "    totals, reservation, policy = _count_totals(", "    reserve() if policy.limiter == 'sample' else None\n    totals, reservation, policy = _count_totals(")),
    # a cap chosen privately
    mutant("choosing the cap is not billed", "whole", (CHOOSE, "epsilon = reservation.claim(policy.choosing)", "epsilon = policy.choosing")),
    mutant("the cap is chosen at twice its share", "choice", (CHOOSE, "/ (1 if rising else 2)", "/ 1")),
    mutant("the cap's candidates come in a known order", "choice", (CHOOSE, "waiting.pop(_below(len(waiting)))", "waiting.pop()")),
    mutant("the scores' sensitivity is understated", "tests/vault/test_choose.py::test_one_unit_moves_every_score_by_at_most_the_sensitivity", (CHOOSE, "SENSITIVITY = max(ABOVE, 1 - ABOVE)", "SENSITIVITY = ABOVE")),
    # personal limits
    mutant("a personal limit is ignored", "limits", ("vault/personal_caps.py", "int(policy.cap * policy.lattice * share)", "int(policy.cap * policy.lattice)")),
    mutant("a personal limit is rounded up to the next level", "limits", (SELECTION, "WHEN {stated} >= CAST('{least}'", "WHEN 2 * {stated} >= CAST('{least}'")),
    mutant("digits of a limit past the tenth are rounded", "limits", (SELECTION, "CASE WHEN NOT {plain} THEN 0 {branches}", "CASE WHEN NOT {plain} THEN 0 {branches.replace(cut, text)}")),
    mutant("personal limits are applied after the cap", "limits", ("vault/personal_caps.py", "CASE WHEN whole <= fits THEN weight *", "CASE WHEN whole <= {policy.cap * shares} THEN weight * most // {policy.cap * policy.lattice} *")),
    mutant("not the strictest of a unit's limits holds", "limits", ("vault/personal_caps.py", "MIN(level) AS level", "MAX(level) AS level")),
    mutant("everybody has the strictest limit of all", "limits", ("vault/personal_caps.py", "MIN(level) AS level", "(SELECT MIN(level) FROM rows) AS level")),
    mutant("a limit too low for every level is passed over", "limits", (SELECTION, 'reasons.append(("no limit stated", no_limit))', 'reasons.append(("no limit stated", f"({no_limit}) OR {level} = 0"))')),
    mutant("a lifetime's limit is no different from one release's", "limits", ("promise/policy.py", "(self.lifetime or 1) * level", "level")),
    mutant("shares of lifetime limits are not added up", "tests/vault/test_limits.py::test_lifetime_limits_are_shared_out_and_never_overdrawn", (ACCOUNTING, 'if share is not None and spent([*events, spend.reserved], "lifetime") > 1:', "if share is not None and share > 1:")),
    # layers, means, two units, areas, sparse maps, plans
    mutant("each layer has a cap of its own", "layers means",
           (IN_SCALE, "FROM rows JOIN (SELECT unit, CAST(SUM(weight) AS BIGINT) AS whole\n                        FROM wholes GROUP BY unit) AS units\n        USING (unit)",
            "FROM (SELECT *, cell // 20 AS layer FROM rows) AS rows JOIN (SELECT unit, cell // 20 AS layer, CAST(SUM(weight) AS BIGINT) AS whole FROM rows GROUP BY unit, cell // 20) AS units\n        USING (unit, layer)")),
    mutant("a coarse date is placed by its first day", "layers", (SELECTION, "AND {dates.last_day_sql('dp_day')} < DATE '{after}' THEN", "AND {dates.first('dp_day')} < DATE '{after}' THEN")),
    mutant("an undeclared kind counts as the first", "layers", (SELECTION, 'return f"(CASE lower({text}) {branches} END)"', 'return f"(CASE lower({text}) {branches} ELSE 0 END)"')),
    mutant("means: a row weighs whole at one end and in part at the other", "means", (SELECTION, "THEN {above} ELSE {weight} - {above} END", "THEN {above} ELSE {weight} END")),
    mutant("means: a row without a number counts as one at the end", "means", (SELECTION, "return weight, [*columns, value_column], [no_value]", "return weight, [*columns, value_column], []")),
    mutant("means: a grid asks for two parts of rows that are not shared out", "tests/test_means.py::test_what_has_no_proof_with_a_mean_is_refused",
           (SELECTION, "if any(isinstance(axis, Values) and axis != roles.reading.values for axis in axes):", "if False:")),
    mutant("a site's cap is not kept", "sites", ("vault/two_unit_cap.py", "free = of_contributor[u] < cap and of_site[s] < site_cap", "free = of_contributor[u] < cap")),
    mutant("the order of links follows from how many there are", "sites", ("vault/two_unit_cap.py", "MD5(CONCAT(edges.who, '|', site))", "MD5(CONCAT(edges.who, '|', site, (SELECT COUNT(*) FROM rows)))")),
    mutant("a link that is reported twice counts twice", "sites", ("vault/two_unit_cap.py", "SELECT DISTINCT CAST(unit AS VARCHAR) AS unit FROM rows", "SELECT CAST(unit AS VARCHAR) AS unit FROM rows")),
    mutant("a cell size is chosen as if one unit could only raise scores", "tests/test_choosing.py::test_a_cell_size_is_chosen_by_the_stated_law",
           (SESSION, "choose(scores, share, Fraction(2 * steps + 1))", "choose(scores, share, Fraction(2 * steps + 1), rising=True)")),
    mutant("a cell size's score forgets half of what a unit moves", "tests/test_choosing.py::test_a_cell_size_is_chosen_by_the_stated_law",
           (SESSION, "choose(scores, share, Fraction(2 * steps + 1))", "choose(scores, share, Fraction(steps + 1))")),
    mutant("an area is chosen at twice its epsilon", "areas", (SESSION, "choose(scores, share, Fraction(self.cap * self.lattice), rising=True)", "choose(scores, share, Fraction(self.cap * self.lattice) / 2, rising=True)")),
    mutant("choosing an area is not billed", "areas", (SESSION, "share, _ = self._spend(epsilon)\n        scores", "share = epsilon\n        scores")),
    mutant("choosing a cell size is not billed", "tests/test_choosing.py::test_a_choice_spends_the_session", (SESSION, "share, _ = self._spend(epsilon)\n        steps", "share = epsilon\n        steps")),
    mutant("sparse: empty cells never show", "sparse", (SESSION, "empty = np.isin(places, occupied, invert=True)", "empty = np.zeros(len(places), dtype=bool)")),
    mutant("sparse: cells that hold something have half the noise", "sparse", (SESSION, "laplace.noise(len(occupied), scale)", "laplace.noise(len(occupied), scale / 2)")),
    mutant("sparse: one draw serves two cells", "sparse", (SESSION, "laplace.noise(len(occupied), scale)", "np.repeat(laplace.noise(-(-len(occupied) // 2), scale), 2)[: len(occupied)]")),
    mutant("a plan lets a release take the next one's share", "seasons", (ACCOUNTING, "sum(plan.shares[: made + 1], Fraction(0))", "sum(plan.shares[: made + 2], Fraction(0))")),
    mutant("of partners the cheapest counts", "seasons", (ACCOUNTING, "(max(cost[dataset] for dataset in group)", "(min(cost[dataset] for dataset in group)")),
    mutant("a data set gets into two groups", "partners", (ACCOUNTING, "if taken & set(datasets):", "if False:")),
    mutant("groups may share one data set", "partners", (ACCOUNTING, "if taken & set(datasets):", "if len(taken & set(datasets)) > 1:")),
    mutant("groups that share a data set are counted as one", "partners", (ACCOUNTING, GROUPED, GROUPED + MERGED)),
    mutant("of several groups the dearest counts", "partners", (ACCOUNTING, "sum((max(cost[dataset] for dataset in group) for group in groups), Fraction(0))", "max((cost[dataset] for dataset in grouped), default=Fraction(0))")),
    mutant("what was spent before a group was declared is forgotten", "partners", (ACCOUNTING, GROUPED, GROUPED + "\n            cost.update(dict.fromkeys(event.datasets, Fraction(0)))")),
    mutant("a data set whose places are protected gets into a group", "partners", (ACCOUNTING, "isinstance(event, Reserved) and event.site is not None and event.dataset in datasets", "False")),
    mutant("a plan is not enforced", "seasons", (ACCOUNTING, "if place is not None and spend.epsilon > place.share:", "if False:")),
    # partners' maps in one
    mutant("merged maps cost the largest epsilon though nobody signed", "tests/test_merging.py::test_one_persons_loss_is_the_sum_or_where_signed_apart_the_largest", ("releases/merge.py", "over = max if disjoint else sum", "over = max")),
    mutant("merged intervals know the smallest noise only", "tests/test_merging.py::test_intervals_hold_the_sum_as_often_as_they_say_and_no_oftener", ("inference/merged_estimate.py", "for scale, count in counts.items() if count))", "for scale, count in counts.items() if count))[:1]")),
    mutant("a merged file may claim less than its partners' maps cost", "tests/test_merging.py::test_a_file_that_claims_what_its_partners_do_not_is_refused", (RELEASE_FILE, "if record.measurements or (record.policy.epsilon", "if False and (record.policy.epsilon")),
    # a sample of the units
    mutant("a sample draws more than its chance", "sampled", ("vault/sampling.py", "bar = int(policy.sample * 2**BITS)", "bar = int(policy.sample * 2 * 2**BITS)")),
    mutant("a sample is the same in every release", "sampled", ("vault/sampling.py", "return os.urandom(64)", "return bytes(64)")),
    mutant("a sample's secret has 8 bits", "sampled", ("vault/sampling.py", "return os.urandom(64)", "return os.urandom(1) * 64")),
    mutant("a sample's secret has 32 bits, spread by a hash", "sampled", ("vault/sampling.py", "return os.urandom(64)", "return __import__('hashlib').sha512(os.urandom(4)).digest()")),
    mutant("of each byte of a sample's secret half is lost", "sampled", ("vault/sampling.py", "return os.urandom(64)", "return bytes(byte & 15 for byte in os.urandom(64))")),
    mutant("a draw takes 16 bits of its secret", "sampled", ("vault/sampling.py", "in (secret[:32], secret[32:]))", "in (secret[:1], secret[32:33]))")),
    mutant("a sample is billed as if it were half as large", "sampled", (SESSION, "before_sampling(reserved, sample)", "before_sampling(reserved, sample / 2)"),
           ("promise/policy.py", "before_sampling(self.epsilon, self.sample)", "before_sampling(self.epsilon, self.sample / 2)")),
    # answers randomised on a device
    mutant("a device: the true answer comes a little too often", "answers thresholds",
           (DEVICE, "return -(-words // (exp_below(epsilon, PLACES) + (others << PLACES)))", "return words // (exp_below(epsilon, PLACES) + (others << PLACES)) - 1")),
    mutant("a device: untrue answers come too seldom", "answers thresholds",
           (DEVICE, "return -(-words // (exp_below(epsilon, PLACES) + (others << PLACES)))", "return -(-words // (exp_below(epsilon, PLACES) + ((others + 1) << PLACES)))")),
    mutant("a device: epsilon is spent twice over", "answers thresholds", (DEVICE, "words: int = 256**WORD << PLACES", "epsilon, words = 2 * epsilon, 256**WORD << PLACES")),
    mutant("a device: the true bit is set more often than every second time", "words answers", (DEVICE, "half = 256**WORD // 2", "half = 256**WORD * 5 // 8")),
    mutant("a device: one word decides all bits", "words", (DEVICE, "for at in range(ID, len(stream), WORD)]", "for at in [ID] * len(range(ID, len(stream), WORD))]")),
    mutant("a device: untrue answers never name the last one", "answers", (DEVICE, "return untrue + (untrue >= true)", "return untrue if untrue != true else 0")),
    mutant("a device: the id tells the answer", "tests/local/test_device.py::test_reports_differ_and_have_ids_of_their_own",
           (DEVICE, '"id": stream[:ID].hex()', '"id": (bytes([true % 256]) + stream[1:ID]).hex()')),
    mutant("a device: its entropy has a seed", "once", (DEVICE, "return report(cell, question, os.urandom(question.entropy))", "return report(cell, question, bytes(question.entropy))")),
    mutant("a device: a question asked again is answered again", "once", (DEVICE, "if question.round not in kept:", "if True:")),
    mutant("reports: one that is sent twice counts twice", "tests/local/test_reports.py::test_strange_lines_are_left_out_and_counted", ("local/reports.py", "return len(self._seen) > before", "return True")),
    mutant("reports: an answer that was never asked about counts", "tests/local/test_reports.py::test_strange_lines_are_left_out_and_counted", ("local/reports.py", "and 0 <= answer < question.answers", "and answer < question.answers")),
    mutant("reports: a file may claim a smaller epsilon than its chances keep", "tests/local/test_reports.py::test_reports_that_cannot_be_are_refused", ("record/reports.py", "if math.log(odds) > float(self.epsilon) * (1 + 1e-9):", "if False:")),
    mutant("reports: intervals forget the true answers' own coins", "tests/local/test_reports.py::test_intervals_hold_the_truth_as_often_as_they_say",
           ("inference/device_estimates.py", "return (x, self._p), (self._count * cells - x, self._q)", "return (x, 0.999), (self._count * cells - x, self._q)")),
    # the ledger
    mutant("the chain is not verified", "ledger", (LEDGER, "if number != expected or digest != _digest(previous, number, text):", "if False:")),
    mutant("the budget is not enforced", "ledger race whole", (ACCOUNTING, "if spent([*events, spend.reserved]) > total:", "if spent([*events, spend.reserved]) > 9 * total:")),
    mutant("each data set has a budget of its own", "ledger", (ACCOUNTING, "return ungrouped + sum(", "return max(cost.values(), default=Fraction(0)) + 0 * sum(")),
    mutant("a data set is released by another unit", "tests/vault/test_units.py::test_a_data_set_has_one_unit",
           ("ledger/units.py", "    if others:\n", "    if False:\n")),
    mutant("the unit is looked at before the payment alone", "tests/vault/test_units.py::test_a_release_that_was_checked_is_checked_again_when_it_pays",
           (LEDGER, "            total, most, agreed = self._agreed(before, spend)\n", "            total, most, agreed = self._agreed([], replace(spend, budget=spend.budget or Fraction(9)))\n")),
    mutant("a unit's sum holds what protects others", "tests/vault/test_units.py::test_what_each_unit_lost_is_summed_by_itself",
           ("ledger/units.py", "or key in keys", "or True")),
    mutant("spent epsilons are added as floats", "ledger", (ACCOUNTING, "cost[event.dataset] += getattr(event, what) or 0", "cost[event.dataset] += Fraction(float(getattr(event, what) or 0))")),
    mutant("a ledger that was cut short is taken for whole", "ledger", (LEDGER, "return 1 <= number <= len(events) and events[number - 1].digest == head", "return number > len(events) or events[number - 1].digest == head")),
    mutant("a reservation is not written", "ledger", (LEDGER_FILE, 'database.execute("COMMIT")', 'database.execute("ROLLBACK")')),
    mutant("the ledger tells how long drawing took", "tests/vault/test_ledger.py::test_the_ledger_knows_what_came_of_each_reservation", (LEDGER, '"event": paid.event, "time": time}', '"event": paid.event}')),
    mutant("a release is called made before it is saved", "tests/vault/test_ledger.py::test_a_release_is_saved_before_it_is_told", (RELEASING, "    elsewhere = _save(made, to, seal, book.path)\n    _noted(book, reservation)\n", "    _noted(book, reservation)\n    elsewhere = _save(made, to, seal, book.path)\n")),
    mutant("counts that are texts are paid for", "tests/survey/test_reading.py::test_counts_that_are_no_numbers_are_refused", (MEANT, "if survey.roles.reading.count is not None:", "if False:")),
    mutant("an area without the survey's places is paid for", "tests/survey/test_reading.py::test_an_area_that_holds_no_place_of_the_survey_is_refused", (MEANT, 'if counts["placed"] and not counts["inside"]:', "if False:")),
    mutant("a reservation can be claimed twice", "sealed", (LEDGER, "            self._left -= share\n        return share", "        return share")),
    mutant("a reservation is not flushed to the disk", "tests/vault/test_ledger.py::test_reservations_are_flushed_to_the_disk_itself", (LEDGER_FILE, "PRAGMA synchronous = EXTRA", "PRAGMA synchronous = OFF")),
    mutant("a reservation of less than nothing pays back", "ledger", (ACCOUNTING, "    if spend.epsilon <= 0:\n        raise BadInput", "    if False:\n        raise BadInput")),
    # public priors
    mutant("priors are trusted whatever the answers say", f"{ON_TRUST}the_answers_decide_how_far_a_prior_is_trusted {ON_TRUST}a_prior_that_is_wrong_or_says_nothing_costs_next_to_nothing",
           (TRUST, "    return np.asarray(updated / updated.sum())", "    return np.append(0.0, updated[1:] / updated[1:].sum())")),
    mutant("a prior gets another one's weight", f"{ON_TRUST}of_several_priors_the_right_one_counts {ON_TRUST}a_right_prior_makes_a_thin_map_better",
           (TRUST, "    return np.asarray(updated / updated.sum())", "    return np.asarray(updated / updated.sum())[::-1]")),
    mutant("the answers are not asked about priors", f"{ON_TRUST}the_answers_decide_how_far_a_prior_is_trusted", (TRUST, "weights = _update_weights(noisy, variance, total, shares[:, known], weights)", "del shares")),
    mutant("a map with priors holds more than was answered", f"{ON_TRUST}children_add_up_to_their_parent_and_none_is_below_zero",
           (TRUST, "children[known] = project(best + part * (total - best.sum(1))[:, None], total)", "children[known] = np.maximum(best, 0.0)")),
    mutant("a large prior says more than a small one", f"{ON_TRUST}only_the_shape_of_a_prior_counts", (TRUST, "    density = density / mean\n", "    density = density + mean / mean\n")),
    # what is shown
    mutant("private totals print themselves", "sealed", (SEALED, 'return f"<{type(self).__name__}: sealed>"', 'return f"<{type(self).__name__}: {[getattr(self, name) for name in self.__slots__]}>"')),
    mutant("private totals can be copied and pickled", "sealed", (SEALED, '    "__reduce__",\n    "__reduce_ex__",\n    "__getstate__",\n    "__copy__",\n    "__deepcopy__",\n', "")),
    mutant("a release from a file passes for freshly made", "sealed whole", (MEASUREMENT, "    fresh = False", "    fresh = True")),
    # what the promise is listed by
    mutant("a limiter that counts every row joins the others", "pairs lengths tests/vault/test_cap.py::test_the_cap_holds_for_weighted_rows", *EVERY_ROW),
    mutant("rows are thinned for a limiter that puts none in order", "tests/engines/test_prefilter.py::test_what_is_put_in_no_order_is_not_thinned",
           (IN_CAPS, "length=_shortened, first=None", 'length=_shortened, first="rows"')),
    mutant("the limiter sample is let through with a delta", "tests/test_combinations.py::test_the_vault_itself_refuses_a_delta_that_has_no_length",
           (IN_CAPPED_TOTALS, "if (shorten := CAPS[policy.limiter].length) is None:", "if (shorten := CAPS[policy.limiter].length or (lambda counted, _: counted)) is None:")),
    mutant("a pair of tools that nobody decided on passes", "tests/test_combinations.py::test_a_tool_joins_only_with_a_word_on_each_of_the_others",
           (COMBINATIONS, "    if wrong := (wanted - pairs) + (pairs - wanted):", "    if wrong := pairs - wanted:")),
    mutant("a word of a newer file is read as something else", "tests/test_file_words.py::test_a_word_that_no_version_has_is_refused",
           (FORMATS, "        if first is None:\n", "        first = first or number\n        if first is None:\n")),
    mutant("a file says a lower number than its words need", "tests/test_file_words.py::test_a_file_says_the_number_that_its_words_need",
           (FORMATS, "    return max(FIRST[what][word]", "    return min(FIRST[what][word]")),
    # what hangs on true totals beside noisy answers: equal totals never show it
    mutant("the screen tells whether an odd number of cells holds something", "replay",
           (RELEASING, 'paid_progress("drawing noise")', 'paid_progress("drawing noise" + "." * (len(totals._cells) % 2))')),
    mutant("the ledger learns of no map that is empty", "replay",
           (RELEASING, "elsewhere = _save(made, to, seal, book.path) _noted(book, reservation)",
            "elsewhere = _save(made, to, seal, book.path)\n    if len(totals._cells):\n        _noted(book, reservation)")),
    mutant("a map of three cells is saved under another name", "replay",
           (RELEASING, "elsewhere = _save(made, to, seal, book.path)",
            'elsewhere = _save(made, to if tiers or len(totals._cells) != 3 else f"{to}-few", seal, book.path)')),
    mutant("the length of a release follows how many cells hold something", "replay",
           (RELEASING, "remarks=remarks,",
            'remarks=remarks if len(totals._cells) < 8 or len(totals._cells) % 2 else {**remarks, "note": ""},')),
    mutant("entropy is asked for once for each cell that holds something", "replay",
           (RELEASING, "paid_progress = unfailing(progress)",
            "paid_progress = unfailing(progress)\n    [fresh_secret() for _ in range(len(totals._cells))]")),
    mutant("an empty map is refused once it is paid for", "replay",
           (RELEASING, 'paid_progress("drawing noise")',
            'paid_progress("drawing noise")\n    if not len(totals._cells):\n        raise Refused("area: nothing is there")')),
    mutant("a cap chosen privately is another where an odd number of units is there", "replay",
           (CHOOSE, "cap=choice.ladder[rung], cap_origin", "cap=choice.ladder[rung - sum(units) % 2], cap_origin")),
    mutant("what an answer about empty land cost is given back", "replay",
           (SESSION, "chains.end_question()", "chains.end_question()\n            self._left += share * (not len(self._totals._cells))")),
    mutant("answers about empty land say that they pool nothing", "replay",
           (SESSION, "else chains.pooled,", "else chains.pooled * np.uint8(len(self._totals._cells) > 0),")),
    mutant("a question hangs on whether an odd number of cells holds something", "replay",
           (SESSION, "return self._readers[-1]",
            "return self._readers[-1] * (1 + 8 * (self._fresh and len(self._totals._cells) % 2))")),
)  # fmt: skip


def patched(one: Mutant, folder: Path) -> Path:
    """A copy of the package with the mutant's changes; an error where the sources have moved on."""
    shutil.copytree(ROOT / "dpmap", folder / "dpmap", ignore=shutil.ignore_patterns("assets"))
    for assets in (ROOT / "dpmap").glob("*/assets"):
        (folder / assets.relative_to(ROOT)).symlink_to(assets, target_is_directory=True)
    for place, old, new in one.changes:
        path = folder / "dpmap" / place.partition("::")[0]
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        text = path.read_text("utf-8")
        places = occurrences(text, place, old)
        if len(places) != 1:
            raise LookupError(
                f"{one.name!r}: {place} has {len(places)} of {old!r}; write this mutant anew"
            )
        ((start, end),) = places
        path.write_text(text[:start] + new + text[end:], "utf-8")
    return folder


def occurrences(text: str, place: str, old: str) -> list[tuple[int, int]]:
    """Where `old` begins and ends in a source, however it is wrapped: within `place`, that is a file or `file::name`."""
    name = place.partition("::")[2]
    lines = text.splitlines(keepends=True)
    first, last = 0, len(lines)
    if name:
        first, last = next(
            (node.lineno - 1, node.end_lineno)
            for node in ast.parse(text).body
            if name in (getattr(node, "name", None), getattr(_target(node), "id", None))
        )
    begin = len("".join(lines[:first]))
    return [
        (begin + found.start(), begin + found.end())
        for found in re.finditer(_wrapped(old), "".join(lines[first:last]))
    ]


def _target(node: ast.stmt) -> ast.expr | None:
    return node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)


def _wrapped(old: str) -> str:
    """A pattern for a text of code that a formatter may have wrapped elsewhere."""
    inner = old.strip()
    before, after = old.split(inner)
    spaced = re.sub(r"(\\\s)+", r"\\s+", re.escape(inner))
    opened = re.sub(r"(\\[(\[{])", r"\1\\s*", spaced)
    closed = re.sub(r"(\\[)\]}])", r"(?:,?\\s*)\1", opened)
    return re.escape(before) + closed + re.escape(after)


TRY = """
import json, sys
from dpmap import selftest
from dpmap.selftest.check import Effort
from proofs import PROOFS
selftest.CHECKS += PROOFS
efforts = json.loads(sys.argv[1])
print(json.dumps([selftest.selftest(Effort(times=efforts[name]), (name,)).to_dict()["checks"][0] for name in efforts]))
"""


def noticed(one: Mutant, by: tuple[str, ...]) -> dict[str, str]:
    """What each of the checks says of the mutant; '' from one that has not noticed."""
    with TemporaryDirectory(prefix="dpmap-mutant-") as place:
        folder = patched(one, Path(place))
        names = [check for check in by if "::" not in check]
        said = dict(_by_selftest(folder, names)) if names else {}
        return said | {check: _by_suite(folder, check) for check in by if "::" in check}


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    settings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "tests")]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "DPMAP_DEEP": "0",
    }
    return subprocess.run(
        words, cwd=folder, env=settings, capture_output=True, text=True, timeout=900
    )


def _by_selftest(folder: Path, names: list[str]) -> Iterator[tuple[str, str]]:
    done = _run(
        folder,
        sys.executable,
        "-W",
        "ignore",
        "-c",
        TRY,
        json.dumps({name: EFFORTS.get(name, 0.1) for name in names}),
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    for line in json.loads(done.stdout.splitlines()[-1]):
        yield line["name"], line["tried"] if line["outcome"] == "broken" else ""


def _by_suite(folder: Path, test: str) -> str:
    for name in ("tests", "data_samples", "pyproject.toml", "README.md", "Makefile"):
        source, copy = ROOT / name, folder / name
        if not copy.exists():
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy)
    done = _run(folder, sys.executable, "-m", "pytest", "-q", "-x", test)
    return "the test fails" if done.returncode == 1 else ""


def table() -> str:
    """docs/mutants.md."""
    rows = [f"| {one.name} | {', '.join(map(_shown, one.caught))} |" for one in MUTANTS]
    return "\n".join([
        "# Broken on purpose", "",
        "Each line is a way to break dpmap and what notices it: a check of `dpmap selftest` or a proof of [tests/proofs](../tests/proofs/__init__.py),",
        "by its name, or a test of the suite.",
        "[mutants.py](../tests/selftest/mutants.py) holds the changes; the tests apply some of them every time and all of them under",
        "`make deep`, and hold this table to be true. Checks that are not named in a line were not tried on it.", "",
        "| what is broken | what notices |", "|---|---|", *rows, "",
    ])  # fmt: skip


def _shown(check: str) -> str:
    if "::" not in check:
        return f"`{check}`"
    file, _, test = check.partition("::")
    return f"[{test}](../{file})"


def main(wanted: list[str]) -> int:
    """Tries all mutants, or those whose name holds a word; prints what escaped; writes the page."""
    chosen = [one for one in MUTANTS if not wanted or any(word in one.name for word in wanted)]
    escaped = 0
    with ThreadPoolExecutor(int(os.environ.get("CORES", "2"))) as many:
        for one, said in zip(chosen, many.map(_tried, chosen), strict=True):
            for check, words in said.items():
                escaped += not words
                print(
                    f"{'caught ' if words else 'ESCAPED'} {one.name} | {check} | {words[:150]}",
                    flush=True,
                )
    if not wanted:
        PAGE.write_text(table(), "utf-8")
    print(f"{len(chosen)} mutants, {escaped} escapes")
    return escaped


def _tried(one: Mutant) -> dict[str, str]:
    try:
        return noticed(one, one.caught)
    except Exception as error:
        return {f"NOT RUN: {str(error)[-300:]}": ""}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
