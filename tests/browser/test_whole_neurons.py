"""The boards that show the atlas: of a neuron and of a head; and what finds them."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect
from visiting import at_rest, chips, follow, needs_browser, visited

from explorer import Atlas, Experiment, ForwardPass, NeuronAt, directions, record, record_pass, run
from model.decoding import Translator
from model.probe import Site

pytestmark = needs_browser
CAR = "Do you have a car?"
AT = "decoder.4.feed.542"


@pytest.fixture(scope="module")
def atlas_page(browser: Browser, measured_page: str) -> Iterator[Page]:
    yield from visited(browser, measured_page)


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return Atlas.load()


def opened(page: Page, at: str, **parts: str) -> Page:
    follow(page, "?" + urlencode({"tab": "whole", "sentence": CAR, "step": "1", "whole.at": at} | parts))
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", at)
    at_rest(page)
    return page


def passed_over(translator: Translator, text: str) -> ForwardPass:
    return record_pass(translator, record(translator, text))


def shown_as(token: str) -> str:
    """A token of the vocabulary as the boards show it."""
    return {"<s>": "(start)", "</s>": "(end)", "▁": "·"}.get(token, token.removeprefix("▁"))


def hidden(passed: ForwardPass, layer: int, row: int) -> list[float]:
    """The values of the neurons of a layer of the decoder."""
    return passed.tensors[Site("decoder", layer, "feed_forward", "hidden")][0, row].tolist()


def texts(page: Page, selector: str) -> list[str]:
    return page.locator(f"#whole .board:visible {selector}").all_inner_texts()


def test_a_neuron_shows_where_it_fires_how_often_and_what_it_reads_and_writes(atlas_page, atlas, shipped):
    page, neuron = opened(atlas_page, AT), atlas.neuron("decoder", 3, 541)
    assert neuron.name
    expect(page.locator(".neuron-name")).to_contain_text("Neuron 542 writes “Sie”, “Er”. The name holds")
    expect(page.locator(".neuron-name")).to_contain_text(f"{neuron.name.precision:.0%} of {neuron.name.checked} strong")
    for name in ("strongest", "strong", "middle", "weak"):
        page.get_by_role("button", name=name, exact=True).click()
        found = [context for context in neuron.contexts if context.range == name]
        assert texts(page, ".contexts .value") == [f"{context.value:.2f}" for context in found]
        marked = [shown_as(context.fed[context.position]) for context in found]
        following = [shown_as(context.written[context.position]) for context in found]
        assert [texts(page, ".contexts .at"), texts(page, ".contexts .next")] == [marked, following]
    expect(page.locator(".neuron-board .often")).to_contain_text("2,130 of 46,483 positions (4.6%)")
    assert page.locator(".histogram title").first.text_content() == "0.00 to 0.48: 860 positions"
    weights = directions(shipped, "decoder", 3, 541)
    cosines = [*weights.reads, *weights.reads_against, *weights.writes, *weights.writes_against]
    shown = [f"{shown_as(one.token)} {one.cosine:+.2f}".replace("-", "−") for one in cosines]
    assert texts(page, ".cosine") == shown
    neighbour, _ = weights.neighbours[0]
    page.get_by_role("button", name=f"{neighbour + 1}", exact=True).click()
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", f"decoder.4.feed.{neighbour + 1}")
    page.keyboard.press("Escape")
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", "decoder.4.feed")


def test_a_name_says_how_far_it_can_be_trusted(atlas_page, atlas):
    names = {index: atlas.neuron("decoder", 1, index) for index in range(3072)}
    first = {
        "The name holds": lambda name: name and name.standing == "holds" and name.recall >= 0.1,
        "when, the name does not tell": lambda name: name and name.standing == "holds" and name.recall < 0.1,
        "The name does not hold": lambda name: name and name.standing == "perhaps",
    }
    for sentence, is_so in first.items():
        index = next(index for index, neuron in names.items() if is_so(neuron.name))
        opened(atlas_page, f"decoder.2.feed.{index + 1}")
        expect(atlas_page.locator(".neuron-name")).to_contain_text(sentence)
    for standing in ("no simple name", "never fires"):
        index = next(index for index, neuron in names.items() if neuron.standing == standing)
        opened(atlas_page, f"decoder.2.feed.{index + 1}")
        expect(atlas_page.locator(".neuron-name")).to_contain_text(standing)


def test_a_context_becomes_the_sentence_of_the_page_at_its_step(atlas_page, atlas, shipped):
    page = opened(atlas_page, AT)
    page.get_by_role("button", name="middle", exact=True).click()
    context = next(each for each in atlas.neuron("decoder", 3, 541).contexts if each.range == "middle")
    page.locator(".neuron-board .contexts button").first.click()
    at_rest(page)
    text = "".join(context.source[:-1]).replace("▁", " ").strip()
    expect(page.get_by_label("English sentence")).to_have_value(text)
    expect(page).to_have_url(re.compile(rf"step={context.position + 1}&"))
    current = page.locator(".neuron-board .here tr[aria-current]")
    value = hidden(passed_over(shipped, text), 3, context.position)[541]
    expect(current.locator(".number")).to_have_text(f"{value:.2f}")
    largest = atlas.neuron("decoder", 3, 541).largest
    assert abs(value - context.value) < largest / 39


def test_a_neuron_is_held_at_one_token_or_at_all(atlas_page, shipped):
    page = opened(atlas_page, AT)
    dial = page.locator("#whole .board:visible .dial")
    dial.get_by_label("held at").fill("6")
    at_rest(page)
    expect(chips(page)).to_have_text("Neuron 542 of decoder layer 4 held at 6")
    expect(page.locator(".here tr").first).to_contain_text("Haben")
    dial.get_by_label("where").select_option(label="only at “(start)”")
    at_rest(page)
    expect(page).to_have_url(re.compile(r"change=neuron\.decoder\.4\.542\.6\.at1(&|$)"))
    one = run(shipped, CAR, Experiment(neurons=(NeuronAt("decoder", 3, 541, 6.0, 0),)))
    written = [step.predicted.text for step in one.steps]
    assert [row.split("→")[1].split("\n")[0].strip() for row in texts(page, ".here th")] == [
        text.removeprefix("·").replace("</s>", "(end)") for text in written
    ]
    dial.get_by_label("where").select_option(label="at every token")
    at_rest(page)
    expect(chips(page)).to_have_text("Neuron 542 of decoder layer 4 held at 6")
    dial.get_by_role("button", name="Let go").click()
    expect(chips(page)).to_have_count(0)


def test_the_feed_forward_board_names_its_neuron_and_leads_to_it(atlas_page):
    page = opened(atlas_page, "decoder.4.feed", step="2")
    page.get_by_role("button", name="neuron 625:").click()
    expect(page.locator(".chips p")).to_contain_text("Over many sentences: writes “du”")
    page.get_by_role("button", name="When it fires").click()
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", "decoder.4.feed.625")


def test_a_word_finds_neurons_and_heads_and_a_token_what_fires_there(atlas_page, atlas, shipped):
    page = opened(atlas_page, AT, **{"whole.find": "Sie"})
    results, found = page.locator(".finder-results"), atlas.search("Sie")
    rows = results.locator("ol").first.locator("li button").all_inner_texts()
    places = [f"{hit.kind.capitalize()}, layer {hit.layer + 1}, neuron {hit.number + 1}" for hit in found.neurons]
    assert rows == places and results.locator("ol").nth(1).locator("li").count() == len(found.heads)
    page.get_by_role("searchbox").click()  # the pointer's, too: the field has the focus
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Donaudampfschiff")
    expect(results).to_contain_text("has much to do with “Donaudampfschiff”")
    expect(page).to_have_url(re.compile("whole.find=Donaudampfschiff"))
    page.locator(".finder-tokens button[data-stack=decoder]").nth(2).click()
    expect(results).to_contain_text("What fires at “du”")
    at_rest(page)
    name = results.locator("li button").first.inner_text()
    layer, neuron = (int(number) - 1 for number in re.findall(r"\d+", name))
    passed = passed_over(shipped, CAR)
    shares = {
        (i, j): value / atlas.layer("decoder", i).activity.largest[j]
        for i in range(4)
        for j, value in enumerate(hidden(passed, i, 2))
        if value > 0 and atlas.layer("decoder", i).fired[j]
    }
    assert shares[layer, neuron] >= min(1, max(shares.values()))
    results.locator("li button").first.click()
    expect(page.locator("#whole .whole")).to_have_attribute("data-at", f"decoder.{layer + 1}.feed.{neuron + 1}")


@pytest.mark.parametrize(
    ("place", "at"),
    [
        (("encoder", 1, 2), "encoder.2.self.3"),
        (("decoder", 0, 4), "decoder.1.self.5"),
        (("cross", 3, 1), "decoder.4.cross.2"),
    ],
    ids=["encoder", "decoder", "cross"],
)
def test_a_head_shows_its_strongest_arrows(atlas_page, atlas, place, at):
    page, arrows = opened(atlas_page, at), atlas.head(*place).arrows
    assert texts(page, ".arrows .value") == [f"{arrow.weight:.0%}" for arrow in arrows]
    plain = [(arrow.queries[arrow.query], arrow.keys[arrow.key]) for arrow in arrows]
    names = [[*map(shown_as, side)] for side in zip(*plain, strict=True)]
    assert [texts(page, ".arrows .from"), texts(page, ".arrows .at")] == names


def test_files_come_when_a_board_of_their_layer_opens_and_once(browser, measured_page):
    asked: list[str] = []
    for page in visited(browser, measured_page):
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        follow(page, "?tab=whole")
        assert not [name for name in asked if name.startswith("atlas-")]
        for at in ("decoder.4.feed", AT, "decoder.4.feed.9", "decoder.4.cross.1"):
            opened(page, at)
        assert [name for name in asked if name.startswith("atlas-")] == ["atlas-decoder-3.gz", "atlas-sentences.gz"]


def test_without_an_atlas_the_page_gives_the_command(browser, toy_page):
    for page in visited(browser, toy_page):
        opened(page, "decoder.1.feed.3", sentence="")
        expect(page.locator(".neuron-name")).to_contain_text("python -m explorer.atlas --model")
        page.locator(".finder summary").click()
        expect(page.locator(".finder code")).to_contain_text("python -m explorer.atlas --model")
