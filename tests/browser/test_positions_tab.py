"""The Positions tab in a real browser: every figure at full size, and what a visitor's choices change."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect
from reference import tiny_model
from serving import served
from visiting import needs_browser, open_tab, translate, visited

from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from explorer.tabs.positions.pieces import embedded
from explorer.tabs.positions.reordering import reordering
from model.decoding import Translator

pytestmark = needs_browser
SIZES = [(1366, 768), (390, 844)]
FIGURES = ["heatmap", "curves", "wavelengths", "similarity", "similarity-curve", "turn", "pieces", "order"]
SENTENCE = "A dog sees a dog."


def plot(page: Page, name: str):
    return page.locator(f"#positions-{name} .js-plotly-plot")


def opened(page: Page) -> None:
    open_tab(page, "Positions")
    expect(plot(page, "order").locator(".main-svg").first).to_be_visible()


def number(page: Page, label: str):
    return page.get_by_role("spinbutton", name=f"number input for {label}")


@pytest.fixture
def tab(page) -> Page:
    opened(page)
    return page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("which", ["shipped_page", "toy_page"])
def test_every_figure_fills_its_place_on_first_sight(browser, request, which, size):
    for page in visited(browser, request.getfixturevalue(which), *size):
        opened(page)
        for name in FIGURES:
            expect(plot(page, name).locator(".main-svg").first).to_be_visible()
            widths = plot(page, name).evaluate(
                "(node) => [node._fullLayout.width, node.closest('.column').clientWidth]"
            )
            assert 0.8 * widths[1] < widths[0] <= widths[1], name
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_formula_follows_position_and_dimension(tab, shipped):
    number(tab, "Position pos").first.fill("17")
    number(tab, "Dimension").fill("9")
    held = shipped.model.encoder.embedding.positions[17, 9]
    expect(tab.get_by_text("The model's own table holds")).to_contain_text(f"{held:.4f}")


def test_the_pieces_follow_the_sentence_of_explore_also_while_it_is_translated(page, shipped):
    translate(page, SENTENCE)
    opened(page)
    labels = plot(page, "pieces").locator(".ytick")
    pieces = SENTENCE.replace(" ", "")  # each a node of its own
    expect(page.locator("#positions-sentence")).to_contain_text(pieces)
    trace = record(shipped, SENTENCE)
    expect(labels).to_have_text([piece.text for piece in trace.source])
    page.get_by_role("radio", name="German").click()
    expect(labels).to_have_text([piece.text for piece in trace.target])


def test_forgetting_the_factor_shows_how_small_the_embedding_is(tab, shipped):
    sentence = tab.locator(".viewer").get_attribute("data-sentence")
    found = embedded(record_pass(shipped, record(shipped, sentence)), "encoder")
    bare = found.unscaled().norms[0].mean()
    expect(tab.locator("p", has_text="Common mistake")).to_contain_text(f"{bare:.2f} long, beside positions of 11.31")
    tab.get_by_label("Forget the factor").click()
    expect(tab.locator("p", has_text="On average an embedding is")).to_contain_text(
        f"{bare:.2f} long, a position 11.31"
    )


def test_the_experiment_takes_the_visitors_own_sentences(tab, shipped):
    first, second = tab.get_by_label("Sentence", exact=True), tab.get_by_label("The same pieces in another order")
    first.fill("a man sees a dog")
    second.fill("a dog sees a man")
    second.press("Enter")
    found = reordering(shipped, "a man sees a dog", "a dog sees a man")
    told = tab.get_by_text("The largest distance between a piece and itself")
    expect(told).to_contain_text(f"{found.largest(found.ordered):.3g} with positions")
    second.fill("a cat")
    tab.get_by_role("button", name="Compare").click()
    expect(tab.get_by_text("must consist of the same pieces")).to_contain_text("·a ·cat </s>")
    expect(plot(tab, "order")).to_have_count(0)
    second.fill(" ")
    second.press("Enter")
    expect(tab.get_by_text("Type a sentence into both boxes")).to_be_visible()


def test_what_a_visitor_typed_is_shown_as_it_is(tab):
    second = tab.get_by_label("The same pieces in another order")
    second.fill("$$x$$ <b>dog</b> *sees*")
    second.press("Enter")
    told = tab.get_by_text("must consist of the same pieces")
    expect(told).to_be_visible()
    pieces = told.inner_text()
    assert all(sign in pieces for sign in ("<", ">", "</s>")) and told.locator("b, em, .katex").count() == 0


@pytest.fixture(scope="module")
def learned_page(tokenizer) -> Iterator[str]:
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 160}
    yield from served(Translator(tiny_model(positions="learned", **sizes), tokenizer))


def test_learned_positions_show_their_table_and_no_formula(browser, learned_page):
    for page in visited(browser, learned_page):
        opened(page)
        expect(page.get_by_text("the vectors were learned")).to_be_visible()
        expect(plot(page, "wavelengths")).to_have_count(0)
        expect(page.get_by_text("A linear map from a position")).to_be_visible()
        formulas = page.locator(".katex").all_inner_texts()
        assert formulas and not any("sin" in formula for formula in formulas)


def test_a_model_too_short_for_the_examples_still_has_its_tab(browser, tokenizer):
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 5}
    with contextmanager(served)(Translator(tiny_model(**sizes), tokenizer)) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator("#viewer [role=alert]")).to_contain_text("at most 5")
        open_tab(page, "Positions")
        expect(page.locator(".prose").get_by_text("at most 5")).to_be_visible()
        expect(plot(page, "heatmap").locator(".main-svg").first).to_be_visible()
        page.close()
