"""The German and the Chinese page in a real browser: no English in them but what is marked as such."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from playwright.sync_api import Page, expect
from reading import labels_of, parts_of, plain, read
from remarks import remarks_on
from visiting import (
    BOX,
    DRAWN,
    expect_sentence,
    follow,
    needs_browser,
    open_panel,
    open_tab,
    visited,
)

from explorer.changes import words as change_words
from explorer.drawer.drawer import PANELS
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.running import run
from explorer.recording import MAX_PIECES
from explorer.recording.sentence import examples
from explorer.tabs import tab_labels
from explorer.ui.language import LanguageContext, use_language
from model.decoding import Translator

pytestmark = needs_browser
FUNCTION_WORDS = re.compile(r" (the|of|and|is|are|that|with|which|this|each|every) (?!\d)")  # a piece has a number
PIECES = {"on"}  # labels in English that are pieces of German words, too


def in_german() -> dict[str, str]:
    with use_language(LanguageContext("de")):
        return tab_labels()


@cache  # most texts stay while something else is opened
def betrayed(text: str) -> str:
    """What of a text on the German page is English; "" where nothing is."""
    known = next((part for part in parts_of("en", "de") if part in text), "")
    function = FUNCTION_WORDS.search(text)
    return known or (text if text in labels_of("en", "de") - PIECES else "") or (function[0] if function else "")


def english(page: Page) -> dict[str, str]:
    """What can be read on the page now and is English, with what betrays it."""
    said = {text for language, text in read(page) if language == "de"} - {example["sentence"] for example in examples()}
    return {text: found for text in said if (found := betrayed(plain(text)))}


def asked(page: Page, sentence: str) -> None:
    page.locator(BOX).fill(sentence)
    page.locator("#translate").click()


def a_refusal(page: Page) -> None:
    asked(page, "🙂🙂")
    expect(page.locator("#viewer .message")).not_to_be_empty()
    expect(page.locator(".draft [role=status]")).to_contain_text("Noch nicht übersetzt")


def a_warning(page: Page) -> None:
    asked(page, "Je ne sais pas pourquoi. Il n'est pas dans la maison avec nous.")
    expect(page.locator("#viewer .warned")).to_be_visible()


def options(page: Page) -> None:
    page.locator(".options").first.evaluate("(details) => { details.open = true; }")


EXPLORE: dict[str, Callable[[Page], None]] = {  # in this order
    "the picture": lambda page: page.locator("[role=tab][data-level=picture]").click(),
    "a pinned word": lambda page: page.locator("#viewer [data-role=source] .piece").nth(2).click(),
    "the heads": lambda page: page.locator("[role=tab][data-level=heads]").click(),
    "ribbons": lambda page: page.locator("#viewer [data-look=ribbon]").click(),
    "numbers": lambda page: page.locator("#viewer [data-look=table]").click(),
    "a heatmap": lambda page: page.locator("#viewer [data-look=heatmap]").click(),
    "options": options,
    "lengths": lambda page: page.locator("#viewer .measures [value=length]").click(),
    "the encoder": lambda page: page.locator("#viewer .kinds [value=encoder]").click(),
    "the decoder": lambda page: page.locator("#viewer .kinds [value=decoder]").click(),
    "a warning": a_warning,
    "a refusal": a_refusal,
    "the keys": lambda page: page.locator("[data-tool=keys]").click(),
    "no keys": lambda page: page.keyboard.press("Escape"),
}


def panels(page: Page) -> Iterator[str]:
    """Opens each panel of the drawer beside the view that is open."""
    for panel in PANELS:
        open_panel(page, panel.name)
        yield panel.name


def test_every_state_of_explore_and_every_tab_speak_german(browser, measured_page, shipped):
    found: dict[str, str] = {}

    def look(page: Page, place: str) -> None:
        found.update({text: f"{reason} ({place})" for text, reason in english(page).items() if text not in found})

    for page in visited(browser, f"{measured_page}de", level="picture"):
        for state, reach in EXPLORE.items():
            reach(page)
            look(page, state)
        asked(page, examples()[0]["sentence"])
        expect_sentence(page, examples()[0]["sentence"])
        for tab, (picture, _) in DRAWN.items():
            if tab != "explore":
                open_tab(page, in_german()[tab])
            expect(page.locator(f"{picture} >> visible=true").first).to_be_visible()
            look(page, tab)
        expect_heads_off_in_german(page, shipped)
        look(page, "a panel and what is told of its change")
    assert found == {}


@pytest.mark.thorough
def test_every_panel_of_the_drawer_speaks_german(browser, measured_page):
    found: dict[str, str] = {}
    for page in visited(browser, f"{measured_page}de", level="heads"):
        for panel in panels(page):
            found.update({text: f"{reason} ({panel})" for text, reason in english(page).items()})
    assert found == {}


def expect_heads_off_in_german(page: Page, shipped: Translator) -> None:
    """What the server answers of an experiment, and the warning that goes with it."""
    config = shipped.model.config
    off = tuple(HeadAt("cross", layer, head) for layer in range(config.n_layers) for head in range(config.n_heads))
    trace = run(shipped, examples()[0]["sentence"], Experiment(off=off), max_steps=MAX_PIECES)
    (remarks,) = remarks_on(shipped, [trace], "de")
    warning = remarks.warnings[0]
    with use_language(LanguageContext("de")):
        said = change_words.CHANGES["told"]["several"].partition("{count} ")[2].partition(";")[0]
    follow(page, "?level=heads&kind=cross&drawer.panel=heads")
    page.locator("#drawer .heads [data-kind=cross] legend button").first.click()
    expect(page.locator("#bar .told")).to_contain_text(said)
    expect(page.locator("#viewer [data-warned=first]")).to_have_text(warning.text)


def english_in_chinese(page: Page) -> set[str]:
    """Texts of the Chinese page with words of the English one, but for the name of a key."""
    said = {plain(text) for language, text in read(page) if language == "zh-CN"}
    parts, labels = parts_of("en", "zh"), labels_of("en", "zh")
    return {text for text in said - {"End"} if text in labels or any(part in text for part in parts)}


def test_the_chinese_page_translates_in_chinese(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}zh", level="picture"):
        expect(page).to_have_title("注意力探索器")
        assert english_in_chinese(page) == set()
        page.locator(BOX).fill("The dog sleeps.")
        page.locator("#translate").click()
        expect_sentence(page, "The dog sleeps.")
        expect(page.locator("#viewer .plain")).to_contain_text("模型")
        assert english_in_chinese(page) == set()
        page.locator("#viewer .legend").evaluate("(node) => { node.textContent = 'Layer'; }")
        assert english_in_chinese(page) == {"Layer"}  # it would be found
