"""The premise for surveys in several files."""

import pytest
from folder_files import FAMILIES, FOLDER
from side_by_side import FIELDS, QUESTIONS, Reader, Refusal, held, share

META = (
    '<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence" fieldsTerminatedBy="," '
    'ignoreHeaderLines="{lines}"><files><location>part-0.csv</location></files><id index="3"/><field index="0" term="x/who"/>'
    '<field index="2" term="x/lon"/><field index="1" term="x/lat"/></core></archive>'
)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_parts_change_no_others(family, tmp_path):
    """Whatever a part of a folder or archive is called and holds, everybody else's rows stay as they are, or the survey is refused."""
    assert held([family], tmp_path) == share(family)


@pytest.mark.parametrize("lines", [0, 1])
def test_a_meta_xml_beside_tables_with_headers_renames_no_column(lines, tmp_path):
    """A file called meta.xml that one person puts beside the tables does not move everybody else."""
    reader, folder = Reader(), tmp_path / "survey"
    try:
        folder.mkdir()
        (folder / "part-0.csv").write_text(",".join(FIELDS) + "\nsam 1,0.5,1.5\nsam 2,2.5,3.5\n")
        alone = reader.rows(folder, QUESTIONS["plain"], FOLDER)
        (folder / "meta.xml").write_text(META.format(lines=lines))
        beside = reader.rows(folder, QUESTIONS["plain"], FOLDER)
    finally:
        reader.close()
    assert isinstance(beside, Refusal) or beside == alone


SEVERAL = (
    '<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence" fieldsTerminatedBy="," '
    'ignoreHeaderLines="1"><files><location>0.csv</location><location>1.csv</location></files><id index="0"/></core></archive>'
)


@pytest.mark.parametrize("head", ["key,who,lat,lon", "key,who,lon", "key,who,lon,lat,more"])
def test_a_file_of_a_darwin_core_table_names_no_column_of_another(head, tmp_path):
    """Of several files that meta.xml makes one table none renames the columns of others: they name the same, or are refused."""
    reader, folder = Reader(), tmp_path / "survey"
    try:
        folder.mkdir()
        (folder / "meta.xml").write_text(SEVERAL)
        (folder / "1.csv").write_text("key,who,lon,lat\n1,sam 1,0.5,1.5\n")
        (folder / "0.csv").write_text("key,who,lon,lat\n2,tess,2.5,3.5\n")
        assert len(reader.rows(folder, QUESTIONS["plain"], FOLDER)) == 2
        (folder / "0.csv").write_text(f"{head}\n2,tess,2.5,3.5,1\n")
        beside = reader.rows(folder, QUESTIONS["plain"], FOLDER)
    finally:
        reader.close()
    assert isinstance(beside, Refusal) and "name different columns" in beside.message
