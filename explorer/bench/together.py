"""How much faster several sentences are recorded together than one by one, and what their answers cost besides.

    python -m explorer.bench.together

Different sentences of 8 to 25 pieces, made of the words of the example sentences, and the shipped model: one by one and
in batches, with one thread of torch and with its default, in turn, so that a machine that grows slower meets both
alike; then the share of decoding, of what makes the traces of it, and of the JSON that is sent.
"""

import argparse
import random
from collections.abc import Sequence

import torch

from explorer.bench.timing import interleaved
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.recording.trace import Trace, record, record_together
from explorer.tabs.explore.answer import trace_answer
from model.checkpoints import checkpoint
from model.decoding import Translator, steps_together

SHORTEST, LONGEST = 8, 25  # pieces


def sentences(translator: Translator, count: int) -> list[str]:
    """Different ones, the same each time."""
    words = sorted({word.strip(".,?") for example in examples() for word in example["sentence"].split()})
    draw, found = random.Random(15), dict[str, None]()
    while len(found) < count:
        sentence = " ".join(draw.choices(words, k=draw.randint(6, 20))) + "."
        if SHORTEST <= len(translator.source_ids(sentence)) <= LONGEST:
            found[sentence] = None
    return list(found)


def limits(translator: Translator, texts: Sequence[str]) -> list[int]:
    return [translator.limit(len(translator.source_ids(text))) for text in texts]


def in_batches(translator: Translator, texts: Sequence[str], size: int) -> list[Trace]:
    return [
        trace
        for start in range(0, len(texts), size)
        for trace in record_together(
            translator, texts[start : start + size], limits(translator, texts[start : start + size])
        )
    ]


def decoded_in_batches(translator: Translator, texts: Sequence[str], size: int) -> None:
    """The decoding alone, without traces."""
    for start in range(0, len(texts), size):
        batch = texts[start : start + size]
        steps_together(translator, [translator.source_ids(text) for text in batch], limits(translator, batch))


def compare(translator: Translator, texts: Sequence[str], size: int, runs: int) -> None:
    """Prints a line for the threads that torch uses now."""
    remembered = Recordings(translator)
    remembered.remember([("", text) for text in texts])
    steps = limits(translator, texts)
    medians = interleaved(
        {
            "one by one": lambda: [
                record(translator, text, max_steps=most) for text, most in zip(texts, steps, strict=True)
            ],
            "together": lambda: in_batches(translator, texts, size),
            "decoding": lambda: decoded_in_batches(translator, texts, size),
            "answers": lambda: [trace_answer(remembered, text) for text in texts],
        },
        runs,
    )
    alone, together, decoding, answers = medians.values()
    print(
        f"{torch.get_num_threads():7} {alone:12.2f} {together:10.2f} {together / alone:7.2f}"
        f" {decoding:10.2f} {together - decoding:8.2f} {answers:9.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m explorer.bench.together", description="Recording together against one by one."
    )
    parser.add_argument("--sentences", type=int, default=30, help="different sentences (default 30)")
    parser.add_argument("--batch", type=int, default=16, help="most sentences that are decoded together (default 16)")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default 5)")
    options = parser.parse_args()
    translator, threads = checkpoint.load(), torch.get_num_threads()
    texts = sentences(translator, options.sentences)
    print(f"seconds for {len(texts)} sentences, batches of {options.batch}, medians of {options.runs}")
    print("threads   one by one   together   ratio   decoding   traces   answers")
    for count in dict.fromkeys((1, threads)):
        torch.set_num_threads(count)
        compare(translator, texts, options.batch, options.runs)


if __name__ == "__main__":
    main()
