"""Links, one after the other on a page: of the courses and articles, and any others."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import fuzzing
import pytest
from hypothesis import given
from playwright.sync_api import Browser, Page, expect
from visiting import DRAWN, at_rest, expect_sentence, follow, needs_browser, visited

from explorer.recording.sentence import examples

pytestmark = needs_browser
DOCS = Path(__file__).parents[2] / "docs"
LINK = re.compile(r"\(http://127\.0\.0\.1:7860/(\?[^)\s]*)?\)")
TEXTS = [(DOCS / name).read_text(encoding="utf-8") for name in ("courses.md", "articles.md")]
# A board of the whole model covers its picture.
PICTURES = {tab: picture for tab, (picture, _) in DRAWN.items()} | {"whole": "#whole :is([data-role=canvas], .board)"}
# By the part of a link, what shows its value: in Heads, and in all tabs.
EXPLORE = {
    "kind": "#viewer .kinds [aria-pressed=true][value='{}']",
    "step": "#viewer .viewer[data-step='{}']",
}
SHOWN = {
    "drawer.panel": "#drawer .panel.{} >> visible=true",
    "lesson": ".lesson:visible",
    "whole.at": "#whole .whole[data-at='{}']",
    "whole.shapes": "#whole .model-summary[open] table",
}


@pytest.mark.thorough
def test_every_link_of_the_courses_and_articles_shows_what_it_names(shared_page):
    page = shared_page
    links = sorted({query for text in TEXTS for query in LINK.findall(text)})
    assert len(links) >= 25
    for query in links:
        parts = dict(parse_qsl(urlsplit(query).query))
        follow(page, query or "?")
        sentence = parts.get("sentence") or ("" if "lesson" in parts else examples()[0]["sentence"])
        if sentence:
            expect_sentence(page, sentence)
        if "lesson" not in parts:
            picture = ".ribbons" if parts.get("look") == "ribbon" else PICTURES[parts.get("tab", "explore")]
            expect(page.locator(f"{picture} >> visible=true").first, query).to_be_visible()
        shown = SHOWN if "tab" in parts else SHOWN | EXPLORE
        for part, selector in shown.items():
            if part in parts:
                expect(page.locator(selector.format(parts[part])), query).not_to_have_count(0)
        at_rest(page)
        assert page.locator(".notice").inner_text() == "", query  # every part was understood


ARRIVE = """(query) => new Promise((resolve) => {
    history.pushState(null, "", location.pathname + query);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 60);
})"""


@pytest.fixture(scope="module")
def toy_tab(browser: Browser, toy_page: str) -> Iterator[Page]:
    """One page for all links; it fails at the end where anything was logged as an error."""
    yield from visited(browser, toy_page)


@fuzzing.examples(25)
@given(query=fuzzing.addresses)
def test_no_link_breaks_the_page(toy_tab, query):
    failed: list[str] = []
    toy_tab.on("pageerror", lambda error: failed.append(str(error)))
    toy_tab.evaluate(ARRIVE, query)
    assert failed == []
    assert toy_tab.locator("#viewer .sentences").count() == 1
