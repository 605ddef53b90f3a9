"""What a visitor types: mended where the model knows that better, otherwise as it is; everything else exactly."""

from pathlib import Path

import pytest
from by_node import derive, derive_all, needs_node
from cases import each_case

from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.trace import Trace, record
from model.checkpoints import checkpoint
from model.languages import Language
from model.tidying import rules_for
from tools.sentence_lists import find_faults, read_list

pytestmark = needs_node
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
    assert read_forms(code, text)[-1] == mended


def read_forms(code: str, *texts: str) -> list[str]:
    """What texts in a language may be read as."""
    is_mended = rules_for(Language(code, code)) != "plain"
    calls = [[text, {"code": code, "isMended": is_mended}] for text in texts]
    return [form for forms in derive_all("reading", "formsOf", calls) for form in forms]


def read(recordings: Recordings, typed: str) -> Trace:
    """The trace of what a visitor typed, chosen as the page chooses."""
    traces = [recordings.trace(form) for form in read_forms("en", typed) if recordings.is_accepted(form)]
    if len(traces) == 1:
        return traces[0]
    chosen = derive("reading", "chooseReading", *map(trace_json, traces))
    return next(trace for trace in traces if trace.sentence == chosen["sentence"])


def test_no_everyday_sentence_of_the_lists_is_changed():
    texts = [one.text for name in ("typed", "typed-once") for one in read_list(LISTS / f"{name}.tsv")]
    assert read_forms("en", *texts) == [text.strip() for text in texts]


@each_case(
    ("typed", "sentence", "translation"),
    [
        ("goodbye", "Goodbye", "Auf Wiedersehen."),
        ("THE DOG IS TIRED.", "The dog is tired.", "Der Hund ist müde."),
        ("The trans-\nlation is good.", "The translation is good.", "Die Übersetzung ist gut."),
        ("USA", "USA", "USA"),
        ("new york", "new york", "New York"),
        ("The dog is tired", "The dog is tired", "Der Hund ist müde."),
    ],
)
def test_a_visitors_text_is_read_as_the_model_knows_it_better(recordings, typed, sentence, translation):
    trace = read(recordings, f" {typed}\n")
    assert (trace.sentence, trace.translation) == (sentence, translation)
    assert recordings.trace(typed).sentence == typed


def test_capitals_are_never_left_to_a_model_that_copies_them(recordings):
    text = "NO PARKING"
    assert recordings.trace(text).log_probability > recordings.trace("No parking").log_probability
    assert read(recordings, text).sentence == "No parking"


def test_the_same_translation_is_no_reason_to_mend(toy):
    typed = trace_json(record(toy, "the cat sleeps."))
    surer = {**typed, "sentence": "The cat sleeps.", "steps": typed["steps"][:1]}
    assert derive("reading", "chooseReading", typed, surer)["sentence"] == "the cat sleeps."
    other = {**surer, "translation": "Die Katze"}
    assert derive("reading", "chooseReading", typed, other)["sentence"] == "The cat sleeps."


@pytest.mark.thorough
def test_reading_mends_more_than_it_harms(recordings):
    """The lists of everyday sentences in small letters and in capitals, judged by their facts."""
    sentences = [one for name in ("typed", "typed-once", "classroom") for one in read_list(LISTS / f"{name}.tsv")]
    for rough in (str.lower, str.upper):
        right = []
        for one in sentences:
            text = rough(one.text)
            found = (recordings.trace(text).translation, read(recordings, text).translation)
            right.append([not list(find_faults(one, translation)) for translation in found])
        before, after = map(sum, zip(*right, strict=True))
        assert after > before
