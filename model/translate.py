"""Translation on the command line.

    python -m model.translate "A man is riding a bicycle."
    python -m model.translate --beam 5 < sentences.txt

Without a sentence it reads standard input and prints one translation a line as it goes. A line is translated as one
text: the model learned from single sentences, so put each on its own line.
"""

import argparse
import sys
from collections.abc import Sequence

from model import command
from model.decoding import Translator
from model.tokenizer import tidy


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m model.translate",
        description="Translates English to German, line by line. A line is translated as one text and never split: "
        "several sentences do better on a line each.",
    )
    parser.add_argument("sentence", nargs="?", help="an English sentence; without it, standard input line by line")
    parser.add_argument("--beam", type=int, default=1, help="hypotheses kept at each step; 1 is greedy (default 1)")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    if options.beam < 1:
        parser.error(f"--beam must be at least 1, not {options.beam}")
    return options


def translate_line(translator: Translator, line: str, beam: int) -> str:
    """The translation of one line; one without any piece (blanks, a zero-width space) gives a blank line."""
    return translator.translate([line], beam)[0] if translator.tokenizer.encode(tidy(line)) else ""


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.refusing("python -m model.translate"):
        translator = command.load(options)
        for line in sys.stdin if options.sentence is None else [options.sentence]:
            print(translate_line(translator, line, options.beam), flush=True)


if __name__ == "__main__":
    main()
