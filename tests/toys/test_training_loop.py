"""What a toy learns, from its first update to its last, how it is examined, and the checkpoint it leaves."""

import json

import pytest
import torch

from explorer.toys import recipe, training_loop
from explorer.toys.__main__ import main, parse, parse_assignment
from explorer.toys.progress import example_attention, make_report
from explorer.toys.recipe import ToyConfig, learning_rate
from explorer.toys.tasks import is_held_out
from explorer.toys.toy_trainer import ToyTrainer, training_command
from explorer.toys.training_loop import Assignment, TrainingLoop
from model.checkpoints import checkpoint
from model.checkpoints.record import Record
from model.training.data import Pair


def given(folder, **more) -> Assignment:
    return Assignment(config=ToyConfig(task="copy", layers=1, heads=1), folder=folder, threads=1, **more)


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """A test after every third update, or after each where it takes long."""
    monkeypatch.setattr(recipe, "REPORT_STEPS", 1)
    monkeypatch.setattr(recipe, "TEST_STEPS", 3)


def timed(given: Assignment, tell, seconds: float = 0.1) -> TrainingLoop:
    """A loop in which an update takes so many seconds, and nothing else takes any."""
    loop = TrainingLoop(given, tell)
    loop.clock = lambda: seconds * loop.trainer.step
    return loop


def test_it_ends_when_its_time_is_over(tmp_path):
    told = []
    last = timed(given(tmp_path, seconds=0.85), told.append).run()
    assert (last.state, last.why, last.step, last.seconds) == ("finished", "time", 9, 0.9)
    assert [report.number for report in told] == [1, 2, 3, 4] and told[-1] == last
    assert [report.saved for report in told] == [False, False, False, True]
    assert told[0].loss is None and told[1].loss > 0


def test_where_updates_take_long_it_reports_between_two_tests_and_ends_at_one(tmp_path, monkeypatch):
    monkeypatch.setattr(recipe, "GOAL_ACCURACY", 0.0)
    told = []
    assert timed(given(tmp_path), told.append, seconds=0.5).run().why == "reached"
    assert [(report.step, report.state) for report in told] == [
        (0, "learning"),
        (1, "learning"),
        (2, "learning"),
        (3, "finished"),
    ]


def test_it_ends_when_it_has_taken_too_much_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(training_loop, "MAX_MEMORY_BYTES", 1)
    assert TrainingLoop(given(tmp_path), lambda report: None).run().why == "memory"


def test_stopped_for_too_long_it_ends(tmp_path):
    loop = TrainingLoop(given(tmp_path, idle=0.01), lambda report: None)
    loop.commands.set("stop")
    assert loop.run().why == "idle"


def test_stopped_and_gone_on_it_learns_the_same(tmp_path):
    told = []

    def tell(report):
        told.append(report)
        if report.state == "stopped":
            loop.commands.set("go on")
        elif report.step == 6 and len(told) == 3:
            loop.commands.set("stop")

    loop = timed(given(tmp_path, seconds=1.15), tell)
    loop.run()
    assert [report.state for report in told[:5]] == ["learning"] * 3 + ["stopped", "learning"]
    alone = ToyTrainer(loop.assignment.config)
    losses = [alone.train_step() for _ in range(9)]
    assert told[4].step == 9 and told[4].loss == sum(losses[6:]) / 3
    assert told[4].test_loss == alone.evaluate().loss


def test_its_checkpoint_loads_and_tells_how_it_came_about(tmp_path):
    loop = timed(given(tmp_path / "toy", seconds=0.55), lambda report: None)
    last = loop.run()
    translator = checkpoint.load(tmp_path / "toy")
    assert translator.languages == loop.trainer.task.languages
    assert translator.translate(["1 2 3"])[0].replace(" ", "").isdigit()
    record = Record.model_validate_json((tmp_path / "toy" / "training.json").read_text(encoding="utf-8"))
    assert [line.step for line in record.log] == [3, 3, 6, 6]
    assert record.command == training_command(loop.assignment.config) and record.steps == 6
    card = (tmp_path / "toy" / "README.md").read_text(encoding="utf-8")
    assert "wholly right, %" in card and "copy, held out" in card and "0.0" in card
    assert record.examples[0] == loop.trainer.task.example and all(map(is_held_out, record.examples))
    assert json.loads(record.scores[0].model_dump_json())["accuracy"] == round(100 * last.right, 1)


def test_the_recorded_command_trains_the_same_toy(tmp_path):
    config = ToyConfig(task="dates", layers=3, heads=4, positions=False, seed=7)
    name, *flags = training_command(config).removeprefix("python -m explorer.toys ").split()
    assert parse_assignment(parse([name, *flags]), str(tmp_path)).config == config


def test_the_command_prints_how_it_goes_and_saves(tmp_path, capsys):
    main(["copy", "--layers", "1", "--heads", "1", "--seconds", "0.01", "--save", str(tmp_path / "kept")])
    printed = capsys.readouterr().out
    assert "95 %: never" in printed and "(time)" in printed and "step     0" in printed
    checkpoint.load(tmp_path / "kept")


def taught(steps: int, **config) -> ToyTrainer:
    trainer = ToyTrainer(ToyConfig(**config))
    for _ in range(steps):
        trainer.train_step()
    return trainer


@pytest.fixture(scope="module")
def reverser() -> ToyTrainer:
    """One layer, one head: enough to reverse two of three rows of digits after some seconds."""
    return taught(200, task="reverse", layers=1, heads=1)


@torch.inference_mode()
def looked_at(trainer: ToyTrainer) -> list[tuple[int, int, int]]:
    """For every target piece of the test: its place, how many there are, and the source piece it looked at most."""
    rows = []
    for pair in trainer.task.test(40):
        batch = trainer.collate_pairs([pair])
        weights = trainer.model(batch.src, batch.tgt_in).cross_attention[-1][0].mean(dim=0)
        n = len(pair.src.split())
        rows += [(t, n, int(weights[t].argmax())) for t in range(n)]
    return rows


def test_reversing_looks_along_the_other_diagonal(reverser):
    rows = looked_at(reverser)
    assert sum(most == n - 1 - t for t, n, most in rows) > 0.75 * len(rows)
    assert sum(most == t for t, n, most in rows) < 0.3 * len(rows)


def test_a_test_counts_what_greedy_decoding_gets_wholly_right(reverser):
    test = reverser.task.test(recipe.TEST_PAIRS)
    written = reverser.translator.translate([pair.src for pair in test])
    right = [pair.tgt == said for pair, said in zip(test, written, strict=True)]
    metrics = reverser.evaluate()
    assert 0.4 < metrics.right == sum(right) / len(right) < 1
    assert metrics.right < metrics.pieces_right < 1


def test_the_same_choices_give_the_same_numbers():
    trainers = (ToyTrainer(ToyConfig(task="sort", seed=seed)) for seed in (5, 5, 6))
    one, other, third = ([trainer.train_step() for _ in range(3)] for trainer in trainers)
    assert one == other != third


def test_a_test_changes_nothing_of_what_is_learnt():
    one, other = ToyTrainer(ToyConfig()), ToyTrainer(ToyConfig())
    one.train_step()
    other.train_step()
    one.evaluate()
    example_attention(one)
    assert one.train_step() == other.train_step()


def test_without_positions_the_order_of_a_question_makes_no_difference():
    trainer = taught(5, task="copy", positions=False)
    batch = trainer.collate_pairs([Pair("1 2 3 4", "1"), Pair("3 1 4 2", "1")])
    with torch.inference_mode():
        logits = trainer.model(batch.src, batch.tgt_in).logits
    assert torch.allclose(logits[0], logits[1], atol=1e-5)
    with_positions = ToyTrainer(ToyConfig(task="copy"))
    with torch.inference_mode():
        logits = with_positions.model(batch.src, batch.tgt_in).logits
    assert not torch.allclose(logits[0], logits[1], atol=1e-2)


def test_what_is_seen_has_a_row_for_every_piece_fed():
    heads = 3
    trainer = ToyTrainer(ToyConfig(task="dates", layers=3, heads=heads))
    told = make_report(trainer, trainer.evaluate(), number=1, state="learning", seconds=0.0, loss=None)
    example = told.seen
    assert example.source == ["9", "May", "1984", "</s>"]
    assert example.fed == ["<s>", *"1984-05-09"] and example.right == [*"1984-05-09", "</s>"]
    assert len(example.predicted) == len(example.fed)
    for kind, queries, keys in (("encoder", 4, 4), ("decoder", 11, 11), ("cross", 11, 4)):
        weights = torch.tensor(example.weights[kind])
        assert weights.shape == (3, heads, queries, keys)
        assert torch.allclose(weights.sum(dim=-1), torch.ones(()), atol=0.01)
    assert type(told).model_validate_json(told.model_dump_json()) == told


def test_the_rate_rises_and_falls():
    rates = [learning_rate(step) for step in range(400)]
    assert max(rates) == rates[recipe.WARMUP_STEPS - 1] == recipe.PEAK_LR
    assert rates[:100] == sorted(rates[:100]) and rates[99:] == sorted(rates[99:], reverse=True)
