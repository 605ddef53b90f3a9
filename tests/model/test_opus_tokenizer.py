"""The tokenizer of OPUS-MT models, against MarianTokenizer of the transformers package."""

import random
import warnings
from pathlib import Path

import pytest
from cases import each_case
from marian import TAGS, peer_tokenizer, write_tokenizer

from model.errors import UserError
from model.opus.tokenizer import TwoModels, tag_file

TEXTS = [
    "The cat sleeps on the old chair.",
    "  the  DOG, 12 birds - and ½ fish…\n",
    "It\u2019s \u201ccold\u201d in the \u00a0garden!",
    "猫 The 猫 cat",
    "Die Katze schläft.",
    "",
    ">>fra<< The water is cold.",
    ">>fra<<The water is cold.",
    ">>xyz<< The water is cold.",
    ">>The children<< play.",
    ">> The children play.",
    " >>fra<< The children play.",
    "The >>fra<< children play.",
    "<< >> The",
]


@pytest.fixture(scope="module")
def files(tmp_path_factory, corpus) -> Path:
    folder = tmp_path_factory.mktemp("marian")
    write_tokenizer(folder, corpus, TAGS)
    return folder


@pytest.fixture(scope="module")
def peer(files):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends sacremoses, which it does not use here
        return peer_tokenizer(files)


@pytest.fixture(scope="module")
def ours(files) -> TwoModels:
    return TwoModels.load(files)


def test_ids_are_those_of_marian_on_both_sides(ours, peer, corpus):
    for text in (*TEXTS, *corpus):
        assert [*ours.encode(text), ours.eos_id] == peer(text).input_ids, text
        assert [*ours.encode(text, "target"), ours.eos_id] == peer(text_target=text).input_ids, text
    assert ours.encode_all(TEXTS, "target") == [ours.encode(text, "target") for text in TEXTS]
    assert ours.encode(corpus[0]) != ours.encode(corpus[0], "target")


def test_texts_come_back_as_marian_decodes_them(ours, peer):
    n = ours.vocab_size
    for ids in (ours.encode(text, "target") for text in TEXTS):
        assert ours.decode(ids) == peer.decode(ids, skip_special_tokens=True)
    for start in range(0, n, 5):
        ids = [*range(start, n), *range(start)]
        assert ours.decode(ids) == peer.decode(ids, skip_special_tokens=True)


def test_pieces_are_those_of_the_vocabulary(ours, peer):
    ids = list(range(ours.vocab_size))
    assert ours.pieces(ids) == peer.convert_ids_to_tokens(ids)
    assert (ours.pad_id, ours.eos_id, ours.unk_id) == (peer.pad_token_id, peer.eos_token_id, peer.unk_token_id)
    assert ours.bos_id == ours.pad_id and ours.excluded_ids == [ours.pad_id]
    for wrong in (-1, ours.vocab_size):
        with pytest.raises(IndexError):
            ours.pieces([wrong])


def test_half_of_a_surrogate_pair_is_refused_in_a_sentence(ours):
    for way in (ours.encode, ours.surfaces):
        with pytest.raises(UserError, match=r"^The text contains U\+D83D"):
            way("A \ud83d.")


def test_special_pieces_in_a_text_stay_text(ours, peer):
    text = "The </s> cat <pad> sleeps <unk>."
    assert ours.encode(text) == peer.convert_tokens_to_ids(peer.tokenize(text, split_special_tokens=True))


def test_an_unknown_piece_shows_what_it_stands_for(ours):
    text = ">>xyz<< The 猫 cat"
    ids, surfaces = ours.encode(text), ours.surfaces(text)
    assert ids[0] == ours.unk_id and surfaces[0] == ">>xyz<<"
    assert "".join(surfaces[1:]) == "▁The▁猫▁cat" and ids[surfaces.index("猫")] == ours.unk_id


def test_a_source_without_a_tag_gets_the_default_one(ours):
    tagged, text = TwoModels({**ours.files(), "target_tag.json": tag_file(">>nld<<")}), "The cat sleeps."
    assert tagged.encode(text) == ours.encode(f">>nld<< {text}")
    assert tagged.encode(f">>fra<< {text}") == ours.encode(f">>fra<< {text}")
    assert tagged.encode(text, "target") == ours.encode(text, "target")
    assert tagged.encode(" ") == [] and ours.tags == [*TAGS]


def test_no_piece_is_ever_drawn_at_random(ours):
    with pytest.raises(UserError, match="sampling of tokens is not for it"):
        ours.sample("The cat", 1.0, random.Random(0))


@each_case(
    ("damage", "said"),
    [
        ({"vocab.json": b"[]"}, "vocab.json: input should be an object"),
        ({"vocab.json": b'{"</s>": 0, "<unk>": 1, "<pad>": 1}'}, "every number from 0 to 2 once"),
        ({"vocab.json": b'{"</s>": 0, "<unk>": 1, "a": 2}'}, "has no token <pad>"),
        ({"target.spm": b"no model"}, "target.spm is no SentencePiece model"),
        ({"target_tag.json": b"nan"}, "target_tag.json: invalid JSON"),
        ({"target_tag.json": b"{}"}, "target_tag.json must name a tag of the vocabulary"),
        ({"target_tag.json": b'{"default": ">>deu<<"}'}, "target_tag.json must name a tag of the vocabulary"),
        ({"target.spm": None}, "target.spm is missing"),
    ],
)
def test_damaged_files_are_refused_by_name(files, damage, said):
    given = {**TwoModels.load(files).files(), **damage}
    with pytest.raises(UserError, match=said):
        TwoModels({name: data for name, data in given.items() if data is not None})
