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
RIGHT, ENTER = "\ue014", "\ue007"
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


GESTURE = """(() => {
    const stage = document.querySelector("#whole [data-role=stage]"), canvas = stage.querySelector("canvas");
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const spot = { clientX: left + width * 0.45, clientY: top + height * 0.7 };
    const [name, amount] = values;
    if (name === "wheel") { // Firefox counts lines
        const turn = { ...spot, ctrlKey: true, deltaY: amount, deltaMode: 1, bubbles: true, cancelable: true };
        return canvas.dispatchEvent(new WheelEvent("wheel", turn)) ? 1 : 2;
    }
    stage.setPointerCapture = () => {}; // of a pointer that is none
    [["pointerdown", 0], ["pointermove", amount / 2], ["pointermove", amount], ["pointerup", amount]].forEach(
        ([type, by]) => canvas.dispatchEvent(new PointerEvent(type, {
            ...spot, clientX: spot.clientX + by, pointerId: 7, isPrimary: true, button: 0, bubbles: true,
        })));
    return 1;
})()"""


def test_one_moves_in_the_whole_picture_and_back(page):
    follow(page, "&tab=whole")
    page.wait("globalThis.atWork?.().length === 0 && document.querySelector('#whole .whole').dataset.at === ''")

    def at(place: str) -> None:
        page.wait("atWork().length === 0 && new URLSearchParams(location.search).get('whole.at') === values[0]", place)

    assert page.run(GESTURE, "wheel", -3) == 2  # the page itself is not zoomed
    at("decoder.2")
    page.run(GESTURE, "drag", -200)
    at("decoder.3")
    page.wait("new Promise((done) => setTimeout(() => done(true), 300))")  # what follows sooner is the same gesture
    page.run(GESTURE, "wheel", -3)
    at("decoder.3.cross")
    page.run("history.back()")
    at("decoder.3")
    page.run("history.back()")
    page.wait("!location.search.includes('whole.at')")


def test_the_title_of_the_rows_has_the_room_that_it_was_measured_for(page):
    page.open(page.run("new URL('de?level=heads&kind=decoder', document.baseURI).href"))
    page.run(WATCH)
    page.text("#viewer .annotation")
    page.wait("globalThis.atWork?.().length === 0")
    left = "document.querySelector(values[0]).getBoundingClientRect().left"
    assert page.run(left, "#viewer .annotation text") >= page.run(left, "#viewer .heatmap svg")
