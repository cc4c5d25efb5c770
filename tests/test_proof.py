"""A machine has read the proofs of `proof/`, and the sampler that draws is the one that they are about."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from pathlib import Path

import numpy as np
import pytest
from builders.waiting import LONG
from numpy.typing import NDArray
from proofs import reference_sampler
from proofs.reference_sampler import Bits, Places

from dpmap.vault import laplace
from dpmap.vault.laplace import MOST_CARRIES, Coin, LaplaceCoins, flip

ROOT = Path(__file__).parents[1]
DEPTH = 11
SCALES = (Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(22, 7))


def places_of(coin: Coin) -> Places:
    """The certified places of a coin, by their number."""
    places = list(islice(coin.expansion(), 64))
    return places.__getitem__


class Ended(Exception):
    """The string of bits has no more."""


def handing_out(bits: Bits) -> Iterator[int]:
    yield from bits
    raise Ended


def test_coq_reads_the_proofs() -> None:
    """All proofs compile, and rest on no axiom but the library's; `make proof` says what to install where Coq is missing."""
    if not shutil.which("coqc"):
        pytest.skip("Coq is missing: `make proof` installs it on Debian 12, and reads the proofs")
    answer = subprocess.run(
        ["python3", "proof/check.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * LONG,
    )
    if "written for Coq 8.16" in answer.stderr:
        pytest.skip(answer.stderr.strip())
    assert answer.returncode == 0, answer.stderr
    assert re.search(r"(?m)^copies: .*\bnoisier_copy\b", answer.stdout)
    assert re.search(r"(?m)^sampler: .*\bdraw_law\b", answer.stdout)


def test_no_proof_is_left_open() -> None:
    """No lemma is admitted and no axiom added."""
    for path in (ROOT / "proof").glob("*.v"):
        words = set(path.read_text(encoding="utf-8").replace(".", " ").split())
        assert not words & {"Admitted", "admit", "Axiom", "Axioms", "Parameter", "Conjecture"}, path


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_vectorised_coin_is_the_reference_coin_on_all_strings(
    scale: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every coin, thrown for all strings of bits at once, a lane for each, shows what the proved coin shows."""
    strings = np.array(list(product((0, 1), repeat=DEPTH)), dtype=np.uint8)
    law = LaplaceCoins(scale)
    for coin in (law.sign, *law.digits, law.carry):
        places = places_of(coin)
        # what follows the last bit differs from the coin's place there, and so decides
        long = np.hstack([strings, np.full((len(strings), 1), 1 - places(DEPTH), dtype=np.uint8)])
        answers = [reference_sampler.flip(places, tuple(string)) for string in long.tolist()]
        used = np.array([DEPTH + 1 - len(rest) for _, rest in filter(None, answers)])
        rounds = iter(range(DEPTH + 1))

        def words(count: int, used=used, long=long, rounds=rounds) -> NDArray[np.uint64]:  # type: ignore[no-untyped-def]
            bit = next(rounds)
            waiting = (used.reshape(-1, 64) > bit).any(axis=1)
            assert count == waiting.sum()
            lanes = long[:, bit].reshape(-1, 64)[waiting]
            return np.packbits(lanes, axis=1).view(np.uint64).ravel()

        monkeypatch.setattr(laplace, "random_words", words)
        shown = flip(coin, len(strings))
        assert shown.tolist() == [heads for heads, _ in filter(None, answers)]


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_vectorised_draw_is_the_reference_draw_on_all_strings(
    scale: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fed with any string of bits, the sampler draws what the proved one draws, from as many bits, or asks for more where it does."""
    law = LaplaceCoins(scale)
    sign, carry = places_of(law.sign), places_of(law.carry)
    coins = [places_of(coin) for coin in law.digits]
    drawn = 0
    for bits in product((0, 1), repeat=DEPTH):
        source = handing_out(bits)
        monkeypatch.setattr(
            laplace,
            "random_words",
            lambda count, source=source: np.full(count, -next(source), dtype=np.int64).view(
                np.uint64
            ),
        )
        expected = reference_sampler.draw(MOST_CARRIES, sign, coins, carry, bits)
        try:
            (number,) = law.draw(1).tolist()
        except Ended:
            assert expected is None
        else:
            assert expected == (number, tuple(source_left(source)))
            drawn += 1
    assert drawn > 2**DEPTH / 2


def source_left(source: Iterator[int]) -> Iterator[int]:
    """The bits that were not asked for."""
    try:
        yield from source
    except Ended:
        return


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_each_coin_comes_up_heads_as_often_as_its_places_say(scale: Fraction) -> None:
    """Of all strings of n bits exactly floor(2^n p) show heads, one decides nothing, and all others show tails."""
    law = LaplaceCoins(scale)
    for coin in (law.sign, *law.digits, law.carry):
        places = places_of(coin)
        answers = [reference_sampler.flip(places, bits) for bits in product((0, 1), repeat=DEPTH)]
        floor = int("".join(str(places(i)) for i in range(DEPTH)), 2)
        heads = sum(answer is not None and answer[0] for answer in answers)
        assert (heads, answers.count(None)) == (floor, 1)
