"""The training command: checkpoint, record and log of a run, what it refuses, and its flags."""

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from cases import each_case
from damage import soon
from tiny_training import TINY, flags, refusal, state_of, tiny_config
from tiny_training import files as files
from tiny_training import pairs as pairs
from tiny_training import tiny_preset as tiny_preset
from tiny_training import whole as whole

from model.checkpoints import checkpoint
from model.languages import languages_arguments, languages_of
from model.train import command_line_of, main, parse
from model.training.recipe import TrainConfig

ROOT = Path(__file__).parents[2]


def config_of(words: list[str]) -> TrainConfig:
    options = parse(words)
    values = {field.name: getattr(options, field.name) for field in fields(TrainConfig)}
    return TrainConfig(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def test_a_run_ends_with_a_checkpoint_of_the_averaged_weights(files, tmp_path, capsys):
    run = tmp_path / "runs" / "mine"
    main(flags(run, **files))
    begun, ended = capsys.readouterr().out.splitlines()
    assert begun == "Learning to translate from English to German."
    assert ended == f"The checkpoint is in {run / 'checkpoint'}."
    loaded, (count, total) = checkpoint.load(str(run / "checkpoint")), state_of(run)["average"]
    for name, weight in loaded.model.named_parameters():
        assert torch.equal(weight, (total[name] / count).half().float()), name
    assert not torch.equal(state_of(run)["model"]["projection.bias"], total["projection.bias"] / count)
    assert loaded.tokenizer.proto == (run / "tokenizer.model").read_bytes()
    assert loaded.translate(["The cat sleeps."])


def test_the_record_and_the_card_tell_how_the_run_went(files, tmp_path, tokenizer, pairs):
    weighted = {"pairs": f"{files['pairs']}=2.5", "dev": files["dev"]}
    main(flags(tmp_path / "run", data_note="Made up.", licence="cc0-1.0", **weighted))
    record = checkpoint.load(str(tmp_path / "run" / "checkpoint")).record
    assert record["data"] == [
        {"file": "all.tsv.gz", "pairs": 8, "role": "training", "weight": 2.5},
        {"file": "dev.tsv", "pairs": 2, "role": "validation"},
    ]
    assert (record["steps"], record["data_note"], record["licence"]) == (8, "Made up.", "cc0-1.0")
    assert record["scores"] == []
    assert record["hardware"].startswith("cpu (") and "float32" in record["hardware"]
    pieces = sum(len(tokenizer.encode(pair.tgt)) + 1 for pair in pairs)
    assert record["tokens"] / (2.5 * pieces) == pytest.approx(record["epochs"], rel=0.3)
    card = (tmp_path / "run" / "checkpoint" / "README.md").read_text()
    assert "| all.tsv.gz | 8 | training | 2.5 | 100.0% |" in card and "--pairs all.tsv.gz=2.5" in card


def test_the_log_holds_a_json_line_for_every_few_steps(whole):
    lines = [json.loads(line) for line in (whole / "log.jsonl").read_text().splitlines()]
    losses = [line for line in lines if "loss" in line]
    assert [line["step"] for line in losses] == [2, 4, 6, 8]
    assert all(line["loss"] > 0 and line["tokens_per_s"] > 0 and line["lr"] >= 0 for line in losses)
    assert [line["step"] for line in lines if "dev_loss" in line] == [4, 8, 8]
    assert lines[-1]["averaged"] == 3 and losses[-1]["lr"] == 0


def test_minutes_end_a_run_with_a_saved_model_and_one_within_its_warm_up_says_so(files, tmp_path, capsys):
    # A second goes by with every look at the clock: each step has one, and each validation, after steps 4 and 8.
    main(flags(tmp_path, steps=None, minutes=0.2, **files), clock=itertools.count().__next__)
    record = checkpoint.load(tmp_path / "checkpoint").record
    assert state_of(tmp_path)["position"][4] == record["seconds"] == 12
    assert record["steps"] == 10 and record["log"][-1]["averaged"] >= 1
    main(flags(tmp_path / "short", warmup_steps=9, **files))
    assert "The run ended at step 8 of a warm-up of 9" in capsys.readouterr().out


@each_case(
    ("changes", "sentence"),
    [
        ({"steps": None}, "give one of --minutes, --steps and --tokens, not 0.0, 0 and 0"),
        ({"pairs": None}, "needs at least one file of sentence pairs (--pairs)"),
        ({"pairs": "nowhere.tsv"}, "nowhere.tsv"),
        ({"preset": "huge"}, "there is no preset 'huge', only small, base, seed"),
        ({"vocab_size": 5000}, "tokens: add --vocab-size "),
        ({"vocab_size": 10}, "have so many characters that they need at least 42 tokens: add --vocab-size 42 or more"),
        ({"vocab_size": 3}, "vocab_size: input should be greater than 4, not 3"),
        ({"batch_tokens": 39}, "batch_tokens 39 is less than max_pieces 40"),
        ({"device": "abacus"}, "device 'abacus' cannot be used here"),
        ({"sampled_sources": 0.5}, "sampled_sources 0.5 needs --sampling"),
        ({"clip_norm": "inf"}, "clip_norm: input should be a finite number, not inf"),
        ({"log_steps": 0}, "log_steps: input should be greater than 0"),
        ({"d_ff": -1}, "d_ff: input should be greater than or equal to 0"),
        ({"languages": "fr:French"}, "as in --languages en:English de:German, not 'fr:French'"),
        ({"tidying": "english"}, "tidying: input should be 'en', 'de', 'fr', "),
    ],
)
def test_what_cannot_be_trained_is_refused_in_a_sentence(files, tmp_path, changes, sentence):
    with soon():
        message = refusal(*flags(tmp_path / "run", **{**files, **changes}))
    assert message.startswith("python -m model.train: ") and sentence in message
    assert not (tmp_path / "run" / "state.pt").exists()


@each_case(("changes", "step"), [({"log_steps": 99, "dev_steps": 99}, 8), ({"save_minutes": 1e-9}, 2)])
def test_a_training_that_diverges_ends_with_a_sentence_and_without_a_checkpoint(files, tmp_path, changes, step):
    """However seldom the loss is logged."""
    message = refusal(*flags(tmp_path, peak_lr=1e30, **{**files, **changes}))
    assert message.startswith(f"python -m model.train: the loss is no number at step {step}: ")
    assert "--peak-lr" in message and not (tmp_path / "checkpoint").exists()


def test_the_recorded_command_gives_the_same_recipe_again():
    note = 'It\'s 100 % "made up" & free $HOME; see a.tsv'
    config = tiny_config(joined=0.1, moments=True, dev=("d.tsv", "e.tsv.gz"), data_note=note)
    words = shlex.split(command_line_of(replace(config, pairs=("data/a b.tsv", "c.tsv"))))
    assert words[:5] == ["python", "-m", "model.train", "--run", "runs/mine"]
    assert config_of(words[3:]) == replace(config, pairs=("a b.tsv", "c.tsv"))


def test_a_run_that_starts_from_a_checkpoint_tells_of_the_runs_before_it(files, whole, tmp_path):
    main(flags(tmp_path / "second", start=whole / "checkpoint", vocab_size=None, steps=6, **files))
    last = {"start": tmp_path / "second" / "checkpoint", "vocab_size": None, "steps": 20}
    main([*flags(tmp_path / "third", **last, **files), "--moments"])
    first, third = (checkpoint.load(run / "checkpoint").record for run in (whole, tmp_path / "third"))
    assert [run["steps"] for run in third["before"]] == [8, 6]
    told = third["before"][0]
    assert {name: first[name] for name in told} == told
    assert {"command", "hardware", "tokens", "seconds", "log"} <= told.keys()
    assert third["steps"] == 20
    # Moments count the steps of all runs: the start, and the next of 10, 20, 50, ...
    moments = sorted(path.name for path in (tmp_path / "third" / "moments").iterdir())
    assert moments == ["0000014", "0000020"]
    record = checkpoint.load(str(tmp_path / "third" / "moments" / "0000014")).record
    told = {"steps": 14, "tokens": sum(run["tokens"] for run in third["before"])}
    assert record == {**told, "languages": first["languages"], "tidying": "en"}


FRENCH_TO_DUTCH = ["--languages", "fr:French", "nl:Dutch"]


def test_a_run_tells_its_languages_in_the_record_the_card_and_its_moments(files, tmp_path, capsys):
    main([*flags(tmp_path, **files), *FRENCH_TO_DUTCH, "--moments"])
    assert "Learning to translate from French to Dutch." in capsys.readouterr().out
    for folder in (tmp_path / "checkpoint", tmp_path / "moments" / "0000000"):
        translator = checkpoint.load(folder)
        assert languages_arguments(translator.languages) == ("fr:French", "nl:Dutch")
        assert translator.tidy("Ça va?") == "Ça va ?"
        card = (folder / "README.md").read_text(encoding="utf-8")
        assert "# French to Dutch" in card and "language:\n- fr\n- nl\n" in card
        assert not {"English", "German"} & {*re.findall(r"\w+", card)}
    assert "--languages fr:French nl:Dutch" in (tmp_path / "checkpoint" / "README.md").read_text(encoding="utf-8")


def test_a_run_goes_on_between_the_languages_of_its_start_and_by_its_rules_unless_told_others(files, tmp_path):
    main([*flags(tmp_path / "first", steps=2, **files), *FRENCH_TO_DUTCH, "--tidying", "none"])
    start = {"start": tmp_path / "first" / "checkpoint", "vocab_size": None, "steps": 2}
    main(flags(tmp_path / "second", **start, **files))
    main(["--resume", "--run", str(tmp_path / "second")])
    main([*flags(tmp_path / "other", **start, **files), "--languages", "de:German", "pt-BR:Brazilian Portuguese"])
    records = [checkpoint.load(tmp_path / run / "checkpoint").record for run in ("second", "other")]
    assert [(*languages_arguments(languages_of(record)), record["tidying"]) for record in records] == [
        ("fr:French", "nl:Dutch", "none"),
        ("de:German", "pt-BR:Brazilian Portuguese", "de"),
    ]
    assert [run["steps"] for run in records[0]["before"]] == [2]


@pytest.mark.thorough
def test_umlauts_of_the_command_line_come_through_where_the_machine_knows_ascii_alone(files, tmp_path):
    named = tmp_path / "schläft.tsv.gz"
    named.write_bytes(files["pairs"].read_bytes())
    worker = (
        f"import sys; from model.config import PRESETS; PRESETS['tiny'] = {TINY}; from model.train import main; main()"
    )
    words = [*flags(tmp_path / "run", **{**files, "pairs": named}), "--data-note", "Wer schläft, sündigt nicht."]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = subprocess.run([sys.executable, "-c", worker, *words], cwd=ROOT, env=environment, capture_output=True)
    assert ended.returncode == 0, ended.stderr.decode()
    record = checkpoint.load(tmp_path / "run" / "checkpoint").record
    assert (record["data_note"], record["data"][0]["file"]) == ("Wer schläft, sündigt nicht.", "schläft.tsv.gz")
    assert "schläft.tsv.gz" in record["command"]
    card = (tmp_path / "run" / "checkpoint" / "README.md").read_text(encoding="utf-8")
    assert "sündigt" in card and "schläft.tsv.gz" in card
