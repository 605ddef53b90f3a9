"""What a visitor is told of a translation: warnings, that one is awaited, and what is not translated yet."""

import re

import pytest
from cases import sweep
from playwright.sync_api import Page, expect
from remarks import remarks_on
from visiting import (
    BOX,
    expect_german,
    expect_sentence,
    go_to,
    needs_browser,
    open_tab,
    translate,
)

from explorer.experiments.experiment import Experiment
from explorer.experiments.running import run
from explorer.recording.sentence import examples
from explorer.recording.trace import record

pytestmark = needs_browser

WRONG = "Piece of cake! The quokka and the axolotl are cute."
SEVERAL = "It is raining. We stay at home. Tom sleeps."
FIRST = "A man in a blue shirt"


def viewer(page: Page):
    return page.locator("#viewer .viewer")


def test_the_likelihood_and_warnings_stand_by_the_sentences_and_unfold(page, shipped):
    verdict, line = page.locator(".likelihood summary"), page.locator("[data-warned=list] summary")
    expect(verdict).to_have_text("Likely right")
    expect(line).to_be_hidden()  # the first example is ordinary
    translate(page, WRONG)
    trace = record(shipped, WRONG)
    (remarks,) = remarks_on(shipped, [trace])
    found, (warning, *_) = remarks.likelihood, remarks.warnings
    assert found is not None and found.reason is not None
    expect(verdict).to_contain_text("Likely wrong")
    expect(verdict).to_contain_text(found.reason.text)
    expect(line).to_contain_text(warning.text)
    page.wait_for_function("document.querySelector('#viewer').getBoundingClientRect().bottom <= 768")
    verdict.click()
    expect(page.locator(".likelihood p")).to_contain_text(f"{100 * found.probability:.0f}%")
    about = page.locator(".likelihood p").get_by_role("link", name="docs/likelihood.md")
    assert page.request.get(about.evaluate("(link) => link.href")).ok
    for leave in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.mouse.click(2, 400),
        lambda: page.keyboard.press("ArrowLeft"),
    ):
        expect(about).to_be_visible()
        leave()
        expect(about).to_be_hidden()
        verdict.click()
    verdict.click()
    marked = page.locator("[data-role=target] .piece.doubtful")
    expect(marked.first).to_have_attribute("title", re.compile(re.escape(str(found.reason.reason))))
    translate(page, "We are going to the beach tomorrow.")
    expect(verdict).to_have_text("Likely right")
    expect(line).to_be_hidden()
    expect(page.locator(".piece.doubtful")).to_have_count(0)


def test_a_text_with_html_is_translated_without_it_on_request(page):
    without = page.locator("[data-warned=bare]")
    expect(without).to_be_hidden()
    translate(page, "A <b>red</b> car.")
    expect(page.locator("[data-warned=first]")).to_contain_text("HTML")
    without.click()
    expect_sentence(page, "A red car.")
    expect(without).to_be_hidden()


def test_another_meaning_of_a_word_is_offered_and_written_behind_its_own_article(page, shipped):
    """The German says "seine Pflanze", and Werk is neuter."""
    sentence = "The company is closing its plant in Ohio."
    translate(page, sentence)
    offer = viewer(page).locator("[data-role=senses]")
    expect(offer).to_contain_text("“plant” is also Werk")
    expect(viewer(page).locator("[data-warned=first]")).to_contain_text("company, closing")
    offer.get_by_role("button", name="Werk").click()
    ids = [step.predicted.id for step in record(shipped, sentence).steps]
    before = ids[: ids.index(*shipped.tokenizer.encode("seine", "target"))]
    forced = run(shipped, sentence, Experiment(beginning=(*before, *shipped.tokenizer.encode("sein Werk", "target"))))
    expect_german(page, forced.translation)
    expect(page.locator("#bar .told")).to_contain_text(f"{forced.log_probability:.2f}".replace("-", "−"))


@pytest.mark.thorough
def test_a_step_where_the_model_wanted_an_unknown_piece_says_so(page):
    translate(page, "I like 猫 and 犬.")
    for tab in ("Picture", "Heads"):
        open_tab(page, tab)
        go_to(page, 3)
        line = page.locator("#viewer [data-role=excluded]")
        expect(line).to_contain_text("The model wanted “<unk>” most here (98%)")
        expect(line).to_be_visible()
        page.locator("#viewer [data-go=previous]").click()
        expect(line).to_be_hidden()
    go_to(page, 3)
    open_tab(page, "Whole model")
    page.locator("#whole .stops [title*='The next token']").click()
    line = page.locator("#whole [data-output=excluded]")
    expect(line).to_contain_text("The model wanted “<unk>” most here (98%)")
    expect(line).to_be_visible()
    page.locator("#whole [data-go=previous]").click()
    expect(line).to_be_hidden()


def test_several_sentences_are_gone_through_one_by_one(page):
    translate(page, SEVERAL)
    page.get_by_role("button", name="One by one").click()
    expect_sentence(page, "It is raining.")
    expect(viewer(page).locator(".parts")).to_contain_text("Sentence 1 of 3")
    expect(page.get_by_role("button", name="Previous sentence")).to_be_disabled()
    page.get_by_role("button", name="Next sentence").click()
    expect_sentence(page, "We stay at home.")
    assert page.input_value(BOX) == "We stay at home."
    page.get_by_role("button", name="Next sentence").click()
    expect(viewer(page).locator(".parts")).to_contain_text("Sentence 3 of 3")
    page.get_by_role("button", name="All as one text").click()
    expect_sentence(page, SEVERAL)
    translate(page, "We are going to the beach tomorrow.")
    expect(viewer(page).locator(".parts")).to_be_hidden()


@pytest.fixture
def slow(page):
    """The page, and its submissions, which wait until the test lets them go on."""
    waiting = []
    page.route("**/ask", lambda route: waiting.append(route))
    return page, waiting


@pytest.mark.parametrize("way", sweep(["Translate", "example"], "Translate"))
def test_the_old_picture_stands_back_until_the_answer_is_there(slow, way):
    page, waiting = slow
    shown = page.locator("#viewer .sentences")
    expect(viewer(page)).not_to_have_attribute("aria-busy", "true")
    if way == "example":
        page.locator("#examples select").select_option(index=2)
    else:
        page.fill(BOX, "The dog is tired because it has played all day.")
        page.click("#translate")
    expect(viewer(page)).to_have_attribute("aria-busy", "true")
    expect(page.locator(".draft [role=status]")).to_have_text("Translating …")
    expect(shown).to_have_css("opacity", "0.4")
    expect(viewer(page)).to_have_attribute("data-sentence", re.compile(FIRST))  # dimmed, and still there
    expect(page.locator("#viewer [data-role=source] .piece").first).to_be_visible()
    waiting.pop().continue_()
    expect(viewer(page)).to_have_attribute("data-sentence", re.compile("The dog is tired"))
    expect(viewer(page)).to_have_attribute("aria-busy", "false")
    expect(shown).to_have_css("opacity", "1")
    expect(page.locator(".draft [role=status]")).to_be_empty()


def test_typed_text_that_is_not_translated_is_told_of_in_every_tab(page):
    note = page.locator(".draft [role=status]")
    page.fill(BOX, "The dog sleeps.")
    expect(note).to_contain_text(f"Not translated yet. The picture still shows: {FIRST}")
    expect(note).to_have_attribute("role", "status")
    open_tab(page, "Whole model")
    expect(note).to_be_visible()
    open_tab(page, "Heads")
    top = page.locator("#ask").bounding_box()["y"]
    page.fill(BOX, viewer(page).get_attribute("data-sentence"))
    expect(note).to_be_empty()
    assert page.locator("#ask").bounding_box()["y"] == top  # nothing moves while somebody types


def test_a_tab_shows_the_sentence_and_the_german_so_far(page, shipped):
    first, second = (step.predicted.text.lstrip("·") for step in record(shipped, examples()[0]["sentence"]).steps[:2])
    page.locator("[data-go=first]").first.click()
    page.locator("#viewer [data-go=next]").click()
    open_tab(page, "Positions")
    strip = page.locator("#positions .context")
    english, german = strip.locator("[lang=en]"), strip.locator("[lang=de]")
    expect(english).to_have_text("Amaninablueshirtisstandingonaladdercleaningawindow.(end)")
    expect(german.locator(".current")).to_have_text(second)
    expect(german.locator("span:not(.later)")).to_have_count(3)
    german.locator("span").nth(1).click()
    expect(german.locator(".current")).to_have_text(first)
    open_tab(page, "Heads")
    expect(viewer(page)).to_have_attribute("data-step", "1")
