"""The proof on a real OPUS-MT model that this machine has in its cache of the Hugging Face Hub:

    OPUS=Helsinki-NLP/opus-mt-en-fr python -m pytest tests/model/test_opus_real.py

A model with several target languages needs a tag in front: OPUS_TAG=">>ron<<".
"""

import os
import warnings
from collections.abc import Iterator

import pytest
from huggingface_hub import constants
from marian import Twins, assert_alike, greedy, peer_tokenizer

from model.evaluation.classroom import LISTS, read_list
from model.opus import marian

LINES = [sentence.text for path in LISTS for sentence in read_list(path)]
NAME, TAG = os.environ.get("OPUS", ""), os.environ.get("OPUS_TAG", "")
pytestmark = pytest.mark.skipif(not NAME, reason="OPUS=owner/name runs it on a model that is in the Hub's cache")


@pytest.fixture(scope="module")
def twins() -> Iterator[Twins]:
    from transformers import MarianMTModel

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sacremoses, and of what a public configuration says besides
        patch.setattr(constants, "HF_HUB_OFFLINE", True)
        folder, origin = marian.fetch(NAME)
        ours = marian.convert(folder, origin, target=TAG.strip("<>") or "none").translator
        theirs = MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
        yield Twins(theirs, peer_tokenizer(folder), ours, [f"{TAG} {line}".strip() for line in LINES])


def test_sources_have_the_same_ids(twins):
    assert [twins.ours.source_ids(text) for text in twins.texts] == [twins.ids(t)[0].tolist() for t in twins.texts]


def test_every_weight_of_attention_and_all_logits_agree(twins):
    for text, target in zip(twins.texts[:5], twins.texts[5:10], strict=True):
        assert_alike(twins, text, target, logits="relative")


def test_sentences_are_translated_alike(twins):
    said = [twins.cut.decode(ids, skip_special_tokens=True) for ids in greedy(twins, twins.texts)]
    assert twins.ours.translate(twins.texts) == said
