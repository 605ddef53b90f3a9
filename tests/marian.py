"""Marian's public files, made here: random weights, and two SentencePiece models trained on a few sentences."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sentencepiece
import torch

TAGS = (">>fra<<", ">>nld<<")


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
                scale = 0.3 if "shared" in name else 0.35 if weight.dim() > 1 else 0.1
                weight.copy_(torch.randn_like(weight) * scale + ("layer_norm.weight" in name))
        model.final_logits_bias.copy_(torch.randn_like(model.final_logits_bias) * 0.3)
        model.final_logits_bias[0, 0] += 3.5  # or else a translation would hardly come to its end
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
