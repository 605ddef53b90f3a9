"""Robustness: the shipped inputs are what they say, and the same translations are counted and others shown."""

from pathlib import Path

import pytest
from cases import each_case
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.robustness import Comparison, RoughInput, compare, differences, main, read_inputs, table


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
    rows = [line.split() for line in table(several).splitlines()[1:]]
    assert rows == [
        ["lower", "case", "3", "2", "67%", "3", "100%"],
        ["blanks", "1", "0", "0%", "0", "0%"],
        ["all", "4", "2", "50%", "3", "75%"],
    ]


def test_only_differing_translations_are_shown_with_both_texts():
    shown = differences([compared("Ja.", "Ja."), compared("Nein", "Nein.")])
    assert shown == "\nlower case: typed\n  rough: Nein\n  clean: Nein."


def test_the_command_prints_the_table_and_the_differences(folder, translator, inputs, capsys):
    main(["--model", str(folder), "--inputs", str(inputs), "--device", "cpu"])
    out = capsys.readouterr().out
    compared_inputs = compare(translator, read_inputs(inputs))
    assert out == f"{table(compared_inputs)}\n{differences(compared_inputs)}\n"
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
    with pytest.raises(SystemExit, match=rf"^python -m model\.robustness: {sentence}"):
        main(["--model", str(folder), "--inputs", str(tmp_path / "inputs.tsv")])
