"""Lengths instead of weights, and rollout across layers: the right numbers, told rightly, and asked for once."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from visiting import begin_again, choose, drawn, go_to_end, needs_browser, open_tab, option

from explorer import Pass, lengths, record, record_pass, rollout
from explorer.recording.sentence import examples
from model.probe import KINDS

pytestmark = needs_browser


@pytest.fixture(scope="module")
def whole(shipped) -> Pass:
    return record_pass(shipped, record(shipped, examples()[0]["sentence"]))


def measure(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def at(values: np.ndarray, kind: str) -> np.ndarray:
    """As it is drawn: what is masked is no number."""
    return np.where(np.tri(*values.shape), values, np.nan) if kind == "decoder" else values


def test_lengths_are_asked_for_once_a_kind_and_are_those_of_the_pass(shared_page, whole):
    page = shared_page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    go_to_end(page)
    measure(page, "Lengths")
    for kind in (*KINDS, "encoder"):
        found = lengths(whole, kind)
        choose(page, kind, 2, 5)
        expect(page.locator("[data-pane=first] h3")).to_have_text(f"Lengths · {kind.title()} · layer 3 · head 6")
        np.testing.assert_allclose(drawn(page).weights, at(found[2, 5], kind), atol=1e-5)
        choose(page, kind, 1, "mean")
        np.testing.assert_allclose(drawn(page).weights, at(found[1].mean(axis=0), kind), atol=1e-5)
        assert page.locator("[data-pane=first] .cbaxis text").last.text_content() == f"{found.max():.3f}"
        expect(page.locator("[data-role=explanation]")).to_contain_text("strongest key is another one than by weight")
    assert len([url for url in asked if url.endswith("/ask")]) == len(KINDS)


def test_rollout_is_a_choice_of_layer_and_lengths_have_none(shared_page, whole):
    trace, page = whole.traces[0], shared_page
    page.locator(".measures button[value=weight]").click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for kind in KINDS:
        page.locator(f".kinds button[value={kind}]").click()
        page.locator("[data-role=layer]").select_option(label="rollout")
        expect(page.locator("[data-pane=first] h3")).to_contain_text("rollout · mean of heads")
        np.testing.assert_allclose(drawn(page).weights, at(rollout(trace, kind), kind), atol=0.0005)
    expect(page.locator("[data-role=head]")).to_be_disabled()
    expect(page.locator("[data-role=explanation]")).to_contain_text("93.8% of every row is English")
    assert not [url for url in asked if url.endswith("/ask")]
    open_tab(page, "Inside")
    expect(page.locator(".inside [data-role=several]")).to_contain_text("the rollout over all layers")
    open_tab(page, "Explore")
    measure(page, "Lengths")
    expect(page.locator("[data-pane=first] h3")).to_have_text("Lengths · Cross · layer 4 · mean of heads")
    expect(page.locator("[data-role=layer] option[value=rollout]")).to_be_disabled()


def test_lengths_are_told_as_lengths_and_are_not_rescaled(shared_page, whole):
    found = lengths(whole, "cross")[3].mean(axis=0, dtype=np.float64)
    page = begin_again(shared_page, measure="length", step="3", kind="cross", layer="4")
    pane = page.locator("[data-pane=first]")
    expect(pane.locator(".readout")).to_contain_text(f"lengths summing to {found[2].sum():.3f}")
    cells = pane.locator(".nsewdrag")
    assert "the longer the vector" in (pane.get_by_role("img").first.get_attribute("aria-label") or "")
    cells.hover(position={"x": 5, "y": 5})
    expect(pane.locator(".hovertext")).to_contain_text("gets a vector of length")
    option(page, "hide").check()
    np.testing.assert_allclose(drawn(page).weights, found[:, :-1], atol=1e-5)
    assert "measure=length" in page.url
    page.get_by_role("button", name="Picture", exact=True).click()  # which is about looking
    expect(page.locator(".plain")).to_contain_text("the model looks")
    assert drawn(page).weights.max() <= 1
