"""The view: what may be asked for, and in which words anything else is refused."""

import dataclasses
import json

import pytest

from explorer.attention_view.view import Cell, Heads, Pin, View

EVERYTHING_ELSE = View(
    kind="decoder",
    layer="max",
    head=3,
    second=Heads(0, "mean"),
    step=0,
    pin=Pin("key", 2),
    look="ribbon",
    whole=True,
    scale="auto",
    specials=False,
    transposed=True,
    words=True,
    speed=5,
    cell=Cell(3, 1),
)
REFUSED = [
    ("", "Invalid JSON"),
    ("{", "Invalid JSON"),
    ("null", "should be an object"),
    ("[]", "should be an object"),
    ('"cross"', "should be an object"),
    ('{"colour": 1}', "colour: Unexpected"),
    ('{"kind": "self"}', "kind: Input should be 'encoder', 'decoder' or 'cross'"),
    ('{"kind": null}', "kind: Input should be"),
    ('{"layer": -1}', "layer.*greater than or equal to 0"),
    ('{"layer": "all"}', "layer: Input should be a valid integer or Input should be 'mean' or 'max'"),
    ('{"one\\ntwo": 1}', "one two: Unexpected"),
    ('{"layer": true}', "layer.*valid integer"),
    ('{"layer": null}', "layer.*valid integer"),
    ('{"head": 1.0}', "head.*valid integer"),
    ('{"head": "1"}', "head.*valid integer"),
    ('{"second": 3}', "second: Input should be an object"),
    ('{"second": {"layer": 0}}', "second.head: Field required"),
    ('{"second": {"layer": 0, "head": -1}}', "second.head: Input should be greater than or equal to 0"),
    ('{"second": {"layer": 0, "head": 0, "step": 0}}', "second.step: Unexpected"),
    ('{"step": -1}', "step: Input should be greater than or equal to 0"),
    ('{"step": "3"}', "step: Input should be a valid integer"),
    ('{"pin": {"axis": "row", "index": 0}}', "pin.axis: Input should be 'query' or 'key'"),
    ('{"pin": {"axis": "key", "index": -1}}', "pin.index: Input should be greater"),
    ('{"pin": {"axis": "key"}}', "pin.index: Field required"),
    ('{"cell": {"query": 0}}', "cell.key: Field required"),
    ('{"cell": {"query": 0, "key": -1}}', "cell.key: Input should be greater"),
    ('{"look": "pie"}', "look: Input should be 'heatmap' or 'ribbon'"),
    ('{"scale": "log"}', "scale: Input should be 'fixed', 'row' or 'auto'"),
    ('{"whole": 1}', "whole: Input should be a valid boolean"),
    ('{"specials": "yes"}', "specials: Input should be a valid boolean"),
    ('{"transposed": null}', "transposed: Input should be a valid boolean"),
    ('{"words": 0}', "words: Input should be a valid boolean"),
    ('{"speed": 0}', "speed: Input should be 1, 2, 5, 15 or 60"),
    ('{"speed": "fast"}', "speed: Input should be 1, 2, 5, 15 or 60"),
]


@pytest.mark.parametrize("view", [View(), EVERYTHING_ELSE], ids=["defaults", "everything else"])
def test_a_view_comes_back_as_it_was(view):
    assert View.from_json(view.to_json()) == view


def test_the_second_view_differs_from_the_first_in_everything():
    first, second = dataclasses.asdict(View()), dataclasses.asdict(EVERYTHING_ELSE)
    assert not [name for name in first if first[name] == second[name]]


def test_json_carries_names_and_values_as_they_are():
    assert json.loads(EVERYTHING_ELSE.to_json()) == dataclasses.asdict(EVERYTHING_ELSE)


def test_a_first_visit_sees_the_cross_attention_up_to_the_last_step():
    view = View.from_json("{}")
    assert view == View()
    assert (view.kind, view.head, view.step, view.pin, view.second) == ("cross", "mean", None, None, None)
    assert (view.look, view.scale, view.specials, view.whole) == ("heatmap", "fixed", True, False)
    assert isinstance(view.layer, int) and view.layer >= 1000


def test_what_is_not_said_is_as_on_a_first_visit():
    assert View.from_json('{"kind": "encoder", "speed": 15}') == View(kind="encoder", speed=15)
    assert View.from_json('{"pin": null, "step": null}') == View()


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_view_that_makes_no_sense_is_refused_in_one_sentence(text, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        View.from_json(text)
    message = str(caught.value)
    assert message.startswith("The view cannot be shown: ") and message.endswith(".")
    assert "\n" not in message and len(message) < 150


@pytest.mark.parametrize("wrong", [{"kind": "self"}, {"layer": -1}, {"step": 1.5}, {"speed": 0}, {"whole": None}])
def test_python_cannot_make_such_a_view_either(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        View(**wrong)
