"""The engine that runs in a browser against PyTorch, which is the one truth; and its files."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from cases import each_case
from tiny_models import tiny_translator
from visiting import needs_browser

from explorer.recording.trace import Trace, record
from model.checkpoints import checkpoint
from model.decoding import Translator, distribution
from model.probe import Probe
from model.tokenizer import Tokenizer, pad

pytestmark = needs_browser

WEIGHTS, LOG_PROBABILITIES, STREAMS = 5e-6, 1e-5, 5e-5  # the largest differences that are allowed
TINY_SENTENCE = "The cat sleeps on the old chair."
UNKNOWN = "I like 猫 and 犬."  # the vocabulary lacks two characters, and the model wants to write that
# What config.json can say, in sizes that are multiples of four and in others, and each type of numbers.
TINY: dict[str, tuple[dict[str, Any], torch.dtype]] = {
    "plain": ({}, torch.float32),
    "uneven-heads": ({"d_head": 3, "d_value": 5}, torch.float16),
    "odd-sizes": ({"n_heads": 3, "d_model": 18, "d_head": 5, "d_ff": 23}, torch.float32),
    "no-bias": ({"attention_bias": False, "n_heads": 1}, torch.bfloat16),
    "learned": ({"positions": "learned"}, torch.float16),
    "gelu": ({"activation": "gelu", "tying": "output"}, torch.float32),
    "halves": ({"activation": "silu", "positions": "sinusoidal halves"}, torch.float32),
    "untied": ({"n_layers": 1, "n_decoder_layers": 3, "tying": "none", "shared_vocabulary": False}, torch.float32),
    "no-positions": ({"n_layers": 3, "n_decoder_layers": 1, "positions": "none"}, torch.float32),
}


def compare(mine: Any, theirs: Any, within: float) -> None:
    """The largest difference between two arrays of one shape, which may hold infinities."""
    mine, theirs = np.asarray(mine, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    assert mine.shape == theirs.shape
    with np.errstate(invalid="ignore"):
        assert np.abs(np.where(mine == theirs, 0, mine - theirs)).max(initial=0) <= within


@pytest.fixture(scope="session")
def tiny(tokenizer: Tokenizer, checkpoints: Path) -> dict[str, Translator]:
    """Random translators by name, as they are after saving and loading; the browser finds them under their names."""
    for name, (changes, precision) in TINY.items():
        checkpoint.save(tiny_translator(tokenizer, **changes), checkpoints / name, precision)
    return {name: checkpoint.load(checkpoints / name) for name in TINY}


def tensor(plain: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(plain["data"]), dtype=np.float32).reshape(plain["shape"])


def assert_same_trace(found: dict[str, Any], trace: Trace) -> None:
    """Ids, probabilities, candidates and all weights."""
    steps = found["steps"]
    assert found["src"] == [piece.id for piece in trace.source]
    assert [step["id"] for step in steps] == [step.predicted.id for step in trace.steps]
    assert found["translation"] == trace.translation
    compare([tensor(layer)[0] for layer in found["encoder"]], trace.encoder.weights, WEIGHTS)
    for t, step in enumerate(steps):
        compare(tensor(step["selfAttention"]), trace.decoder.weights[:, :, t, : t + 1], WEIGHTS)
        compare(tensor(step["crossAttention"]), trace.cross.weights[:, :, t], WEIGHTS)
        theirs = trace.steps[t]
        assert step["rank"] == theirs.rank
        assert [candidate["id"] for candidate in step["candidates"]] == [each.piece.id for each in theirs.candidates]
        compare(step["logProbability"], theirs.log_probability, LOG_PROBABILITIES)
        mine = [step["probability"], *(candidate["probability"] for candidate in step["candidates"])]
        compare(mine, [theirs.probability, *(each.probability for each in theirs.candidates)], WEIGHTS)
        compare(step["entropy"], theirs.entropy, 5e-5)
        mine, wanted = step["excluded"], theirs.excluded
        assert (mine and mine["id"]) == (wanted and wanted.piece.id)
        compare(mine["probability"] if mine else 0, wanted.probability if wanted else 0, WEIGHTS)


def test_a_run_without_numbers_leaves_nothing_behind(in_browser, tiny):
    in_browser("passWithoutNumbers", "odd-sizes", [4, 5, 6, 3], [2, 7, 8])
    trace = record(tiny["odd-sizes"], TINY_SENTENCE)
    assert_same_trace(in_browser("record", "odd-sizes", TINY_SENTENCE), trace)


@each_case("name", [*TINY])
def test_every_configuration_gives_the_same_translation_and_weights(in_browser, tiny, name):
    assert_same_trace(in_browser("record", name, TINY_SENTENCE), record(tiny[name], TINY_SENTENCE))


def test_what_the_model_wanted_and_may_not_write_is_the_same(in_browser, shipped):
    trace = record(shipped, UNKNOWN)
    assert {step.excluded.piece.text for step in trace.steps if step.excluded} == {"<unk>"}
    assert_same_trace(in_browser("record", "small", UNKNOWN), trace)


@each_case(("largest", "is_narrow"), [(127.9, True), (128.0, False), (60000.0, False)])
def test_16_bit_weights_keep_their_values(in_browser, tokenizer, checkpoints, largest, is_narrow):
    """From the smallest number that is not 0, 2^-24, on; numbers from 128 on take 32 bits in the browser."""
    translator, name = tiny_translator(tokenizer), f"largest-{largest}"
    weight = translator.model.encoder.layers[0].feed_forward.w_1.weight
    row = torch.tensor([largest, -largest, 2**-24, -3 * 2**-24, 2**-14, -(2**-15), 0.1, 0]).half().float()
    with torch.no_grad():
        weight[3, : len(row)] = row
    checkpoint.save(translator, checkpoints / name, torch.float16)
    found = in_browser("hiddenWeights", name, 3)
    assert found["isNarrow"] is is_narrow
    assert found["row"][: len(row)] == row.tolist()
    loaded = checkpoint.load(checkpoints / name)
    assert_same_trace(in_browser("record", name, TINY_SENTENCE), record(loaded, TINY_SENTENCE))


@each_case("name", [*TINY])
def test_the_probe_sees_the_same_tensors_in_the_same_order(in_browser, tiny, name):
    translator, tensors = tiny[name], {}
    traces = [record(translator, TINY_SENTENCE), record(translator, "The dog sleeps.", max_steps=5)]
    src, tgt_in = (
        pad([[piece.id for piece in getattr(trace, side)] for trace in traces], translator.tokenizer.pad_id)
        for side in ("source", "target")
    )
    probe = Probe(lambda site, tensor: tensors.update({site: tensor.numpy()}))
    with translator.inference():
        distribution(translator.model(src, tgt_in, probe).logits, probe)
    found = in_browser("pass", name, src.tolist(), tgt_in.tolist())  # in one batch, padded
    assert [site for site, _ in found] == [site._asdict() for site in tensors]
    for (_, mine), (site, theirs) in zip(found, tensors.items(), strict=True):
        within = {"weights": WEIGHTS, "probabilities": WEIGHTS}.get(site.tensor, STREAMS)
        compare(tensor(mine), theirs, within * max(1, np.abs(theirs[np.isfinite(theirs)]).max()))
