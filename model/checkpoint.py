"""A checkpoint: one folder, or one repository on the Hugging Face Hub, that holds all a Translator needs.

`config.json` (ModelConfig), `model*.safetensors` (16-bit weights, in shards small enough for plain git, with
their index), `tokenizer.model` (SentencePiece), `training.json` (how it was trained, and its scores), `README.md`
(the model card) and, where there are such, `story.json.gz` (the story of its training) and `heads.json` (what its
heads do, measured). No other file is downloaded or read, and nothing is ever unpickled.

A checkpoint's name is a folder, `owner/name` (the newest version in that repository) or `owner/name@revision`
(the version at that commit, tag or branch).
"""

import json
import logging
import re
from dataclasses import asdict
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import save_torch_state_dict, snapshot_download
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError, RevisionNotFoundError
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from model.card import model_card
from model.config import ModelConfig
from model.decoding import Translator
from model.hardware import lay_out_for_decoding
from model.languages import languages_of
from model.tokenizer import Tokenizer
from model.transformer import Transformer

CONFIG, TOKENIZER, RECORD, CARD, STORY, HEADS = (
    "config.json",
    "tokenizer.model",
    "training.json",
    "README.md",
    "story.json.gz",
    "heads.json",
)
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
SHARDS = f"model-{'[0-9]' * 5}-of-{'[0-9]' * 5}.safetensors"
ALLOWED = (CONFIG, TOKENIZER, RECORD, CARD, STORY, HEADS, WEIGHTS, INDEX, SHARDS)
# In the folder of a run: the checkpoint at its end, and the folder of those kept on the way.
FINAL, MOMENTS = "checkpoint", "moments"
SHARD_SIZE = "9MB"
SHIPPED = str(files("assets") / "small")
NAME_HELP = "checkpoint folder, or Hub repository as owner/name or owner/name@revision"
REVISION = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*")  # no "..": the Hub's client makes a file name of it
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
# HTTPError is that of the HTTP library which the Hub's client uses, another one in its version 2 than in 1;
# RuntimeError is what its transfer library raises where a download or an upload breaks off.
HUB_ERRORS = (HTTPError, OSError, RuntimeError, ValueError)

logger = logging.getLogger(__name__)


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


def reason(error: BaseException) -> str:
    """Why something failed, in a line: what the error says first, or its name where it says nothing."""
    if isinstance(error, RevisionNotFoundError):
        return "the repository has no such commit, tag or branch"
    if isinstance(error, RepositoryNotFoundError):
        return "there is no such repository, or you may not read it"
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def is_allowed(name: str) -> bool:
    """Whether a checkpoint has a file of this name."""
    return any(fnmatchcase(name, pattern) for pattern in ALLOWED)


def files_in(folder: Path) -> list[Path]:
    """The files of a checkpoint that are in a folder; whatever else lies there is left alone."""
    return sorted(path for path in folder.iterdir() if is_allowed(path.name))


def locate(name: str) -> Path:
    """The local folder of a checkpoint; a Hub repository is downloaded, or taken from the cache when offline.

    Logs the commit of a repository that was named without a revision. Raises CheckpointError where there is none.
    """
    folder = Path(name)
    if folder.is_dir():
        return folder
    repo_id, at, revision = name.partition("@")
    if folder.is_absolute() or repo_id.count("/") != 1 or name.startswith("."):
        raise CheckpointError(
            f"There is no checkpoint folder at {folder}. Restore it with git checkout, train one with "
            "python -m model.train, or name another with --model."
        )
    if at and not REVISION.fullmatch(revision):
        raise CheckpointError(f"In {name}, {revision!r} after the @ is not the name of a commit, tag or branch.")
    try:
        folder = Path(snapshot_download(repo_id, revision=revision or None, allow_patterns=list(ALLOWED)))
    except HUB_ERRORS as error:
        raise CheckpointError(
            f"There is no local folder {name}, and it cannot be loaded from the Hugging Face Hub: {reason(error)}"
        ) from error
    if not at:
        logger.warning("%s is taken at its newest known version; %s@%s keeps to it.", name, name, folder.name)
    return folder


def load(name: str | Path = SHIPPED, device: torch.device | str = "cpu") -> Translator:
    """Loads the checkpoint of a name, or in a folder that was located before, as 32-bit floats, in eval mode.

    Raises CheckpointError where it is missing, incomplete or inconsistent.
    """
    folder = name if isinstance(name, Path) else locate(name)
    try:
        refuse_pointers(folder)
        weights = read_weights(folder)
        config = ModelConfig(**read_object(folder / CONFIG))
        tokenizer = Tokenizer.load(folder / TOKENIZER)
        check_tokenizer(tokenizer, config)
        record = read_object(folder / RECORD)
        languages_of(record)  # which refuses what the page could not say
        model = Transformer(config)
        fill(model, weights)
    except (OSError, ValueError, TypeError, RuntimeError, SafetensorError) as error:
        raise CheckpointError(
            f"The checkpoint in {folder} cannot be read ({reason(error)}). Restore it, or name another with --model."
        ) from error
    lay_out_for_decoding(model)
    return Translator(model.to(device).eval(), tokenizer, record)


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object that a file holds."""
    value = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, dict):
        raise ValueError(f"{path.name} must hold an object")
    return value


def refuse_pointers(folder: Path) -> None:
    """Raises ValueError where git left a pointer in the place of a large file."""
    for path in files_in(folder):
        with path.open("rb") as file:
            if file.read(len(LFS_POINTER)) == LFS_POINTER:
                raise ValueError(f"{path.name} is a Git LFS pointer, not the file itself: git lfs pull fetches it")


def names_in_index(path: Path) -> set[str]:
    """The files that an index says hold the weights."""
    weight_map = read_object(path).get("weight_map")
    if not isinstance(weight_map, dict):
        raise ValueError(f"{path.name} has no weight_map")
    return set(map(str, weight_map.values()))


def read_weights(folder: Path) -> dict[str, Tensor]:
    """The weights in all shards, which must be exactly those that the index names: one more may be another model's."""
    found = {path.name for path in files_in(folder) if path.suffix == ".safetensors"}
    if not found:
        raise ValueError(
            f"no {WEIGHTS} and no shards of it; weights in another format, such as pytorch_model.bin, are never "
            "loaded, since unpickling them can run any code"
        )
    named = names_in_index(folder / INDEX) if (folder / INDEX).exists() else {WEIGHTS}
    if found - named:
        raise ValueError(f"{min(found - named)} is there, but not in {INDEX}")
    if named - found:
        raise ValueError(f"{INDEX} names {min(named - found)}, which is not one of the folder's weight files")
    return {name: weight for shard in sorted(found) for name, weight in load_file(folder / shard).items()}


def check_tokenizer(tokenizer: Tokenizer, config: ModelConfig) -> None:
    """Raises ValueError where tokenizer and model cannot belong together."""
    for side, size in (("source", config.src_vocab_size), ("target", config.tgt_vocab_size)):
        if tokenizer.vocab_size != size:
            raise ValueError(f"its tokenizer has {tokenizer.vocab_size} pieces, its model's {side} side {size}")
    if tokenizer.pad_id != config.pad_id:
        raise ValueError(f"its tokenizer pads with id {tokenizer.pad_id}, its model with {config.pad_id}")
    for piece, number in (("start", tokenizer.bos_id), ("end", tokenizer.eos_id)):
        if number < 0:
            raise ValueError(f"its tokenizer has no {piece} piece")


def fill(model: Transformer, weights: dict[str, Tensor]) -> None:
    """Copies the weights into the model. Raises ValueError unless names and shapes are exactly the model's."""
    parameters = dict(model.named_parameters())
    if parameters.keys() != weights.keys():
        name = min(parameters.keys() ^ weights.keys())
        has = "lacks" if name in parameters else "has an unknown"
        raise ValueError(f"it does not fit its config.json: it {has} weight {name}")
    for name, parameter in parameters.items():
        weight = weights[name]
        if parameter.shape != weight.shape:
            raise ValueError(f"{name} has shape {list(weight.shape)}, not {list(parameter.shape)} as in config.json")
        if not weight.isfinite().all():
            raise ValueError(f"{name} holds values that are not finite numbers")
        with torch.no_grad():
            parameter.copy_(weight)
