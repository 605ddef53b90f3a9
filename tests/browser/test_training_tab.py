"""The Training tab in a real browser: the curves of the record."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from serving import served
from training_story import final as final
from training_story import run as run
from training_story import told as told
from visiting import needs_browser, open_tab, visited

pytestmark = needs_browser
FIGURE = ".training .figure"


@pytest.fixture(scope="module")
def opened(browser, final, told) -> Iterator[Page]:
    for address in served(final, told):
        yield from visited(browser, address)


@pytest.fixture
def tab(opened: Page) -> Page:
    """The tab with its curves drawn: Plotly comes when it is asked for."""
    open_tab(opened, "Training")
    expect(opened.locator(f"{FIGURE} .main-svg").first).to_be_visible()
    return opened


def test_the_curves_follow_the_width_and_the_scale_and_the_record_stands_below_without_a_view_of_attention(tab):
    figure = tab.locator(FIGURE)
    for width in (1000, 1366):
        tab.set_viewport_size({"width": width, "height": 768})
        room = figure.bounding_box()
        assert room and room["width"] > width - 100
        expect(figure.locator(".main-svg").first).to_have_attribute("width", str(round(room["width"])))
    for scale in ("linear", "log"):
        tab.locator(".training").get_by_role("button", name=scale, exact=True).click()
        tab.wait_for_function(f"document.querySelector('{FIGURE}').layout.xaxis.type === '{scale}'")
    expect(tab.locator("#record table").first).to_be_visible()
    assert tab.locator("#training-tab .viewer, #training-tab input").count() == 0


@pytest.mark.thorough
def test_the_dark_page_has_curves_of_its_own(tab):
    colour = f"() => document.querySelector('{FIGURE}').data[0].line.color"
    light = tab.evaluate(colour)
    tab.get_by_role("button", name="Dark", exact=True).click()
    tab.wait_for_function(f"(light) => ({colour})() !== light", arg=light)
    tab.get_by_role("button", name="Light", exact=True).click()
    tab.wait_for_function(f"(light) => ({colour})() === light", arg=light)
