"""Judges translations of sentences that classes type (see `model.evaluation.classroom`).

    python -m model.classroom [--model NAME] [--beam 5] [--list FILE.tsv ...] [--write]
    python -m model.classroom --apart train.tsv.gz dev.tsv.gz ...

Only `--write` puts the results into the checkpoint's record and model card. The second command translates nothing: it
lists the sentences that occur in files of pairs.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.checkpoints import checkpoint
from model.evaluation.classroom import (
    LISTS,
    VERDICTS,
    judge,
    list_judgements,
    list_result,
    read_list,
    read_verdicts,
    sentences_in_file,
    table,
)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m model.classroom", description="Judges the translations of sentences that classes type, and of names."
    )
    command.add_model(parser)
    parser.add_argument("--list", nargs="+", type=Path, default=LISTS, help="TSV files: kind, sentence, its facts")
    parser.add_argument("--read", type=Path, default=VERDICTS, help="TSV file of a reader's verdicts")
    command.add_beam(parser)
    parser.add_argument("--all", action="store_true", help="print the translations that pass as well")
    parser.add_argument("--write", action="store_true", help="put the results into the checkpoint's record and card")
    parser.add_argument("--apart", nargs="+", type=Path, help="files of pairs: says which sentences stand in them")
    command.add_device(parser)
    return parser.parse_args(arguments)


def check_overlap(lists: Sequence[Path], pairs: Sequence[Path]) -> None:
    """Checks that no sentence of the lists occurs in files of pairs. Raises ValueError, naming them, if any does."""
    sentences = [sentence for path in lists for sentence in read_list(path)]
    overlap = {f"{path.name}: {text}" for path in pairs for text in sentences_in_file(sentences, path)}
    if overlap:
        raise ValueError("\n".join(["these are not kept apart:", *sorted(overlap)]))
    print(f"None of {len(sentences)} sentences stands in {len(pairs)} files.")


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    with command.exit_on_error("python -m model.classroom"):
        if options.apart:
            check_overlap(options.list, options.apart)
            return
        lists, verdicts = [(path, read_list(path)) for path in options.list], read_verdicts(options.read)
        if options.write:
            command.require_folder(options.model)
        translator, results = command.load(options), []
        for path, sentences in lists:
            judgements = judge(translator, sentences, verdicts, options.beam)
            results.append(list_result(path.name, options.beam, judgements))
            print(f"{path.name}, {results[-1]['decoding']}\n{table(judgements)}")
            print(list_judgements(judgements, options.all) + "\n", flush=True)
        if options.write:
            new = {(result["file"], result["decoding"]) for result in results}
            kept = [one for one in translator.record.get("lists", []) if (one["file"], one["decoding"]) not in new]
            checkpoint.save_record({**translator.record, "lists": [*kept, *results]}, Path(options.model))


if __name__ == "__main__":
    main()
