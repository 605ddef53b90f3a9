"""Evaluation: a translator's own translations as references score 100, others less; what is written and when."""

import json
from pathlib import Path

import pytest
import torch
from reference import tiny_model

from model import checkpoint
from model.data import Pair
from model.decoding import Translator
from model.evaluate import main, score, translate_all


@pytest.fixture
def translator(tokenizer) -> Translator:
    """Random weights, which make up long translations."""
    model = tiny_model(src_vocab_size=tokenizer.vocab_size, tgt_vocab_size=tokenizer.vocab_size, max_len=32)
    with torch.no_grad():
        model.projection.bias[[tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id]] = -100
        for weight in model.parameters():
            weight.copy_(weight.half())
    return Translator(model, tokenizer, {"steps": 3, "scores": []})


@pytest.fixture
def folder(translator, tmp_path) -> Path:
    checkpoint.save(translator, tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.fixture
def own(translator, corpus, tmp_path) -> Path:
    """A file of sentences and what the translator makes of them, greedily."""
    return write_pairs(tmp_path / "own.tsv", list(zip(corpus[:8], translator.translate(corpus[:8]), strict=True)))


@pytest.fixture
def german(corpus, tmp_path) -> Path:
    return write_pairs(tmp_path / "german.tsv", list(zip(corpus[:8], corpus[8:], strict=True)))


def write_pairs(path: Path, pairs: list[tuple[str, str]]) -> Path:
    path.write_text("".join(f"{src}\t{tgt}\n" for src, tgt in pairs), encoding="utf-8")
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_texts_of_any_length_are_translated_in_their_own_order(translator, corpus):
    texts = [*corpus, corpus[3]]
    assert translate_all(translator, texts, beam=1, batch_size=4) == translator.translate(texts)


def test_own_translations_score_full_marks_and_others_do_not(translator, corpus):
    own = [Pair(*pair) for pair in zip(corpus[:8], translator.translate(corpus[:8]), strict=True)]
    german = [Pair(*pair) for pair in zip(corpus[:8], corpus[8:], strict=True)]
    same, other = score(translator, "own", own, 1), score(translator, "german", german, 1)
    assert (same["bleu"], same["chrf"]) == (100, 100)
    assert 0 <= other["bleu"] < 20 and 0 <= other["chrf"] < 40


def test_a_score_tells_file_pairs_decoding_and_signatures(translator, corpus):
    pairs = [Pair(corpus[0], corpus[8]), Pair(corpus[1], corpus[9])]
    greedy, beam = (score(translator, "test.tsv", pairs, width) for width in (1, 3))
    assert (greedy["file"], greedy["pairs"], greedy["decoding"], beam["decoding"]) == (
        "test.tsv",
        2,
        "greedy",
        "beam 3",
    )
    assert "BLEU nrefs:1|case:mixed|eff:no|tok:13a" in greedy["signature"]
    assert "chrF nrefs:1|case:mixed|eff:yes|nc:6|nw:0" in greedy["signature"]


def test_the_command_prints_both_scores_with_their_signatures(folder, own, german, capsys):
    main(["--pairs", str(own), str(german), "--model", str(folder), "--beams", "1", "2", "--device", "cpu"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "own.tsv  greedy: BLEU 100.00  chrF 100.00"
    assert [line.split(":")[0] for line in lines[2::2]] == [
        "own.tsv  beam 2",
        "german.tsv  greedy",
        "german.tsv  beam 2",
    ]
    assert all("BLEU nrefs:1" in line and "chrF nrefs:1" in line for line in lines[1::2])


def test_without_write_the_checkpoint_stays_as_it_is(folder, own):
    before = files_in(folder)
    main(["--pairs", str(own), "--model", str(folder), "--beams", "1"])
    assert files_in(folder) == before


def test_with_write_record_and_card_hold_the_scores(folder, own):
    before = files_in(folder)
    main(["--pairs", str(own), "--model", str(folder), "--beams", "1", "--write"])
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert record["steps"] == 3
    assert [(s["file"], s["pairs"], s["bleu"], s["chrf"]) for s in record["scores"]] == [("own.tsv", 8, 100, 100)]
    assert "| own.tsv | 8 | greedy | 100.0 | 100.0 |" in (folder / "README.md").read_text(encoding="utf-8")
    changed = {name for name, content in files_in(folder).items() if content != before[name]}
    assert changed == {"training.json", "README.md"}


def test_new_scores_replace_the_old_ones(folder, own, german):
    main(["--pairs", str(german), "--model", str(folder), "--beams", "2", "--write"])
    main(["--pairs", str(own), "--model", str(folder), "--beams", "1", "--write"])
    assert [s["file"] for s in checkpoint.load(str(folder)).record["scores"]] == ["own.tsv"]


def test_files_of_the_same_name_are_scored_apart(folder, own, german, tmp_path, capsys):
    for name, file in (("a", own), ("b", german)):
        (tmp_path / name).mkdir()
        file.rename(tmp_path / name / "test.tsv")
    main(["--pairs", f"{tmp_path}/a/test.tsv", f"{tmp_path}/b/test.tsv", "--model", str(folder), "--beams", "1"])
    first, second = capsys.readouterr().out.splitlines()[::2]
    assert "BLEU 100.00" in first and "BLEU 100.00" not in second


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--pairs", "nowhere.tsv"], "nowhere.tsv"),
        (["--pairs", "OWN", "--model", "/nowhere"], "There is no checkpoint folder at /nowhere"),
        (["--pairs", "OWN", "--device", "abacus"], "device 'abacus' cannot be used here"),
        (["--pairs", "LONG"], "pieces; the model takes at most 31"),
        (["--pairs", "BLANK"], "nothing to translate"),
        (["--pairs", "EMPTY"], "no pair"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_in_a_sentence(folder, own, corpus, tmp_path, words, sentence):
    files = {
        "OWN": own,
        "LONG": write_pairs(tmp_path / "long.tsv", [(" ".join(corpus), "lang")]),
        "BLANK": write_pairs(tmp_path / "blank.tsv", [("", "leer")]),
        "EMPTY": write_pairs(tmp_path / "empty.tsv", []),
    }
    with pytest.raises(SystemExit) as ended:
        main(["--model", str(folder), "--beams", "1", *(str(files.get(word, word)) for word in words)])
    assert str(ended.value).startswith("python -m model.evaluate: ") and sentence in str(ended.value)


def test_a_beam_of_nothing_is_refused(folder, own, capsys):
    with pytest.raises(SystemExit):
        main(["--pairs", str(own), "--model", str(folder), "--beams", "0"])
    assert "--beams must be at least 1, not 0" in capsys.readouterr().err
