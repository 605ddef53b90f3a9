"""Checkpoints that are damaged, made to do harm, or others: each is refused in a sentence, soon, with little memory."""

import io
import os
import re
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jaxtyping
import pytest
import sentencepiece
import torch
from cases import each_case, sweep
from damage import bounded, change_config, refusal, soon, write
from reference import OPTIONS, tiny_config
from safetensors.torch import load_file, save_file
from tiny_models import RECORD, names_in
from tiny_models import folder as folder
from tiny_models import translator as translator

from model import checksums
from model.checkpoints import checkpoint
from model.checkpoints.weights import parameter_count, verify_size, weight_shapes
from model.config import PRESETS, ModelConfig
from model.files import MAX_JSON_BYTES, read_object
from model.transformer import Transformer

Damage = Callable[[Path], object]
REQUIRED = ("config.json", "tokenizer.model", "training.json", "model.safetensors")
WEIGHTS, INDEX, FIRST = "model.safetensors", "model.safetensors.index.json", "model-00001-of-00003.safetensors"
SCORE = {"file": "a.tsv", "pairs": 10, "decoding": "greedy", "signature": "s", "bleu": 1.5}
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
HEADERS = (
    b"",
    struct.pack("<Q", 2**62) + b"{}",
    struct.pack("<Q", 70) + b'{"a":{"dtype":"F16","shape":[99999999999999],"data_offsets":[0,10]}}  ',
)


def config(**changes: Any) -> Damage:
    return lambda folder: change_config(folder, **changes)


def record(**changes: Any) -> Damage:
    return lambda folder: write(folder, "training.json", changes)


def content(name: str, data: bytes) -> Damage:
    return lambda folder: (folder / name).write_bytes(data)


def gone(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Damage:
    """Other weights, without the checksums that would say so first."""

    def inflict(folder: Path) -> None:
        found = load_file(folder / WEIGHTS)
        change(found)
        save_file(found, folder / WEIGHTS)
        (folder / "checksums.json").unlink()

    return inflict


def of_type(kind: torch.dtype) -> Damage:
    return weights(lambda found: found.update({name: weight.to(kind) for name, weight in found.items()}))


def flip_a_bit(folder: Path) -> None:
    data = bytearray((folder / WEIGHTS).read_bytes())
    data[-1] ^= 1
    (folder / WEIGHTS).write_bytes(data)


def lead_nowhere(folder: Path) -> None:
    (folder / "checksums.json").unlink()
    (folder / "checksums.json").symlink_to("nowhere")


def lead_outside(folder: Path) -> None:
    shards = {path.name: path.name for path in folder.glob("*.safetensors")}
    write(folder, INDEX, {"weight_map": {**shards, "more": "../secret.safetensors"}})


def pickled(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / "model.pt").write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")


DAMAGES: list[tuple[Damage, str]] = [
    (gone(WEIGHTS), r"no model\.safetensors"),
    (pickled, r"no model\.safetensors .* such as pytorch_model.bin, are never loaded"),
    (lambda folder: os.truncate(folder / WEIGHTS, (folder / WEIGHTS).stat().st_size - 100), "damaged, cut off"),
    *((content(WEIGHTS, data), r"model\.safetensors holds no weights that can be read") for data in HEADERS),
    (weights(lambda found: found.pop("projection.bias")), "lacks weight projection.bias"),
    (weights(lambda found: found["projection.bias"].fill_(torch.inf)), "projection.bias holds .* not finite"),
    (of_type(torch.int64), r"model\.safetensors: \S+ holds [IBF]\w+ numbers, not 16-bit, bfloat16, 32-bit floats"),
    (flip_a_bit, r"model\.safetensors is damaged, or another file than was saved"),
    *((content(name, LFS), rf"{name} is a Git LFS pointer.*git lfs pull") for name in (WEIGHTS, "config.json")),
    (config(n_experts=2), r"\(config\.json: .*n_experts"),
    (config(d_ff=32), r"w_1\.\w+ has shape \[24.*\], not \[32"),
    (config(n_layers=1), r"has an unknown weight encoder\.layers\.1\."),
    (config(src_vocab_size=81, tgt_vocab_size=81), "its tokenizer has 80 tokens, its model's source side 81"),
    (config(pad_id=3), "its tokenizer pads with id 0, its model with 3"),
    (config(attention_bias="true"), r"\(config\.json: attention_bias: input should be a valid boolean, not 'true'"),
    (config(n_layers=10**9), r"\(config\.json: n_layers: input should be less than or equal to 256, not 1000000000"),
    (config(d_model=65536, d_ff=262144, n_layers=256), r"\(config\.json: .* at most 2,000,000,000 are taken"),
    (record(steps="3"), r"\(training\.json: steps: input should be a valid integer, not '3'"),
    (record(seconds=False), r"\(training\.json: seconds: input should be a valid number, not False"),
    (record(log=[{"step": 1, "loss": "low"}]), "log, number 1, loss: input should be a valid number, not 'low'"),
    (record(scores=[{**SCORE, "bleu": "high"}]), "scores, number 1, bleu: input should be a valid number, not 'high'"),
    (lead_nowhere, "checksums.json is a link"),
    (content("checksums.json", b"{}"), "should name the weights and the tokenizer, but not so model.safetensors"),
    (lambda folder: write(folder, "checksums.json", {"../../etc/passwd": ""}), r"but not so \.\./\.\./etc/passwd"),
    *(  # a hole, which takes no place on the disk
        (
            lambda folder, name=name: os.truncate(folder / name, 10 * MAX_JSON_BYTES),
            f"{name} has 320,000,000 bytes, and",
        )
        for name in ("config.json", "tokenizer.model")
    ),
]


@each_case(("inflict", "sentence"), DAMAGES)
def test_a_damaged_checkpoint_is_refused_in_a_sentence(translator, tmp_path, monkeypatch, inflict, sentence):
    # Without the type checks of the test run, which would refuse a wrong type before the code does.
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    checkpoint.save(translator, tmp_path)
    inflict(tmp_path)
    assert re.search(rf"The checkpoint in {tmp_path} cannot be read .*{sentence}", refusal(tmp_path))


@each_case(("ids", "missing"), [({}, "no padding"), ({"pad_id": 0, "unk_id": 1, "bos_id": 2, "eos_id": -1}, "no end")])
def test_a_tokenizer_that_lacks_a_special_piece_is_refused(folder, corpus, ids, missing):
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(corpus), model_writer=file, vocab_size=80, minloglevel=2, **ids
    )
    (folder / "tokenizer.model").write_bytes(file.getvalue())
    assert f"{missing} token" in refusal(folder)


@each_case(
    ("spoil", "sentence"),
    [
        (lead_outside, r"names \.\./secret\.safetensors, which is not"),
        (gone(FIRST), rf"index\.json names {FIRST}, which is not"),
        (content("model-00001-of-00002.safetensors", b""), r"model-00001-of-00002.* is there, but not"),
        (content(INDEX, b"{}"), r"index\.json has no weight_map"),
    ],
)
def test_shards_must_be_exactly_those_in_the_index(translator, tmp_path, monkeypatch, spoil, sentence):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "10KB")
    checkpoint.save(translator, tmp_path)
    assert names_in(tmp_path) >= {FIRST, INDEX}
    spoil(tmp_path)
    assert re.search(sentence, refusal(tmp_path))


def test_what_a_record_holds_besides_is_kept(folder):
    more = {"author": {"name": "x"}, "log": [{"step": 1, "mfu": 0.5, "more": [1]}], "scores": [SCORE]}
    write(folder, "training.json", more)
    assert checkpoint.load(str(folder)).record == {**RECORD, **more}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "recursion limit"),
        ('{"dropout": NaN}', "is not JSON: expected"),
        ("null", "must hold an object"),
        ('{"d_ff": ' + "9" * 6000 + "}", "is not JSON: number out of range"),
    ],
    ids=lambda text: text[:16],
)
@pytest.mark.parametrize("name", sweep(["config.json", "training.json", "checksums.json"], "config.json"))
def test_text_that_is_no_object_of_json_is_refused_with_the_files_name(folder, name, text, sentence):
    (folder / name).write_text(text, encoding="utf-8")
    assert f"({name} " in refusal(folder) and sentence in refusal(folder)


IRREGULAR: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "nowhere": lambda path: path.symlink_to("nowhere"),
    "circle": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", sweep(IRREGULAR, "pipe"))
@pytest.mark.parametrize("name", REQUIRED)
def test_what_is_no_regular_file_is_refused_before_it_is_opened(folder, name, kind):
    (folder / name).unlink()
    IRREGULAR[kind](folder / name)
    assert name in refusal(folder)


@each_case("name", [*REQUIRED, "checksums.json"])
def test_no_link_is_followed_out_of_the_folder(translator, tmp_path, name):
    checkpoint.save(translator, tmp_path / "tiny")
    (tmp_path / "tiny" / name).rename(tmp_path / name)
    (tmp_path / "tiny" / name).symlink_to(tmp_path / name)
    assert f"({name} is a link, and no link is followed out of a folder" in refusal(tmp_path / "tiny")


def test_the_links_of_the_hubs_cache_are_followed(folder, tmp_path):
    (tmp_path / "blobs").mkdir()
    for number, path in enumerate([*folder.iterdir()]):
        path.rename(tmp_path / "blobs" / str(number))
        path.symlink_to(f"../../blobs/{number}")
    (tmp_path / "snapshots").mkdir()
    folder.rename(tmp_path / "snapshots" / "abc")
    (tmp_path / "newest").symlink_to("snapshots/abc")
    for name in ("snapshots/abc", "newest"):
        assert checkpoint.load(str(tmp_path / name)).record == RECORD


def test_weights_with_a_hole_are_refused_before_they_are_mapped(folder):
    os.truncate(folder / WEIGHTS, 50 * 10**9)
    with bounded():
        assert f"({WEIGHTS} has 50,000,000,000 bytes, and the weights of config.json's model" in refusal(folder)


@pytest.mark.parametrize("kind", sweep(IRREGULAR, "pipe"))
@pytest.mark.parametrize("name", ["README.md", "story.json.gz", "heads.json"])
def test_what_a_translation_does_not_need_is_left_alone(folder, name, kind):
    (folder / name).unlink(missing_ok=True)
    IRREGULAR[kind](folder / name)
    with soon():
        checkpoint.load(str(folder))


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float32])
def test_weights_of_each_kind_of_float_are_taken(folder, translator, kind):
    of_type(kind)(folder)
    loaded = checkpoint.load(str(folder)).model
    for name, weight in translator.model.named_parameters():
        assert torch.equal(loaded.get_parameter(name), weight.half().to(kind).float()), name


@pytest.mark.parametrize("changes", [{"n_layers": 256}, {"max_len": 60_000, "positions": "learned"}])
def test_no_memory_is_taken_for_a_model_that_the_files_do_not_hold(folder, changes, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    monkeypatch.setattr(checkpoint, "uninitialized_model", None)
    write(folder, "config.json", changes)
    assert "config.json" in refusal(folder)


def test_a_checkpoint_from_before_there_were_checksums_loads_and_gets_some(folder, capsys):
    written = (folder / "checksums.json").read_bytes()
    (folder / "checksums.json").unlink()
    checkpoint.load(str(folder))
    checksums.main([str(folder)])
    assert (folder / "checksums.json").read_bytes() == written
    assert f"The checksums are in {folder / 'checksums.json'}." in capsys.readouterr().out


def test_no_checksums_are_written_for_a_checkpoint_that_cannot_be_read(folder, capsys):
    write(folder, "config.json", {"d_ff": 32})
    with pytest.raises(SystemExit, match=r"python -m model\.checksums: The checkpoint in .* has shape"):
        checksums.main([str(folder)])


@each_case("changes", [*OPTIONS, {"tying": "none"}, {"tying": "output"}])
def test_the_shapes_and_the_count_are_those_of_the_model(changes):
    config = tiny_config(**changes)
    shapes = {name: tuple(weight.shape) for name, weight in Transformer(config).named_parameters()}
    assert weight_shapes(config) == shapes
    assert parameter_count(config) == sum(weight.numel() for weight in Transformer(config).parameters())


def test_every_preset_is_within_the_bounds_and_the_walkthroughs_has_the_published_size():
    for name in PRESETS:
        verify_size(ModelConfig.preset(name))
    assert parameter_count(ModelConfig.preset("seed")) == 44_312_696


def test_a_small_file_is_read_with_little_memory(tmp_path):
    (tmp_path / "small.json").write_text("{}", encoding="utf-8")
    read_object(tmp_path / "small.json")
    tracemalloc.start()
    read_object(tmp_path / "small.json")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MAX_JSON_BYTES / 100
