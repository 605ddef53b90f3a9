"""A training from its first update to its last, and the checkpoint it leaves."""

import json

import pytest

from explorer.toys import recipe, training_loop
from explorer.toys.__main__ import main, parse, parse_assignment
from explorer.toys.recipe import ToyConfig
from explorer.toys.tasks import is_held_out
from explorer.toys.toy_trainer import ToyTrainer
from explorer.toys.training_loop import Assignment, TrainingLoop
from explorer.toys.training_record import training_command
from model.checkpoints import checkpoint
from model.checkpoints.record import Record


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
    timed(given(tmp_path), told.append, seconds=0.5).run()
    assert [(report.step, report.state) for report in told] == [
        (0, "learning"),
        (1, "learning"),
        (2, "learning"),
        (3, "finished"),
    ]


def test_it_ends_when_it_has_reached_what_it_was_for(tmp_path, monkeypatch):
    monkeypatch.setattr(recipe, "GOAL_ACCURACY", 0.0)
    assert TrainingLoop(given(tmp_path), lambda report: None).run().why == "reached"


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


def test_an_end_is_an_end(tmp_path):
    loop = TrainingLoop(given(tmp_path), lambda report: None)
    loop.commands.set("end")
    loop.commands.set("go on")
    assert loop.run().why == "ended"


def test_its_checkpoint_loads_and_tells_how_it_came_about(tmp_path):
    loop = timed(given(tmp_path / "toy", seconds=0.55), lambda report: None)
    last = loop.run()
    translator = checkpoint.load(tmp_path / "toy")
    assert translator.languages == loop.trainer.task.languages
    assert translator.translate(["1 2 3"])[0].replace(" ", "").isdigit()
    record = Record.model_validate_json((tmp_path / "toy" / "training.json").read_text(encoding="utf-8"))
    assert [line.step for line in record.log] == [3, 3, 6, 6]
    assert record.command == training_command(loop.assignment.config) and record.steps == 6
    assert record.examples[0] == loop.trainer.task.example and all(map(is_held_out, record.examples))
    assert json.loads(record.scores[0].model_dump_json())["accuracy"] == round(100 * last.right, 1)


def test_its_card_says_how_much_is_right(tmp_path):
    timed(given(tmp_path, seconds=0.25), lambda report: None).run()
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "wholly right, %" in card and "copy, held out" in card and "0.0" in card


def test_the_recorded_command_trains_the_same_toy(tmp_path):
    config = ToyConfig(task="dates", layers=3, heads=4, positions=False, seed=7)
    name, *flags = training_command(config).removeprefix("python -m explorer.toys ").split()
    assert parse_assignment(parse([name, *flags]), str(tmp_path)).config == config


def test_the_command_prints_how_it_goes_and_saves(tmp_path, capsys):
    main(["copy", "--layers", "1", "--heads", "1", "--seconds", "0.01", "--save", str(tmp_path / "kept")])
    printed = capsys.readouterr().out
    assert "95 %: never" in printed and "(time)" in printed and "step     0" in printed
    checkpoint.load(tmp_path / "kept")


def test_the_command_refuses_what_there_is_not():
    with pytest.raises(SystemExit, match=r"--layers.*less than or equal to 3.*not 9"):
        main(["copy", "--layers", "9"])
