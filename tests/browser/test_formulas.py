"""Formulas are set in the font that comes with the page, also where no mathematical font is installed."""

from playwright.sync_api import expect
from visiting import needs_browser, open_tab

pytestmark = needs_browser
SIGNS = "[...new Set([...document.querySelectorAll('.inside math')].map((node) => node.textContent).join(''))].join('')"


def test_a_formula_brings_its_font_and_only_then(page):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert not any("formula.woff2" in url for url in asked)
    open_tab(page, "Inside")
    expect(page.locator(".inside h3")).to_contain_text("attends to")
    page.wait_for_function("document.fonts.check('16px Formula', 'x')")
    page.wait_for_function(
        "[...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded')"
    )
    assert sum("formula.woff2" in url for url in asked) == 1


def test_scripts_stand_beside_their_letter(page):
    open_tab(page, "Inside")
    page.wait_for_function(
        "[...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded')"
    )
    letter, below, above = (
        page.locator(f"[data-stage=project] msubsup > :nth-child({place})").first.bounding_box() for place in (1, 2, 3)
    )
    assert letter is not None and below is not None and above is not None
    # Without a MATH table the upper one stands above the letter and the two far apart.
    assert above["y"] + above["height"] > letter["y"] + 2
    assert above["y"] < below["y"] < letter["y"] + letter["height"]
