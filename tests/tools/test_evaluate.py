"""Evaluation: what is known by heart scores 100, the rest less; what is printed, written and refused."""

import json
import math
from pathlib import Path

import pytest
from cases import each_case

from model.checkpoints import checkpoint
from model.config import PRESETS
from model.decoding import Translator
from model.training.data import Pair, collate, encode_pairs
from model.training.recipe import TrainConfig
from model.training.trainer import Trainer
from tools.evaluate import format_comparison, main, score


@pytest.fixture(scope="module")
def translator(tokenizer, corpus) -> Translator:
    """Knows four sentences by heart."""
    pairs = encode_pairs([Pair(src, tgt) for src, tgt in zip(corpus[:4], corpus[8:12], strict=True)], tokenizer, 40)
    sizes = {"n_layers": 1, "n_heads": 2, "d_model": 32, "d_ff": 64, "max_len": 32}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "tiny", sizes)
        recipe = {"preset": "tiny", "steps": 120, "warmup_steps": 20, "peak_lr": 1e-2, "precision": "float32"}
        trainer = Trainer(TrainConfig(pairs=("a.tsv",), device="cpu", dropout=0.0, **recipe), tokenizer)
    for _ in range(120):
        trainer.train_step(collate(pairs, tokenizer))
    return Translator(trainer.model.eval(), tokenizer, {"steps": 3, "scores": []})


@pytest.fixture
def folder(translator, tmp_path) -> Path:
    checkpoint.save(translator, tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.fixture
def known(corpus, tmp_path) -> Path:
    """A file of the four pairs that the translator knows."""
    return write_pairs(tmp_path / "known.tsv", list(zip(corpus[:4], corpus[8:12], strict=True)))


@pytest.fixture
def unknown(corpus, tmp_path) -> Path:
    return write_pairs(tmp_path / "unknown.tsv", list(zip(corpus[4:8], corpus[12:], strict=True)))


def write_pairs(path: Path, pairs: list[tuple[str, str]]) -> Path:
    path.write_text("".join(f"{src}\t{tgt}\n" for src, tgt in pairs), encoding="utf-8")
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_known_pairs_score_full_marks_and_others_do_not(translator, corpus):
    pairs = [Pair(src, tgt) for src, tgt in zip(corpus[:8], corpus[8:], strict=True)]
    known, unknown = score(translator, "known", pairs[:4], 1), score(translator, "unknown", pairs[4:], 1)
    assert (known["bleu"], known["bleu_lowercase"], known["chrf"]) == (100, 100, 100)
    assert 0 <= unknown["bleu"] < 50 and 0 < unknown["chrf"] < 80


def test_the_translation_is_held_against_the_reference_and_not_the_other_way_round(translator, corpus):
    twice = [Pair(corpus[i], f"{corpus[8 + i]} {corpus[8 + i]}") for i in range(4)]
    # Every n-gram is right, and half of the pieces are missing: all that is left to count is the brevity penalty.
    assert score(translator, "twice", twice, 1)["bleu"] == pytest.approx(100 * math.exp(1 - 2), abs=0.01)


def test_case_counts_in_bleu_and_not_in_lowercased_bleu(translator, corpus):
    shouted = score(translator, "shouted", [Pair(corpus[i], corpus[8 + i].upper()) for i in range(4)], 1)
    assert shouted["bleu"] < 50 and shouted["bleu_lowercase"] == 100


def test_the_command_prints_all_scores_with_their_signatures(folder, known, unknown, capsys):
    main(["--pairs", str(known), str(unknown), "--model", str(folder), "--beams", "1", "2", "--device", "cpu"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "known.tsv  greedy: BLEU 100.00  lowercased 100.00  chrF 100.00"
    assert [line.split(":")[0] for line in lines[::5]] == ["known.tsv  greedy", "unknown.tsv  greedy"]
    assert [line.split(":")[0] for line in lines[2::5]] == ["known.tsv  beam 2", "unknown.tsv  beam 2"]
    signatures = ("BLEU nrefs:1|case:mixed|eff:no|tok:13a", "chrF nrefs:1|case:mixed|eff:yes|nc:6|nw:0")
    assert all(signature in line for signature in signatures for line in (*lines[1::5], *lines[3::5]))
    assert lines[4] == "  compared with greedy: +0.00 with beam 2" and len(lines) == 10


def test_the_difference_between_ways_of_decoding_is_told_with_its_sign():
    scores = [{"decoding": name, "bleu": bleu} for name, bleu in (("greedy", 40.0), ("beam 5", 41.25), ("beam 9", 39))]
    assert format_comparison(scores) == "compared with greedy: +1.25 with beam 5, -1.00 with beam 9"


def test_only_with_write_record_and_card_hold_the_scores(folder, known):
    before, words = files_in(folder), ["--pairs", str(known), "--model", str(folder), "--beams", "1"]
    main(words)
    assert files_in(folder) == before
    for _ in range(2):  # new scores replace the old ones
        main([*words, "--write"])
    record = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert record["steps"] == 3
    assert [(s["file"], s["pairs"], s["bleu"], s["chrf"]) for s in record["scores"]] == [("known.tsv", 4, 100, 100)]
    assert "| known.tsv | 4 | greedy | 100.0 | 100.0 |" in (folder / "README.md").read_text(encoding="utf-8")
    changed = {name for name, content in files_in(folder).items() if content != before[name]}
    assert changed == {"training.json", "README.md"}


@each_case(
    ("pairs", "sentence"),
    [
        ([("The cat " * 32, "lang")], "line 1 cannot be translated. The text has"),
        ([("A", "a"), ("\u200b", "leer")], "line 2 cannot be translated. There is nothing"),
        ([], "has no pairs"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_in_a_sentence(folder, tmp_path, pairs, sentence):
    path = write_pairs(tmp_path / "dev.tsv", pairs)
    with pytest.raises(SystemExit, match=rf"^python -m tools\.evaluate: {path} {sentence}"):
        main(["--model", str(folder), "--pairs", str(path)])
