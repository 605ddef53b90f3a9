"""The page in other windows than usual ones: low ones, as at a zoom of 400 %, and frames as high as their content."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Frame, Locator, Page, expect
from visiting import PHONE, at_rest, eventually, needs_browser, visited

pytestmark = needs_browser
FRAME_HEIGHT = 3000
# Nodes that reach over the sides of the window, and are in nothing that scrolls or hides them.
TOO_WIDE = """() => [...document.querySelectorAll(".page *")].filter((node) => {
    const { left, right, width } = node.getBoundingClientRect();
    return node.checkVisibility() && width > 1 && (left < -1 || right > innerWidth + 1);
}).filter((node) => {
    for (let outer = node.parentElement; !outer.matches(".page"); outer = outer.parentElement)
        if (getComputedStyle(outer).overflowX !== "visible") return false;
    return true;
}).map((node) => node.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def opened(browser, shipped_page) -> Iterator[Page]:
    yield from visited(browser, shipped_page, *PHONE, level="")


@pytest.fixture
def outer(opened: Page, shipped_page) -> Iterator[Page]:
    """A phone's page that scrolls, around a frame with ours as high as its content and more."""
    page = opened.context.new_page()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    style = f"display: block; width: 100%; height: {FRAME_HEIGHT}px; border: 0"
    page.set_content(f'<body style="margin: 0"><iframe style="{style}" src="{shipped_page}"></iframe>')
    at_rest(frame_of(page))
    yield page
    page.close()


def frame_of(page: Page) -> Frame:
    return page.frames[1]


def bottom_of(page: Page | Frame, selector: str) -> float:
    return page.locator(selector).evaluate("(node) => node.getBoundingClientRect().bottom")


def test_at_a_zoom_of_400_percent_the_bar_leaves_the_window_to_the_page_and_nothing_is_too_wide(opened):
    bar = opened.locator("#viewer .transport")
    assert bar.evaluate("(node) => getComputedStyle(node).position") == "fixed"
    opened.set_viewport_size({"width": 320, "height": 256})
    expect(opened.locator("html")).to_have_attribute("data-window", "low")
    assert bar.evaluate("(node) => getComputedStyle(node).position") == "static"
    for tab in ("lessons", "training", "explore"):
        opened.locator(f"[data-tab={tab}]").first.evaluate("(node) => node.click()")
        opened.wait_for_function(f"document.querySelector('#{tab}-tab').checkVisibility()")
        assert opened.evaluate(TOO_WIDE) == [], tab
    opened.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})


def test_in_a_frame_as_high_as_its_content_bar_and_lesson_stand_in_the_flow(outer):
    frame = frame_of(outer)
    expect(frame.locator("html")).to_have_attribute("data-window", "tall")
    assert bottom_of(frame, "#viewer .transport") < PHONE[1]
    assert bottom_of(frame, "#viewer .viewer") < FRAME_HEIGHT / 2  # no taller than a screen would make it
    frame.evaluate("document.querySelector('[data-tab=lessons]').click()")
    frame.locator(".lessons .main").first.click()
    expect(frame.locator("[data-lesson=dock]")).to_be_visible()
    assert bottom_of(frame, "[data-lesson=dock]") < bottom_of(frame, "[role=tablist] >> nth=0")


def test_in_such_a_frame_a_dialog_opens_where_the_reader_is(outer):
    frame = frame_of(outer)
    frame.locator("#footer").evaluate("(node) => { node.style.marginTop = '1200px'; }")
    outer.evaluate("scrollTo(0, 700)")
    frame.locator("#footer").dispatch_event("pointerdown")
    frame.evaluate("document.querySelector('[data-save=dialog]').showModal()")
    eventually(outer, expect_in_sight, frame.locator("[data-save=dialog]"))  # the frame is told where it is seen


def expect_in_sight(dialog: Locator) -> None:
    box = dialog.bounding_box()
    assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= PHONE[1]


def test_a_frame_without_the_pages_origin_says_what_it_lacks(opened, shipped_page):
    page = opened.context.new_page()
    page.set_content(f'<iframe sandbox="allow-scripts" src="{shipped_page}"></iframe>')
    expect(page.frame_locator("iframe").locator("body")).to_contain_text("allow-same-origin")
    page.set_content(f'<iframe sandbox src="{shipped_page}"></iframe>')
    expect(page.frame_locator("iframe").locator("noscript")).to_be_visible()  # where no script runs
    page.set_content(f'<iframe sandbox="allow-scripts allow-same-origin" src="{shipped_page}"></iframe>')
    expect(page.frame_locator("iframe").locator("#viewer .piece").first).to_be_attached()
    page.close()


def test_with_forced_colours_what_is_chosen_is_marked_and_not_hidden(opened):
    opened.emulate_media(forced_colors="active")
    assert opened.locator("#translate").evaluate("(node) => getComputedStyle(node).borderStyle") == "solid"
    opened.locator("[role=tab][data-level=heads]").click()
    opened.locator("#viewer .heads button").nth(3).evaluate("(node) => node.click()")
    chosen = opened.locator("#viewer .heads button[aria-pressed=true]")
    assert chosen.evaluate("(node) => getComputedStyle(node).backgroundColor").endswith(", 0)")  # transparent
    assert chosen.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    opened.emulate_media(forced_colors="none")
