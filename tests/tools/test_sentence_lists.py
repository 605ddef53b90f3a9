"""Classroom sentences and the rule of docs/classroom.md; careless inputs beside their clean forms."""

from collections import Counter
from pathlib import Path

import pytest
from cases import each_case
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.errors import UserError
from tools import robustness, sentence_lists
from tools.robustness import Comparison, RoughInput, compare, differences, read_inputs
from tools.sentence_lists import (
    LISTS,
    Sentence,
    Verdict,
    find_faults,
    judge,
    main,
    parse_fact,
    read_list,
    read_verdicts,
    table,
)

CLASSROOM, NAMES = map(read_list, LISTS)
EVERYTHING = [*CLASSROOM, *NAMES]


def test_the_lists_have_sixty_and_twenty_different_sentences():
    assert (len(CLASSROOM), len(NAMES)) == (60, 20)
    assert len({sentence_lists.normalized(sentence.text) for sentence in EVERYTHING}) == 80
    assert min(Counter(sentence.kind for sentence in CLASSROOM).values()) >= 3


@each_case("sentence", EVERYTHING)
def test_no_sentence_passes_untranslated_or_empty(sentence):
    if not sentence.facts[0].text.startswith("="):
        assert [*find_faults(sentence, sentence.text)]
    assert [*find_faults(sentence, "")] and [*find_faults(sentence, "Das ist ein Satz, der nichts davon sagt.")]


@each_case(
    ("text", "translation", "holds"),
    [
        ("satz", "Ein Aufsatz.", False),
        ("satz*", "Des Satzes.", True),
        ("*satz", "Ein Aufsatz.", True),
        ("neue* haus", "Das neue, alte Haus", False),
        ("kopf ... hut", "Der Hut hat einen Kopf.", False),
        ("4,5", "Es kostet 4,50 Euro.", False),
        ("-hund*|katze*", "Es regnete Hunde.", False),
        ("=Zoë", "Zoe\u0308 lacht.", True),  # the same character, in two
        ("=Zoë", "Zoe lacht.", False),
    ],
)
def test_a_fact_holds_where_its_words_are_there(text, translation, holds):
    assert parse_fact(text).holds(translation) is holds


def test_each_rule_finds_its_fault():
    sentence = Sentence("k", "A small test of it.", (parse_fact("test|probe"), parse_fact("-klein")))
    assert [*find_faults(sentence, "Eine kleine Probe davon.")] == []
    assert [*find_faults(sentence, "Eine klein Frage davon.")] == ["misses test|probe", "must not have klein"]
    assert [*find_faults(sentence, "Eine Probe of davon.")] == ["has English words: of"]
    assert [*find_faults(sentence, "Ein Test Test davon.")] == ["repeats: test"]
    assert [*find_faults(sentence, "Ein Test ist da, ein Test ist hier.")] == ["repeats: ein test ist"]
    assert [*find_faults(sentence, "Test.")] == ["has 1 words for 5"]
    assert [*find_faults(sentence, "Test a b c d e f g h i j")] == [] and len(
        [*find_faults(sentence, "Test a b c d e f g h i j k")]
    )


def test_a_verdict_holds_for_its_translation_and_overrules_both_ways(translator):
    sentences = [Sentence("k", "A cat sleeps.", (parse_fact("xyz"),)), Sentence("k", "The dog", (parse_fact("-xyz"),))]
    first, second = translator.translate(["A cat sleeps.", "The dog"])
    said = {("A cat sleeps.", first): Verdict(True, "so"), ("The dog", second): Verdict(False, "so")}
    judged = judge(translator, sentences, said, 1)
    assert [one.verdict for one in judged] == [*said.values()] and [one.passes for one in judged] == [True, False]
    assert not judged[0].passes_rule
    others = judge(translator, sentences, {("The dog", second + "x"): Verdict(False, "so")}, 1)
    assert [one.passes for one in others] == [one.passes_rule for one in others]
    assert table(judged).splitlines()[-1].split() == ["all", "2", str(sum(one.passes_rule for one in judged)), "1"]


def test_the_command_prints_table_and_failures_of_a_list(folder, translator, tmp_path, capsys):
    (tmp_path / "own.tsv").write_text("pets\tA cat sleeps.\txyz\n", encoding="utf-8")
    main(["--model", str(folder), "--list", str(tmp_path / "own.tsv"), "--beam", "2", "--device", "cpu"])
    out = capsys.readouterr().out
    assert out.startswith("own.tsv, beam 2\n") and "FAILS  A cat sleeps." in out and "rule: misses xyz" in out
    assert translator.translate(["A cat sleeps."], 2)[0] in out


def test_results_are_written_into_record_and_card_once_for_each_list_and_decoding(folder, translator, tmp_path):
    judged_file = tmp_path / "own.tsv"
    judged_file.write_text("pets\tA cat sleeps.\txyz\npets\tA dog.\t-xyz\n", encoding="utf-8")
    for beam in ("1", "2", "2"):
        main(["--model", str(folder), "--list", str(judged_file), "--beam", beam, "--device", "cpu", "--write"])
    results = checkpoint.load(folder).record["lists"]
    assert [(one["file"], one["decoding"]) for one in results] == [("own.tsv", "greedy"), ("own.tsv", "beam 2")]
    judged = judge(translator, read_list(judged_file), {}, 2)
    right = sum(item.passes for item in judged)
    assert results[1]["kinds"] == [{"kind": kind, "right": right, "sentences": 2} for kind in ("pets", "all")]
    assert {"sentence": "A cat sleeps.", "translation": judged[0].translation} in results[1]["wrong"]
    card = (folder / checkpoint.CARD).read_text(encoding="utf-8")
    assert f"| own.tsv | pets | {right} of 2 | {right} of 2 |" in card and "- A cat sleeps. → " in card


def test_a_sentence_that_stands_in_a_file_is_told_whatever_its_capitals(tmp_path, capsys):
    judged_file, apart = tmp_path / "own.tsv", tmp_path / "apart.tsv"
    judged_file.write_text("k\tHow's the weather?\tx\nk\tMy dog.\tx\n", encoding="utf-8")
    apart.write_text("Hows the weather tomorrow?\tx\nMy dogs.\ty\n", encoding="utf-8")
    main(["--list", str(judged_file), "--apart", str(apart)])
    assert "None of 2 sentences stands in 1 files." in capsys.readouterr().out
    apart.write_text("Hello! how’s the weather\tx\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"apart\.tsv: How's the weather\?"):
        main(["--list", str(judged_file), "--apart", str(apart)])


@each_case(
    ("content", "sentence"),
    [
        ("k\tA dog.\tx\nk\tA cat.\n", "own.tsv line 2: expected a kind, a sentence and its facts"),
        ("k\tA dog.\tx|\n", "own.tsv line 1: 'x.' is no fact"),
        ("", "has no sentences"),
    ],
)
def test_a_list_that_cannot_be_read_is_told_in_a_sentence(tmp_path, content, sentence):
    (tmp_path / "own.tsv").write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit, match=rf"^python -m tools\.sentence_lists: .*{sentence}"):
        main(["--list", str(tmp_path / "own.tsv")])


@each_case("line", ["A dog.\tEin Hund.\tmaybe\tso\n", "A dog.\tEin Hund.\tright\t \n"])
def test_a_verdict_without_yes_or_no_or_a_reason_is_refused(tmp_path, line):
    (tmp_path / "read.tsv").write_text(line, encoding="utf-8")
    with pytest.raises(UserError, match=r"read\.tsv line 1: expected sentence, translation"):
        read_verdicts(tmp_path / "read.tsv")


def compared(rough: str, clean: str, kind: str = "lower case") -> Comparison:
    return Comparison(RoughInput(kind, "typed", ("Typed.",)), rough, clean)


@pytest.fixture
def inputs(tmp_path) -> Path:
    """One input that is the same to the tokenizer as its clean form, and one that is not."""
    lines = ["blanks\tThe cat  sleeps .\tThe cat sleeps.", "lower case\tthe dog\tThe dog sleeps."]
    (tmp_path / "inputs.tsv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "inputs.tsv"


def test_every_input_is_translated_and_its_clean_form_sentence_by_sentence(translator):
    inputs = [
        RoughInput("several", "A cat sleeps. We sing", ("A cat sleeps.", "We sing.")),
        RoughInput("blanks", "The  dog", ("The dog",)),
    ]
    several, blanks = compare(translator, inputs)
    first, second, whole, dog = translator.translate(["A cat sleeps.", "We sing.", "A cat sleeps. We sing", "The dog"])
    assert several == (inputs[0], whole, f"{first} {second}")
    assert blanks == (inputs[1], dog, dog) and blanks.same


def test_the_table_counts_every_kind_and_all_and_then_but_for_the_last_marks():
    several = [compared("Ja.", "Ja."), compared("Ja", "Ja."), compared("Ja.", "Ja."), compared("ja.", "Ja.", "blanks")]
    rows = [line.split() for line in robustness.table(several).splitlines()[1:]]
    assert rows == [
        ["lower", "case", "3", "2", "67%", "3", "100%"],
        ["blanks", "1", "0", "0%", "0", "0%"],
        ["all", "4", "2", "50%", "3", "75%"],
    ]


def test_only_differing_translations_are_shown_with_both_texts():
    shown = differences([compared("Ja.", "Ja."), compared("Nein", "Nein.")])
    assert shown == "\nlower case: typed\n  rough: Nein\n  clean: Nein."


def test_the_command_prints_the_table_and_the_differences(folder, translator, inputs, capsys):
    robustness.main(["--model", str(folder), "--inputs", str(inputs), "--device", "cpu"])
    out = capsys.readouterr().out
    compared_inputs = compare(translator, read_inputs(inputs))
    assert out == f"{robustness.table(compared_inputs)}\n{differences(compared_inputs)}\n"
    assert [one.same for one in compared_inputs] == [True, False]


@each_case(
    ("content", "sentence"),
    [
        ("blanks\ta\ta\nblanks\ta\n", r"\S*inputs\.tsv line 2: expected what is rough"),
        ("", r"\S*inputs\.tsv has no inputs"),
        ("blanks\t\u200b\ta\n", "There is nothing to translate"),
    ],
)
def test_inputs_that_cannot_be_read_are_told_in_a_sentence(folder, tmp_path, content, sentence):
    (tmp_path / "inputs.tsv").write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit, match=rf"^python -m tools\.robustness: {sentence}"):
        robustness.main(["--model", str(folder), "--inputs", str(tmp_path / "inputs.tsv")])
