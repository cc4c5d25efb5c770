"""Whatever bytes people or strangers give to a parser or to the command line: an answer or one line, never a traceback.

Inputs are changed with coverage feedback (`guided.py`), always in the same way, so that a failure repeats.
`DPMAP_DEEP=1` tries thirty times as many, in a new way every day; `with_atheris.py` runs the same targets for as long as one likes.
"""

import datetime
import os
import warnings

import pytest
import targets
from guided import fuzz, reached

DEEP = os.environ.get("DPMAP_DEEP") == "1"
ROUNDS = {
    "numbers": 400,
    "words": 250,
    "systems": 8,
    "release_file": 60,
    "layer": 60,
    "ledger_file": 60,
    "survey_head": 60,
    "config": 25,
    "arguments": 25,
    "release_line": 40,
}
SEED = datetime.date.today().toordinal() if DEEP else 1


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with honest files, in which targets run; pictures are stubs."""
    before, folder = os.getcwd(), tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        targets.prepare(folder)
        patch.setattr("dpmap.ledger.sqlite_file.PATIENCE_SECONDS", 0)
        patch.setattr(
            "dpmap.releases.release.Release.draw", lambda self, path, **_: open(path, "wb").close()
        )
        yield folder
    os.chdir(before)


@pytest.mark.parametrize("name", targets.TARGETS)
@pytest.mark.filterwarnings("ignore")
def test_no_input_ends_in_a_traceback(place, name):
    """Every parser and the command line answer every input, or refuse it in one line."""
    corpus = fuzz(
        targets.TARGETS[name],
        targets.SEEDS[name],
        targets.PIECES,
        ROUNDS[name] * 10 if DEEP else max(6, ROUNDS[name] // 3),
        SEED,
    )
    assert (
        len(corpus) > len(targets.SEEDS[name]) or name == "systems"
    )  # the feedback found something new to keep


def test_the_fuzzer_finds_what_is_planted(place):
    """It has teeth: a failure behind three nested conditions, hopeless for blind chance, is found by feedback."""

    def planted(data):
        targets.exact("1", name="x")
        if data[:1] == b"c":
            targets.decimal_text(targets.Fraction(1, 3))
            if data[1:2] == b"a":
                targets.epsilon("1")
                if data[2:3] == b"p":
                    raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as found:
        fuzz(planted, [b"xyz"], [b"c", b"a", b"p"], 20_000)
    assert "input: b'cap" in found.value.__notes__[0]
    assert reached(planted, b"ca") > reached(planted, b"cx")
