"""One board on an empty page of its own, with the numbers of a tiny head: words, keys, masked scores, a phone."""

from collections.abc import Iterator

import pytest
from by_node import ROOT
from playwright.sync_api import Browser, Page, Route
from visiting import needs_browser

from explorer.tabs.whole.source_lines import source_lines
from explorer.tabs.whole.tab import words
from explorer.ui.component import read_css
from explorer.ui.palette import PALETTES

pytestmark = needs_browser
DRAWN = """async ([settings, palette]) => {
    const { NumberBoard } = await import("/explorer/tabs/whole/boards/number_board.js");
    const { weightsBoard } = await import("/explorer/tabs/whole/boards/attention_arithmetic.js");
    const { Tensor } = await import("/explorer/ui/tensor.js");
    const { formatPlace, parsePlace } = await import("/explorer/tabs/whole/place.js");
    const { sizesOf } = await import("/explorer/tabs/whole/boards/arithmetic.js");
    const token = (text, special = false) => ({ text, special, id: 1 });
    const fed = [token("(start)", true), token("·<Haus>"), token("·ist")];
    const steps = fed.map((piece, i) => ({ fed: piece, predicted: fed[i + 1] ?? token("(end)", true) }));
    const trace = { source: [], steps };
    const config = { layers: { encoder: 1, decoder: 1 }, heads: 2, d_head: 2, d_value: 2, d_model: 4 };
    const tensor = (shape, data) => new Tensor({ shape, data: Float32Array.from(data) });
    const head = {
      q: tensor([3, 2], [1, 2, 0.5, 3, 1, 1]), k: tensor([3, 2], [1, 0.001, 2, -1, 1, 1]),
      mask: tensor([3, 3], [1, 0, 0, 1, 1, 0, 1, 1, 1]),
    };
    const root = document.querySelector("#root");
    const gone = [];
    const show = (text) => {
      const place = parsePlace(text, sizesOf(trace, config));
      board.draw(weightsBoard({ place, trace, config }, head), { colours: palette });
    };
    const go = (place) => { gone.push(formatPlace(place)); show("decoder.1.self.1.2.1"); };
    const board = new NumberBoard(root, settings, { go });
    Object.assign(window, { show, gone });
    show("decoder.1.self.1.2.1");
}"""


@pytest.fixture
def drawn(browser: Browser) -> Iterator[Page]:
    """A page with the blackboard of a weight of a tiny head."""
    style = read_css(ROOT / "explorer/tabs/whole/boards/numbers.css") + "#root { height: 100vh; }"
    html = f"<!doctype html><html lang=en><style>{style}</style><div id=root data-kind=decoder></div>"

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix("http://board/")
        if path:
            route.fulfill(content_type="text/javascript", path=ROOT / path)
        else:
            route.fulfill(content_type="text/html", body=html)

    page = browser.new_page(viewport={"width": 1326, "height": 600})
    page.route("http://board/**", serve)
    page.goto("http://board/")
    colours = {name.removeprefix("decoder_"): colour for name, colour in PALETTES["light"].items()}
    settings = {"numbers": words.NUMBERS, "code": source_lines("sinusoidal"), "context": {"codes": {"target": "de"}}}
    page.evaluate(DRAWN, [settings, {**colours, "accent": colours["decoder"]}])
    yield page
    page.close()


def test_a_board_is_text_with_the_languages_of_its_tokens(drawn):
    assert drawn.inner_text("h3") == "To write “ist”: how much does “<Haus>” look at “(start)”?"
    assert drawn.locator("h3 [lang=de]").all_inner_texts() == ["ist", "<Haus>"]
    assert drawn.locator("[data-step=multiply] .item .label").all_inner_texts() == ["1", "2"]
    assert drawn.get_attribute("#root", "aria-label") == drawn.inner_text("h3")
    product = drawn.locator(".cell", has_text="≈0").first
    assert product.get_attribute("title") == "0.001"
    assert "model/attention.py" in drawn.inner_text("[data-step=scale] .foot")
    assert drawn.locator("li").last.locator(".result").inner_text().endswith("the weight")
    share = drawn.locator("li").last.locator(".result b").inner_text()
    assert share in drawn.locator(".item[aria-current] .cell").all_inner_texts()


def test_arrow_keys_and_clicks_lead_to_the_numbers_beside_and_behind(drawn):
    drawn.focus("#root")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        drawn.keyboard.press(key)
    assert drawn.evaluate("gone.splice(0)") == ["decoder.1.self.1.2.2", "decoder.1.self.1.3.1"]
    drawn.click(".numbers >> nth=0 >> .item >> nth=1 >> .cell >> nth=1")
    drawn.click(".label button >> text=ist")
    assert drawn.evaluate("gone") == ["decoder.1.self.1.k.1.2", "decoder.1.self.1.2.3"]
    assert drawn.evaluate("document.activeElement.id") == "root"  # the button that was pressed is gone


def test_a_masked_key_is_called_masked_and_its_share_is_0(drawn):
    drawn.evaluate("show('decoder.1.self.1.2.3')")
    assert drawn.inner_text("h3").endswith("may “<Haus>” look at “ist”?")
    assert drawn.locator(".item.masked .cell").all_inner_texts()[1:] == ["−∞", "0", "masked"]
    assert drawn.locator("li").last.locator(".result b").inner_text() == "0%"


def test_on_a_phone_the_keys_stand_one_below_the_other_and_nothing_is_cut_off(drawn):
    assert drawn.locator(".list").count() == 0
    assert drawn.evaluate("document.querySelector('#root').scrollHeight") <= 600
    drawn.set_viewport_size({"width": 370, "height": 560})
    drawn.wait_for_selector(".list")
    assert drawn.evaluate("document.querySelector('#root').scrollWidth") <= 370
