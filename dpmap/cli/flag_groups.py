"""Lets a command take a group of flags as one frozen dataclass, while typer sees each field as a
flag in a panel.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

from typer.core import TyperCommand
from typer.models import ArgumentInfo, OptionInfo

FIRST = ("area", "cell", "unit", "epsilon", "cap", "dataset", "budget", "out")
"""What a first release needs, in the order of the top panel of `--help`."""
FIRST_PANEL = "What is needed first"
LAST_PANEL = "Settings and answers"


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Returns the command with each dataclass parameter replaced by the flags of its fields."""
    taken = signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: one.annotation for name, one in taken.items() if is_dataclass(one.annotation)
    }
    own = [
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
        (*spelled, *own),
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
    kind, option = given.annotation.__origin__, copy(given.annotation.__metadata__[0])
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
