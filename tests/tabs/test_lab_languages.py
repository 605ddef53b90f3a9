"""What if in several languages at once: words are those of who asks, and only numbers are remembered."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from explorer.experiments import words as experiments_words
from explorer.experiments.laboratory import Laboratory
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.tabs.masks.tab import masks_tab
from explorer.tabs.what_if.patch.panel import PARTNERS, settings
from explorer.tabs.what_if.tab import run_answer, what_if_tab
from explorer.ui.language import LanguageContext, use_language
from model.decoding import Translator

SENTENCE = "The dog sleeps, the dog sleeps and the dog sleeps."
OFF = {"off": [["cross", 1, 0]]}
LANGUAGES = ["en", "de"]


@pytest.fixture
def app(toy) -> AppContext:
    return AppContext(Recordings(toy), None)


def warned(laboratory: Laboratory, language: str) -> list[str]:
    with use_language(LanguageContext(language)):
        sent = json.loads(run_answer(laboratory, SENTENCE, OFF))
    return [warning["text"] for warning in sent["trace"]["warnings"]]


def test_a_remembered_experiment_is_told_in_the_language_of_who_asks(toy):
    alone = {language: warned(Laboratory(Recordings(toy)), language) for language in LANGUAGES}
    laboratory = Laboratory(Recordings(toy))
    assert [warned(laboratory, language) for language in ("en", "de", "en")] == [alone["en"], alone["de"], alone["en"]]
    assert alone["en"] and not {*alone["en"]} & {*alone["de"]}


def test_a_refusal_is_said_anew_in_every_language(app):
    """Of two who ask the same at the same time, one waits for what the other one computes."""
    expected = {}
    for language in LANGUAGES:
        with use_language(LanguageContext(language)):
            what_if_tab(app)
            expected[language] = experiments_words.REFUSALS["all_hidden"]
    everything = list(range(len(app.recordings.trace(SENTENCE).source)))

    def said_in(language: str) -> str:
        with use_language(LanguageContext(language)):
            return json.loads(app.questions.answer("lab.run", [SENTENCE, {"hidden": everything}]))["error"]

    turns = LANGUAGES * 8
    with ThreadPoolExecutor(8) as pool:
        said = [*pool.map(said_in, turns)]
    assert said == [expected[language] for language in turns]
    assert len({*said}) == len(LANGUAGES)


def test_sentences_of_ours_are_offered_to_a_model_that_reads_their_language(toy):
    def offered(languages: dict[str, Any]) -> tuple[Any, Any]:
        translator = Translator(toy.model, toy.tokenizer, languages)
        app = AppContext(Recordings(translator), None)
        with use_language(LanguageContext("en", translator.languages)):
            return settings(app)["partners"], [*masks_tab(app)[0].settings["sentences"]]

    dutch = {"code": "nl", "name": "Dutch"}
    british, french = ({"code": code, "name": name} for code, name in (("en-GB", "English"), ("fr", "French")))
    english = ["I love you", "I am in love with you", "I love you, too"]
    assert offered({}) == (PARTNERS, english)
    assert offered({"languages": {"source": british, "target": dutch}}) == (PARTNERS, english)
    assert offered({"languages": {"source": french, "target": dutch}}) == (
        {},
        ["Je t'aime", "Je suis amoureux de toi", "Je t'aime aussi"],
    )
    assert offered({"languages": {"source": {"code": "tlh", "name": "Klingon"}, "target": dutch}}) == ({}, [])
