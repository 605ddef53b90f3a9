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
from model import checkpoint
from model.config import ModelConfig
from model.decoding import Translator
from model.hardware import lay_out_for_decoding
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
    # "a" is one piece; with the end of the sentence these are as many as the peer gets.
    sentence = " ".join(["a"] * (PIECES - 1))
    if len(translator.source_ids(sentence)) != PIECES:
        sys.exit(f"The benchmark's sentence does not have {PIECES} pieces with this tokenizer.")
    return lambda: record(translator, sentence, min_steps=PIECES, max_steps=PIECES)


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m explorer.bench.recording", description="Recording speed against MarianMTModel."
    )
    parser.add_argument("--preset", default="small", help="model sizes: small or base (default small)")
    parser.add_argument("--runs", type=int, default=30, help="counted runs of each (default 30)")
    parser.add_argument("--threads", type=int, default=2, help="threads of torch (default 2)")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    shipped = checkpoint.load()
    vocab = {"src_vocab_size": shipped.tokenizer.vocab_size, "tgt_vocab_size": shipped.tokenizer.vocab_size}
    config = ModelConfig.preset(options.preset, **vocab)
    model = Transformer(config).eval()
    lay_out_for_decoding(model)
    translator = Translator(model, shipped.tokenizer)
    peer = marian(config, shipped.tokenizer.bos_id, shipped.tokenizer.eos_id)
    medians = interleaved({"record": ours(translator), "MarianMTModel": peer}, options.runs)
    for name, median in medians.items():
        print(f"{name:14} {1000 * median:7.1f} ms  (median of {options.runs})")
    print(f"ratio          {medians['record'] / medians['MarianMTModel']:7.2f}")


if __name__ == "__main__":
    main()
