"""The tokenizer: text to pieces and back, special pieces, unknown characters, files."""

import pytest
from cases import each_case

from model.tokenizer import BOS, EOS, PAD, SPECIAL_PIECES, UNK, Tokenizer


def test_sentences_come_back_from_their_pieces(tokenizer, corpus):
    assert [tokenizer.decode(tokenizer.encode(sentence)) for sentence in corpus] == corpus


def test_special_pieces_have_the_first_four_ids(tokenizer):
    ids = [tokenizer.pad_id, tokenizer.unk_id, tokenizer.bos_id, tokenizer.eos_id]
    assert ids == [PAD, UNK, BOS, EOS] == [0, 1, 2, 3]
    assert tuple(tokenizer.pieces(ids)) == SPECIAL_PIECES


def test_the_vocabulary_has_the_size_asked_for_and_holds_every_id(tokenizer, corpus):
    assert tokenizer.vocab_size == 80
    ids = {i for sentence in corpus for i in tokenizer.encode(sentence)}
    assert ids <= set(range(4, 80))
    with pytest.raises(IndexError):
        tokenizer.pieces([80])


def test_encoding_adds_no_start_and_no_end_and_decoding_drops_them(tokenizer, corpus):
    ids = tokenizer.encode(corpus[0])
    framed = [tokenizer.bos_id, *ids, tokenizer.eos_id, tokenizer.pad_id]
    assert not {tokenizer.bos_id, tokenizer.eos_id, tokenizer.pad_id} & set(ids)
    assert tokenizer.decode(framed) == corpus[0]


def test_special_pieces_written_in_a_text_stay_text(tokenizer):
    assert not {PAD, BOS, EOS} & set(tokenizer.encode("<s> The </s> <pad>"))


def test_pieces_join_to_the_text_and_mark_where_words_begin(tokenizer, corpus):
    pieces = tokenizer.pieces(tokenizer.encode(corpus[8]))
    assert "".join(pieces) == "▁" + corpus[8].replace(" ", "▁")
    assert len(pieces) > len(corpus[8].split())


def test_an_unknown_character_becomes_unk_and_its_surface_shows_it(tokenizer):
    ids, surfaces = tokenizer.encode("The 猫 sleeps."), tokenizer.surfaces("The 猫 sleeps.")
    assert ids.count(tokenizer.unk_id) == 1
    assert surfaces[ids.index(tokenizer.unk_id)] == "猫"
    assert "".join(surfaces) == "▁The▁猫▁sleeps."


def test_surfaces_of_known_text_are_its_pieces(tokenizer, corpus):
    for sentence in (*corpus, ""):
        assert tokenizer.surfaces(sentence) == tokenizer.pieces(tokenizer.encode(sentence))


def test_a_saved_tokenizer_loads_as_the_same(tokenizer, corpus, tmp_path):
    tokenizer.save(tmp_path)
    loaded = Tokenizer.load(tmp_path / "tokenizer.model")
    assert loaded.proto == tokenizer.proto
    assert loaded.encode_all(corpus) == tokenizer.encode_all(corpus)


@each_case(
    "typed",
    [
        "The  cat sleeps.",
        "  The cat sleeps. ",
        "The\u00a0cat\tsleeps.",
        "The\u202fcat\u2009sleeps.\r\n",
        "The\u200bcat \u3000sleeps.",
        "\ufeffThe cat sleeps.",
    ],
)
def test_any_blanks_are_one_blank_to_the_tokenizer(tokenizer, typed):
    assert tokenizer.encode(typed) == tokenizer.encode("The cat sleeps.")


def test_the_character_for_three_dots_is_three_dots(tokenizer):
    assert tokenizer.encode("The cat sleeps\u2026") == tokenizer.encode("The cat sleeps...")
