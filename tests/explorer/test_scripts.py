"""Texts from right to left, without blanks between words, and with marks that stand on other letters."""

from by_node import derive, in_node, needs_node
from cases import each_case
from remarks import remarks_on
from tiny_models import ARABIC, JAPANESE
from tiny_models import arabic_to_japanese as arabic_to_japanese

from explorer.files.matrix import csv_text, matrix_of
from explorer.recording.splitting import Word, joined_text, joined_words, split_words
from explorer.recording.trace import Piece, record
from explorer.ui.scripts import (
    RIGHT_TO_LEFT,
    WITHOUT_BLANKS,
    add_mark_base,
    direction_of,
    is_written_without_blanks,
    isolate,
    join_pieces,
)
from model.languages import Language, Languages

# Pieces as tokenizers make them, and the words that they are.
JOINED = {
    "·كتا بًا ·في ، ·الحديقة . </s>": ["كتابًا", "في", "،", "الحديقة", ".", "</s>"],
    "· كتاب ً ا ·Py thon ؟": ["كتابًا", "Python", "؟"],
    "·猫 は 古い 、 椅子 。 </s>": ["猫", "は", "古い", "、", "椅子", "。", "</s>"],
    "· 私 は Py thon 3 を 。 あなた": ["私", "は", "Python3", "を", "。", "あなた"],
    "·ที ่ นี ่ ·OK": ["ที่", "นี่", "OK"],
    "·नम स ् ते ·दुनिया": ["नमस्ते", "दुनिया"],
    "·「 猫 」 です": ["「", "猫", "」", "です"],
    "<s> の ·a b": ["<s>", "の", "ab"],
    "<s> · : ·' N ay ' ·Café . </s>": ["<s>", ":", "'Nay", "'", "Café", ".", "</s>"],
    "·a · ·b · </s>": ["a", "·", "b", "·", "</s>"],
}


def pieces_of(text: str) -> list[Piece]:
    """Pieces by their texts: "·" begins a word, "<" a special piece."""
    return [
        Piece(add_mark_base(piece), i, special=piece.startswith("<"), starts_word=piece.startswith("·"))
        for i, piece in enumerate(text.split())
    ]


@each_case(
    ("code", "direction"),
    [
        *((code, "rtl") for code in ("ar", "fa-IR", "az-Arab", "ku-arab-IQ", "arz")),  # babel lacks the last two
        *((code, "ltr") for code in ("ja", "az-Latn", "eng1", "ar-Latn", "zxx-x-arab")),
    ],
)
def test_a_direction_is_that_of_the_languages_script(code, direction):
    assert direction_of(Language(code, "Any")) == direction


def test_only_what_goes_from_right_to_left_is_isolated():
    assert [isolate(text) for text in ("·the", "猫", "42", "·في")] == ["·the", "猫", "42", "\u2068·في\u2069"]
    assert isolate(isolate("·في")) == isolate("·في")


def test_a_mark_alone_has_a_circle_and_loses_it_on_a_letter():
    assert [add_mark_base(text) for text in ("\u064b", "·\u064b", "ب\u064b", "·", "")] == [
        "◌\u064b",
        "·◌\u064b",
        "ب\u064b",
        "·",
        "",
    ]
    assert join_pieces(["كتاب", "◌\u064b", "ا"]) == "كتاب\u064bا"
    assert join_pieces(["◌\u064b", "◌"]) == "◌\u064b◌"  # the first has no letter before it; a circle is a sign, too


@each_case("text", JOINED)
def test_pieces_are_joined_as_their_script_has_words(text):
    pieces = pieces_of(text)
    assert [joined_text(pieces, group) for group in joined_words(pieces)] == JOINED[text]


@needs_node
def test_the_browser_joins_the_same_words():
    script = """
        const { groupByWord } = await import("./explorer/derived/word_groups.js");
        console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(groupByWord)));
    """
    sides = [pieces_of(text) for text in JOINED]
    assert in_node(script, [[piece._asdict() for piece in side] for side in sides]) == [*map(joined_words, sides)]


@needs_node
def test_the_browser_knows_the_same_scripts():
    """The places at which an answer changes, over all letters but halves of pairs."""
    script = """
        const { isRightToLeft, isUnspaced } = await import("./explorer/ui/scripts.js");
        const changes = (has) => {
            const found = [];
            for (let code = 1, last = false; code < 0x40010; code++) {
                if (code >= 0xd800 && code < 0xe000) continue;
                const now = has(String.fromCodePoint(code));
                if (now !== last) found.push(code);
                last = now;
            }
            return found;
        };
        console.log(JSON.stringify([isRightToLeft, isUnspaced].map(changes)));
    """
    letters = [code for code in range(1, 0x40010) if not 0xD800 <= code < 0xE000]

    def changes(pattern) -> list[int]:
        has = [pattern.search(chr(code)) is not None for code in letters]
        return [code for code, before, now in zip(letters, [False, *has], has, strict=False) if now != before]

    assert in_node(script) == [changes(RIGHT_TO_LEFT), changes(WITHOUT_BLANKS)]
    assert len(changes(RIGHT_TO_LEFT)) == 10


def test_words_of_a_script_without_blanks_keep_their_marks():
    words = split_words(pieces_of("·猫 は 、 寝る 。 </s>"))
    assert words == [Word("猫", (0,)), Word("は、", (1,)), Word("寝る。", (3,))]
    assert [word.clean for word in words] == ["猫", "は", "寝る"]
    assert [word.clean for word in split_words(pieces_of("·(أنت ؟ ·كتاب ،"))] == ["أنت", "كتاب"]


@each_case(
    ("code", "without_blanks"),
    [
        *((code, True) for code in ("ja", "zh", "zh-Hant-TW", "th", "km", "yue")),
        *((code, False) for code in ("en", "de", "ko", "ar", "ja-Latn", "tlh")),
    ],
)
def test_a_language_has_blanks_between_words_or_not(code, without_blanks):
    assert is_written_without_blanks(Language(code, "Some")) == without_blanks


def test_some_characters_of_another_script_do_not_change_what_is_said_of_a_language(shipped):
    (remarks,) = remarks_on(shipped, [record(shipped, "I like 猫 and 犬.")])
    assert not any("no blanks" in note for note in remarks.notes)


def test_labels_are_isolated_on_the_page_and_plain_in_a_file(arabic_to_japanese):
    trace = record(arabic_to_japanese, ARABIC[0], max_steps=4)
    labels = derive("trace", "isolatedTexts", [piece._asdict() for piece in trace.source])
    arabic = [i for i, piece in enumerate(trace.source) if RIGHT_TO_LEFT.search(piece.text)]
    assert len(arabic) > 5
    assert all(labels[i] == f"\u2068{trace.source[i].text}\u2069" for i in arabic)
    written = csv_text(matrix_of(trace, "cross", 0, 0))
    assert "\u2068" not in written
    assert trace.source[arabic[0]].text in written


def notes_of(translator, trace, language, languages) -> list[str]:
    (remarks,) = remarks_on(translator, [trace], language, languages)
    return remarks.notes


def test_what_differs_from_a_language_of_europe_is_said_once(arabic_to_japanese):
    trace, languages = record(arabic_to_japanese, ARABIC[0], max_steps=4), arabic_to_japanese.languages
    found = notes_of(arabic_to_japanese, trace, "en", languages)
    assert sum("Arabic is written from right to left" in note for note in found) == 1
    arabic, japanese = languages
    other = record(arabic_to_japanese, JAPANESE[1], max_steps=4)
    found = notes_of(arabic_to_japanese, other, "en", Languages(japanese, arabic))
    assert sum("Japanese is written without spaces" in note for note in found) == 1
    found = notes_of(arabic_to_japanese, trace, "de", Languages(arabic, arabic))
    assert any("Arabisch und Arabisch werden von rechts" in note for note in found)
