"""Makes flags of the table of options, and lets a command take a group of them as one frozen
dataclass, while typer sees each field as a flag in a panel.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import Field, dataclass, fields, is_dataclass
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand
from typer.models import ArgumentInfo, OptionInfo

from dpmap.numbers import whole
from dpmap.options import Option, OptionGroup, find_option

FIRST = ("area", "cell", "unit", "epsilon", "cap", "dataset", "budget", "out")
"""What a first release needs, in the order of the top panel of `--help`."""
FIRST_PANEL = "What is needed first"
LAST_PANEL = "Settings and answers"


Group = TypeVar("Group")


class FlagGroup:
    """The values of a group of options, by their names; `flag_group` gives a class its options."""

    if TYPE_CHECKING:
        panel: ClassVar[str]
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...


def flag_group(
    group: OptionGroup, **parsing: dict[str, Any]
) -> Callable[[type[Group]], type[Group]]:
    """Returns what gives a class the options of a group as its fields; `parsing` says of single
    ones how typer reads them.

    They are not compared and not shown, and so are made without the methods for it: `--help` waits
    for each.
    """

    def decorate(owner: type[Group]) -> type[Group]:
        owner.panel = group.panel  # type: ignore[attr-defined]
        owner.__annotations__ = {
            option.name: Annotated[
                _type_of(option), flag(option.name, option, **parsing.get(option.name, {}))
            ]
            for option in group.options
        }
        for option in group.options:
            setattr(owner, option.name, option.default)
        return dataclass(frozen=True, eq=False, repr=False)(owner)

    return decorate


def flag(name: str, option: Option | None = None, **how: Any) -> Any:
    """Makes the flag of an option, that of the table where none is given."""
    option = option or find_option(name)
    if option.kind == "whole number":
        how = {"parser": whole_number, "metavar": "INTEGER", **how}
    if option.metavar:
        how["metavar"] = option.metavar
    return typer.Option(option.typed, help=option.help, **how)


def whole_number(text: str, least: int | None = None) -> int:
    """Reads a flag's whole number in digits; Python alone would take `1_0` for ten.

    >>> whole_number("10")
    10
    """
    try:
        number = whole(str(text))
    except ValueError:
        raise typer.BadParameter(f"{str(text)[:60]!r} is not a whole number") from None
    if least is not None and number < least:
        raise typer.BadParameter(f"{number} is below {least}")
    return number


def _type_of(option: Option) -> Any:
    """Returns the type of an option's value."""
    types: dict[str, Any] = {
        "text": str,
        "texts": list[str],
        "whole number": int,
        "switch": bool,
        "path": Path,
    }
    kind = types[option.kind]
    return kind | None if option.default is None else kind


def with_flag_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command with each dataclass parameter replaced by the flags of its fields."""
    taken = signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: one.annotation for name, one in taken.items() if is_dataclass(one.annotation)
    }
    own_flags = [
        _flag(one, LAST_PANEL if groups else None)
        for name, one in taken.items()
        if name not in groups
    ]
    spelled = sorted((flag for group in groups.values() for flag in _flags(group)), key=_place)

    @wraps(command)
    def called(**given: Any) -> None:
        parts = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **parts)

    order = sorted(
        (*spelled, *own_flags),
        key=lambda one: not isinstance(one.annotation.__metadata__[0], ArgumentInfo),
    )
    # what `inspect` looks for
    called.__signature__ = Signature(order)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in order}
    return called


@cache
def _flags(group: Any) -> list[Parameter]:
    """Returns the fields of a group as parameters, each with its panel in `--help`."""
    kinds = get_type_hints(group, include_extras=True)
    return [
        _flag(
            Parameter(
                field.name,
                Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=kinds[field.name],
            ),
            FIRST_PANEL if field.name in FIRST else group.panel,
        )
        for field in fields(group)
    ]


def _flag(given: Parameter, panel: str | None) -> Parameter:
    """Returns the parameter, named and in this panel; arguments have no panel."""
    kind = given.annotation.__origin__
    option = copy(given.annotation.__metadata__[0])
    if isinstance(option, OptionInfo):
        option.rich_help_panel = panel
    return given.replace(kind=Parameter.KEYWORD_ONLY, annotation=Annotated[kind, option])


def _place(flag: Parameter) -> int:
    return FIRST.index(flag.name) if flag.name in FIRST else len(FIRST)


class Command(TyperCommand):
    """Puts `--help` in the last panel, so that what is needed comes first."""

    def get_help_option(self, ctx: Any) -> Any:
        """Returns the flag --help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.rich_help_panel = LAST_PANEL
        return option
