"""The Architecture tab in a real browser: map, shape trace and parameters, at a desk and on a phone."""

import json
from collections.abc import Iterator

import pytest
from cases import sweep
from playwright.sync_api import Browser, Page, expect
from visiting import needs_browser, open_tab, translate, visited

from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.tabs.architecture import words
from explorer.tabs.architecture.steps import words as step_words
from explorer.tabs.architecture.tab import shapes_payload
from explorer.ui.glossary import strip_links
from explorer.ui.glossary import words as glossary_words
from model.decoding import Translator
from model.parameters import parameter_table

pytestmark = needs_browser
SIZES = [(1366, 768), (390, 844)]
FIRST = examples()[0]["sentence"]
CROSS = "Multi-Head Attention (Decoder, layer {layer})"
FITS = "() => document.documentElement.scrollWidth <= window.innerWidth"


def opened(browser: Browser, address: str, size: tuple[int, int] = SIZES[0]) -> Iterator[Page]:
    """The Architecture tab with the shapes of the first sentence."""
    for page in visited(browser, address, *size):
        open_tab(page, "Architecture")
        expect(page.locator(".architecture")).to_have_attribute("data-sentence", FIRST)
        yield page


@pytest.fixture
def tab(browser, shipped_page) -> Iterator[Page]:
    yield from opened(browser, shipped_page)


def payload(translator: Translator, sentence: str = FIRST) -> dict:
    return json.loads(shapes_payload(Recordings(translator), sentence))


def block_texts(page: Page) -> dict[str, list[str]]:
    """What is written in each block of the map, by the module that it draws."""
    blocks = page.locator("[data-block] > rect").locator("..").all()
    texts = [block.locator("xpath=..").locator("text").all_text_contents() for block in blocks]
    return {block.get_attribute("data-block") or "": text for block, text in zip(blocks, texts, strict=True)}


def expect_map(page: Page, translator: Translator, layer: int) -> None:
    """The blocks of one layer, and those outside the layers, say their names, sizes and parameters."""
    blocks = [block for block in payload(translator)["blocks"] if block["layer"] in (None, layer)]
    numbers = {block["path"]: [f"{block['parameters']:,}"] if block["parameters"] else [] for block in blocks}
    expected = {
        block["path"]: [words.BLOCKS[block["name"]][0], str(block["sizes"]), *numbers[block["path"]]]
        for block in blocks
    }
    assert block_texts(page) == expected


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("model", sweep(["shipped", "toy"], "toy"))
def test_the_map_is_that_of_the_model_at_hand(browser, request, model, size):
    translator = request.getfixturevalue(model)
    for page in opened(browser, request.getfixturevalue(f"{model}_page"), size):
        expect_map(page, translator, layer=0)
        others = 2 * (translator.model.config.n_layers - 1)
        expect(page.locator(".architecture .bar")).to_have_count(others)
        assert page.evaluate(FITS)
        page.get_by_role("button", name="Decoder, Layer 2: show its parts").click()
        expect_map(page, translator, layer=1)
        expect(page.locator(".architecture .bar")).to_have_count(others)


def test_a_chosen_block_tells_its_shapes_parameters_and_share(tab, shipped):
    tab.get_by_role("button", name=CROSS.format(layer=1), exact=True).click()
    detail = tab.locator(".detail")
    block = next(b for b in payload(shipped)["blocks"] if b["path"] == "decoder.layers.0.cross_attention")
    for shape in (*block["inputs"].values(), *block["outputs"].values()):
        expect(detail).to_contain_text(shape)
    cross, model = (
        sum(p.numel() for p in part.parameters())
        for part in (shipped.model.decoder.layers[0].cross_attention, shipped.model)
    )
    expect(detail).to_contain_text(f"{cross:,}, {cross / model:.2%} of the model.")
    tab.get_by_role("button", name="Output Embedding (Decoder)").click()
    expect(detail).to_contain_text("Its matrix is shared; it is counted at encoder.embedding.tokens.")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ("Multi-Head Attention (Encoder, layer 2)", "encoder"),
        ("Masked Multi-Head Attention (Decoder, layer 2)", "decoder"),
        (CROSS.format(layer=2), "cross"),
    ],
)
def test_an_attention_opens_explore_with_its_kind_and_layer(browser, toy_page, block, kind, size):
    for page in opened(browser, toy_page, size):
        page.get_by_role("button", name="Encoder, Layer 2: show its parts").click()
        page.get_by_role("button", name=block, exact=True).click()
        page.get_by_role("button", name=words.ARCHITECTURE["links"]["explore"]).click()
        viewer = page.locator("#viewer .viewer")
        expect(viewer).to_be_visible()
        expect(viewer).to_have_attribute("data-kind", kind)
        expect(viewer.locator("[data-role=layer]")).to_have_value("1")
        expect(viewer.locator("[data-pane=first] .heatmap .nsewdrag")).to_be_visible()


def test_a_door_shows_what_the_block_is_about(browser, toy_page):
    links = words.ARCHITECTURE["links"]
    for page in opened(browser, toy_page, SIZES[0]):
        page.get_by_role("button", name="Masked Multi-Head Attention (Decoder, layer 1)", exact=True).click()
        page.get_by_role("button", name=links["masks"]).click()
        expect(page.locator("#masks .masks")).to_have_attribute("data-kind", "decoder")
        expect(page.locator("#masks .masks")).to_have_attribute("data-layer", "0")
        for side in ("Encoder", "Decoder"):
            open_tab(page, "Architecture")
            page.get_by_role("button", name=f"Feed Forward ({side}, layer 1)").click()
            page.get_by_role("button", name=links["predictions"]).click()
            expect(page.locator("#predictions .predictions")).to_have_attribute("data-side", side.lower())


@pytest.mark.parametrize("size", SIZES)
def test_a_block_chosen_twice_opens_its_view_at_once(browser, toy_page, size):
    for page in opened(browser, toy_page, size):  # a phone has the tab in a menu
        for _ in range(2):
            page.get_by_role("button", name="Positional Encoding (Encoder)").click()
        expect(page.locator("#positions [data-figure=heatmap]")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_block_whose_view_this_page_lacks_leads_to_its_steps(browser, toy, toy_page, size):
    for page in opened(browser, toy_page, size):
        page.get_by_role("button", name="Inputs (Encoder)").click()
        expect(page.locator(".tab-links button")).to_have_count(1)
        page.get_by_role("button", name="Inputs (Encoder)").click()
        marked = page.locator("[data-role=steps] tr.marked")
        expect(marked).to_have_count(1)
        expect(marked).to_be_in_viewport()
        expect(marked).to_contain_text(payload(toy)["rows"][0]["after"])


def test_the_keyboard_reaches_and_chooses_blocks(tab):
    block = tab.get_by_role("button", name="Linear (Decoder)")
    block.focus()
    tab.keyboard.press("Enter")
    expect(block).to_have_attribute("aria-pressed", "true")
    expect(block).to_be_focused()
    expect(tab.locator(".detail h3")).to_contain_text("Linear")


def test_an_open_layer_takes_the_chosen_block_along(tab):
    tab.get_by_role("button", name=CROSS.format(layer=1), exact=True).click()
    tab.get_by_role("button", name="Encoder, Layer 3: show its parts").click()
    expect(tab.locator(".detail")).to_have_attribute("data-block", "decoder.layers.2.cross_attention")


@pytest.mark.parametrize("size", SIZES)
def test_the_shape_trace_lists_every_step_and_folds_by_layer(browser, toy, toy_page, size):
    rows = payload(toy)["rows"]
    for page in opened(browser, toy_page, size):
        steps = page.locator("[data-role=steps]")
        assert [steps.locator("[data-row]").count(), steps.locator("tbody").count()] == [0, 7]
        steps.get_by_role("button", name="Decoder, layer 2").click()
        assert steps.locator("[data-row]").count() == sum((r["stack"], r["layer"]) == ("decoder", 1) for r in rows)
        steps.get_by_role("button", name="Open all").click()
        shown = [row.locator("th, td:not(.number)").all_inner_texts() for row in steps.locator("[data-row]").all()]
        told = [step_words.SHAPE_STEPS[row["key"]] for row in rows]
        expected = [[name, "\n".join(row["before"]), row["after"]] for (name, _), row in zip(told, rows, strict=True)]
        assert [found[:3] for found in shown] == expected
        assert all(strip_links(why)[:20] in found[3] for (_, why), found in zip(told, shown, strict=True))
        assert page.evaluate(FITS)
        steps.get_by_role("button", name="Close all").click()
        expect(steps.locator("[data-row]").first).to_be_hidden()


def test_the_parameter_table_is_that_of_the_model(tab, shipped):
    table = tab.locator("[data-role=parameters]")
    table.get_by_role("button", name="Open all").click()
    shown = [
        row.locator("th, td").all_inner_texts() for row in table.locator("tbody:not(.whole) tr:not(.section)").all()
    ]
    within = [
        p
        for p in parameter_table(shipped.model)
        if p.path.count(".") > 2 or p.path.endswith("tokens") or p.path == "projection"
    ]
    expected = [[p.path.rpartition(".")[2], p.kind, p.own, f"{p.parameters:,}", f"{p.share:.2%}"] for p in within]
    assert [[*row[:4], row[4].strip().replace(" ", "")] for row in shown] == expected
    count = sum(weight.numel() for weight in shipped.model.parameters())
    expect(table.locator(".total")).to_contain_text(f"{count:,} parameters: {4 * count / 1e6:.2f} MB")


def test_another_sentence_has_other_shapes_and_each_is_asked_for_once(browser, toy, toy_page):
    for page in opened(browser, toy_page):
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.post_data or ""))
        open_tab(page, "Explore")
        translate(page, "The water is cold.")
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", "The water is cold.")
        open_tab(page, "Architecture")
        expect(page.locator(".architecture")).to_have_attribute("data-sentence", "The water is cold.")
        first = payload(toy, "The water is cold.")["blocks"][0]
        assert block_texts(page)["encoder.ids"] == ["Inputs", str(first["sizes"])]
        open_tab(page, "Positions")
        open_tab(page, "Architecture")
        expect(page.locator(".architecture svg")).to_be_visible()
        assert len([text for text in asked if '"question":"shapes"' in text]) == 1


def test_a_server_that_fails_is_told_and_asked_again_when_the_tab_is_next_opened(browser, toy_page):
    for page in visited(browser, toy_page):
        page.route("**/ask", lambda route: route.fulfill(status=200, body="not json"))
        open_tab(page, "Architecture")
        expect(page.locator(".architecture .message")).to_have_text(words.ARCHITECTURE["failed"])
        page.unroute("**/ask")
        open_tab(page, "Explore")
        open_tab(page, "Architecture")
        expect(page.locator(".architecture")).to_have_attribute("data-sentence", FIRST)
        expect(page.locator(".architecture .message")).to_have_text("")


@pytest.mark.parametrize("size", SIZES)
def test_a_linked_word_shows_its_definition_on_the_screen(browser, toy_page, size):
    for page in opened(browser, toy_page, size):
        word = page.locator(".architecture .term", has_text="residual stream").first
        note = word.locator("[role=note]")
        expect(note).to_be_hidden()
        word.focus()
        expect(note).to_be_visible()
        expect(note).to_have_text(glossary_words.GLOSSARY["residual stream"])
        box = note.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= size[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_definition_opens_beside_its_word_and_on_the_screen(browser, toy_page, size):
    for page in opened(browser, toy_page, size):
        terms = page.locator("#architecture .term >> visible=true").all()
        assert len(terms) >= 8
        for term in terms[:8]:
            term.focus()
            note, word = term.locator("[role=note]").bounding_box(), term.bounding_box()
            assert note is not None and word is not None
            assert 0 <= note["x"] <= size[0] - note["width"] and 0 <= note["y"] <= size[1] - note["height"]
            beside = min(abs(note["y"] - word["y"] - word["height"]), abs(note["y"] + note["height"] - word["y"]))
            assert beside < 12 or word["height"] > 40  # a word that is broken over two lines


@pytest.mark.parametrize("size", SIZES)
def test_the_glossary_has_a_tab_of_its_own(browser, toy_page, size):
    for page in visited(browser, toy_page, *size):
        open_tab(page, "Glossary")
        expect(page.locator(".glossary dt")).to_have_count(len(glossary_words.GLOSSARY))
        expect(page.locator(".glossary dt").first).to_be_visible()
        assert page.evaluate(FITS)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_map_follows_the_theme(browser, toy_page, theme):
    for page in opened(browser, f"{toy_page}?__theme={theme}"):
        colours = {"light": "rgb(0, 120, 90)", "dark": "rgb(60, 207, 164)"}
        drawn = page.locator('[data-hue="cross"] rect').evaluate("(node) => getComputedStyle(node).stroke")
        assert drawn == colours[theme]
