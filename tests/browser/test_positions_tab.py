"""The Positions tab in a real browser: every figure at full size, and what a visitor's choices change."""

import re
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from reference import tiny_model
from serving import served
from visiting import (
    ask,
    chips,
    named,
    needs_browser,
    open_tab,
    visited,
)

from explorer.recording.trace import record
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = "A dog sees a dog."


def plot(page: Page, name: str):
    return page.locator(f"#positions [data-figure={name}].js-plotly-plot")


def opened(page: Page) -> None:
    open_tab(page, "Positions")
    expect(plot(page, "order").locator(".main-svg").first).to_be_visible()


def slider(page: Page, label: str):
    return page.get_by_role("slider", name=label, exact=True)


@pytest.fixture
def tab(shared_page) -> Page:
    opened(shared_page)
    return shared_page


def test_every_choice_comes_back_from_the_address(browser, shipped_page):
    parts = {
        "length": "40",
        "position": "17",
        "dimension": "9",
        "dimensions": "5.250",
        "measure": "cosine",
        "pair": "8",
        "start": "4",
        "distance": "7",
        "side": "decoder",
        "forget": "1",
        "first": "a man sees a dog",
        "second": "a dog sees a man",
    }
    link = f"{shipped_page}?tab=positions&{urlencode({f'positions.{name}': text for name, text in parts.items()})}"
    for page in visited(browser, link):
        expect(page.locator("#positions").get_by_text("PE").last).to_be_attached()
        for name in ("length", "position", "dimension", "pair", "start", "distance", "first", "second"):
            expect(page.locator(f"#positions [name={name}]")).to_have_value(parts[name])
        for name in ("cosine", "German", "Forget the factor"):
            expect(page.locator("#positions").get_by_label(name)).to_be_checked()
        expect(page.locator("#positions .dimensions button")).to_have_text(["5", "250"])
        expect(plot(page, "order").locator(".ytick").nth(1)).to_have_text("·man")
        expect(plot(page, "order").locator(".xtick").nth(1)).to_have_text("·dog")
        similarity = "document.querySelector('#positions [data-figure=similarity]')"
        page.wait_for_function(f"{similarity}.data?.[0].z.length === 40")
        expect(page.locator(".notice:visible")).to_have_count(0)
        page.reload()
        expect(page.locator("#positions [name=pair]")).to_have_value("8")


def test_the_formula_follows_position_and_dimension(tab, shipped):
    slider(tab, "Position").first.fill("17")
    slider(tab, "Dimension").fill("9")
    held = shipped.model.encoder.embedding.positions[17, 9]
    expect(tab.get_by_text("The model's own table holds")).to_contain_text(f"{held:.4f}".replace("-", "−"))


def test_dimensions_are_added_and_left_out_seven_at_most(tab):
    chosen, more = tab.locator(".dimensions button"), tab.get_by_label("Add a dimension")
    chosen.filter(has_text="128").click()
    for dimension in ("200", "7", "9"):
        more.select_option(dimension)
    expect(chosen).to_have_text(["0", "1", "32", "33", "200", "7", "9"])
    expect(more).to_be_disabled()
    names = tab.locator("#positions [data-figure=curves] .legendtext")
    expect(names.nth(4)).to_contain_text("dimension 200: a turn in")
    expect(names).to_have_count(7)
    expect(tab).to_have_url(re.compile(r"positions\.dimensions=0\.1\.32\.33\.200\.7\.9"))


def test_of_many_changes_the_last_one_is_shown_and_none_is_asked_for(tab):
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.post_data or ""))
    length = slider(tab, "Positions shown")
    length.evaluate(
        """(node) => {
            for (let value = 61; value <= 100; value++) {
                node.value = value;
                node.dispatchEvent(new Event("input"));
            }
        }"""
    )
    tab.wait_for_function("document.querySelector('#positions [data-figure=similarity]').data[0].z.length === 100")
    assert not any('"question"' in text for text in asked)


def test_the_button_leads_to_the_experiment_without_positions(tab):
    tab.locator("#positions [data-role=experiment]").click()
    expect(tab.locator("#drawer .panel.positions")).to_be_visible()
    expect(chips(tab)).to_have_text(["Off: positions in the encoder"])
    expect(tab).to_have_url(re.compile(r"change=encoder\.off"))
    chips(tab).click()
    tab.locator("[data-drawer=close]").click()


def test_colours_of_bars_do_not_depend_on_the_address_which_changes(tab):
    fills = tab.locator("#positions .cbfill").evaluate_all("(nodes) => nodes.map((node) => node.style.fill)")
    assert len(fills) == 4 and all(fill.startswith('url("#') for fill in fills)


@pytest.mark.thorough
def test_a_zoom_stays_while_other_sections_change(tab):
    zoomed = "Plotly.relayout(document.querySelector('#positions [data-figure=turn]'), {'xaxis.range': [0, 1]})"
    tab.evaluate(zoomed)
    slider(tab, "Dimension").fill("5")
    expect(tab.get_by_text("dimension 5 is the cosine")).to_be_visible()
    assert plot(tab, "turn").evaluate("({ _fullLayout: { xaxis } }) => xaxis.range") == [0, 1]


@pytest.mark.thorough
def test_the_pieces_follow_the_sentence_of_explore_also_while_it_is_translated(shared_page, shipped):
    page = shared_page
    open_tab(page, "Heads")
    ask(page, SENTENCE)
    opened(page)
    labels = plot(page, "pieces").locator(".ytick")
    pieces = SENTENCE.replace(" ", "")  # each a node of its own
    expect(page.locator("#positions .context")).to_contain_text(pieces)
    trace = record(shipped, SENTENCE)
    page.get_by_role("radio", name="English").click()
    expect(labels).to_have_text([named(piece.text) for piece in trace.source])
    page.get_by_role("radio", name="German").click()
    expect(labels).to_have_text([named(piece.text) for piece in trace.target])


@pytest.mark.thorough
def test_the_experiment_takes_the_visitors_own_sentences(tab, shipped):
    first, second = tab.get_by_label("Sentence", exact=True), tab.get_by_label("The same tokens in another order")
    first.fill("a man sees a dog")
    second.fill("a dog sees a man")
    second.press("Enter")
    one, other = (shipped.source_ids(text) for text in ("a man sees a dog", "a dog sees a man"))
    partners = [0, 5, 2, 3, 4, 1, 6]
    assert [other[partner] for partner in partners] == one
    outputs, others = (shipped.encode(ids).memory[0] for ids in (one, other))
    ordered = (outputs - others[partners]).norm(dim=1).max()
    told = tab.get_by_text("The largest distance between a token and itself")
    expect(told).to_contain_text(f"{ordered:.3g} with positions")
    second.fill("a cat")
    tab.get_by_role("button", name="Compare").click()
    expect(tab.get_by_text("must consist of the same tokens")).to_contain_text("·a ·cat (end)")
    expect(plot(tab, "order")).to_be_hidden()
    expect(told).to_be_hidden()
    second.fill(" ")
    second.press("Enter")
    expect(tab.get_by_text("Type a sentence into both boxes")).to_be_visible()
    second.fill("$$x$$ <b>dog</b> *sees*")
    second.press("Enter")
    refused = tab.get_by_text("must consist of the same tokens")
    expect(refused).to_contain_text("<")  # what was typed is shown as it is
    assert ">" in refused.inner_text() and refused.locator("b, em, math").count() == 0


@pytest.mark.thorough
def test_a_model_without_positions_that_is_too_short_for_the_examples_still_has_its_tab(browser, tokenizer):
    sizes = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size, "max_len": 5}
    with contextmanager(served)(Translator(tiny_model(positions="none", **sizes), tokenizer)) as address:
        page = browser.new_page()
        page.goto(address)
        expect(page.locator("#viewer [role=alert]")).to_contain_text("at most 5")
        open_tab(page, "Positions")
        expect(page.locator("#positions [role=alert]", has_text="at most 5")).to_be_visible()
        expect(page.locator("#positions").get_by_text("this one adds none")).to_be_visible()
        for name in ("heatmap", "curves", "wavelengths", "similarity", "turn"):
            expect(plot(page, name)).to_have_count(0)
        page.close()
