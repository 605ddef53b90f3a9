"""The tab Masks in a real browser: a batch of sentences, its masks, and one softmax row under each."""

import numpy as np
import pytest
from cases import each_case
from playwright.sync_api import Locator, Page, expect
from visiting import needs_browser, open_tab

from explorer.recording.examples import tab_sentences
from explorer.recording.forward_pass import record_pass
from explorer.recording.head import head_of
from explorer.recording.trace import record

pytestmark = needs_browser
SENTENCES = tab_sentences().masks


@pytest.fixture
def page(shared_page) -> Page:
    return shared_page


def tab(page: Page) -> Locator:
    return page.locator("#masks .masks")


def open_masks(page: Page, kind: str) -> None:
    open_tab(page, "Masks")
    tab(page).locator(f".kinds button[value={kind}]").click()
    expect(tab(page)).to_have_attribute("data-kind", kind)


def pick(page: Page, **choices: int) -> None:
    for name, value in choices.items():
        tab(page).locator(f"[data-choice={name}]").select_option(index=value)
        expect(tab(page)).to_have_attribute(f"data-{name}", str(value))


def said(page: Page, row: str) -> Locator:
    return tab(page).locator(f"[data-row={row}] .hint")


def test_it_opens_with_the_batch_of_the_article_and_its_padding(page, shipped):
    open_masks(page, "encoder")
    lengths = [len(shipped.source_ids(sentence)) for sentence in SENTENCES]
    rows = tab(page).locator("[data-role=ids] tr")
    expect(rows).to_have_count(3)
    for row, length in zip(rows.all(), lengths, strict=True):
        assert row.locator("td").count() == max(lengths)
        assert row.locator("td.padding").count() == max(lengths) - length
        assert row.locator("td.padding small").all_inner_texts() == ["0"] * (max(lengths) - length)
    tab(page).locator(".kinds button[value=cross]").click()  # whose queries are a batch of their own
    targets = [record(shipped, sentence).target for sentence in SENTENCES]
    rows = tab(page).locator("[data-role=query-ids] tr")
    expect(rows).to_have_count(3)
    for row, target in zip(rows.all(), targets, strict=True):
        ids = [int(number) for number in row.locator("td small").all_inner_texts()]
        assert ids[: len(target)] == [piece.id for piece in target]
        assert row.locator("td.padding").count() == len(ids) - len(target)


@each_case("kind", ["encoder", "cross"])
def test_a_row_is_told_with_and_without_its_mask(page, shipped, kind):
    open_masks(page, kind)
    pick(page, layer=1, head=2, sentence=0, query=1)
    forward_pass = record_pass(shipped, *(record(shipped, sentence) for sentence in SENTENCES))
    scores = head_of(forward_pass, kind, 1, 2, 0).scores[1].astype(np.float64)
    powers = np.exp(scores - scores.max())
    leaked = powers[forward_pass.src[0] == 0].sum() / powers.sum()
    expect(said(page, "weights")).to_contain_text("Sum 1.000, of which 0.000 on padding")
    expect(said(page, "unmasked")).to_contain_text(f"Sum 1.000, of which {leaked:.3f} on padding")


def test_padding_masked_on_queries_gives_not_a_number_or_an_even_row(page):
    open_masks(page, "encoder")
    pick(page, sentence=0)
    last = len(tab(page).locator("[data-choice=query] option").all()) - 1
    pick(page, query=last)
    expect(said(page, "mistaken")).to_contain_text("gives NaN")
    expect(said(page, "mistaken_finite")).to_contain_text(f"same weight, {1 / (last + 1):.3f}")
    pick(page, query=0)
    expect(said(page, "mistaken")).not_to_contain_text("NaN")


def test_a_click_on_a_row_of_a_mask_follows_it(page):
    open_masks(page, "decoder")
    canvas = tab(page).locator("[data-grid=combined] canvas")
    box = canvas.bounding_box()
    assert box is not None
    queries = len(tab(page).locator("[data-choice=query] option").all())
    canvas.click(position={"x": 5, "y": box["height"] * 2.5 / queries})
    expect(tab(page)).to_have_attribute("data-query", "2")


def test_own_sentences_make_a_batch_or_are_refused_in_words(page, shipped):
    open_masks(page, "encoder")
    fields = tab(page).locator("form input")
    for field, text in zip(fields.all(), ("One", "漢字", ""), strict=True):
        field.fill(text)
    fields.first.press("Enter")
    expect(page.locator("#masks [role=alert]")).to_contain_text("none of these")
    expect(tab(page).locator("[data-role=ids] tr")).to_have_count(3)
    for field, text in zip(fields.all(), ("A dog runs.", "", "Two children are playing."), strict=True):
        field.fill(text)
    tab(page).get_by_role("button", name="Make a batch").click()
    expect(tab(page).locator("[data-role=ids] tr")).to_have_count(2)
    length = max(len(shipped.source_ids(text)) for text in ("A dog runs.", "Two children are playing."))
    expect(tab(page).locator("[data-role=ids-words]")).to_contain_text(f"[2, {length}]")
