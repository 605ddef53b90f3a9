"""The arithmetic of many visitors, and the document that it stands in."""

from math import ceil
from pathlib import Path

import pytest

from explorer.bench.scale import Assumptions, Figures, ends, need, table

ROOT = Path(__file__).parents[2]


def test_the_document_holds_the_table():
    text = (ROOT / "assets" / "scale.md").read_text(encoding="utf-8")
    assert "\n".join(table(Figures(), Assumptions())) in text


@pytest.mark.parametrize("visitors", [1, 1_000, 100_000])
def test_there_is_enough_of_everything_and_nothing_to_spare(visitors):
    measured, assumed = Figures(), Assumptions()
    found = need(visitors, measured, assumed)
    seconds = visitors / (assumed.think_s + assumed.answer_s) * measured.translation_s  # of work in a second
    assert found.replicas * assumed.load >= seconds > (found.replicas - 1) * assumed.load
    assert found.small == ceil((found.replicas + found.pages) / 2)
    assert found.rush_mbit > found.steady_mbit


def test_what_carries_fewest_is_what_breaks_first():
    measured, assumed = Figures(), Assumptions()
    for carried in ends(measured, assumed).values():
        assert carried > 0
    crowd = round(ends(measured, assumed)["one replica, one core"])
    seconds = crowd / (assumed.think_s + assumed.answer_s) * measured.translation_s
    assert seconds == pytest.approx(1, rel=0.01)
