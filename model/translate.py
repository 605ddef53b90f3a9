"""Translation on the command line.

    python -m model.translate "A man is riding a bicycle."
    python -m model.translate --beam 5 < sentences.txt
    python -m model.translate --sample --temperature 0.8 --top-p 0.9 --seed 7 "A man is riding a bicycle."

Without a sentence it reads standard input and prints a translation for each line. A line is translated as one text: the
model learned from single sentences, so put each on its own line. Sampling without a seed chooses one at random and
prints it on standard error, so that the sample can be drawn again; each line is drawn with the same seed.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence

from model import command
from model.decoding import Translator
from model.sampling import MAX_SEED, Sampling, draw


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m model.translate",
        description="Translates line by line, between the languages of the model. A line is translated as one text "
        "and never split: several sentences do better on a line each.",
    )
    parser.add_argument(
        "sentence", nargs="?", help="one in the language that the model reads; without it, standard input line by line"
    )
    parser.add_argument(
        "--beam", type=command.positive_int, help="hypotheses kept at each step; 1 is greedy (default 1)"
    )
    add_sampling(parser)
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    refuse_contradictions(parser, options)
    options.beam = options.beam or 1
    return options


def add_sampling(parser: argparse.ArgumentParser) -> None:
    flags = parser.add_argument_group("sampling")
    flags.add_argument("--sample", action="store_true", help="draw each token at random instead of searching")
    flags.add_argument("--temperature", type=float, help="divides the logits; below 1 safer, above wilder (default 1)")
    flags.add_argument("--top-k", type=int, metavar="K", help="draw from the K most probable tokens (default: all)")
    flags.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the fewest tokens that hold this share (default 1)"
    )
    flags.add_argument("--seed", type=int, help="the same seed draws the same sample (default: one by chance)")


def refuse_contradictions(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.sample and options.beam is not None:
        parser.error("--beam searches and --sample draws at random: choose one of them")
    for flag in ("temperature", "top_k", "top_p", "seed"):
        if not options.sample and getattr(options, flag) is not None:
            parser.error(f"--{flag.replace('_', '-')} needs --sample")


def sampling_of(options: argparse.Namespace) -> Sampling:
    """The sampling that the flags choose. Raises UserError if one is out of range."""
    names = ("temperature", "top_k", "top_p")
    return Sampling(**{name: getattr(options, name) for name in names if getattr(options, name) is not None})


def seed_of(options: argparse.Namespace) -> int:
    """The value of `--seed`, or a random seed, which is printed."""
    if options.seed is not None:
        return options.seed
    seed = random.SystemRandom().randint(0, MAX_SEED)
    print(f"seed {seed}", file=sys.stderr, flush=True)
    return seed


def draw_translation(translator: Translator, text: str, sampling: Sampling, seed: int) -> str:
    (sample,) = draw(translator, translator.source_ids(text), sampling, [seed])
    return translator.tokenizer.decode(translator.clean(sample.ids))


def line_translator(translator: Translator, options: argparse.Namespace) -> Callable[[str], str]:
    """The function that translates a line, by search or by sampling. Raises UserError if a flag is out of range."""
    if not options.sample:
        return lambda line: translator.translate([line], options.beam)[0]
    sampling, seed = sampling_of(options), seed_of(options)
    return lambda line: draw_translation(translator, line, sampling, seed)


def translate_line(translator: Translator, line: str, translate: Callable[[str], str]) -> str:
    """The translation of one line; a line without any pieces (blanks, a zero-width space) becomes a blank line."""
    return translate(line) if translator.tokenizer.encode(translator.tidy(line)) else ""


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error("python -m model.translate"):
        translator = command.load(options)
        translate = line_translator(translator, options)
        for line in (
            command.read_stdin_lines() if options.sentence is None else [command.decode_argument(options.sentence)]
        ):
            print(translate_line(translator, line, translate), flush=True)


if __name__ == "__main__":
    main()
