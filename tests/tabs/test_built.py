"""What Marian's models do differently, in the rooms: the start that is padding, and how a model is built, in words."""

from dataclasses import replace
from typing import get_args

import pytest
from cases import each_case
from marian import TAGS, write_tokenizer
from tiny_models import marian, tiny_translator

from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.source import mask_excerpts
from explorer.recording.trace import record
from explorer.tabs.architecture.built import choices, remarks
from explorer.tabs.architecture.built import words as built_words
from explorer.tabs.architecture.tab import architecture_tab
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.config import Activation, Positions, Start, Tying
from model.decoding import Translator
from model.opus.tokenizer import TwoModels

SENTENCE = "The cat sleeps."
CHOICES = {"activation": Activation, "positions": Positions, "start": Start, "tying": Tying}


@pytest.fixture(scope="module")
def other(tokenizer) -> Translator:
    return marian(tokenizer)


def test_the_start_is_the_padding_piece_and_special(other):
    trace = record(other, SENTENCE, max_steps=4)
    start = trace.target[0]
    assert (start.id, start.text, start.special) == (other.tokenizer.pad_id, "<pad>", True)
    assert trace.decoder.special[1] == [0] and trace.decoder.weights[:, :, :, 0].min() > 0


def test_the_line_that_keeps_the_start_visible_is_shown_where_it_runs():
    with_it = [found.text for found in mask_excerpts("decoder", "pad")]
    assert "mask[..., 0] = True" in with_it[-1] and len(with_it) == 1 + len(mask_excerpts("decoder"))
    assert mask_excerpts("encoder", "pad") == mask_excerpts("encoder")


def told(translator: Translator) -> dict[str, str]:
    return {choice.name: choice.sentence for choice in choices(translator)}


def test_architecture_says_what_marian_does_differently(other):
    said = told(other)
    assert "3 [[layer|layers]] in the [[encoder]], 2 in the" in said["depths"]
    assert "x · σ(x)" in said["activation"] and "first all sines" in said["positions"]
    assert "padding piece" in said["start"] and "bias" in said["bias"] and "One SentencePiece" in said["pieces"]
    assert "tags" not in said
    assert said["activation"] in remarks(other)["feed_forward.hidden"]


def test_two_models_of_pieces_and_tags_are_told(other, corpus, tmp_path):
    write_tokenizer(tmp_path, corpus, TAGS)
    said = told(replace(other, tokenizer=TwoModels.load(tmp_path)))
    assert "Each language has a SentencePiece model of its own" in said["pieces"]
    assert "such as >>fra<<" in said["tags"] and "has 2." in said["tags"]
    write_tokenizer(tmp_path, corpus, TAGS[:1])
    said = told(replace(other, tokenizer=TwoModels.load(tmp_path)))
    assert "has a tag, >>fra<<" in said["tags"] and "more than one" not in said["tags"]


@each_case("language", LANGUAGES)
def test_every_option_has_a_sentence_in_every_language(language):
    with use_language(LanguageContext(language)):
        for option in ("activation", "positions", "start"):
            assert getattr(built_words, option.upper()).keys() == {*get_args(CHOICES[option])}


@each_case(("positions", "absent"), [("sinusoidal", []), ("none", ["positions"])])
def test_the_block_of_positions_that_are_not_there_is_drawn_as_absent(tokenizer, positions, absent):
    app = AppContext(Recordings(tiny_translator(tokenizer, positions=positions)), None)
    (architecture,) = architecture_tab(app)
    settings = architecture.settings
    assert settings["absent"] == absent
    assert (settings["blocks"]["positions"][0] == "No Positional Encoding") == bool(absent)
    said = [*settings["blocks"]["positions"], *settings["steps"]["stack.positions"]]
    assert [text.count("There are no") for text in said] == [0, 0, 0, len(absent)]  # once a panel
