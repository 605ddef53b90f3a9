"""The panels Patch and Leave one out in a real browser: their numbers are those of the experiments."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from visiting import chips, eventually, expect_german, needs_browser, open_panel, visited

from explorer.drawer.patch.panel import PARTNERS
from explorer.experiments.experiment import CellAt, Experiment, Patch
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_targets, find_divergence, runs
from explorer.experiments.running import run
from explorer.recording.contributions import contributions
from explorer.recording.forward_pass import record_pass
from explorer.recording.trace import record
from model.decoding import Translator

pytestmark = needs_browser
RECIPIENT = "The dog is tired because it has played all day."
DONOR = PARTNERS[RECIPIENT]


@pytest.fixture(scope="module")
def patch_page(browser, shipped_page) -> Iterator[Page]:
    """One page; its first partner comes back at the end of each test."""
    yield from visited(browser, f"{shipped_page}?sentence={RECIPIENT.replace(' ', '+')}&level=heads&drawer.panel=patch")


def numbers(table: Locator) -> np.ndarray:
    cells = table.locator("tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))"
    )
    return np.array([[float(cell.replace("−", "-")) for cell in row] for row in cells])


def expect_numbers(table: Locator, expected: np.ndarray, atol: float = 0.0051) -> None:
    eventually(table, lambda: np.testing.assert_allclose(numbers(table), expected, rtol=0, atol=atol))


def test_a_patch_is_chosen_from_the_sweep_and_a_link_brings_it_back(patch_page, shipped: Translator):
    found = find_divergence(shipped, record(shipped, DONOR), record(shipped, RECIPIENT))
    both = runs(found)
    shares = both.share(both.patched(cell_targets(found, "encoder")))
    assert shares is not None
    expect(patch_page.locator(".patch progress")).to_be_hidden()
    expect_numbers(patch_page.locator(".patch .heat"), shares.reshape(5, -1))
    row = patch_page.locator(".patch .heat tbody tr").nth(4)
    row.locator("td button").first.click()
    patched = run(shipped, RECIPIENT, Experiment(patch=Patch(DONOR, cells=(CellAt("encoder", 3, 0),))))
    assert patched.translation != record(shipped, RECIPIENT).translation
    expect_german(patch_page, patched.translation)
    expect(chips(patch_page)).to_have_text([re.compile("^Patched \\(1\\) from “The horse is tired")])
    row.locator("th button").click()
    expect(patch_page.locator("[data-patch=follows]")).to_contain_text(record(shipped, DONOR).translation)
    expect(patch_page).not_to_have_url(re.compile(r"cells\.encoder\.4\.1(&|$)"))  # that of the one cell before
    patch_page.goto(patch_page.url)
    expect(patch_page.locator("[data-patch=follows]")).to_contain_text(record(shipped, DONOR).translation)
    expect(patch_page.locator(".patch .heat td button[aria-pressed=true]")).to_have_count(len(found.recipient))


def test_a_sentence_that_cannot_be_compared_is_refused_and_stays_in_its_box(patch_page):
    box = patch_page.locator(".patch input")
    for text, said in ((RECIPIENT, "same German"), ("x" * 390, "tokens")):
        box.fill(text)
        box.press("Enter")
        expect(patch_page.locator("[data-patch=message]")).to_contain_text(said)
        expect(box).to_have_value(text)
    box.fill(DONOR)
    box.press("Enter")
    expect(patch_page.locator("[data-patch=message]")).to_be_empty()
    expect(patch_page.locator(".patch .heat")).to_be_visible()


def test_hiding_a_piece_is_one_column_of_the_matrix(patch_page, shipped: Translator):
    open_panel(patch_page, "leave")
    tables = patch_page.locator(".leave .heat")
    expect(tables).to_have_count(2)
    trace = record(shipped, RECIPIENT)
    effect = omission(shipped, trace, range(len(trace.source)))
    expect_numbers(tables.first, effect, atol=0.051)
    expect_numbers(tables.last, trace.cross.matrix(3, "mean"))
    patch_page.locator("#viewer [data-role=source] .piece").nth(1).hover()
    patch_page.get_by_role("button", name="Hide “dog”").click()
    without = run(shipped, RECIPIENT, Experiment(hidden=(1,)))
    expect_german(patch_page, without.translation)
    steps = patch_page.locator(".leave .steps button")
    steps.nth(1).click()  # a piece that only the unchanged German has
    expect(steps.nth(1)).to_have_attribute("aria-pressed", "true")
    shares = 100 * contributions(record_pass(shipped, trace)).source[1]
    shown = patch_page.locator("[data-leave=contributed] small").all_text_contents()
    np.testing.assert_allclose([int(text.strip("≈%")) for text in shown], shares, atol=0.51)
    lost = [float(text.replace("−", "-")) for text in patch_page.locator("[data-leave=lost] small").all_text_contents()]
    np.testing.assert_allclose(lost, effect[1], atol=0.051)
    percent = round(shares.sum())
    said = f"comes from the English: {percent}%. From the German already written: {100 - percent}%."
    expect(patch_page.locator("[data-leave=share]")).to_contain_text(said)
    steps.first.click()
    expect(patch_page.locator("[data-leave=share]")).to_contain_text("No German is written yet")
    steps.last.click()
    expect(patch_page.locator("#viewer .viewer")).to_have_attribute("data-step", str(len(without.steps)))
    patch_page.locator("[data-leave=head]").select_option(label="3")
    expect(tables.last).to_have_attribute("aria-label", re.compile("head: 3"))
    expect_numbers(tables.last, trace.cross.matrix(3, 2))
