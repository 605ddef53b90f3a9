"""The profiles of the fuzz tests: 2,000 examples, always the same, or 20,000 by --hypothesis-profile=thorough."""

import json

import pytest
import torch
from fuzzing import ALL
from hypothesis import HealthCheck, settings

from explorer.page.ui import create_ui
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from model.config import ModelConfig
from model.decoding import Translator
from model.transformer import Transformer

QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]}
settings.register_profile("ci", max_examples=ALL, derandomize=True, database=None, **QUIET)
settings.register_profile("thorough", max_examples=10 * ALL, **QUIET)
if settings.get_current_profile_name() != "thorough":
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def tiny(tokenizer) -> Translator:
    """A random model that is quick, and shorter than the page's own limits."""
    torch.manual_seed(0)
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=2, n_heads=2, d_model=8, d_ff=8, max_len=40, **sizes)
    return Translator(Transformer(config).eval(), tokenizer)


@pytest.fixture(scope="session")
def opened(tiny, tmp_path_factory) -> Opened:
    """A page around it, with all questions that it may be asked."""
    examples = tmp_path_factory.mktemp("examples") / "short.json"
    examples.write_text(json.dumps([{"shows": "short", "sentence": "The cat sleeps."}]), encoding="utf-8")
    opened = Opened(Recordings(tiny), None, examples=examples)
    create_ui(opened)
    return opened
