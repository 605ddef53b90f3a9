"""Every tab, one after the other on the same page, at a desk and on a phone, in every language: drawn at full size."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serving import served
from visiting import DESK, DRAWN, PHONE, all_panels, follow, needs_browser, open_tab, visited

from explorer.tabs import tab_labels
from explorer.ui.language import FIRST, LanguageContext, use_language
from model.checkpoints import checkpoint
from model.decoding import Translator

pytestmark = needs_browser
WIDE_ENOUGH = """([picture, part]) => {
    const shown = [...document.querySelectorAll(picture)].filter((node) => node.checkVisibility());
    const panel = [...document.querySelectorAll("[role=tabpanel]")].find((node) => node.offsetParent);
    return Math.max(...shown.map((node) => node.getBoundingClientRect().width)) >= part * panel.clientWidth;
}"""
# A style of ours that meets a class of Plotly's moves labels away from their axes.
LABELLED_AT_ITS_AXES = """(plot) =>
    [...plot.querySelectorAll("g.xtick, g.ytick")].every((label) => getComputedStyle(label).transform === "none")"""
MAX_WORDS = 60  # of a text that no fold hides
# The visible texts with more words: of each box its own text and that of its inline nodes, without definitions.
LONG_TEXTS = """(most) => {
    const isInline = (node) => getComputedStyle(node).display === "inline";
    const textOf = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return node.textContent;
        if (node.nodeType !== Node.ELEMENT_NODE || !isInline(node) || node.matches("[role=note]")) return "";
        return [...node.childNodes].map(textOf).join("");
    };
    const boxes = [...document.body.querySelectorAll("*:not(script, style, textarea, pre, svg, svg *)")]
        .filter((node) => !isInline(node) && node.checkVisibility({ visibilityProperty: true }));
    const texts = boxes.map((node) => [...node.childNodes].map(textOf).join("").trim());
    return texts.filter((text) => text.split(/\\s+/).length > most);
}"""
ANSWERED = (
    """[...document.querySelectorAll("[data-text]")].every((node) => !node.checkVisibility() || node.firstChild)"""
)
AS_WIDE_AS_ITS_PLACE = "(plot) => Math.abs(plot._fullLayout.width - plot.clientWidth) <= 2"


@pytest.fixture(scope="module")
def measured_page(shipped: Translator) -> Iterator[str]:
    """The page of a checkpoint whose heads were measured."""
    yield from served(shipped, Path(checkpoint.SHIPPED))


def test_every_tab_is_among_these():
    assert DRAWN.keys() == tab_labels().keys()


@pytest.mark.parametrize(
    ("size", "language"),
    [
        (DESK, "en"),
        (PHONE, "de"),
        pytest.param(DESK, "de", marks=pytest.mark.thorough),
        pytest.param(PHONE, "en", marks=pytest.mark.thorough),
    ],
)
def test_every_tab_is_drawn_at_full_size(browser, measured_page, size, language):
    """And no text has more than sixty words."""
    with use_language(LanguageContext(language)):
        labels = tab_labels()
    for page in visited(browser, measured_page + ("" if language == FIRST else language), *size):
        for tab, (picture, part) in DRAWN.items():
            if tab != "explore":
                open_tab(page, labels[tab])
            expect(page.locator(f"{picture} >> visible=true").first).to_be_visible()
            page.wait_for_function(WIDE_ENOUGH, arg=[picture, part])
            expect_it_fits(page, tab)
            page.wait_for_function(ANSWERED)
            assert page.evaluate(LONG_TEXTS, MAX_WORDS) == [], tab
        open_tab(page, labels["lab"])
        for button in all_panels(page).all():
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            expect_it_fits(page, button.inner_text())
        expect_long_texts_to_be_found(page)


def expect_it_fits(page: Page, place: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{place} is too wide"
    plots = page.locator(".js-plotly-plot >> visible=true").all()
    assert all(plot.evaluate(AS_WIDE_AS_ITS_PLACE) for plot in plots), place
    assert all(plot.evaluate(LABELLED_AT_ITS_AXES) for plot in plots), place
    assert "[[" not in page.locator("body").inner_text(), f"{place}: a term without its link"


def expect_long_texts_to_be_found(page: Page) -> None:
    follow(page, "?tab=catalogue")
    expect(page.locator("#heads-measured .fold")).to_be_visible()
    text = "word " * MAX_WORDS
    page.evaluate("(text) => document.querySelector('#heads-measured p').replaceChildren(text)", text)
    assert page.evaluate(LONG_TEXTS, MAX_WORDS) == []
    page.evaluate("document.querySelector('#heads-measured p').append('more')")
    assert page.evaluate(LONG_TEXTS, MAX_WORDS) == [f"{text}more"]
