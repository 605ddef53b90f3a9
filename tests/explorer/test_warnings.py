"""What is refused, and what the page warns of: as a reader would want it, and the measures one by one."""

import dataclasses
import json
import math
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from by_node import derive, in_node, needs_node
from cases import each_case, sweep
from pydantic import ValidationError
from remarks import kinds, plain, recorded, remarks_on

from explorer.derived import words as texts
from explorer.derived.about import warning_words
from explorer.derived.german_words import Vocabulary, is_all_german
from explorer.recording.examples import examples
from explorer.recording.likelihood import MEASURES, likelihood
from explorer.recording.payload import trace_json
from explorer.recording.sentence import check_sentence
from explorer.recording.trace import Trace, record, record_forced
from model.checkpoints.record import Record
from model.decoding import Translator
from model.errors import UserError
from model.languages import ENGLISH_TO_GERMAN, Language, Languages
from model.tokenizer import WORD_START
from tools import likelihood as fitting


def verdicts() -> Iterator[tuple[str, set[str], set[str], set[str]]]:
    """Sentences with the warnings that are wanted, those that may be, and those that are missed."""
    for line in (Path(__file__).parents[1] / "verdicts.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            _, sentence, *kinds = line.split("\t")
            wanted, either, missed, *_ = (set(part.split()) for part in [*kinds, "", "", ""])
            yield sentence, wanted, either, missed


pytestmark = needs_node
FRENCH = ("fr", "French")
VERDICTS = [*verdicts()]
REPLACED = {"missing", "rare"}  # by a likelihood


def warned_kinds(translator: Translator, *sentences: str) -> list[set[str]]:
    """The kinds of the warnings of a model without a likelihood."""
    return [*map(kinds, remarks_on(translator, [plain(trace) for trace in recorded(translator, sentences)]))]


@pytest.fixture(scope="module")
def verdict_kinds(shipped) -> dict[str, set[str]]:
    sentences = [sentence for sentence, *_ in VERDICTS]
    return dict(zip(sentences, warned_kinds(shipped, *sentences), strict=True))


@each_case(("sentence", "wanted", "either", "missed"), VERDICTS)
def test_a_sentence_earns_the_warnings_that_a_reader_would_want(verdict_kinds, sentence, wanted, either, missed):
    """But for the known misses, which a warning that comes after all takes from tests/verdicts.tsv."""
    found = verdict_kinds[sentence]
    assert wanted - missed <= found <= wanted | either
    assert not missed & found


def never_right() -> Iterator[tuple[str, str]]:
    for line in (Path(__file__).parents[1] / "never-right.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, sentence = line.split("\t")
            yield kind, sentence


def test_no_text_with_a_fault_that_a_warning_knows_is_called_likely_right(shipped):
    rows = [*never_right()]
    traces = recorded(shipped, [sentence for _, sentence in rows])
    found = remarks_on(shipped, [*traces, *map(plain, traces)])
    for (kind, sentence), remarks, all_warnings in zip(rows, found[: len(rows)], found[len(rows) :], strict=True):
        assert remarks.likelihood is None or remarks.likelihood.word != "right", sentence
        assert kind in kinds(all_warnings), sentence


def test_the_texts_that_are_never_right_have_every_kind_of_warning():
    kinds = {kind for kind, _ in never_right()}
    assert kinds == {*texts.WARNINGS} - {"unsure", "pieced"}  # reasons of the likelihood alone


def test_wrong_translations_are_doubted_more_often_than_right_ones(shipped):
    """On sentences by which nothing was chosen, where their German is still the one that was read."""
    lines = (Path(__file__).parents[1] / "everyday.tsv").read_text(encoding="utf-8").splitlines()
    doubted: dict[str, list[bool]] = {"right": [], "wrong": []}
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    traces = recorded(shipped, [sentence for sentence, *_ in rows])
    for (_, german, verdict), trace, found in zip(rows, traces, remarks_on(shipped, traces), strict=True):
        if trace.translation == german:
            doubted[verdict].append(found.likelihood is None or found.likelihood.word != "right")
    assert len(doubted["right"]) + len(doubted["wrong"]) > 40, "read the new German"
    assert np.mean(doubted["wrong"]) >= 0.4 and np.mean(doubted["right"]) <= 0.2


def stuttered(translator: Translator) -> Trace:
    """A translation that repeats itself, whatever the translator would have written."""
    ids = [*translator.tokenizer.encode("Siooooooooo lebt in Galway."), translator.tokenizer.eos_id]
    return record_forced(translator, "Siobhan and Aoife live in Galway.", ids)


def test_every_warning_is_a_sentence(shipped, toy):
    found = remarks_on(
        shipped, [plain(trace) for trace in recorded(shipped, [sentence for sentence, *_ in VERDICTS[::6]])]
    )
    found += remarks_on(toy, [record(toy, "the cat")])
    for warning in (warning for remarks in found for warning in remarks.warnings):
        assert warning.text[0].isupper() or warning.text[0].isdigit()
        assert "{" not in warning.text and "“”" not in warning.text


def words(text: str, pieces: int = 1) -> list[dict[str, Any]]:
    """The words of a text as the page splits them, each of so many pieces."""
    bare = [(word, word.strip(".,;:!?")) for word in text.split()]
    indices = [[*range(pieces * i, pieces * (i + 1))] for i in range(len(bare))]
    return [
        {
            "text": text,
            "clean": clean,
            "bare": clean.lower(),
            "pieces": remarks,
            "isNumber": any(map(str.isdigit, text)),
        }
        for (text, clean), remarks in zip(bare, indices, strict=True)
    ]


def of_warnings(call: str, read: str = "en") -> Any:
    """What a call of the page's Warnings returns, for a model that reads a language."""
    script = f"""
        import {{ Warnings }} from "./explorer/derived/warnings.js";
        const about = JSON.parse(readFileSync(0)), warnings = new Warnings(about, null);
        console.log(JSON.stringify(warnings.{call} ?? null));
    """
    about = {"codes": {"source": read, "target": "de"}, "warnings": warning_words(read, "de"), "fit": None}
    return in_node(script, about)


@each_case(
    ("language", "told"),
    [("en", "This looks like French, not English."), ("de", "Das sieht nach Französisch aus, nicht nach Englisch.")],
)
def test_another_language_is_named_in_that_of_the_page(shipped, language, told):
    (remarks,) = remarks_on(shipped, [plain(record(shipped, "Bonjour, je suis ici."))], language)
    (found,) = remarks.warnings
    assert found.text.startswith(told)


def kinds_of(translator: Translator, languages: Languages, *traces: Trace) -> set[str]:
    return set().union(*map(kinds, remarks_on(translator, traces, "en", languages)))


def test_what_rests_on_words_is_said_only_of_a_model_that_reads_their_language(shipped):
    french, klingon = (Languages(Language(*named), Language("nl", "Dutch")) for named in (FRENCH, ("tlh", "Klingon")))
    bonjour = plain(record(shipped, "Bonjour, je suis ici."))
    assert "language" in kinds_of(shipped, ENGLISH_TO_GERMAN, bonjour)
    assert "language" not in kinds_of(shipped, french, bonjour)
    english = plain(record(shipped, "The dog is tired."))
    assert "language" in kinds_of(shipped, french, english) and "language" not in kinds_of(shipped, klingon, english)
    (remarks,) = remarks_on(shipped, [english], "en", french)
    assert remarks.warnings[0].text.startswith("This looks like English, not French.")


def test_what_rests_on_no_words_is_said_of_every_model(shipped):
    klingon = Languages(Language("tlh", "Klingon"), Language("nl", "Dutch"))
    for text, kind in (
        ("The antidisestablishmentarianism movement failed.", "rare"),
        ("It is raining. We stay at home.", "several"),
        ("WE STAY HERE", "capitals"),
    ):
        assert kind in kinds_of(shipped, klingon, plain(record(shipped, text)))
    assert "repetition" in kinds_of(shipped, klingon, stuttered(shipped))
    ordinary = plain(record(shipped, "The dog is tired because it has played all day."))
    assert kinds_of(shipped, klingon, ordinary) == set()


@each_case(
    ("read", "text", "language"),
    [
        ("en", "the man saw a dog", None),
        ("en", "A man in a hat on a horse", None),
        ("en", "Soldiers die in war", None),
        ("en", "War was met with protest", None),
        ("en", "Kubernetes orchestrates microservices", None),
        ("en", "der Mann sieht einen Hund", "de"),
        ("en", "Bonjour , je suis ici", "fr"),
        ("en", "Jag vill ha en kopp kaffe", "sv"),
        ("en", "Мама мыла раму", ""),
        ("en", "", None),
        ("en", "Los Angeles", None),
        ("en", "los angeles", None),
        ("en", "La La Land", None),
        ("en", "Rio de Janeiro", None),
        ("en", "Ha ha!", None),
        ("en", "Tra la la la", None),
        ("en", "UN troops arrived", None),
        ("en", "Plan Z failed", None),
        ("en", "im going home", None),
        ("en", "im on a boat", None),
        ("en", "im Garten", "de"),
        ("en", "Wir sind im Bus", "de"),
        ("en", "im", "de"),
        ("en", "Hola!", "es"),
        ("en", "El perro duerme", "es"),
        ("en", "O gato é preto", "pt"),
        ("en", "LE CHAT EST ICI", "fr"),
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
    assert of_warnings(f"language.other({json.dumps(words(text))})", read) == language


@each_case(
    ("code", "text", "count"),
    [
        ("en", "The weather\nis nice today.", 1),
        ("en", "He met Dr.\nSmith.", 1),
        ("en", "It rains.\nCome in!", 2),
        ("en", "A heading\n \nAnd the text", 2),
        ("en", "Mr. and Mrs. Brown met Dr. Smith.", 1),
        ("en", "He lives in Washington D.C. with J. R. Miller.", 1),
        ("en", "It costs 3.5 dollars.", 1),
        ("en", '"Stop!" he said.', 1),
        ("en", 'He said: "Stop!" Then he left.', 2),
        ("en", "Where are you? I wait... Come!", 3),
        ("en", "a cat. a dog.", 2),
        ("de", "Das ist z.B. Herr Dr. Braun. Er kommt ca. Montag.", 2),
        ("fr", "M. Dupont et Mme. Martin dorment. Et toi ?", 2),
        ("es", "El Sr. Pérez duerme. ¿Y tú?", 2),
        ("ja", "雨です。家にいます。", 2),
        ("zh", "你好！你好吗？", 2),
        ("ar", "أين أنت؟ أنا هنا.", 2),
    ],
)
def test_a_text_is_split_by_the_marks_and_abbreviations_of_its_language(code, text, count):
    found = derive("splitting", "splitSentences", text, code)
    assert len(found) == count and "".join("".join(found).split()) == "".join(text.split())


@each_case(
    ("english", "german", "missing"),
    [
        ("It costs $1,234.56.", "Es kostet 1.234,56 Dollar.", []),
        ("It costs $1,234.56.", "Es kostet 1,234,56 Dollar.", ["$1,234.56"]),
        ("He sold 3,482 cars.", "Er verkaufte 3 482 Autos.", []),
        ("He sold 3,482 cars.", "Er verkaufte 3,482 Autos.", ["3,482"]),
        ("It ends at half past eight.", "Es endet um halb neun.", []),
        ("It ends at half past eight.", "Es endet um halb acht.", ["eight"]),
        ("It ends at 8 p.m. on the 25th.", "Es endet am 25. um 20 Uhr.", []),
        ("He is twenty-five.", "Er ist fünfundzwanzig.", []),
        ("He is twenty-five.", "Er ist fünfzig.", ["twenty-five"]),
        ("The twenty-first of June", "Der einundzwanzigste Juni", []),
        ("The twenty-first of June", "Der zwanzigste Juni", ["twenty-first"]),
        ("The thirty-second day", "Der dreißigste Tag", ["thirty-second"]),
        ("Forty-one men", "Vierzig Männer", ["Forty-one"]),
        ("A second chance", "Eine neue Gelegenheit", []),
        ("I weigh 45 kilos.", "Ich wiege fünfundvierzig Kilo.", []),
        ("The two of us saw a helpful man at night.", "Wir beide sahen nachts einen hilfsbereiten Mann.", []),
        ("It took 1,000,000 years.", "Es dauerte tausend Jahre.", ["1,000,000"]),
        ("It took 1,000,000 years.", "Es dauerte eine Million Jahre.", []),
        ("2.5 million people live here.", "Hier leben 2,5 Millionen Menschen.", []),
        ("2.5 million people live here.", "Hier leben 2,5 Tausend Menschen.", ["2.5", "million"]),
        ("Two hundred and five thousand saw it.", "Zweihundertfünftausend sahen es.", []),
        ("Two hundred and five thousand saw it.", "205.000 sahen es.", []),
        ("Two hundred and five thousand saw it.", "Zweihundertfünf sahen es.", ["Two", "hundred", "five", "thousand"]),
        ("It costs three billion dollars.", "Es kostet drei Milliarden Dollar.", []),
        ("It costs three billion dollars.", "Es kostet drei Billionen Dollar.", ["three", "billion"]),
        ("It was built in 1999.", "Es wurde neunzehnhundertneunundneunzig gebaut.", []),
        ("Millions of birds fly a thousand miles.", "Millionen von Vögeln fliegen tausend Meilen.", []),
        ("Millions of birds fly away.", "Tausende von Vögeln fliegen weg.", ["Millions"]),
        ("I said it a hundred times.", "Ich habe es hundertmal gesagt.", []),
        ("In 2020 two million people came.", "2020 kamen zwei Millionen Menschen.", []),
        ("Five hundred, six hundred and seven hundred.", "Fünfhundert, sechshundert und siebenhundert.", []),
        ("Between one hundred and two hundred people", "Zwischen hundert und zweihundert Leute", []),
        ("Two thousand, five hundred people", "Zweitausendfünfhundert Leute", []),
        ("Two thousand, five hundred people", "Zweitausend Leute", ["Two", "thousand", "five", "hundred"]),
        ("We live on the 3rd floor.", "Wir wohnen im dritten Stock.", []),
        ("It is 0 degrees.", "Es sind null Grad.", []),
        ("It is 0 degrees.", "Es ist kalt.", ["0"]),
        ("2 million 300 thousand", "zwei Millionen dreihunderttausend", []),
        ("It takes 1 1/2 hours.", "Es dauert 1/2 Stunden.", ["1", "1/2"]),
        ("It takes 1 1/2 hours.", "Es dauert eine halbe Stunde.", ["1", "1/2"]),
        ("It takes 1 1/2 hours.", "Es dauert 1 1/2 Stunden.", []),
        ("It takes 1 1/2 hours.", "Es dauert 1½ Stunden.", []),
        ("It takes 1 1/2 hours.", "Es dauert 1,5 Stunden.", []),
        ("It takes 1 1/2 hours.", "Es dauert anderthalb Stunden.", []),
        ("It takes 1 1/2 hours.", "Es dauert eineinhalb Stunden.", []),
        ("It takes 1 1/2 hours.", "Es dauert eine und eine halbe Stunde.", []),
        ("It takes 2 1/2 hours.", "Es dauert zweieinhalb Stunden.", []),
        ("It takes 2 1/2 hours.", "Es dauert zwei und eine halbe Stunde.", []),
        ("It takes 2 1/2 hours.", "Es dauert zwei Stunden.", ["2", "1/2"]),
        ("It takes 2 1/2 hours.", "Es dauert 1/2 Stunden.", ["2", "1/2"]),
        ("Take 1 3/4 cups.", "Nimm eindreiviertel Tassen.", []),
        ("Take 3/4 of it and 1/3 of that.", "Nimm drei Viertel davon und ein Drittel von dem.", []),
        ("It takes 1/2 hour.", "Es dauert eine halbe Stunde.", []),
        ("It takes 1/2 hour.", "Es dauert eine Stunde.", ["1/2"]),
        ("It takes 1.5 hours.", "Es dauert eineinhalb Stunden.", []),
        ("It takes 2.5 hours.", "Es dauert zwei Stunden.", ["2.5"]),
        ("It takes one and a half hours.", "Es dauert anderthalb Stunden.", []),
        ("It takes one and a half hours.", "Es dauert eine halbe Stunde.", ["one", "half"]),
        ("In 2030: one and a half hours.", "2030: anderthalb Stunden.", []),
        ("Two and a half million came.", "Zweieinhalb Millionen kamen.", []),
        ("1 1/2 million came.", "1,5 Millionen kamen.", []),
        ("1 1/2 million came.", "Eine Million kam.", ["1", "1/2", "million"]),
        ("Half a million came.", "500.000 kamen.", []),
        ("A million and a half came.", "Anderthalb Millionen kamen.", []),
        ("It costs 1 million and takes 1 hour.", "Es kostet eine Million und dauert eine Stunde.", []),
        ("It takes 1 hour.", "Es dauert Stunden.", ["1"]),
        ("It starts at 1.", "Es beginnt um 13 Uhr.", []),
        ("Meet me at 12:30.", "Triff mich um halb eins.", []),
        ("It starts at 12:30 a.m. and ends at 4:00 p.m.", "Es beginnt um 0:30 Uhr und endet um sechzehn Uhr.", []),
        ("A 27-foot (8.2-meter) monument.", "Ein 27 Fuß (8,2 Meter) hohes Denkmal.", []),
        ("It costs $2.50.", "Es kostet zwei Dollar fünfzig.", []),
        ("Flight LH2374 is late.", "Flug LH2347 ist spät.", ["LH2374"]),
        ("Ask help@example.org first.", "Frag zuerst help@ example.org.", ["help@example.org"]),
    ],
)
def test_a_number_stands_in_the_german_as_german_writes_it(english, german, missing):
    found = derive("number_words", "missingNumbers", words(english), german)
    assert [word["clean"] for word in found] == missing


AGREEMENT = """
    import { disagreement } from "./explorer/derived/agreement.js";
    import { GermanWords } from "./explorer/derived/german_words.js";
    const words = new GermanWords(readFileSync("./assets/words.bloom"));
    const [english, german] = JSON.parse(readFileSync(0));
    console.log(JSON.stringify(disagreement(english, german, (word) => words.isCompound(word))));
"""


@each_case(
    ("english", "german", "found"),
    [
        ("The dog buries its bone.", "Der Hund begraben seinen Knochen.", "Der Hund begraben"),
        ("The dog buries its bone.", "Der Hund vergräbt seinen Knochen.", ""),
        ("A white cook swallowed a pill.", "Ein weißer Koch schlucken eine Tablette.", "Ein weißer Koch schlucken"),
        ("My old cat sleeps in the garden.", "Meine alte Katze schlafen im Garten.", "Meine alte Katze schlafen"),
        ("The government has decided it.", "Die Regierung haben es beschlossen.", "Die Regierung haben"),
        ("The child sang loudly.", "Das Kind sangen laut.", "Das Kind sangen"),
        ("The dog barked outside.", "Der Hund bellten draußen.", "Der Hund bellten"),
        ("The old dogs play again.", "Die alten Hunde spielt wieder.", "Die alten Hunde spielt"),
        ("Three waitresses danced.", "Drei Kellnerin tanzte.", "Drei Kellnerin tanzte"),
        ("The students are late.", "Die Studentinnen ist zu spät.", "Die Studentinnen ist"),
        ("The dog is tired.", "Der Hund sind müde.", "Der Hund sind"),
        ("The result is new numbers.", "Das Ergebnis sind neue Zahlen.", ""),
        ("The book, we read tomorrow.", "Das Buch lesen wir morgen.", ""),
        ("Open the window.", "Das Fenster öffnen.", ""),
        ("The woman likes the children.", "Die Frau mögen die Kinder.", ""),
        ("The police lost two thieves.", "Der Polizei sind zwei Diebe entkommen.", ""),
        ("The Commission has no figures.", "Der Kommission liegen keine Zahlen vor.", ""),
        ("The singers then made their appearance.", "Ihre Aufwartung machten dann auch die Sänger.", ""),
        ("Your first model conversion", "Ihr erstes Modell konvertieren", ""),
        ("The new diplomats were freed.", "Die neue Diplomaten wurden befreit.", ""),
        ("A house surrounded by trees.", "Ein Haus umgeben von Bäumen.", ""),
        ("The man up there sleeps.", "Der Mann oben schläft.", ""),
        ("Three agents (salesagent) work.", "Drei Agenten (salesagent) arbeiten.", ""),
        ("A good omelette is hard to get.", "Ein gutes Omelett hinzubekommen, ist schwer.", ""),
        ("Two dogs dressed as cats.", "Zwei Hunde verkleidet als Katzen.", ""),
        ("Ten years is long.", "Zehn Jahre ist lang.", ""),
        ("The last words he left out.", "Die letzten Worte ließ er weg.", ""),
        ("The dog and the cat play.", "Der Hund und die Katze spielen.", ""),
        ("That could have other effects.", "Das könnte andere Folgen haben.", ""),
        ("Each year many die.", "Jedes Jahr sterben viele.", ""),
        ("The woman lacks her keys.", "Der Frau fehlen ihre Schlüssel.", ""),
        ("The woman does not like flowers.", "Der Frau gefallen keine Blumen.", ""),
        ("Ten kilometres is far.", "Zehn Kilometer ist weit.", ""),
    ],
)
def test_a_german_verb_that_does_not_fit_the_number_of_its_subject_is_found(english, german, found):
    assert " ".join(word["clean"] for word in in_node(AGREEMENT, [words(english), words(german)])) == found


@each_case(
    ("english", "german", "found"),
    [
        ("What would you do if you won?", "Was würdest du tun, wenn du gewonnen hast?", ["hast"]),
        ("What would you do if you won?", "Was würdest du tun, wenn du gewonnen hättest?", []),
        ("What would you do if you won?", "Was würdest du tun, wenn du gewinnen würdest?", []),
        ("What will you do if you win?", "Was wirst du tun, wenn du gewonnen hast?", []),
        ("If the old man died, I'd cry.", "Wenn der alte Mann gestorben ist, würde ich weinen.", ["ist"]),
        ("It'd be better if he were here.", "Es wäre besser, wenn er hier ist.", ["ist"]),
        ("Would you help me if you have time?", "Würdest du mir helfen, wenn du Zeit hast?", []),
        ("I'd help if you're interested.", "Ich würde helfen, wenn du interessiert bist.", []),
        ("It would be better if I went alone.", "Es wäre besser, wenn ich allein gehe.", []),
        ("I would have come. Call if you lost it.", "Ich wäre gekommen. Ruf an, wenn du es verloren hast.", []),
        ("He said he would come if he had time.", "Er sagte, dass er kommt, wenn er Zeit hat.", []),
        ("Would it work if it was off when you left?", "Würde es gehen, wenn es aus ist?", []),
        ("If you won, you would be rich.", "Hättest du gewonnen, wärest du reich.", []),
    ],
)
def test_a_condition_that_german_writes_as_a_fact_is_found(english, german, found):
    assert [word["clean"] for word in derive("mood", "wrongMood", words(english), words(german))] == found


@each_case(
    ("word", "is_german"),
    [
        *[(word, True) for word in ("frohe", "klopfen", "geschichtenlehrer", "wäscheleine", "t-shirt", "hand")],
        *[(word, False) for word in ("gelangweilten", "lemontiert", "meeresgulen", "dog", "tired")],
    ],
)
def test_a_german_word_is_told_from_what_is_none(word, is_german):
    script = """
        import { GermanWords } from "./explorer/derived/german_words.js";
        const words = new GermanWords(readFileSync("./assets/words.bloom")), word = JSON.parse(readFileSync(0));
        console.log(JSON.stringify([words.isGerman(word), words.isEnglish(word)]));
    """
    assert in_node(script, word) == [is_german, word in ("dog", "tired")]


def test_the_page_reads_the_filter_as_it_was_made():
    """The two languages that know its hashes: one makes it, the other reads it."""
    made = Vocabulary(bytearray(64))
    for position in made.positions("de", "straßenbahn"):
        made.bits[position >> 3] |= 1 << (position & 7)
    script = """
        import { GermanWords } from "./explorer/derived/german_words.js";
        const words = new GermanWords(Uint8Array.from(JSON.parse(readFileSync(0))));
        console.log(JSON.stringify([words.has("de", "straßenbahn"), words.has("en", "straßenbahn")]));
    """
    assert in_node(script, [*made.bits]) == [True, False]


@pytest.mark.thorough
def test_what_is_remarked_on_nothing_but_german_words_needs_no_list_of_them(shipped):
    """Both languages look words up; the first trace of a page is remarked on without the file.

    The list alone knows forms of verbs, and whether what follows "im" is English; the first sentence needs neither.
    """
    others = [sentence for sentence, wanted, *_ in VERDICTS if "agreement" not in wanted and "im " not in sentence]
    sentences = [examples()[0]["sentence"], *others]
    traces = [trace for trace in recorded(shipped, sentences) if is_all_german(trace.translation)]
    assert traces[0].sentence == sentences[0], "the page's first sentence"
    assert len(traces) > len(sentences) / 2
    assert remarks_on(shipped, traces, is_all_german=True) == remarks_on(shipped, traces)


def test_a_name_is_no_copy(shipped):
    sentences = ("I live in New York.", "Mr. Brown reads The Times in the USA.", "Siobhan has a computer.")
    for remarks in remarks_on(shipped, [record(shipped, sentence) for sentence in sentences]):
        assert "copied" not in kinds(remarks)


# The kinds of NFKC (Unicode, annex 15) of which a sign means something else than the signs that replace it.
CHANGING = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
# The names of other such signs.
COMBINED = ("PARENTHESIZED", "TORTOISE SHELL", "IDEOGRAPHIC TELEGRAPH", "ROMAN NUMERAL", "SMALL ROMAN NUMERAL")
NORMALIZATION = """
    import { SentencePiece } from "./explorer/engine/sentencepiece.js";
    const { normalizer } = new SentencePiece(Uint8Array.from(readFileSync("./assets/small/tokenizer.model")));
    const { trie } = normalizer, offset = (unit) => (unit >>> 10) << ((unit & 512) >> 6), keys = [];
    const visit = (node, bytes) => {
      for (let byte = 1; byte < 256; byte++) {
        const unit = trie[node ^ byte], key = [...bytes, byte];
        if ((unit & 0x800000ff) !== byte) continue;
        if (unit & 256) keys.push(key);
        visit(node ^ byte ^ offset(unit), key);
      }
    };
    visit(offset(trie[0]), []);
    const read = (key) => new TextDecoder().decode(Uint8Array.from(key));
    console.log(JSON.stringify(keys.map((key) => [read(key), normalizer.prefix(Uint8Array.from(key), 0).text])));
"""


def is_changed(sign: str) -> bool:
    """Whether NFKC makes other signs of one: not the same letter, digit or blank in another form."""
    kind = unicodedata.decomposition(sign).split(" ")[0]
    is_number = unicodedata.category(sign) == "No" and unicodedata.normalize("NFKC", sign) != sign
    return kind in CHANGING or is_number or unicodedata.name(sign, "").startswith(COMBINED)


@pytest.mark.parametrize("stride", sweep([1, 16], 16))
def test_what_the_tokenizer_changes_in_meaning_is_warned_of(shipped, stride):
    """All that its table replaces of the characters that Python knows; one of sixteen in an ordinary round."""
    table = [row for row in in_node(NORMALIZATION) if "Cn" not in map(unicodedata.category, row[0])]
    normalize, plain = shipped.tokenizer._processor.normalize, [row for row in table[::500] if " " not in row[1]]
    assert len(table) > 200_000 and all(normalize(f"x{key}x") == f"{WORD_START}x{text}x" for key, text in plain)
    table = table[::stride]
    traces = [{"sentence": key, "source": [{"text": text}]} for key, text in table]
    script = """
        import { Warnings } from "./explorer/derived/warnings.js";
        const { about, traces } = JSON.parse(readFileSync(0)), warnings = new Warnings(about, null);
        console.log(JSON.stringify(traces.map((trace) => warnings.changedSigns(trace) !== null)));
    """
    about = {"codes": {"source": "en", "target": "de"}, "warnings": warning_words("en", "de"), "fit": None}
    warned = in_node(script, {"about": about, "traces": traces})
    wrong = [key for (key, _), found in zip(table, warned, strict=True) if found != any(map(is_changed, key))]
    assert not wrong, f"{len(wrong)}: {wrong[:120]!a}"


@each_case(
    ("text", "plain"),
    [
        ("A <b>red</b> car.", "A red car."),
        ("<p class='x'>One.</p><p>Two.</p>", "One. Two."),
        ("Tom &amp; Jerry&#39;s &#x20AC;5 &lt;b&gt;", "Tom & Jerry's €5 <b>"),
        ("4<sup>2</sup> is 16.<br/>Yes.<!-- so -->", "4^2 is 16. Yes."),
        ('<a href="https://example.org?a=1&amp;b=2">Here</a> it is.', "Here it is."),
        ("a <b and c> d, x<y, AT&T, Q&A; and &foo;", None),
        ("&#xD800;&#9999999;", "\ufffd\ufffd"),
        ("<br>", ""),
    ],
)
def test_html_is_told_from_other_marks_and_taken_away(text, plain):
    assert derive("markup", "withoutMarkup", text) == (text if plain is None else plain)


def test_a_text_with_html_offers_itself_without(shipped):
    (remarks,) = remarks_on(shipped, [record(shipped, "A <b>red</b> car.")])
    assert [warning.sentences for warning in remarks.warnings if warning.kind == "markup"] == [["A red car."]]


@each_case(
    ("text", "parts"),
    [
        ("A <b>red</b> car.", ["A", "b", "red", "b", "car"]),
        ("The **red** or _blue_ one: my_file.txt", ["The", "red", "or", "blue", "one", "my_file.txt"]),
        ("and/or https://example.org/help #fun", ["and", "or", "https://example.org/help", "fun"]),
    ],
)
def test_words_for_the_checks_end_at_marks_inside_them(shipped, text, parts):
    source = trace_json(record(shipped, text))["source"]
    found = derive("splitting", "splitParts", source)
    assert [word["clean"] for word in found] == parts
    letters = re.compile(r"\W|_")
    texts = ["".join(source[int(i)]["text"] for i in word["pieces"]) for word in found]
    assert all(letters.sub("", word["clean"]) in letters.sub("", text) for word, text in zip(found, texts, strict=True))


def test_a_character_that_cannot_be_seen_is_named_by_its_code():
    found = of_warnings('unknownCharacters({ source: [{ text: "a\u2060", unknown: true }] })')
    assert found["text"].endswith("aU+2060")


def test_a_tokenizer_that_splits_everything_earns_no_warning():
    split = words("the man and Wojciechowski", pieces=4)
    assert of_warnings(f"rareWords({json.dumps(split)}, new Set())") is None
    whole = [{**word, "pieces": word["pieces"][:1]} for word in split[:3]]
    found = of_warnings(f"rareWords({json.dumps([*whole, split[3]])}, new Set())")
    assert found["pieces"] == split[3]["pieces"]


@each_case(
    ("text", "reason"),
    [
        ("", "nothing to translate"),
        ("a" * 401, "401 characters; the limit is 400"),
        ("漢字 漢字", "knows none of these characters"),
        ("A bell \x07 rings.", r"control character U\+0007"),
        ("A \ud800 alone.", r"control character U\+D800"),
        ("a " * 128, "129 tokens, including its end; the view shows at most 128"),
        ("x9" * 128, r"\d{3} tokens, including its end"),
    ],
)
def test_text_that_cannot_be_translated_is_refused_in_a_sentence(shipped, text, reason):
    with pytest.raises(UserError, match=reason) as refused:
        check_sentence(text, shipped)
    assert re.fullmatch(r"[A-Z][^{}\n]+\.", str(refused.value))


@each_case("text", ["  A dog.  ", "<script>alert(1)</script>", "A dog 😀 runs.", "a " * 127, "One\nTwo"])
def test_unusual_text_is_accepted(shipped, text):
    assert check_sentence(text, shipped) == text.strip()
    assert record(shipped, check_sentence(text, shipped), max_steps=2).steps


def test_an_ordinary_sentence_earns_no_remark(shipped):
    trace = record(shipped, "A man in a blue shirt is standing on a ladder.")
    sure = tuple(step._replace(probability=0.9) for step in trace.steps)
    (remarks,) = remarks_on(shipped, [dataclasses.replace(trace, steps=sure)])
    assert remarks.notes == []


def test_a_missing_end_and_unsure_steps_are_remarked_on(toy):
    (remarks,) = remarks_on(toy, [record(toy, "The cat sleeps.", min_steps=4, max_steps=4)])
    assert any("limit of 4 steps" in warning.text for warning in remarks.warnings)
    assert any("unsure" in note for note in remarks.notes)


@each_case(
    ("sentence", "word"),
    [
        ("We are going to the beach tomorrow.", "right"),
        ("My name is Krzysztof Wojciechowski.", "right"),
        ("LOL", "right"),
        ("The printer is out of paper.", "doubtful"),
        ("Piece of cake!", "wrong"),
    ],
)
def test_a_sentence_has_the_word_that_its_german_deserves(shipped, sentence, word):
    trace = record(shipped, sentence)
    (remarks,) = remarks_on(shipped, [trace])
    found = remarks.likelihood
    assert found and found.word == word and (found.reason is None or word != "right")
    assert not kinds(remarks) & REPLACED
    probability = likelihood(trace)
    assert probability and math.isclose(probability, found.probability, abs_tol=1e-6)


def test_only_the_model_s_own_english_translations_have_one(shipped, toy):
    trace = record(shipped, "The dog is tired.")
    ids = [step.predicted.id for step in trace.steps]
    forced, german = record_forced(shipped, trace.sentence, ids), record(shipped, "Der Hund schläft unter dem Tisch.")
    assert [remarks.likelihood for remarks in remarks_on(shipped, [forced, german])] == [None, None]
    assert remarks_on(toy, [record(toy, "the cat")])[0].likelihood is None
    assert likelihood(forced) is None and likelihood(record(toy, "the cat")) is None


def test_the_fit_finds_what_noisy_labels_hide():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(4000, len(MEASURES)))
    values[:, 6] = 0  # says nothing
    is_right = rng.random(4000) < 1 / (1 + np.exp(2 * values[:, 0] - 1))
    shares = np.where(is_right, *fitting.LABELLED_RIGHT.values())
    half = fitting.Labelled(values, rng.random(4000) < shares)
    fitted = fitting.fit(half)
    predicted = fitting.probabilities(fitted, values)
    assert fitted["coefficients"][0] == min(fitted["coefficients"]) and max(fitted["coefficients"]) <= 0
    assert fitting.area_under_roc(predicted, is_right) > 0.8 > fitting.area_under_roc(predicted, half.labels)
    assert abs(predicted.mean() - is_right.mean()) < 0.05


def test_a_damaged_fit_is_refused(shipped):
    fit = shipped.record["likelihood"]
    for fault in ({"scales": [0.0] * len(MEASURES)}, {"means": []}, {"intercept": "1"}):
        with pytest.raises(ValidationError):
            Record.model_validate({"likelihood": {**fit, **fault}})
