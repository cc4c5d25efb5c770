"""How long tests are kept from making the whole run longer: see "Slow tests" in CONTRIBUTING.md."""

import functools
import gc
import os
import signal
import subprocess
import sys

import pytest
import typer.main
from builders import warm

# As `dpmap` itself does: a tenth of the run went into looking for dead rings.
gc.set_threshold(20_000)
# A `make test &` of a script ignores Ctrl-C, and so would all that the tests start and then stop as Ctrl-C does.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The flags of all commands are worked out once, not in each of thousands of calls.
typer.main.get_command = functools.cache(typer.main.get_command)

DEEP = os.environ.get("DPMAP_DEEP") == "1"
LONG = {
    "tests/premise/test_folders.py": 90, "tests/premise/test_records.py": 80, "tests/premise/test_text.py": 60,
    "tests/render/test_interactive.py": 60, "tests/site/test_site.py": 50, "tests/test_docs.py": 43, "tests/studio/test_killed.py": 40,
    "tests/selftest/test_selftest.py": 37, "tests/test_plan.py": 35,
    "tests/studio/test_in_a_browser.py": 31, "tests/survey/test_formats.py": 30, "tests/vault/test_cap.py": 30, "tests/vault/test_ledger.py": 30, "tests/vault/test_ledger_contract.py": 60,
    "tests/cli/test_grids_by_name.py": 22, "tests/studio/test_official_and_declared.py": 20,
    "tests/fuzz/test_fuzz.py": 28, "tests/survey/test_from_init.py": 28, "tests/studio/test_confirm.py": 25, "tests/studio/test_who_and_where.py": 25,
    "tests/studio/test_sure.py": 14, "tests/test_goals.py": 25, "tests/cli/test_bad_input.py": 24, "tests/survey/test_hostile.py": 22,
    "tests/test_canary.py": 22, "tests/studio/test_child.py": 21, "tests/studio/test_nothing_is_kept.py": 20, "tests/studio/test_released.py": 20,
    "tests/engines/test_duckdb.py": 20, "tests/engines/test_spark.py": 16, "tests/test_notebooks.py": 20, "tests/packaging/test_built.py": 15,
    "tests/selftest/test_mutants.py": 18, "tests/premise/test_layers_premise.py": 18, "tests/strategies/test_adaptive.py": 17,
    "tests/test_attestation.py": 18, "tests/cli/test_cli.py": 16, "tests/test_layers.py": 16, "tests/test_house.py": 16, "tests/attacks/test_rows.py": 15,
    "tests/attacks/test_outward.py": 50, "tests/survey/test_stores.py": 40, "tests/faults/test_ensure.py": 45,
    "tests/premise/test_seams.py": 25, "tests/premise/test_optimiser.py": 25, "tests/faults/test_delivery.py": 30,
    "tests/premise/test_frames_premise.py": 15, "tests/render/test_moving.py": 15, "tests/type_checking/test_types.py": 25,
    "tests/plugin/test_plugin_options.py": 33, "tests/plugin/test_plugin_heatmap.py": 30, "tests/plugin/test_plugin_environment.py": 25, "tests/plugin/test_plugin_running.py": 24,
    "tests/plugin/test_plugin_algorithms.py": 23, "tests/plugin/test_plugin_panel.py": 26, "tests/plugin/test_plugin_shown.py": 15,
}  # fmt: skip
"""Files of a quarter of a minute and more, and about how many seconds of one core each takes. They begin first, so that at the
end of `make test` no core waits for the other; a number that is wrong costs a few seconds of waiting and nothing else."""


@pytest.fixture(scope="session")
def standing_by(tmp_path_factory):
    """The place of a process that has loaded the libraries and forks commands for the tests of the studio and of QGIS."""
    place = str(tmp_path_factory.mktemp("warm") / "door")
    with subprocess.Popen(
        [sys.executable, "-P", warm.__file__, place], stdout=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout.readline() == "ready\n"
        yield place
        started.terminate()


def pytest_collection_modifyitems(config, items):
    """Leaves to `make deep` what is marked so, and puts the files that take long before all others, the longest first.

    The tests of a file stay together and in order.
    """
    if not DEEP:
        left = [item for item in items if item.get_closest_marker("deep")]
        left += _beyond_matrix([item for item in items if item not in set(left)])
        config.hook.pytest_deselected(items=left)
        gone = set(left)
        items[:] = [item for item in items if item not in gone]
    items.sort(key=lambda item: -LONG.get(item.nodeid.partition("::")[0], 0))


def _beyond_matrix(items):
    """The cases of each test marked `matrix(N)` beyond N of them, which lie evenly between the first and the last."""
    families = {}
    for item in items:
        marker = item.get_closest_marker("matrix")
        if marker:
            families.setdefault((item.nodeid.partition("[")[0], marker.args[0]), []).append(item)
    left = []
    for (_, many), cases in families.items():
        chosen = {round(at * (len(cases) - 1) / max(1, many - 1)) for at in range(many)}
        left += [case for at, case in enumerate(cases) if at not in chosen]
    return left


def pytest_report_header():
    """Says what this run leaves out."""
    return (
        ""
        if DEEP
        else "left to `make deep`: tests marked deep, and the cases beyond N of tests marked matrix(N)"
    )
