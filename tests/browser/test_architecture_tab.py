"""The Architecture tab in a real browser: map, shape trace and parameters, at a desk and on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from shapes import shapes_of
from visiting import DESK, PHONE, eventually, needs_browser, open_tab, translate, visited

from explorer.recording.sentence import examples
from explorer.recording.trace import record
from explorer.tabs.architecture.tab import words
from explorer.ui.glossary import LINK
from explorer.ui.glossary import words as glossary_words
from model.decoding import Translator
from model.parameters import parameter_table

pytestmark = needs_browser
FIRST = examples()[0]["sentence"]
CROSS = "Multi-Head Attention (Decoder, layer {layer})"


@pytest.fixture(scope="module")
def opened(browser, toy_page) -> Iterator[Page]:
    """One page for all tests that leave its sentence as it is."""
    yield from visited(browser, toy_page)


@pytest.fixture
def tab(opened: Page) -> Page:
    """The Architecture tab with the shapes of the first sentence."""
    open_tab(opened, "Architecture")
    expect(opened.locator(".architecture")).to_have_attribute("data-sentence", FIRST)
    return opened


def choose_block(page: Page, name: str) -> None:
    """A second press would open the block's view."""
    block = page.get_by_role("button", name=name, exact=True)
    if block.get_attribute("aria-pressed") != "true":
        block.click()
    expect(block).to_have_attribute("aria-pressed", "true")


def open_layer(page: Page, layer: int) -> None:
    button = page.get_by_role("button", name=f"Decoder, Layer {layer}: show its parts")
    if button.count():
        button.click()


def unfold(page: Page, role: str):
    """A part below the map, opened."""
    part = page.locator(f".architecture [data-role={role}]")
    if part.get_attribute("open") is None:
        part.locator("summary").click()
    expect(part.locator("table")).to_be_visible()
    return part


def payload(translator: Translator, sentence: str = FIRST) -> dict:
    return shapes_of(translator, record(translator, sentence))


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


def test_a_failure_is_told_and_the_shapes_of_each_sentence_are_asked_for_once(browser, toy, toy_page):
    for page in visited(browser, toy_page):
        page.route("**/ask", lambda route: route.fulfill(status=200, body="not json"))
        open_tab(page, "Architecture")
        expect(page.locator(".architecture .message")).to_have_text(words.ARCHITECTURE["failed"])
        page.unroute("**/ask")
        open_tab(page, "Explore")
        open_tab(page, "Architecture")  # where it is asked again
        expect(page.locator(".architecture")).to_have_attribute("data-sentence", FIRST)
        expect(page.locator(".architecture .message")).to_have_text("")
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.post_data or ""))
        open_tab(page, "Explore")
        translate(page, "The water is cold.")
        open_tab(page, "Architecture")
        expect(page.locator(".architecture")).to_have_attribute("data-sentence", "The water is cold.")
        first = payload(toy, "The water is cold.")["blocks"][0]
        assert block_texts(page)["encoder.ids"] == ["Inputs", str(first["sizes"])]
        open_tab(page, "Positions")
        open_tab(page, "Architecture")
        expect(page.locator(".architecture svg")).to_be_visible()
        assert len([text for text in asked if '"The water is cold.",[]]' in text]) == 1


def test_the_map_is_that_of_the_model_at_hand(tab, toy):
    for layer in (0, 1):
        open_layer(tab, layer + 1)
        expect_map(tab, toy, layer)
        expect(tab.locator(".architecture .bar")).to_have_count(2 * (toy.model.config.n_layers - 1))


def test_a_chosen_block_tells_its_shapes_parameters_and_share(tab, toy):
    open_layer(tab, 1)
    choose_block(tab, CROSS.format(layer=1))
    detail = tab.locator(".detail")
    block = next(b for b in payload(toy)["blocks"] if b["path"] == "decoder.layers.0.cross_attention")
    for shape in (*block["inputs"].values(), *block["outputs"].values()):
        expect(detail).to_contain_text(shape)
    cross, model = (
        sum(p.numel() for p in part.parameters()) for part in (toy.model.decoder.layers[0].cross_attention, toy.model)
    )
    expect(detail).to_contain_text(f"{cross:,}, {cross / model:.2%} of the model.")
    open_layer(tab, 2)  # which takes the chosen block along
    expect(detail).to_have_attribute("data-block", "decoder.layers.1.cross_attention")
    choose_block(tab, "Output Embedding (Decoder)")
    expect(detail).to_contain_text("Its matrix is shared; it is counted at encoder.embedding.tokens.")


def test_links_of_a_block_show_what_it_is_about(tab):
    links, viewer = words.ARCHITECTURE["links"], tab.locator("#viewer .viewer")
    for block, kind in (
        ("Multi-Head Attention (Encoder, layer 2)", "encoder"),
        ("Masked Multi-Head Attention (Decoder, layer 2)", "decoder"),
        (CROSS.format(layer=2), "cross"),
    ):
        open_tab(tab, "Architecture")
        open_layer(tab, 2)
        choose_block(tab, block)
        tab.get_by_role("button", name=links["explore"]).click()
        expect(viewer).to_be_visible()
        expect(viewer).to_have_attribute("data-kind", kind)
        expect(viewer.locator("[data-role=layer]")).to_have_value("1")
        expect(viewer.locator("[data-pane=first] .heatmap .nsewdrag")).to_be_visible()
    open_tab(tab, "Architecture")
    choose_block(tab, "Masked Multi-Head Attention (Decoder, layer 2)")
    tab.get_by_role("button", name=links["masks"]).click()
    expect(tab.locator("#masks .masks")).to_have_attribute("data-kind", "decoder")
    expect(tab.locator("#masks .masks")).to_have_attribute("data-layer", "1")
    for side in ("Encoder", "Decoder"):
        open_tab(tab, "Architecture")
        choose_block(tab, f"Feed Forward ({side}, layer 2)")
        tab.get_by_role("button", name=links["predictions"]).click()
        expect(tab.locator("#predictions .predictions")).to_have_attribute("data-side", side.lower())


def test_a_block_chosen_twice_opens_its_view_at_once(tab):
    """By keyboard."""
    block = tab.get_by_role("button", name="Positional Encoding (Encoder)")
    choose_block(tab, "Inputs (Encoder)")
    block.focus()
    tab.keyboard.press("Enter")
    expect(block).to_have_attribute("aria-pressed", "true")
    expect(block).to_be_focused()
    expect(tab.locator(".detail h3")).to_contain_text("Positional Encoding")
    tab.keyboard.press("Enter")
    expect(tab.locator("#positions [data-figure=heatmap]")).to_be_visible()


def test_a_block_whose_view_this_page_lacks_leads_to_its_steps(tab, toy):
    choose_block(tab, "Inputs (Encoder)")
    expect(tab.locator(".tab-links button")).to_have_count(1)
    tab.locator("[data-role=steps]").evaluate("(fold) => { fold.open = false; }")  # the link opens it
    tab.get_by_role("button", name="Inputs (Encoder)").click()
    marked = tab.locator("[data-role=steps] tr.marked")
    expect(marked).to_have_count(1)
    expect(marked).to_be_in_viewport()
    expect(marked).to_contain_text(payload(toy)["rows"][0]["after"])


def test_the_shape_trace_lists_every_step_and_folds_by_layer(tab, toy):
    rows, steps = payload(toy)["rows"], unfold(tab, "steps")
    seen = steps.locator("[data-row] >> visible=true")
    steps.get_by_role("button", name="Close all").click()
    expect(seen).to_have_count(0)
    assert steps.locator("tbody").count() == 7
    steps.get_by_role("button", name="Decoder, layer 2").click()
    expect(seen).to_have_count(sum((r["stack"], r["layer"]) == ("decoder", 1) for r in rows))
    steps.get_by_role("button", name="Open all").click()
    expect(seen).to_have_count(len(rows))
    shown = [row.locator("th, td:not(.number)").all_inner_texts() for row in seen.all()]
    told = [words.SHAPE_STEPS[row["key"]] for row in rows]
    expected = [[name, "\n".join(row["before"]), row["after"]] for (name, _), row in zip(told, rows, strict=True)]
    assert [found[:3] for found in shown] == expected
    assert all(LINK.split(why)[0][:20] in found[3] for (_, why), found in zip(told, shown, strict=True))


def test_the_parameter_table_is_that_of_the_model(tab, toy):
    table = unfold(tab, "parameters")
    table.get_by_role("button", name="Open all").click()
    shown = [
        row.locator("th, td").all_inner_texts() for row in table.locator("tbody:not(.whole) tr:not(.section)").all()
    ]
    within = [
        p
        for p in parameter_table(toy.model)
        if p.path.count(".") > 2 or p.path.endswith("tokens") or p.path == "projection"
    ]
    expected = [[p.path.rpartition(".")[2], p.kind, p.own, f"{p.parameters:,}", f"{p.share:.2%}"] for p in within]
    assert [[*row[:4], row[4].strip().replace(" ", "")] for row in shown] == expected
    count = sum(weight.numel() for weight in toy.model.parameters())
    expect(table.locator(".total")).to_contain_text(f"{count:,} parameters: {4 * count / 1e6:.2f} MB")


def test_a_print_has_every_part_open_and_the_page_folds_them_again(tab):
    folds = tab.locator(".architecture .fold")
    folds.evaluate_all("(folds) => folds.forEach((fold, i) => { fold.open = i === 1; })")
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    for part in (*folds.locator("h2").all(), *folds.locator("table, ul").all()):
        expect(part).to_be_visible()
    expect(tab.locator(".architecture .bar").first).to_be_visible()  # a folded layer of the map
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    tab.emulate_media(media="screen")
    assert folds.evaluate_all("(folds) => folds.map(({ open }) => open)") == [False, True, False]


def test_a_definition_opens_beside_its_word_and_on_the_screen(tab):
    word = tab.locator(".architecture .term", has_text="residual stream").first
    expect(word.locator("[role=note]")).to_be_hidden()
    unfold(tab, "steps")
    for width, height in (PHONE, DESK):
        tab.set_viewport_size({"width": width, "height": height})
        terms = tab.locator("#architecture .term >> visible=true").all()
        assert len(terms) >= 8
        for term in (*terms[:4], word):
            eventually(tab, expect_definition_beside, term, width, height)
    expect(word.locator("[role=note]")).to_have_text(glossary_words.GLOSSARY["residual stream"])


def expect_definition_beside(term: Locator, width: int, height: int) -> None:
    term.focus()
    note, place = term.locator("[role=note]").bounding_box(), term.bounding_box()
    assert note is not None and place is not None
    assert 0 <= note["x"] <= width - note["width"] and 0 <= note["y"] <= height - note["height"]
    beside = min(abs(note["y"] - place["y"] - place["height"]), abs(note["y"] + note["height"] - place["y"]))
    assert beside < 12 or place["height"] > 40  # a word that is broken over two lines
