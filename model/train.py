"""Training: tokenizer and model from files of sentence pairs.

    python -m model.train --pairs a.tsv.gz b.tsv.gz --dev dev.tsv.gz --run runs/mine --minutes 100

Several devices train together where torchrun starts the same command (see `model.training.distributed`). The run's
folder holds `tokenizer.model`, `log.jsonl` (a JSON object per log step), `state.pt` (all that `--resume` needs) and, at
the end, `checkpoint/`, which the app and the other commands load.

The same recipe, seed and files give the same run, bit for bit, on the same machine with the same number of processes
and threads, even if it was interrupted, killed and resumed, as long as its length is given in steps or tokens. A length
in minutes depends on the clock. Segmentations (`--sampling`), examples and batches depend on the seed alone everywhere.
"""

import argparse
import platform
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NoReturn

import torch

from model import hardware
from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import FINAL, MOMENTS
from model.command import exit_on_error
from model.decoding import Translator
from model.errors import UserError
from model.files import SaveError
from model.languages import languages_record
from model.tokenizer import Tokenizer
from model.training import distributed, state
from model.training.data import EncodedPair, encode_pairs, read_pairs, read_weighted_pairs, split_weight
from model.training.epochs import Epochs, tokenizer_texts
from model.training.log import LOG, Log, require_finite
from model.training.recipe import TrainConfig
from model.training.state import STATE
from model.training.trainer import Trainer, from_checkpoint, validate

# What SentencePiece says of a vocabulary, and what that means.
TOKENIZER_FAULTS = (
    (r"Vocabulary size too high .*<= (\d+)", "the pairs yield at most {0} tokens: add --vocab-size {0}, or more pairs"),
    (
        r"Vocabulary size is smaller than required_chars\. \d+ vs (\d+)",
        "the pairs have so many characters that they need at least {0} tokens: add --vocab-size {0} or more",
    ),
    (r"!sentences_\.empty", "the pairs have no text to learn tokens from: is there any, in lines of usual length?"),
)
OUT_OF_MEMORY = re.compile("can't allocate memory|not enough memory|out of memory", re.IGNORECASE)  # as PyTorch says it
FINISHED = (
    "The run in {folder} is complete, after {step} steps: --resume keeps to its plan. To train longer, begin another "
    "with --start {checkpoint} --run and a new folder."
)
SHORT_RUN = (
    "The run ended at step {step} of a warm-up of {warmup}, before the learning rate reached its peak: give it longer, "
    "smaller --batch-tokens, or fewer --warmup-steps (docs/training.md)."
)
# Fields of a recipe with a place of their own in a record.
RECORDED_SEPARATELY = ("pairs", "dev", "languages", "tidying", "licence")


@contextmanager
def collected_signals() -> Iterator[list[int]]:
    """The SIGINTs and SIGTERMs that come inside the `with` block, so that the step in progress can end."""
    came: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield came
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def is_snapshot_step(step: int) -> bool:
    """Whether `--moments` keeps the weights of this step: 0, 10, 20, 50, 100, 200, 500, 1000 and so on."""
    digits = str(step)
    return step == 0 or (step >= 10 and digits[0] in "125" and not digits[1:].strip("0"))


def checkpoint_record(config: TrainConfig) -> dict[str, Any]:
    """What the record of every checkpoint of a run holds: its languages, and how sources are tidied."""
    return {"languages": languages_record(config.translates), "tidying": config.rules}


def save_snapshot(trainer: Trainer, folder: Path) -> None:
    """Saves a checkpoint of the current weights in `moments/` of the run's folder."""
    if not distributed.is_first():
        return
    steps, tokens = trainer.total_progress
    record = {**checkpoint_record(trainer.config), "steps": steps, "tokens": tokens}
    checkpoint.save(Translator(trainer.model, trainer.tokenizer, record), folder / MOMENTS / f"{steps:07d}")


def save_state(trainer: Trainer, folder: Path) -> None:
    """Saves the run's state. Raises UserError instead if the training has diverged since the last log line."""
    (loss,) = distributed.sum_over_processes(float(trainer.running_loss.loss))
    require_finite(loss, trainer.position.step)
    state.save(trainer, folder / STATE)


def speeds(trainer: Trainer, *, pieces: int, flop: float, seconds: float | int) -> dict[str, float]:
    """Target pieces and TFLOP per second of all devices, and `mfu` (model FLOPs utilisation) if their peak is known."""
    figures = {"tokens_per_s": pieces / seconds, "tflops_per_s": flop / seconds / 1e12}
    peak = hardware.peak_flops(trainer.device, trainer.bfloat16)
    return figures | ({"mfu": flop / seconds / (peak * distributed.process_count())} if peak else {})


def train(
    trainer: Trainer, epochs: Epochs, dev: Sequence[EncodedPair], folder: Path, clock: Callable[[], float]
) -> Log:
    """Trains to the end of the plan, logging and saving, and then averages the weights.

    Raises KeyboardInterrupt, after saving the state, if interrupted, and UserError if the training diverges.
    """
    config, position, log = trainer.config, trainer.position, Log(trainer, folder / LOG)
    on_gpu = trainer.device.type == "cuda"
    batches = epochs.stream(position, pinned=on_gpu, processes=hardware.spare_processes() if on_gpu else 0)
    logged = clock()
    started, saved, counted = logged - position.seconds, position.seconds, position.tokens
    trainer.model.train()
    with collected_signals() as signals:
        if config.moments and position.step == 0:
            save_snapshot(trainer, folder)
        while trainer.progress < 1:
            trainer.train_step(next(batches))
            # Before reading the clock, because this waits for the device.
            sums = trainer.running_loss.read() if position.step % config.log_steps == 0 else None
            now = clock()
            position.seconds, stop = distributed.sync_stop(now - started, bool(signals))
            trainer.add_to_average()
            if sums:
                loss, flop = sums
                speed = speeds(trainer, pieces=position.tokens - counted, flop=flop, seconds=now - logged)
                log.write(loss=loss, lr=trainer.lr, **speed)
                logged, counted = now, position.tokens
            if dev and position.step % config.dev_steps == 0:
                log.write(dev_loss=validate(trainer, dev))
                logged += clock() - now
            if config.moments and is_snapshot_step(trainer.total_progress.steps):
                save_snapshot(trainer, folder)
            if stop or position.seconds - saved > 60 * config.save_minutes:
                save_state(trainer, folder)
                saved = position.seconds
            if stop:
                raise KeyboardInterrupt
    save_state(trainer, folder)
    use_average(trainer, dev, log)
    return log


def use_average(trainer: Trainer, dev: Sequence[EncodedPair], log: Log) -> None:
    """Replaces the weights by their average, and logs how good it is."""
    trainer.average.apply_to(trainer.model)
    if dev:
        log.write(dev_loss=validate(trainer, dev), averaged=trainer.average.count)


def training_record(trainer: Trainer, log: Log, counts: dict[str, int], epoch_batches: int) -> dict[str, Any]:
    """The training record of the run's checkpoint."""
    config, model, position = trainer.config, trainer.model.config, trainer.position
    n_threads = torch.get_num_threads()
    threads = f", {n_threads} thread{'s' * (n_threads > 1)}" if trainer.device.type == "cpu" else ""
    count, device = distributed.process_count(), hardware.device_name(trainer.device)
    devices = f"{count} × {device}" if count > 1 else device

    def file_entry(path: str) -> dict[str, Any]:
        return {"file": Path(path).name, "pairs": counts[path]}

    return {
        **checkpoint_record(config),
        "command": command_line_of(config),
        "before": trainer.previous_runs,
        "model": {"parameters": sum(p.numel() for p in trainer.model.parameters()), **asdict(model)},
        "recipe": {name: value for name, value in asdict(config).items() if name not in RECORDED_SEPARATELY},
        "data": [
            *(
                {**file_entry(path), "role": "training", "weight": weight}
                for path, weight in map(split_weight, config.pairs)
            ),
            *({**file_entry(path), "role": "validation"} for path in config.dev),
        ],
        "data_note": config.data_note,
        "licence": config.licence,
        "hardware": f"{devices} ({platform.machine()}{threads}), "
        f"{'bfloat16 autocast' if trainer.bfloat16 else 'float32'}, torch {torch.__version__}",
        "steps": position.step,
        "epochs": round(position.epoch + position.batch_of_epoch / epoch_batches, 2),
        "tokens": position.tokens,
        "seconds": round(position.seconds, 1),
        "log": [{k: float(f"{v:.5g}") if isinstance(v, float) else v for k, v in line.items()} for line in log.lines],
        "scores": [],
    }


def command_line_of(config: TrainConfig) -> str:
    """A command that starts such a run, with every flag that differs from its default; files without their folders."""
    words = [f"{distributed.launch_command(distributed.process_count())} --run runs/mine"]
    for f in fields(config):
        value = getattr(config, f.name)
        if value is True:
            words.append(f"--{f.name.replace('_', '-')}")
        elif value != f.default:
            values = [Path(path).name for path in value] if isinstance(value, tuple) else [str(value)]
            words += [f"--{f.name.replace('_', '-')}", *map(shlex.quote, values)]
    return " ".join(words)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m model.train", description="Trains a tokenizer and a Transformer.")
    parser.add_argument("--run", type=Path, required=True, help="folder of the run: log, state and checkpoint")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder, with its own plan")
    for f in fields(TrainConfig):
        kind: dict[str, Any] = {"nargs": "+"} if isinstance(f.default, tuple) else {"type": type(f.default)}
        if isinstance(f.default, bool):
            kind = {"action": "store_true"}
        text = f.metadata["help"] + (f" (default {f.default})" if f.default else "")
        parser.add_argument(f"--{f.name.replace('_', '-')}", default=f.default, help=text.replace("%", "%%"), **kind)
    return parser.parse_args(arguments)


def train_tokenizer(config: TrainConfig) -> bytes:
    """A SentencePiece model, learned from the training files. Raises UserError if that size does not fit them."""
    texts = tokenizer_texts(read_weighted_pairs(config.pairs), seed=config.seed)
    try:
        return Tokenizer.train(texts, config.vocab_size).proto
    except RuntimeError as error:
        raise UserError(tokenizer_fault(str(error))) from error


def tokenizer_fault(message: str) -> str:
    """What a message of SentencePiece means, as a sentence that says what to do."""
    for pattern, sentence in TOKENIZER_FAULTS:
        if found := re.search(pattern, message):
            return sentence.format(*found.groups())
    return f"no tokenizer can be learned from the pairs: try another --vocab-size, or other pairs ({message})"


def print_resumed(trainer: Trainer, options: argparse.Namespace, folder: Path) -> None:
    """Prints what a resumed run does not do: what other flags ask for, or anything, if it is complete."""
    given = {f.name: getattr(options, f.name) for f in fields(TrainConfig)}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    ignored = [
        f"--{f.name.replace('_', '-')}"
        for f in fields(TrainConfig)
        if given[f.name] not in (f.default, getattr(trainer.config, f.name))
    ]
    if ignored:
        print(f"A run goes on with its own recipe, and without {', '.join(ignored)}.")
    if trainer.progress >= 1:
        print(FINISHED.format(folder=folder, step=trainer.position.step, checkpoint=folder / FINAL))


def create_trainer(options: argparse.Namespace, folder: Path) -> Trainer:
    """A new trainer, or with `--resume` the one whose state is in the folder."""
    if options.resume:
        if not (folder / STATE).exists():
            raise UserError(f"there is nothing to resume in {folder}: it has no {STATE}")
        trainer = state.resume(folder)
        if distributed.is_first():
            print_resumed(trainer, options, folder)
        return trainer
    if (folder / STATE).exists():
        raise UserError(f"{folder} already holds a run: add --resume to continue it, or choose another --run")
    values: dict[str, Any] = {f.name: getattr(options, f.name) for f in fields(TrainConfig)}
    values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    config = TrainConfig(**values)
    if config.start:
        trainer = from_checkpoint(config)
    else:
        trainer = Trainer(config, Tokenizer(distributed.broadcast_from_first(lambda: train_tokenizer(config))))
    if distributed.is_first():
        trainer.tokenizer.save(folder)
    return trainer


def run(options: argparse.Namespace, clock: Callable[[], float]) -> None:
    """Trains from files of sentence pairs to a checkpoint."""
    trainer = create_trainer(options, options.run)
    config = trainer.config
    if distributed.is_first():
        print("Learning to translate from {} to {}.".format(*(language.name for language in config.translates)))
    epochs = Epochs(config, trainer.tokenizer, read_weighted_pairs(config.pairs))
    dev_pairs = {path: read_pairs([Path(path)]) for path in config.dev}
    held_out = [pair for pairs in dev_pairs.values() for pair in pairs]
    dev = encode_pairs(held_out, trainer.tokenizer, config.max_pieces, tidy=config.tidy)
    log = train(trainer, epochs, dev, options.run, clock)
    if distributed.is_first() and trainer.position.step < config.warmup_steps:
        print(SHORT_RUN.format(step=trainer.position.step, warmup=config.warmup_steps))
    epoch_batches = len(epochs.batches(epochs.pairs(0), 0))
    if not distributed.is_first():
        return
    counts = {path: len(pairs) for path, pairs in dev_pairs.items()}
    for (path, _), portion in zip(map(split_weight, config.pairs), epochs.files, strict=True):
        counts[path] = len(portion.pairs)
    record = training_record(trainer, log, counts, epoch_batches)
    checkpoint.save(Translator(trainer.model, trainer.tokenizer, record), options.run / FINAL)
    print(f"The checkpoint is in {options.run / FINAL}.")


def resume_hint(folder: Path) -> str:
    """What to type after a run has ended early."""
    if not (folder / STATE).exists():
        return "No state was saved yet."
    return f"Continue with: {distributed.launch_command(distributed.process_count())} --resume --run {folder}"


def computation_fault(error: RuntimeError) -> str:
    """What stopped PyTorch, as a sentence that says what to do where that is known."""
    if isinstance(error, torch.OutOfMemoryError) or OUT_OF_MEMORY.search(str(error)):
        return "there is not enough memory: give smaller --batch-tokens or --max-pieces, or another --preset"
    return f"PyTorch cannot go on: {str(error).splitlines()[0]}"


def exit_failed_process(error: RuntimeError, folder: Path) -> NoReturn:
    """Ends one of several processes after an error of its GPU, or after another process died."""
    print(
        f"python -m model.train: process {distributed.rank()} of {distributed.process_count()}: "
        f"{computation_fault(error)}\n"
        f"If another process has died, torchrun tells below which one. {resume_hint(folder)}",
        file=sys.stderr,
        flush=True,
    )
    # torchrun reports the first process that ends as the cause, and then ends the others.
    time.sleep(5)
    sys.exit(1)


def main(arguments: Sequence[str] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
    """The command; `clock` returns the seconds that measure its length and its speed."""
    options = parse(arguments)
    hardware.keep_freed_memory()
    try:
        with exit_on_error("python -m model.train"), distributed.process_group():
            try:
                run(options, clock)
            except SaveError as error:
                raise SaveError(f"{error} {resume_hint(options.run)}") from error
    except KeyboardInterrupt:
        saved = (options.run / STATE).exists()
        sentence = (
            f"Interrupted and saved. {resume_hint(options.run)}" if saved else "Interrupted before the first step."
        )
        sys.exit(sentence if distributed.is_first() else 1)
    except RuntimeError as error:
        if distributed.process_count() > 1:
            exit_failed_process(error, options.run)
        sys.exit(f"python -m model.train: {computation_fault(error)}")


if __name__ == "__main__":
    main()
