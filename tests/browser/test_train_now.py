"""A model is trained on the page, and opened in every room: for real, with the task that is learned soonest."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import served
from visiting import DRAWN, expect_sentence, needs_browser, open_tab, visited

from explorer.page import words as page_words
from explorer.tabs import tab_labels
from explorer.tabs.train_one.tab import words
from explorer.toys.recipe import MAX_SECONDS
from model.decoding import Translator

pytestmark = needs_browser
LEARNED = (MAX_SECONDS + 60) * 1000  # milliseconds; 6 s on an idle machine
AWAY = ("lessons", "train")
QUESTION, ANSWER = "4 0 7 7 1", ["4", "0", "7", "7", "1"]
AT = "?tab=train&train.task=copy&train.layers=1"


@pytest.fixture(scope="module")
def address(toy: Translator) -> Iterator[str]:
    yield from served(toy, max_trainings=1)


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    for page in visited(browser, f"{address}{AT}"):
        expect(page.locator("#train [data-train=train]")).to_be_visible()
        yield page


def state(page: Page, name: str, timeout: float = LEARNED) -> None:
    expect(page.locator("#train .train")).to_have_attribute("data-state", name, timeout=timeout)


def test_a_model_is_trained_and_then_stands_in_every_tab(page, browser, address):
    page.locator("[data-train=train]").click()
    expect(page.locator("[data-train=map] rect").first).to_be_visible(timeout=LEARNED)
    page.locator("[data-train=stop]").click()
    state(page, "stopped")
    expect(page.locator("[data-train=heard]")).to_contain_text("Stopped after")
    page.locator("[data-train=kind]").select_option("encoder")
    expect(page.locator("[data-train=map] svg")).to_have_attribute("aria-label", "encoder, layer 1, head mean")
    page.locator("[data-train=go_on]").click()
    state(page, "finished")
    expect(page.locator("[data-train=state]")).to_contain_text("Done: ")
    expect(page.locator("[data-train=why]")).to_have_text(words.TEXT["try"]["copy"])
    page.reload()
    state(page, "finished")  # this tab of the browser still knows it
    expect(page.locator("[data-train=open]")).to_have_attribute("href", re.compile("toy/"))
    link = page.locator("[data-train=open]").get_attribute("href") or ""
    assert link.startswith(f"{address}toy/") and len(link) > len(f"{address}toy/") + 30
    opens_in_every_tab(browser, link)
    guessed = page.request.get(f"{link.removesuffix('/')}x/")
    assert guessed.status == 404 and page_words.GONE["title"] in guessed.text()


def opens_in_every_tab(browser: Browser, link: str) -> None:
    for page in visited(browser, link):
        expect(page.locator("#heading")).to_contain_text("Copy, 1 layer, 2 heads")
        page.locator("#sentence input, #sentence textarea").fill(QUESTION)
        page.locator("#translate").click()
        expect_sentence(page, QUESTION)
        page.locator("#viewer [data-go=last]").click()
        pieces = page.locator("#viewer [data-role=target] .piece > span").all_inner_texts()
        assert [piece.strip("·") for piece in pieces][1:6] == ANSWER
        ids = page.locator("[role=tabpanel]").evaluate_all("(panels) => panels.map(({ id }) => id)")
        assert not {f"{name}-tab" for name in AWAY} & {*ids}
        for tab, (drawn, _) in DRAWN.items():
            if tab not in AWAY:
                open_tab(page, "Heads" if tab == "explore" else tab_labels()[tab])
                expect(page.locator(drawn).locator("visible=true").first).to_be_visible()
        open_tab(page, "Heads")
        expect(page.locator("#heading a")).to_have_attribute("href", "../../")


def test_choices_of_a_link_are_restored_and_what_it_cannot_be_is_named(browser, address):
    for page in visited(browser, f"{address}?tab=train&train.task=copy&train.layers=9&train.positions=off"):
        expect(page.locator("#train input[name=task][value=copy]")).to_be_checked()
        expect(page.locator("#train input[name=positions][value=off]")).to_be_checked()
        expect(page.locator("#train input[name=layers][value='2']")).to_be_checked()
        expect(page.locator("#toolbar .notice")).to_contain_text("train.layers")
        page.locator("#train input[name=positions][value=on]").check(force=True)
        page.wait_for_url(lambda url: "train.positions" not in url and "train.task=copy" in url)


def test_where_none_is_trained_it_says_how_to_get_it(browser, toy_page):
    for page in visited(browser, f"{toy_page}?tab=train"):
        expect(page.locator("#train [data-train=off]")).to_contain_text("--toys")
        expect(page.locator("#train [data-train=train]")).to_be_hidden()
