"""The rules of acceptance: for what a survey is refused whole. docs/promise.md names the same.

A refusal is seen by whoever waits for the release; the premise is about surveys that are accepted.
"""

TOGETHER = (
    # CSV: what two stray quotes may hide
    r"a quoted text over several lines holds a line that could be a row of its own",
    r"the quotes of .* are too tangled to tell its rows apart",
    # a folder: which of its files is meant
    r"is a folder of several files; give one of them",
    r"--layer: .* may be .* or a layer in .*; write the file's whole name",
)
"""Rules that two surveys may break together which each keep by themselves."""

ALONE = (
    # a part of a folder or archive that is no part of the table
    r"holds several files that are no parts of one table",
    r"has another header than .* and is read in another way",
    r"has no column .*, and each file must say who",
    r"the survey has no column .*; it has .* \(this is",
    r"this file is of no known format; add .* \(this is",
    r"is no list of records; say where the list is",
    r"holds a meta\.xml that does not name all of its tables",
    r"holds several meta\.xml",
    r"meta\.xml and the first line of .* name different columns",
    r"meta\.xml of this Darwin Core Archive is damaged",
    r"this Darwin Core Archive holds neither occurrences nor events",
    r"has another type in column .* than",
    r"has other columns than",
    r"describes another geometry or CRS than",
    r"holds two files of one name",
    # the folders of partitions
    r"lies in folders that name other columns than those of",
    r"the folders name a column .* that the files hold as well",
    # a layer, where every layer is read
    r"the layers of .* are no parts of one table",
    r"has a layer called all beside others",
    r"two columns of .* differ in upper and lower case only",
    # a workbook's parts
    r"holds tables beside the parts of a workbook",
    r"holds no sheet of rows",
    r"breaks off or is damaged inside; open it in a spreadsheet program",
    r"do not stand in their order; open it in a spreadsheet program",
    r"merged cells of .* are damaged",
    r"has too many merged cells",
    r"cells of .* are merged over rows .*, and a row must stand for itself",
    r"claims more than an \.xls can hold",
    r"holds values below row 1,048,576",
    r"has no header line; export it again",
    r"the header of .* is not whole in its line",
    r"holds no file dpmap reads",
    r"is empty; (export it again|its export broke off)",
    r"the first line of .* holds numbers, no names",
    r"is not a text table in UTF-8",
    r"cannot be read; it may be damaged or cut short",
    r"the file cannot be read to its end; it may be damaged",
    r"two events of this Darwin Core Archive have one",
    r"names an event that is not in it",
    # a part that is packed under a text's name
    r"is packed, though its name is a text's",
    # bytes
    r"is not whole UTF-16: some bytes make no whole character",
    r"ends inside a quoted text; it may be cut short",
    r"is not whole JSON; it may be cut short or damaged",
    r"is not well-formed XML; it may be cut short or damaged",
    r"declares XML entities, which no survey needs",
    r"holds a record of more than \d+ MB; export it as CSV",
)
"""Rules that T by itself breaks."""

OPERATOR = (
    r"dates: no row of .* holds a date written as",
    r"kinds: no row names one of these kinds, though rows name others",
    r"consent: no row holds one of these values there, though rows hold others",
    r"mean: no row of .* holds a number",
    r"count: no row of .* holds a number, though rows hold texts",
    r"(area|bounds).*: none of the survey's places lies in it",
    r"place: no row of .* holds a coordinate",
    r"unit: every row is blank or a placeholder there",
    r": the survey has rows and none is selected",
    r"place: longitude and latitude look swapped",
    r"crs: the rows fall in the area only if their coordinates are degrees",
    r"crs: the coordinates lie outside what their CRS can hold",
    r"place: the survey's shapes are lines or areas",
)
"""Rules for the operator's screen, outside the guarantee: a survey of which no row counts, or fewer than 100."""
