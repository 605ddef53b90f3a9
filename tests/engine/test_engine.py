"""The engine that runs in a browser against PyTorch, which is the one truth."""

import base64
from typing import Any

import numpy as np
from visiting import needs_browser

from model.decoding import Translator

pytestmark = needs_browser

WEIGHTS, LOG_PROBABILITIES = 5e-6, 1e-5  # the largest differences that are allowed


def tensor(plain: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(plain["data"]), dtype=np.float32).reshape(plain["shape"])


def test_a_sentence_has_the_same_translation_and_weights(in_browser, shipped: Translator):
    sentence = "A man is riding a bicycle."
    found = in_browser("record", "small", sentence)
    src = shipped.source_ids(sentence)
    encoded = shipped.encode(src)
    steps = list(shipped.steps(encoded))
    assert found["src"] == src
    assert [step["id"] for step in found["steps"]] == [step.id for step in steps]
    for mine, theirs in zip(found["encoder"], encoded.attention, strict=True):
        np.testing.assert_allclose(tensor(mine), theirs.numpy(), rtol=0, atol=WEIGHTS)
    for mine, theirs in zip(found["steps"], steps, strict=True):
        np.testing.assert_allclose(tensor(mine["selfAttention"]), theirs.self_attention.numpy(), rtol=0, atol=WEIGHTS)
        np.testing.assert_allclose(tensor(mine["crossAttention"]), theirs.cross_attention.numpy(), rtol=0, atol=WEIGHTS)
        np.testing.assert_allclose(mine["logProbability"], theirs.log_probability, rtol=0, atol=LOG_PROBABILITIES)
