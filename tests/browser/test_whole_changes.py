"""Changes in the picture of the whole model: what they mark, what the address keeps of them, and how they end."""

import re
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from playwright.sync_api import Page, expect
from visiting import at_rest, chips, eventually, follow, needs_browser

from explorer.ui.palette import LIGHT

pytestmark = needs_browser
HEAD = "decoder.4.cross.8"
CELL = f"{HEAD}.12.12"
ENCODER_OFF = ",".join(f"encoder.1.{head}" for head in range(1, 9))
# How many points of the canvas have the colour of a halo, which is drawn on what is transparent.
GLOWING = """([canvas, halo]) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const isNear = (i) => [0, 1, 2].every((part) => Math.abs(data[i + part] - halo[part]) < 8) && data[i + 3] > 40;
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += isNear(i);
    return count;
}"""
HALO = [*bytes.fromhex(LIGHT["changed"][1:])]


def opened(page: Page, **parts: str) -> Page:
    """The picture of the first sentence or another; the page need not be as it opens."""
    named = {part if part in ("sentence", "change", "step") else f"whole.{part}": text for part, text in parts.items()}
    follow(page, "?" + urlencode({"step": "12", "tab": "whole"} | named))
    expect(page.locator(".whole [data-role=caption]")).not_to_be_empty()
    return page


def glows(page: Page, expected: bool) -> None:
    def check() -> None:
        at_rest(page)
        canvas = page.locator(".whole .stage > canvas").element_handle()
        assert (page.evaluate(GLOWING, [canvas, HALO]) > 100) == expected

    eventually(page, check)


def expect_in_address(page: Page, name: str, *texts: str) -> None:
    def check() -> None:
        assert parse_qs(urlparse(page.url).query).get(name, []) == [*texts]

    eventually(page, check)


def test_the_heads_of_a_place_are_switched_off_there(page):
    opened(page, at="decoder.4.cross")
    switch = page.locator(".whole .switch")
    switch.click()
    expect(chips(page)).to_have_text(["Off: cross-attention, layer 4"])
    expect(switch).to_have_text("Off: switch its heads on")
    expect(switch).to_have_attribute("aria-pressed", "true")
    opened(page)
    expect(switch).to_be_hidden()


def test_a_head_that_is_off_marks_what_it_moves_until_it_is_on_again(page):
    opened(page, at=HEAD)
    caption = page.locator(".whole [data-role=caption]")
    page.locator(".whole .switch").click()
    expect(chips(page)).to_have_text(["Off: head 8, cross-attention, layer 4"])
    expect(caption).to_contain_text("Without head 8 of the cross-attention in layer 4, the model still writes “putzt”")
    expect(caption).to_contain_text("Head 8 is off")
    page.locator(".whole .path button").first.click()
    glows(page, True)
    runs = page.locator("#bar .runs")
    runs.get_by_role("button", name="unchanged").click()
    glows(page, False)
    runs.get_by_role("button", name="changed", exact=True).click()
    glows(page, True)
    page.locator(".whole .tokens").get_by_role("button", name="cleaning", exact=True).hover()
    page.get_by_role("button", name="Hide “cleaning”").click()
    expect(chips(page)).to_have_count(2)
    # The changed translation is shorter: of the steps before, the tenth is the last with a partner.
    expect(page.locator(".whole .status")).to_have_text("10 of 15")
    expect_in_address(page, "change", "hidden.12_off.cross.4.8")
    chips(page).filter(has_text="cleaning").click()
    expect(chips(page)).to_have_count(1)
    page.get_by_role("button", name="Undo all").click()
    expect(chips(page)).to_have_count(0)
    glows(page, False)
    expect_in_address(page, "change")
    expect(caption).not_to_contain_text("Without head")


@pytest.mark.thorough
def test_a_link_brings_the_change_back_and_numbers_say_what_they_were(page):
    opened(page, at=CELL)
    before = page.locator(".number-board .result > b").last.inner_text()
    opened(page, at=CELL, change=f"off.{ENCODER_OFF}")
    expect(chips(page)).to_have_text("Off: encoder self-attention, layer 1")
    expect(page.locator(".number-board .was").last).to_have_text(f"was {before}")
    opened(page, at=HEAD, change=f"off.{ENCODER_OFF}")
    expect(page.locator(".head-board .says .was")).to_have_text(f"was {before.removesuffix('%')}")
    opened(page, at="output", change=f"off.{ENCODER_OFF}")
    expect(page.locator(".output-board .chosen .was").first).to_have_text("was 71%")


def test_a_token_is_hidden_and_shown_by_the_button_beside_its_name(page):
    opened(page)
    expect(page.locator(".whole .status")).to_have_text("12 of 16")
    at_rest(page)
    page.locator(".whole .tokens").get_by_role("button", name="cleaning", exact=True).hover()
    page.get_by_role("button", name="Hide “cleaning”").click()
    expect(chips(page)).to_have_text("Hidden: “cleaning”")
    expect_in_address(page, "change", "hidden.12")
    expect(page.locator(".whole [data-role=caption]")).to_contain_text("With “cleaning” hidden")
    at_rest(page)
    page.locator(".whole .tokens").get_by_role("button", name="cleaning", exact=True).hover()
    page.get_by_role("button", name="Show “cleaning” again").click()
    expect(chips(page)).to_have_count(0)


def test_a_held_neuron_glows_and_its_board_says_that_it_is_held(page):
    sentence, change = "Do you have a car?", "neuron.decoder.4.542.6"
    opened(page, sentence=sentence, step="2", change=change)
    expect(chips(page)).to_have_text(["Neuron 542 of decoder layer 4 held at 6"])
    caption = page.locator(".whole [data-role=caption]")
    expect(caption).to_contain_text("With neuron 542 of decoder layer 4 held at 6, after “Haben” comes “Sie”")
    glows(page, True)
    opened(page, at="decoder.4.feed.hidden.2.542", sentence=sentence, step="2", change=change)
    expect(page.locator(".number-board [data-step=held]")).to_contain_text("This neuron is held at 6.00")
    expect(page.locator(".number-board .result > b").last).to_have_text("6.00")
    expect(page.locator(".number-board .was")).to_have_text(["was 0"])  # of the neuron, and not of the sum before
    expect(caption).to_contain_text("Neuron 542 is held at 6, whatever it reads")
    opened(page, at="decoder.4.feed", sentence=sentence, step="2", change=change)
    expect(page.locator(".feed-board .chip-buttons")).to_contain_text("neuron 542: 6.00")
    chips(page).click()
    expect(chips(page)).to_have_count(0)
    glows(page, False)
    expect_in_address(page, "change")


@pytest.mark.thorough
def test_the_weights_of_a_long_translation_are_loaded_for_the_picture(page):
    sentence = " ".join(["a man is up,", "a dog is in,", "he is on it,", "we go by car,"] * 6)[:-1] + "."
    opened(page, at="decoder.1.cross", sentence=sentence)
    expect(page.locator(".whole .status")).to_have_text(re.compile(r"^12 of \d{3}$"))
    expect(page.locator(".whole [data-role=caption]")).to_contain_text(re.compile("heads (look most at|disagree)"))


def test_a_neuron_is_held_by_its_dial_and_let_go(page):
    opened(page, sentence="Do you have a car?", step="1", at="decoder.4.feed")
    at_rest(page)
    dial, caption = page.locator("#whole .dial:visible"), page.locator(".whole [data-role=caption]")
    dial.get_by_label("neuron").fill("542")
    page.keyboard.press("Enter")
    slider = dial.get_by_label("held at")
    slider.fill("6")
    expect(caption).to_contain_text("“Haben” instead of “Hast”")
    at_rest(page)
    expect(chips(page)).to_have_text("Neuron 542 of decoder layer 4 held at 6")
    expect(dial.get_by_label("neuron")).to_have_value("542")
    slider.press("PageUp")  # a key of its own
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", "decoder.4.feed")
    dial.get_by_role("button", name="Let go").click()
    expect(caption).not_to_contain_text("instead of")
    expect(chips(page)).to_have_count(0)
