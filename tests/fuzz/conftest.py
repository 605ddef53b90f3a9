"""What the fuzz tests look at: a page around a tiny model, and a thread that asks it."""

import json

import pytest


@pytest.fixture(scope="session")
def app(tokenizer, tmp_path_factory):
    """A page with all questions that it may be asked, around a random model that is quick, and short."""
    from tiny_models import tiny_translator  # here, not above: see tests/conftest.py

    from explorer.page.ui import create_ui
    from explorer.recording.app_context import AppContext
    from explorer.recording.recordings import Recordings

    examples = tmp_path_factory.mktemp("examples") / "short.json"
    examples.write_text(json.dumps([{"shows": "short", "sentence": "The cat sleeps."}]), encoding="utf-8")
    tiny = tiny_translator(tokenizer, n_heads=2, d_model=8, d_ff=8)
    app = AppContext(Recordings(tiny), None, examples=examples)
    create_ui(app)
    return app


@pytest.fixture(scope="module")
def elsewhere():
    from fuzzing import Elsewhere

    thread = Elsewhere()
    yield thread
    thread.close()
