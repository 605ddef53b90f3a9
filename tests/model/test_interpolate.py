"""Pairs that the model or a rule writes: the hypothesis of the beam nearest to a reference, and numbers and times."""

import pytest
from sacrebleu.metrics.bleu import BLEU

from model import interpolate, numerals
from model.training.data import Pair, read_pairs


def test_a_file_holds_each_source_once_with_a_reachable_target(shipped, tmp_path, monkeypatch):
    monkeypatch.setattr(interpolate.command, "load", lambda options: shipped)
    source, out = tmp_path / "pairs.tsv", tmp_path / "nearest.tsv.gz"
    references = ["Zwei Hunde rennen durch den Schnee.", "Zwei Hunde laufen im Schnee."]
    source.write_text("".join(f"Two dogs are running in the snow.\t{text}\n" for text in references), encoding="utf-8")
    interpolate.main(["--pairs", str(source), "--out", str(out)])
    ids = shipped.source_ids("Two dogs are running in the snow.")
    (candidates,) = interpolate.hypotheses(shipped, [ids], 5)
    (pair,) = read_pairs([out])
    assert len(set(candidates)) == 5 and candidates[0] == shipped.translate([pair.src], 5)[0]
    bleu = BLEU(effective_order=True)
    best = max(bleu.sentence_score(text, references).score for text in candidates)
    assert pair.tgt in candidates and bleu.sentence_score(pair.tgt, references).score == pytest.approx(best)


def test_a_name_that_would_be_read_as_plain_text_is_refused(capsys):
    with pytest.raises(SystemExit):
        interpolate.main(["--pairs", "pairs.tsv", "--out", "nearest.tsv"])
    assert "a name that ends with .gz, not nearest.tsv" in capsys.readouterr().err


def test_sources_without_pieces_are_left_out(shipped):
    assert interpolate.interpolate(shipped, [Pair(" ", "nichts")], beam=2, number=5) == []


def test_numbers_and_times_are_written_by_rule(tmp_path, capsys):
    numerals.main(["--out", str(tmp_path / "numerals.tsv.gz"), "--number", "999"])
    pairs = read_pairs([tmp_path / "numerals.tsv.gz"])
    assert f"{len(pairs)} pairs" in capsys.readouterr().out and len(set(pairs)) == len(pairs)
    texts = dict(pairs)
    assert texts["I have twenty-one books."] == "Ich habe einundzwanzig Bücher."
    assert texts["It is half past twelve."] == "Es ist halb eins."
    assert texts["It is quarter to one."] == "Es ist Viertel vor eins."
    assert texts["It is one o'clock."] == "Es ist ein Uhr."
    assert texts["The shop closes at 9 p.m."] == "Das Geschäft schließt um 21 Uhr."
