"""What a visitor types: mended where the model knows that better, otherwise as it is; everything else exactly."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cases import each_case
from explorer.recording.reading import choose, mend

from explorer.recording import MAX_CHARACTERS
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.tabs.explore.tab import add_questions
from model.checkpoints import checkpoint
from model.evaluation.classroom import find_faults, read_list
from model.languages import ENGLISH_TO_GERMAN, Language

LISTS = Path(__file__).parents[2] / "assets"


@pytest.fixture(scope="module")
def recordings() -> Recordings:
    return Recordings(checkpoint.load())


@each_case(
    ("code", "text", "mended"),
    [
        ("en", "hello world", "Hello world"),
        ("en", "STOP TALKING NOW!", "Stop talking now!"),
        ("en", "how are you? i'm fine, i think", "How are you? I'm fine, I think"),
        ("en", "“where am i?” he said", "“Where am I?” he said"),
        ("en", "They left, e.g. at 3 p.m. in 1999, i.e. late.", "They left, e.g. at 3 p.m. in 1999, i.e. late."),
        ("en", "The trans-\nlation of the pa- per", "The translation of the paper"),
        (
            "en",
            "Her mother-\nin-law likes pre- and post-war houses.",
            "Her mother-in-law likes pre- and post-war houses.",
        ),
        ("en", "1- 2 and a - b", "1- 2 and a - b"),
        ("de", "i wo bist du? ÄRGER", "I wo bist du? ÄRGER"),
        ("ru", "привет", "привет"),
        ("zxx-x-digits", "one two", "one two"),
    ],
)
def test_a_text_is_mended_by_the_rules_of_its_language(code, text, mended):
    assert mend(text, Language(code, code)) == mended


def test_no_everyday_sentence_of_the_lists_is_changed():
    texts = [one.text for name in ("typed", "typed-once") for one in read_list(LISTS / f"{name}.tsv")]
    assert [text for text in texts if mend(text, ENGLISH_TO_GERMAN.source) != text] == []


@each_case(
    ("typed", "sentence", "translation"),
    [
        ("hello", "Hello", "Hallo!"),
        ("hello world", "Hello world", "Hallo Welt"),
        ("THE DOG IS TIRED.", "The dog is tired.", "Der Hund ist müde."),
        ("The trans-\nlation is good.", "The translation is good.", "Die Übersetzung ist gut."),
        ("USA", "USA", "USA"),
        ("new york", "new york", "New York"),
        ("The dog is tired", "The dog is tired", "Der Hund ist müde."),
    ],
)
def test_a_visitors_text_is_read_as_the_model_knows_it_better(recordings, typed, sentence, translation):
    trace = recordings.read(f" {typed}\n")
    assert (trace.sentence, trace.translation) == (sentence, translation)
    assert recordings.trace(typed).sentence == typed


def test_capitals_are_never_left_to_a_model_that_copies_them(recordings):
    text = "STOP TALKING NOW!"
    assert recordings.trace(text).log_probability > recordings.trace("Stop talking now!").log_probability
    assert recordings.read(text).sentence == "Stop talking now!"


def test_the_same_translation_is_no_reason_to_mend(toy):
    typed = record(toy, "the cat sleeps.")
    surer = replace(typed, sentence="The cat sleeps.", steps=typed.steps[:1])
    assert surer.log_probability > typed.log_probability and choose(typed, surer) is typed
    assert choose(typed, replace(surer, translation="Die Katze")).sentence == "The cat sleeps."


def test_both_forms_of_a_rough_text_are_recorded_in_one_batch(recordings):
    batches = []

    def record_batch(translator, texts, limits):
        batches.append(texts)
        return recordings.record_batch(translator, texts, limits)

    watched = Recordings(recordings.translator, record_batch)
    watched.read("hello there")
    watched.read("Hello there")
    assert batches == [["hello there", "Hello there"]]


def test_a_text_whose_mended_form_is_too_long_is_read_as_it_was_typed(recordings):
    typed = "ßo " + "hello " * 66 + "x"  # with "SS" it has a character too many
    assert len(typed) == MAX_CHARACTERS and mend(typed, ENGLISH_TO_GERMAN.source).startswith("SSo hello")
    assert recordings.forms(typed) == [typed]


def test_the_answer_names_what_was_typed_where_another_form_was_read(recordings):
    app = AppContext(recordings, None)
    add_questions(app)
    answers = [
        json.loads(app.questions.answer("translate", given)) for given in (["hello", True], ["hello"], ["Hello", True])
    ]
    assert [(one["sentence"], one["typed"]) for one in answers] == [
        ("Hello", "hello"),
        ("hello", None),
        ("Hello", None),
    ]


@pytest.mark.thorough
def test_reading_mends_more_than_it_harms(recordings):
    """The lists of everyday sentences in small letters and in capitals, judged by their facts."""
    sentences = [one for name in ("typed", "typed-once", "classroom") for one in read_list(LISTS / f"{name}.tsv")]
    for rough in (str.lower, str.upper):
        right = []
        for one in sentences:
            text = rough(one.text)
            found = (recordings.trace(text).translation, recordings.read(text).translation)
            right.append([not list(find_faults(one, translation)) for translation in found])
        before, after = map(sum, zip(*right, strict=True))
        assert after > before
