"""The translation command: a sentence as an argument, or standard input line by line."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.command import exit_on_error
from model.decoding import Translator
from model.errors import UserError
from model.sampling import Sampling, draw
from model.translate import main


@pytest.fixture
def loaded(folder) -> Translator:
    return checkpoint.load(str(folder))


def output(capsys, folder: Path, *words: str) -> str:
    main([*words, "--model", str(folder), "--device", "cpu"])
    return capsys.readouterr().out


def refusal(*words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return str(ended.value)


def test_a_sentence_on_the_command_line_is_translated(folder, loaded, corpus, capsys):
    assert output(capsys, folder, corpus[0]) == loaded.translate([corpus[0]])[0] + "\n"


def test_the_beam_is_used(folder, loaded, corpus, capsys):
    greedy, beam = (loaded.translate(corpus[:8], width) for width in (1, 4))
    differing = next(i for i in range(8) if greedy[i] != beam[i])
    assert output(capsys, folder, corpus[differing], "--beam", "4") == beam[differing] + "\n"


def test_every_line_of_standard_input_gives_a_line_in_order(folder, loaded, corpus, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(corpus[:5])))
    assert output(capsys, folder).splitlines() == loaded.translate(corpus[:5])


def test_a_blank_line_stays_blank(folder, loaded, corpus, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"\n{corpus[0]}\n  \t\n\u200b\n\u00ad\n{corpus[1]}\n"))
    first, second = loaded.translate(corpus[:2])
    assert output(capsys, folder) == f"\n{first}\n\n\n\n{second}\n" and output(capsys, folder, "  ") == "\n"


def test_a_line_is_answered_before_the_next_one_is_read(folder, corpus, monkeypatch):
    written, answered = io.BytesIO(), []

    def lines() -> Iterator[str]:
        for sentence in corpus[:3]:
            yield sentence
            answered.append(written.getvalue().count(b"\n"))

    monkeypatch.setattr(sys, "stdin", lines())
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf-8"))
    main(["--model", str(folder), "--device", "cpu"])
    assert answered == [1, 2, 3]


def test_a_sample_is_drawn_with_its_flags_and_its_seed_repeats_it(folder, loaded, corpus, capsys):
    words = (corpus[0], "--sample", "--temperature", "2", "--top-k", "5", "--top-p", "0.9", "--seed", "3")
    (expected,) = draw(loaded, loaded.source_ids(corpus[0]), Sampling(2.0, 5, 0.9), [3])
    assert output(capsys, folder, *words) == loaded.tokenizer.decode(loaded.clean(expected.ids)) + "\n"
    assert output(capsys, folder, *words) != output(capsys, folder, *words[:-1], "4")


def test_a_seed_by_chance_is_told_and_repeats_the_sample(folder, corpus, capsys):
    main([corpus[0], "--sample", "--model", str(folder), "--device", "cpu"])
    first = capsys.readouterr()
    word, seed = first.err.split()
    assert word == "seed" and output(capsys, folder, corpus[0], "--sample", "--seed", seed) == first.out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--sample", "--beam", "4"), "--beam searches and --sample draws at random: choose one of them"),
        (("--beam", "0"), "argument --beam: must be at least 1, not 0"),
        (("--top-p", "0.5", "--beam", "2"), "--top-p needs --sample"),
        (("--seed", "0"), "--seed needs --sample"),
    ],
)
def test_flags_that_contradict_each_other_are_refused(words, reason, capsys):
    assert refusal("A cat.", *words) == "2"
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("A cat.", "--sample", "--temperature", "0"), "from 0.000001 to 1000000, not 0."),
        (("A cat.", "--sample", "--seed", "-1"), "A seed is a whole number from 0 to 4294967295, not -1."),
        (("A cat.", "--model", "/nowhere"), "There is no checkpoint folder at /nowhere."),
        (("A cat. " * 9,), "The text has"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(words, reason, folder):
    said = refusal("--model", str(folder), "--device", "cpu", *words)
    assert said.startswith("python -m model.translate: ") and reason in said


def test_a_file_cannot_steer_the_terminal_by_its_name():
    with pytest.raises(SystemExit) as ended, exit_on_error("it"):
        raise UserError("\x1b]0;title\x07„猫“ 🙂 \x1b[31m.txt: line 2\r is\nno \u202esentence\ud800")
    assert ended.value.code == "it: \\x1b]0;title\\x07„猫“ 🙂 \\x1b[31m.txt: line 2\\r is\nno \\u202esentence\\ud800"
