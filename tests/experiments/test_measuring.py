"""The command that measures heads: what it writes into a checkpoint, and whose numbers the page takes."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from tiny_models import folder as folder
from tiny_models import translator as translator

from explorer.experiments import words
from explorer.experiments.head_measurements import fingerprint, read
from explorer.experiments.ranking import all_heads, head_drops
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from model.checkpoints.checkpoint import HEADS, load
from model.decoding import Translator
from model.errors import UserError
from tools.catalogue import main, sample_traces


@pytest.fixture
def files(corpus, tmp_path) -> list[str]:
    """Two dev files and one of training pairs."""
    lines = [f"{src}\t{tgt}\n" for src, tgt in zip(corpus[:8], corpus[8:], strict=True)]
    for name, part in (("one.tsv", lines[:4]), ("two.tsv", lines[4:]), ("train.tsv", lines)):
        (tmp_path / name).write_text("".join(part), encoding="utf-8")
    return [str(tmp_path / name) for name in ("one.tsv", "two.tsv", "train.tsv")]


@pytest.fixture
def ending(translator, monkeypatch) -> Translator:
    """The tiny model says the same German to everything: what a random one says hardly ever ends, and has no words."""
    tokenizer = translator.tokenizer
    said = [*tokenizer.encode("Die Kinder spielen im Garten."), tokenizer.eos_id]
    monkeypatch.setattr(Translator, "steps", lambda self, encoded, **_: iter(self.forced_steps(encoded, said)))
    return translator


def command(files: list[str], folder: Path, *more: str) -> None:
    one, two, train = files
    main(["--dev", one, two, "--pairs", train, "--count", "4", "--model", str(folder), "--device", "cpu", *more])


def test_a_page_in_all_languages_computes_the_fingerprint_once(ending, folder, files, monkeypatch):
    command(files, folder)
    translators = []
    monkeypatch.setattr(
        "explorer.experiments.head_measurements.fingerprint",
        lambda given: translators.append(given) or fingerprint(given),
    )
    translator = load(str(folder))
    create_ui(AppContext(Recordings(translator), folder))
    assert translators == [translator]


def test_the_file_holds_every_head_with_its_mean_drop_and_no_sentence(ending, folder, files, corpus, capsys):
    command(files, folder)
    text = (folder / HEADS).read_text(encoding="utf-8")
    translator = load(str(folder))
    found = read(folder, translator)
    assert found and found.sentences == 4 and found.data == ["one.tsv", "two.tsv"] and found.pairs == ["train.tsv"]
    assert "--dev one.tsv two.tsv" in found.command and not any(sentence in text for sentence in corpus)
    lost = [
        head_drops(translator, [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]).sum(
            axis=1
        )
        for trace in sample_traces([Path(name) for name in files[:2]], 4, 1, translator)
    ]
    np.testing.assert_allclose([head.drop for head in found.heads], np.mean(lost, axis=0), atol=1e-3)
    assert all(head.low <= head.drop <= head.high for head in found.heads)
    assert [head.links is None for head in found.heads] == [
        head.kind != "cross" for head in all_heads(translator.model.config)
    ]
    assert f"{found.split_half:.2f}" in capsys.readouterr().out


def test_sentences_come_from_all_files_alike_and_none_twice(ending, files):
    found = [trace.sentence for trace in sample_traces([Path(name) for name in files[:2]], 5, 3, ending)]
    halves = [
        [line.split("\t")[0] for line in Path(name).read_text(encoding="utf-8").splitlines()] for name in files[:2]
    ]
    assert len({*found}) == 5 and [sum(text in half for text in found) for half in halves] == [3, 2]


def test_a_sentence_whose_german_does_not_end_is_passed_over(translator, files, monkeypatch):
    monkeypatch.setattr(Translator, "limit", lambda self, n_src: 2)
    with pytest.raises(UserError, match="sentences too few"):
        sample_traces([Path(files[0])], 2, 0, translator)


def test_numbers_of_another_checkpoint_are_refused(ending, folder, files):
    command(files, folder)
    ending.model.get_parameter("encoder.layers.0.feed_forward.w_1.bias").data[0] += 1
    with pytest.raises(UserError, match=re.escape(words.FOREIGN_HEADS)):
        read(folder, ending)


def test_a_damaged_file_is_refused_and_a_missing_one_is_none(translator, folder):
    assert read(folder, translator) is None
    (folder / HEADS).write_text(json.dumps({"version": 1}))
    with pytest.raises(UserError, match=re.escape(words.UNREADABLE_HEADS)):
        read(folder, translator)


def test_what_cannot_be_measured_is_refused_in_a_sentence(folder, files, tmp_path):
    for arguments, sentence in (
        (["--model", "me/tiny"], "a local checkpoint folder"),
        (["--count", "90"], "sentences too few"),
    ):
        with pytest.raises(SystemExit) as ended:
            command(files, folder, *arguments)
        assert str(ended.value).startswith("python -m tools.catalogue: ") and sentence in str(ended.value)
