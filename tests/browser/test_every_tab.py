"""Every tab, one after the other, at a desk and on a phone: drawn at full size, and with nothing serious for axe-core.

What is wrong is named by its rule and its element.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from cases import sweep
from playwright.sync_api import Browser, Page, expect
from visiting import (
    DESK,
    DRAWN,
    PHONE,
    begin_again,
    chips,
    eventually,
    follow,
    needs_browser,
    open_panel,
    open_tab,
    option,
    visited,
)

from explorer.drawer.drawer import PANELS
from explorer.tabs import tab_labels
from explorer.ui.language import FIRST, LanguageContext, use_language

pytestmark = needs_browser
Case = tuple[tuple[int, int], str, str]  # a size, a language and a theme
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
# Texts that are a token of the sentence or its translation, quoted or not, and that a translator of pages would change.
TRANSLATED_TOKENS = """() => {
    const bare = (text) => text.trim().replace(/^[“„]?·?|[”“]$/g, "");
    const pieces = [...document.querySelectorAll("#viewer .strip .piece")];
    const tokens = pieces.map((piece) => bare(piece.firstChild.textContent));
    const known = new Set(tokens.filter((token) => /^\\p{L}{3,}$/u.test(token)));
    const isOpen = ({ parentElement: node }) =>
        node.checkVisibility() && !node.closest("[translate=no], script, style, textarea, option")
        && !node.querySelector(":scope > .term"); // a sentence with terms in it
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found.filter((node) => known.has(bare(node.data)) && isOpen(node)).map(({ parentElement }) =>
        parentElement.outerHTML.slice(0, 120));
}"""
ANSWERED = (
    """[...document.querySelectorAll("[data-text]")].every((node) => !node.checkVisibility() || node.firstChild)"""
)
AS_WIDE_AS_ITS_PLACE = "(plot) => Math.abs(plot._fullLayout.width - plot.clientWidth) <= 2"
# The looks of all selects: one (page.css).
SELECTS = """() => [...new Set([...document.querySelectorAll("select")].map((node) => {
    const { borderTopWidth, borderRadius, padding, fontSize, backgroundColor } = getComputedStyle(node);
    return `${[borderTopWidth, borderRadius, padding, fontSize, backgroundColor]}`;
}))]"""
SERIOUS = {"serious", "critical"}
OURS_TOO = {"heading-order", "empty-table-header"}  # less than serious, and mended all the same
ALL_RULES = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": True}}}
DESK_CASE = (DESK, "en", "light")
CASES: list[Case] = [*product([DESK, PHONE], ["en", "de"], ["light", "dark"])]


def wrong(page: Page, part: str = "html", options: dict[str, Any] = ALL_RULES) -> list[str]:
    """What is wrong with a part of the page as it stands: rule, element and what axe says of it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate("async ([part, options]) => (await axe.run(part, options)).violations", [part, options])
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in violations
        if violation["impact"] in SERIOUS or violation["id"] in OURS_TOO
        for node in violation["nodes"]
    ]


def opened(browser: Browser, address: str, case: Case) -> Iterator[tuple[Page, dict[str, str]]]:
    """The page of a size, a language and a theme, and what its tabs are called."""
    size, language, theme = case
    with use_language(LanguageContext(language)):
        labels = tab_labels()
    assert DRAWN.keys() == labels.keys()
    path = "" if language == FIRST else language
    for page in visited(browser, f"{address}{path}?__theme={theme}", *size):
        expect(page.locator("body.dark")).to_have_count(int(theme == "dark"))
        yield page, labels


def tabs_of(page: Page, labels: dict[str, str]) -> Iterator[str]:
    """Opens each tab; each is drawn at full size and fits."""
    for tab, (picture, part) in DRAWN.items():
        if tab != "explore":
            open_tab(page, labels[tab])
        expect(page.locator(f"{picture} >> visible=true").first).to_be_visible()
        page.wait_for_function(WIDE_ENOUGH, arg=[picture, part])
        eventually(page, expect_it_fits, page, tab)
        page.wait_for_function(ANSWERED)
        yield tab


@pytest.mark.parametrize("case", sweep(CASES, DESK_CASE))
def test_every_tab_is_drawn_at_full_size_and_has_nothing_serious(browser, measured_page, case):
    """And no text has more than sixty words."""
    for page, labels in opened(browser, measured_page, case):
        faults = {}
        for tab in tabs_of(page, labels):
            assert page.evaluate(LONG_TEXTS, MAX_WORDS) == [], tab
            assert page.evaluate(TRANSLATED_TOKENS) == [], tab
            faults[tab] = wrong(page, "html" if tab == "explore" else f"#{tab}-tab")
        assert len(page.evaluate(SELECTS)) == 1, page.evaluate(SELECTS)
        open_tab(page, labels["lessons"])
        begin_a_lesson(page)
        faults["lesson"] = wrong(page, ".lesson")
        assert not any(faults.values()), faults


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES)
def test_every_panel_of_the_drawer_has_nothing_serious(browser, measured_page, case):
    for page, _ in opened(browser, measured_page, case):
        faults = {}
        for panel in panels_of(page):
            assert page.evaluate(TRANSLATED_TOKENS) == [], panel
            faults[panel] = wrong(page, f"#drawer .{panel}, #bar")
        assert not any(faults.values()), faults


def panels_of(page: Page) -> Iterator[str]:
    """Opens each panel of the drawer, once something is changed; each fits."""
    follow(page, "?level=heads&change=hidden.12_off.cross.4.8&drawer.panel=heads")
    expect(chips(page)).to_have_count(2)
    for name in [panel.name for panel in PANELS]:
        open_panel(page, name)
        expect(page.locator("#drawer .panel[aria-busy=true]")).to_have_count(0)  # else it is still to be filled
        eventually(page, expect_it_fits, page, name)
        yield name


def begin_a_lesson(page: Page) -> None:
    page.locator(".lessons article button").first.click()
    expect(page.locator("[data-role=source]").first).to_contain_text("bought")  # until then the view is dimmed
    page.locator(".lesson label").first.click()
    page.locator(".lesson [data-lesson=commit]").click()
    page.locator(".lesson [data-lesson=show]").click()
    expect(page.locator(".lesson [data-lesson=reveal]")).not_to_be_empty()


def expect_it_fits(page: Page, place: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{place} is too wide"
    plots = page.locator(".js-plotly-plot >> visible=true").all()
    assert all(plot.evaluate(AS_WIDE_AS_ITS_PLACE) for plot in plots), place
    assert all(plot.evaluate(LABELLED_AT_ITS_AXES) for plot in plots), place
    assert "[[" not in page.locator("body").inner_text(), f"{place}: a term without its link"


def show_the_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


STATES = {  # in this order
    "ribbons": lambda page: page.locator("[data-look=ribbon]").click(),
    "a table with a pin": lambda page: (
        page.locator("[data-look=table]").click(),
        page.locator("[data-role=source] .piece").nth(3).click(),
    ),
    "options": lambda page: option(page, "scale").focus(),
    "keys": show_the_keys,
}


@pytest.mark.thorough
def test_no_state_of_explore_has_anything_serious(shared_page):
    begin_again(shared_page)
    for state, enter in STATES.items():
        enter(shared_page)
        assert wrong(shared_page, "dialog" if state == "keys" else "#viewer") == [], state
