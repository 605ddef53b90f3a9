"""How fast a translation is recorded, against the nearest widely used implementation.

    pip install -e ".[bench]"
    python -m explorer.bench.recording

Compares greedy decoding plus the full trace (`explorer.recording.trace.record`) with the MarianMTModel of the
`transformers` package: same sizes, vocabulary and threads, random weights, `generate` with all attentions.
Both read 20 pieces and are forced to 20 steps. Runs are interleaved, and medians compared.
"""

import argparse
import importlib
import sys
from collections.abc import Callable

import torch

from explorer.bench.timing import interleaved
from explorer.recording.trace import record
from model.checkpoints import checkpoint
from model.checkpoints.weights import lay_out_for_decoding
from model.config import ModelConfig
from model.decoding import Translator
from model.transformer import Transformer

PIECES = 20


def marian(config: ModelConfig, bos_id: int, eos_id: int) -> Callable[[], object]:
    """The peer's translation of random pieces, as a function to time."""
    try:
        transformers = importlib.import_module("transformers")  # optional, so unknown to the type checker
    except ModuleNotFoundError:
        sys.exit('The benchmark needs the peer: pip install -e ".[bench]"')
    model = transformers.MarianMTModel(
        transformers.MarianConfig(
            vocab_size=config.src_vocab_size,
            d_model=config.d_model,
            encoder_layers=config.layers("encoder"),
            decoder_layers=config.layers("decoder"),
            encoder_attention_heads=config.n_heads,
            decoder_attention_heads=config.n_heads,
            encoder_ffn_dim=config.d_ff,
            decoder_ffn_dim=config.d_ff,
            activation_function=config.activation,
            pad_token_id=config.pad_id,
            decoder_start_token_id=bos_id,
            bos_token_id=bos_id,
            eos_token_id=eos_id,
            forced_eos_token_id=None,
            attn_implementation="eager",
        )
    ).eval()
    ids = torch.randint(10, config.src_vocab_size, (1, PIECES))

    def translate() -> object:
        with torch.inference_mode():
            return model.generate(
                input_ids=ids,
                min_new_tokens=PIECES,
                max_new_tokens=PIECES,
                num_beams=1,
                do_sample=False,
                output_attentions=True,
                return_dict_in_generate=True,
            )

    return translate


def ours(translator: Translator) -> Callable[[], object]:
    """Our translation and its trace, as a function to time."""
    # A word that is one piece; with the end of the sentence these are as many as the peer gets.
    known = translator.tokenizer.pieces(range(translator.tokenizer.vocab_size))
    words = ["a", *(piece[1:] for piece in known if piece[1:].isalpha() and piece[1:].isascii())]
    sentences = (" ".join([word] * (PIECES - 1)) for word in words)
    sentence = next((text for text in sentences if len(translator.source_ids(text)) == PIECES), None)
    if sentence is None:
        sys.exit(f"No word is one piece of this tokenizer, so that no sentence has {PIECES} pieces.")
    return lambda: record(translator, sentence, min_steps=PIECES, max_steps=PIECES)


def of_preset(name: str) -> Translator:
    """Random weights, with the shipped tokenizer."""
    tokenizer = checkpoint.load().tokenizer
    vocab = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    model = Transformer(ModelConfig.preset(name, **vocab)).eval()
    lay_out_for_decoding(model)
    return Translator(model, tokenizer)


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m explorer.bench.recording", description="Recording speed against MarianMTModel."
    )
    parser.add_argument("--preset", default="small", help="model sizes: small or base (default small)")
    parser.add_argument("--model", help="instead, the sizes and the tokenizer of a checkpoint (--help of app.py)")
    parser.add_argument("--runs", type=int, default=30, help="counted runs of each (default 30)")
    parser.add_argument("--threads", type=int, default=2, help="threads of torch (default 2)")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    translator = checkpoint.load(options.model) if options.model else of_preset(options.preset)
    tokenizer = translator.tokenizer
    peer = marian(translator.model.config, tokenizer.bos_id, tokenizer.eos_id)
    medians = interleaved({"record": ours(translator), "MarianMTModel": peer}, options.runs)
    for name, median in medians.items():
        print(f"{name:14} {1000 * median:7.1f} ms  (median of {options.runs})")
    print(f"ratio          {medians['record'] / medians['MarianMTModel']:7.2f}")


if __name__ == "__main__":
    main()
