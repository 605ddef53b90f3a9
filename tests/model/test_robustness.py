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
    path = tmp_path / "inputs.tsv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_every_input_is_translated_and_its_clean_form_sentence_by_sentence(translator):
    inputs = [
        RoughInput("several", "A cat sleeps. We sing", ("A cat sleeps.", "We sing.")),
        RoughInput("blanks", "The  dog", ("The dog",)),
    ]
    several, blanks = compare(translator, inputs)
    first, second, whole, dog = translator.translate(["A cat sleeps.", "We sing.", "A cat sleeps. We sing", "The dog"])
    assert several == (inputs[0], whole, f"{first} {second}")
    assert blanks == (inputs[1], dog, dog) and blanks.same


@each_case(
    ("rough", "clean", "same", "nearly"),
    [
        ("Er schläft.", "Er schläft.", True, True),
        ("Er schläft", "Er schläft.", False, True),
        ("er schläft.", "Er schläft.", False, False),
        ("Er. Schläft.", "Er Schläft.", False, False),
    ],
)
def test_the_same_means_identical_and_the_second_count_leaves_the_last_marks_aside(rough, clean, same, nearly):
    one = compared(rough, clean)
    assert (one.same, one.same_but_for_the_end) == (same, nearly)


def test_the_table_counts_every_kind_and_all():
    several = [compared("Ja.", "Ja."), compared("Ja", "Ja."), compared("Ja.", "Ja."), compared("Ja", "Nein.", "blanks")]
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


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("blanks\ta\ta\nblanks\ta\n", "inputs.tsv line 2: expected what is rough"),
        ("", "has no inputs"),
        ("blanks\t\u200b\ta\n", "nothing to translate"),
    ],
)
def test_inputs_that_cannot_be_read_are_told_in_a_sentence(folder, tmp_path, content, sentence):
    path = tmp_path / "inputs.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["--model", str(folder), "--inputs", str(path)])
    assert str(ended.value).startswith("python -m model.robustness: ") and sentence in str(ended.value)
