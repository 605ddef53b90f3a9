"""The address of the page in a real browser: links, Back, a reload, a lost connection, and what a link hides."""

import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from cases import sweep
from playwright.sync_api import Page, expect
from serving import free_port
from visiting import (
    BOX,
    ask,
    at_rest,
    begin_again,
    choose,
    expect_sentence,
    follow,
    go_to,
    needs_browser,
    open_tab,
    option,
    translate,
)

from explorer.attention_view.component import words as view_words
from explorer.page.toolbar import HIDEABLE_PARTS, toolbar
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.tabs import tab_labels

pytestmark = needs_browser
SENTENCES = ["The dog sleeps under the old table.", "Why?", "She gave him the book, and he read it at once."]
# What a link can hide, on the page.
PARTS = {
    "heading": "#heading",
    "toolbar": "#toolbar .tools",
    "tabs": "[role=tablist]",
    "ask": "#ask",
    "examples": "#examples",
    "sentences": "#viewer .sentences",
    "steps": "#viewer .transport",
    "pickers": "#viewer .pickers",
    "options": "#viewer .bar",
    "candidates": "#viewer .next",
    "footer": "footer",
}
# Everything that a visitor sees of the view: controls, titles, numbers, frames, marks, the drawn weights.
SEEN = """() => {
    const viewer = document.querySelector("#viewer .viewer"), all = (what) => [...viewer.querySelectorAll(what)];
    const shown = (node) => node.offsetParent !== null;
    const styled = (node) => node.style.cssText.split(/; ?/).sort().join();
    return JSON.stringify({
        sentence: viewer.dataset.sentence, step: viewer.dataset.step, kind: viewer.dataset.kind,
        controls: all("select, input").filter((node) => !node.closest("[hidden]"))
            .map((node) => (node.type === "checkbox" ? node.checked : node.value)),
        pressed: all("[aria-pressed=true]").filter(shown).map((node) => node.textContent),
        titles: all("h3").filter(shown).map((node) => node.textContent),
        readouts: all(".readout").filter(shown).map((node) => node.textContent),
        frames: all(".heatmap").filter(shown).map((node) => node.layout.shapes),
        pieces: all(".piece").map((node) => [node.className, styled(node), node.textContent]),
        weights: all(".heatmap").filter(shown).map((node) => node.data[0].z.map((row) => Array.from(row).join())),
    });
}"""


# Counts what is asked of the server from now on, and what of it is answered or given up.
COUNT_REQUESTS = """() => {
    const { fetch } = window;
    window.requests = { begun: 0, ended: 0 };
    window.fetch = (...request) => {
        requests.begun += 1;
        return fetch(...request).finally(() => setTimeout(() => { requests.ended += 1; }));
    };
}"""


def copied_link(page: Page) -> str:
    """What Share copies."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("[data-share=said]")).to_have_text("Link copied. It opens on this computer only.")
    page.keyboard.press("Escape")
    return page.evaluate("navigator.clipboard.readText()")


def seen(page: Page) -> dict[str, object]:
    page.mouse.move(0, 0)
    at_rest(page)
    return json.loads(page.evaluate(SEEN))


@pytest.fixture
def page(shared_page: Page) -> Iterator[Page]:
    """With a clipboard."""
    begin_again(shared_page)
    shared_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield shared_page
    shared_page.context.clear_permissions()


def arrive(page: Page, link: str, step: str = "") -> None:
    """Opens a link anew, and waits for the view that it leads to."""
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", re.compile(step or r"\d+"))


def test_back_and_forward_lead_through_sentences_and_tabs(page, shipped_page):
    viewer = page.locator("#viewer .viewer")
    first = examples()[0]["sentence"]
    arrive(page, shipped_page)
    assert page.url == shipped_page
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"step=1(&|$)"))
    assert parse_qs(urlsplit(page.url).query)["sentence"] == [first]
    go_to(page, 2)
    expect(page).to_have_url(re.compile("step=3"))
    translate(page, SENTENCES[0])
    expect(page).to_have_url(re.compile(re.escape(quote(SENTENCES[0]))))
    open_tab(page, "Whole model")
    expect(page).to_have_url(re.compile("tab=whole"))
    page.go_back()
    expect(page.get_by_role("tab", name="Heads", exact=True)).to_have_attribute("aria-selected", "true")
    expect(viewer).to_have_attribute("data-sentence", SENTENCES[0])
    page.go_back()
    expect(viewer).to_have_attribute("data-sentence", first)
    expect(viewer).to_have_attribute("data-step", "3")
    expect(page.locator(BOX)).to_have_value(first)
    page.go_forward()
    expect(viewer).to_have_attribute("data-sentence", SENTENCES[0])


@pytest.mark.thorough
def test_back_twice_shows_what_the_second_one_asks_for(page):
    """The translation that the first one asked for comes too late."""
    viewer, first = page.locator("#viewer .viewer"), examples()[0]["sentence"]
    for sentence in (SENTENCES[0], first):
        translate(page, sentence)
        expect(page).to_have_url(re.compile(re.escape(quote(sentence))))
    page.evaluate(COUNT_REQUESTS)
    page.evaluate("addEventListener('popstate', () => history.back(), { once: true }); history.back()")
    expect(page).to_have_url(re.compile(re.escape(quote(first))))
    page.wait_for_function("requests.begun > 0 && requests.begun === requests.ended")
    at_rest(page)
    expect(viewer).to_have_attribute("data-sentence", first)
    expect(page.locator(BOX)).to_have_value(first)
    assert parse_qs(urlsplit(page.url).query).get("sentence", [first]) == [first]


@pytest.mark.thorough
def test_the_last_of_two_tabs_in_a_row_stays_open(page):
    """Both are in a group that is not there yet; the second is asked for as soon as it can be opened."""
    page.evaluate(
        """last => {
        const go = (tab) => dispatchEvent(new PopStateEvent("popstate", { state: { parts: [["tab", tab]] } }));
        const tab = () => [...document.querySelectorAll("[role=tab]")].find((one) => one.textContent.trim() === last);
        const observer = new MutationObserver(() => {
            if (!tab()?.closest("[role=tabpanel]")?.offsetParent) return;
            observer.disconnect();
            go("glossary");
        });
        observer.observe(document.body, { childList: true, subtree: true, attributes: true });
        go("training");
    }""",
        tab_labels()["glossary"],
    )
    expect(page.locator("#glossary-tab")).to_be_visible()
    at_rest(page)
    expect(page.locator("#glossary-tab")).to_be_visible()


@pytest.mark.thorough
def test_a_link_to_a_tab_never_opened_ends_what_another_tab_showed(page, shipped_page):
    arrive(page, f"{shipped_page}?level=heads&drawer.panel=ranking&drawer.ranking-rank=average&change=off.cross.1.1")
    expect(page.locator("#drawer .panel.ranking")).to_be_visible()
    follow(page, "?tab=positions")
    expect(page).to_have_url(re.compile("sentence=.*tab=positions"))
    at_rest(page)
    assert "drawer." not in page.url and "change=" not in page.url


def test_a_choice_in_a_tab_is_no_entry_of_the_history(page):
    follow(page, "?tab=positions&positions.length=61")
    expect(page).to_have_url(re.compile("sentence=.*tab=positions"))  # the page has written it, the history is settled
    before = page.evaluate("history.length")
    page.get_by_label("cosine").check()
    expect(page).to_have_url(re.compile(r"tab=positions.*positions\.measure=cosine"))
    assert page.evaluate("history.length") == before


def test_a_view_comes_back_from_its_link_by_back_and_by_a_reload(page):
    choose(page, "decoder", 1, 4)
    go_to(page.locator("#viewer"), 4)
    option(page, "scale").select_option("row")
    page.keyboard.press("Escape")
    page.locator("#viewer [data-role=target] .piece").nth(3).click()
    page.mouse.click(5, 700)
    before, link = seen(page), copied_link(page)
    expect(page).to_have_url(re.compile("step=.*head=5"))
    page.get_by_placeholder("Type a sentence in English").fill("Not yet")
    page.reload()
    expect(page.get_by_placeholder("Type a sentence in English")).to_have_value("Not yet")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", re.compile(r"\d+"))
    assert seen(page) == before
    begin_again(page, SENTENCES[0])
    follow(page, "?" + urlsplit(link).query)
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-kind", "decoder")
    assert seen(page) == before
    page.evaluate("localStorage.clear(); sessionStorage.clear()")  # as in a browser that remembers nothing
    arrive(page, link)
    assert seen(page) == before


LINKED = "Where is the station?"
SENTENCE_OF = {  # links, and the sentence that each names
    f"?sentence={quote(LINKED)}&step=3": LINKED,
    f"?sentence={quote(LINKED)}&tab=whole&whole.at=decoder.2": LINKED,
    f"?sentence={quote(LINKED)}&tab=positions": LINKED,
    f"?sentence={quote(LINKED)}&change=off.cross.4.1&drawer.panel=heads": LINKED,
    "?lesson=compound.1": None,
}


@pytest.mark.parametrize("link", sweep(SENTENCE_OF, *[*SENTENCE_OF][:1]))
def test_a_link_shows_its_own_sentence_or_none(new_page, shipped_page, link):
    sentence = SENTENCE_OF[link]
    page, first = new_page, examples()[0]["sentence"]
    viewer = page.locator("#viewer .viewer")
    held = []
    page.route("**/ask", lambda route: held.append(route))
    page.goto(shipped_page + link)
    expect(page.locator("#draft")).to_contain_text("Translating")
    for of_another in ("[role=tabpanel] [data-role=source] .piece", "#whole .stops button", "#positions .piece"):
        expect(page.locator(f"{of_another}:visible")).to_have_count(0)
    expect(page.locator(".page main")).not_to_contain_text("putzt", use_inner_text=True)
    page.unroute_all()  # lets go of what was asked
    expect(viewer).not_to_have_attribute("data-sentence", first)
    at_rest(page)
    if sentence:
        expect(viewer).to_have_attribute("data-sentence", sentence)
    expect(page.locator("[data-awaiting]")).to_have_count(0)


def test_a_link_whose_sentence_does_not_come_says_so_and_shows_what_is_there(shared_page, shipped_page):
    page = shared_page.context.new_page()  # its console says what is refused
    page.route("**/ask", lambda route: route.abort())
    page.goto(f"{shipped_page}?sentence={quote(LINKED)}")
    expect(page.locator("#viewer .message")).to_have_text(view_words.TEXT["noAnswer"])
    expect(page.locator("#viewer [data-role=source] .piece").first).to_be_visible()
    page.close()


def test_a_lost_connection_loses_nothing(browser, toy):
    """And when a server answers again, the page goes on, without being loaded anew."""
    from explorer.page.ui import create_ui
    from explorer.server.ask import AnswerService
    from explorer.server.launch import launch

    app = AppContext(Recordings(toy), None)
    blocks, port = create_ui(app), free_port()

    def serve() -> str:
        return launch(blocks, AnswerService(app), port=port, prevent_thread_lock=True, quiet=True)[1]

    address = serve()
    page = browser.new_page(viewport={"width": 1366, "height": 768})  # its console says what is lost
    page.goto(f"{address}?level=heads")
    translate(page, SENTENCES[0])
    viewer = page.locator("#viewer .viewer")
    expect(viewer).to_have_attribute("data-sentence", SENTENCES[0])
    choose(page, "encoder", 1, 3)
    go_to(page, 3)
    before = seen(page)
    blocks.close()
    page.evaluate("window.before = true")
    ask(page, "Is anybody there?")
    expect(page.locator("#viewer .message")).to_have_text(view_words.TEXT["noAnswer"])
    expect(viewer).to_have_attribute("aria-busy", "false")
    expect(viewer).to_have_attribute("data-sentence", SENTENCES[0])
    expect(viewer).to_have_attribute("data-step", "4")
    assert seen(page) == before
    expect(page.get_by_placeholder("Type a sentence in English")).to_have_value("Is anybody there?")
    serve()
    page.locator("#translate").click()
    expect(viewer).to_have_attribute("data-sentence", "Is anybody there?")
    expect(page.locator("#viewer .message")).to_be_empty()
    assert page.evaluate("window.before")
    page.close()
    blocks.close()


def test_what_every_tab_was_asked_comes_back(page):
    """Also of tabs that are opened long after the link."""
    open_tab(page, "Whole model")
    page.locator("#whole .model-summary > summary").click()
    page.locator("#whole .model-summary button", has_text="Decoder, layer 2").click()
    expect(page).to_have_url(re.compile(r"whole\.at=decoder\.2&whole\.shapes=1"))
    arrive(page, page.url)
    open_tab(page, "Whole model")
    expect(page.locator("#whole .model-summary .sublayer")).to_have_count(3)


def test_parts_that_are_not_understood_are_named_and_left_out(page, shipped_page):
    damaged = "step=x&foo=1&tab=cellar&positions.length=1e9"
    arrive(page, f"{shipped_page}?level=heads&kind=decoder&layer=2&{damaged}&__theme=light")
    expect(page.locator(".notice")).to_have_text(re.compile("left out: .*foo.*step.*tab"))
    viewer = page.locator("#viewer .viewer")
    expect(viewer).to_have_attribute("data-kind", "decoder")
    expect(page.locator("#viewer [data-role=layer]")).to_have_value("1")
    open_tab(page, "Positions")
    expect(page.locator(".notice")).to_have_text(re.compile("left out: positions.length"))
    open_tab(page, "Heads")
    go_to(page, 1)
    expect(page).to_have_url(re.compile("step=2"))
    assert "foo" not in page.url and "cellar" not in page.url and "__theme=light" in page.url
    assert "__theme" not in copied_link(page)  # it belongs to the host


def test_nothing_in_a_link_is_run_or_becomes_html(page, shipped_page):
    bad = '<img src=x onerror="window.run = 1">'
    parts = {
        "sentence": f"A {bad} cat.",
        "tab": bad,
        "hide": bad,
        "pin": bad,
        bad: bad,
        "whole.at": bad,
        "train.moment": bad,
    }
    arrive(page, f"{shipped_page}?{urlencode(parts)}")
    expect_sentence(page, parts["sentence"])
    expect(page.locator(".notice")).to_contain_text(bad)
    open_tab(page, "Whole model")
    open_tab(page, "Heads")
    assert page.evaluate("[window.run, document.querySelectorAll('img[src=x]').length]") == [None, 0]


@pytest.mark.thorough
def test_what_is_too_long_for_a_link_is_said_and_still_survives_a_reload(page):
    kept = "x" * 2000  # of a tab that was never opened
    follow(page, f"?level=heads&train.moment={kept}")
    go_to(page.locator("#viewer"), 1)
    expect(page).not_to_have_url(re.compile("train"))  # all of it is in the history's state
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("[data-share=said]")).to_contain_text("2,000 characters")
    expect(page.locator("[data-share=link]")).to_be_hidden()
    page.reload()
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "2")
    assert ["train.moment", kept] in page.evaluate("history.state.parts")


def test_a_link_hides_what_it_names_and_nothing_else(page):
    """No two parts are named by the same of the four links: those whose number has a bit."""
    assert PARTS.keys() == {*HIDEABLE_PARTS}
    for bit in (1, 2, 4, 8):
        named = [name for number, name in enumerate(HIDEABLE_PARTS, 1) if number & bit]
        follow(page, f"?level=heads&hide={','.join(named)}")
        for name, part in PARTS.items():
            expect(page.locator(part).first).to_be_visible(visible=name not in named)
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_an_embedded_page_is_the_picture_alone_and_keeps_its_keys(page, shipped_page):
    arrive(page, f"{shipped_page}?embed=1&step=3&level=heads", "3")
    expect(page.locator("[data-pane=first] .nsewdrag")).to_be_visible()
    for part in PARTS.values():
        expect(page.locator(part).first).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "4")
    outside = "document.activeElement.closest('#ask, #examples, .tools, [role=tablist], footer') !== null"
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate(outside)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    follow(page, "?embed=1&tab=whole")
    expect(page.locator("#whole [data-role=canvas]")).to_be_visible()


def test_a_link_from_a_space_has_the_address_of_the_space(monkeypatch):
    monkeypatch.setenv("SPACE_HOST", "someone-explorer.hf.space")
    assert toolbar(tab_labels()).settings["base"] == "https://someone-explorer.hf.space/"
