"""A lesson from start to end in a real browser, in German on a phone; all of them with --thorough.

The driver reads the lesson's file, guesses, and does the task on the page's own controls.
"""

import json
import re
from collections.abc import Iterator

import pytest
from cases import sweep
from playwright.sync_api import Browser, Locator, Page, expect
from visiting import (
    BOX,
    DESK,
    PHONE,
    at_rest,
    choose_panel,
    expect_sentence,
    follow,
    needs_browser,
    open_tab,
    visited,
)

from explorer.lessons.lesson import Lesson, Step
from explorer.lessons.running import shipped_lessons
from explorer.page import words
from explorer.tabs import tab_labels
from explorer.tabs.lessons.tab import words as tab_words
from explorer.ui.language import LANGUAGES, LanguageContext, use_language

pytestmark = needs_browser
BEGINNINGS = {  # what the tasks say in which the German is begun, by the pieces of their goals
    "125.1242.28.7529.5.756": "Der Tisch ist kaputt, weil",
    "125.1460.28.7529.5.756": "Der Kamera ist kaputt, weil",
}
HEADS = 8  # of a layer
NAMES = [*shipped_lessons()]
RUNS = sweep(
    [(name, "en", DESK) for name in NAMES] + [(name, "de", [DESK, PHONE][i % 2]) for i, name in enumerate(NAMES)],
    (NAMES[1], "de", PHONE),
)


def part(page: Page, name: str) -> Locator:
    return page.locator(f".lesson [data-lesson={name}]")


def at(page: Page, step: int, steps: int, language: str = "en") -> None:
    with use_language(LanguageContext(language)):
        expect(part(page, "of")).to_have_text(words.LESSON["of"].format(step=step, steps=steps))


def plain(text: str) -> str:
    return text.replace("*", "")


def guess(page: Page, step: Step, choice: int) -> None:
    """Chooses an answer; before it is committed to, nothing is revealed."""
    part(page, "choices").locator("input").nth(choice).check()
    expect(part(page, "reveal")).to_be_empty()
    part(page, "commit").click()


def do(page: Page, goal: dict[str, str], place: dict[str, str]) -> None:
    """Goes where a task leads, by the controls of the page."""
    match goal:
        case {"sentence": sentence}:
            page.locator(BOX).fill(sentence)
            page.locator(BOX).press("Enter")
        case {"kind": kind, **more}:
            page.locator(f"#viewer .kinds button[value={kind}]").click()
            for name in more.keys() & {"layer", "head"}:
                page.locator(f"#viewer .selects [data-role={name}]").select_option(label=more[name])
        case {"step": step}:
            slider = page.locator("#viewer [data-role=slider]")
            expect(slider).to_have_value(place["step"])  # the place that the lesson leads to is there
            for _ in range(int(step) - int(place["step"])):
                page.keyboard.press("ArrowRight")
        case {"drawer.panel": panel}:
            choose_panel(page, panel)
        case {"whole.at": at}:
            number = page.locator(".neuron-board .dial input[type=number]")
            number.fill(at.rpartition(".")[2])
            number.press("Enter")
        case {"change": change}:
            for part_of_change in change.split("_"):
                make(page, *part_of_change.split(".", 1))


def make(page: Page, name: str, value: str) -> None:
    """Makes one part of a change, as its task says; the `from` of a patch and the `shift` are there already."""
    match name:
        case "source":
            page.locator("[data-compare=text]").fill(value)
            page.locator("[data-compare=text]").press("Enter")
        case "cells":
            _, layer, position = value.split(".")
            page.locator(f"[data-patch=grid] td[data-row='{layer}'] button").nth(int(position) - 1).click()
        case "hidden":
            for token in value.split("."):
                page.locator("#viewer [data-role=source] .piece").nth(int(token) - 1).click()
                page.locator("#viewer [data-role=hideToken]").click()
        case "begin":
            page.locator("[data-fork=text]").fill(BEGINNINGS[value])
            page.locator("[data-fork=text]").press("Enter")
        case "neuron":
            hold_neuron(page, value)
        case "off":
            switch_off(page, [head.split(".") for head in value.split(",")])
        case "encoder" | "decoder":
            page.locator(f"[data-positions={name}] button[value={value}]").click()


def hold_neuron(page: Page, neuron: str) -> None:
    """On the neuron's board, by its dial, and then by the choice beside it where it is held at one token alone."""
    place, _, position = neuron.partition(".at")
    dial = page.locator(".neuron-board .dial").filter(visible=True)
    dial.locator("input[type=range]").fill(place.split(".", 3)[3])
    if position:
        dial.locator("select").select_option("one")


def switch_off(page: Page, heads: list[list[str]]) -> None:
    """In the panel, whole layers by the names of their rows, and single heads one by one."""
    kinds = {kind for kind, _, _ in heads}
    for kind in kinds:
        chooser = page.locator(f"[data-heads=kinds] button[value={kind}]")
        if chooser.is_visible():  # where heads are ranked, all kinds stand below each other
            chooser.click()
        buttons = page.locator(f"fieldset[data-kind={kind}] .switches button").filter(visible=True)
        layers = [layer for each, layer, _ in heads if each == kind]
        whole_layers = {layer for layer in layers if layers.count(layer) == HEADS}
        for layer in sorted(whole_layers):
            buttons.nth((int(layer) - 1) * (HEADS + 1)).click()
        for each, layer, head in heads:
            if each == kind and layer not in whole_layers:
                buttons.nth((int(layer) - 1) * (HEADS + 1) + int(head)).click()


def done(page: Page, step: Step, number: int, language: str) -> None:
    """One step: the guess is another one than the model's at odd steps, and the task is done by hand."""
    shown = step.to_json(language)
    expect(part(page, "text")).to_have_text(plain(shown["text"]))
    if step.question:
        right = shown["question"]["right"]
        guess(page, step, (right + number % 2) % len(step.question.choices))
    if step.task:
        expect(part(page, "task")).to_be_visible()
        expect(part(page, "reveal")).to_be_empty()
        if sentence := step.place.get("sentence"):  # what was done before it is there would be done to another one
            expect_sentence(page, sentence)
        do(page, step.task.goal, step.place)
    if shown["reveal"]:
        expect(part(page, "reveal")).to_contain_text(plain(shown["reveal"]))
    if step.question:
        expect(part(page, "choices").locator("[data-right=true]")).to_have_text(
            plain(shown["question"]["choices"][right])
        )
    expect(page.locator(".notice")).to_be_empty()  # every part of the address was understood


def whole(page: Page, lesson: Lesson, language: str) -> None:
    for number, step in enumerate(lesson.steps, 1):
        at(page, number, len(lesson.steps), language)
        done(page, step, number, language)
        part(page, "next").click()


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run[0]}-{run[1]}")
def test_a_lesson_from_start_to_end(browser, shipped_page, run):
    name, language, size = run
    for page in visited(browser, f"{shipped_page}?lang={language}&lesson={name}.1", *size):
        whole(page, shipped_lessons()[name], language)
        expect(page.locator(".lesson")).to_be_hidden()
        card = page.locator(".lessons article").nth(NAMES.index(name))
        expect(card).to_have_attribute("data-state", "over")
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def clause(browser: Browser, shipped_page: str) -> Iterator[Page]:
    """At the first step of the first lesson, by its link, once its sentence is translated."""
    for page in visited(browser, f"{shipped_page}?lesson=clause.1"):
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "5")
        yield page


@pytest.mark.thorough
def test_a_lesson_begun_at_its_card_is_left_and_taken_up_again(new_page, shipped_page):
    open_tab(new_page, tab_labels()["lessons"])
    card = new_page.locator(".lessons article").first
    expect(card).to_have_attribute("data-state", "new")
    card.get_by_role("button", name=tab_words.CARD["start"]).click()
    at(new_page, 1, 5)
    expect(part(new_page, "text")).to_be_focused()
    guess(new_page, shipped_lessons()["clause"].steps[0], 0)
    new_page.keyboard.press("ArrowRight")
    expect(part(new_page, "reveal")).to_contain_text(words.LESSON["other"].partition("{")[0])
    part(new_page, "next").click()
    at(new_page, 2, 5)
    part(new_page, "close").click()
    new_page.goto(shipped_page)
    open_tab(new_page, tab_labels()["lessons"])
    expect(card).to_contain_text(tab_words.CARD["at"].format(step=2, steps=5))
    card.get_by_role("button", name=tab_words.CARD["resume"]).click()
    at(new_page, 2, 5)
    part(new_page, "back").click()
    expect(part(new_page, "reveal")).to_contain_text(words.LESSON["other"].partition("{")[0])
    expect(part(new_page, "choices").locator("input").first).to_be_checked()


def test_a_link_opens_a_lesson_without_the_guesses_before_which_no_task_counts(clause):
    later = clause.locator("#viewer [data-role=target] .piece.later")
    expect(later.first).to_be_hidden()  # the words to come would tell
    clause.keyboard.press("ArrowRight")
    clause.wait_for_url(re.compile("step=6"))
    expect(part(clause, "task")).to_be_hidden()
    clause.keyboard.press("ArrowLeft")
    clause.wait_for_url(re.compile("step=5"))
    guess(clause, shipped_lessons()["clause"].steps[0], 3)
    expect(later.first).to_be_visible()
    part(clause, "show").click()
    expect(part(clause, "reveal")).to_contain_text(words.LESSON["same"].partition("{")[0])
    expect(clause.locator("#viewer .viewer")).to_have_attribute("data-step", "6")
    expect(clause).to_have_url(re.compile(r"lesson=clause\.1"))
    kept = json.loads(clause.evaluate("localStorage.getItem('attention-explorer:lessons')"))
    assert kept["clause"]["guesses"] == {"0": 3}
    address = clause.url
    assert "guess" not in address
    clause.evaluate("localStorage.removeItem('attention-explorer:lessons')")  # as in another browser
    clause.goto(address)
    at(clause, 1, 5)
    expect(part(clause, "choices").locator("input:enabled")).to_have_count(4)
    expect(part(clause, "reveal")).to_be_empty()


@pytest.mark.thorough
def test_a_task_says_what_is_changed_beyond_its_goal(browser: Browser, shipped_page: str):
    for page in visited(browser, f"{shipped_page}?lesson=order.1"):
        lesson = shipped_lessons()["order"]
        expect_sentence(page, lesson.sentence)
        guess(page, lesson.steps[0], 0)
        page.locator("[data-positions=decoder] button[value=off]").click()
        expect(page.locator("[data-change=chips] button")).to_have_count(1)
        expect(part(page, "more")).to_be_empty()
        page.locator("[data-positions=encoder] button[value=off]").click()
        expect(part(page, "more")).to_have_text(words.LESSON["more"])
        expect(part(page, "reveal")).to_be_empty()
        page.locator("[data-change=chips] button").last.click()
        expect(part(page, "reveal")).not_to_be_empty()
        expect(part(page, "more")).to_be_hidden()


@pytest.mark.thorough
def test_what_another_sentence_shows_is_shown_from_its_own_steps(clause):
    follow(clause, "?lesson=clause.4")
    at(clause, 4, 5)
    guess(clause, shipped_lessons()["clause"].steps[3], 1)
    part(clause, "show").click()
    expect_sentence(clause, "He bought a new car yesterday.")
    expect(part(clause, "reveal")).not_to_be_empty()
    at_rest(clause)
    expect(clause.locator(".notice")).to_be_empty()


def test_back_leads_to_the_step_before_and_escape_folds(clause):
    part(clause, "next").click()
    at(clause, 2, 5)
    clause.go_back()
    at(clause, 1, 5)
    expect(clause.locator("#viewer .viewer")).to_have_attribute("data-step", "5")
    part(clause, "text").focus()
    clause.keyboard.press("Escape")
    expect(part(clause, "body")).to_be_hidden()
    expect(part(clause, "fold")).to_be_focused()
    assert clause.locator(".lesson").evaluate("(node) => node.offsetHeight") < 80
    clause.keyboard.press("Enter")
    expect(part(clause, "body")).to_be_visible()


COVERED = """() => {
    const box = (place) => document.querySelector(place).getBoundingClientRect();
    const lesson = box(".lesson"), picture = box("#viewer .heatmap .nsewdrag"), steps = box("#viewer [data-go=next]");
    const over = (one) => one.right > lesson.left && one.bottom > lesson.top && one.top < lesson.bottom;
    return { picture: over(picture), steps: over(steps) };
}"""


@pytest.mark.parametrize("language", sweep(LANGUAGES, "de"))  # whose words are longer
def test_beside_a_lesson_explore_stays_on_one_screen(browser, shipped_page, language):
    for page in visited(browser, f"{shipped_page}?lang={language}&lesson=pronoun.2"):
        at(page, 2, 8, language)
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "7")
        page.wait_for_function(f"Object.values(({COVERED})()).every((covered) => !covered)")
        bottom = "document.querySelector('#viewer [data-pane=first] .heatmap').getBoundingClientRect().bottom"
        page.wait_for_function(f"{bottom} <= innerHeight")
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_a_lesson_leaves_the_steps_and_the_picture_in_sight(browser, shipped_page):
    for page in visited(browser, f"{shipped_page}?lesson=clause.1", *PHONE):
        at(page, 1, 5)
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", "5")
        page.wait_for_function(f"!({COVERED})().steps")
        expect(page.locator("#viewer .plain")).to_be_in_viewport()
        part(page, "fold").click()
        expect(page.locator("#viewer [data-pane=first] .nsewdrag")).to_be_in_viewport(ratio=0.9)


def test_there_is_no_lesson_where_a_link_names_none_that_exists(new_page):
    follow(new_page, "?lesson=nosuch.1")
    expect(new_page.locator(".notice")).to_have_text(words.TOOLBAR["damaged"].format(parts="lesson"))
    expect(new_page.locator(".lesson")).to_be_hidden()
