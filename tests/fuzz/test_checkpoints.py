"""A checkpoint with a damaged file is loaded and can be shown, or is refused in a sentence; never with much memory."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from damage import altered, bounded, damaged
from fuzzing import SENTENCES, examples, guarded, is_sentence, odd
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tiny_translator

from explorer.experiments.head_measurements import read as read_heads
from explorer.files.export_trace import describe_model
from explorer.recording.story_file import find_story
from explorer.recording.trace import record
from explorer.tabs.model_training.record import data_text, runs_text
from explorer.tabs.positions.tab import beyond_text
from model.checkpoints import checkpoint
from model.checkpoints.card import model_card
from model.checkpoints.record import joined_log, runs_of
from model.decoding import Translator
from model.errors import UserError
from model.tokenizer import Tokenizer

RECORD: dict[str, Any] = {
    "command": "python -m model.train --steps 3",
    "steps": 3,
    "epochs": 0.5,
    "tokens": 1000,
    "seconds": 90.5,
    "hardware": "one core",
    "note": "schläft",
    "log": [{"step": 1, "loss": 4.5, "lr": 1e-3}, {"step": 3, "loss": 4.25, "dev_loss": 4.5, "tokens_per_s": 100}],
    "before": [{"steps": 2, "command": "python -m model.train", "log": [{"step": 2, "loss": 5.5}]}],
    "data": [{"file": "train.tsv.gz", "pairs": 8, "role": "train", "weight": 1.0}],
    "data_note": "All free.",
    "scores": [{"file": "dev.tsv", "pairs": 8, "decoding": "greedy", "signature": "none", "bleu": 30.5, "chrf": 50.5}],
    "recipe": {"max_pieces": 64},
    "languages": {"source": {"code": "en", "name": "English"}, "target": {"code": "de", "name": "German"}},
}
JSONS = ("config.json", "training.json", "checksums.json", "heads.json")


@pytest.fixture(scope="module")
def whole(tokenizer, tmp_path_factory) -> Path:
    """A checkpoint as it should be, with a story and numbers of its heads."""
    translator, folder = tiny_translator(tokenizer), tmp_path_factory.mktemp("whole") / "tiny"
    checkpoint.save(Translator(translator.model, tokenizer, RECORD), folder)
    shipped = Path(checkpoint.SHIPPED)
    (folder / "heads.json").write_bytes((shipped / "heads.json").read_bytes())
    (folder / "story.json.gz").write_bytes(gzip.compress(b'{"sentences": [], "moments": []}'))
    return folder


@pytest.fixture(scope="module")
def contents(whole) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in whole.iterdir() if path.name != "README.md"}


def shown(folder: Path) -> Translator:
    """What is loaded, after it was asked for all that the page tells of it."""
    translator = checkpoint.load(folder)
    runs = runs_of(translator.record)
    for text in (runs_text(runs), data_text(translator.record), model_card(translator.record)):
        assert isinstance(text, str)
    json.dumps([joined_log(runs), describe_model(translator, folder)], allow_nan=False)
    beyond_text(translator)
    find_story(folder)
    record(translator, SENTENCES[2], max_steps=2)
    return translator


def tried(folder: Path, name: str, content: bytes) -> None:
    """The folder with one file replaced; it is as it was afterwards."""
    before = (folder / name).read_bytes()
    (folder / name).write_bytes(content)
    try:
        with guarded(), bounded():
            read_heads(folder, shown(folder))
    except (checkpoint.CheckpointError, UserError) as refusal:
        is_sentence(str(refusal))
    finally:
        (folder / name).write_bytes(before)


@pytest.fixture(scope="module")
def values(contents) -> st.SearchStrategy[tuple[str, bytes]]:
    def of(name: str) -> st.SearchStrategy[tuple[str, bytes]]:
        value = altered(json.loads(contents[name])) | odd
        return st.tuples(st.just(name), value.map(lambda value: json.dumps(value).encode()))

    return st.sampled_from(JSONS).flatmap(of)


@pytest.fixture(scope="module")
def files(contents) -> st.SearchStrategy[tuple[str, bytes]]:
    return st.sampled_from([*contents]).flatmap(lambda name: st.tuples(st.just(name), damaged(contents[name])))


def test_the_whole_one_is_shown(whole):
    assert shown(whole).record == RECORD


@examples(120)
@given(data=st.data())
def test_odd_values_in_its_files_are_taken_or_refused(whole, values, data):
    tried(whole, *data.draw(values))


@examples(100)
@given(data=st.data())
def test_damaged_files_are_refused(whole, files, data):
    tried(whole, *data.draw(files))


@examples(60)
@given(data=st.data())
def test_a_damaged_tokenizer_is_refused_or_works(contents, data):
    """Without the checksum that finds all damage before."""
    proto = data.draw(damaged(contents["tokenizer.model"]))
    try:
        with guarded(), bounded():
            tokenizer = Tokenizer(proto)
            tokenizer.decode(tokenizer.encode(SENTENCES[0]))
    except (ValueError, RuntimeError):
        pass  # which `checkpoint.load` puts into a sentence, as above
