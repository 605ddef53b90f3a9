"""The levels of detail: what a newcomer sees, in words, and that it says what is drawn."""

import re

import pytest
from playwright.sync_api import Page, expect
from remarks import default_step
from visiting import begin_again, choose, go_to, needs_browser, source, target, time_held, translate, visited

from explorer.recording.sentence import examples
from explorer.recording.trace import record
from model.decoding import Translator

pytestmark = needs_browser
EXAMPLE, SUBJECT = examples()[0]["sentence"], examples()[0]["subject"]
ONLY_HEADS = (".bar", ".selects", "[data-role=overview]", ".status", ".readout", ".candidates")


@pytest.fixture
def newcomer(shared_page: Page) -> Page:
    """At the level that newcomers have."""
    return begin_again(shared_page, level="picture")


def level(page: Page, name: str) -> None:
    page.locator(f"[role=tab][data-level={name}]").click()


def sentence(page: Page) -> str:
    return page.locator("[data-role=plain]").inner_text()


def opening(translator: Translator) -> str:
    """The German word that the page opens at."""
    trace = record(translator, EXAMPLE)
    return trace.steps[default_step(trace, SUBJECT)].predicted.text[1:]


HEIGHTS = """() => {
    const [slider, views] = ["[data-role=slider]", ".views"].map((name) => document.querySelector(`#viewer ${name}`));
    const heights = [...Array(Number(slider.max)).keys()].map((step) => {
        slider.value = step + 1;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        const sentence = document.querySelector("#viewer .plain > span").offsetHeight;
        return [Math.round(views.getBoundingClientRect().top), sentence];
    });
    return [0, 1].map((one) => new Set(heights.map((pair) => pair[one])).size);
}"""


def test_a_newcomer_sees_one_picture_and_one_sentence_of_it(browser, shipped_page, shipped):
    """And another level is remembered, and keeps step and choices."""
    for newcomer in visited(browser, shipped_page, level=""):
        trace = record(shipped, EXAMPLE)
        step = default_step(trace, SUBJECT)
        row = trace.cross.matrix(-1, "mean")[step]
        word, key = trace.steps[step].predicted.text[1:], trace.source[int(row.argmax())].text[1:]
        assert sentence(newcomer) == f"To write “{word}”, the model looks mostly at “{key}” ({row.max():.0%})."
        expect(newcomer.locator(".heatmap .nsewdrag").first).to_be_visible()
        for hidden in ONLY_HEADS:
            expect(newcomer.locator(f".viewer {hidden}").first).to_be_hidden()
        expect(newcomer.locator("[role=tab][data-level=picture]")).to_have_attribute("aria-selected", "true")
        assert "·" not in newcomer.locator(".sentences").inner_text()
        assert source(newcomer) == [*(piece.text.removeprefix("·") for piece in trace.source[:-1]), "(end)"]
        level(newcomer, "heads")
        choose(newcomer, "cross", 1, 2)
        newcomer.get_by_label("Next step").click()
        step = newcomer.locator(".viewer").get_attribute("data-step") or ""
        level(newcomer, "picture")
        newcomer.get_by_label("Next step").click()
        expect(newcomer.locator(".viewer")).to_have_attribute("data-step", str(int(step) + 1))
        level(newcomer, "heads")
        expect(newcomer.locator("[data-pane=first] h3")).to_contain_text("layer 2 · head 3")
        assert source(newcomer)[0] == "·A"
        newcomer.goto(shipped_page)
        expect(newcomer.locator(".viewer")).to_have_attribute("data-level", "heads")


def test_the_picture_stays_in_its_place_while_the_sentence_takes_one_line_or_two(newcomer):
    assert newcomer.evaluate(HEIGHTS) == [1, 2]


def test_a_link_names_the_level_and_what_is_remembered_stays(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}?level=picture", level="heads"):
        expect(page.locator(".viewer")).to_have_attribute("data-level", "picture")
        assert page.evaluate("localStorage.getItem('attention-explorer:level')") == "heads"


def test_a_pinned_word_is_told(newcomer, shipped):
    trace = record(shipped, EXAMPLE)
    newcomer.locator("[data-role=source] .piece", has_text="ladder").click()
    ladder = [piece.text for piece in trace.source].index("·ladder")
    column = trace.cross.matrix(-1, "mean")[: default_step(trace, SUBJECT) + 1, ladder]
    word = trace.steps[int(column.argmax())].predicted.text[1:]
    told, share = sentence(newcomer).rsplit("(", 1)
    assert told == f"The model looks at “ladder” most while writing “{word}” "
    assert abs(int(share.removesuffix("%).")) - 100 * column.max()) < 0.6  # of a weight the page has three digits
    newcomer.keyboard.press("Escape")
    assert sentence(newcomer).startswith(f"To write “{opening(shipped)}”")


def test_all_kinds_are_told_in_plain_words(newcomer, shipped):
    expect(newcomer.get_by_role("button", name="Looking at the English")).to_have_attribute("aria-pressed", "true")
    newcomer.get_by_role("button", name="Looking back at its German").click()
    assert sentence(newcomer).startswith(f"To write “{opening(shipped)}”, the model looks back")
    newcomer.get_by_role("button", name="Reading the English").click()
    assert sentence(newcomer).startswith("While reading “cleaning”, the model looks")
    newcomer.locator("[data-role=source] .piece", has_text="shirt").click()
    assert sentence(newcomer).startswith("While reading “shirt”, the model looks")


def test_the_sentence_is_announced_but_not_while_playing(newcomer):
    plain = newcomer.locator("[data-role=plain]")
    expect(plain).to_have_attribute("aria-live", "polite")
    with time_held(newcomer):
        newcomer.get_by_role("button", name="Play").click()
        expect(plain).to_have_attribute("aria-live", "off")
        newcomer.get_by_role("button", name="Pause").click()
    expect(plain).to_have_attribute("aria-live", "polite")


def test_pieces_are_joined_into_words(newcomer, shipped):
    translate(newcomer, "The old man plays the accordion.")
    trace = record(shipped, "The old man plays the accordion.")
    assert source(newcomer) == ["The", "old", "man", "plays", "the", "accordion", ".", "(end)"]
    go_to(newcomer, len(trace.steps) - 1)
    german = re.findall(r"\w+|[^\w\s]", trace.translation)
    assert target(newcomer) == ["(start)", *german, "(end)"]
    assert len(trace.source) + len(trace.steps) > 8 + len(german) + 1  # some word has several pieces
    assert sentence(newcomer).startswith("Finished: it looks")


def test_signs_are_explained_where_they_stand_and_the_candidates_say_what_is_left(shared_page, shipped):
    page = begin_again(shared_page)
    trace = record(shipped, EXAMPLE)
    for sign, told in (("·word", "where a word begins"), ("(end)", "no word"), ("mean of heads", "all heads")):
        term = page.locator("#viewer .signs .term", has_text=sign).filter(has_text=told)
        expect(term.get_by_role("note")).to_be_hidden()
        term.focus()
        expect(term.get_by_role("note")).to_be_visible()
    entropy = page.locator(".next .term", has_text="Entropy")
    entropy.hover()
    expect(entropy.get_by_role("note")).to_contain_text("undecided")
    step = trace.steps[default_step(trace, SUBJECT)]
    left = 1 - sum(candidate.probability for candidate in step.candidates)
    expect(page.locator("[data-role=others]")).to_have_text(
        f"{trace.vocabulary - len(step.candidates):,} others: {left:.3f}"
    )
