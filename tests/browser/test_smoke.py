"""The page's main ways, in Firefox and WebKit: on request only (-m other_browsers).

Debian: `apt-get install firefox-esr webkit2gtk-driver xvfb`, then `xvfb-run -a python -m pytest -m other_browsers`.
"""

import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from visiting import DESK, FOLLOW, SEEN_BEFORE, WAITING
from web_driver import MINI_BROWSERS, WebDriver, firefox, webkit

pytestmark = pytest.mark.other_browsers
RIGHT, ENTER, CONTROL, ESCAPE = "\ue014", "\ue007", "\ue009", "\ue00c"
SENTENCE = "Two dogs are running."
VIEWER = "#viewer .viewer"
# That a size is told one frame later (ResizeObserver) is no failure.
WATCH = """(window.failed = [],
    addEventListener("error", ({ message: text }) => text.includes("ResizeObserver") || failed.push(text)),
    addEventListener("unhandledrejection", ({ reason }) => failed.push(String(reason))), 1)"""
UNDERLINE = """(() => {
    document.querySelector("#viewer .viewer").insertAdjacentHTML("beforeend", "<b class='piece unsure'><span>");
    const piece = document.querySelector("#viewer b.unsure");
    const style = getComputedStyle(piece.firstChild).textDecorationStyle;
    piece.remove();
    return style;
})()"""
CATCH_FILES = """(window.files = {}, HTMLAnchorElement.prototype.click = function () {
    fetch(this.href).then((file) => file.text()).then((text) => { files[this.download] = text; });
}, 1)"""


def started(name: str, folder: Path) -> AbstractContextManager[WebDriver]:
    if name == "firefox":
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        return firefox(program, folder) if program else pytest.skip("no Firefox: apt-get install firefox-esr")
    driver, programs = shutil.which("WebKitWebDriver"), glob.glob(MINI_BROWSERS)
    if not driver or not programs or "DISPLAY" not in os.environ:
        pytest.skip("no WebKit, or no display: apt-get install webkit2gtk-driver xvfb, and xvfb-run")
    return webkit(driver, programs[0])


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def page(request, shipped_page, tmp_path_factory) -> Iterator[WebDriver]:
    """The page in one of the browsers; nothing may fail in it."""
    with started(request.param, tmp_path_factory.mktemp(request.param)) as page:
        page.open(shipped_page + WAITING)
        page.run(f"(() => {{ {SEEN_BEFORE} }})()")
        page.open(f"{shipped_page}?lang=en")
        page.resize(*DESK)
        page.run(WATCH)
        page.wait("globalThis.atWork?.().length === 0")
        yield page
        assert page.run("failed") == []


def follow(page: WebDriver, query: str) -> None:
    page.run(f"({FOLLOW})(values[0])", f"?lang=en{query}")


def test_it_opens(page):
    assert "putzt" in page.text("#viewer .plain")
    assert page.run(
        "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
    )
    assert page.run("document.querySelector('#viewer .heatmap').data[0].z.length") >= 12


def test_an_uncertain_piece_is_underlined_and_a_formula_fits_its_line(page):
    assert page.run(UNDERLINE) == "dotted"
    follow(page, "&tab=positions")
    page.wait("[...document.fonts].some(({ family, status }) => family === 'Formula' && status === 'loaded')")
    height = page.wait("document.querySelector('.positions math:not([display])')?.getBoundingClientRect().height")
    assert height < 30


def test_it_translates(page):
    follow(page, "")
    page.run("document.querySelector('#sentence :is(input, textarea)').select()")
    page.type("#sentence :is(input, textarea)", SENTENCE + ENTER)
    page.wait(f"document.querySelector('{VIEWER}').dataset.sentence === values[0]", SENTENCE)
    assert "Zwei Hunde" in page.run("document.querySelector('[data-role=target]').innerText.replace(/\\s+/g, ' ')")


def test_it_steps(page):
    follow(page, "&step=3")
    page.wait(f"document.querySelector('{VIEWER}').dataset.step === '3'")
    page.type("#viewer [data-role=slider]", RIGHT)
    page.wait(f"document.querySelector('{VIEWER}').dataset.step === '4'")
    page.wait("location.search.includes('step=4')")


def test_a_head_is_off(page):
    follow(page, "&level=heads&drawer.panel=heads")
    page.click(".panel.heads [data-kind=cross] .cell")
    page.wait("document.querySelector('[data-heads=count]').textContent.startsWith('Off: 1 of 96')")
    assert page.text("#bar .told")


def test_a_lesson_answers(page):
    follow(page, "&lesson=clause.1")
    page.click(".lesson [data-lesson=choices] input")
    page.click(".lesson [data-lesson=commit]")
    page.click(".lesson [data-lesson=show]")
    page.wait("document.querySelector('.lesson [data-right=true]')")
    follow(page, "")


def test_it_saves(page):
    follow(page, "")
    page.run(CATCH_FILES)
    page.click("[data-tool=save]")
    for entry, head in (("png", ""), ("svg", "<?xml"), ("csv", "")):
        page.click(f"[data-entry={entry}]")
        name = page.wait(f"Object.keys(files).find((name) => name.endsWith('.{entry}'))")
        assert page.run("files[values[0]]", name).startswith(head)
    page.click("[data-save=dialog] form button")


def test_a_link_leads_back(page):
    follow(page, "&level=heads&kind=encoder&layer=2&head=3")
    page.click("[data-tool=share]")
    page.click("[data-share=copy]")
    assert page.text("[data-share=said]")
    page.open(page.wait("location.search.includes('head=3') && location.href"))
    page.run(WATCH)
    page.wait("document.querySelector('#viewer .kinds [aria-pressed=true][value=encoder]')")


# What the driver of WebKit has no words for: a wheel with a key held, counted in lines, and two fingers.
WHEEL = """document.querySelector("#whole [data-role=stage] canvas").dispatchEvent(new WheelEvent("wheel", {
    clientX: values[0], clientY: values[1], deltaY: values[2] / 40, deltaMode: 1, ctrlKey: true, bubbles: true,
    cancelable: true,
}))"""
STRETCH = """[["gesturestart", 1], ["gesturechange", values[2]], ["gestureend", values[2]]].forEach(([type, scale]) =>
    document.querySelector("#whole [data-role=stage] canvas").dispatchEvent(Object.assign(
        new Event(type, { bubbles: true, cancelable: true }), { clientX: values[0], clientY: values[1], scale })))"""


def test_one_moves_in_the_whole_picture_and_back(page):
    is_firefox = page.name == "firefox"
    follow(page, "&tab=whole")
    page.wait("globalThis.atWork?.().length === 0 && document.querySelector('#whole .whole').dataset.at === ''")
    box = "document.querySelector('#whole [data-role=stage]').getBoundingClientRect()"
    x, y = (
        round(part) for part in page.run(f"(({{ x, y, width, height }}) => [x + .45 * width, y + .7 * height])({box})")
    )

    def at(place: str) -> None:
        page.wait(
            "atWork().length === 0 && (new URLSearchParams(location.search).get('whole.at') ?? '') === values[0]", place
        )
        page.wait("new Promise((done) => setTimeout(() => done(true), 300))")  # what follows sooner is the same gesture

    def turn(pixels: int) -> None:
        if is_firefox:
            page.scroll(x, y, pixels, CONTROL)
        else:
            page.run(WHEEL, x, y, pixels)

    def pinch(start: int, end: int) -> None:
        ways = [[(x + side * gap, y) for gap in (start, (start + end) // 2, end)] for side in (-1, 1)]
        if is_firefox:
            page.drag(*ways)
        else:
            page.run(STRETCH, x, y, end / start)

    turn(-120)
    at("decoder.2")
    assert page.run("visualViewport.scale") == 1  # the page itself is not zoomed
    page.drag([(x, y), (x - 100, y), (x - 200, y)], pointer="mouse")
    at("decoder.3")
    page.drag([(x, y), (x, y + 100), (x, y + 180)], pointer="mouse")
    at("encoder.3")
    page.drag([(x, y), (x, y - 100), (x, y - 180)])
    at("decoder.3")
    pinch(30, 110)
    at("decoder.3.cross")
    pinch(110, 30)
    at("decoder.3")
    for key, place in (("-", ""), ("+", "decoder.4"), (ESCAPE, ""), ("+", "decoder.4")):
        page.type("body", key)
        at(place)
    pinch(30, 110)
    at("decoder.4.cross")
    for place in ("decoder.4", ""):
        page.run("history.back()")
        at(place)


def test_the_whole_picture_is_on_the_screen_however_it_comes_there(page):
    for _ in range(3):
        page.open(page.run("new URL('?lang=en&tab=whole', document.baseURI).href"))
        page.run(WATCH)
        page.wait("globalThis.atWork?.().length === 0 && document.querySelector('#whole .whole')?.dataset.at === ''")
        page.wait("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        assert page.colours("#whole [data-role=stage]") > 3000
        follow(page, "")
        follow(page, "&tab=whole")
        page.wait("globalThis.atWork().length === 0")
        assert page.colours("#whole [data-role=stage]") > 3000


def test_the_title_of_the_rows_has_the_room_that_it_was_measured_for(page):
    page.open(page.run("new URL('de?level=heads&kind=decoder', document.baseURI).href"))
    page.run(WATCH)
    page.text("#viewer .annotation")
    page.wait("globalThis.atWork?.().length === 0")
    left = "document.querySelector(values[0]).getBoundingClientRect().left"
    assert page.run(left, "#viewer .annotation text") >= page.run(left, "#viewer .heatmap svg")
