"""Every reader, replayed: a release of S is recorded, and that of S with T is handed back its noisy answers."""

import random
import re
import shutil
from pathlib import Path

import pytest
from acceptance import ALONE, OPERATOR, TOGETHER
from side_by_side import DEEP, OWN, QUESTIONS, Pairs, Reader, Refusal, Violation, mingled

import dpmap as dm
from dpmap.selftest.replay import Change, KeptDuckDB, spent_nothing, tell_apart, watch

SPENDING = (
    {"strategy": "flat"},
    {"strategy": "adaptive"},
    {"tiers": {"public": "0.3", "manager": "1"}, "strategy": "adaptive"},
    {"strategy": "sparse:1"},
)


class ReplayedPairs(Pairs):
    """The pairs of one family, each told apart by a replay instead of by its rows."""

    def __init__(self, family, reader, engine, folder):
        super().__init__(family, reader, folder)
        self._engine = engine
        self._first = {}
        self._words = {}

    def broken(self, ours, theirs, question, dice, our_key=None, their_key=None, outcome=None):
        """What tells S and S with T apart beyond noisy answers."""
        number = sorted(QUESTIONS).index(question.name) + len(self.family.name)
        how = SPENDING[number % (3 if question.axes else 4)]
        how = {"strategy": "flat"} if "mean" in question.reading else how
        first = self._first.get(our_key) if our_key else None
        if first is None:
            first = self._first[our_key] = self.watched(ours, question, how)
        if first.refusal:  # of S alone, as of whom nothing counts: nothing to compare
            if outcome is not None:
                outcome.refused[f"S: {first.refusal[:70]}"] += 1
            return ""
        second = self.watched(mingled(ours, theirs, dice), question, how, first)
        if second.refusal:
            if outcome is not None:
                outcome.refused[second.refusal[:70]] += 1
            if not spent_nothing(second):
                return f"refused after something was spent: {second.refusal}"
            named = any(re.search(rule, second.refusal) for rule in TOGETHER + ALONE + OPERATOR)
            return "" if named else f"refused: {second.refusal}"
        if outcome is not None:
            outcome.accepted += 1
        here, there = self._words[id(first)], self._words[id(second)]
        if len(there) > 1 and any(words not in here for words in there):
            return ""  # files that are named one by one are declared, as their headers are
        told = tell_apart(first, second, Change(units=1))
        if told and ("differ by" in told or "cost" in told):
            told = tell_apart(first, second, Change(self.units(ours, theirs, question)))
        return told

    def units(self, ours, theirs, question):
        """How many units T is: those that are read beside S and not in S."""
        mine, both = (self.read(some, question) for some in (ours, [*ours, *theirs]))
        if isinstance(mine, Refusal) or isinstance(both, Refusal):
            return 1
        nameless = sum(many for row, many in both.items() if row[0] == OWN)
        nameless -= sum(many for row, many in mine.items() if row[0] == OWN)
        return max(1, len({row[0] for row in both} - {row[0] for row in mine}) + nameless)

    def watched(self, records, question, how, before=None):
        """Releases some records in a file of this family."""
        below = self.folder / "f"
        below.mkdir(parents=True)
        writing = random.Random(f"{self.seed}-{len(records)}")
        path = self.family.write(below, [one.data for one in records], writing)
        try:
            with pytest.MonkeyPatch.context() as patch:
                for limit, size in getattr(self.family, "limits", {}).items():
                    patch.setattr(limit, size)
                said = []
                run = watch(self.release(path, question, how, said), self.folder, b"s", before)
                self._words[id(run)] = said
                return run
        finally:
            shutil.rmtree(below)

    def release(self, path, question, how, said):
        """What releases such a file; `said` receives how files that are named one by one are read."""

        def make(folder, say):
            survey = dm.read(path, **question.options(self.family))
            said.extend(file.described() for file in survey.roles.files or (survey.roles,))
            unit = survey.roles.unit if survey.roles.unit_named else "who"
            told = {"epsilon": "1", "unit": unit, "cap": 2} | question.policy
            policy = dm.Policy(**told, consent=question.reading.get("consent"))
            out = folder / "out"
            to = out / "release.dpmap"
            if "tiers" in how:
                to = out / "tiers"
                to.mkdir()
            made = dm.release(survey, question.grid(), policy, ledger=out / "paid.ledger", dataset="d", budget=1,
                              engine=self._engine, progress=say, to=to, **how)  # fmt: skip
            if "tiers" not in how:
                made.write(out / "statement.md")
                made.write(out / "privacy.yaml")

        return make

    def shrunk(self, ours, theirs, question, what):
        """The pair as it was found: its first record alone may tell."""
        return Violation(self.family, question, list(ours), list(theirs), what, self.seed)


def replayed(family, folder, many, most=1):
    """Looks at so many pairs of one family, and returns what came of them."""
    reader, engine = Reader(), KeptDuckDB()
    try:
        pairs = ReplayedPairs(
            family, reader, engine, Path(folder) / re.sub(r"\W+", "-", family.name)
        )
        pairs._questions = lambda asked=pairs._questions: [one for one in asked() if not one.site]
        return pairs.look(many, most=most)
    finally:
        reader.close()
        engine.close()


def held(family, folder):
    """Looks at a family's share of pairs, and fails with the first that is told apart."""
    many = 100 if DEEP else 3
    outcome = replayed(family, folder, many)
    assert not outcome.violations, f"\n{outcome.violations[0]}"
    return outcome
