"""The little Markdown of statements, read into plain parts."""

from dpmap.markdown import Span, blocks


def spans(text):
    return list(blocks(text)[0].rows[0][0])


def test_text_in_code_means_nothing():
    """A declared name that looks like markup stays the text that it is."""
    assert spans("unit `**a** | <b> *c*` here") == [
        Span("unit "),
        Span("**a** | <b> *c*", code=True),
        Span(" here"),
    ]


def test_bold_may_hold_code():
    """Who is protected is bold, with the column's name as code within."""
    assert spans("**all rows of one `id`**, so") == [
        Span("all rows of one ", bold=True),
        Span("id", code=True, bold=True),
        Span(", so"),
    ]


def test_a_table_keeps_bars_within_code():
    """A bar in a declared name does not cut a table's cell."""
    (table,) = blocks("| a | b |\n|---|---|\n| `x|y` | 2 |")
    assert [
        ["".join(span.text for span in cell).strip() for cell in row] for row in table.rows
    ] == [
        ["a", "b"],
        ["x|y", "2"],
    ]


def test_html_stays_text():
    """Nothing of a statement is ever markup for the page."""
    assert spans("<img src=x onerror=alert(1)> & more") == [
        Span("<img src=x onerror=alert(1)> & more")
    ]


def test_lists_and_paragraphs_are_kept_apart():
    """Lines of one list belong together; an empty line ends a paragraph."""
    found = blocks("# A\n\none\ntwo\n\n- b\n- c\n\n1. d\n2. e\n\nlast")
    assert [(one.kind, len(one.rows)) for one in found] == [
        ("heading", 1), ("paragraph", 1), ("list", 2), ("numbered", 2), ("paragraph", 1),
    ]  # fmt: skip


def test_links_are_read_in_our_own_pages_only():
    """A link of the help is one; in a statement, which may quote anybody, the same marks are text."""
    text = "See [this](moving.md)."
    assert spans(text) == [Span(text)]
    assert list(blocks(text, links=True)[0].rows[0][0]) == [
        Span("See "),
        Span("this", link="moving.md"),
        Span("."),
    ]


def test_an_indented_line_goes_on_with_its_item():
    """An item may take several lines, and a quote too."""
    found = blocks("- one\n  and more\n- two\n\n> a\n> b")
    assert [(one.kind, [row[0][0].text for row in one.rows]) for one in found] == [
        ("list", ["one and more", "two"]),
        ("quote", ["a b"]),
    ]
