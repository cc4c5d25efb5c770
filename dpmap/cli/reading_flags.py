"""Declares the flags that say how a survey is read, once for every command that reads one."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dpmap import options
from dpmap.cli.flag_groups import FlagGroup, flag_group
from dpmap.cli.survey_paths import Files, as_read, is_afar
from dpmap.errors import DpmapError, NoPlace

if TYPE_CHECKING:
    from dpmap.survey import Survey


@flag_group(options.READING)
class ReadingFlags(FlagGroup):
    """How the survey is read."""

    def opened(self, survey: Files, unit: str | None, **options: Any) -> "Survey":
        """Opens the survey as these flags say; `told` overrides them."""
        from dpmap.survey import read

        return read(as_read(survey), unit=unit, **{**asdict(self), **options})

    def dated(self, times: str | None) -> dict[str, str]:
        """Returns `--from` and `--to` about the column of `--times`, where they name none
        themselves.
        """
        column = (times or "").partition("=")[0].strip()
        ends = {"since": self.since, "until": self.until}
        return {
            name: f"{column}={end}"
            for name, end in ends.items()
            if column and end and "=" not in end
        }

    def place_flags(self, survey: Files) -> str:
        """Returns the flags that would say where a row is, where neither these do nor the survey
        at hand; else nothing.
        """
        try:
            if not is_afar(survey):
                self.opened(survey, None)
        except NoPlace as unplaced:
            return unplaced.flags
        except DpmapError:
            pass
        return ""

    def lacks_unit(self, survey: Files, unit: str | None) -> bool:
        """Whether nobody says who is protected: no flag, nor the format of a survey at hand."""
        if unit is not None or is_afar(survey):
            return unit is None
        try:
            return self.opened(survey, None).unit is None
        except DpmapError:
            return True
