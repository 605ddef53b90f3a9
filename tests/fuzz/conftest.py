"""What the fuzz tests look at: a page around a tiny model, and a thread that asks it."""

import json

import pytest
import torch


@pytest.fixture(scope="session")
def tiny(tokenizer):
    """A random model that is quick, and shorter than the page's own limits."""
    from model.config import ModelConfig  # here, not above: see tests/conftest.py
    from model.decoding import Translator
    from model.transformer import Transformer

    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=2, n_heads=2, d_model=8, d_ff=8, max_len=32, **sizes)
    return Translator(Transformer(config).eval(), tokenizer)


@pytest.fixture(scope="session")
def app(tiny, tmp_path_factory):
    """A page around it, with all questions that it may be asked."""
    from explorer.page.ui import create_ui
    from explorer.recording.app_context import AppContext
    from explorer.recording.recordings import Recordings

    examples = tmp_path_factory.mktemp("examples") / "short.json"
    examples.write_text(json.dumps([{"shows": "short", "sentence": "The cat sleeps."}]), encoding="utf-8")
    app = AppContext(Recordings(tiny), None, examples=examples)
    create_ui(app)
    return app


@pytest.fixture(scope="module")
def elsewhere():
    from fuzzing import Elsewhere

    thread = Elsewhere()
    yield thread
    thread.close()
