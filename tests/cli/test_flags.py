"""Flags in groups: each declared once, shown in named panels, the few that are needed first on top."""

import inspect
from dataclasses import fields, is_dataclass

import pytest
import typer

from dpmap.cli import choose, flags, release
from dpmap.cli import plan as planning
from dpmap.cli.commands import app
from dpmap.cli.groups import FIRST, FIRST_PANEL, LAST_PANEL

COMMANDS = typer.main.get_command(app).commands
GROUPS = [one for one in vars(flags).values() if is_dataclass(one)]


def panels(command: str) -> dict[str, list[str]]:
    """The flags of each panel of a command's help, in the order in which they are shown."""
    context = typer.main.get_command(app).make_context("dpmap", [], resilient_parsing=True)
    found: dict[str, list[str]] = {}
    for one in COMMANDS[command].get_params(context):
        if one.param_type_name == "option":
            found.setdefault(one.rich_help_panel or "Options", []).append(one.opts[0])
    return found


def test_what_a_first_release_needs_stands_on_top():
    """The first panel of `dpmap release --help` has the eight flags that a first release needs, and no other."""
    found = panels("release")
    assert next(iter(found)) == FIRST_PANEL
    assert found[FIRST_PANEL] == [f"--{name}" for name in FIRST]
    assert len(FIRST) == 8


@pytest.mark.parametrize("command", ["release", "choose", "plan", "inspect", "init"])
def test_every_flag_stands_in_a_named_panel(command):
    """No flag of these commands is left in a heap of options, and help itself comes last."""
    found = panels(command)
    assert "Options" not in found
    assert list(found)[-1] == LAST_PANEL and "--help" in found[LAST_PANEL]


def test_each_flag_of_a_group_is_declared_once():
    """No two groups name the same flag, so that one place says what it means."""
    names = [field.name for group in GROUPS for field in fields(group)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("command", [release.release, choose.choose, planning.plan])
def test_a_command_takes_groups_and_not_dozens_of_flags(command):
    """A command's own signature stays short enough to be read."""
    assert len(inspect.signature(command).parameters) <= 13
