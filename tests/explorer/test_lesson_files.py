"""Files of lessons: what they may say, whichever model it is about, and that a faulty one is refused with its place."""

import os
import re
from pathlib import Path

import pytest
from cases import each_case
from samples import CLAIM, STEP, WHOLE, file

from explorer.drawer.drawer import PANELS
from explorer.lessons.lesson import Check, read_lesson, read_lessons
from explorer.lessons.running import PANEL_IDS, TAB_IDS
from explorer.lessons.url_state import EXPERIMENT_FIELDS, PATCH_FIELDS, VIEW_NAMES, parse_experiment
from explorer.tabs import TABS as PAGE_TABS
from model.errors import UserError

ROOT = Path(__file__).parents[2]
QUESTION = {
    "ask": "Which?",
    "choices": ["dog", "sleeps"],
    "right": 1,
    "when": {"attends": {"word": "Hund", "to": "{choice}"}},
}


@each_case(
    ("change", "refusal"),
    [
        ({"colour": "red"}, "one.yaml: colour: extra inputs are not permitted, not 'red'"),
        ({"title": "A \ud83d"}, "one.yaml: it holds half of a surrogate pair"),
        ({"title": {"de": "Nur eines"}}, "one.yaml: title: .*en"),
        ({"steps": [{"text": "Look."}]}, "one.yaml: steps, number 1, place: field required"),
        ({"steps": [STEP, {**STEP, "place": {"stepp": 1}}]}, "number 2, place: no part of the address is called stepp"),
        ({"steps": [{**STEP, "place": {"whole": False}}]}, 'whole: write "on", "off"'),
        (
            {"steps": [{**STEP, "place": {"change": "off.nowhere"}}]},
            "the change off says nothing understandable: 'nowhere'",
        ),
        (
            {"steps": [{**STEP, "place": {"change": "neuron.decoder.4.542"}}]},
            "the change neuron says nothing understandable: 'decoder.4.542'",
        ),
        (
            {"steps": [{**STEP, "place": {"change": "neuron.decoder.0.542.6"}}]},
            "neurons.0.1: input should be greater than or equal to 0",
        ),
        ({"steps": [{**STEP, "question": QUESTION}]}, "needs a reveal"),
        ({"steps": [{**STEP, "reveal": "So."}]}, "claims something, and needs checks"),
        ({"steps": [{**STEP, "reveal": "More than {x}.", "checks": [CLAIM]}]}, "no check is called x"),
        ({"steps": [{**STEP, "reveal": "So.", "question": {**QUESTION, "right": 3}}]}, "right is 3, but there are 2"),
        (
            {"steps": [{**STEP, "reveal": "So.", "question": {**QUESTION, "when": None}}]},
            "needs a when for all choices",
        ),
        ({"steps": [{**STEP, "checks": [{"translates": None}]}]}, "needs one of translates, same, writes"),
        (
            {"steps": [{**STEP, "reveal": "So.", "checks": [CLAIM], "task": {"do": "Go.", "goal": {"step": 1}}}]},
            "the goal of the task is where the step begins",
        ),
    ],
)
def test_a_faulty_file_is_refused_in_one_sentence_with_its_place(tmp_path, change, refusal):
    with pytest.raises(UserError, match=refusal) as refused:
        read_lesson(file(tmp_path, {**WHOLE, **change}))
    assert "\n" not in str(refused.value) and str(tmp_path) in str(refused.value)


@each_case("text", ["steps: [", "- a\n- b", "!!python/object/apply:os.getcwd []", "title: a\ntitle: b"])
def test_what_is_no_lesson_is_refused(tmp_path, text):
    with pytest.raises(UserError, match=r"one\.yaml: .*[^.]\.$"):
        read_lesson(file(tmp_path, text))


@each_case("make", [os.mkfifo, lambda path: path.write_bytes(bytes(500_000)), lambda path: path.write_bytes(b"\xff")])
def test_a_lesson_is_a_plain_file_of_text_of_a_sane_size(tmp_path, make):
    make(tmp_path / "one.yaml")
    with pytest.raises(
        ValueError,
        match=r"one\.yaml(: line 1 is no text in UTF-8; | is no regular file\.| has 500,000 bytes, and at most)",
    ):
        read_lessons(tmp_path)


def test_a_folder_without_lessons_and_a_name_that_no_link_could_say_are_refused(tmp_path):
    with pytest.raises(UserError, match="there is no lesson here"):
        read_lessons(tmp_path)
    with pytest.raises(UserError, match="small letters"):
        read_lesson(file(tmp_path, WHOLE, "My lesson.1"))


def test_a_lesson_that_was_copied_and_changed_is_read_and_has_a_place(tmp_path):
    file(tmp_path, {**WHOLE, "number": 2}, "a")
    file(tmp_path, {**WHOLE, "number": 1}, "b")
    file(tmp_path, {**WHOLE, "number": 3, "level": "easy"}, "c")
    assert [*read_lessons(tmp_path)] == ["c", "b", "a"]


@each_case(
    ("check", "instead"),
    [
        ({"changing": {}}, "least or most"),
        ({"attends": {"word": "Hund", "kind": "cross", "layer": 4}}, "to, least or most"),
        ({"neuron": {"at": "decoder.4.542"}}, "standing, tokens, least or most"),
        ({"contexts": {"at": "decoder.4.542", "token": "Sie"}}, "least or most"),
    ],
)
def test_a_check_that_would_always_hold_is_refused(check, instead):
    with pytest.raises(ValueError, match=f"needs {instead}: without any it always holds"):
        Check.model_validate(check)


@each_case("head", ["cross.1", "corss.1.1", "cross.0.1"])
def test_what_names_no_head_is_refused_where_the_file_is_read(tmp_path, head):
    check = {"costs": {"head": head, "least": 0}}
    with pytest.raises(ValueError, match=f"number 1, costs, head: .*'{head}' is no KIND.LAYER.HEAD of encoder, dec"):
        read_lesson(file(tmp_path, {**WHOLE, "steps": [{**STEP, "checks": [check]}]}))


def test_tabs_and_panels_are_those_of_the_page():
    assert [*TAB_IDS] == [tab.id for tab in PAGE_TABS]
    assert [*PANEL_IDS] == [panel.name for panel in PANELS]


def test_parts_of_the_address_are_those_of_the_browser():
    view = (ROOT / "explorer/attention_view/view_parts.js").read_text(encoding="utf-8")
    fields = view[view.index("const FIELDS = {") : view.index("export const NAMES")]
    assert {*re.findall(r"^  (\w+)[:,]", fields, re.M)} == {*VIEW_NAMES}
    text = (ROOT / "explorer/changes/experiment_text.js").read_text(encoding="utf-8")
    fields = text[text.index("const FIELDS = {") : text.index("const NAMES")]
    assert {*re.findall(r'\["(\w+)",', fields), *re.findall(r'\w+: \["(\w+)"', fields)} == {
        *EXPERIMENT_FIELDS,
        *PATCH_FIELDS,
    }


def test_an_experiment_is_read_as_the_browser_reads_it():
    neurons = "neuron.decoder.4.542.6.5,encoder.1.1.-5e-7.at3,decoder.4.1.0"
    change = f"off.cross.4.1,encoder.1.8_hidden.2.3_{neurons}_from.A cat.*1*0_cells.encoder.0.1"
    assert parse_experiment({"change": change, "step": "3"}).json() == {
        "off": (("cross", 3, 0), ("encoder", 0, 7)),
        "hidden": (1, 2),
        "neurons": (("decoder", 3, 541, 6.5, None), ("encoder", 0, 0, -5e-7, 2), ("decoder", 3, 0, 0.0, None)),
        "patch": {"sentence": "A cat._*", "heads": (), "cells": (("encoder", -1, 0),)},
    }
