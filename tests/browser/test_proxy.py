"""The page below a path, behind a real proxy: all of it works there, and nothing is asked for outside the path."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import Proxy, proxied, served
from visiting import TIMEOUT, needs_browser, open_tab, translate

from explorer.tabs import tab_labels
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = "The dog sees a bird."


@pytest.fixture(scope="module")
def server(shipped: Translator) -> Iterator[str]:
    yield from served(shipped, root_path="/x/y")


@pytest.fixture
def proxy(server: str, request) -> Iterator[tuple[str, Proxy]]:
    """The address of the page behind a proxy that takes its path away, or leaves it."""
    proxy = Proxy(server, "/x/y", request.param)
    with proxied(proxy) as address:
        yield address, proxy


@pytest.fixture
def page(browser: Browser, proxy: tuple[str, Proxy]) -> Iterator[Page]:
    _, behind = proxy
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
    yield page
    context.close()
    assert not wrong, wrong
    assert behind.outside == []


def stands(page: Page, path: str) -> None:
    expect(page.locator("#viewer .status")).not_to_be_empty()
    assert re.sub(r"^[^/]+//[^/]+|[?#].*$", "", page.url) == path


@pytest.mark.thorough
@pytest.mark.parametrize("proxy", [True], ids=["stripped"], indirect=True)
def test_the_page_works_and_stays_below_its_path(page, proxy):
    address, _ = proxy
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}?level=heads")  # without the slash
    stands(page, "/x/y/")
    translate(page, SENTENCE)
    page.locator("#viewer [data-go=next]").click()
    for tab, shown in (
        ("whole", "#whole [data-role=canvas]"),
        ("positions", "#positions .plot-container"),
    ):
        open_tab(page, tab_labels()[tab])
        expect(page.locator(shown).first).to_be_visible()
    page.keyboard.press("s")
    with page.expect_download() as download:
        page.locator("[data-entry=csv]").click()
    assert download.value.suggested_filename.endswith(".csv")
    page.keyboard.press("Escape")
    open_tab(page, "Heads")
    page.locator("#toolbar [data-tool=share]").click()
    page.locator("[data-share=copy]").click()
    expect(page.locator("[data-share=said]")).not_to_be_empty()
    expect(page.locator("[data-share=preview]")).to_have_attribute("src", re.compile("^blob:"))
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}/?"), link
    page.goto(link)
    stands(page, "/x/y/")
    expect(page.locator("#viewer [data-role=source]")).to_contain_text("bird")
    page.locator("#toolbar button[lang=de]").click()
    page.wait_for_url("**/x/y/de?**")
    stands(page, "/x/y/de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(f"{address}/")  # another visit: the language is remembered
    stands(page, "/x/y/de")
    page.locator("#toolbar button[lang=en]").click()
    page.wait_for_url(re.compile("/x/y/([?]|$)"))
    stands(page, "/x/y/")


@pytest.mark.parametrize("proxy", [False], ids=["whole"], indirect=True)
def test_the_german_page_and_a_link_to_a_lesson_open_there(page, proxy):
    address, _ = proxy
    page.goto(f"{address}/de/?lesson=clause.1")
    stands(page, "/x/y/de")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "5")
    page.locator(".lesson [data-lesson=close]").click()
    page.goto(f"{address}?lang=de")
    stands(page, "/x/y/de")
