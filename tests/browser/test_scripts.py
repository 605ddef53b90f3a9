"""A page around a translator from Arabic into Japanese: where its texts run, and what this machine has no font for."""

import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from serving import launched
from tiny_models import ARABIC, examples_in
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser, open_tab, visited

from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.ask import AnswerService

pytestmark = needs_browser


@pytest.fixture(scope="module")
def page(browser, arabic_to_japanese, tmp_path_factory) -> Iterator[Page]:
    """One page for all tests here."""
    folder = tmp_path_factory.mktemp("examples")
    app = AppContext(Recordings(arabic_to_japanese), None, examples=examples_in(folder))
    for address in launched(create_ui(app), AnswerService(app)):
        yield from visited(browser, f"{address}?kind=cross&step=3")


def lefts(nodes: Locator) -> list[float]:
    return nodes.evaluate_all("(all) => all.map((node) => node.getBoundingClientRect().left)")


def test_a_sentence_runs_as_its_language_is_written(page):
    source, target = (page.locator(f"#viewer [data-role={side}]") for side in ("source", "target"))
    assert (source.get_attribute("lang"), source.get_attribute("dir")) == ("ar", "rtl")
    assert (target.get_attribute("lang"), target.get_attribute("dir")) == ("ja", "ltr")
    arabic, japanese = lefts(source.locator(".piece"))[:8], lefts(target.locator(".piece"))[:8]
    assert arabic == sorted(arabic, reverse=True)
    assert japanese == sorted(japanese)
    box = page.locator("#sentence :is(input, textarea)")
    expect(box).to_have_attribute("dir", "auto")
    assert box.evaluate("(node) => getComputedStyle(node).direction") == "rtl"
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "4")


def test_the_dot_of_a_words_beginning_stands_where_the_word_begins(page):
    """In labels of the picture: on the right of Arabic letters, on the left of Latin ones."""
    sides = page.locator("#viewer [data-pane=first] .xtick").evaluate_all(
        r"""(ticks) => ticks.filter((tick) => /·[^\u2069]/.test(tick.textContent)).map((tick) => {
            const label = tick.querySelector("text"), at = label.textContent.indexOf("·");
            const text = document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode();
            const range = document.createRange();
            const left = (from) => {
                range.setStart(text, from);
                range.setEnd(text, from + 1);
                return range.getBoundingClientRect().left;
            };
            label.style.transform = "none";
            const found = [/[\u0600-\u06ff]/.test(text.data), left(at) > left(at + 1)];
            label.style.transform = "";
            return found;
        })"""
    )
    assert [True, True] in sides
    assert all(arabic == on_the_right for arabic, on_the_right in sides)


def has_font(language: str) -> bool:
    return subprocess.check_output(["fc-list", f":lang={language}"], text=True) != ""


@pytest.mark.skipif(shutil.which("fc-list") is None, reason="no fontconfig, which knows the fonts of a machine")
def test_what_has_no_font_is_said_and_nothing_else(page):
    notes = page.locator("#viewer [data-role=notes] li").all_inner_texts()
    said = next((note for note in notes if "no font for" in note), "")
    for language, name in {"ja": "Japanese", "ar": "Arabic"}.items():
        assert (name in said) == (not has_font(language))
    assert any("Arabic is written from right to left" in note for note in notes)


def test_a_saved_picture_has_every_word_where_the_page_has_it(page, tmp_path):
    page.keyboard.press("s")
    with page.expect_download() as download:
        page.locator("[data-entry=svg]").click()
    download.value.save_as(tmp_path / "picture.svg")
    page.keyboard.press("Escape")
    texts = [node.text or "" for node in ET.parse(tmp_path / "picture.svg").iter("{http://www.w3.org/2000/svg}text")]
    labels = page.locator("#viewer [data-pane=first] .xtick").all_text_contents()
    assert {label for label in labels if "\u2068" in label} <= set(texts)
    assert any("no font for" in text for text in texts) == (
        "no font for" in page.locator("#viewer [data-role=notes]").inner_text()
    )
    assert any(ARABIC[0].split()[0] in text for text in texts)


def test_every_tab_that_holds_the_sentence_knows_its_direction(page):
    for room, nodes in {"Positions": "#positions .context .source", "Heads": "#viewer [data-role=source]"}.items():
        open_tab(page, room)
        expect(page.locator(nodes).first).to_be_visible()
        directions = page.locator(nodes).evaluate_all("(all) => all.map((node) => node.dir)")
        assert set(directions) <= {"rtl", "auto"}
        assert directions
    open_tab(page, "Heads")
