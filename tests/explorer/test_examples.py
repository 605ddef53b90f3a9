"""The clickable sentences: ours with the steps at which they open, and those of a teacher's file."""

import gzip
import json
import os
from pathlib import Path

import pytest
from by_node import derive, needs_node
from cases import each_case
from remarks import default_step
from tiny_models import tiny_translator

from explorer.recording import MAX_CHARACTERS
from explorer.recording.app_context import AppContext
from explorer.recording.examples import (
    EXAMPLES_FILE,
    MAX_FILE_BYTES,
    load_tab_sentences,
    tab_sentences,
    unlabelled_examples,
)
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples, require_translatable
from explorer.recording.trace import Piece, record
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from model.decoding import Translator
from model.errors import UserError
from model.files import read_json
from model.languages import Language, Languages

EXAMPLES = [
    {"shows": {"en": "a dog", "de": "ein Hund"}, "sentence": "The dog sleeps."},
    {"shows": "x", "sentence": "A cat."},
]


def file(folder: Path, content: object) -> Path:
    path = folder / "own.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_file_of_the_same_form_takes_the_place_of_ours(tmp_path, shipped):
    path = file(tmp_path, "\ufeff" + json.dumps(EXAMPLES))  # Notepad begins a file with a mark
    require_translatable(path, shipped)
    with use_language(LanguageContext("de")):
        assert [(found["shows"], found["sentence"]) for found in examples(path)] == [
            ("ein Hund", "The dog sleeps."),
            ("x", "A cat."),
        ]


@each_case(
    ("content", "refusal"),
    [
        ("[", "own.json: the whole file: invalid JSON"),
        ([], "own.json: the whole file: list should have at least 1 item"),
        (
            [*EXAMPLES, {"shows": "y", "sentence": 3}],
            "own.json: number 3, sentence: input should be a valid string, not 3",
        ),
        ([{"shows": {"de": "nur"}, "sentence": "A dog."}], "number 1, shows: .*en"),
        ('[{"shows": "y", "sentence": "A dog.", "sentence": "A cat."}]', "own.json: 'sentence' is there twice"),
        ('{"en": ["A dog."], "en": ["A cat."]}', "own.json: 'en' is there twice"),
        ([*EXAMPLES, {"shows": "y", "sentence": "  "}], "own.json: number 3, sentence: .*nothing to translate"),
    ],
)
def test_a_faulty_file_is_refused_in_a_sentence_with_its_place(tmp_path, shipped, content, refusal):
    with pytest.raises(UserError, match=refusal) as refused:
        require_translatable(file(tmp_path, content), shipped)
    assert "\n" not in str(refused.value)


@each_case("make", [os.mkfifo, Path.mkdir, lambda path: path.write_bytes(bytes(MAX_FILE_BYTES + 1))])
def test_what_is_no_plain_file_of_a_sane_size_is_refused_and_not_waited_for(tmp_path, make):
    make(tmp_path / "own.json")
    with pytest.raises(UserError, match=r"own\.json (is no regular file|is a folder|has 1,000,001 bytes, .*)\.$"):
        examples(tmp_path / "own.json")


def test_the_users_file_may_be_a_link(tmp_path, shipped):
    (tmp_path / "mine.json").symlink_to(file(tmp_path, EXAMPLES))
    assert [found["sentence"] for found in examples(tmp_path / "mine.json")] == ["The dog sleeps.", "A cat."]


def test_a_model_too_short_for_the_sentence_that_the_page_opens_with_is_refused_in_a_sentence(tokenizer):
    with pytest.raises(UserError, match=r"opens with a sentence .*--examples: .*its end; .*at most 5\."):
        require_translatable(None, tiny_translator(tokenizer, max_len=5))
    require_translatable(None, tiny_translator(tokenizer, max_len=256))


def reading(code: str) -> LanguageContext:
    return LanguageContext("en", Languages(Language(code, "A"), Language("nl", "Dutch")))


def record_of(code: str, **more: object) -> dict[str, object]:
    return {"languages": {"source": {"code": code, "name": "A"}, "target": {"code": "nl", "name": "Dutch"}}, **more}


def app(toy: Translator, record: dict[str, object], folder: Path | None = None, **more: Path) -> AppContext:
    return AppContext(Recordings(Translator(toy.model, toy.tokenizer, record)), folder, **more)


@each_case(("code", "first"), [("fr-CA", "Un homme"), ("ja", "青い"), ("en-GB", "A man")])
def test_ours_are_in_the_language_that_is_read(code, first):
    with use_language(reading(code)):
        assert len(examples()) == 8 and examples()[0]["sentence"].startswith(first)


def test_every_language_of_ours_says_what_it_shows_once():
    ours = read_json(EXAMPLES_FILE)
    assert [*ours] == ["en", "de", "fr", "es", "it", "nl", "pt", "ru", "zh", "ja", "ar"] == [*load_tab_sentences()]
    for code, given in ours.items():
        assert all(one["shows"].keys() == LANGUAGES.keys() for one in given)
        assert len({one["shows"]["en"] for one in given}) == len({one["sentence"] for one in given}) == len(given) == 8
        assert all(len(one["sentence"]) < MAX_CHARACTERS / 4 for one in given)
        assert all(one["subject"] in one["sentence"] for one in given if code == "en")


def test_positions_begin_with_sentences_of_the_language_that_is_read():
    for code, found in load_tab_sentences().items():
        with use_language(reading(code)):
            assert tab_sentences() == found
        first, second = found.order or ("", "")
        assert sorted(first.split()) == sorted(second.split()) and (first != second or code in ("zh", "ja"))
    with use_language(reading("tlh")):
        assert tab_sentences().order == ()


def test_a_file_may_hold_sentences_for_several_languages(tmp_path):
    path = file(tmp_path, {"fr": [{"shows": "x", "sentence": "Un chat."}], "en": EXAMPLES})
    with use_language(reading("fr")):
        assert [one["sentence"] for one in examples(path)] == ["Un chat."]
    with (
        use_language(reading("nl")),
        pytest.raises(UserError, match=r"own\.json: it has no sentences in the language"),
    ):
        examples(path)


@each_case(
    ("text", "label"),
    [
        ("The boy reads a book in the garden.", "The boy reads a book in…"),  # 24 columns
        ("The boy reads a book into it.", "The boy reads a book…"),
        ("x" * 25, "x" * 23 + "…"),
        ("猫は古い椅子の上で眠っている。", "猫は古い椅子の上で眠っ…"),
    ],
)
def test_a_sentence_without_a_label_is_cut_behind_a_word_to_what_fits(text, label):
    assert [one["shows"] for one in unlabelled_examples([text])] == [label]


def test_a_checkpoint_brings_sentences_along_in_its_record_or_its_story_where_we_have_none(toy, tmp_path):
    story = {"sentences": [{"sentence": "HIja'", "shows": "x"}, {"sentence": "Qapla' " * 5}], "moments": []}
    (tmp_path / "story.json.gz").write_bytes(gzip.compress(json.dumps(story).encode()))
    with use_language(reading("tlh")):
        assert app(toy, record_of("tlh")).sentences == []
        of_language = app(toy, record_of("tlh"), tmp_path).sentences
        assert [(one["shows"], one["sentence"]) for one in of_language] == [
            ("HIja'", "HIja'"),
            ("Qapla' Qapla' Qapla'…", "Qapla' " * 5),
        ]
        assert [one["sentence"] for one in app(toy, record_of("tlh", examples=["jIH"]), tmp_path).sentences] == ["jIH"]
        brought = app(toy, record_of("tlh", examples=["jIH"]), examples=file(tmp_path, EXAMPLES)).sentences
        assert brought[1]["sentence"] == "A cat."
    with use_language(reading("fr")):
        assert app(toy, record_of("fr"), tmp_path).sentences == examples()


@each_case("data", [b"{", gzip.compress(b"[]"), gzip.compress(b'{"sentences": [1]}')])
def test_a_story_that_cannot_be_read_offers_no_sentences(toy, tmp_path, data):
    (tmp_path / "story.json.gz").write_bytes(data)
    with use_language(reading("tlh")):
        assert app(toy, record_of("tlh"), tmp_path).sentences == []


OPENS_AT = ["putzt", "er", "gekauft", "Spielplatz", "nicht", "Mann", "Wahrheit", "Akkordeon"]


@needs_node
def test_an_example_opens_at_the_step_that_looks_most_at_its_subject(shipped):
    for example, word in zip(examples(), OPENS_AT, strict=True):
        trace = record(shipped, example["sentence"])
        step = default_step(trace, example["subject"])
        assert trace.steps[step].predicted.text == f"·{word}"
        assert 0 < step < len(trace.steps) - 1


@each_case(
    ("word", "places"),
    [("man", [3, 4]), ("saw", [2]), ("ma", []), ("", []), ("</s>", []), ("n", [])],
)
def test_a_subject_is_a_whole_word_where_it_last_occurs(word, places):
    pieces = [Piece("·man", 1), Piece(",", 2, starts_word=False), Piece("·saw", 3), Piece("·ma", 4)]
    pieces += [Piece("n", 5, starts_word=False), Piece(".", 6, starts_word=False)]
    shown = [piece._asdict() for piece in [*pieces, Piece("</s>", 7, special=True, starts_word=False)]]
    assert derive("default_step", "piecesOfWord", word, shown) == places
