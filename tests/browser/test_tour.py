"""The tour in a real browser: by pointer, by keyboard, on a phone; left and taken up again."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from visiting import PHONE, begin_again, go_to, needs_browser, next_frames, open_tab, source, visited

from explorer.page import words

pytestmark = needs_browser
LAST = 7


@pytest.fixture(scope="module")
def shared_phone(browser: Browser, shipped_page: str) -> Iterator[Page]:
    yield from visited(browser, shipped_page, *PHONE, level="")


def newly(page: Page) -> Page:
    """For who has taken no tour."""
    begin_again(page, level="picture")
    page.evaluate("localStorage.clear()")
    return page


@pytest.fixture
def newcomer(shared_page: Page) -> Page:
    return newly(shared_page)


@pytest.fixture
def phone(shared_phone: Page) -> Page:
    return newly(shared_phone)


def caption(page: Page) -> Locator:
    return page.get_by_role("dialog")


def begin(page: Page) -> None:
    page.locator("[data-tool=tour]").click()
    at(page, 1)


def at(page: Page, stop: int) -> None:
    expect(caption(page)).to_contain_text(f"Tour, {stop} of {LAST}")


def told(page: Page, name: str) -> None:
    """The caption says that what it asked for is done."""
    expect(caption(page)).to_contain_text(words.TOUR["done"][name])


def go_on(page: Page) -> None:
    caption(page).get_by_role("button", name=words.TOUR["next"]).click()


def over(page: Page) -> None:
    expect(caption(page)).to_have_count(0)
    expect(page.locator("[data-tool=tour]")).to_have_text(words.TOUR["tour"])


def test_the_tour_by_keyboard(newcomer):
    newcomer.locator("[data-tool=tour]").focus()
    for key, stop in (("Enter", 1), ("Enter", 2), ("Enter", 3)):
        newcomer.keyboard.press(key)
        at(newcomer, stop)
        expect(caption(newcomer)).to_be_focused()
    newcomer.keyboard.press("Enter")  # it waits
    at(newcomer, 3)
    newcomer.keyboard.press("ArrowRight")
    told(newcomer, "step")
    expect(caption(newcomer)).to_be_focused()
    newcomer.keyboard.press("Enter")
    at(newcomer, 4)
    newcomer.locator("[data-role=source] .piece").first.focus()
    newcomer.keyboard.press("Enter")
    told(newcomer, "word")
    newcomer.keyboard.press("Enter")
    at(newcomer, 5)
    newcomer.get_by_placeholder("Type a sentence in English").focus()
    newcomer.keyboard.press("Control+A")
    newcomer.keyboard.type("The dog sleeps.")
    newcomer.keyboard.press("Enter")
    told(newcomer, "ask")
    assert source(newcomer)[:3] == ["The", "dog", "sleeps"]
    expect(caption(newcomer)).to_be_focused()
    newcomer.keyboard.press("Enter")
    newcomer.locator(".levels [data-level=heads]").focus()
    newcomer.keyboard.press("Enter")
    at(newcomer, LAST)
    newcomer.keyboard.press("Enter")
    over(newcomer)
    expect(newcomer.locator("[data-tool=tour]")).to_be_focused()


def test_who_is_new_is_invited_once_and_the_tour_goes_on_where_it_was_left(newcomer, shipped_page):
    """Its library is fetched when it begins, and marks nothing that is no button."""
    newcomer.goto(shipped_page)
    button = newcomer.locator("[data-tool=tour]")
    expect(button).to_have_text(words.TOUR["invitation"])
    expect(caption(newcomer)).to_have_count(0)
    fetched = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/vendor/driver.js'))"
    assert newcomer.evaluate(fetched) is False
    begin(newcomer)
    assert newcomer.evaluate(fetched) is True
    marks = ".driver-active-element[aria-haspopup], [aria-controls=driver-popover-content]"
    assert newcomer.locator(marks).count() == 0
    expect(caption(newcomer)).to_have_accessible_name(f"Tour, 1 of {LAST}")
    go_on(newcomer)
    newcomer.keyboard.press("Escape")
    over(newcomer)
    newcomer.goto(shipped_page)
    expect(button).to_have_text(words.TOUR["tour"])
    button.click()
    at(newcomer, 2)


def test_a_caption_waits_for_the_picture_it_points_at(newcomer, shipped_page):
    held: list[Route] = []
    newcomer.route("**/plotly.js*", lambda route: held.append(route))
    newcomer.goto(shipped_page, wait_until="domcontentloaded")  # "load" waits for what is held
    begin(newcomer)
    go_on(newcomer)
    next_frames(newcomer)
    expect(caption(newcomer)).to_contain_text(f"Tour, 1 of {LAST}")
    assert held
    for route in held:
        route.continue_()
    at(newcomer, 2)


def test_tab_leaves_the_caption_and_the_page_can_be_used(newcomer):
    begin(newcomer)
    focused = set()
    for _ in range(12):
        newcomer.keyboard.press("Shift+Tab")
        focused.add(newcomer.evaluate("document.activeElement.closest('.driver-popover') === null"))
    assert True in focused
    newcomer.get_by_label("Previous step").click()
    at(newcomer, 1)


def test_the_tour_begins_in_another_tab_and_at_the_last_step_too(newcomer):
    go_to(newcomer, 99)
    open_tab(newcomer, "Glossary")
    begin(newcomer)
    expect(newcomer.locator("[data-role=plain]")).to_be_visible()
    expect(newcomer.locator(".viewer")).not_to_have_attribute("data-step", "16")
    newcomer.keyboard.press("Escape")
    expect(newcomer.get_by_role("tab", name="Glossary")).to_have_attribute("aria-selected", "true")
    open_tab(newcomer, "Explore")
    expect(newcomer.locator(".viewer")).to_have_attribute("data-step", "16")
    begin(newcomer)
    open_tab(newcomer, "Masks")
    over(newcomer)


def test_captions_stand_beside_what_they_are_about_and_what_is_asked_for_can_be_skipped(newcomer, phone):
    script = """() => {
        const box = (place) => document.querySelector(place).getBoundingClientRect();
        const caption = box(".driver-popover"), picture = box(".heatmap .nsewdrag");
        const about = box(".driver-active-element");
        const isClear = (other) => caption.top >= other.bottom || caption.bottom <= other.top
            || caption.left >= other.right || caption.right <= other.left;
        const across = Math.max(0, about.left - caption.right, caption.left - about.right);
        const down = Math.max(0, about.top - caption.bottom, caption.top - about.bottom);
        return isClear(picture) && isClear(about) && (innerWidth < 700 || Math.hypot(across, down) < 240);
    }"""
    for page, last in ((newcomer, LAST), (phone, 3)):
        begin(newly(page))  # both remember the same
        for stop in range(1, last + 1):
            at(page, stop)
            page.wait_for_function(script)
            if stop < last:
                caption(page).locator(".driver-popover-next-btn").click()
    expect(newcomer.locator(".viewer")).to_have_attribute("data-level", "heads")
