"""Lessons: what they claim is true of the shipped model, what is not is told, and each has its checkpoint.

Words, numbers, layers and heads here are the shipped checkpoint's; what holds of any is in test_lesson_files.py.
"""

import json
import sys
from dataclasses import replace

import pytest
from cases import each_case, sweep
from samples import CLAIM, STEP, WHOLE, file

from explorer.experiments.experiment import Experiment
from explorer.experiments.laboratory import Laboratory
from explorer.experiments.ranking import all_heads
from explorer.experiments.running import run
from explorer.lessons.__main__ import main
from explorer.lessons.claims import CheckContext
from explorer.lessons.lesson import Check, Step, read_lesson
from explorer.lessons.running import (
    available_lessons,
    is_shipped,
    lessons_for,
    read_folder_once,
    require_claims_hold,
    run_checks,
    run_step_checks,
    shipped_lessons,
)
from explorer.page.page import lesson_data
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.tabs.lessons.tab import lessons_tab
from model.errors import UserError


@pytest.fixture(scope="module")
def laboratory(shipped) -> Laboratory:
    return Laboratory(Recordings(shipped))


@pytest.mark.parametrize("name", sweep(shipped_lessons(), "clause", "article", "order"))
def test_what_a_lesson_claims_is_true_of_the_shipped_model(laboratory, name):
    found = list(run_checks({name: shipped_lessons()[name]}, laboratory))
    assert len(found) >= 12 and [outcome for outcome in found if not outcome.holds] == []


# Every check: one claim that holds of the shipped model, and one that does not.
HOLDS_AND_LIES = [
    ({"translates": {"is": "Der Mann sah den Hund."}}, {"translates": {"has": ["Katze"]}}),
    ({"translates": {"lacks": ["Katze"]}}, {"translates": {"lacks": ["Hund"]}}),
    (
        {
            "translates": {
                "sentence": "The old woman is sitting on a bench in the park and reading a newspaper.",
                "under": {"change": "decoder.off"},
                "has": ["Die Die alte"],
            }
        },
        {
            "translates": {
                "sentence": "The old woman is sitting on a bench in the park and reading a newspaper.",
                "under": {"change": "encoder.off"},
                "has": ["Die Die alte"],
            }
        },
    ),
    (
        {"same": {"other": "The dog saw the man.", "under": {"change": "encoder.off"}}},
        {"same": {"other": "The dog saw the man."}},
    ),
    ({"writes": {"step": 2, "word": "Mann"}}, {"writes": {"step": 99, "word": "Mann"}}),
    ({"pieces": {"word": "Mann", "count": 1}}, {"pieces": {"word": "Mann", "count": 2}}),
    ({"attends": {"word": "Hund", "to": "dog", "least": 0.5}}, {"attends": {"word": "Hund", "to": "man"}}),
    ({"attends": {"word": "Hund", "to": "man", "most": 0.2}}, {"attends": {"word": "Hund", "to": "dog", "most": 0.2}}),
    ({"needs": {"word": "Hund", "of": "dog"}}, {"needs": {"word": "Hund", "of": "man"}}),
    ({"costs": {"head": "cross.1.1", "least": -9}}, {"costs": {"head": "cross.1.1", "least": 9}}),
    ({"attends": {"word": "Mann", "least": 0.1}}, {"attends": {"word": "Katze", "to": "dog"}}),
    ({"neuron": {"at": "encoder.1.82", "tokens": ["an"]}}, {"neuron": {"at": "encoder.1.82", "standing": "perhaps"}}),
    ({"neuron": {"at": "encoder.1.82", "least": 0.9}}, {"neuron": {"at": "encoder.1.614", "least": 0}}),
    (
        {"contexts": {"at": "encoder.1.614", "token": "school", "least": 8}},
        {"contexts": {"at": "encoder.1.614", "token": "school", "ranges": ["strong"], "least": 1}},
    ),
    (
        {"fires": {"at": "decoder.4.542", "sentence": "She reads a book.", "least": 3}},
        {"fires": {"at": "decoder.4.542", "sentence": "Where do you live?", "least": 0.1}},
    ),
]


@each_case(("holds", "lies"), HOLDS_AND_LIES)
def test_a_check_holds_where_it_is_true_and_fails_where_it_is_not(laboratory, holds, lies):
    context = CheckContext(laboratory, "The man saw the dog.")
    assert Check.model_validate(holds).evaluate(context).holds is True
    assert Check.model_validate(lies).evaluate(context).holds is False


def test_the_heads_that_change_a_translation_are_counted(toy):
    text, heads = "Cold", all_heads(toy.model.config)
    changed = [run(toy, text, Experiment(off=(head,))).translation for head in heads]
    unchanged = record(toy, text).translation
    n_changing = sum(translation != unchanged for translation in changed)
    context = CheckContext(Laboratory(Recordings(toy)), text)
    for least in (n_changing, n_changing + 1):
        found = Check.model_validate({"changing": {"least": least}}).evaluate(context)
        assert (found.holds, found.actual) == (least == n_changing, f"{n_changing} of {len(heads)}")


@each_case(
    ("check", "sentence"),
    [
        ({"attends": {"word": "Hund", "to": "dog", "layer": 9}}, "attends, layer: there is no 9; layers of the cross"),
        ({"attends": {"word": "Hund", "to": "dog", "piece": 9}}, "attends, piece: there is no 9; tokens of “Hund”: 1"),
        ({"costs": {"head": "cross.1.9", "most": 9}}, "costs, head: cross.1.9, head: there is no 9"),
        ({"fires": {"at": "decoder.4.9999", "least": 0}}, "at: decoder.4.9999, neuron: there is no 9999; neurons of a"),
        (
            {"neuron": {"at": "encoder.5.1", "least": 0}},
            "at: encoder.5.1, layer: there is no 5; layers of the enc",
        ),
    ],
)
def test_a_place_that_the_model_does_not_have_is_said_and_makes_no_choice_wrong(laboratory, check, sentence):
    context = CheckContext(laboratory, "The man saw the dog.")
    with pytest.raises(UserError, match=sentence):
        Check.model_validate(check).claim.evaluate(context)
    question = {"ask": "?", "choices": [{"text": "a", "when": CLAIM}, {"text": "b", "when": check}], "right": 1}
    step = Step.model_validate({**STEP, "question": question, "reveal": "So.", "checks": [check]})
    found = [result for _, result in run_step_checks(step, context)]
    assert [result.holds for result in found] == [False, True, False] and sentence in found[2].actual


def test_the_wrong_choice_called_right_is_a_lie(laboratory):
    step = shipped_lessons()["clause"].steps[0]
    assert step.question
    lying = step.model_copy(update={"question": step.question.model_copy(update={"right": 1})})
    wrong = [
        claim
        for claim, result in run_step_checks(lying, CheckContext(laboratory, shipped_lessons()["clause"].sentence))
        if not result.holds
    ]
    assert len(wrong) == 2 and "“bought” is right" in wrong[0] and "“yesterday” is wrong" in wrong[1]


def test_the_shipped_lessons_belong_to_the_shipped_checkpoint(shipped, toy, tmp_path):
    ours, other = AppContext(Recordings(shipped), None), AppContext(Recordings(toy), None)
    assert is_shipped(ours) and next(iter(lessons_for(ours))) == "clause"
    assert not is_shipped(other) and lessons_for(other) == {}
    file(tmp_path, WHOLE)
    assert [*lessons_for(replace(other, lessons=tmp_path))] == ["one"]


@each_case(
    ("parts", "sentence"),
    [
        ({"step": "007"}, "step: there is no '007'; it goes from 1 to 5"),
        ({"kind": "encoder", "head": "most"}, "head: there is no 'most'; it goes from 1 to 8"),
        ({"kind": "self"}, "kind: there is no 'self', only encoder, decoder, cross"),
        ({"tab": "what-if"}, "tab: there is no 'what-if', only explore, whole, positions, lessons"),
        ({"drawer.panel": "nosuch"}, "drawer.panel: there is no 'nosuch', only heads, hide, fork"),
        ({"whole.at": "decoder.4.feed.3073"}, "whole.at, neuron: there is no 3073; neurons of a layer: 3072"),
    ],
)
def test_a_place_and_a_goal_that_are_not_there_are_findings(tmp_path, laboratory, parts, sentence):
    task = {"task": {"do": "Go.", "goal": parts}, "reveal": "So.", "checks": [CLAIM]}
    for steps, called in (([{**STEP, **task}], "goal"), ([STEP, {**STEP, "place": parts}], "place")):
        lesson = read_lesson(file(tmp_path, {**WHOLE, "steps": steps}))
        found = [outcome for outcome in run_checks({"one": lesson}, laboratory) if not outcome.holds]
        assert [(outcome.step, outcome.claim.split()[0]) for outcome in found] == [(len(steps), called)]
        assert found[0].actual.startswith(sentence)
        with pytest.raises(UserError, match=f"step {len(steps)}: this does not hold: {called} "):
            require_claims_hold(tmp_path, laboratory)
        read_folder_once.cache_clear()  # the next file has the same folder


def test_a_lesson_through_a_tab_that_is_away_has_a_card_and_cannot_be_begun(shipped, tmp_path):
    file(tmp_path, WHOLE)
    away = {**WHOLE, "steps": [{**STEP, "place": {"tab": "whole"}}]}
    (tmp_path / "two.yaml").write_text(json.dumps(away), encoding="utf-8")
    app = replace(AppContext(Recordings(shipped), None), lessons=tmp_path, absent_tabs={"whole"})
    assert {*available_lessons(app)} == {"one"} and {*lessons_for(app)} == {"one", "two"}
    (lessons,) = lessons_tab(app)
    cards = lessons.settings["cards"]
    assert {card["name"]: card["away"] for card in cards} == {"one": False, "two": True}
    assert [lesson["name"] for lesson in lesson_data(app)] == ["one"]


def test_the_command_ends_with_1_where_a_lesson_lies(tmp_path, monkeypatch, capsys):
    file(tmp_path, {**WHOLE, "steps": [{**STEP, "checks": [{"writes": {"step": 1, "word": "Katze"}}]}]})
    monkeypatch.setattr(sys, "argv", ["python -m explorer.lessons", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1 and "1 of them do not hold" in capsys.readouterr().out
