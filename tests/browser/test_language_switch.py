"""The languages of the page in a real browser: the switch, links, memory; and a model of other languages."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from visiting import (
    BOX,
    chips,
    go_to,
    needs_browser,
    open_panel,
)

from explorer.page import words as page_words
from explorer.tabs import tab_labels
from explorer.ui.language import LANGUAGES, LanguageContext, use_language
from explorer.ui.translations import load

pytestmark = needs_browser
PAGE = {language: load(page_words.folder, language) for language in LANGUAGES}
TYPED = "Nobody has translated this yet."


@pytest.fixture
def visitor(shared_page: Page) -> Iterator[Page]:
    """A browser that has the page's files and nothing else of an earlier visit."""
    page = shared_page.context.new_page()
    shared_page.evaluate("localStorage.clear()")
    shared_page.context.clear_cookies()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert not errors, errors


def labels(language: str) -> dict[str, str]:
    with use_language(LanguageContext(language)):
        return tab_labels()


def speaks(page: Page, language: str) -> None:
    """The whole page, and Gradio's part of it."""
    expect(page.locator("#viewer .status")).not_to_be_empty()
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("tab", name=labels(language)["whole"], exact=True)).to_be_visible()
    expect(page.locator("#footer")).to_contain_text(PAGE[language]["FOOTER"]["guide"])


def switch(page: Page, language: str) -> None:
    page.locator(f"#toolbar button[lang={language}]").click()
    speaks(page, language)


def test_the_switch_keeps_what_is_shown_and_is_remembered(visitor, shipped_page):
    visitor.goto(f"{shipped_page}?level=heads")
    speaks(visitor, "en")
    go_to(visitor, 4)
    visitor.locator("#viewer [data-role=source] .piece").nth(2).click()
    visitor.locator(BOX).fill(TYPED)
    open_panel(visitor, "hide").get_by_role("button", name="standing").click()
    changed = chips(visitor).locator("b")
    expect(changed).to_have_text("standing")
    expect(visitor).to_have_url(re.compile("change=hidden"))
    switch(visitor, "de")
    assert visitor.url.startswith(f"{shipped_page}de?")
    expect(visitor.locator("#drawer .panel.hide")).to_be_visible()
    expect(changed).to_have_text("standing")
    expect(visitor.locator("#viewer .viewer")).to_have_attribute("data-step", "5")
    expect(visitor.locator("#viewer [data-role=source] .piece").nth(2)).to_contain_class("pinned")
    expect(visitor.locator(BOX)).to_have_value(TYPED)
    visitor.goto(shipped_page)  # another visit
    speaks(visitor, "de")
    assert visitor.url.startswith(f"{shipped_page}de")
    switch(visitor, "en")
    visitor.goto(shipped_page)
    speaks(visitor, "en")


@pytest.mark.thorough
def test_the_sentence_of_a_lesson_is_no_unsent_text(visitor, shipped_page):
    visitor.goto(f"{shipped_page}?lesson=order.3")
    speaks(visitor, "en")
    visitor.locator("[data-lesson=close]").click()
    visitor.goto(shipped_page)
    speaks(visitor, "en")
    first = visitor.locator(BOX).input_value()
    switch(visitor, "de")
    visitor.locator("#viewer .piece").nth(2).click()  # the page is at rest
    expect(visitor.locator(BOX)).to_have_value(first)
    expect(visitor.locator(".draft [role=status]")).to_be_empty()


def test_a_link_says_its_language_and_one_that_there_is_not_is_left_out(visitor, shipped_page):
    visitor.goto(f"{shipped_page}de?lang=en&step=3")
    speaks(visitor, "en")
    expect(visitor.locator("#viewer .viewer")).to_have_attribute("data-step", "3")
    visitor.goto(f"{shipped_page}de?lang=xx&step=3")
    damaged = PAGE["de"]["TOOLBAR"]["damaged"].format(parts="lang")
    expect(visitor.locator("#toolbar .notice")).to_have_text(damaged)
    expect(visitor.locator("#viewer .viewer")).to_have_attribute("data-step", "3")
    visitor.locator("#viewer [data-go=next]").click()
    expect(visitor).to_have_url(re.compile(r"step=4"))
    assert "lang=" not in visitor.url
