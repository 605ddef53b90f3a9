"""What Positions answers: the figures of figures.py and texts of ours as HTML; nothing that the table does not have."""

import json
import re

import pytest
from cases import each_case
from tiny_models import tiny_translator

from explorer.recording.recordings import Recordings
from explorer.tabs.positions import words
from explorer.tabs.positions.answers import TableAnswers, order_section, pieces_section
from explorer.tabs.positions.table import PositionTable
from explorer.ui.glossary import strip_links
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from explorer.ui.prose import folded, markdown_with_html, mathml
from explorer.ui.questions import validated
from model.decoding import Translator


@pytest.fixture(scope="module")
def answers(shipped: Translator) -> TableAnswers:
    return TableAnswers(PositionTable.of(shipped))


def figures(answer: str) -> list[str]:
    return list(json.loads(answer)["figures"])


def test_every_section_has_its_figures_and_a_text(answers):
    table = json.loads(answers.table_section(60, 3, 7))
    assert len(table["figures"]["heatmap"]["data"][0]["z"]) == 60 and "<math><mi>PE</mi>" in table["texts"]["formula"]
    assert figures(answers.waves_section(60, [0, 1])) == ["curves", "wavelengths"]
    assert figures(answers.similarity_section(60, "cosine")) == ["similarity", "similarity-curve"]
    turn = json.loads(answers.turn_section(60, 4, 2, 3))
    assert [*turn["figures"]] == ["turn"] and "<strong>2.5979</strong> radians" in turn["texts"]["error"]


@each_case(
    ("name", "given"),
    [
        ("table_section", [257, 3, 7]),
        ("table_section", [60, 256, 7]),
        ("table_section", [60, 3, 256]),
        ("waves_section", [60, [*range(8)]]),
        ("similarity_section", [60, "size"]),
        ("turn_section", [60, 255, 2, 3]),
        ("turn_section", [60, 4, 2, 0]),
    ],
)
def test_what_the_table_does_not_have_is_refused(answers, name, given):
    with pytest.raises(ValueError, match=r"\."):
        validated(getattr(answers, name))(*given)


def test_without_positions_the_pieces_have_one_strip_and_orders_are_alike(tokenizer):
    recordings = Recordings(tiny_translator(tokenizer, positions="none"))
    pieces = json.loads(pieces_section(recordings, "A dog sees a dog.", "encoder", False))
    assert len(pieces["figures"]["pieces"]["layout"]["annotations"]) == 1
    assert "No position is added" in pieces["texts"]["norms"] and pieces["texts"]["mistake"] == ""
    order = json.loads(order_section(recordings.translator, "a dog sees a cat", "a cat sees a dog"))
    assert len(order["figures"]["order"]["layout"]["annotations"]) == 1


def test_two_orders_are_compared_and_others_refused(shipped):
    order = json.loads(order_section(shipped, "a man sees a dog", "a dog sees a man"))
    assert len(order["figures"]["order"]["data"]) == 2 and "<strong>" in order["texts"]["result"]
    assert json.loads(order_section(shipped, "a man", " "))["figures"] == {}
    with pytest.raises(ValueError, match="must consist of the same pieces"):
        order_section(shipped, "a man", "<b>a</b>")


def test_a_formula_is_mathml():
    assert mathml("k / 10^{2i/d_{model}}") == (
        "<math><mi>k</mi><mo>/</mo><msup><mn>10</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo>"
        "<msub><mi>d</mi><mrow><mi>model</mi></mrow></msub></mrow></msup></math>"
    )
    assert mathml(r"\sqrt{x} = -0.5") == (
        "<math><msqrt><mrow><mi>x</mi></mrow></msqrt></math><wbr><math><mo>=</mo><mn>−0.5</mn></math>"
    )


def test_a_fold_holds_html_or_markdown_below_its_line():
    assert folded("a < b", "<p>x</p>") == (
        '<details class="fold">\n<summary>a &lt; b</summary>\n\n<p>x</p>\n\n</details>'
    )
    assert "<p><strong>x</strong></p>\n</details>" in markdown_with_html(folded("a", "**x**"))


@each_case("language", LANGUAGES)
def test_no_paragraph_about_positions_has_more_than_sixty_words(language):
    with use_language(LanguageContext(language)):
        texts = [words.TABLE, words.WAVES, words.SIMILARITY, words.TURN, words.PIECES, words.ORDER, words.ERROR]
        beyond = [
            words.BEYOND["marked"] + words.BEYOND[kind] + words.BEYOND["try"]
            for kind in ("sinusoidal", "sinusoidal halves", "learned")
        ]
        paragraphs = "\n".join([*(text for kinds in texts for text in kinds.values()), *beyond]).split("\n")
    lengths = {text: len(re.sub(r"\$.*?\$", "", strip_links(text)).split()) for text in paragraphs}
    assert [text for text, length in lengths.items() if length > 60] == []
