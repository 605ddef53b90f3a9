"""Windows' high contrast, and visitors who do not want motion: what is chosen and shaded is still seen."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from visiting import needs_browser

pytestmark = needs_browser


@pytest.fixture(scope="module")
def forced(browser, shipped_page) -> Iterator[Page]:
    page = browser.new_page(forced_colors="active", reduced_motion="reduce", viewport={"width": 1366, "height": 768})
    page.goto(shipped_page)
    expect(page.locator("#viewer .status")).to_contain_text("Step")
    yield page
    page.close()


def style(node: Locator, name: str) -> str:
    return node.evaluate("(node, name) => getComputedStyle(node)[name]", name)


def test_what_is_chosen_stands_out(forced):
    pressed = forced.locator("#viewer .kinds button[aria-pressed=true]")
    other = forced.locator("#viewer .kinds button[aria-pressed=false]").first
    assert style(pressed, "backgroundColor") != style(other, "backgroundColor")
    selected = forced.get_by_role("tab", name="Explore")
    assert style(selected, "backgroundColor") != style(forced.get_by_role("tab", name="Inside"), "backgroundColor")
    assert style(forced.locator("[data-role=target] .piece.current"), "outlineStyle") == "solid"
    forced.locator("[data-role=source] .piece").nth(1).click()
    assert style(forced.locator("[data-role=source] .piece.pinned"), "outlineStyle") == "dashed"
    forced.locator("[data-role=source] .piece").nth(1).click()


def test_shading_keeps_its_colours(forced):
    shaded = forced.locator("#viewer [data-role=source] .piece[style*='rgb(']")
    colours = {style(piece, "backgroundColor") for piece in shaded.all()}
    assert len(colours) >= 2  # of the ground and of the piece that is looked at
    assert style(forced.locator(".candidates li i").first, "forcedColorAdjust") == "none"


def test_nothing_moves_where_motion_is_not_wanted_but_playing_does_play(forced):
    moving = forced.evaluate(
        """() => [...document.querySelectorAll("*")].filter((node) =>
            getComputedStyle(node).transitionDuration.split(",").some((time) => parseFloat(time) > 0)).length"""
    )
    assert moving == 0
    forced.get_by_label("First step").first.click()
    forced.locator("#viewer [data-go=play]").click()
    expect(forced.locator("#viewer .status")).to_contain_text(
        re.compile(r"Step ([3-9]|1\d) of")
    )  # a busy machine may skip the look at one
