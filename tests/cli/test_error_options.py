"""An error says which option it is about: as a flag on the command line, as a keyword in Python, and by itself in JSON."""

import json

import pytest

import dpmap as dm
from dpmap.cli import run
from dpmap.errors import BadInput, Refused

SAMPLE = "data_samples/raptors.csv"


def test_python_reads_the_keyword_and_the_terminal_the_flag(capsys):
    with pytest.raises(BadInput) as wrong:
        dm.read(SAMPLE, dates="when")
    assert wrong.value.option == "dates"
    assert str(wrong.value).startswith("dates: ")
    assert wrong.value.terminal_line.startswith("--dates: ")
    assert run(["inspect", SAMPLE, "--dates", "when"]) == 2
    assert capsys.readouterr().err == f"dpmap: {wrong.value.terminal_line}\n"


def test_json_carries_the_option(capsys):
    assert run(["plan", "--epsilon", "1", "--cap", "none", "--area", SAMPLE, "--json"]) == 2
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert answer["option"] == "cap"
    assert said.err == f"dpmap: {answer['error']}\n"


@pytest.mark.parametrize(
    ("line", "option", "words"),
    [
        ("--max-uncertainty: a length", "max_uncertainty", "max_uncertainty: a length"),
        ("--from: write a date", "from", "since: write a date"),
        ("--to: it ends before --from begins", "to", "until: it ends before since= begins"),
        ("--to: a plan is written as plan.html", "to", "path: a plan is written as plan.html"),
        ("no file; leave --where out", "where", "no file; leave where= out"),
        ("add --kinds, or --cap 5 (cap=)", "kinds", "add --kinds, or cap=5"),
        ("survey: no column '--x'", "", "survey: no column '--x'"),
        ("add it: dpmap init --out a.toml", "", "add it: dpmap init --out a.toml"),
    ],
)
def test_a_message_is_written_once(line, option, words):
    error = Refused(line)
    assert (error.option, str(error), error.terminal_line) == (option, words, line)


def test_the_grid_is_counted_without_a_survey(capsys):
    assert run(["grid", "--bounds", "0,50,2,51", "--shape", "1,2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "cells": 2,
        "cell": "1°",
        "crs": "EPSG:4326",
        "codes": ["eqdgcCellCode", "dmsCellCode"],
        "degrees": {"west": 0.0, "south": 50.0, "east": 2.0, "north": 51.0},
    }
