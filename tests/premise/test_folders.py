"""The premise for surveys in several files."""

import pytest
from folder_files import FAMILIES, FOLDER
from side_by_side import FIELDS, QUESTIONS, TIMES, Reader, Refusal, held

META = (
    '<archive xmlns="http://rs.tdwg.org/dwc/text/"><core rowType="http://rs.tdwg.org/dwc/terms/Occurrence" fieldsTerminatedBy="," '
    'ignoreHeaderLines="{lines}"><files><location>part-0.csv</location></files><id index="3"/><field index="0" term="x/who"/>'
    '<field index="2" term="x/lon"/><field index="1" term="x/lat"/></core></archive>'
)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.name)
def test_one_persons_parts_change_no_others(family, tmp_path):
    """Whatever a part of a folder or archive is called and holds, everybody else's rows stay as they are, or the survey is refused."""
    assert held([family], tmp_path) == family.pairs * TIMES


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
