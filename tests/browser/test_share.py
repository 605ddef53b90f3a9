"""What Share offers: the link, the picture that chat programs show with it, and videos of the whole model."""

import io
import re
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect
from visiting import SEEN_BEFORE, at_rest, begin_again, follow, needs_browser

from explorer.page import words as page_words
from explorer.page.link_preview import HEIGHT_PX, PICTURE, WIDTH_PX
from explorer.page.share.dialog import words
from explorer.recording.sentence import examples

pytestmark = needs_browser
SENTENCE = examples()[0]["sentence"]
SIZE = "(image) => [image.naturalWidth, image.naturalHeight]"
SELECTED = "() => document.activeElement.value.slice(document.activeElement.selectionStart)"
# Devices that hand links to other programs; what is handed stands in `window.sent`.
SEND = """() => {
    window.sent = [];
    Object.defineProperty(navigator, "share", { value: async (what) => { sent.push(what); } });
}"""


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    begin_again(shared_page, level="picture")
    shared_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield shared_page
    shared_page.context.clear_permissions()


def open_share(page: Page) -> None:
    at_rest(page)
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()
    at_rest(page)


def test_the_link_is_copied_with_one_press_and_by_hand_where_the_clipboard_is_closed(page):
    page.evaluate("navigator.clipboard.writeText('before')")
    open_share(page)
    link, said = page.get_by_label("Link to what is shown"), page.locator("[data-share=said]")
    expect(said).to_be_empty()
    assert page.evaluate("navigator.clipboard.readText()") == "before"
    expect(link).to_have_value(page.url)
    page.keyboard.press("Enter")  # the focus is at the button
    expect(said).to_have_text(words.TEXT["copiedLocal"])
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(said).to_have_text(words.TEXT["copyByHand"])
    assert page.evaluate(SELECTED) == page.url
    page.evaluate("delete navigator.clipboard")
    page.keyboard.press("Escape")


def test_the_picture_is_the_preview_of_this_link_and_can_be_saved(page):
    follow(page, f"?level=picture&step=3&sentence={SENTENCE}")
    open_share(page)
    picture = page.get_by_role("img", name=page_words.PREVIEW["picture"])
    assert picture.evaluate(SIZE) == [WIDTH_PX, HEIGHT_PX]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    assert re.fullmatch(r"preview-a-man-in-a-blue-.*\.png", download.value.suggested_filename)
    saved = download.value.path().read_bytes()
    expect(page.locator("[data-share=state]")).to_contain_text(download.value.suggested_filename)
    page.keyboard.press("Escape")
    meta = page.request.get(page.url).text()
    (address,) = re.findall(r'property="og:image" content="([^"]*)"', meta)
    assert page.request.get(address.replace("&amp;", "&")).body() == saved != PICTURE.read_bytes()
    assert (np.asarray(Image.open(io.BytesIO(saved)).convert("L")) < 128).mean() > 0.005


@pytest.mark.parametrize(("headers", "said"), [({"Cache-Control": "no-store"}, "later"), ({}, "general")])
def test_the_page_s_own_picture_is_not_shown_as_that_of_this_sentence(page, headers, said):
    def answer(route: Route) -> None:
        route.fulfill(path=PICTURE, headers={"Content-Location": PICTURE.name, **headers})

    page.route("**/preview.png?*", answer)
    open_share(page)
    expect(page.locator("[data-share=unseen]")).to_have_text(words.TEXT[said])
    for gone in (page.locator("[data-share=preview]"), page.get_by_role("button", name="Save picture")):
        expect(gone).to_be_hidden()
    page.unroute_all()
    page.keyboard.press("Escape")


def test_a_video_is_recorded_from_any_tab_and_the_tab_is_there_again_after_stop(page):
    open_share(page)
    page.get_by_role("button", name="Save video (10 s)").click()
    expect(page.locator("[data-share=told]")).to_contain_text("of 10 s")
    expect(page.locator("#share .preview canvas")).to_be_visible()
    expect(page.get_by_text("What chat programs show")).to_be_hidden()  # it is the video that is shown
    expect(page.locator("[data-tab=whole]")).to_have_attribute("aria-selected", "true")
    page.locator("[data-share=stop]").click()
    expect(page.locator("[data-share=state]")).to_have_text("Stopped; nothing was saved.")
    expect(page.locator("#share .preview canvas")).to_have_count(0)
    expect(page.get_by_role("tab", name="Picture", exact=True, include_hidden=True)).to_have_attribute(
        "aria-selected", "true"
    )
    expect(page.locator("[data-share=preview]")).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.thorough
def test_the_videos_are_saved_and_that_of_the_sentence_is_small(page, tmp_path):
    open_share(page)
    for button, name in (("writing", "writing"), ("film", "flight")):
        with page.expect_download(timeout=120_000) as download:
            page.locator(f"[data-share={button}]").click()
        assert re.fullmatch(rf"{name}-[a-z-]+\.(mp4|webm)", download.value.suggested_filename)
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        assert path.stat().st_size > 20_000
        if name == "writing":
            assert path.stat().st_size < 3e6
    page.keyboard.press("Escape")


def test_a_device_that_hands_links_on_is_given_this_one(browser, shipped_page):
    with browser.new_context() as context:
        page = context.new_page()
        page.add_init_script(SEEN_BEFORE)
        page.goto(shipped_page)
        open_share(page)
        expect(page.locator("[data-share=send]")).to_be_hidden()
        page.add_init_script(f"({SEND})()")
        page.goto(f"{shipped_page}?level=picture&step=2")
        open_share(page)
        page.get_by_role("button", name="Send …").click()
        (sent,) = page.evaluate("window.sent")
        link = page.locator("[data-share=link]").input_value()
        assert "step=2" in link and sent == {"title": f"“{SENTENCE}” · Attention Explorer", "url": link}
