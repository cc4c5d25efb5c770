"""Takes the rows that come through a pipe: FILE `-` is what another program writes to this one's
standard input.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dpmap.cli.reading_flags import ReadingFlags
from dpmap.cli.survey_paths import Files, is_piped
from dpmap.errors import BadInput


@contextmanager
def survey_at_hand(
    survey: Files, reading: ReadingFlags, temp: Path | None = None
) -> "Iterator[tuple[Files, ReadingFlags]]":
    """Yields the survey and how it is read, for as long as its rows are at hand: those of `-`
    are kept in a private folder meanwhile.
    """
    if not is_piped(survey):
        yield survey, reading
        return
    if len(survey) > 1:
        raise BadInput("survey: - stands alone; give either rows on standard input or files")
    from dpmap.private_folder import private_folder
    from dpmap.survey.files.piped_rows import HOW, NAME, keep_stream

    if sys.stdin is None or sys.stdin.isatty():
        raise BadInput(f"survey: - reads rows from a pipe, and {NAME} is none; {HOW}")
    with private_folder(temp) as folder:
        yield (
            [keep_stream(sys.stdin.buffer, folder)],
            replace(reading, format=packed_format(reading.format)),
        )


def packed_format(declared: str | None) -> str | None:
    """Returns the declared format of what is packed in the stream; a CSV needs none.

    >>> packed_format("csv.gz"), packed_format("geojson.gz"), packed_format("csv.gz+ebird")
    (None, 'geojson', 'ebird')
    """
    words = [word.strip().lower().removesuffix(".gz") for word in (declared or "").split("+")]
    return "+".join(word for word in words if word not in ("csv", "")) or None
