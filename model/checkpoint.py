"""A checkpoint: one folder, or one repository on the Hugging Face Hub, that holds all a Translator needs.

`config.json` (ModelConfig), `model*.safetensors` (16-bit weights, in shards small enough for plain git),
`tokenizer.model` (SentencePiece), `training.json` (how it was trained, and its scores), `README.md` (the
model card), and perhaps `story.json.gz` (explorer/story.py). Nothing in it is ever unpickled.
"""

import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import save_torch_state_dict, snapshot_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

try:  # the HTTP client of huggingface-hub 2, or of 1
    from httpx2 import HTTPError
except ModuleNotFoundError:
    from httpx import HTTPError

from model.card import model_card
from model.config import ModelConfig
from model.decoding import Translator
from model.hardware import lay_out_for_decoding
from model.tokenizer import Tokenizer
from model.transformer import Transformer

CONFIG, TOKENIZER, RECORD, CARD = "config.json", "tokenizer.model", "training.json", "README.md"
STORY = "story.json.gz"
SHARDS = "model*.safetensors"
ALLOWED = (CONFIG, TOKENIZER, RECORD, CARD, STORY, SHARDS, "model.safetensors.index.json")
# In the folder of a run: the checkpoint at its end, and the folder of those kept on the way.
FINAL, MOMENTS = "checkpoint", "moments"
SHARD_SIZE = "9MB"
SHIPPED = str(files("assets") / "small")


class CheckpointError(Exception):
    """A checkpoint that is missing or damaged; the message says what is wrong and what to do."""


def save(translator: Translator, folder: Path) -> None:
    """Writes a checkpoint; weights are rounded to 16 bits, a tied matrix is written once."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.detach().half().contiguous() for name, weight in translator.model.named_parameters()}
    save_torch_state_dict(weights, folder, max_shard_size=SHARD_SIZE)
    (folder / CONFIG).write_text(json.dumps(asdict(translator.model.config), indent=2) + "\n", encoding="utf-8")
    translator.tokenizer.save(folder / TOKENIZER)
    save_record(translator.record, folder)


def save_record(record: dict[str, Any], folder: Path) -> None:
    """Writes the training record, and the model card that is made from it."""
    (folder / RECORD).write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / CARD).write_text(model_card(record), encoding="utf-8")


def locate(path_or_repo_id: str, revision: str | None = None) -> Path:
    """The local folder of a checkpoint; a Hub repository is downloaded, or taken from the cache when offline."""
    folder = Path(path_or_repo_id)
    if folder.is_dir():
        return folder
    if folder.is_absolute() or path_or_repo_id.count("/") != 1 or path_or_repo_id.startswith("."):
        raise CheckpointError(
            f"There is no checkpoint folder at {folder}. Restore it with git checkout, train one with "
            "python -m model.train, or name another with --model."
        )
    try:
        return Path(snapshot_download(path_or_repo_id, revision=revision, allow_patterns=list(ALLOWED)))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, HTTPError, OSError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise CheckpointError(
            f"There is no local folder {folder}, and it cannot be loaded from the Hugging Face Hub: {reason}"
        ) from error


def load(path_or_repo_id: str = SHIPPED, device: torch.device | str = "cpu", revision: str | None = None) -> Translator:
    """Loads a checkpoint from a folder or from the Hub, as 32-bit floats, in eval mode.

    Raises CheckpointError where it is missing, incomplete or inconsistent.
    """
    folder = locate(path_or_repo_id, revision)
    try:
        config = ModelConfig(**json.loads((folder / CONFIG).read_text(encoding="utf-8")))
        tokenizer = Tokenizer.load(folder / TOKENIZER)
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        if not isinstance(record, dict):
            raise ValueError(f"{RECORD} must hold an object")
        weights = read_weights(folder)
        model = Transformer(config)
    except (OSError, ValueError, TypeError, RuntimeError, SafetensorError) as error:
        raise CheckpointError(
            f"The checkpoint in {folder} cannot be read ({error}). Restore it with git checkout, or name another "
            "with --model."
        ) from error
    if tokenizer.vocab_size != config.src_vocab_size:
        raise CheckpointError(
            f"The checkpoint in {folder} is inconsistent: its tokenizer has {tokenizer.vocab_size} pieces, "
            f"its model {config.src_vocab_size}."
        )
    fill(model, weights, folder)
    lay_out_for_decoding(model)
    return Translator(model.to(device).eval(), tokenizer, record)


def read_weights(folder: Path) -> dict[str, Tensor]:
    """All shards together."""
    shards = sorted(folder.glob(SHARDS))
    if not shards:
        raise FileNotFoundError(f"no file {SHARDS}")
    weights: dict[str, Tensor] = {}
    for shard in shards:
        weights.update(load_file(shard))
    return weights


def fill(model: Transformer, weights: dict[str, Tensor], folder: Path) -> None:
    """Copies the weights into the model, after checking that names and shapes are exactly the model's."""
    parameters = dict(model.named_parameters())
    if parameters.keys() != weights.keys():
        name = min(parameters.keys() ^ weights.keys())
        has = "lacks" if name in parameters else "has an unknown"
        raise CheckpointError(f"The checkpoint in {folder} does not fit its config.json: it {has} weight {name}.")
    for name, parameter in parameters.items():
        if parameter.shape != weights[name].shape:
            raise CheckpointError(
                f"The checkpoint in {folder} does not fit its config.json: {name} has shape "
                f"{list(weights[name].shape)}, not {list(parameter.shape)}."
            )
        with torch.no_grad():
            parameter.copy_(weights[name])
