"""Sequence-level interpolation (Kim and Rush 2016, arXiv:1606.07947): targets that the model itself can reach.

    python -m tools.interpolate --pairs train.tsv.gz --number 50000 --model runs/mine/checkpoint --out nearest.tsv.gz

For every source the file gets the hypothesis of the beam that is nearest to a reference. Training on with such a file
(`python -m model.train --start`) brings greedy decoding nearer to beam search, because the targets are less varied than
what people wrote.
"""

import argparse
import random
import sys
from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from model import command
from model.decoding import Translator
from model.tokenizer import pad
from model.training.data import Pair, read_pairs, write_pairs

try:
    from sacrebleu.metrics.bleu import BLEU
except ModuleNotFoundError as error:
    if error.name != "sacrebleu":
        raise
    sys.exit('Interpolation needs sacrebleu: pip install -e ".[train]"')

BATCH_SIZE = 32  # sources
MAX_PIECES = 60  # of a source; longer ones are left out


def hypotheses(translator: Translator, sources: Sequence[Sequence[int]], beam: int) -> list[list[str]]:
    """All hypotheses of the beam for each source (ids with EOS), the most probable first."""
    src = pad([list(ids) for ids in sources], translator.tokenizer.pad_id).to(translator.device)
    (last,) = deque(translator.beam_steps(src, beam), maxlen=1)
    texts = [translator.tokenizer.decode(translator.clean(row)) for row in last.ids[:, 1:].tolist()]
    return [texts[start : start + beam] for start in range(0, len(texts), beam)]


def nearest(candidates: Sequence[str], references: Sequence[str]) -> str:
    """The candidate with the highest sentence BLEU against the references; of equal ones the first."""
    bleu = BLEU(effective_order=True)
    return max(candidates, key=lambda text: bleu.sentence_score(text, references).score)


def interpolate(translator: Translator, pairs: Sequence[Pair], beam: int, number: int, seed: int = 0) -> list[Pair]:
    """Pairs of up to `number` different sources, drawn at random, and the nearest hypothesis for each.

    A source with several translations has several references. Sources without pieces, or with more than MAX_PIECES, are
    left out.
    """
    references: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        references[pair.src].append(pair.tgt)
    drawn = random.Random(seed).sample(sorted(references), min(number, len(references)))
    encoded = [(text, translator.tokenizer.encode(translator.tidy(text))) for text in drawn]
    kept = sorted(((text, ids) for text, ids in encoded if 0 < len(ids) <= MAX_PIECES), key=lambda item: len(item[1]))
    found: list[Pair] = []
    for start in tqdm(range(0, len(kept), BATCH_SIZE), desc=f"beam {beam}", leave=False):
        rows = kept[start : start + BATCH_SIZE]
        sources = [[*ids, translator.tokenizer.eos_id] for _, ids in rows]
        candidates = hypotheses(translator, sources, beam)
        found += [
            Pair(text, nearest(texts, references[text])) for (text, _), texts in zip(rows, candidates, strict=True)
        ]
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m tools.interpolate",
        description="Writes, for every source, the beam's hypothesis nearest to a reference.",
    )
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="TSV or TSV.gz files: source, tab, target")
    parser.add_argument("--number", type=int, default=50_000, help="sources, drawn at random (default 50000)")
    parser.add_argument("--out", type=command.gzip_path, required=True, help="the TSV.gz file to write")
    parser.add_argument("--beam", type=command.positive_int, default=5, help="beam size (default 5)")
    command.add_model(parser)
    command.add_device(parser)
    options = parser.parse_args(arguments)
    with command.exit_on_error("python -m tools.interpolate"):
        translator = command.load(options)
        pairs = interpolate(translator, read_pairs(options.pairs), options.beam, options.number)
        write_pairs(options.out, pairs)
    print(f"{len(pairs)} pairs are in {options.out}.")


if __name__ == "__main__":
    main()
