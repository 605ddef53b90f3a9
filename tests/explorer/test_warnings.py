"""What the page warns of: sentences with the warnings that a reader would want, and the measures one by one."""

import dataclasses
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cases import each_case
from samples import random_trace

from explorer.recording import words as texts
from explorer.recording.languages import ENGLISH_LIGHT_WORDS
from explorer.recording.sentence import examples
from explorer.recording.splitting import Word, split_sentences, split_words
from explorer.recording.trace import Trace, record, record_forced
from explorer.recording.warnings import missing_words_warning, other_language, rare_words_warning, warnings
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


def test_the_list_is_whole():
    ordinary = [verdict for verdict in VERDICTS if verdict.group == "ordinary"]
    assert (len(VERDICTS), len(ordinary)) == (80, 20)
    assert {example["sentence"] for example in examples()} <= {verdict.sentence for verdict in ordinary}
    assert all(verdict.wanted | verdict.either | verdict.missed <= texts.WARNINGS.keys() for verdict in VERDICTS)
    assert not any(verdict.wanted | verdict.either for verdict in ordinary)
    assert sum(bool(verdict.missed) for verdict in VERDICTS) == 2


@each_case("verdict", VERDICTS)
def test_a_sentence_earns_the_warnings_that_a_reader_would_want(shipped, verdict):
    """But for the known misses, which a warning that comes after all takes from tests/verdicts.tsv."""
    found = {warning.kind for warning in warnings(plain(shipped, verdict.sentence))}
    assert verdict.wanted - verdict.missed <= found <= verdict.wanted | verdict.either
    assert not verdict.missed & found


def test_warnings_name_their_pieces(shipped):
    trace = plain(shipped, "The quokka and the axolotl are cute.")
    found = {warning.kind: warning for warning in warnings(trace)}
    marked = "".join(trace.source[i].text for i in found["rare"].pieces)
    assert marked == "·axolotl"
    assert found["rare"].text.endswith(": axolotl")


def stuttered(translator: Translator) -> Trace:
    """A translation that repeats itself, whatever the translator would have written."""
    ids = [*translator.tokenizer.encode("Siooooooooo lebt in Galway."), translator.tokenizer.eos_id]
    return record_forced(translator, "Siobhan and Aoife live in Galway.", ids)


def test_repetition_names_its_steps(shipped):
    trace = stuttered(shipped)
    (found,) = (warning for warning in warnings(trace) if warning.kind == "repetition")
    assert "ooo" in "".join(trace.steps[i].predicted.text for i in found.steps) and found.pieces == ()


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


def test_attention_that_is_never_clear_tells_of_nothing_missing():
    trace = random_trace(2, 2, 2, 3)
    found = dataclasses.replace(trace, sentence="a", translation="a")
    unclear = np.full_like(trace.cross.weights, 0.01)
    named = [Word("elephant", (0,)), Word("giraffe", (1,))]
    flat = dataclasses.replace(trace.cross, weights=unclear)
    assert missing_words_warning(dataclasses.replace(found, cross=flat), named) is None
    clear = unclear.copy()
    clear[..., 0] = 0.9
    seen = dataclasses.replace(found, cross=dataclasses.replace(trace.cross, weights=clear))
    assert missing_words_warning(seen, named).pieces == (1,)
    assert missing_words_warning(seen, [named[0], Word("the", (1,))]) is None and "the" in ENGLISH_LIGHT_WORDS


def test_words_are_whole(shipped):
    trace = plain(shipped, "Sophie travelled to Munich.")
    assert [word.bare for word in split_words(trace.source)] == ["sophie", "travelled", "to", "munich"]
    assert trace.source[-2].text == "."  # no part of the word, and the end is none
    assert [i for word in split_words(trace.source) for i in word.pieces] == list(range(len(trace.source) - 2))


def test_several_sentences_come_along(shipped):
    (found,) = warnings(plain(shipped, "It is raining. We stay at home."))
    assert found.sentences == ("It is raining.", "We stay at home.")


def test_letters_typed_at_random_are_not_english():
    assert other_language(words("qwer zxcv", pieces=3)) == ""
    assert (
        other_language(words("qwer zxcv the", pieces=3)) is None
    )  # a name of three pieces each beside an English word


def test_a_sign_that_only_looks_like_a_number_is_no_number(shipped):
    found = {warning.kind for warning in warnings(plain(shipped, "I have ❶ black cat."))}
    assert "unknown" in found and "rare" not in found
