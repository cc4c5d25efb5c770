"""The rows that are read of a layer, of SQLite and of Parquet are as many as the file holds, counted a second way."""

import sqlite3
import struct
from contextlib import closing

import geopandas as gpd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from side_by_side import Question, Reader, Refusal

from dpmap.errors import BadInput
from dpmap.survey.files import layers, parquet, record_counts
from dpmap.survey.files import sqlite as sqlite_files

BY_WHO = Question("by who", policy=dict(unit="who"))
DRIVERS = {
    "gpkg": "GPKG",
    "fgb": "FlatGeobuf",
    "shp": "ESRI Shapefile",
    "sqlite": "SQLite",
    "gdb": "OpenFileGDB",
}


class Family:
    """Nothing is declared: places are the layer's own."""

    options = {}
    placed = True


def layer(folder, ending, rows=40, **how):
    path = folder / f"s.{ending}"
    frame = gpd.GeoDataFrame(
        {"who": ["sam"] * rows}, geometry=[shapely.Point(1.5, 1.5)] * rows, crs=4326
    )
    frame.to_file(path, driver=DRIVERS[ending], **how)
    return path


@pytest.fixture(scope="module")
def reader():
    one = Reader()
    yield one
    one.close()


@pytest.mark.parametrize("rows", [0, 1, 2, 16, 17, 256, 257, 300])
@pytest.mark.parametrize("indexed", ["YES", "NO"])
def test_features_are_counted_as_they_lie_in_the_file(rows, indexed, tmp_path):
    """Whether a FlatGeobuf has an index or none, each of its features is counted by the file's own bytes."""
    frame = gpd.GeoDataFrame(
        {"who": ["sam"] * rows}, geometry=[shapely.Point(1.5, 1.5)] * rows, crs=4326
    )
    frame.to_file(tmp_path / "s.fgb", driver="FlatGeobuf", SPATIAL_INDEX=indexed)
    assert record_counts.count_flatgeobuf(tmp_path / "s.fgb") == rows


@pytest.mark.parametrize("ending", DRIVERS)
def test_a_layer_that_is_read_in_part_is_refused(ending, reader, tmp_path, monkeypatch):
    """Were a reader of layers to leave out one record in silence, nothing would be released."""
    path = layer(tmp_path, ending)
    assert sum(reader.rows(path, BY_WHO, Family).values()) == 40
    plain = layers._renamed

    def short(reader, meta, geometry):
        whole = plain(reader, meta, geometry)
        return pa.RecordBatchReader.from_batches(whole.schema, (batch.slice(1) for batch in whole))

    monkeypatch.setattr(layers, "_renamed", short)
    read = sqlite_files._read_rows
    monkeypatch.setattr(sqlite_files, "_read_rows", lambda *given: read(*given[:-1], given[-1] + 1))
    found = reader.rows(path, BY_WHO, Family)
    assert isinstance(found, Refusal) and "breaks off or is damaged inside" in found.message


def test_a_feature_behind_those_that_the_header_counts_is_a_refusal(reader, tmp_path):
    """A FlatGeobuf holds as many features as its header says, and ends with the last one."""
    path = layer(tmp_path, "fgb")
    content = path.read_bytes()
    start = 12 + struct.unpack("<I", content[8:12])[0] + record_counts._index_bytes(40, 16)
    length = 4 + struct.unpack("<I", content[start : start + 4])[0]
    path.write_bytes(content + content[start : start + length])
    assert isinstance(reader.rows(path, BY_WHO, Family), Refusal)


def test_records_marked_deleted_are_no_records(reader, tmp_path):
    """A shapefile's record that its table marks deleted is not counted, and one that is not marked is."""
    path = layer(tmp_path, "shp")
    table = path.with_suffix(".dbf")
    content = bytearray(table.read_bytes())
    start, width = struct.unpack("<HH", content[8:12])
    for number in (0, 7, 39):
        content[start + number * width] = ord("*")
    table.write_bytes(content)
    assert record_counts.count_dbase(str(table)) == 37
    assert sum(reader.rows(path, BY_WHO, Family).values()) == 37


def test_a_table_is_counted_as_sqlite_counts_it(reader, tmp_path):
    """A table's rows are as many as SQLite counts; a value of another type than its column's is left out by both."""
    path = layer(tmp_path, "gpkg", SPATIAL_INDEX="NO")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "ALTER TABLE s ADD COLUMN many INTEGER; UPDATE s SET many = fid; UPDATE s SET many = 'x' WHERE fid < 4"
        )
    assert record_counts.count_table(str(path), "s", "typeof(many) = 'integer'") == 37
    assert (
        sum(
            reader.rows(
                path, Question("many", dict(count="many", max_count=3), dict(unit="who")), Family
            ).values()
        )
        == 37
    )


def test_a_parquet_file_whose_numbers_of_rows_disagree_is_refused(tmp_path, monkeypatch):
    """A Parquet file says how many rows it has, its groups have and each column has; where these differ it is not whole."""
    path = tmp_path / "s.parquet"
    table = pa.table(
        {
            "who": ["sam"] * 9,
            "longitude": [1.5] * 9,
            "latitude": [1.5] * 9,
            "tags": [["a", "b"]] * 9,
        }
    )
    pq.write_table(table, path, row_group_size=2)
    with pq.ParquetFile(path) as file:
        assert parquet._is_counted_alike(file.metadata, file.schema)

    class Told:
        """What a file's end says, with one row more or one value less."""

        num_rows, num_columns, num_row_groups = 10, 1, 1

        def row_group(self, at):
            class Group:
                num_rows = 10

                def column(self, at):
                    return type("Chunk", (), {"num_values": 9})

            return Group()

    with pq.ParquetFile(path) as file:
        assert not parquet._is_counted_alike(Told(), file.schema)
    monkeypatch.setattr(parquet, "_is_counted_alike", lambda told, own: False)
    with pytest.raises(BadInput, match="not a whole Parquet file"):
        parquet.plain([str(path)], "s.parquet")
