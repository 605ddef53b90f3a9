"""The translation command: a sentence as an argument, or standard input line by line."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference import tiny_model

from model.checkpoints import checkpoint
from model.decoding import Translator
from model.sampling import Sampling, draw
from model.translate import main, parse

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tokenizer, tmp_path) -> Path:
    model = tiny_model(src_vocab_size=tokenizer.vocab_size, tgt_vocab_size=tokenizer.vocab_size, max_len=32)
    checkpoint.save(Translator(model, tokenizer), tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.fixture
def translator(folder) -> Translator:
    return checkpoint.load(str(folder))


def output(capsys, folder: Path, *words: str) -> str:
    main([*words, "--model", str(folder), "--device", "cpu"])
    return capsys.readouterr().out


def refusal(*words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return str(ended.value)


def test_a_sentence_on_the_command_line_is_translated(folder, translator, corpus, capsys):
    assert output(capsys, folder, corpus[0]) == translator.translate([corpus[0]])[0] + "\n"


def test_the_beam_is_used(folder, translator, corpus, capsys):
    greedy, beam = (translator.translate(corpus[:8], width) for width in (1, 4))
    differing = next(i for i in range(8) if greedy[i] != beam[i])
    assert output(capsys, folder, corpus[differing], "--beam", "4") == beam[differing] + "\n"


def test_every_line_of_standard_input_gives_a_line_in_order(folder, translator, corpus, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(corpus[:5])))
    assert output(capsys, folder).splitlines() == translator.translate(corpus[:5])


def test_a_blank_line_stays_blank(folder, translator, corpus, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"\n{corpus[0]}\n  \t\n\n{corpus[1]}\n"))
    first, second = translator.translate(corpus[:2])
    assert output(capsys, folder) == f"\n{first}\n\n\n{second}\n"


@pytest.mark.parametrize("nothing", ["\u200b", "\u00ad"])
def test_a_line_without_any_piece_gives_a_blank_line_and_the_next_is_translated(
    nothing, folder, translator, corpus, capsys, monkeypatch
):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{nothing}\n{corpus[0]}\n"))
    assert output(capsys, folder) == f"\n{translator.translate([corpus[0]])[0]}\n"


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


def test_several_sentences_on_a_line_are_translated_as_one_text_and_the_help_says_so(folder, translator, capsys):
    text = "A cat sleeps. The dog sings."
    assert output(capsys, folder, text) == translator.translate([text])[0] + "\n"
    with pytest.raises(SystemExit):
        parse(["--help"])
    assert "translated as one text and never split" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("beam", ["0", "-1"])
def test_a_beam_of_nothing_is_refused(beam, capsys):
    assert refusal("A cat.", "--beam", beam) == "2"
    assert f"argument --beam: must be at least 1, not {beam}" in capsys.readouterr().err


def test_a_sample_is_drawn_with_its_flags_and_its_seed_repeats_it(folder, translator, corpus, capsys):
    words = (corpus[0], "--sample", "--temperature", "2", "--top-k", "5", "--top-p", "0.9", "--seed", "3")
    (expected,) = draw(translator, translator.source_ids(corpus[0]), Sampling(2.0, 5, 0.9), [3])
    assert output(capsys, folder, *words) == translator.tokenizer.decode(translator.clean(expected.ids)) + "\n"
    assert output(capsys, folder, *words) != output(capsys, folder, *words[:-1], "4")


def test_one_piece_in_the_running_gives_the_greedy_translation(folder, translator, corpus, capsys):
    assert output(capsys, folder, corpus[1], "--sample", "--top-k", "1") == translator.translate([corpus[1]])[0] + "\n"


def test_a_seed_by_chance_is_told_and_repeats_the_sample(folder, corpus, capsys):
    main([corpus[0], "--sample", "--model", str(folder), "--device", "cpu"])
    first = capsys.readouterr()
    word, seed = first.err.split()
    assert word == "seed" and output(capsys, folder, corpus[0], "--sample", "--seed", seed) == first.out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--sample", "--beam", "4"), "--beam searches and --sample draws by chance: choose one of them"),
        (("--sample", "--beam", "1"), "--beam searches and --sample draws by chance: choose one of them"),
        (("--temperature", "0.5"), "--temperature needs --sample"),
        (("--top-k", "5"), "--top-k needs --sample"),
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
        (("--temperature", "0"), "The temperature must be a number above 0, not 0."),
        (("--top-p", "2"), "Top-p must be above 0 and at most 1, not 2."),
        (("--top-k", "0"), "Top-k must be at least 1, not 0."),
        (("--seed", "-1"), "A seed is a whole number from 0 to 4294967295, not -1."),
    ],
)
def test_what_cannot_be_drawn_with_is_told_in_a_sentence(words, reason, folder):
    said = refusal("A cat.", "--sample", "--model", str(folder), "--device", "cpu", *words)
    assert said == f"python -m model.translate: {reason}"


def test_a_missing_checkpoint_is_told_in_a_sentence(tmp_path):
    message = refusal("A cat.", "--model", str(tmp_path / "nowhere"))
    assert message.startswith(f"python -m model.translate: There is no checkpoint folder at {tmp_path / 'nowhere'}.")


def test_too_long_a_sentence_is_told_in_a_sentence(folder, corpus):
    message = refusal(" ".join(corpus), "--model", str(folder))
    assert message.startswith("python -m model.translate: The text has") and message.endswith("takes at most 31.")


def test_a_sentence_that_is_empty_is_not_an_error(folder, capsys):
    assert output(capsys, folder, "  ") == "\n"


def test_an_unknown_device_is_told_in_a_sentence(folder):
    assert "device 'abacus' cannot be used here" in refusal("A cat.", "--model", str(folder), "--device", "abacus")


def test_the_shipped_checkpoint_and_greedy_decoding_are_the_defaults():
    options = parse([])
    assert (options.sentence, options.beam, options.device) == (None, 1, "auto")
    assert options.model == str(ROOT / "assets" / "small")
