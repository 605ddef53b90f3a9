"""What browser tests share: the page around the shipped checkpoint."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from visiting import begin_again, visited


@pytest.fixture
def new_page(browser: Browser, shipped_page: str) -> Iterator[Page]:
    """The page, loaded anew."""
    yield from visited(browser, shipped_page)


@pytest.fixture(scope="module")
def shared_page(browser: Browser, shipped_page: str) -> Iterator[Page]:
    """The same page for all tests of a file; each sets what it relies on."""
    yield from visited(browser, shipped_page)


@pytest.fixture
def page(shared_page: Page) -> Page:
    """The shared page with the view that it opens with."""
    return begin_again(shared_page)
