"""Training: it learns, its schedule and log are as told, and an interrupted run ends as an uninterrupted one."""

import gzip
import json
import os
import shlex
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from torch import nn

from model import checkpoint
from model.config import PRESETS
from model.data import Batch, EncodedPair, Pair, batches, collate, encode_pairs
from model.decoding import Translator
from model.tokenizer import Tokenizer
from model.train import command, main, parse
from model.trainer import TrainConfig, Trainer, WeightAverage, stream

TINY = {"n_layers": 2, "n_heads": 4, "d_model": 16, "d_ff": 24, "max_len": 64}
RECIPE = {
    "preset": "tiny",
    "vocab_size": 80,
    "max_pieces": 40,
    "batch_tokens": 60,
    "warmup_steps": 2,
    "steps": 8,
    "average_part": 0.5,
    "average_count": 3,
    "log_steps": 2,
    "precision": "float32",
    "device": "cpu",
}
TIMES = ("seconds", "tokens_per_s")


@pytest.fixture(autouse=True)
def tiny_preset(monkeypatch) -> None:
    monkeypatch.setitem(PRESETS, "tiny", TINY)


@pytest.fixture
def pairs(corpus) -> list[Pair]:
    return [Pair(src, tgt) for src, tgt in zip(corpus[:8], corpus[8:], strict=True)]


@pytest.fixture
def files(pairs, tmp_path) -> dict[str, Path]:
    """Eight pairs to learn, two of them to validate."""
    lines = [f"{pair.src}\t{pair.tgt}\n" for pair in pairs]
    (tmp_path / "all.tsv.gz").write_bytes(gzip.compress("".join(lines).encode()))
    (tmp_path / "dev.tsv").write_text("".join(lines[:2]), encoding="utf-8")
    return {"pairs": tmp_path / "all.tsv.gz", "dev": tmp_path / "dev.tsv"}


@pytest.fixture
def deadline() -> Iterator[None]:
    """Ends a test that would run for ever."""

    def give_up(*_) -> None:
        pytest.fail("it does not end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def tiny_config(**changes) -> TrainConfig:
    return TrainConfig(**{**RECIPE, "pairs": ("a.tsv",), "dropout": 0.0, "label_smoothing": 0.0, **changes})


def flags(run: Path, **options) -> list[str]:
    """Command line words: the recipe above, with changes; None leaves a flag out."""
    words = ["--run", str(run)]
    for name, value in {**RECIPE, **options}.items():
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def config_of(words: list[str]) -> TrainConfig:
    options = parse([*words, "--run", "x"])
    values = {field.name: getattr(options, field.name) for field in fields(TrainConfig)}
    return TrainConfig(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def refusal(*words: str) -> str:
    """What the command says when it refuses."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return str(ended.value)


def log_of(run: Path) -> list[dict[str, float]]:
    """The log without what the clock tells."""
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name not in TIMES} for line in lines]


def state_of(run: Path) -> dict:
    return torch.load(run / "state.pt", weights_only=True)


def assert_ended_alike(run: Path, other: Path) -> None:
    ours, theirs = state_of(run), state_of(other)
    (count, total), (other_count, other_total) = ours["average"], theirs["average"]
    assert count == other_count == RECIPE["average_count"]
    assert all(torch.equal(weight, theirs["model"][name]) for name, weight in ours["model"].items())
    assert all(torch.equal(weight, other_total[name]) for name, weight in total.items())
    assert ours["position"][:4] == theirs["position"][:4]
    assert log_of(run) == log_of(other)
    name = "checkpoint/model.safetensors"
    assert (run / name).read_bytes() == (other / name).read_bytes()


@contextmanager
def unharmed(number: signal.Signals) -> Iterator[None]:
    """A signal that the command fails to catch ends the test, not the whole suite."""
    before = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def call_at(step: int, action, monkeypatch) -> None:
    """Has Trainer.train_step call `action` at the end of a step."""
    train_step = Trainer.train_step

    def train_step_and_act(trainer: Trainer, batch: Batch) -> object:
        result = train_step(trainer, batch)
        if trainer.step == step:
            action()
        return result

    monkeypatch.setattr(Trainer, "train_step", train_step_and_act)


def test_four_pairs_are_learnt_to_exact_translation(tokenizer, pairs):
    trainer = Trainer(tiny_config(steps=150, peak_lr=1e-2, warmup_steps=20), tokenizer)
    batch = collate(encode_pairs(pairs[:4], tokenizer, 40), tokenizer)
    for _ in range(150):
        trainer.train_step(batch)
    translator = Translator(trainer.model.eval(), tokenizer)
    for beam in (1, 3):
        assert translator.translate([pair.src for pair in pairs[:4]], beam) == [pair.tgt for pair in pairs[:4]]


def reversal(tokenizer: Tokenizer, count: int, length: int) -> Batch:
    """Random sequences over ten pieces, with their reverses as targets."""
    rows = torch.randint(4, 14, (count, length)).tolist()
    return collate([EncodedPair([*row, tokenizer.eos_id], row[::-1]) for row in rows], tokenizer)


def test_reversing_is_learnt_with_anti_diagonal_cross_attention(tokenizer, monkeypatch):
    monkeypatch.setitem(PRESETS, "tiny", {**TINY, "n_layers": 1, "n_heads": 2, "d_model": 32, "d_ff": 64})
    trainer = Trainer(tiny_config(steps=300, peak_lr=1e-2, warmup_steps=20), tokenizer)
    for _ in range(300):
        trainer.train_step(reversal(tokenizer, 32, 6))
    unseen = reversal(tokenizer, 100, 6)
    with torch.no_grad():
        decoded = trainer.model.eval()(unseen.src, unseen.tgt_in)
    assert (decoded.logits.argmax(dim=-1) == unseen.tgt_out).float().mean() > 0.99
    weights = decoded.cross_attention[0].mean(dim=(0, 1))[:6]  # [tgt src]: row t should look at position 5 - t
    assert weights.argmax(dim=1).tolist() == [5, 4, 3, 2, 1, 0]
    assert weights[range(6), range(5, -1, -1)].min() > 0.5


def test_the_loss_is_the_smoothed_cross_entropy_of_the_models_own_logits(tokenizer, pairs):
    trainer = Trainer(tiny_config(), tokenizer)
    batch = collate(encode_pairs(pairs, tokenizer, 40), tokenizer)
    loss, pieces = trainer.loss(batch, 0.1)
    logits = trainer.model(batch.src, batch.tgt_in).logits
    expected = nn.functional.cross_entropy(
        logits.flatten(0, 1), batch.tgt_out.flatten(), ignore_index=0, reduction="sum", label_smoothing=0.1
    )
    torch.testing.assert_close(loss, expected)
    assert pieces == sum(len(tokenizer.encode(pair.tgt)) + 1 for pair in pairs)


def test_validation_gives_the_mean_over_all_pieces_without_smoothing_and_dropout(tokenizer, pairs):
    trainer = Trainer(tiny_config(dropout=0.5, label_smoothing=0.3), tokenizer)
    encoded = encode_pairs(pairs, tokenizer, 40)
    trainer.model.train()
    found = trainer.validate(encoded)
    assert trainer.model.training and found == trainer.validate(encoded)
    trainer.model.eval()
    with torch.no_grad():
        total, pieces = trainer.loss(collate(encoded, tokenizer), 0.0)
    assert found == pytest.approx(float(total) / pieces)


def test_the_learning_rate_rises_linearly_and_then_falls_to_zero(tokenizer):
    trainer = Trainer(tiny_config(steps=1000, warmup_steps=4, peak_lr=0.5), tokenizer)
    rates = {}
    for trainer.step in (0, 1, 3, 250, 500, 1000):
        rates[trainer.step] = trainer.lr
    expected = {0: 0.125, 1: 0.25 * 0.999, 3: 0.5 * 0.997, 250: 0.375, 500: 0.25, 1000: 0.0}
    assert rates == pytest.approx(expected)


def test_a_run_by_the_clock_decays_with_the_clock(tokenizer):
    trainer = Trainer(tiny_config(steps=0, minutes=2.0, warmup_steps=1, peak_lr=0.5), tokenizer)
    rates = []
    for trainer.seconds in (0.0, 30.0, 90.0, 120.0, 200.0):
        rates.append(trainer.lr)
    assert rates == pytest.approx([0.5, 0.375, 0.125, 0.0, 0.0])


def test_every_epoch_brings_all_pairs_in_another_order(tokenizer, pairs):
    trainer, encoded = Trainer(tiny_config(), tokenizer), encode_pairs(pairs, tokenizer, 40)
    count = len(list(batches(encoded, tokenizer, 60, seed=0)))
    source = stream(trainer, encoded)
    epochs = [[next(source).src.tolist() for _ in range(count)] for _ in range(3)]
    assert all(len({str(row) for batch in epoch for row in batch}) == len(pairs) for epoch in epochs)
    assert epochs[0] != epochs[1] != epochs[2] != epochs[0]


def test_the_stream_goes_on_from_where_the_trainer_stands(tokenizer, pairs):
    trainer, encoded = Trainer(tiny_config(), tokenizer), encode_pairs(pairs, tokenizer, 40)
    whole = stream(trainer, encoded)
    expected = [next(whole).src.tolist() for _ in range(4)]
    trainer.epoch, trainer.batch_of_epoch = 0, 2
    assert [next(part).src.tolist() for part in [stream(trainer, encoded)] for _ in range(2)] == expected[2:]


def test_an_update_uses_the_scheduled_rate_and_counts_itself(tokenizer, pairs):
    trainer = Trainer(tiny_config(steps=10, warmup_steps=4), tokenizer)
    batch = collate(encode_pairs(pairs, tokenizer, 40), tokenizer)
    scheduled, before = trainer.lr, trainer.model.projection.weight.detach().clone()
    trainer.train_step(batch)
    assert {group["lr"] for group in trainer.optimizer.param_groups} == {scheduled}
    # Adam's first step moves every weight that has a gradient by the learning rate.
    assert (trainer.model.projection.weight - before).abs().max().item() == pytest.approx(scheduled, rel=1e-3)
    assert (trainer.step, trainer.batch_of_epoch, trainer.tokens) == (1, 1, (batch.tgt_out != 0).sum())


def test_gradients_are_clipped_and_do_not_pile_up(tokenizer, pairs, monkeypatch):
    trainer, norms = Trainer(tiny_config(clip_norm=0.01), tokenizer), []
    update = trainer.optimizer.step

    def step() -> None:
        grads = [weight.grad.norm() for weight in trainer.model.parameters() if weight.grad is not None]
        norms.append(float(torch.stack(grads).norm()))
        update()

    monkeypatch.setattr(trainer.optimizer, "step", step)
    trainer.train_step(collate(encode_pairs(pairs, tokenizer, 40), tokenizer))
    assert norms == [pytest.approx(0.01, rel=1e-3)]
    assert all(weight.grad is None or not weight.grad.any() for weight in trainer.model.parameters())


def test_weights_are_averaged_over_the_moments_that_were_added():
    layer, average = nn.Linear(2, 1), WeightAverage()
    for value in (1.0, 2.0, 6.0):
        nn.init.constant_(layer.weight, value)
        average.add(layer)
    nn.init.zeros_(layer.weight)
    average.apply_to(layer)
    assert layer.weight.tolist() == [[3.0, 3.0]]


def test_an_average_of_nothing_leaves_the_weights_alone():
    layer = nn.Linear(2, 1)
    before = layer.weight.tolist()
    WeightAverage().apply_to(layer)
    assert layer.weight.tolist() == before


@pytest.mark.parametrize(
    ("part", "count", "moments"), [(0.5, 5, [12, 14, 16, 18, 20]), (0.1, 1, [20]), (1.0, 2, [10, 20]), (0.5, 0, [])]
)
def test_the_moments_of_the_average_are_spread_evenly_over_the_last_part(tokenizer, part, count, moments):
    trainer, added = Trainer(tiny_config(steps=20, average_part=part, average_count=count), tokenizer), []
    for trainer.step in range(1, 21):
        before = trainer.average.count
        trainer.add_to_average()
        added += [trainer.step] * (trainer.average.count - before)
    assert added == moments


def test_a_run_ends_with_a_checkpoint_of_the_averaged_weights(files, tmp_path, capsys):
    run = tmp_path / "runs" / "mine"
    main(flags(run, **files))
    assert capsys.readouterr().out == f"The checkpoint is in {run / 'checkpoint'}.\n"
    loaded, (count, total) = checkpoint.load(str(run / "checkpoint")), state_of(run)["average"]
    for name, weight in loaded.model.named_parameters():
        assert torch.equal(weight, (total[name] / count).half().float()), name
    assert not torch.equal(state_of(run)["model"]["projection.bias"], total["projection.bias"] / count)
    assert loaded.tokenizer.proto == (run / "tokenizer.model").read_bytes()
    assert loaded.translate(["The cat sleeps."])


def test_the_record_tells_how_the_run_went(files, tmp_path, tokenizer, pairs):
    main(flags(tmp_path / "run", data_note="Made up.", **files))
    record = checkpoint.load(str(tmp_path / "run" / "checkpoint")).record
    assert [(d["file"], d["pairs"], d["role"]) for d in record["data"]] == [
        ("all.tsv.gz", 8, "training"),
        ("dev.tsv", 2, "validation"),
    ]
    assert (record["steps"], record["data_note"], record["scores"]) == (8, "Made up.", [])
    assert record["hardware"].startswith("cpu (") and "float32" in record["hardware"]
    pieces = sum(len(tokenizer.encode(pair.tgt)) + 1 for pair in pairs)
    assert record["tokens"] / pieces == pytest.approx(record["epochs"], rel=0.3)


def test_the_log_holds_a_json_line_for_every_few_steps(files, tmp_path):
    main(flags(tmp_path, dev_steps=4, **files))
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    losses = [line for line in lines if "loss" in line]
    assert [line["step"] for line in losses] == [2, 4, 6, 8]
    assert all(line["loss"] > 0 and line["tokens_per_s"] > 0 and line["lr"] >= 0 for line in losses)
    assert [line["step"] for line in lines if "dev_loss" in line] == [4, 8, 8]
    assert lines[-1]["averaged"] == 3 and losses[-1]["lr"] == 0


def test_training_lowers_the_loss(files, tmp_path):
    main(flags(tmp_path, steps=60, peak_lr=1e-2, log_steps=10, dev_steps=1000, **files))
    log = log_of(tmp_path)
    assert log[-2]["loss"] < 0.9 * log[0]["loss"]
    assert log[-1]["dev_loss"] < log[0]["loss"]


def test_an_interrupted_run_ends_exactly_as_an_uninterrupted_one(files, tmp_path, monkeypatch):
    main(flags(tmp_path / "whole", dev_steps=4, **files))
    with monkeypatch.context() as patch:
        call_at(3, lambda: os.kill(os.getpid(), signal.SIGINT), patch)
        message = refusal(*flags(tmp_path / "halved", dev_steps=4, **files))
    assert message.endswith(f"python -m model.train --resume --run {tmp_path / 'halved'}")
    assert state_of(tmp_path / "halved")["position"][0] == 3
    main(shlex.split(message.partition("python -m model.train ")[2]))
    assert_ended_alike(tmp_path / "halved", tmp_path / "whole")


@pytest.mark.parametrize("step", [2, 5, 7, 8])
def test_a_polite_kill_at_any_step_changes_nothing_in_the_end(files, tmp_path, monkeypatch, step):
    main(flags(tmp_path / "whole", **files))
    with monkeypatch.context() as patch, unharmed(signal.SIGTERM):
        call_at(step, lambda: os.kill(os.getpid(), signal.SIGTERM), patch)
        assert "Interrupted" in refusal(*flags(tmp_path / "halved", **files))
    main(["--resume", "--run", str(tmp_path / "halved")])
    assert_ended_alike(tmp_path / "halved", tmp_path / "whole")


def test_a_killed_run_resumes_from_its_last_state_and_writes_the_log_behind_it_anew(files, tmp_path, monkeypatch):
    run, whole = tmp_path / "killed", tmp_path / "whole"
    main(flags(whole, **files))
    with monkeypatch.context() as patch:
        call_at(5, lambda: shutil.copy(run / "state.pt", tmp_path / "earlier"), patch)
        main(flags(run, save_minutes=0, **files))
    (tmp_path / "earlier").replace(run / "state.pt")
    assert state_of(run)["position"][0] == 4
    main(["--resume", "--run", str(run)])
    assert_ended_alike(run, whole)


def test_resuming_a_finished_run_changes_nothing(files, tmp_path):
    main(flags(tmp_path / "once", **files))
    shutil.copytree(tmp_path / "once", tmp_path / "twice")
    main(["--resume", "--run", str(tmp_path / "twice")])
    assert_ended_alike(tmp_path / "twice", tmp_path / "once")


def test_the_signal_handlers_are_given_back_after_an_interruption(files, tmp_path, monkeypatch):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    call_at(1, lambda: os.kill(os.getpid(), signal.SIGINT), monkeypatch)
    refusal(*flags(tmp_path, **files))
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_an_interruption_before_the_first_step_promises_nothing(files, tmp_path, monkeypatch):
    def interrupted(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Tokenizer, "train", interrupted)
    message = refusal(*flags(tmp_path, **files))
    assert "Interrupted" in message and "--resume" not in message


def test_minutes_end_a_run_with_a_saved_model(files, tmp_path):
    main(flags(tmp_path, steps=None, minutes=0.01, **files))
    assert state_of(tmp_path)["position"][4] >= 0.6
    record = checkpoint.load(str(tmp_path / "checkpoint")).record
    assert record["steps"] > 1 and record["log"][-1]["averaged"] >= 1
    assert 0.6 <= record["seconds"] < 30


def test_the_same_seed_gives_the_same_run_and_another_another(files, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        main(flags(tmp_path / name, seed=seed, **files))
    assert_ended_alike(tmp_path / "a", tmp_path / "b")
    assert log_of(tmp_path / "a") != log_of(tmp_path / "c")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"steps": None}, "give either --minutes or --steps"),
        ({"minutes": 1}, "give either --minutes or --steps"),
        ({"pairs": None}, "needs at least one file of sentence pairs (--pairs)"),
        ({"pairs": "nowhere.tsv"}, "nowhere.tsv"),
        ({"dev": "nowhere.tsv"}, "nowhere.tsv"),
        ({"preset": "huge"}, "there is no preset 'huge', only small, base, seed"),
        ({"vocab_size": 5000}, "Vocabulary size"),
        ({"batch_tokens": 39}, "batch_tokens 39 is less than max_pieces 40"),
        ({"precision": "int8"}, "precision must be auto, float32 or bfloat16, not 'int8'"),
        ({"device": "abacus"}, "device 'abacus' cannot be used here"),
        ({"dropout": 1.5}, "dropout must be at least 0 and below 1, not 1.5"),
        ({"max_pieces": 2}, "2"),
    ],
)
@pytest.mark.usefixtures("deadline")
def test_what_cannot_be_trained_is_refused_in_a_sentence(files, tmp_path, changes, sentence):
    message = refusal(*flags(tmp_path / "run", **{**files, **changes}))
    assert message.startswith("python -m model.train: ") and sentence in message
    assert not (tmp_path / "run" / "state.pt").exists()


@pytest.mark.parametrize("content", ["", "The cat sleeps.\n"])
def test_a_file_without_pairs_is_refused_by_name(tmp_path, content):
    (tmp_path / "bad.tsv").write_text(content)
    assert "bad.tsv" in refusal(*flags(tmp_path / "run", pairs=tmp_path / "bad.tsv"))


@pytest.mark.parametrize("name", ["warmup_steps", "log_steps", "dev_steps"])
def test_a_count_of_zero_steps_is_refused_with_its_name(name):
    with pytest.raises(ValueError, match=rf"{name} .*0"):
        tiny_config(**{name: 0})


def test_there_must_be_something_to_resume(tmp_path):
    assert "nothing to resume" in refusal("--resume", "--run", str(tmp_path / "nowhere"))


def test_a_used_folder_is_refused_and_left_as_it_is(files, tmp_path):
    main(flags(tmp_path, **files))
    before = (tmp_path / "log.jsonl").read_text()
    assert "already holds a run: add --resume" in refusal(*flags(tmp_path, **files))
    assert (tmp_path / "log.jsonl").read_text() == before


def test_every_part_of_the_recipe_is_a_flag_with_help(capsys):
    with pytest.raises(SystemExit):
        parse(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for field in fields(TrainConfig):
        assert f"--{field.name.replace('_', '-')} " in shown
        assert field.metadata["help"] in shown


def test_the_defaults_are_the_recipe_of_the_shipped_checkpoint():
    assert config_of(["--pairs", "a.tsv", "--minutes", "1"]) == TrainConfig(pairs=("a.tsv",), minutes=1.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"steps": 5},
        {"minutes": 0.125, "steps": 0, "peak_lr": 3e-4, "seed": 7, "device": "cpu"},
        {"dev": ("d.tsv", "e.tsv.gz"), "data_note": 'It\'s 100 % "made up" & free $HOME; see a.tsv'},
    ],
)
def test_the_recorded_command_gives_the_same_recipe_again(changes):
    config = replace(tiny_config(), **changes)
    words = shlex.split(command(replace(config, pairs=("data/a b.tsv", "c.tsv"))))
    assert words[:3] == ["python", "-m", "model.train"]
    assert config_of(words[3:]) == replace(config, pairs=("a b.tsv", "c.tsv"))
