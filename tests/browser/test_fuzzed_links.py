"""Links of every kind in one page, one after another: nothing fails (tests/fuzz/test_links.py has more)."""

from collections.abc import Iterator

import pytest
from fuzzing import addresses, examples
from hypothesis import given
from playwright.sync_api import Browser, Page
from visiting import needs_browser, visited

pytestmark = needs_browser
ARRIVE = """(query) => new Promise((resolve) => {
    history.pushState(null, "", location.pathname + query);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 60);
})"""


@pytest.fixture(scope="module")
def page(browser: Browser, toy_page: str) -> Iterator[Page]:
    """One page for all links; it fails at the end where anything was logged as an error."""
    yield from visited(browser, toy_page)


@examples(25)
@given(query=addresses)
def test_no_link_breaks_the_page(page, query):
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.evaluate(ARRIVE, query)
    assert failed == []
    assert page.locator("#viewer .sentences").count() == 1
