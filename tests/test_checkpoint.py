"""Checkpoints: saved and loaded again, damaged in every way, and fetched from a stand-in for the Hub."""

import io
import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import sentencepiece
import torch
from huggingface_hub import constants
from reference import tiny_model
from safetensors.torch import load_file, save_file

from model import checkpoint
from model.checkpoint import CheckpointError
from model.decoding import Translator
from model.tokenizer import Tokenizer

COMMIT = "0123456789abcdef0123456789abcdef01234567"
RECORD = {"command": "python -m model.train --steps 3", "steps": 3, "note": "schläft"}


def tiny_translator(tokenizer: Tokenizer, **changes) -> Translator:
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    return Translator(tiny_model(**sizes, max_len=32, **changes), tokenizer, RECORD)


@pytest.fixture
def translator(tokenizer) -> Translator:
    return tiny_translator(tokenizer)


@pytest.fixture
def folder(translator, tmp_path) -> Path:
    checkpoint.save(translator, tmp_path / "tiny")
    return tmp_path / "tiny"


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def change_config(folder: Path, **changes) -> None:
    config = json.loads((folder / checkpoint.CONFIG).read_text())
    (folder / checkpoint.CONFIG).write_text(json.dumps({**config, **changes}))


def change_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors")


def test_a_loaded_checkpoint_equals_the_saved_one_rounded_to_16_bits(translator, folder):
    loaded = checkpoint.load(str(folder))
    for name, weight in translator.model.named_parameters():
        assert torch.equal(loaded.model.get_parameter(name), weight.half().float()), name
    assert loaded.model.config == translator.model.config
    assert loaded.tokenizer.proto == translator.tokenizer.proto
    assert loaded.record == RECORD


def test_a_loaded_checkpoint_is_ready_to_translate(translator, folder, corpus):
    loaded = checkpoint.load(str(folder))
    assert not any(module.training for module in loaded.model.modules())
    assert {weight.dtype for weight in loaded.model.parameters()} == {torch.float32}
    with torch.no_grad():
        for weight in translator.model.parameters():
            weight.copy_(weight.half())
    assert loaded.translate(corpus) == translator.translate(corpus)


@pytest.mark.parametrize(
    "options",
    [
        {"tying": "none"},
        {"tying": "output", "positions": "learned", "activation": "gelu"},
        {"d_head": 5, "d_value": 3, "attention_bias": False},
        {"n_layers": 1, "shared_vocabulary": False, "tying": "output"},
    ],
)
def test_every_kind_of_model_comes_back(tokenizer, tmp_path, options):
    saved = tiny_translator(tokenizer, **options)
    checkpoint.save(saved, tmp_path)
    loaded = checkpoint.load(str(tmp_path)).model
    assert loaded.config == saved.model.config
    for name, weight in saved.model.state_dict().items():
        torch.testing.assert_close(loaded.state_dict()[name], weight, rtol=1e-3, atol=1e-6)


def test_a_tied_matrix_is_stored_once_and_tied_again(translator, folder):
    stored = load_file(folder / "model.safetensors")
    assert {weight.dtype for weight in stored.values()} == {torch.float16}
    assert sum(weight.numel() for weight in stored.values()) == sum(p.numel() for p in translator.model.parameters())
    model = checkpoint.load(str(folder)).model
    assert model.projection.weight is model.encoder.embedding.tokens.weight is model.decoder.embedding.tokens.weight


def test_weights_are_split_into_shards_below_the_limit(translator, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, tmp_path)
    shards = [load_file(path) for path in tmp_path.glob("*.safetensors")]
    assert len(shards) > 3
    assert all(sum(weight.nbytes for weight in shard.values()) <= 4000 for shard in shards)
    loaded = checkpoint.load(str(tmp_path)).model
    assert all(torch.equal(loaded.get_parameter(n), w.half()) for n, w in translator.model.named_parameters())


def test_saving_again_leaves_no_old_shards_behind(translator, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "SHARD_SIZE", "4KB")
        checkpoint.save(translator, tmp_path)
    checkpoint.save(translator, tmp_path)
    assert names_in(tmp_path) == {"config.json", "model.safetensors", "tokenizer.model", "training.json", "README.md"}


def test_a_shard_of_the_shipped_size_fits_into_ten_megabytes():
    number, unit = checkpoint.SHARD_SIZE[:-2], checkpoint.SHARD_SIZE[-2:]
    assert unit == "MB" and int(number) < 10


def test_record_and_card_are_written_as_readable_text(folder):
    assert "schläft" in (folder / "training.json").read_text(encoding="utf-8")
    assert RECORD["command"] in (folder / "README.md").read_text(encoding="utf-8")


def test_a_missing_folder_is_refused_with_what_to_do(tmp_path):
    for missing in (str(tmp_path / "nowhere"), "nowhere", "./no/where", "a/b/c"):
        with pytest.raises(CheckpointError, match=r"no checkpoint folder at .*git checkout.*model\.train.*--model"):
            checkpoint.load(missing)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


DAMAGES = {
    "no config": (lambda f: (f / "config.json").unlink(), r"cannot be read .*config\.json"),
    "no tokenizer": (lambda f: (f / "tokenizer.model").unlink(), r"cannot be read .*tokenizer\.model"),
    "no record": (lambda f: (f / "training.json").unlink(), r"cannot be read .*training\.json"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), r"cannot be read .*model\*\.safetensors"),
    "half the weights": (lambda f: truncate(f / "model.safetensors"), r"cannot be read .*[Ii]ncomplete"),
    "half a tokenizer": (lambda f: truncate(f / "tokenizer.model"), "cannot be read"),
    "half a record": (lambda f: (f / "training.json").write_text('{"steps": '), "cannot be read .*line 1 column"),
    "bad json": (lambda f: (f / "config.json").write_text("{]"), r"cannot be read .*line 1 column"),
    "a list as config": (lambda f: (f / "config.json").write_text("[1]"), "cannot be read .*mapping"),
    "unknown key": (lambda f: change_config(f, n_experts=2), "cannot be read .*n_experts"),
    "impossible size": (lambda f: change_config(f, d_model=15), "cannot be read .*d_model must be even.*15"),
    "size as text": (lambda f: change_config(f, n_layers="2"), "cannot be read"),
    "another shape": (lambda f: change_config(f, d_ff=32), r"w_1\.\w+ has shape \[24.*\], not \[32"),
    "too few layers": (lambda f: change_config(f, n_layers=1), r"has an unknown weight decoder\.layers\.1\."),
    "too many layers": (lambda f: change_config(f, n_layers=3), r"lacks weight decoder\.layers\.2\."),
    "missing weight": (lambda f: change_weights(f, lambda w: w.pop("projection.bias")), "lacks weight projection.bias"),
    "unknown weight": (
        lambda f: change_weights(f, lambda w: w.update(more=torch.ones(1))),
        "has an unknown weight more",
    ),
    "other vocabulary": (
        lambda f: change_config(f, src_vocab_size=81, tgt_vocab_size=81),
        "its tokenizer has 80 pieces, its model 81",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_refused_with_a_sentence(folder, damage):
    inflict, sentence = DAMAGES[damage]
    inflict(folder)
    with pytest.raises(CheckpointError, match=sentence) as refusal:
        checkpoint.load(str(folder))
    assert str(folder) in str(refusal.value) and str(refusal.value).endswith(".")


def test_a_tokenizer_without_padding_is_refused(folder, corpus):
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(corpus), model_writer=file, vocab_size=80, minloglevel=2
    )
    (folder / "tokenizer.model").write_bytes(file.getvalue())
    with pytest.raises(CheckpointError, match="no padding piece"):
        checkpoint.load(str(folder))


class StandIn(BaseHTTPRequestHandler):
    """Answers as the Hub does for one repository, me/tiny, whose files lie in `server.folder`."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path = self.path.split("?")[0]
        files = {file.name: file.read_bytes() for file in self.server.folder.iterdir()}
        name = path.removeprefix(f"/me/tiny/resolve/{COMMIT}/")
        if path.startswith("/api/models/me/tiny/tree/"):
            listing = [{"type": "file", "path": n, "size": len(b), "oid": n} for n, b in files.items()]
            self.answer(json.dumps(listing).encode())
        elif path.startswith("/api/models/me/tiny"):
            self.answer(json.dumps({"id": "me/tiny", "sha": COMMIT, "siblings": []}).encode())
        elif name in files:
            self.answer(files[name], ETag=f'"{name}"')
        else:
            self.answer(b"{}", 404, **{"X-Error-Code": "RepoNotFound"})

    do_HEAD = do_GET

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "X-Repo-Commit": COMMIT, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def hub(folder, tmp_path, monkeypatch) -> Iterator[ThreadingHTTPServer]:
    """The stand-in as the Hub, with an empty cache."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    server.folder, server.asked = folder, []
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.chdir(tmp_path)
    yield server
    server.shutdown()
    server.server_close()


def test_a_repository_is_downloaded_and_then_taken_from_the_cache(hub, translator, monkeypatch):
    loaded = checkpoint.load("me/tiny")
    assert torch.equal(loaded.model.projection.weight, translator.model.projection.weight.half().float())
    asked = len(hub.asked)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert checkpoint.load("me/tiny").record == RECORD
    assert len(hub.asked) == asked


def test_a_cached_repository_serves_while_the_hub_is_down(hub, monkeypatch):
    checkpoint.load("me/tiny")
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    assert checkpoint.load("me/tiny").record == RECORD


def test_only_the_files_of_a_checkpoint_are_downloaded(hub, folder):
    (folder / "pytorch_model.bin").write_bytes(b"never unpickled")
    (folder / "optimizer.pt").write_bytes(b"nor this")
    assert names_in(checkpoint.locate("me/tiny")) == names_in(folder) - {"pytorch_model.bin", "optimizer.pt"}


def test_the_shards_of_a_repository_are_all_downloaded(hub, folder, translator, monkeypatch):
    monkeypatch.setattr(checkpoint, "SHARD_SIZE", "4KB")
    checkpoint.save(translator, folder)
    loaded = checkpoint.load("me/tiny").model
    assert all(torch.equal(loaded.get_parameter(n), w.half()) for n, w in translator.model.named_parameters())


def test_a_revision_is_asked_for_by_name(hub):
    checkpoint.load("me/tiny", revision="v2")
    assert any(path.startswith("/api/models/me/tiny/revision/v2") for path in hub.asked)


def test_a_damaged_repository_is_refused(hub, folder):
    (folder / "config.json").unlink()
    with pytest.raises(CheckpointError, match=r"cannot be read .*config\.json"):
        checkpoint.load("me/tiny")


@pytest.mark.parametrize("repo_id", ["me/nothing", "me/not a name", "me/.."])
def test_a_repository_that_does_not_exist_is_refused_with_the_hubs_reason(hub, repo_id):
    with pytest.raises(CheckpointError, match=r"no local folder me/.* cannot be loaded from the Hugging Face Hub: \w+"):
        checkpoint.load(repo_id)


def test_an_unknown_repository_is_refused_when_offline(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(CheckpointError, match=r"cannot be loaded from the Hugging Face Hub: .*outgoing traffic"):
        checkpoint.load("me/tiny")
    assert hub.asked == []


def test_a_hub_that_cannot_be_reached_is_told_in_a_sentence(hub, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(CheckpointError, match=r"cannot be loaded from the Hugging Face Hub: .*ConnectError"):
        checkpoint.load("me/tiny")


def test_a_hub_that_hangs_up_is_told_in_a_sentence(hub, monkeypatch):
    monkeypatch.setattr(StandIn, "do_GET", lambda self: setattr(self, "close_connection", True))
    with pytest.raises(CheckpointError, match=r"cannot be loaded from the Hugging Face Hub: .*disconnected"):
        checkpoint.load("me/tiny")


def test_a_folder_comes_before_a_repository_of_the_same_name(hub, folder, tmp_path):
    (tmp_path / "me").mkdir()
    folder.rename(tmp_path / "me" / "tiny")
    assert checkpoint.load("me/tiny").record == RECORD
    assert hub.asked == []
