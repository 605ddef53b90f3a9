"""Heads in a real browser: switched off, ranked, and looked up in their table."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect
from visiting import at_rest, choose_panel, expect_german, follow, needs_browser, open_panel, visited

from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.head_measurements import read
from explorer.experiments.ranking import all_heads, head_drops
from explorer.experiments.running import rescored, run
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from explorer.ui.language import shown_percent
from model.checkpoints import checkpoint
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = examples()[0]["sentence"]
FOLDER = Path(checkpoint.SHIPPED)
NAMES = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}


@pytest.fixture(scope="module")
def page(browser: Browser, measured_page: str) -> Iterator[Page]:
    yield from visited(browser, measured_page)


def test_measured_heads_have_their_name_below_the_thumbnail_and_in_the_title(page, shipped):
    measured = read(FOLDER, shipped)
    assert measured is not None
    head = next(one for one in measured.heads if one.kind == "cross" and "aligns" in one.names)
    assert head.links is not None and head.first_name == ("aligns", head.links)
    name = f"layer {head.layer + 1} · head {head.head + 1} · aligns {shown_percent(head.links)}%"
    thumbnail = page.locator(f"#viewer [data-role=heads] [aria-label='{name}']")
    expect(thumbnail).to_have_text(f"aligns {shown_percent(head.links)}%")
    expect(thumbnail).to_have_attribute("title", f"{name} (averages over the measured sentences)")
    box = thumbnail.bounding_box()
    assert box is not None and box["width"] >= 48
    thumbnail.click()
    expect(page.locator("#viewer [data-pane=first] .named")).to_have_text(f"aligns {shown_percent(head.links)}%")


def test_a_head_says_beside_its_measured_name_what_it_looks_at_in_this_sentence(page, shipped):
    """In the attention view, in the drawer, and in the picture of the whole model."""
    measured = read(FOLDER, shipped)
    assert measured is not None
    head = next(one for one in measured.heads if (one.kind, one.layer, one.head) == ("encoder", 3, 0))
    assert head.first_name == ("previous", head.previous)
    name = f"previous token {shown_percent(head.previous)}%"
    sentence = f"?sentence={quote('A man is working here.')}"
    follow(page, f"{sentence}&level=heads&kind=encoder&layer=4&head=1")
    expect(page.locator("#viewer [data-pane=first] .named")).to_have_text(f"{name} · here: (end)")
    thumbnail = page.locator("#viewer [data-role=heads] button").nth(8 * head.layer + head.head)
    expect(thumbnail).to_have_text(f"before {shown_percent(head.previous)}%")
    expect(thumbnail).to_have_attribute("aria-label", f"layer 4 · head 1 · {name} (before) · here: (end)")
    follow(page, f"{sentence}&level=heads&kind=encoder&drawer.panel=heads")
    expect(cell(page, "encoder", 3, 0)).to_have_attribute("title", f"Encoder, layer 4, head 1 · {name} · here: (end)")
    follow(page, f"{sentence}&tab=whole&whole.at=encoder.4.self.1")
    told = f"Head 1 looks mostly at (end), in 4 of the 7 rows. On average over many sentences: {name}."
    expect(page.locator("#whole [data-role=caption]")).to_contain_text(told)


@pytest.fixture
def panel(page: Page) -> Page:
    follow(page, "?level=heads&drawer.panel=heads")
    expect(page.locator(".panel.heads")).to_be_visible()
    expect(page.locator("[data-heads=count]")).to_have_text("No head is off.")
    return page


def called(head: HeadAt) -> str:
    return f"{NAMES[head.kind]} {head.layer + 1} · {head.head + 1}"


def number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def cell(page: Page, kind: str, layer: int, head: int, panel: str = "heads"):
    return page.locator(f".panel.{panel} [data-kind={kind}] .cell").nth(8 * layer + head)


@pytest.fixture
def ranking(page: Page) -> Page:
    follow(page, "?level=heads&drawer.panel=ranking")
    expect(page.locator(".panel.ranking")).to_be_visible()
    return page


def test_heads_are_switched_off_by_mouse_and_keyboard_and_a_link_brings_them_back(panel: Page, shipped: Translator):
    for layer in ("L3", "L4"):
        panel.get_by_role("button", name=f"{layer}: all heads of the layer").click()  # of cross-attention
    panel.locator(".panel.heads [data-kind=cross] .layer").nth(0).focus()
    panel.keyboard.press("ArrowRight")
    panel.keyboard.press("ArrowRight")
    panel.keyboard.press("Enter")
    expect(panel.locator("[data-heads=count]")).to_have_text("Off: 17 of 96 heads.")
    expect(cell(panel, "cross", 0, 1)).to_have_attribute("aria-pressed", "true")
    off = (HeadAt("cross", 0, 1), *(HeadAt("cross", layer, head) for layer in (2, 3) for head in range(8)))
    panel.locator(".panel.heads [data-heads=by] select").select_option("uniform")
    experiment = Experiment(off=off, off_by="uniform")
    found, german = run(shipped, SENTENCE, experiment), record(shipped, SENTENCE)
    worth = rescored(shipped, SENTENCE, german, experiment)
    panel.locator("[data-drawer=rescored] summary").click()
    expect(panel.locator("[data-drawer=drop]")).to_contain_text(number(worth.log_probability))
    assert found.translation != german.translation
    expect_german(panel, found.translation)
    expect(panel).to_have_url(re.compile(r"change=off\.cross\.1\.2.*_by\.uniform"))
    link = panel.url
    panel.goto("about:blank")
    panel.goto(link)
    expect(panel.locator("[data-heads=count]")).to_have_text("Off: 17 of 96 heads.")
    expect(panel.locator("[data-drawer=drop]")).to_contain_text(number(worth.log_probability))


@pytest.mark.thorough
def test_a_new_choice_cancels_the_ranking_that_is_under_way(page: Page):
    asked, held = [], []

    def look(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "{}"))
        held.append(route)

    def is_ranking(request: Request) -> bool:
        return '"scores"' in (request.post_data or "")

    page.route("**/ask", lambda route: look(route) if is_ranking(route.request) else route.continue_())
    open_panel(page, "heads")
    with page.expect_request("**/ask"):
        choose_panel(page, "ranking")
    expect(page.locator(".panel.ranking progress")).to_be_visible()
    page.get_by_role("button", name="the average").click()
    expect(page.locator(".panel.ranking progress")).to_be_hidden()
    assert len(held) == 1
    with page.expect_response("**/ask"):
        held[0].continue_()
    expect(page.locator("[data-ranking=said]")).to_contain_text("Mean over 200 sentences")
    at_rest(page)
    assert len(asked) == 1
    page.unroute("**/ask")


def test_all_heads_are_ranked_as_python_ranks_them(ranking: Page, shipped: Translator):
    items = ranking.locator(".panel.ranking .drops li")
    expect(items).to_have_count(12)
    trace = record(shipped, SENTENCE)
    ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    found = head_drops(shipped, *ids).sum(axis=1)
    heads = all_heads(shipped.model.config)
    best = sorted(range(96), key=lambda i: -found[i])
    for place, head in enumerate(best[:3]):
        expect(items.nth(place).locator("button")).to_have_text(called(heads[head]))
    expect(items.first).to_contain_text(number(found[best[0]]))
    expect(cell(ranking, *heads[best[0]], "ranking")).to_have_attribute("title", re.compile(number(found[best[0]])))
    ranking.get_by_role("button", name="Show all heads").click()
    expect(items).to_have_count(96)
    expect(items.last).to_contain_text(number(found[best[-1]]))
    items.first.get_by_role("button").click()
    expect_german(ranking, run(shipped, SENTENCE, Experiment(off=(heads[best[0]],))).translation)


def test_the_average_says_how_stable_its_order_is(ranking: Page, shipped: Translator):
    measured = read(FOLDER, shipped)
    assert measured
    ranking.get_by_role("button", name="the average").click()
    said = ranking.locator("[data-ranking=said]")
    expect(said).to_contain_text(f"{measured.split_half:.2f}; {'from' if measured.split_half >= 0.9 else 'under'} 0.9")
    best = max(measured.heads, key=lambda head: head.drop)
    first = ranking.locator(".panel.ranking .drops li").first
    interval = f"{best.drop:.2f} nats ({best.low:.2f} to {best.high:.2f})"
    expect(first.get_by_role("button")).to_have_attribute("title", re.compile(re.escape(interval)))
    expect(ranking.locator("[data-ranking=findings] li").first).to_contain_text(f"{best.drop:.2f} nats")


def test_the_panel_shows_the_map_of_every_head_of_one_kind(panel: Page):
    expect(cell(panel, "cross", 1, 7)).to_have_attribute("title", re.compile("aligns 9"))
    expect(cell(panel, "cross", 1, 7)).to_have_text("8")  # a name has no room in the box
    assert panel.locator(".panel.heads .cell:visible").count() == 32
    panel.locator("[data-heads=kinds] [value=encoder]").click()
    expect(panel.locator(".panel.heads [data-kind=encoder] .cell").first).to_be_visible()
    inked = "(map) => map.getContext('2d').getImageData(0, 0, 64, 64).data.some((value) => value > 200)"
    assert all(panel.locator(".panel.heads canvas").nth(i).evaluate(inked) for i in (0, 40, 95))


@pytest.mark.thorough
def test_the_table_sorts_filters_and_leads_to_a_head(page: Page, shipped: Translator):
    measured = read(FOLDER, shipped)
    assert measured
    follow(page, "?tab=catalogue")  # an old link
    expect(page.locator("#drawer .list [value=ranking]")).to_have_attribute("aria-pressed", "true")
    rows = page.locator(".catalogue tbody tr")
    expect(rows).to_have_count(96)
    expect(page.get_by_role("columnheader", name="drop")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("button", name="entropy", exact=True).click()
    expect(page.get_by_role("columnheader", name="entropy")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("button", name="entropy", exact=True).click()
    expect(page.get_by_role("columnheader", name="entropy")).to_have_attribute("aria-sort", "ascending")
    page.locator(".catalogue .kinds").get_by_role("button", name="Cross").click()
    narrow = min((head for head in measured.heads if head.kind == "cross"), key=lambda head: head.entropy)
    place = f"Cross {narrow.layer + 1} · {narrow.head + 1}"
    expect(rows).to_have_count(32)
    expect(rows.first.get_by_role("button").first).to_have_text(place)
    expect(rows.first.locator("td").nth(2)).to_have_attribute("title", re.compile(f"{narrow.entropy:.2f} bits"))
    page.locator(".catalogue select").select_option("aligns")
    expect(page.locator(".catalogue .count")).to_contain_text("of 96 heads")
    expect(page).to_have_url(re.compile(r"catalogue\.name=aligns"))
    page.reload()
    expect(rows.first.get_by_role("button").first).to_have_text(place)
    rows.first.get_by_role("button").first.click()
    expect(page.get_by_role("tab", name="Heads")).to_have_attribute("aria-selected", "true")
    for part, value in (("kind", "cross"), ("level", "heads")):
        expect(page.locator("#viewer .viewer")).to_have_attribute(f"data-{part}", value)
    expect(page.locator("#viewer figcaption, #viewer .caption").first).to_be_visible()
    expect(page).to_have_url(re.compile(rf"head={narrow.head + 1}"))
    rows.first.get_by_role("button", name="off").click()
    open_panel(page, "heads")
    expect(page.locator("[data-heads=count]")).to_have_text("Off: 1 of 96 heads.")
    expect(cell(page, "cross", narrow.layer, narrow.head)).to_have_attribute("aria-pressed", "true")


@pytest.mark.thorough
def test_the_head_that_aligns_is_found_over_the_examples(ranking: Page):
    ranking.get_by_role("button", name="Which head aligns the words?").click()
    found = ranking.locator(".aligner [data-role=found]")
    expect(found).to_contain_text("Layer 2, head 8: in the row that is fed with a token", timeout=60_000)
    expect(found).to_contain_text("of 8 examples")
    expect(found).to_contain_text("Nobody taught it")
