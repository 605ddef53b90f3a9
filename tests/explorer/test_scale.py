"""The arithmetic of many visitors, and the document that it stands in."""

from math import ceil
from pathlib import Path

import pytest

from explorer.bench.scale import Assumptions, Figures, ends, need, table

ROOT = Path(__file__).parents[2]


def test_the_document_holds_the_table():
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    assert "\n".join(table(Figures(), Assumptions())) in text


@pytest.mark.parametrize("visitors", [1, 1_000, 100_000])
def test_there_is_enough_of_everything_and_nothing_to_spare(visitors):
    measured, assumed = Figures(), Assumptions()
    found = need(visitors, measured, assumed)
    seconds = visitors / (assumed.think_s + assumed.answer_s) * measured.question_s  # of work in a second
    assert found.replicas * assumed.load >= seconds > (found.replicas - 1) * assumed.load
    assert found.small == ceil((found.replicas + found.pages) / 2)
    assert found.rush_mbit > found.steady_mbit


@pytest.mark.parametrize(("part", "cost"), [("the mix", "question_s"), ("translations only", "translation_s")])
def test_so_many_as_a_replica_carries_fill_one_core(part, cost):
    measured, assumed = Figures(), Assumptions()
    crowd = ends(measured, assumed)[f"one replica, {part}"]
    assert crowd / (assumed.think_s + assumed.answer_s) * getattr(measured, cost) == pytest.approx(1)


def test_whoever_comes_needs_more_than_whoever_is_there():
    found = ends(Figures(), Assumptions())
    for part in ("one page's process", "a line of 1 Gbit/s"):
        assert found[f"{part}, all coming within five minutes"] < found[f"{part}, everybody there already"]
