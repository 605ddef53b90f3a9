"""The rules by which sources are tidied, one set for each language that has some."""

import json

import pytest
from cases import each_case
from tiny_models import RECORD
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError
from model.languages import Language
from model.tidying import RULES, rules_for, rules_of


@each_case(
    ("rules", "typed", "tidied"),
    [
        ("en", "It\u2019s \u201ccold\u201d.", 'It\'s "cold".'),
        ("en", "Don\u00b4t! Don`t! Don\u2032t!", "Don't! Don't! Don't!"),
        ("en", "\u201eCold\u201c, he said, \u201avery\u2018.", "\"Cold\", he said, 'very'."),
        (
            "en",
            "A well\u2011known, two\u2010door car, 10\u201320 years old.",
            "A well-known, two-door car, 10-20 years old.",
        ),
        ("en", "He came\u2014late.", "He came - late."),
        ("en", "A wonder\u00adful day.", "A wonderful day."),
        ("en", "What ?", "What?"),
        ("en", "Two dogs\u00a0, three cats .", "Two dogs, three cats."),
        ("en", "Wait \u2026", "Wait\u2026"),
        ("en", 'He said: "No !"', 'He said: "No!"'),
        ("en", "Hello,how are you?Fine.We left.", "Hello, how are you? Fine. We left."),
        ("en", "Tom has a Ph.D. from the U.S.", "Tom has a Ph.D. from the U.S."),
        ("en", "At 5 p.m. we paid $1,000.50, didn't we?", "At 5 p.m. we paid $1,000.50, didn't we?"),
        ("en", "The limit is .08 percent.", "The limit is .08 percent."),
        ("en", "A man - the T-shirt is blue - runs...", "A man - the T-shirt is blue - runs..."),
        ("en", "Wait... what?!", "Wait... what?!"),
        ("en", "", ""),
        ("de", "„Schön“ , sagte er , »sehr«.", '"Schön", sagte er, "sehr".'),
        ("de", "Kommst du?Ja,gern!Öfter.Über uns.", "Kommst du? Ja, gern! Öfter. Über uns."),
        ("de", "Das ist z.B. hier, d.h. um 10:45 für 3,5 Euro.", "Das ist z.B. hier, d.h. um 10:45 für 3,5 Euro."),
        ("fr", "« Bonjour », dit-il.", '"Bonjour", dit-il.'),
        ("fr", "«Quoi?!» Il est 10:45.", '"Quoi ?!" Il est 10:45.'),
        ("fr", "Ça va? Oui , l\u2019été\u00a0: enfin !", "Ça va ? Oui, l'été : enfin !"),
        ("fr", "Tu viens\u202f?", "Tu viens ?"),
        ("latin", "\u201cQué\u201d , dijo ¿dónde?Aquí,está.Ésta.", '"Qué", dijo ¿dónde? Aquí, está. Ésta.'),
        ("latin", "W\u00adörter \u2013 l\u2019aigua", "Wörter - l'aigua"),
        ("plain", "「何」\u2014\u200dと\u00adいう ？\ufeff", "「何」\u2014\u200dという ？"),
        ("none", "\u201cA\u00adb\u201d ,c ?", "\u201cA\u00adb\u201d ,c ?"),
    ],
)
def test_a_text_is_tidied_by_the_rules_of_its_language(rules, typed, tidied):
    assert RULES[rules](typed) == tidied == RULES[rules](tidied)


@each_case(
    ("code", "rules"),
    [
        *(("en", "en"), ("en-GB", "en"), ("de-CH", "de"), ("fr", "fr"), ("es", "latin"), ("pt-BR", "latin")),
        *(("ja", "plain"), ("ar", "plain"), ("ru", "plain"), ("zh-Hant-TW", "plain"), ("tlh", "plain")),
        *(("sr-Latn", "latin"), ("sr-Cyrl", "plain"), ("none", "plain"), ("latin", "plain")),
    ],
)
def test_a_language_has_its_own_rules_those_of_its_letters_or_the_plain_ones(code, rules):
    assert rules_for(Language(code, "A")) == rules


def test_a_record_without_rules_has_those_of_the_language_it_reads():
    french = {"languages": {"source": {"code": "fr", "name": "French"}, "target": {"code": "nl", "name": "Dutch"}}}
    assert rules_of({}) == "en" and rules_of(french) == "fr"
    assert rules_of({**french, "tidying": "none"}) == "none"


def test_a_translator_reads_what_its_own_rules_make_of_a_text(folder):
    curly, straight = "It\u2014s", "It - s"
    own = checkpoint.load(folder)
    assert own.source_ids(curly) == own.source_ids(straight)
    (folder / checkpoint.RECORD).write_text(json.dumps({**RECORD, "tidying": "none"}))
    other = checkpoint.load(folder)
    assert other.source_ids(curly) != other.source_ids(straight) == own.source_ids(straight)


@pytest.mark.parametrize("name", ["", "english", None, 1, ["en"], {"en": 1}])
def test_a_checkpoint_with_rules_that_there_are_not_is_refused(folder, name):
    (folder / checkpoint.RECORD).write_text(json.dumps({**RECORD, "tidying": name}))
    with pytest.raises(CheckpointError, match=r'"tidying" must be one of en, de, fr, latin, plain, none, not '):
        checkpoint.load(folder)
