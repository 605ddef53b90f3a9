"""Every tab, one after the other on the same page, at a desk and on a phone, in every language: drawn at full size.

That a tab is drawn well where it is opened first is proven by its own tests.
"""

import pytest
from playwright.sync_api import expect
from visiting import DESK, DRAWN, PHONE, needs_browser, open_tab, visited

from explorer.tabs import tab_labels
from explorer.ui.language import FIRST, LanguageContext, use_language

pytestmark = needs_browser
WIDE_ENOUGH = """([picture, part]) => {
    const shown = [...document.querySelectorAll(picture)].filter((node) => node.checkVisibility());
    const panel = [...document.querySelectorAll("[role=tabpanel]")].find((node) => node.offsetParent);
    return Math.max(...shown.map((node) => node.getBoundingClientRect().width)) >= part * panel.clientWidth;
}"""
# A style of ours that meets a class of Plotly's moves labels away from their axes.
LABELLED_AT_ITS_AXES = """(plot) =>
    [...plot.querySelectorAll("g.xtick, g.ytick")].every((label) => getComputedStyle(label).transform === "none")"""
AS_WIDE_AS_ITS_PLACE = "(plot) => Math.abs(plot._fullLayout.width - plot.clientWidth) <= 2"


def test_every_tab_is_among_these():
    assert DRAWN.keys() == tab_labels().keys()


@pytest.mark.parametrize(
    ("size", "language"),
    [
        (DESK, "en"),
        (PHONE, "de"),
        pytest.param(DESK, "de", marks=pytest.mark.thorough),
        pytest.param(PHONE, "en", marks=pytest.mark.thorough),
    ],
)
def test_every_tab_is_drawn_at_full_size(browser, shipped_page, size, language):
    with use_language(LanguageContext(language)):
        labels = tab_labels()
    for page in visited(browser, shipped_page + ("" if language == FIRST else language), *size):
        for tab, (picture, part) in DRAWN.items():
            if tab != "explore":
                open_tab(page, labels[tab])
            expect(page.locator(f"{picture} >> visible=true").first).to_be_visible()
            page.wait_for_function(WIDE_ENOUGH, arg=[picture, part])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{tab} is too wide"
            plots = page.locator(".js-plotly-plot >> visible=true").all()
            assert all(plot.evaluate(AS_WIDE_AS_ITS_PLACE) for plot in plots), tab
            assert all(plot.evaluate(LABELLED_AT_ITS_AXES) for plot in plots), tab
            assert "[[" not in page.locator("body").inner_text(), f"{tab}: a term without its link"
