"""The page in a real browser: sentences, steps, refusals, visitors."""

import re
from itertools import groupby

import pytest
from playwright.sync_api import expect
from remarks import default_step
from visiting import (
    ask,
    at_rest,
    choose,
    go_to,
    go_to_end,
    named,
    needs_browser,
    option,
    source,
    target,
    translate,
)

from explorer.recording import MAX_CHARACTERS
from explorer.recording.sentence import examples
from explorer.recording.trace import record

pytestmark = needs_browser
SENTENCE = "Two children are playing in the garden."


def test_the_page_opens_with_an_example_already_translated(page, shipped):
    first = record(shipped, examples()[0]["sentence"])
    assert source(page) == [named(piece.text) for piece in first.source]
    step = default_step(first, examples()[0]["subject"])
    assert target(page) == [
        named(first.target[0].text),
        *(named(made.predicted.text) for made in first.steps[: step + 1]),
    ]
    expect(page.locator(".viewer")).to_have_attribute("data-step", str(step + 1))
    expect(page.locator(".heatmap .nsewdrag").first).to_be_visible()
    assert page.locator(".candidates li").count() == 10
    expect(page.locator("[data-role=source] .piece").last).to_contain_class("special")
    expect(page.locator("[data-role=source] .piece").last).to_have_attribute("title", re.compile(r"id 3 \(</s>\)"))


def test_buttons_slider_and_keys_move_the_step(page):
    viewer = page.locator(".viewer")
    for press, step in (("First step", 1), ("Next step", 2), ("Next step", 3), ("Previous step", 2)):
        page.get_by_label(press).click()
        expect(viewer).to_have_attribute("data-step", str(step))
    go_to(page, 3)
    expect(viewer).to_have_attribute("data-step", "4")
    page.evaluate("document.activeElement.blur()")
    last = page.locator("[data-role=slider]").get_attribute("max")
    for key, step in (("ArrowRight", 5), ("ArrowLeft", 4), ("End", last), ("Home", 1)):
        page.keyboard.press(key)
        expect(viewer).to_have_attribute("data-step", str(step))
    page.keyboard.press("End")
    page.get_by_placeholder("Type a sentence in English").press("Home")  # is the text's
    expect(viewer).to_have_attribute("data-step", str(last))


def test_play_runs_from_the_start_to_the_end_and_stops(page):
    last = page.locator("[data-role=slider]").get_attribute("max")
    option(page, "speed").select_option(label="film (60 / s)")
    go_to_end(page)
    page.evaluate("""() => {
        const viewer = document.querySelector("#viewer .viewer");
        window.steps = [];
        const watch = new MutationObserver(() => steps.push(Number(viewer.dataset.step)));
        watch.observe(viewer, { attributeFilter: ["data-step"] });
    }""")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".viewer")).to_have_attribute("data-step", str(last))
    drawn_steps = [step for step, _ in groupby(page.evaluate("steps"))]  # each may be drawn more than once
    assert drawn_steps == [*range(1, int(last or 0) + 1)]
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.thorough
def test_playing_twice_quickly_plays_once(page):
    page.get_by_label("First step").click()
    option(page, "speed").select_option(label="5 / s")
    steps = page.evaluate(
        """async () => {
            const viewer = document.querySelector(".viewer"), play = document.querySelector("[data-go=play]");
            let steps = 0;
            new MutationObserver(() => { steps++; }).observe(viewer, { attributeFilter: ["data-step"] });
            for (let i = 0; i < 5; i++) play.click();
            const start = performance.now();
            while (steps < 4) await new Promise(requestAnimationFrame);
            play.click(); // pauses
            return (performance.now() - start) / 200;
        }"""
    )
    assert steps > 3  # four steps take four fifths of a second, however slow the machine
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_everything_follows_the_step(page, shipped):
    trace = record(shipped, examples()[0]["sentence"])
    for step in (0, 4):
        go_to(page, step)
        shown = trace.steps[step]
        expect(page.locator(".status")).to_contain_text(
            f"fed “{named(shown.fed.text)}”, predicted “{shown.predicted.text}”"
        )
        assert target(page) == [
            named(trace.target[0].text),
            *(named(s.predicted.text) for s in trace.steps[: step + 1]),
        ]
        candidates = page.locator(".candidates li span:first-of-type").all_inner_texts()
        assert candidates == [named(candidate.piece.text) for candidate in shown.candidates]
        expect(page.locator("[data-role=entropy]")).to_contain_text(f"{shown.entropy:.2f} bits")


def test_bad_text_is_refused_in_words_and_changes_nothing_else(page):
    before, step = source(page), page.locator(".viewer").get_attribute("data-step")
    box, draft = page.get_by_placeholder("Type a sentence in English"), page.locator(".draft [role=status]")
    for text, reason in (("漢字", "none of these characters"), ("x" * (MAX_CHARACTERS + 7) + " ", "407 characters")):
        box.fill(text)
        over = page.locator("#counter .over")  # which counts as the refusal does
        expect(over).to_contain_text("407") if len(text) > MAX_CHARACTERS else expect(over).to_have_count(0)
        ask(page, text)
        expect(page.get_by_role("alert")).to_contain_text(reason)
        expect(page.locator(".viewer")).to_have_attribute("aria-busy", "false")
        expect(draft).to_contain_text("still shows: A man")
        assert source(page) == before
        assert page.locator(".viewer").get_attribute("data-step") == step
        assert box.input_value() == text
    translate(page, SENTENCE)
    expect(page.locator("[data-role=message]")).to_be_empty()


def test_markup_is_shown_as_text_and_never_run(page):
    translate(page, 'A <b>dog</b> <img src=x onerror="window.hacked = true"> runs.')
    choose(page, "encoder", 0, 0)
    at_rest(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator(".viewer img, .viewer b, .heatmap b").count() == 0
    assert "img" in "".join(source(page))
