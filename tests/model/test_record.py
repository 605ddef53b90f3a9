"""The record of a checkpoint whose training took several runs, and of one that tells little."""

from cases import each_case

from model.checkpoints.record import joined_log, runs_of, start_steps

FIRST = {"command": "first", "steps": 100, "log": [{"step": 50, "loss": 4.0}, {"step": 100, "dev_loss": 3.0}]}
SECOND = {"command": "second", "steps": 20, "log": [{"step": 20, "loss": 2.0}]}
RECORD = {"command": "third", "steps": 5, "log": [{"step": 5, "loss": 1.0}], "scores": [], "before": [FIRST, SECOND]}


def test_runs_come_oldest_first_with_what_is_told_of_each():
    assert runs_of(RECORD) == [FIRST, SECOND, {"command": "third", "steps": 5, "log": [{"step": 5, "loss": 1.0}]}]


def test_each_run_begins_where_the_one_before_ended():
    assert start_steps(runs_of(RECORD)) == [0, 100, 120]


def test_the_logs_are_joined_over_all_steps():
    assert [(line["step"], line.get("loss")) for line in joined_log(runs_of(RECORD))] == [
        (50, 4.0), (100, None), (120, 2.0), (125, 1.0),
    ]  # fmt: skip
    assert FIRST["log"][0]["step"] == 50 and SECOND["log"][0]["step"] == 20


@each_case(("record", "runs"), [({}, 0), ({"log": []}, 0), ({"steps": 7}, 1), ({"steps": 0, "log": []}, 1)])
def test_a_record_that_tells_little_has_no_lines(record, runs):
    found = runs_of(record)
    assert (len(found), start_steps(found), joined_log(found)) == (runs, [0] * runs, [])
