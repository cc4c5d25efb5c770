"""Seven attacks on a published map, each a game that an intruder plays many times and either wins or loses.

She knows how the map was made, and what the game says. `play` returns for each try whether she was right (or the chance that
she is, where she has to toss a coin), and whether her best guess without the map was. In the games of *in or out* a coin decided
whether somebody's rows were in the survey; nobody guesses a coin better than half of the time, so that is her best guess. In those
of *where* it is the square in which most have their homes, or the middle of the land that she knows of.
"""

from dataclasses import dataclass

import numpy as np
from current_practice import CellKey, Private, Suppressed, noise_chances, noise_support

from dpmap.selftest.privacy_audit import final_answers

JOINING = 0.03
"""Of last year's units, how many joined since."""
FOUND_METRES, SEARCHED_METRES = 2_000, 6_000
"""What counts as found, and how far around a public place she searches."""
VISITS, MAPS_OF_ONE_BUDGET = 24, 6
"""How often a moved point is moved again, and how many maps of dpmap are made again."""
LONE_METRES = 8_000
"""No other unit has a row so near to a lone one."""
MOST_MOVED = 10_000
"""How far, in metres, a point is moved at most where it is moved about itself."""


@dataclass(frozen=True)
class MovedAbout:
    """Moves each point to a random distance and direction, as sdcSpatial's mask_random and iNaturalist's first years did; makes no map."""

    most: float = MOST_MOVED

    def move(self, x, y, times, dice):
        """Return so many moved places of one point."""
        distance = self.most * dice.random(times)
        turn = 2 * np.pi * dice.random(times)
        return x + distance * np.cos(turn), y + distance * np.sin(turn)


class Intruder:
    """Plays against one method on one survey."""

    def __init__(self, survey, method, dice):
        self.survey, self.method, self.dice = survey, method, dice
        self.homes = survey.homes()
        self.square_of_cell = survey.blocks(survey.per_square)

    def publish(self, rows):
        """Return a map of the rows that a mask keeps."""
        return self.method.publish(self.survey, rows, self.dice)

    def in_squares(self, cells):
        """Return the totals of squares."""
        return np.bincount(self.square_of_cell, cells, self.survey.squares)

    def prior(self):
        """Return the share of homes in each square, which anybody may know of towns, and a little more, so that none is impossible."""
        homes = np.bincount(self.homes, minlength=self.survey.squares) + 0.01
        return homes / homes.sum()

    def subtract_two(self, unit):
        """Where is the home of somebody who joined between two maps, if nothing else changed?"""
        before = self.publish(self.survey.without(unit))
        after = self.publish(self.survey.everything())
        return self._locate_change(unit, after.cells - before.cells)

    def compare_years(self, unit):
        """Where was the home of somebody who withdrew since last year's map, while three in a hundred others joined?"""
        others = np.delete(np.arange(self.survey.units), unit)
        joining = self.dice.choice(others, round(JOINING * len(others)), replace=False)
        this_year = self.survey.without(unit)
        last_year = ~np.isin(self.survey.unit, joining)
        before, after = self.publish(last_year), self.publish(this_year)
        return self._locate_change(unit, before.cells - after.cells)

    def _locate_change(self, unit, rise):
        """Guess the square where most rose; of several that cannot be told apart, and where noise may have done it, the likelier before."""
        prior = self.prior()
        if isinstance(self.method, Private):
            change = self.in_squares(rise)
            usual = self.survey.points.sum() / self.survey.units
            scale = np.abs(change - np.median(change)).mean()
            score = np.log(prior) + (np.abs(change) - np.abs(change - usual)) / scale
        elif isinstance(self.method, CellKey):
            change = np.abs(self.in_squares(rise))
            score = (change > 1e-6) * (1 + change) + prior
        else:
            top = rise.max()
            score = prior * (self.in_squares(rise >= top * (1 - 1e-6)) if top > 1e-9 else 1)
        home = self.homes[unit]
        return float(score.argmax() == home), float(prior.argmax() == home)

    def know_all_others(self, unit):
        """Is somebody in the survey, if every other row is known, and what she would have added?"""
        inside, outside = self.survey.everything(), self.survey.without(unit)
        if isinstance(self.method, Private):
            return self._weigh_release(unit, np.ones(self.survey.grid.size, bool)), 0.5
        if isinstance(self.method, CellKey):
            return self._weigh_keys(unit), 0.5
        with_her, without_her = self.publish(inside), self.publish(outside)
        differs = not np.allclose(with_her.cells, without_her.cells, rtol=0, atol=1e-9)
        return 1.0 if differs else 0.5, 0.5

    def know_square(self, unit):
        """The same, if every other row of her home square is known, and none elsewhere."""
        return self._weigh_release(unit, self.square_of_cell == self.homes[unit])

    def _weigh_release(self, unit, known):
        """Return how often the likelier world is the true one, of a release from each: exact likelihoods of every noisy answer about known cells alone."""
        rows = self.survey.rows_of(unit)
        inside, outside = self.survey.everything(), self.survey.without(unit)
        right = 0.0
        for world, mask in ((1, inside), (0, outside)):
            made = self.publish(mask).release.measurements
            evidence = 0.0
            for answers, counts in zip(made, final_answers(made), strict=True):
                labels = answers.partition.labels.ravel()
                without = self._region_totals(labels, outside, answers)
                hers = np.zeros(len(without))
                region = labels[self.survey.cell[rows]]
                np.add.at(hers, region[region >= 0], self.survey.points[rows][region >= 0])
                unknown = np.zeros(len(without), bool)
                unknown[labels[(labels >= 0) & ~known]] = True
                touched = (hers > 0) & counts & ~unknown
                scales = np.array([float(scale) for scale in answers.scales])
                scales = np.broadcast_to(scales, len(without))[touched]
                off = np.asarray(answers.values)[touched] - without[touched]
                evidence += ((np.abs(off) - np.abs(off - hers[touched])) / scales).sum()
            right += 0.5 if evidence == 0 else float((evidence > 0) == bool(world))
        return right / 2

    def _region_totals(self, labels, mask, answers):
        """Return the capped totals of regions without her, which this intruder knows."""
        regions = answers.partition.regions
        cells = self.survey.counts(mask, self.survey.points)
        kept = labels >= 0
        return np.bincount(labels[kept], cells[kept], regions)

    def _weigh_keys(self, unit):
        """Return the same for bounded noise, whose keys she does not know: a fresh draw from each world."""
        counted = self.method.counted(self.survey, self.survey.everything())
        rows = self.survey.rows_of(unit)
        squares, hers = np.unique(self.survey.square[rows[counted[rows]]], return_counts=True)
        all_rows = np.bincount(self.survey.square[counted], minlength=self.survey.squares)[squares]
        right = 0.0
        for world in (1, 0):
            chance = np.zeros(2)
            for count, added in zip(all_rows, hers, strict=True):
                true = count if world else count - added
                steps = noise_support(true)
                chances = _noise_law(true)
                seen = true + self.dice.choice(steps, p=chances)
                for guess, start in ((1, count), (0, count - added)):
                    chance[guess] += np.log(_chance_of(seen - start, start))
            right += 0.5 if chance[0] == chance[1] else float(chance.argmax() == world)
        return right / 2

    def statistic_of_square(self, unit, *, knows_square):
        """Return what the map says of a home square with and without somebody, less the others of the square if they are known."""
        square = self.homes[unit]
        others = self.survey.without(unit)
        in_square = others & (self.survey.square == square)
        if isinstance(self.method, CellKey):
            in_square = self.method.counted(self.survey, in_square)
        known = in_square.sum() if knows_square else 0.0
        seen = []
        for rows in (self.survey.everything(), others):
            published = self.publish(rows)
            seen.append(self.in_squares(published.cells)[square] - known)
            if published.hidden[self.square_of_cell == square].all():
                seen[-1] = -1e6
        if knows_square and isinstance(self.method, Suppressed):
            # She can count: where both worlds would be blank, or only one, she knows which.
            units = len(np.unique(self.survey.unit[in_square]))
            seen = [0.0, 0.0] if units + 1 < self.method.fewest else seen
        return seen

    def find_peak(self, unit, visits=1):
        """How near does she come to a lone place of which she knows the surroundings?

        Returns the distances of a guess at the highest land, of one at the lowest that is not empty, and of her best guess.
        """
        survey = self.survey
        rows = survey.rows_of(unit)
        x, y = np.median(survey.x[rows]), np.median(survey.y[rows])
        lowest = survey.cell_x.min(), survey.cell_y.min()
        highest = survey.cell_x.max(), survey.cell_y.max()
        turn = 2 * np.pi * self.dice.random()
        far = SEARCHED_METRES * np.sqrt(self.dice.random())
        # A place that is known to all lies on the land of the map.
        middle = np.clip((x + far * np.cos(turn), y + far * np.sin(turn)), lowest, highest)
        guesses = [*self._guess_places(x, y, middle, visits), middle]
        return [np.hypot(at[0] - x, at[1] - y) for at in guesses]

    def _guess_places(self, x, y, middle, visits):
        survey = self.survey
        if isinstance(self.method, MovedAbout):
            moved_x, moved_y = self.method.move(x, y, visits, self.dice)
            return [(moved_x.mean(), moved_y.mean())] * 2
        maps = [self.publish(survey.everything()) for _ in range(self._maps(visits))]
        cells = np.mean([published.cells for published in maps], axis=0)
        away = np.hypot(survey.cell_x - middle[0], survey.cell_y - middle[1])
        near = np.flatnonzero(away <= SEARCHED_METRES)
        shown = cells[near]
        if shown.max() <= 0:
            return [middle] * 2
        least = shown[shown > 1e-9 * shown.max()].min()
        places = []
        for chosen in (shown >= shown.max() * (1 - 1e-9), np.abs(shown - least) <= 1e-9 * least):
            peak = near[chosen]
            places.append((survey.cell_x[peak].mean(), survey.cell_y[peak].mean()))
        return places

    def _maps(self, visits):
        """Only dpmap's maps differ from one another; all others say the same each time."""
        repeats = visits > 1 and isinstance(self.method, Private)
        return MAPS_OF_ONE_BUDGET if repeats else 1


def _noise_law(count):
    return noise_chances(tuple(noise_support(count)))


def _chance_of(step, count):
    steps = list(noise_support(count))
    if count == 0:
        return 1.0 if step == 0 else 1e-300
    return _noise_law(count)[steps.index(step)] if step in steps else 1e-300


def lone_units(survey):
    """Return the units with a home that no other unit comes near, and at least twenty rows where units are people."""
    rows = np.bincount(survey.unit)
    least = 20 if rows.max() > 1 else 1
    found = []
    for unit in np.flatnonzero(rows >= least):
        own = survey.rows_of(unit)
        x, y = np.median(survey.x[own]), np.median(survey.y[own])
        away = np.hypot(survey.x - x, survey.y - y)
        others = survey.unit != unit
        if away[others].min() > LONE_METRES and (away[~others] < FOUND_METRES).mean() > 0.5:
            found.append(unit)
    return np.array(found, dtype=int)


def alone_in_square(survey):
    """Return the units whose home square no other unit has a row in."""
    pairs = np.unique(survey.square * survey.units + survey.unit)
    square, unit = np.divmod(pairs, survey.units)
    lone = np.bincount(square, minlength=survey.squares) == 1
    return np.intersect1d(unit[lone[square]], np.flatnonzero(lone[survey.homes()]))


def _in_or_out(intruder, units, *, knows_square):
    """Draw the line between in and out where it is best for half of the units, and judge it by the others; of dpmap, weigh its answers."""
    if isinstance(intruder.method, Private):
        return np.mean([intruder.know_square(unit) for unit in units]), 0.5
    seen = np.array(
        [intruder.statistic_of_square(unit, knows_square=knows_square) for unit in units]
    )
    half = np.isin(units, np.unique(units)[::2])
    right = np.full(len(seen), 0.5)
    for learnt, judged in ((half, ~half), (~half, half)):
        lines = np.unique(np.append(seen[learnt].ravel(), -np.inf))
        rates = [
            (seen[learnt, 0] > line).mean() + (seen[learnt, 1] <= line).mean() for line in lines
        ]
        line = lines[int(np.argmax(rates))]
        right[judged] = ((seen[judged, 0] > line) + 0.0 + (seen[judged, 1] <= line)) / 2
    return right.mean(), 0.5


def _each(play):
    def game(intruder, units):
        return np.array([play(intruder, unit) for unit in units]).mean(0)

    return game


def _places(visits):
    def game(intruder, units):
        if visits > 1 and isinstance(intruder.method, Private):
            # The ledger refuses more than the budget: so many maps share the epsilon of one.
            epsilon = str(round(float(intruder.method.epsilon) / MAPS_OF_ONE_BUDGET, 6))
            intruder.method = Private(epsilon, intruder.method.strategy)
        found = np.array([intruder.find_peak(unit, visits) for unit in units]) <= FOUND_METRES
        highest, lowest, guessed = found.mean(0)
        return max(highest, lowest), guessed

    return game


@dataclass(frozen=True)
class Game:
    """What the intruder is asked, whom it may be about, and how it is played."""

    question: str
    play: object
    targets: object = None
    surveys: tuple[str, ...] = ("people", "sites", "check-ins")
    of_place: bool = False


GAMES = {
    "subtracted": Game(
        "two maps subtracted: which square is the newcomer's?",
        _each(Intruder.subtract_two),
    ),
    "knows others": Game("she knows all others: is this one in?", _each(Intruder.know_all_others)),
    "last year": Game(
        "last year's map: which square is the one who withdrew from?",
        _each(Intruder.compare_years),
    ),
    "known to one": Game(
        "he knows the square's others: is this one in?",
        lambda intruder, units: _in_or_out(intruder, units, knows_square=True),
    ),
    "alone": Game(
        "alone in her square: is she in?",
        lambda intruder, units: _in_or_out(intruder, units, knows_square=False),
        alone_in_square,
        ("people", "sites"),
    ),
    "peak": Game(
        "a lone place: found to two kilometres?",
        _places(1),
        lone_units,
        ("people", "sites"),
        of_place=True,
    ),
    "visited again": Game(
        f"the same, of {VISITS} visits or maps?",
        _places(VISITS),
        lone_units,
        ("people", "sites"),
        of_place=True,
    ),
}


def targets_of(survey, game):
    """Return whom a game on a survey may be about; nobody, where it has no meaning."""
    if survey.name not in game.surveys:
        return np.array([], dtype=int)
    return np.arange(survey.units) if game.targets is None else game.targets(survey)


def play(survey, method, game, tries, dice):
    """Return the shares of tries in which she was right, with the map and without; None where the game has no meaning."""
    candidates = targets_of(survey, game)
    if not len(candidates) or (isinstance(method, MovedAbout) and not game.of_place):
        return None
    # All of few targets are tried equally often.
    rounds = -(-tries // len(candidates))
    units = np.concatenate([dice.permutation(candidates) for _ in range(rounds)])[:tries]
    return game.play(Intruder(survey, method, dice), units)
