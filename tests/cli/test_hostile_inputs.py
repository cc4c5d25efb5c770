"""Three hundred hostile inputs: each ends in one line that says what to type, spends nothing, leaves nothing behind and shows no value."""

import os
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from builders.hostile import (
    FLAGS,
    NAMED,
    NO_SURVEYS,
    PLAIN,
    SECRET,
    SPEND,
    geopackage,
    parquet,
    zipped,
)

from dpmap.cli import run
from dpmap.ledger.ledger import Ledger
from dpmap.releases.release import Release

FAR = [(flag, text) for flag, texts in FLAGS.items() for text in texts]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a survey and a ledger of budget 2 in which half is spent; maps are not at stake here."""

    def stub(self: Release, path: Path) -> list[Path]:
        path.write_bytes(b"stub")
        return [path]

    monkeypatch.setattr(Release, "write", stub)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.csv").write_bytes(PLAIN)
    Ledger(tmp_path / "dpmap.ledger").reserve(
        dataset="Raptors", epsilon=Fraction(1), budget=Fraction(2), details={}
    )
    yield tmp_path


@pytest.fixture
def refused(place: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., None]:
    """Runs a release that must be refused: one line, no value, nothing spent, nothing left."""

    def call(*files: str, **changed: str | None) -> None:
        before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
        given = {**SPEND, "out": "out", **changed}
        flags = [
            f"--{name.replace('_', '-')}={value}"
            for name, value in given.items()
            if value is not None
        ]
        code, told = run(["release", *files, *flags]), capsys.readouterr()
        assert code in (1, 2, 3), (code, told)
        assert code != 1 or "right" in told.err or "ledger" in told.err, told.err
        assert told.out == "", told.out
        assert told.err.startswith("dpmap: "), told.err
        assert told.err.count("\n") == 1, told.err
        assert len(told.err) < 700, told.err
        assert not any(
            bad in told.err for bad in ("Traceback", "failed inside", SECRET, "\x1b", "\0")
        ), told.err
        assert Ledger(place / "dpmap.ledger").balance() == (2, 1), told.err
        after = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
        assert after == before, told.err

    return call


def test_a_plain_survey_is_released(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What these tests start from is a release that succeeds."""
    assert (
        run(
            [
                "release",
                "survey.csv",
                *(f"--{name}={value}" for name, value in SPEND.items()),
                "--out=out",
            ]
        )
        == 0
    )


@pytest.mark.parametrize("kind", NO_SURVEYS)
def test_what_is_no_survey_is_refused(kind: str, place: Path, refused: Callable[..., None]) -> None:
    """A file that is no survey is refused whatever it is called."""
    for name in NAMED:
        (place / name).write_bytes(NO_SURVEYS[kind])
        refused(name)


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_of_nonsense_is_refused(
    flag: str, place: Path, refused: Callable[..., None]
) -> None:
    """A flag that means nothing is refused, and the line does not repeat what could steer a screen."""
    for text in FLAGS[flag]:
        beside = {
            "x": {"y": "latitude", "crs": "EPSG:4326"},
            "between": {"mean": "n", "strategy": "flat"},
        }.get(flag, {})
        beside |= {"grid": {"bounds": None, "shape": None, "area": "Malta"}}.get(flag, {})
        beside |= {"count": {"max_count": "0"}, "columns": {"crs": "EPSG:4326"}}.get(flag, {})
        refused("survey.csv", **beside, **{flag: text})


def test_broken_files_are_refused(place: Path, refused: Callable[..., None]) -> None:
    """A file of a known kind that was cut short or overwritten in the middle is refused, never half read."""
    dice, whole = (
        random.Random(7),
        {"a.parquet": parquet(), "a.gpkg": geopackage(place), "a.zip": zipped(a_csv=PLAIN)},
    )
    for name, content in whole.items():
        for _ in range(6):
            (place / name).write_bytes(content[: dice.randrange(20, len(content) - 20)])
            refused(name)


def test_what_is_no_file_is_refused(place: Path, refused: Callable[..., None]) -> None:
    """So are folders of nothing, pipes, dangling links, and what is not there."""
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe")
    (place / "link").symlink_to("nowhere")
    (place / "round").symlink_to("round")
    for name in (
        "folder",
        "pipe",
        "link",
        "round",
        "nowhere.csv",
        "",
        ".",
        "no*.csv",
        "/dev/null",
        "a\nb.csv",
    ):
        refused(name)
    (place / "pipe").unlink()


def test_there_are_three_hundred() -> None:
    """These are at least three hundred inputs."""
    assert len(NAMED) * len(NO_SURVEYS) + len(FAR) + 18 + 10 >= 300
