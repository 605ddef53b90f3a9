"""axe-core on every tab, light and dark, at a desk and on a phone: nothing serious that is ours.

What is found is named by its rule and its element.
"""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from visiting import DRAWN, needs_browser, open_tab, option, visited

from explorer.tabs import tab_labels
from explorer.tabs.what_if.panels import PANELS

pytestmark = needs_browser
SERIOUS = {"serious", "critical"}
OURS_TOO = {"heading-order", "empty-table-header"}  # less than serious, and mended all the same
OPTIONS = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": True}}}


def found(page: Page) -> list[str]:
    """What is wrong with the page as it stands: rule, element and what axe says of it."""
    violations: list[dict[str, Any]] = Axe().run(page, options=OPTIONS).response["violations"]
    wrong = [found for found in violations if found["impact"] in SERIOUS or found["id"] in OURS_TOO]
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in wrong
        for node in violation["nodes"]
    ]


DESK, PHONE = (1366, 768), (390, 844)


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        (DESK, "light"),
        (PHONE, "dark"),
        pytest.param(DESK, "dark", marks=pytest.mark.thorough),
        pytest.param(PHONE, "light", marks=pytest.mark.thorough),
    ],
)
def test_no_tab_has_anything_serious(browser, shipped_page, size, theme):
    for page in visited(browser, f"{shipped_page}?__theme={theme}", *size):
        wrong = {}
        for tab, (picture, _) in DRAWN.items():
            if tab != "explore":
                open_tab(page, tab_labels()[tab])
            expect(page.locator(f"{picture} >> visible=true").first).to_be_visible()
            wrong[tab] = found(page)
        assert wrong == {tab: [] for tab in DRAWN}


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.thorough)])
def test_no_panel_of_what_if_has_anything_serious(browser, shipped_page, theme):
    for page in visited(browser, f"{shipped_page}?__theme={theme}"):
        open_tab(page, tab_labels()["lab"])
        page.locator(".lab .fork .chips button:enabled").first.click()
        expect(page.locator("[data-lab=changed] ins").first).to_be_visible()
        wrong = {}
        for button in page.locator(".lab .panels button").all():
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            expect(page.locator(".lab .panel[aria-busy=true]")).to_have_count(0)  # else it is still to be filled
            wrong[button.inner_text()] = found(page)
        assert len(wrong) == len(PANELS) and not any(wrong.values()), wrong


def show_the_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def begin_a_lesson(page: Page) -> None:
    open_tab(page, tab_labels()["lessons"])
    page.locator(".lessons article button").first.click()
    expect(page.locator("[data-role=source]").first).to_contain_text("bought")  # until then the view is dimmed
    page.locator(".lesson label").first.click()
    page.locator(".lesson [data-lesson=commit]").click()
    page.locator(".lesson [data-lesson=show]").click()
    expect(page.locator(".lesson [data-lesson=reveal]")).not_to_be_empty()


STATES = {
    "ribbons": lambda page: page.locator("[data-look=ribbon]").click(),
    "table": lambda page: page.locator("[data-look=table]").click(),
    "two heads": lambda page: page.locator("[data-role=pair]").check(),
    "options": lambda page: option(page, "scale").focus(),
    "a pin": lambda page: page.locator("[data-role=source] .piece").nth(3).click(),
    "a lesson": begin_a_lesson,
    "keys": show_the_keys,
}


def test_a_lesson_has_nothing_serious_in_the_dark_on_a_phone(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}?__theme=dark", 390, 844):
        expect(page.locator("body")).to_contain_class("dark")
        begin_a_lesson(page)
        assert found(page) == []


def test_no_state_of_explore_has_anything_serious(page):
    for state, enter in STATES.items():
        enter(page)
        assert found(page) == [], state


def test_something_serious_would_be_found(page):
    page.evaluate("document.querySelector('.viewer').insertAdjacentHTML('beforeend', '<img src=\"data:,\">')")
    assert any(line.startswith("image-alt") for line in found(page))
