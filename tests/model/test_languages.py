"""The languages of a translator, as its record names them, and the rules by which their texts are tidied."""

import re
import sys
import unicodedata

from cases import each_case
from damage import refusal, write
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.languages import ENGLISH_TO_GERMAN, Language, languages_of
from model.tidying import RULES, rules_for, rules_of

FRENCH, DUTCH = {"code": "fr", "name": "French"}, {"code": "nl", "name": "Dutch"}


@each_case("named", [{"code": "zh-Hant-TW", "name": "Chinese"}, {"code": "nqo", "name": "N'Ko"}])
def test_codes_with_regions_and_names_of_several_words_are_languages(named):
    found = languages_of({"languages": {"source": named, "target": DUTCH}})
    assert found == (Language(**named), Language("nl", "Dutch"))
    assert languages_of({}) == ENGLISH_TO_GERMAN  # the record of an older translator


@each_case(
    ("changes", "sentence"),
    [
        ({"languages": "fr-nl"}, "languages: input should be .*, not 'fr-nl'"),
        ({"languages": {"source": FRENCH}}, "languages, target: field required"),
        ({"languages": [["fr", "French"], ["nl", "Dutch"]]}, ".*languages are named as"),
        ({"languages": {"source": FRENCH, "target": DUTCH, "third": DUTCH}}, "languages, third: extra inputs"),
        *(
            (
                {"languages": {"source": FRENCH, "target": {**DUTCH, field: value}}},
                f"languages, target, {field}: .*, not ",
            )
            for field, value in (
                ("code", "f"),
                ("name", 1),
                ("name", "<b>Dutch</b>"),
                ("name", "D" * 61),
                ("region", "NL"),
            )
        ),
        *(({"tidying": name}, "tidying: input should be 'en', .* or 'none', not ") for name in ("english", ["en"])),
    ],
)
def test_a_record_with_other_languages_or_rules_is_refused_in_a_sentence(folder, changes, sentence):
    write(folder, checkpoint.RECORD, {"languages": {"source": FRENCH, "target": DUTCH}, **changes})
    assert re.search(rf"\(training\.json: {sentence}", refusal(folder))


@each_case(
    ("rules", "typed", "tidied"),
    [
        ("en", "It\u2019s \u201ccold\u201d.", 'It\'s "cold".'),
        ("en", "\u201eCold\u201c, he said, \u201avery\u2018.", "\"Cold\", he said, 'very'."),
        (
            "en",
            "A well\u2011known, two\u2010door car, 10\u201320 years old.",
            "A well-known, two-door car, 10-20 years old.",
        ),
        ("en", "He came\u2014late.", "He came - late."),
        ("en", "A wonder\u00adful d\u2060ay.", "A wonderful day."),
        ("en", "Add 2½ cups, \u00bc of it now, or 5\u20448.", "Add 2 1/2 cups, 1/4 of it now, or 5/8."),
        ("fr", "Ajoutez 1½ l.", "Ajoutez 1 1/2 l."),
        ("en", "Two dogs\u00a0, three cats .", "Two dogs, three cats."),
        ("en", "Hello,how are you?Fine.We left.", "Hello, how are you? Fine. We left."),
        ("en", "At 5 p.m. we paid $1,000.50, didn't we?", "At 5 p.m. we paid $1,000.50, didn't we?"),
        ("en", "A man - the T-shirt is blue - runs...", "A man - the T-shirt is blue - runs..."),
        ("en", "Wait... what?!", "Wait... what?!"),
        ("de", "„Schön“ , sagte er , »sehr«.", '"Schön", sagte er, "sehr".'),
        ("de", "Kommst du?Ja,gern!Öfter.Über uns.", "Kommst du? Ja, gern! Öfter. Über uns."),
        ("de", "Das ist z.B. hier, d.h. um 10:45 für 3,5 Euro.", "Das ist z.B. hier, d.h. um 10:45 für 3,5 Euro."),
        ("fr", "«Quoi?!» Il est 10:45.", '"Quoi ?!" Il est 10:45.'),
        ("fr", "Ça va? Oui , l\u2019été\u00a0: enfin !", "Ça va ? Oui, l'été : enfin !"),
        ("latin", "\u201cQué\u201d , dijo ¿dónde?Aquí,está.Ésta.", '"Qué", dijo ¿dónde? Aquí, está. Ésta.'),
        ("plain", "「何」\u2014\u200dと\u00adいう ？\ufeff", "「何」\u2014\u200dという ？"),
        ("none", "\u201cA\u00adb\u201d ,c ?", "\u201cA\u00adb\u201d ,c ?"),
    ],
)
def test_a_text_is_tidied_by_the_rules_of_its_language(rules, typed, tidied):
    assert RULES[rules](typed) == tidied == RULES[rules](tidied)


FILLERS = "\u115f\u1160\u3164\uffa0\u180b\u180c\u180d\u180e\u180f"  # of Hangul and Mongolian
VISIBLE = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")  # signs that are drawn, or arrange what is drawn
JOINERS = "\u200b\u200c\u200d\U0001bca0\U0001bca1\U0001bca2\U0001bca3" + FILLERS  # and tags


@each_case("rules", ["en", "de", "fr", "latin", "plain"])
def test_characters_without_a_width_are_dropped(rules):
    """All formats of Unicode (category Cf) and the fillers; in any script only those that change no letter."""
    formats = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == "Cf" or c in FILLERS]
    unseen = [c for c in formats if not unicodedata.name(c, "").startswith(VISIBLE) or c == "\u061c"]
    kept = {c for c in unseen if rules == "plain" and (c in JOINERS or c >= "\U000e0000")}
    assert len(unseen) > 140
    wrong = [ascii(c) for c in unseen if RULES[rules](f"a{c}b") != (f"a{c}b" if c in kept else "ab")]
    assert not wrong


@each_case(
    ("code", "rules"),
    [
        *(("en-GB", "en"), ("pt-BR", "latin"), ("zh-Hant-TW", "plain"), ("tlh", "plain")),
        *(("sr-Latn", "latin"), ("sr-Cyrl", "plain"), ("latin", "plain")),
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
    loaded = checkpoint.load(folder)
    assert loaded.source_ids(curly) == loaded.source_ids(straight)
    write(folder, checkpoint.RECORD, {"tidying": "none"})
    other = checkpoint.load(folder)
    assert other.source_ids(curly) != other.source_ids(straight) == loaded.source_ids(straight)
