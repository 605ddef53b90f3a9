"""axe-core on every tab, light and dark, at a desk and on a phone: nothing serious that is ours.

What is wrong is named by its rule and its element.
"""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from visiting import DESK, DRAWN, PHONE, all_panels, begin_again, needs_browser, open_tab, option, visited

from explorer.tabs import tab_labels
from explorer.tabs.what_if.tab import PANELS

pytestmark = needs_browser
SERIOUS = {"serious", "critical"}
OURS_TOO = {"heading-order", "empty-table-header"}  # less than serious, and mended all the same
ALL_RULES = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": True}}}
RULES_OF_LOOKS = ALL_RULES | {"runOnly": ["color-contrast", "scrollable-region-focusable"]}  # of colours and of size

MORE = [(DESK, "dark"), (PHONE, "light"), (PHONE, "dark")]  # with --thorough


def wrong(page: Page, part: str = "html", options: dict[str, Any] = ALL_RULES) -> list[str]:
    """What is wrong with a part of the page as it stands: rule, element and what axe says of it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate("async ([part, options]) => (await axe.run(part, options)).violations", [part, options])
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in violations
        if violation["impact"] in SERIOUS or violation["id"] in OURS_TOO
        for node in violation["nodes"]
    ]


def begin_a_lesson(page: Page) -> None:
    open_tab(page, tab_labels()["lessons"])
    page.locator(".lessons article button").first.click()
    expect(page.locator("[data-role=source]").first).to_contain_text("bought")  # until then the view is dimmed
    page.locator(".lesson label").first.click()
    page.locator(".lesson [data-lesson=commit]").click()
    page.locator(".lesson [data-lesson=show]").click()
    expect(page.locator(".lesson [data-lesson=reveal]")).not_to_be_empty()


def faults_of_panels(page: Page) -> dict[str, list[str]]:
    """What is wrong with each panel of What if, once a candidate is chosen."""
    open_tab(page, tab_labels()["lab"])
    page.locator(".lab .fork .chips button:enabled").first.click()
    expect(page.locator("[data-lab=changed] ins").first).to_be_visible()
    faults = {}
    for button in all_panels(page).all():
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".lab .panel[aria-busy=true]")).to_have_count(0)  # else it is still to be filled
        faults[button.inner_text()] = wrong(page, f".lab [data-panel={button.get_attribute('value')}]")
    assert len(faults) == len(PANELS)
    return faults


@pytest.mark.parametrize(
    ("size", "theme", "options", "tabs"),
    [
        (DESK, "light", ALL_RULES, DRAWN),
        (PHONE, "dark", RULES_OF_LOOKS, ["explore", "lab", "training"]),
        *(pytest.param(*more, ALL_RULES, DRAWN, marks=pytest.mark.thorough) for more in MORE),
    ],
)
def test_no_tab_and_no_lesson_has_anything_serious(browser, shipped_page, size, theme, options, tabs):
    for page in visited(browser, f"{shipped_page}?__theme={theme}", *size):
        expect(page.locator("body.dark")).to_have_count(int(theme == "dark"))
        faults = {}
        for tab in tabs:
            if tab != "explore":
                open_tab(page, tab_labels()[tab])
            expect(page.locator(f"{DRAWN[tab][0]} >> visible=true").first).to_be_visible()
            faults[tab] = wrong(page, "html" if tab == "explore" else f"#{tab}-tab", options)
        if "lab" in tabs and options is ALL_RULES:
            faults |= faults_of_panels(page)
        begin_a_lesson(page)
        faults["lesson"] = wrong(page, ".lesson", options)
        assert not any(faults.values()), faults


def show_the_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


STATES = {  # in this order
    "ribbons of two heads": lambda page: (
        page.locator("[data-role=pair]").check(),
        page.locator("[data-look=ribbon]").click(),
    ),
    "a table with a pin": lambda page: (
        page.locator("[data-look=table]").click(),
        page.locator("[data-role=source] .piece").nth(3).click(),
    ),
    "options": lambda page: option(page, "scale").focus(),
    "keys": show_the_keys,
}


def test_no_state_of_explore_has_anything_serious(shared_page):
    begin_again(shared_page)
    for state, enter in STATES.items():
        enter(shared_page)
        assert wrong(shared_page, "dialog" if state == "keys" else "#viewer") == [], state
