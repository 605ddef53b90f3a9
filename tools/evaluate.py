"""Translation quality on held-out pairs: BLEU and chrF with sacreBLEU (Post 2018, arXiv:1804.08771).

    python -m tools.evaluate --pairs test.tsv.gz [--model NAME] [--write]

Scores are cased, with BLEU lowercased as well, all with sacreBLEU's own 13a tokenisation. The checkpoint's 16-bit
weights are used in 32-bit arithmetic. Only `--write` puts the scores into the checkpoint's record and model card.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from model import command
from model.checkpoints import checkpoint
from model.decoding import Translator, decoding_name
from model.errors import UserError
from model.training.data import Pair, read_numbered_pairs

try:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
except ModuleNotFoundError as error:
    if error.name != "sacrebleu":
        raise
    sys.exit('Evaluation needs sacrebleu: pip install -e ".[train]"')


def score(translator: Translator, name: str, pairs: Sequence[Pair], beam: int) -> dict[str, Any]:
    """BLEU, cased and lowercased, and chrF, 0 to 100, of one file at one beam size."""
    progress = partial(tqdm, desc=f"beam {beam}", leave=False)
    hypotheses = translator.translate([pair.src for pair in pairs], beam, progress=progress)
    references = [[pair.tgt for pair in pairs]]
    bleu, lowercase, chrf = BLEU(), BLEU(lowercase=True), CHRF()
    return {
        "file": name,
        "pairs": len(pairs),
        "decoding": decoding_name(beam),
        "bleu": round(bleu.corpus_score(hypotheses, references).score, 2),
        "bleu_lowercase": round(lowercase.corpus_score(hypotheses, references).score, 2),
        "chrf": round(chrf.corpus_score(hypotheses, references).score, 2),
        "signature": (
            f"BLEU {bleu.get_signature()}, lowercased BLEU {lowercase.get_signature()}, chrF {chrf.get_signature()}"
        ),
    }


def read_translatable(path: Path, translator: Translator) -> list[Pair]:
    """The pairs of a file. Raises UserError, naming the line, if a source has no pieces or too many.

    Such a line is not skipped, because scores are comparable only if they cover the same pairs.
    """
    pairs = []
    for line, pair in read_numbered_pairs(path):
        try:
            translator.source_ids(pair.src)
        except UserError as error:
            raise UserError(f"{path} line {line} cannot be translated. {error}") from error
        pairs.append(pair)
    return pairs


def format_comparison(scores: Sequence[dict[str, Any]]) -> str:
    """The differences in BLEU between the first way of decoding a file and the others."""
    first, *others = scores
    differences = ", ".join(f"{other['bleu'] - first['bleu']:+.2f} with {other['decoding']}" for other in others)
    return f"compared with {first['decoding']}: {differences}"


def format_score(result: dict[str, Any]) -> str:
    """A score as text, with sacreBLEU's signature."""
    return (
        f"{result['file']}  {result['decoding']}: BLEU {result['bleu']:.2f}  "
        f"lowercased {result['bleu_lowercase']:.2f}  chrF {result['chrf']:.2f}\n  {result['signature']}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m tools.evaluate", description="BLEU and chrF on held-out pairs.")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="TSV or TSV.gz files: source, tab, target")
    command.add_model(parser)
    parser.add_argument("--beams", nargs="+", type=command.positive_int, default=[1, 5], help="beam sizes; 1 is greedy")
    command.add_device(parser)
    parser.add_argument("--write", action="store_true", help="put the scores into the checkpoint's record and card")
    options = parser.parse_args(arguments)
    scores = []
    with command.exit_on_error("python -m tools.evaluate"):
        if options.write:
            command.require_folder(options.model)
        translator = command.load(options)
        for path, pairs in [(path, read_translatable(path, translator)) for path in options.pairs]:
            for beam in options.beams:
                scores.append(score(translator, path.name, pairs, beam))
                print(format_score(scores[-1]), flush=True)
            if len(options.beams) > 1:
                print(f"  {format_comparison(scores[-len(options.beams) :])}", flush=True)
        if options.write:
            checkpoint.save_record({**translator.record, "scores": scores}, Path(options.model))


if __name__ == "__main__":
    main()
