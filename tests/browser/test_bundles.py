"""The modules of a tab come when it is first opened, and what happens where they do not."""

import re
from urllib.parse import quote

from playwright.sync_api import Page, Route, expect
from visiting import DRAWN, SEEN_BEFORE, needs_browser, visited

from explorer.page import words

pytestmark = needs_browser
FILE = re.compile(r"/modules\.positions\.")
TAB, OTHER = "[role=tab][data-tab=positions]", "[role=tab][data-tab=lessons]"
PICTURE, _ = DRAWN["positions"]
BEGUN = "?tab=whole"
SENTENCE = "Two dogs."


def expect_drawn(page: Page) -> None:
    expect(page.locator(f"#positions-tab {PICTURE}").first).to_be_visible()
    expect(page.locator("#positions-tab .not-loaded")).to_have_count(0)


def test_they_come_once_when_the_pointer_is_on_the_tab_even_if_it_is_left_before_they_are_there(browser, shipped_page):
    held: list[Route] = []
    for page in visited(browser, f"{shipped_page}{BEGUN}"):
        page.route(FILE, lambda route: held.append(route))
        with page.expect_request(FILE):
            page.locator(TAB).hover()
        page.locator(TAB).click()
        page.locator(OTHER).click()
        with page.expect_response(FILE):
            held[0].continue_()
        expect(page.locator(".lessons .cards")).to_be_visible()
        page.locator(TAB).click()
        expect_drawn(page)
        assert len(held) == 1


def test_a_tab_whose_modules_do_not_come_says_so_and_asks_again_with_what_the_link_says_of_it(browser, shipped_page):
    for warm in visited(browser, shipped_page):
        page = warm.context.new_page()  # its console says what does not come
        page.add_init_script(SEEN_BEFORE)
        page.goto(f"{shipped_page}?level=heads&positions.first={quote(SENTENCE)}")
        page.locator("#viewer [data-go=last]").click()
        page.wait_for_url(re.compile("step=.*positions.first=Two"))
        page.route(FILE, lambda route: route.abort())
        page.locator(TAB).click()
        expect(page.locator("#positions-tab [role=alert]")).to_have_text(words.NOT_LOADED)
        page.unroute_all()
        page.locator(TAB).click()
        expect_drawn(page)
        expect(page.locator("#positions [name=first]")).to_have_value(SENTENCE)
        assert "positions.first=Two" in page.url
        page.close()
