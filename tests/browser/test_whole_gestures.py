"""In the picture of the whole model a wheel and a pinch zoom along the rails, and a drag leads to the neighbour."""

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from visiting import at_rest, follow, needs_browser, visited

pytestmark = needs_browser
SPOT = (0.45, 0.7)  # of the stage: a layer of the decoder, and there its cross-attention


@pytest.fixture
def whole(browser: Browser, shipped_page: str) -> Iterator[Page]:
    for page in visited(browser, f"{shipped_page}?level=heads"):
        page.get_by_role("tab", name="Whole model").click()
        expect(stage(page)).to_be_visible()
        at_rest(page)
        yield page


def stage(page: Page) -> Locator:
    return page.locator("#whole [data-role=stage]")


def place(page: Page) -> str:
    at_rest(page)
    return page.locator("#whole .whole").get_attribute("data-at") or ""


def spot(page: Page) -> tuple[float, float]:
    box = stage(page).bounding_box()
    assert box is not None
    return box["x"] + SPOT[0] * box["width"], box["y"] + SPOT[1] * box["height"]


def turn(page: Page, pixels: int) -> str:
    page.mouse.move(*spot(page))
    page.keyboard.down("Control")
    page.mouse.wheel(0, pixels)
    page.keyboard.up("Control")
    page.wait_for_timeout(200)  # two turns within that time are one gesture
    return place(page)


def drag(page: Page, right: int, down: int) -> str:
    x, y = spot(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    page.mouse.move(x + right, y + down)
    page.mouse.up()
    return place(page)


def test_a_wheel_with_control_zooms_level_by_level_and_back_leads_out_again(whole):
    page = whole
    levels = [turn(page, -120) for _ in range(4)]
    assert levels[:2] == ["decoder.2", "decoder.2.cross"]
    assert re.fullmatch(r"decoder\.2\.cross\.\d", levels[2])
    assert levels[3].startswith(f"{levels[2]}.")
    assert turn(page, 120) == levels[2]
    assert turn(page, -120).startswith(f"{levels[2]}.")
    for expected in (*reversed(levels[:3]), ""):
        page.go_back()
        assert place(page) == expected
    page.go_back()
    expect(page.get_by_role("tab", name="Heads")).to_have_attribute("aria-selected", "true")


def test_a_drag_leads_to_the_neighbour_and_opens_nothing(whole):
    page = whole
    assert drag(page, -200, 0) == ""  # the whole has none
    turn(page, -120)
    assert drag(page, -200, 0) == "decoder.3"
    assert drag(page, 0, 200) == "encoder.3"
    assert drag(page, -20, 0) == "encoder.3"


@pytest.mark.thorough
def test_the_plain_wheel_scrolls_and_says_once_which_wheel_zooms(whole):
    page = whole
    page.mouse.move(*spot(page))
    page.mouse.wheel(0, 90)
    expect(page.locator("#whole [data-role=hint]")).to_be_visible()
    page.wait_for_function("scrollY > 0")
    assert place(page) == ""
    expect(page.locator("#whole [data-role=hint]")).to_be_hidden()
    page.mouse.wheel(0, -90)
    page.wait_for_function("scrollY === 0")
    expect(page.locator("#whole [data-role=hint]")).to_be_hidden()


def test_two_fingers_zoom_in_and_out(whole):
    page = whole
    x, y = spot(page)
    touch = page.context.new_cdp_session(page)

    def pinch(start: int, end: int) -> str:
        for kind, gap in (("touchStart", start), ("touchMove", (start + end) // 2), ("touchMove", end)):
            points = [{"x": x - gap, "y": y}, {"x": x + gap, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return place(page)

    assert pinch(40, 120) == "decoder.2"
    assert pinch(40, 120) == "decoder.2.cross"
    assert pinch(120, 40) == "decoder.2"


def test_on_a_phone_a_board_fills_the_window_and_a_finger_goes_beside(whole):
    page = whole
    page.set_viewport_size({"width": 390, "height": 844})
    follow(page, "?tab=whole&whole.at=decoder.4.feed")
    assert place(page) == "decoder.4.feed"
    below = page.locator("#whole .feed-board .below").bounding_box()
    caption = page.locator("#whole .told").bounding_box()
    assert below and caption
    assert 0 <= caption["y"] - below["y"] - below["height"] < 40
    touch = page.context.new_cdp_session(page)
    for kind, x in (("touchStart", 80), ("touchMove", 180), ("touchMove", 300), ("touchEnd", None)):
        points = [] if x is None else [{"x": x, "y": 400}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert place(page) == "decoder.4.cross"


@pytest.mark.thorough
def test_gestures_by_chance_end_at_a_place_that_the_address_names(whole):
    page, choice = whole, random.Random(58)
    for _ in range(100):
        name = choice.choice(["in", "in", "out", "drag", "key"])
        if name == "drag":
            drag(page, choice.choice([-160, 0, 160]), choice.choice([-160, 0, 160]))
        elif name == "key":
            page.keyboard.press(choice.choice(["+", "-", "0", "Escape"]))
        else:
            turn(page, -120 if name == "in" else 120)
        expected = place(page)
        page.wait_for_function(
            "at => (new URLSearchParams(location.search).get('whole.at') ?? '') === at", arg=expected
        )
    for _ in range(100):
        if page.get_by_role("tab", name="Heads").get_attribute("aria-selected") == "true":
            break
        page.go_back()
        place(page)
    expect(page.get_by_role("tab", name="Heads")).to_have_attribute("aria-selected", "true")
