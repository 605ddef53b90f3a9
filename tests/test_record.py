"""The record of a checkpoint whose training took several runs, and of one that tells little."""

import pytest

from model.record import beginnings, joined_log, runs_of

FIRST = {"command": "first", "steps": 100, "log": [{"step": 50, "loss": 4.0}, {"step": 100, "dev_loss": 3.0}]}
SECOND = {"command": "second", "steps": 20, "log": [{"step": 20, "loss": 2.0}]}
RECORD = {"command": "third", "steps": 5, "log": [{"step": 5, "loss": 1.0}], "scores": [], "before": [FIRST, SECOND]}


def test_runs_come_oldest_first_with_what_is_told_of_each():
    assert runs_of(RECORD) == [FIRST, SECOND, {"command": "third", "steps": 5, "log": [{"step": 5, "loss": 1.0}]}]


def test_each_run_begins_where_the_one_before_ended():
    assert beginnings(RECORD) == [0, 100, 120, 125]


def test_the_logs_are_joined_over_all_steps():
    assert [(line["step"], line.get("loss")) for line in joined_log(RECORD)] == [
        (50, 4.0), (100, None), (120, 2.0), (125, 1.0),
    ]  # fmt: skip
    assert FIRST["log"][0]["step"] == 50 and SECOND["log"][0]["step"] == 20


def test_a_run_that_does_not_say_its_steps_goes_as_far_as_its_log():
    assert beginnings({"steps": 7, "before": [{"log": FIRST["log"]}, {}]}) == [0, 100, 100, 107]


@pytest.mark.parametrize("record", [{}, {"log": None, "before": None}, {"log": [], "steps": 0}])
def test_a_record_without_a_log_is_one_run_without_lines(record):
    assert (len(runs_of(record)), beginnings(record), joined_log(record)) == (1, [0, 0], [])
