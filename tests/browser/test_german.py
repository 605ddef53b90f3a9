"""The German page in a real browser: every tab in its main states, and no English in it but what is marked as such."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from reading import labels_of, parts_of, plain, read
from serving import served
from visiting import DRAWN, all_panels, needs_browser, open_tab, visited

from explorer.recording.sentence import examples
from explorer.tabs import tab_labels
from explorer.ui.language import LanguageContext, use_language
from model.checkpoints import checkpoint
from model.decoding import Translator

pytestmark = needs_browser
FUNCTION_WORDS = re.compile(r" (the|of|and|is|are|that|with|which|this|each|every) ")
SHOWN = {
    **DRAWN,
    "lab": (".catalogue table, .lab .heatmap", 0),
}  # what a tab cannot be without; here heads are measured
PANELS = 8
PIECES = {"on"}  # labels in English that are pieces of German words, too


@pytest.fixture(scope="module")
def address(shipped: Translator) -> Iterator[str]:
    """With its story and its measured heads."""
    for address in served(shipped, Path(checkpoint.SHIPPED)):
        yield f"{address}de"


def in_german() -> dict[str, str]:
    with use_language(LanguageContext("de")):
        return tab_labels()


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
    page.locator("#sentence :is(input, textarea)").fill(sentence)
    page.locator("#translate").click()


def a_refusal(page: Page) -> None:
    asked(page, "🙂🙂")
    expect(page.locator("#viewer .message")).not_to_be_empty()


def a_warning(page: Page) -> None:
    asked(page, "Je ne sais pas pourquoi. Il n'est pas dans la maison avec nous.")
    expect(page.locator("#viewer .warned")).to_be_visible()


def the_tour(page: Page) -> None:
    page.locator("[data-tool=tour]").click()
    expect(page.get_by_role("dialog")).to_contain_text("1 von")


def options(page: Page) -> None:
    page.locator(".options").first.evaluate("(details) => { details.open = true; }")


EXPLORE: dict[str, Callable[[Page], None]] = {  # in this order
    "the picture": lambda page: page.locator("#viewer .levels [data-level=picture]").click(),
    "a pinned word": lambda page: page.locator("#viewer [data-role=source] .piece").nth(2).click(),
    "the heads": lambda page: page.locator("#viewer .levels [data-level=heads]").click(),
    "ribbons": lambda page: page.locator("#viewer [data-look=ribbon]").click(),
    "numbers": lambda page: page.locator("#viewer [data-look=table]").click(),
    "a heatmap": lambda page: page.locator("#viewer [data-look=heatmap]").click(),
    "options": options,
    "lengths": lambda page: page.locator("#viewer .measures [value=length]").click(),
    "two heads": lambda page: page.locator("#viewer [data-role=pair]").check(),
    "the encoder": lambda page: page.locator("#viewer .kinds [value=encoder]").click(),
    "the decoder": lambda page: page.locator("#viewer .kinds [value=decoder]").click(),
    "a warning": a_warning,
    "a refusal": a_refusal,
    "the keys": lambda page: page.locator("[data-tool=keys]").click(),
    "no keys": lambda page: page.keyboard.press("Escape"),
    "the tour": the_tour,
    "its second caption": lambda page: page.locator(".driver-popover-next-btn").click(),
    "no tour": lambda page: page.keyboard.press("Escape"),
}


def test_explore_speaks_german_in_every_state(browser, address):
    found: dict[str, str] = {}
    for page in visited(browser, address, level="picture"):
        for state, reach in EXPLORE.items():
            reach(page)
            found = {text: f"{reason} ({state})" for text, reason in english(page).items()} | found
    assert found == {}


def panels(page: Page) -> Iterator[str]:
    """Opens each panel of the lab."""
    buttons = all_panels(page)
    expect(buttons).to_have_count(PANELS)
    for button in buttons.all():
        button.click()
        name = button.get_attribute("value") or ""
        expect(page.locator(f".lab [data-panel={name}]")).to_be_visible()
        yield name


def test_every_tab_speaks_german(browser, address):
    found: dict[str, str] = {}
    for page in visited(browser, address):
        for tab, (picture, _) in SHOWN.items():
            if tab != "explore":
                open_tab(page, in_german()[tab])
            expect(page.locator(f"{picture} >> visible=true").first).to_be_visible()
            for state in ("", *(panels(page) if tab == "lab" else ())):
                found = {text: f"{reason} ({tab} {state})" for text, reason in english(page).items()} | found
    assert found == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Zeigt: Which layer of the stack", "Which layer of the stack"),
        ("Layer", "Layer"),
        ("Er ist of the besten", " of "),
        ("Die Attention des Encoders", ""),
        ("Heatmap", ""),
    ],
)
def test_english_would_be_found(text, why):
    assert betrayed(text) == why
