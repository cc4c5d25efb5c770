"""Surveys in object stores and on web servers count as the same files on disk would, and no address or key is repeated."""

import gzip
import json
import os
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from servers import Handler, serving

import dpmap as dm
from dpmap.cli import run
from dpmap.engines.duckdb import DuckDB
from dpmap.errors import BadInput, DpmapError, Refused, SystemFailed
from dpmap.releases.release import Release
from dpmap.stores import error_of_store
from dpmap.vault.cap_sql import capped_totals

GRID = dm.Grid(bounds=(0, 50, 1, 51), shape=(4, 5), crs="EPSG:4326")
POLICY = dm.Policy(epsilon=1, unit="who", cap=5)
KEY, SECRET, BUCKET, SIGNATURE = (
    "AKIACANARYKEY",
    "canarysecret",
    "canary-bucket",
    "sig=canarysignature",
)
Served = tuple[str, type[Handler]]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server over a folder of shards, as tables and as Parquet, packed and not."""
    for name, value in (("AWS_ACCESS_KEY_ID", KEY), ("AWS_SECRET_ACCESS_KEY", SECRET), ("AWS_EC2_METADATA_DISABLED", "true"),
                        ("AWS_REGION", "eu-west-9")):  # fmt: skip
        monkeypatch.setenv(name, value)
    folder = tmp_path / "served" / BUCKET
    for below in ("parquet", "csv", "two/2025", "two/2026"):
        (folder / below).mkdir(parents=True)
    for number in range(3):
        dice = np.random.default_rng(number)
        who = pa.array(dice.integers(0, 40, 300)).cast(pa.string())
        shard = pa.table(
            {"who": who, "longitude": dice.random(300), "latitude": 50 + dice.random(300)}
        )
        pq.write_table(shard, folder / f"parquet/part-{number}.parquet", row_group_size=50)
        pacsv.write_csv(shard, folder / f"csv/part-{number}.csv")
    noise = np.random.default_rng(9).random(400_000)
    pq.write_table(
        pa.table({"who": ["a"] * len(noise), "longitude": noise, "latitude": 50 + noise}),
        folder / "large.parquet",
    )
    first = (folder / "csv/part-0.csv").read_bytes()
    (folder / "part-0.csv.gz").write_bytes(gzip.compress(first))
    with zipfile.ZipFile(folder / "part-0.zip", "w") as archive:
        archive.writestr("part-0.csv", first)
    (folder / "two/2025/part-0.csv").write_bytes(first)
    (folder / "two/2026/part-1.csv").write_bytes((folder / "csv/part-1.csv").read_bytes())
    with serving(tmp_path / "served") as server:
        yield server


def counted(survey: dm.survey.Survey) -> list[tuple[int, int]]:
    limiter = capped_totals(POLICY)
    totals = DuckDB(threads=1).totals(survey, GRID, POLICY, limiter, lambda step: None)
    return sorted(zip(totals._cells.tolist(), totals._steps.tolist(), strict=True))


def page(host: str, file: str) -> str:
    return f"http://{host}/{BUCKET}/{file}?{SIGNATURE}"


def thing(host: str, key: str) -> str:
    return f"s3://{BUCKET}/{key}?endpoint_override={host}&scheme=http"


def failing(address: str) -> DpmapError:
    """The one line that reading the survey at an address ends in, which repeats nothing of the address or the keys."""
    with pytest.raises(DpmapError) as told:
        counted(dm.read(address))
    words = str(told.value)
    assert "\n" not in words and told.value.__context__ is None
    for canary in (KEY, SECRET, BUCKET, "canary", "127.0.0.1"):
        assert canary not in words
    return told.value


@pytest.mark.parametrize(
    "file", ["csv/part-0.csv", "parquet/part-0.parquet", "part-0.csv.gz", "part-0.zip"]
)
@pytest.mark.parametrize("address", [page, thing])
def test_one_file_counts_as_it_does_on_disk(
    served: Served, tmp_path: Path, address: object, file: str
) -> None:
    """A table or Parquet, packed or not, on a server or in a store, gives the totals of the file on disk."""
    found = counted(dm.read(address(served[0], file)))  # type: ignore[operator]  # `page` or `thing`
    assert found == counted(dm.read(tmp_path / "served" / BUCKET / file))
    assert len(found) == 20


@pytest.mark.parametrize(
    "key",
    ["parquet/*.parquet", "parquet", "csv/part-[0-2].csv", "two/**/part-*.csv", "*/2026/*.csv"],
)
def test_patterns_and_folders_of_a_store_name_shards(
    served: Served, tmp_path: Path, key: str
) -> None:
    """A pattern, or a folder, of objects is one survey in several files, as on disk."""
    assert counted(dm.read(thing(served[0], key))) == counted(
        dm.read(tmp_path / "served" / BUCKET / key)
    )


def test_only_the_header_is_fetched_before_rows_are_counted(served: Served) -> None:
    """Reading a Parquet survey's columns fetches its end, by a range; no row group before the count."""
    host, handler = served
    dm.read(page(host, "large.parquet"))
    assert any("bytes=" in line for line in handler.asked)


def test_a_ledger_must_be_named_and_no_address_is_kept(
    served: Served,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An address has no folder, so --ledger is asked for; the release holds nothing of the address, and no key."""
    given = ["release", thing(served[0], "parquet/part-0.parquet"), "--bounds", "0,50,1,51", "--shape", "4,5", "--unit", "who",
             "--cap", "3", "--epsilon", "1", "--dataset", "d", "--budget", "1", "--out", str(tmp_path / "out")]  # fmt: skip
    real = Release.write
    monkeypatch.setattr(
        Release,
        "write",
        lambda made, path: real(made, path) if path.suffix in (".md", ".yaml") else [],
    )
    assert run(given) == 3
    assert "--ledger" in capsys.readouterr().err
    assert run([*given, "--ledger", str(tmp_path / "l")]) == 0
    told = capsys.readouterr()
    everything = told.out + told.err + "".join(
        path.read_bytes().decode("latin-1") for path in [*(tmp_path / "out").rglob("*"), tmp_path / "l"] if path.is_file()
    )  # fmt: skip
    with zipfile.ZipFile(tmp_path / "out/release.dpmap") as archive:
        everything += "".join(archive.read(name).decode("latin-1") for name in archive.namelist())
    for canary in (KEY, SECRET, BUCKET, served[0], "part-0"):
        assert canary not in everything


@pytest.mark.parametrize(
    ("fault", "kind", "line"),
    [({"status": 403}, SystemFailed, "no right"), ({"status": 404}, BadInput, "there is no"), ({"status": 500}, SystemFailed, "cannot be fetched"),
     ({"breaks": 1}, SystemFailed, "broke off"), ({"whole": 1}, BadInput, "whole files only"),
     ({"elsewhere": "http://example.org/x"}, BadInput, "without https")],
)  # fmt: skip
def test_a_server_that_fails_is_one_line(
    served: Served, fault: dict[str, object], kind: type, line: str
) -> None:
    """No right, nothing there, a broken line, no ranges, a way on in the open: one line each, and no half of the rows."""
    host, handler = served
    handler.fault.update(fault)
    failure = failing(page(host, "large.parquet"))
    assert isinstance(failure, kind) and line in str(failure)


def test_a_line_that_breaks_while_rows_are_copied_costs_nothing(
    served: Served, tmp_path: Path
) -> None:
    """Rows that stop coming end the release: no map of half of them, and nothing spent."""
    host, handler = served
    survey = dm.read(page(host, "csv/part-0.csv"))
    handler.fault["breaks"] = 1
    with pytest.raises(SystemFailed, match="broke off"):
        dm.release(survey, GRID, POLICY, ledger=tmp_path / "l", dataset="d", budget=1)
    assert not (tmp_path / "l").exists() or dm.Ledger(tmp_path / "l").balance()[1] == 0


@pytest.mark.parametrize(("status", "line"), [(403, "no right"), (404, "there is no")])
def test_a_store_that_refuses_is_one_line(served: Served, status: int, line: str) -> None:
    """The store's own words, which repeat the address, become one line."""
    host, handler = served
    handler.fault["status"] = status
    assert line in str(failing(thing(host, "parquet/part-0.parquet")))


def test_what_is_not_there_is_named_by_its_last_part(served: Served) -> None:
    """A file, an object, a pattern that names nothing."""
    for address in (
        page(served[0], "none.csv"),
        thing(served[0], "none.csv"),
        thing(served[0], "csv/none-*.csv"),
    ):
        assert "there is no none" in str(failing(address))


def test_without_a_connection_it_says_so() -> None:
    """A server that nobody answers for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    assert "cannot be fetched" in str(failing(page(host, "x.csv")))
    for words in (
        "AWS Error NETWORK_CONNECTION: curlCode: 7 canary",
        "what nobody foresaw: canary",
    ):
        failure = error_of_store(words, "x.csv", "survey")
        assert "cannot be fetched" in str(failure) and "canary" not in str(failure)


@pytest.mark.parametrize(
    ("address", "line"),
    [("http://example.org/n.csv", "use https"), ("https://ana:pw@example.org/n.csv", "password"), ("s3://k:pw@b/n.csv", "password"),
     ("s3://b/n.csv?scheme=http&endpoint_override=example.org", "scheme=http"), ("s3://b/n.csv?secret_key=x", "no key"),
     ("https://example.org/", "does not list"), ("https://example.org/part-*.csv", "does not list"), ("ftp://example.org/n.csv", "s3://")],
)  # fmt: skip
def test_addresses_that_would_tell_secrets_or_lead_nowhere_are_refused(
    address: str, line: str
) -> None:
    """Passwords and keys in an address, rows over an open line, a web folder, a way of fetching that is not known."""
    with pytest.raises(BadInput, match=line) as told:
        dm.read(address)
    assert "pw" not in str(told.value)


def test_layers_are_not_read_from_afar(served: Served, tmp_path: Path) -> None:
    """A layer wants a disk: one line that says to fetch it."""
    (tmp_path / "served" / BUCKET / "n.gpkg").write_bytes(b"SQLite format 3\0" + bytes(100))
    assert "fetch it" in str(failing(page(served[0], "n.gpkg")))


def test_records_are_read_from_afar_as_declared(served: Served, tmp_path: Path) -> None:
    """GeoJSON on a server is read record by record, like a file."""
    one = {
        "type": "Feature",
        "properties": {"who": "ana"},
        "geometry": {"type": "Point", "coordinates": [-3, 56]},
    }
    text = json.dumps({"type": "FeatureCollection", "features": [one]})
    (tmp_path / "served" / BUCKET / "n.geojson").write_text(text)
    survey = dm.read(page(served[0], "n.geojson"), format="geojson", columns="who", unit="who")
    assert dm.inspect(survey).usable == 1


def test_the_ledger_of_an_address_is_asked_for_by_every_command() -> None:
    """As for databases: no ledger in whatever folder the command is typed."""
    from dpmap.cli.survey_paths import ledger_beside

    for address in ("s3://b/n.csv", "https://example.org/n.csv", "postgresql://u@h/d"):
        with pytest.raises(Refused, match="ledger"):
            ledger_beside([address])
    assert os.fspath(ledger_beside(["a/n.csv"])) == os.path.join("a", "dpmap.ledger")
