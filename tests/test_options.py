"""Every option of `dpmap release` stands once in the table, and every face is made of it or held to it."""

import inspect
import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import dpmap as dm
from dpmap import options
from dpmap.cli import flag_groups
from dpmap.cli.flags import AnswerFlags, Published, Stamp
from dpmap.errors import BadInput
from dpmap.options import ConfigLine, Option, all_options
from dpmap.options.config_headings import READ
from dpmap.steward import init_config

ROOT = Path(__file__).parents[1]
STUDIO = "".join(path.read_text("utf-8") for path in (ROOT / "dpmap/studio/steps").glob("*.py"))
PLUGIN = "".join(
    path.read_text("utf-8")
    for path in (
        *(ROOT / "qgis/dpmap_qgis/algorithms").glob("heatmap*.py"),
        ROOT / "qgis/dpmap_qgis/algorithms/base.py",
        *(ROOT / "qgis/dpmap_qgis/rows").glob("*.py"),
    )
)
EVERY = list(all_options())


def in_plugin(option: Option) -> bool:
    """Whether an input of the plugin has the option's name, or its flag is written out."""
    flag = option.typed.removeprefix("--")
    return bool(re.search(rf'"{flag}"|"--{flag}[="]|"{option.key.upper()}"', PLUGIN))


def test_no_option_stands_twice():
    """Names, flags and keys are each those of one option."""
    for names in ([one.name for one in EVERY], [one.typed for one in EVERY]):
        assert len(set(names)) == len(names)


def test_release_has_the_options_of_the_table_and_no_others():
    """The flags of `dpmap release` are those of the table, with its words."""
    from dpmap.cli.release import release

    taken = inspect.signature(flag_groups.with_flag_groups(release)).parameters
    flags = {
        name: parameter.annotation.__metadata__[0]
        for name, parameter in taken.items()
        if name != "survey"
    }
    assert set(flags) == {option.name for option in EVERY}
    for option in EVERY:
        assert flags[option.name].help == option.help


@pytest.mark.parametrize("option", EVERY, ids=lambda option: option.name)
def test_the_studio_asks_for_it_or_says_why_not(option):
    """An option of `release` is in the studio's steps, or the table has the reason why it is not."""
    assert (f'"{option.key}"' in STUDIO) != bool(option.not_in_studio)


@pytest.mark.parametrize("option", EVERY, ids=lambda option: option.name)
def test_the_plugin_asks_for_it_or_says_why_not(option):
    """An option of `release` is an input of the plugin for QGIS, or the table has the reason why it is not."""
    assert in_plugin(option) or option.not_in_plugin


def test_the_plugin_carries_what_the_table_says_today():
    """The plugin's file of options, grids and rules is made of the table; after a change run the command that the failure names."""
    written = runpy.run_path(str(ROOT / "packaging" / "qgis_options.py"))
    today = written["FILE"].read_text("utf-8") == written["options_as_json"]()
    assert today, "run: PYTHONPATH=. python packaging/qgis_options.py"


def test_what_is_declared_of_the_maps_use_is_in_the_release():
    """Each option of the stamp and of what is published stands in the release's governance: none is taken and lost."""
    typed = {
        "authorised_by": "The Trust",
        "purpose": "Planning",
        "expires": "2031-12-31",
        "label": ["TK Attribution"],
        "licence": "CC-BY-4.0",
        "doi": "10.5281/zenodo.1234567",
        "reason": "speciesLocation",
        "local_contexts": "71b32571-0176-4627-8e01-4d78818432a7",
        "retention": "Ten years",
        "also_published": ["A table"],
    }
    stamp, published = (
        {option.name for option in group.options} for group in (options.STAMP, options.PUBLISHED)
    )
    assert (stamp | published) - {"context"} == typed.keys(), "say what is typed for a new one"
    governance = Published(
        **{name: value for name, value in typed.items() if name in published}
    ).governance(Stamp(**{name: value for name, value in typed.items() if name in stamp}))
    declared = " ".join(governance.facts().values())
    for value in typed.values():
        assert (value if isinstance(value, str) else value[0]) in declared


def test_the_studio_names_what_it_confirms():
    """On the page of confirmation, each option that the studio asks for has words of its own."""
    from dpmap.studio.steps.disclosure import ALSO, SAID, WITHIN

    named = SAID | WITHIN | ALSO.keys() | {"resume", "json"}
    for option in EVERY:
        assert option.key in named or option.not_in_studio, option.key


def test_an_option_that_is_added_is_in_every_face(monkeypatch):
    """One line in the table gives a flag with its help, a key of dpmap.toml and a line of `dpmap init`, and is missed in the others."""
    added = Option(
        "observers_wear",
        "What observers wear, like hats.",
        in_config=ConfigLine(READ, "hats", "what they wear", always=True),
    )
    group = replace(options.READING, options=(*options.READING.options, added))
    monkeypatch.setattr(options, "GROUPS", (group, *options.GROUPS[1:]))

    @flag_groups.flag_group(group)
    class Grown(flag_groups.FlagGroup):
        """The options of reading, and one more."""

    def command(reading: Grown, answer: AnswerFlags) -> None:
        """Say what they wear."""
        answer.tell({}, [str(reading.observers_wear)])

    import typer

    app = typer.Typer()
    app.command()(flag_groups.with_flag_groups(command))
    assert "--observers-wear" in CliRunner().invoke(app, ["--help"]).output
    assert CliRunner().invoke(app, ["--observers-wear", "hats"]).output == "hats\n"
    assert options.find_option("observers_wear").key == "observers_wear"
    line = init_config._config_lines()[READ]["observers_wear"]
    assert (line.example, line.words) == ("hats", "what they wear")
    assert f'"{added.key}"' not in STUDIO and not added.not_in_studio  # so the studio's test fails
    assert not in_plugin(added) and not added.not_in_plugin  # and the plugin's


def keywords(call, *, without=()):
    """The names that a call takes by keyword, with their defaults."""
    taken = inspect.signature(call).parameters.values()
    return {
        one.name: one.default
        for one in taken
        if one.kind is one.KEYWORD_ONLY and one.name not in without
    }


def test_reading_and_policies_take_the_options_of_the_table_in_python():
    """Each option of reading and of the promise is a keyword of `dm.read` or `dm.Policy` with the table's default, and no other is."""
    reading = {one.name: one.default for one in options.READING.options}
    assert keywords(dm.read, without=("unit", "consent")) == reading
    promise = {
        one.name: one.default
        for group in (options.PROMISE, options.FINER_PROMISE)
        for one in group.options
        if one.name not in ("sites", "tier", "seal")
    }
    del promise["epsilon"]  # which has no default in Python
    assert keywords(dm.Policy, without=("epsilon", "cap_choice")) == promise


def test_release_takes_its_options_in_python():
    """Each option of the budget and the strategy is a keyword of `dm.release`."""
    named = {one.name for group in (options.BUDGET, options.STRATEGY) for one in group.options}
    assert named <= keywords(dm.release).keys()


def test_a_mistyped_option_of_reading_is_answered_with_the_nearest():
    """`dm.read` names the option that was meant, as an error of dpmap and not of Python alone."""
    with pytest.raises(BadInput, match="where"):
        dm.read("raptors.csv", wher="year > 2020")
