"""Every lesson from start to end in a real browser, in every language of the page, three of them on a phone.

The driver reads the lesson's file, guesses, and does the task on the page's own controls.
"""

import pytest
from playwright.sync_api import Locator, Page, expect
from visiting import needs_browser, visited

from explorer.lessons.lesson import Lesson, Step
from explorer.lessons.running import shipped
from explorer.page import words
from explorer.shared.language import LANGUAGES, Voice, speaking

pytestmark = needs_browser
DESK, PHONE = (1366, 768), (390, 844)
RUNS = [
    (name, language, PHONE if language == "de" and i % 2 else DESK)
    for language in LANGUAGES
    for i, name in enumerate(shipped())
]


def part(page: Page, name: str) -> Locator:
    return page.locator(f".lesson [data-lesson={name}]")


def at(page: Page, step: int, steps: int, language: str = "en") -> None:
    with speaking(Voice(language)):
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
            page.locator("#sentence :is(input, textarea)").fill(sentence)
            page.locator("#sentence :is(input, textarea)").press("Enter")
        case {"kind": kind, **more}:
            page.locator(f"#viewer .kinds button[value={kind}]").click()
            for name in more.keys() & {"layer", "head"}:
                page.locator(f"#viewer .selects [data-role={name}]").select_option(label=more[name])
        case {"step": step}:
            for _ in range(int(step) - int(place["step"])):
                page.keyboard.press("ArrowRight")
        case {"lab.source": sentence}:
            page.locator("[data-compare=text]").fill(sentence)
            page.locator("[data-compare=text]").press("Enter")
        case {"lab.cells": cell}:
            _, layer, position = cell.split(".")
            page.locator(f"[data-patch=grid] td[data-row='{layer}'] button").nth(int(position) - 1).click()
        case {"lab.hidden": piece}:
            page.locator(".hide .pieces button").nth(int(piece) - 1).click()
        case {"lab.heads-rank": _}:
            page.locator("[data-heads=rank]").click()
        case {"lab.off": heads}:
            kind, layer, head = heads.split(",")[0].split(".")
            row = page.locator(f".heads fieldset[data-kind={kind}] .switches button")
            row.nth((int(layer) - 1) * 9 + (0 if "," in heads else int(head))).click()
        case _:
            ((name, value),) = goal.items()
            page.locator(f"[data-positions={name.removeprefix('lab.')}] button[value={value}]").click()


def done(page: Page, step: Step, number: int, language: str) -> None:
    """One step: the guess is another one than the model's at odd steps, and the task is done by hand."""
    shown = step.shown(language)
    expect(part(page, "text")).to_have_text(plain(shown["text"]))
    if step.question:
        right = shown["question"]["right"]
        guess(page, step, (right + number % 2) % len(step.question.choices))
    if step.task:
        expect(part(page, "task")).to_be_visible()
        expect(part(page, "reveal")).to_be_empty()
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


@pytest.mark.parametrize(("name", "language", "size"), RUNS)
def test_a_lesson_from_start_to_end(browser, shipped_page, name, language, size):
    for page in visited(browser, f"{shipped_page}?lang={language}&lesson={name}.1", *size):
        whole(page, shipped()[name], language)
        expect(page.locator(".lesson")).to_be_hidden()
        card = page.locator(".lessons article").nth([*shipped()].index(name))
        expect(card).to_have_attribute("data-state", "over")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
