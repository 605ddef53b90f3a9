"""Without a mouse: tab stops, arrows inside a group, a link that skips them; and with forced colours."""

import re
from collections.abc import Iterator

import pytest
from cases import each_case
from playwright.sync_api import Locator, Page, expect
from visiting import MOTION, begin_again, go_to, needs_browser, open_tab

pytestmark = needs_browser
MOST_STOPS = 20  # from the top of the page to the step controls


def focused(page: Page, selector: str) -> bool:
    return page.evaluate("(selector) => document.activeElement.matches(selector)", selector)


def stops(page: Page, until: str) -> list[str]:
    """What Tab stops at on a page just loaded, up to what a selector names."""
    found: list[str] = []
    while len(found) < 100 and not (found and focused(page, until)):
        page.keyboard.press("Tab")
        found.append(page.evaluate("document.activeElement.outerHTML.slice(0, 120)"))
    return found


def test_few_tab_stops_lead_to_the_step_controls_and_the_first_of_them_to_the_picture(new_page):
    found = stops(new_page, ".viewer .transport *")
    print("\n".join(found))
    assert 'data-tool="skip"' in found[0]
    assert len(found) <= MOST_STOPS
    new_page.locator("[data-tool=skip]").focus()
    new_page.keyboard.press("Enter")
    expect(new_page.locator("[data-pane=first] .heatmap")).to_be_focused()
    open_tab(new_page, "Whole model")
    expect(new_page.locator("#whole .stage")).to_be_visible()
    new_page.locator("[data-tool=skip]").focus()
    new_page.keyboard.press("Enter")
    expect(new_page.locator("#whole .stage")).to_be_focused()


@each_case(
    ("group", "item"),
    [
        ("[role=tablist]", "[role=tab]"),
        (".tools", "button"),
        ("[data-role=source]", ".piece"),
        ("[data-role=target]", ".piece"),
        ("[data-role=heads]", "button"),
    ],
)
def test_a_group_is_one_tab_stop_with_arrows_inside(page, group, item):
    page.keyboard.press("End")  # all of the German is seen
    expect(page.locator("[data-role=target] .piece").last).to_be_visible()
    step = page.locator(".viewer").get_attribute("data-step")
    items = page.locator(group).first.locator(item)
    items.first.focus()
    page.keyboard.press("ArrowRight")
    expect(items.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(items.last).to_be_focused()
    page.keyboard.press("Home")
    expect(items.first).to_be_focused()
    page.keyboard.press("Tab")
    assert not focused(page, f"{group} *")
    page.keyboard.press("Shift+Tab")
    assert focused(page, f"{group} {item}")
    assert page.locator(".viewer").get_attribute("data-step") == step


def test_tab_stops_at_the_piece_of_the_step_and_arrows_lead_on(page):
    go_to(page, 2)
    page.locator("[data-role=source] .piece").first.focus()
    page.keyboard.press("Tab")
    expect(page.locator("[data-role=target] .piece.current")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-role=target] .piece.later").first).to_be_focused()


def test_heads_are_chosen_by_keyboard_in_the_overview(page):
    page.locator("[data-role=heads] button").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("[data-role=layer]")).to_have_value("1")
    expect(page.locator("[data-role=head]")).to_have_value("2")
    expect(page.locator("[data-role=heads] [aria-pressed=true]")).to_have_count(1)


def test_arrows_go_through_the_tabs_and_enter_opens_one(page):
    page.get_by_role("tab", name="Heads", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    tab = page.get_by_role("tab", name="Whole model", exact=True)
    expect(tab).to_have_attribute("aria-selected", "true")
    panel = page.get_by_role("tabpanel", name="Whole model")
    expect(panel).to_be_focused()
    assert panel.get_attribute("id") == tab.get_attribute("aria-controls")


@pytest.fixture
def forced(shared_page: Page) -> Iterator[Page]:
    """Windows' high contrast, for visitors who do not want motion."""
    begin_again(shared_page)
    shared_page.emulate_media(forced_colors="active", reduced_motion="reduce")
    yield shared_page
    shared_page.emulate_media(forced_colors="none", reduced_motion=MOTION)


def style(node: Locator, name: str) -> str:
    return node.evaluate("(node, name) => getComputedStyle(node)[name]", name)


def test_what_is_chosen_stands_out_and_shading_keeps_its_colours(forced):
    pressed = forced.locator("#viewer .kinds button[aria-pressed=true]")
    other = forced.locator("#viewer .kinds button[aria-pressed=false]").first
    assert style(pressed, "backgroundColor") != style(other, "backgroundColor")
    selected = forced.get_by_role("tab", name="Heads", exact=True)
    assert style(selected, "backgroundColor") != style(forced.get_by_role("tab", name="Lessons"), "backgroundColor")
    assert style(forced.locator("[data-role=target] .piece.current"), "outlineStyle") == "solid"
    forced.locator("[data-role=source] .piece").nth(1).click()
    assert style(forced.locator("[data-role=source] .piece.pinned"), "outlineStyle") == "dashed"
    forced.locator("[data-role=source] .piece").nth(1).click()
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
