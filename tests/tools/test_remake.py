"""Making anew what belongs to a checkpoint: what is done is left, what fails is said, what is not true is listed."""

import json
from dataclasses import replace

import pytest

from explorer.experiments.head_measurements import fingerprint
from explorer.experiments.laboratory import Laboratory
from explorer.lessons.running import CheckOutcome, shipped_lessons
from explorer.recording.recordings import Recordings
from model.checkpoints import checkpoint
from model.errors import UserError
from tools import remake
from tools.remake import (
    Job,
    format_report,
    has_findings,
    has_heads,
    run_job,
)

NEEDED = ["--dev", "dev.tsv", "--pairs", "a.tsv", "b.tsv"]


def test_heads_and_findings_are_done_where_they_are_of_this_checkpoint(toy, tmp_path):
    assert not has_heads(tmp_path, toy) and not has_findings(tmp_path / "findings.json", toy)
    (tmp_path / "findings.json").write_text(json.dumps({"model": fingerprint(toy)}), encoding="utf-8")
    assert has_findings(tmp_path / "findings.json", toy)
    (tmp_path / "findings.json").write_text(json.dumps({"model": "another"}), encoding="utf-8")
    (tmp_path / checkpoint.HEADS).write_text("{}", encoding="utf-8")
    assert not has_heads(tmp_path, toy) and not has_findings(tmp_path / "findings.json", toy)


def test_a_job_is_run_unless_it_is_done_and_its_failure_is_told(tmp_path, capfd):
    zen = Job("the rule", ("this",), lambda: False, tmp_path / "zen.txt")
    run_job(zen._replace(is_done=lambda: True))
    assert not (tmp_path / "zen.txt").exists()
    run_job(zen)
    assert (tmp_path / "zen.txt").read_text(encoding="utf-8").startswith("The Zen of Python")
    with pytest.raises(UserError, match=r"the rule could not be made: python -m no\.such\.module ended with 1"):
        run_job(zen._replace(command=("no.such.module",)))
    assert (tmp_path / "zen.txt").read_text(encoding="utf-8").startswith("The Zen of Python")


def test_the_report_lists_what_does_not_hold():
    lessons = shipped_lessons()
    name = next(iter(lessons))
    found = [CheckOutcome(name, 1, "a claim", True, "so"), CheckOutcome(name, 2, "a lie", False, "otherwise")]
    text = format_report(found, lessons)
    assert "a claim" not in text
    assert f"1 of 2 checks do not hold, in 1 steps.\n  {name}, step 2: {lessons[name].sentences[1]}\n    a lie" in text


def test_only_the_report_is_made_where_that_is_asked_for(toy, tmp_path, monkeypatch, capsys):
    checkpoint.save(replace(toy, record={"steps": 1}), tmp_path / "toy")
    checked: list[Laboratory] = []
    monkeypatch.setattr(remake, "run_checks", lambda lessons, laboratory: checked.append(laboratory) or [])
    monkeypatch.setattr(remake, "run_job", lambda job: pytest.fail(job.name))
    words = ["--model", str(tmp_path / "toy"), "--only-report"]
    remake.main([*NEEDED, *words])
    assert "0 of 0 checks do not hold" in capsys.readouterr().out
    assert isinstance(checked[0].recordings, Recordings)
