"""Translation quality on held-out pairs: BLEU and chrF with sacreBLEU (Post 2018, arXiv:1804.08771).

    python -m model.evaluate --pairs test.tsv.gz [--model NAME] [--write]

Scores are cased, BLEU is given lowercased as well, both with sacreBLEU's own 13a tokenisation. The checkpoint's
16-bit weights are used, in 32-bit arithmetic. Only `--write` puts the scores into the checkpoint's record and model
card.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from model import checkpoint
from model.data import Pair, read_pairs
from model.decoding import Translator
from model.hardware import pick_device

try:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
except ModuleNotFoundError:
    sys.exit('Evaluation needs sacrebleu: pip install -e ".[train]"')


def translate_all(translator: Translator, texts: Sequence[str], beam: int, batch_size: int = 64) -> list[str]:
    """Translations in the order of the texts, with a progress bar; batches hold texts of like length."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
    translations = [""] * len(texts)
    for start in tqdm(range(0, len(order), batch_size), desc=f"beam {beam}", leave=False):
        rows = order[start : start + batch_size]
        for i, translation in zip(rows, translator.translate([texts[i] for i in rows], beam), strict=True):
            translations[i] = translation
    return translations


def score(translator: Translator, name: str, pairs: Sequence[Pair], beam: int) -> dict[str, Any]:
    """BLEU, cased and lowercased, and chrF, 0 to 100, of one file at one beam size."""
    hypotheses = translate_all(translator, [pair.src for pair in pairs], beam)
    references = [[pair.tgt for pair in pairs]]
    bleu, lowercase, chrf = BLEU(), BLEU(lowercase=True), CHRF()
    return {
        "file": name,
        "pairs": len(pairs),
        "decoding": "greedy" if beam == 1 else f"beam {beam}",
        "bleu": round(bleu.corpus_score(hypotheses, references).score, 2),
        "bleu_lowercase": round(lowercase.corpus_score(hypotheses, references).score, 2),
        "chrf": round(chrf.corpus_score(hypotheses, references).score, 2),
        "signature": (
            f"BLEU {bleu.get_signature()}, lowercased BLEU {lowercase.get_signature()}, chrF {chrf.get_signature()}"
        ),
    }


def read_translatable(path: Path, translator: Translator) -> list[Pair]:
    """The pairs of one file. Raises ValueError, naming the line, where a source has no pieces or too many.

    Such a line is not skipped: scores of a file are comparable only if they are those of all its pairs.
    """
    pairs = read_pairs([path])
    for line, pair in enumerate(pairs, 1):
        try:
            translator.source_ids(pair.src)
        except ValueError as error:
            raise ValueError(f"{path} line {line} cannot be translated. {error}") from error
    return pairs


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m model.evaluate", description="BLEU and chrF on held-out pairs.")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="TSV or TSV.gz files: source, tab, target")
    parser.add_argument("--model", default=checkpoint.SHIPPED, help=checkpoint.NAME_HELP)
    parser.add_argument("--beams", nargs="+", type=int, default=[1, 5], help="beam sizes; 1 is greedy")
    parser.add_argument("--device", default="auto", help="cuda, mps, cpu or auto")
    parser.add_argument("--write", action="store_true", help="put the scores into the checkpoint's record and card")
    options = parser.parse_args(arguments)
    if min(options.beams) < 1:
        parser.error(f"--beams must be at least 1, not {min(options.beams)}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    scores = []
    try:
        # A Hub repository's files lie in a shared cache, which must not be written to.
        if options.write and not Path(options.model).is_dir():
            raise ValueError(f"--write needs a local checkpoint folder, not {options.model}")
        translator = checkpoint.load(options.model, pick_device(options.device))
        for path, pairs in [(path, read_translatable(path, translator)) for path in options.pairs]:
            for beam in options.beams:
                scores.append(score(translator, path.name, pairs, beam))
                report(scores[-1])
    except (OSError, ValueError, checkpoint.CheckpointError) as error:
        sys.exit(f"python -m model.evaluate: {error}")
    if options.write:
        checkpoint.save_record({**translator.record, "scores": scores}, checkpoint.locate(options.model))


def report(result: dict[str, Any]) -> None:
    """Prints one score, and what it was computed with."""
    print(
        f"{result['file']}  {result['decoding']}: BLEU {result['bleu']:.2f}  "
        f"lowercased {result['bleu_lowercase']:.2f}  chrF {result['chrf']:.2f}"
    )
    print(f"  {result['signature']}", flush=True)


if __name__ == "__main__":
    main()
