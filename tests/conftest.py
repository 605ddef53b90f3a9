"""How the tests run: the option --thorough, the order, and one thread for each process.

Nothing of `model` and `explorer` is imported here, so that --thorough can check their types from their first import on.
"""

import os
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, settings
from jaxtyping import install_import_hook

CHECKED = ["model", "explorer", "tools"]
EXAMPLES = {False: 400, True: 2000}  # of all fuzz tests together: in an ordinary round, and with --thorough
TOLERATED = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
# A toy model's matrices are too small to share: two threads spend their time waiting for each other, the more so the
# busier the machine is (test_resume.py: 9 s with one, 111 s with two). Decoding row by row gains nothing either.
torch.set_num_threads(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="check types at run time, and run the tests marked thorough as well"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Turns on runtime type checks with --thorough, then loads the fixtures, which import the model.

    The examples of Hypothesis are the same in every ordinary round; with --thorough they are new and more.
    """
    thorough = config.option.thorough
    settings.register_profile(
        "tests",
        max_examples=EXAMPLES[thorough],
        derandomize=not thorough,
        database=None,
        deadline=None,
        suppress_health_check=TOLERATED,
    )
    settings.load_profile("tests")
    if thorough:
        imported = [name for name in CHECKED if name in sys.modules]
        if imported:
            pytest.exit(f"--thorough cannot check {', '.join(imported)}: a conftest.py imports it", returncode=4)
        install_import_hook(CHECKED, "beartype.beartype")
    config.pluginmanager.import_plugin("shared_fixtures")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Returns 0, no workers, for a single file, and with -s, because workers do not show what tests print."""
    is_one_file = len(config.args) == 1 and Path(config.args[0].split("::")[0]).is_file()
    return 0 if is_one_file or config.option.capture == "no" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what runs on request only (-m space, -m other_browsers, -m thorough), and puts the browser tests last.

    As long as Playwright's browser is open, an event loop counts as running in this thread, so that no test may start
    one of its own: 32 tests failed behind those of the browser, and none before them. A file goes as a whole to one
    worker, so that no file may have both.
    """
    asked = config.option.markexpr + ("thorough" if config.option.thorough else "")
    on_request = {marker for marker in ("space", "other_browsers", "thorough") if marker not in asked}
    left_out = [item for item in items if any(item.get_closest_marker(marker) for marker in on_request)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    marked = {item for item in items if item.get_closest_marker("browser")}
    with_browser = {item.path for item in items if item in marked or "browser" in getattr(item, "fixturenames", ())}
    strays = {item.path.name for item in items if item.path in with_browser and item not in marked}
    if strays:
        raise pytest.UsageError(f"not every test is marked with needs_browser in {', '.join(sorted(strays))}")
    items.sort(key=marked.__contains__)
