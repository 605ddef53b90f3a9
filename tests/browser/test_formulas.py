"""Formulas are set in the font that comes with the page, also where no mathematical font is installed."""

from playwright.sync_api import expect
from visiting import needs_browser, open_tab

pytestmark = needs_browser
SIGNS = "[...new Set([...document.querySelectorAll('.inside math')].map((node) => node.textContent).join(''))].join('')"


def test_a_formula_brings_its_font_and_only_then(browser, shipped_page):
    """In a browser that was never here and has kept no file."""
    context = browser.new_context()
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(shipped_page)
    expect(page.locator("#viewer .status")).to_contain_text("Step")
    assert not any("formula.woff2" in url for url in asked)
    open_tab(page, "Inside")
    expect(page.locator(".inside h3")).to_contain_text("attends to")
    page.get_by_role("button", name="Open all").click()
    page.wait_for_function("document.fonts.check('16px Formula', 'x')")
    page.wait_for_function(
        "[...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded')"
    )
    assert sum("formula.woff2" in url for url in asked) == 1
    context.close()


def test_scripts_stand_beside_their_letter(page):
    open_tab(page, "Inside")
    page.get_by_role("button", name="Open all").click()
    page.wait_for_function(
        "[...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded')"
    )
    # At one moment: what is drawn later moves the formula.
    letter, below, above = page.locator("[data-stage=project] msubsup").first.evaluate(
        "({ children }) => [...children].map((node) => node.getBoundingClientRect().toJSON())"
    )
    # Without a MATH table the upper one stands above the letter and the two far apart.
    assert above["y"] + above["height"] > letter["y"] + 2
    assert above["y"] < below["y"] < letter["y"] + letter["height"]
