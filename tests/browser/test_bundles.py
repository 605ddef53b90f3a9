"""The modules of a tab come when it is first opened, and what happens where they do not."""

import re
from urllib.parse import quote

from playwright.sync_api import Page, Route, expect
from visiting import DRAWN, needs_browser, visited

from explorer.page import words

pytestmark = needs_browser
FILE = re.compile(r"/modules\.positions\.")
TAB, OTHER = "[role=tab][data-tab=positions]", "[role=tab][data-tab=lessons]"
GROUP = "[role=tab][aria-controls=how-tab]"
PICTURE, _ = DRAWN["positions"]
BEGUN = "?tab=whole"  # the other tab of its group


def expect_drawn(page: Page) -> None:
    expect(page.locator(f"#positions-tab {PICTURE}").first).to_be_visible()
    expect(page.locator("#positions-tab .not-loaded")).to_have_count(0)


def test_they_come_once_when_the_pointer_is_on_the_tab(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}{BEGUN}"):
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_response(FILE):
            page.locator(TAB).hover()
        page.locator(TAB).click()
        expect_drawn(page)
        page.locator(OTHER).click()
        page.locator(GROUP).click()
        expect_drawn(page)
        assert len([url for url in asked if FILE.search(url)]) == 1


def test_a_link_to_explore_keeps_what_it_says_of_another_tab(browser, shipped_page):
    sentence = "Two dogs."
    for page in visited(browser, f"{shipped_page}?positions.first={quote(sentence)}"):
        page.locator("#viewer [data-go=last]").click()
        page.wait_for_url(re.compile("step=.*positions.first=Two"))
        page.locator(GROUP).click()
        page.locator(TAB).click()
        expect(page.locator("#positions [name=first]")).to_have_value(sentence)
        assert "positions.first=Two" in page.url


def test_a_tab_whose_modules_do_not_come_says_so_and_asks_again(browser, shipped_page):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{shipped_page}{BEGUN}")
        page.route(FILE, lambda route: route.abort())
        page.locator(TAB).click()
        expect(page.locator("#positions-tab [role=alert]")).to_have_text(words.NOT_LOADED)
        page.unroute_all()
        page.locator(OTHER).click()
        page.locator(GROUP).click()
        expect_drawn(page)


def test_a_tab_that_is_left_while_its_modules_come_is_drawn_when_it_is_opened_again(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}{BEGUN}"):
        held: list[Route] = []
        page.route(FILE, lambda route: held.append(route))
        with page.expect_request(FILE):
            page.locator(TAB).click()
        page.locator(OTHER).click()
        with page.expect_response(FILE):
            held[0].continue_()
        expect(page.locator(".lessons .cards")).to_be_visible()
        page.locator(GROUP).click()
        expect_drawn(page)
