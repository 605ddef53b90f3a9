"""What the page warns of: sentences with the warnings that a reader would want, and the measures one by one."""

import dataclasses
from pathlib import Path
from typing import NamedTuple

from cases import each_case

from explorer.recording.splitting import Word, split_sentences
from explorer.recording.trace import Trace, record, record_forced
from explorer.recording.warnings import other_language, rare_words_warning, warnings
from explorer.ui.language import LanguageContext, use_language
from model.decoding import Translator
from model.languages import ENGLISH_TO_GERMAN, Language, Languages


class Verdict(NamedTuple):
    group: str
    sentence: str
    wanted: set[str]
    either: set[str]
    missed: set[str]


def verdicts() -> list[Verdict]:
    lines = (Path(__file__).parents[1] / "verdicts.tsv").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if not line.startswith("#"):
            group, sentence, *kinds = line.split("\t")
            found.append(Verdict(group, sentence, *(set(part.split()) for part in [*kinds, "", "", ""][:3])))
    return found


def plain(translator: Translator, sentence: str) -> Trace:
    """The trace as from a model without a likelihood, which has all warnings."""
    return dataclasses.replace(record(translator, sentence), fit=None)


FRENCH = ("fr", "French")
VERDICTS = verdicts()


@each_case("verdict", VERDICTS)
def test_a_sentence_earns_the_warnings_that_a_reader_would_want(shipped, verdict):
    """But for the known misses, which a warning that comes after all takes from tests/verdicts.tsv."""
    found = {warning.kind for warning in warnings(plain(shipped, verdict.sentence))}
    assert verdict.wanted - verdict.missed <= found <= verdict.wanted | verdict.either
    assert not verdict.missed & found


def stuttered(translator: Translator) -> Trace:
    """A translation that repeats itself, whatever the translator would have written."""
    ids = [*translator.tokenizer.encode("Siooooooooo lebt in Galway."), translator.tokenizer.eos_id]
    return record_forced(translator, "Siobhan and Aoife live in Galway.", ids)


def test_every_warning_is_a_sentence(shipped, toy):
    traces = [*(plain(shipped, verdict.sentence) for verdict in VERDICTS[::6]), record(toy, "the cat")]
    for warning in (warning for trace in traces for warning in warnings(trace)):
        assert warning.text[0].isupper() or warning.text[0].isdigit()
        assert "{" not in warning.text and "“”" not in warning.text


@each_case(
    ("text", "count"),
    [
        ("One\nTwo", 2),
        ("Mr. and Mrs. Brown met Dr. Smith.", 1),
        ("He lives in Washington D.C. with J. R. Miller.", 1),
        ("It costs 3.5 dollars.", 1),
        ('"Stop!" he said.', 1),
        ('He said: "Stop!" Then he left.', 2),
        ("Where are you? I wait... Come!", 3),
        ("a cat. a dog.", 2),
    ],
)
def test_a_text_is_split_into_sentences(text, count):
    found = split_sentences(text)
    assert len(found) == count and " ".join(found) == " ".join(text.split())


def words(text: str, pieces: int = 1) -> list[Word]:
    return [Word(word, tuple(range(pieces * i, pieces * (i + 1)))) for i, word in enumerate(text.split())]


@each_case(
    ("text", "language"),
    [
        ("the man saw a dog", None),
        ("A man in a hat on a horse", None),
        ("Soldiers die in war", None),
        ("War was met with protest", None),
        ("Kubernetes orchestrates microservices", None),
        ("der Mann sieht einen Hund", "de"),
        ("Bonjour , je suis ici", "fr"),
        ("Jag vill ha en kopp kaffe", "sv"),
        ("Мама мыла раму", ""),
        ("", None),
    ],
)
def test_a_language_is_known_by_its_common_words(text, language):
    assert other_language(words(text)) == language


@each_case(
    ("language", "told"),
    [("en", "This looks like French, not English."), ("de", "Das sieht nach Französisch aus, nicht nach Englisch.")],
)
def test_another_language_is_named_in_that_of_the_page(shipped, language, told):
    trace = plain(shipped, "Bonjour, je suis ici.")
    with use_language(LanguageContext(language)):
        (found,) = warnings(trace)
    assert found.text.startswith(told)


def kinds_of(languages: Languages, *traces: Trace) -> set[str]:
    with use_language(LanguageContext("en", languages)):
        return {warning.kind for trace in traces for warning in warnings(trace)}


def test_what_rests_on_words_is_said_only_of_a_model_that_reads_their_language(shipped):
    french, klingon = (Languages(Language(*named), Language("nl", "Dutch")) for named in (FRENCH, ("tlh", "Klingon")))
    bonjour = plain(shipped, "Bonjour, je suis ici.")
    assert "language" in kinds_of(ENGLISH_TO_GERMAN, bonjour) and "language" not in kinds_of(french, bonjour)
    english = plain(shipped, "The dog is tired.")
    assert "language" in kinds_of(french, english) and "language" not in kinds_of(klingon, english)
    with use_language(LanguageContext("en", french)):
        assert warnings(english)[0].text.startswith("This looks like English, not French.")


def test_what_rests_on_no_words_is_said_of_every_model(shipped):
    klingon = Languages(Language("tlh", "Klingon"), Language("nl", "Dutch"))
    for text, kind in (
        ("The antidisestablishmentarianism movement failed.", "rare"),
        ("It is raining. We stay at home.", "several"),
        ("WE STAY HERE", "capitals"),
    ):
        assert kind in kinds_of(klingon, plain(shipped, text))
    assert "repetition" in kinds_of(klingon, stuttered(shipped))
    assert kinds_of(klingon, plain(shipped, "The dog is tired because it has run all day.")) == set()


@each_case(
    ("read", "text", "language"),
    [
        ("fr", "le chat dort sur la table", None),
        ("fr", "Madame Curie et Don Pedro", None),
        ("fr", "el perro está muy cansado", "es"),
        ("de", "die Katze und der Hund", None),
        ("de", "het is niet mijn hond", "nl"),
        ("nl", "der Hund und die Katze sind nicht hier", "de"),
        ("fr", "Мама мыла раму", ""),
    ],
)
def test_a_text_is_told_from_the_language_that_is_read(read, text, language):
    assert other_language(words(text), read) == language


@each_case(
    ("code", "text", "count"),
    [
        ("de", "Das ist z.B. Herr Dr. Braun. Er kommt ca. Montag.", 2),
        ("fr", "M. Dupont et Mme. Martin dorment. Et toi ?", 2),
        ("es", "El Sr. Pérez duerme. ¿Y tú?", 2),
        ("ja", "雨です。家にいます。", 2),
        ("zh", "你好！你好吗？", 2),
        ("ar", "أين أنت؟ أنا هنا.", 2),
    ],
)
def test_a_text_is_split_by_the_marks_and_abbreviations_of_its_language(code, text, count):
    assert len(split_sentences(text, code)) == count


def test_a_tokenizer_that_splits_everything_earns_no_warning():
    split = words("the man and Wojciechowski", pieces=4)
    assert rare_words_warning(split) is None
    whole = [Word(word.text, word.pieces[:1]) for word in split[:3]]
    assert rare_words_warning([*whole, split[3]]).pieces == split[3].pieces
