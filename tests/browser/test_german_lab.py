"""What if on the German page: what the server answers is German, also while somebody else asks the same in English.

One German page serves all tests of this module.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from visiting import all_panels, needs_browser, open_tab, visited

from explorer.experiments import words as experiments_words
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.running import run
from explorer.recording.sentence import examples
from explorer.recording.warnings import warnings
from explorer.tabs.what_if import words
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.limits import MAX_PIECES
from model.decoding import Translator

pytestmark = needs_browser
UNKNOWN = "Ein 犬"


@pytest.fixture(scope="module")
def german(browser: Browser, shipped_page: str) -> Iterator[Page]:
    yield from visited(browser, f"{shipped_page}de")


def at(page: Page, language: str, panel: str) -> Page:
    """A page at a panel of What if."""
    with use_language(LanguageContext(language)):
        open_tab(page, words.TAB)
    all_panels(page)
    page.locator(f".lab .panels button[value={panel}]").click()
    return page


def refusal(language: str) -> str:
    with use_language(LanguageContext(language)):
        return experiments_words.REFUSALS["unknown_target"].format(characters="犬")


def message(page: Page) -> Locator:
    return page.locator(".lab > .message")


def test_heads_that_are_off_are_told_of_in_german(german, shipped: Translator):
    config = shipped.model.config
    off = tuple(HeadAt("cross", layer, head) for layer in range(config.n_layers) for head in range(config.n_heads))
    trace = run(shipped, examples()[0]["sentence"], Experiment(off=off), max_steps=MAX_PIECES)
    with use_language(LanguageContext("de")):
        said, [warning, *_] = words.LAB["other"].partition(" {")[0], warnings(trace)
    at(german, "de", "heads")
    german.locator(".lab .heads [data-kind=cross] legend button").first.click()
    expect(german.locator("[data-lab=said]")).to_contain_text(said)
    expect(german.locator("[data-lab=drop]")).to_contain_text("Log-Wahrscheinlichkeit")
    expect(german.locator(".lab [data-warned=first]")).to_have_text(warning.text)


def test_what_is_refused_is_refused_to_each_visitor_in_his_language(german, browser, shipped_page):
    for english in visited(browser, shipped_page):
        pages = {language: at(page, language, "score") for language, page in (("de", german), ("en", english))}
        for page in pages.values():
            page.locator(".score input").fill(UNKNOWN)
        for page in pages.values():
            page.locator(".score input").press("Enter")
        for language, page in pages.items():
            expect(message(page)).to_have_text(refusal(language))
        assert refusal("de") != refusal("en")
