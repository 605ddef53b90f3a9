"""Marian's public files, made here: random weights, and two SentencePiece models trained on a few sentences.

And what holds ours against the MarianMTModel and MarianTokenizer of the transformers package.
"""

import io
import json
import shutil
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import torch
from safetensors.torch import load_file

from model.decoding import Translator

ATOL = 1e-10
TAGS = (">>fra<<", ">>nld<<")
CARD = "---\nlanguage:\n- en\nlicense: cc-by-4.0\n---\n\n# A model\n"


def sentencepiece_model(sentences: Sequence[str], size: int) -> bytes:
    """As OPUS-MT's are: no padding and no start."""
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(sentences), model_writer=file, vocab_size=size, minloglevel=2, hard_vocab_limit=False
    )
    return file.getvalue()


def pieces_of(proto: bytes) -> list[str]:
    model = sentencepiece.SentencePieceProcessor(model_proto=proto)
    return [model.id_to_piece(i) for i in range(3, model.get_piece_size())]


def write_tokenizer(folder: Path, corpus: Sequence[str], tags: Sequence[str] = (), sizes=(70, 80)) -> dict[str, int]:
    """source.spm and target.spm, of the two halves of a corpus, and vocab.json; returns the vocabulary.

    Every seventh piece is left out of the vocabulary, as in real ones some are, and padding comes last.
    """
    half = len(corpus) // 2
    protos = [sentencepiece_model(side, size) for side, size in zip((corpus[:half], corpus[half:]), sizes, strict=True)]
    for name, proto in zip(("source.spm", "target.spm"), protos, strict=True):
        (folder / name).write_bytes(proto)
    found = sorted({piece for proto in protos for piece in pieces_of(proto)})
    kept = [piece for i, piece in enumerate(found) if i % 7 or piece == "▁"]
    vocabulary = {piece: i for i, piece in enumerate(["</s>", "<unk>", *tags, *kept, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    return vocabulary


def write_model(folder: Path, vocabulary: dict[str, int], *, safe: bool = True, seed: int = 0, **sizes: Any) -> Any:
    """config.json, generation_config.json and the weights of a random MarianMTModel, which is returned.

    Its weights are larger than training begins with, so that its attention is not even everywhere.
    """
    from transformers import MarianConfig, MarianMTModel

    torch.manual_seed(seed)
    pad_id = vocabulary["<pad>"]
    options = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "max_position_embeddings": 64, **sizes}
    options = {"encoder_attention_heads": 4, "decoder_attention_heads": 4, "activation_function": "swish", **options}
    options = {"encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "scale_embedding": True, **options}
    config = MarianConfig(
        **options,
        vocab_size=len(vocabulary),
        pad_token_id=pad_id,
        decoder_start_token_id=pad_id,
        eos_token_id=0,
        bos_token_id=0,
        forced_eos_token_id=None,
        attn_implementation="eager",
    )
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "embed_positions" not in name:
                scale = 0.2 if "shared" in name else 0.35 if weight.dim() > 1 else 0.1
                weight.copy_(torch.randn_like(weight) * scale + ("layer_norm.weight" in name))
        model.final_logits_bias.copy_(torch.randn_like(model.final_logits_bias) * 0.2)
        model.final_logits_bias[0, 0] += 2.4  # or else a translation would hardly come to its end
    model.generation_config.bad_words_ids = [[pad_id]]
    model.generation_config.pad_token_id = pad_id
    model.save_pretrained(folder)
    if not safe:
        (folder / "model.safetensors").unlink()
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    return model


def peer_tokenizer(folder: Path) -> Any:
    from transformers import MarianTokenizer

    return MarianTokenizer.from_pretrained(folder)


@dataclass(frozen=True)
class Twins:
    """A Marian model and its tokenizer, and what we made of them."""

    theirs: Any
    cut: Any
    ours: Translator
    texts: list[str]

    @cached_property
    def in_double_precision(self) -> "Twins":
        """The same models in 64 bits, where equal is equal: how 32 bits round depends on the processor."""
        ours = replace(self.ours, model=deepcopy(self.ours.model).double())
        return replace(self, theirs=deepcopy(self.theirs).double(), ours=ours)

    def ids(self, text: str) -> torch.Tensor:
        return self.cut(text, return_tensors="pt").input_ids


def assert_alike(twins: Twins, text: str, target: str) -> None:
    """The same memory, logits and weights of attention for a source and a given target, in double precision.

    Marian's memory has all sines before all cosines.
    """
    twins = twins.in_double_precision
    tgt_in, src = [twins.ours.tokenizer.bos_id, *twins.ours.tokenizer.encode(target, "target")], twins.ids(text)
    encoded = twins.ours.encode(src[0].tolist())
    ours = twins.ours.decode(tgt_in, encoded)
    with torch.inference_mode():
        theirs = twins.theirs(input_ids=src, decoder_input_ids=torch.tensor([tgt_in]), output_attentions=True)
    assert (ours.logits - theirs.logits).abs().max() < ATOL
    channels, is_interleaved = range(encoded.memory.shape[-1]), twins.ours.model.config.positions == "sinusoidal"
    order = [*channels[::2], *channels[1::2]] if is_interleaved else [*channels]
    assert (encoded.memory[..., order] - theirs.encoder_last_hidden_state).abs().max() < ATOL
    for mine, others in (
        (encoded.attention, theirs.encoder_attentions),
        (ours.self_attention, theirs.decoder_attentions),
        (ours.cross_attention, theirs.cross_attentions),
    ):
        assert len(mine) == len(others)
        for one, other in zip(mine, others, strict=True):
            assert one.shape == other.shape and (one - other).abs().max() < ATOL


def greedy(twins: Twins, texts: list[str]) -> list[list[int]]:
    """Marian's own greedy translations, each up to its end or the limit that ours has for its source."""
    given = twins.cut(texts, return_tensors="pt", padding=True)
    limits = [twins.ours.limit(length) for length in given.attention_mask.sum(dim=1).tolist()]
    with torch.inference_mode():
        found = twins.theirs.generate(**given, num_beams=1, do_sample=False, max_new_tokens=max(limits))
    eos = twins.ours.tokenizer.eos_id
    cut = [row[1 : limit + 1].tolist() for row, limit in zip(found, limits, strict=True)]
    return [ids[: ids.index(eos) + 1] if eos in ids else ids for ids in cut]


@pytest.fixture(scope="module")
def published(tmp_path_factory, corpus) -> Path:
    folder = tmp_path_factory.mktemp("published") / "opus-mt-en-fr"
    folder.mkdir()
    write_model(folder, write_tokenizer(folder, corpus))
    (folder / "README.md").write_text(CARD, encoding="utf-8")
    return folder


@pytest.fixture
def theirs(published, tmp_path) -> Path:
    """A copy that may be damaged."""
    return shutil.copytree(published, tmp_path / "opus-mt-en-fr")


def as_pickle(folder: Path, **options: Any) -> None:
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save(weights, folder / "pytorch_model.bin", **options)
