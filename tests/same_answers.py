"""Answers in the browser beside those of Python: a page with its questions, and the comparison of both answers."""

import base64
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from marian import TAGS, write_tokenizer
from reference import tiny_model
from tiny_models import MARIAN, RECORD, tiny_translator

from explorer.drawer.drawer import drawer
from explorer.engine.calls import ModelCalls
from explorer.engine.settings import engine_settings
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.tabs import tab_labels
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.questions import Questions
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.opus.tokenizer import TwoModels, tag_file

Question = tuple[str, Sequence[Any]]


class PageUnderTest(NamedTuple):
    """A page in a language with its questions, and the name under which the browser answers them."""

    name: str
    context: LanguageContext
    questions: Questions


def page_under_test(in_browser, recordings: Recordings, checkpoint_name: str, language: str) -> PageUnderTest:
    context, name = LanguageContext(language, recordings.translator.languages), f"{checkpoint_name}-{language}"
    with use_language(context):
        app = AppContext(recordings, None, tab_labels())
        ModelCalls(app).register(app.questions)
        drawer(app)
        in_browser("openPage", name, checkpoint_name, engine_settings(app))
    return PageUnderTest(name, context, app.questions)


@pytest.fixture(scope="session")
def pages(in_browser, shipped: Translator) -> dict[str, PageUnderTest]:
    """The shipped checkpoint's pages by language."""
    recordings = Recordings(shipped)
    return {language: page_under_test(in_browser, recordings, "small", language) for language in ("en", "de", "zh")}


def opus_translator(corpus: Sequence[str], folder: Path) -> Translator:
    """Starts from padding, and has a tokenizer for each language, and tags."""
    vocabulary = write_tokenizer(folder, corpus, TAGS)
    (folder / "target_tag.json").write_bytes(tag_file(TAGS[1]))
    sizes = {"src_vocab_size": len(vocabulary), "tgt_vocab_size": len(vocabulary), "pad_id": vocabulary["<pad>"]}
    model = tiny_model(**sizes, **MARIAN, max_len=40)
    return Translator(model, TwoModels.load(folder), {**RECORD, "tidying": "none"})


@pytest.fixture(scope="session")
def tiny_pages(
    in_browser, tokenizer, corpus, arabic_to_japanese, checkpoints, tmp_path_factory
) -> dict[str, PageUnderTest]:
    """Pages of random models with what the shipped one has not, by name."""
    learned = tiny_translator(
        tokenizer, positions="learned", d_model=8, d_head=3, d_value=5, n_layers=1, n_decoder_layers=3
    )
    translators = {
        "learned": replace(learned, record={**RECORD, "recipe": {"max_pieces": 31}}),
        "without-positions": tiny_translator(
            tokenizer,
            positions="none",
            tying="none",
            shared_vocabulary=False,
            attention_bias=False,
            d_model=20,
            d_ff=72,
        ),
        "arabic": arabic_to_japanese,
        "opus": opus_translator(corpus, tmp_path_factory.mktemp("opus")),
    }
    found = {}
    for (name, translator), language in zip(translators.items(), ("de", "en", "de", "en"), strict=True):
        checkpoint.save(translator, checkpoints / f"answers-{name}", torch.float32)
        loaded = checkpoint.load(checkpoints / f"answers-{name}")
        found[name] = page_under_test(in_browser, Recordings(loaded), f"answers-{name}", language)
    return found


def assert_same_answers(in_browser, page: PageUnderTest, questions: Sequence[Question]) -> None:
    found = in_browser("answer", page.name, [[name, list(arguments)] for name, arguments in questions])
    with use_language(page.context):
        for (name, arguments), mine in zip(questions, found, strict=True):
            theirs = page.questions.answer(name, list(arguments))
            assert_same(parsed(mine), parsed(theirs), f"{name} {arguments}")


def parsed(text: str) -> Any:
    """JSON; the answer to `weights` is only their base64."""
    return json.loads(text) if text.startswith(("{", "[")) else {"weights": text}


# The largest differences that are allowed: of weights; of other tensors, as a part of the largest number
# (above 1); and of single numbers by their names.
WEIGHTS, STREAMS = 5e-6, 5e-5
PROBABILITIES = ("weights", "unmasked", "mistaken", "mistaken_finite")
COUNTED = ("in_the_running", "different")  # how many numbers pass a bound, at which the last bit of one decides
NUMBER = {
    # PyTorch adds up the exponentials of 16,000 logits in 32 bits: on some processors in groups, on others one by one.
    **dict.fromkeys(("probability", "log_probability", "entropy"), 5e-5),
    "rows": 2e-3,  # rank correlations, in which differences below a thousandth share ranks in part
    "shares": 1e-4,  # a difference divided by another, which may be small
    "drops": 2e-5,  # of all steps; PyTorch's own in 64 bits differ from those in 32 by 1.0e-5
}


def name_at(place: str) -> str:
    """The last name of a place, without its indices."""
    return place.rpartition(".")[2].partition("[")[0]


def assert_same(mine: Any, theirs: Any, place: str) -> None:
    if isinstance(theirs, dict):
        assert mine.keys() == theirs.keys(), place
        for name in theirs:
            if name == "candidates" and theirs[name]:
                assert_same_candidates(mine[name], theirs[name], f"{place}.{name}")
            elif name == "data" and "scale" in theirs:
                assert_same_bytes(mine[name], theirs[name], f"{place}.{name}")
            elif name in ("data", "weights") and isinstance(theirs[name], str) and " " not in theirs[name]:
                assert_same_numbers(mine[name], theirs[name], f"{place}.{name}")
            else:
                assert_same(mine[name], theirs[name], f"{place}.{name}")
    elif isinstance(theirs, list):
        assert len(mine) == len(theirs), place
        for i, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            assert_same(one, other, f"{place}[{i}]")
    elif isinstance(theirs, int) and name_at(place) in COUNTED:
        assert abs(mine - theirs) <= max(1, theirs // 100), place
    elif isinstance(theirs, float):
        within = NUMBER.get(name_at(place), 1e-5)
        assert math.isclose(mine, theirs, rel_tol=within, abs_tol=within), place
    else:
        assert mine == theirs, place


def assert_same_candidates(mine: list[Any], theirs: list[Any], place: str) -> None:
    """The same probabilities of the same pieces: of two as probable as each other, rounding decides which is first."""
    chances, others = ([{"probability": piece["probability"]} for piece in pieces] for pieces in (mine, theirs))
    assert_same(chances, others, place)
    ours = {piece["id"]: piece for piece in mine}
    for piece in theirs:
        last = {**piece, "probability": mine[-1]["probability"]}
        assert_same(ours.get(piece["id"], last), piece, f"{place}.{piece['id']}")


def assert_same_bytes(mine: str, theirs: str, place: str) -> None:
    """Signed bytes; at a half, the last bit of a number decides which way it is rounded, which is rare."""
    one, other = (np.frombuffer(base64.b64decode(text), np.int8).astype(int) for text in (mine, theirs))
    np.testing.assert_allclose(one, other, rtol=0, atol=1, err_msg=place)
    assert np.count_nonzero(one != other) <= 1 + one.size // 100, place


def assert_same_numbers(mine: str, theirs: str, place: str) -> None:
    one, other = (np.frombuffer(base64.b64decode(text), "<f4") for text in (mine, theirs))
    name = place.removesuffix(".data").rpartition(".")[2]
    largest = np.abs(other[np.isfinite(other)]).max(initial=1)
    within = WEIGHTS if name in PROBABILITIES else STREAMS * largest
    np.testing.assert_allclose(one, other, rtol=0, atol=within, err_msg=place)
