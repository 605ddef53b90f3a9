"""What a visitor saves: every file is made in the browser, opened again, and compared with the trace."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from cases import sweep
from PIL import Image
from playwright.sync_api import Page, expect
from visiting import (
    DESK,
    PHONE,
    SEEN_BEFORE,
    at_rest,
    chips,
    expect_sentence,
    follow,
    named,
    needs_browser,
    open_panel,
    open_tab,
    translate,
    visited,
)

from explorer import Experiment, HeadAt, record, run
from explorer.page.save.dialog import words
from explorer.recording.sentence import examples

pytestmark = needs_browser
SVG = "{http://www.w3.org/2000/svg}"
AWKWARD = '<i>&"%{x}'
SENTENCE = examples()[0]["sentence"]
PRINT = "window.print = () => { top.document.documentElement.dataset.printed = document.title; }"
AXES = "query: German token fed → predicted"
VIEW = "?level=heads&kind=cross&layer=4&head=3&step=7"


@pytest.fixture(scope="module")
def saved(browser, shipped_page, tmp_path_factory):
    """One page for all tests here, on its way from tab to tab, and a folder for what it saves."""
    visit = visited(browser, f"{shipped_page}{VIEW}")
    yield next(visit), tmp_path_factory.mktemp("saved")
    next(visit, None)


def save(saved: tuple[Page, Path], entry: str, part: str | None = None, grey: bool = False) -> Path:
    """Opens the dialog by its key, presses an entry's button, and closes it."""
    page, folder = saved
    page.keyboard.press("s")
    expect(page.locator("[data-save=dialog]")).to_be_visible()
    if part:
        page.locator("[data-save=what]").select_option(part)
    page.locator("[data-save=grey]").set_checked(grey)
    with page.expect_download() as download:
        page.locator(f"[data-entry={entry}]").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(page.locator("[data-save=state]")).to_contain_text(path.name)
    page.keyboard.press("Escape")
    print(f"{path.name}: {path.stat().st_size / 1e3:.1f} kB")
    return path


def read_svg(path: Path) -> tuple[ET.Element, str]:
    """A picture that any program can open, and all its text; nothing in it is code or comes from elsewhere."""
    root = ET.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    for node in root.iter():
        assert node.tag.removeprefix(SVG) not in ("foreignObject", "script", "style", "a", "use"), node.tag
        for name, value in node.attrib.items():
            assert not name.startswith("on"), name
            if name.endswith("href"):
                assert value.startswith("data:image/png"), value[:60]
            assert "url(" not in value or "url(#" in value, value
    return root, "\n".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


def cells_of(root: ET.Element) -> list[ET.Element]:
    """The paths of a heatmap's cells, one for each colour."""
    (group,) = [node for node in root.iter(f"{SVG}g") if node.get("class") == "cells"]
    return [*group.iter(f"{SVG}path")]


def pixels(path: Path) -> np.ndarray:
    """A PNG's pixels [row, column, channel]."""
    return np.asarray(Image.open(path))


def test_the_heatmap_as_svg_holds_labels_and_caption_as_text(saved, shipped):
    path = save(saved, "svg")
    root, text = read_svg(path)
    trace = record(shipped, SENTENCE)
    assert path.name == "attention-cross-l4-h3-step7.svg"
    for label in (*(piece.text for piece in trace.source), *(query.label for query in trace.cross.queries[:7])):
        assert named(label) in text
    assert trace.cross.queries[7].label not in text.splitlines()  # not known yet at this step
    for said in (
        f"Cross-attention · layer 4 · head 3 · step 7 of {len(trace.steps)}",
        SENTENCE,
        "Model: 4 + 4 layers, 8 heads",
        AXES,
    ):
        assert said.replace(" ", "") in "".join(text.split())
    assert "sumsto" not in "".join(text.split())
    assert "http" not in text  # the address of this machine leads nobody here
    assert not [*root.iter(f"{SVG}image")]
    opacities = [float(cell.get("fill-opacity", 1)) for cell in cells_of(root)]
    weights = trace.cross.weights[3, 2, :7]
    assert max(opacities) == pytest.approx(weights.max(), abs=0.005)
    areas = sum(cell.get("d", "").count("z") for cell in cells_of(root))
    assert areas == (weights > 0.5 / 255).sum()  # each a rectangle, and none of a row that is not written yet


def test_a_picture_that_is_scrolled_is_saved_as_one_that_is_not(saved):
    page, _ = saved
    width, height = PHONE
    page.set_viewport_size({"width": width, "height": height})
    pictures = []
    for left in (60, 0):
        at_rest(page)
        page.locator("[data-pane=first] .plot").evaluate("(plot, left) => { plot.scrollLeft = left; }", left)
        page.wait_for_function(
            "(left) => document.querySelector('.heatmap').style.getPropertyValue('--scrolled') === `${left}px`",
            arg=left,
        )
        pictures.append(save(saved, "svg").read_text(encoding="utf-8"))
    width, height = DESK
    page.set_viewport_size({"width": width, "height": height})
    at_rest(page)
    assert pictures[0] == pictures[1]


def test_the_heatmap_as_png_is_twice_as_fine_and_not_blank(saved):
    root, _ = read_svg(save(saved, "svg"))
    shape = pixels(save(saved, "png"))
    assert shape.shape[:2] == (2 * int(root.get("height", 0)), 2 * int(root.get("width", 0)))
    green = (shape[..., 1].astype(int) - shape[..., 0] > 60).sum()
    assert (shape[:20] == 255).all() and green > 500


def test_a_picture_goes_to_the_printer_on_a_page_of_its_size(saved):
    page, _ = saved
    root, _ = read_svg(save(saved, "svg"))
    page.add_init_script(PRINT)
    page.keyboard.press("s")
    page.locator("[data-entry=pdf]").click()
    expect(page.locator("html")).to_have_attribute("data-printed", "attention-cross-l4-h3-step7.pdf")
    expect(page.locator("[data-save=state]")).to_contain_text("Save as PDF")
    html = page.locator("#printed").evaluate("(frame) => frame.srcdoc")
    page.keyboard.press("Escape")
    sheet = page.context.new_page()
    sheet.set_content(html)
    pdf = sheet.pdf(prefer_css_page_size=True)
    sheet.close()
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)  # one page
    for side, name in zip(box, ("width", "height"), strict=True):
        assert float(side) == pytest.approx(0.75 * int(root.get(name, 0)), abs=1)  # points
    assert b"/FontFile" in pdf and b"/Subtype /Image" not in pdf  # lines, and text in its own fonts


def test_the_html_of_a_frame_shows_the_view_alone(saved):
    page, _ = saved
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("s")
    page.locator("[data-entry=embed]").click()
    expect(page.locator("[data-save=state]")).to_have_text("HTML copied. Its frame works on this computer only.")
    frame = ET.fromstring(page.evaluate("navigator.clipboard.readText()").replace("></iframe>", "/>"))
    page.keyboard.press("Escape")
    page.context.clear_permissions()
    assert (frame.tag, frame.get("width"), frame.get("height"), frame.get("loading")) == (
        "iframe",
        "800",
        "450",
        "lazy",
    )
    assert SENTENCE in frame.attrib["title"]
    parts = {"sentence": SENTENCE, "level": "heads", "step": "7", "head": "3", "embed": "1"}
    assert dict(parse_qsl(urlsplit(frame.attrib["src"]).query)) == parts


@pytest.mark.thorough
def test_the_overview_and_the_ribbons_are_pictures_too(saved, shipped):
    page, _ = saved
    root, text = read_svg(save(saved, "svg", "overview"))
    assert {"L1", "L4", "H8"} <= {*text.splitlines()} and len([*root.iter(f"{SVG}image")]) == 1
    page.locator("[data-look=ribbon]").click()
    root, text = read_svg(save(saved, "svg", "picture"))
    assert len([path for path in root.iter(f"{SVG}path") if "C" in path.get("d", "")]) > 10
    assert record(shipped, SENTENCE).steps[1].predicted.text in text
    page.locator("[data-look=heatmap]").click()


def test_a_picture_in_grey_has_no_colour(saved):
    root, _ = read_svg(save(saved, "svg", grey=True))
    colours = {node.get(name) for node in root.iter() for name in ("fill", "stroke", "stop-color")}
    digits = [colour for colour in colours if colour and colour.startswith("#")]
    assert len(digits) > 3 and all(one[1:3] == one[3:5] == one[5:7] for one in digits)


def read_csv(path: Path) -> tuple[np.ndarray, list[str], list[str]]:
    (_, *keys), *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))
    return np.array([row[1:] for row in rows], dtype=np.float64), [row[0] for row in rows], keys


@pytest.mark.thorough
def test_another_tab_is_a_picture_too(saved):
    page, _ = saved
    said = "Does order matter?"
    open_tab(page, "Positions")
    panel = page.locator("[role=tabpanel]:visible").last  # of a group, that inside
    expect(panel.locator(".main-svg").first).to_be_visible()
    expect(panel).to_contain_text(said)
    page.wait_for_function("!document.querySelector('[aria-busy=true]')")
    root, text = read_svg(save(saved, "svg"))
    assert said in text
    assert len([*root.iter(f"{SVG}rect")]) + len([*root.iter(f"{SVG}path")]) > 20
    open_tab(page, "Heads")


@pytest.mark.thorough
def test_the_ranking_and_an_experiment(saved, shipped):
    page, _ = saved
    step = page.locator("#viewer .viewer").get_attribute("data-step")
    page.locator("[data-role=off]").click()
    expect(chips(page)).to_have_text(["Off: head 3, cross-attention, layer 4"])
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-step", step)
    panel = open_panel(page, "ranking")
    expect(panel.locator(".drops li").first).to_be_visible()
    expect(panel.locator("progress")).to_be_hidden()
    _, text = read_svg(save(saved, "svg", "panel"))
    assert panel.locator(".drops li").first.inner_text().split()[0] in text
    assert "Heads switched off (their output is zero): Cross 4.3" in text
    changed = run(shipped, SENTENCE, Experiment(off=(HeadAt("cross", 3, 2),)))
    with np.load(save(saved, "npz"), allow_pickle=False) as arrays:
        np.testing.assert_allclose(arrays["changed_decoder"], changed.decoder.weights, atol=1e-6)
        np.testing.assert_allclose(arrays["decoder"], record(shipped, SENTENCE).decoder.weights, atol=1e-6)
    numbers, queries, _ = read_csv(save(saved, "csv"))
    assert queries == [query.label for query in changed.cross.queries]
    np.testing.assert_allclose(numbers, changed.cross.matrix(3, 2), atol=1e-6)
    page.keyboard.press("Escape")
    page.locator("#bar").get_by_role("button", name="unchanged").click()
    at_rest(page)
    numbers, _, _ = read_csv(save(saved, "csv"))
    np.testing.assert_allclose(numbers, record(shipped, SENTENCE).cross.matrix(3, 2), atol=1e-6)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo all").click()
    page.locator("[data-drawer=close]").click()


# What is drawn on a sheet, without its ground: how far it is from each edge, in millimetres of A3.
MARGINS = """() => {
    const sheet = document.querySelector("svg");
    const { left, top, right, bottom, width } = sheet.getBoundingClientRect();
    const boxes = [...sheet.querySelectorAll("text, path, rect")].slice(1).map((node) => node.getBoundingClientRect());
    const least = (side) => Math.min(...boxes.map((box) => box[side]));
    const most = (side) => Math.max(...boxes.map((box) => box[side]));
    const edges = [least("left") - left, least("top") - top, right - most("right"), bottom - most("bottom")];
    return edges.map((pixels) => pixels * 420 / width);
}"""
LONG = (
    "The old man who lives in the small house near the river told the children that the brown dog, which had been "
    "barking all night because it was hungry and cold, finally fell asleep under the big tree when the sun came up."
)


@pytest.mark.parametrize("sentence", sweep([(SHORT := "The dog did not cross the street."), LONG], SHORT))
def test_a_poster_has_both_sentences_and_the_whole_picture_and_nothing_beyond_its_margins(saved, shipped, sentence):
    page, _ = saved
    follow(page, f"?tab=whole&step=3&change=off.cross.4.3&sentence={sentence.replace(' ', '+')}")
    expect_sentence(page, sentence)
    expect(page.locator("#whole [data-role=caption]")).to_contain_text("change")
    at_rest(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    path = save(saved, "svg", "a3")
    page.evaluate("delete document.documentElement.dataset.theme")
    root, text = read_svg(path)
    changed = run(shipped, sentence, Experiment(off=(HeadAt("cross", 3, 2),)))
    said = "".join(text.split())
    for phrase in (
        "Attention Explorer",
        sentence,
        changed.translation,
        f"step 3 of {len(changed.steps)}",
        "Ribbon: a share",
        "Heads switched off (their output is zero): Cross 4.3",
        f"German, unchanged: {record(shipped, sentence).translation}",
    ):
        assert phrase.replace(" ", "") in said, phrase
    assert path.name.startswith("poster-a3-changed-the-")
    assert not [*root.iter(f"{SVG}image")] and path.stat().st_size < 3e6
    assert next(root.iter(f"{SVG}rect")).get("fill") == "#ffffff"  # paper is white
    assert f"{float(root.get('width', 0)) / float(root.get('height', 1)):.2f}" == "1.41"
    sheet = page.context.new_page()
    sheet.set_content(f"<body style='margin: 0'>{path.read_text(encoding='utf-8').split('?>')[1]}")
    margins = sheet.evaluate(MARGINS)
    sheet.close()
    assert all(margin == pytest.approx(15, abs=2.5) for margin in margins), margins


@pytest.mark.parametrize("view", sweep(["level=heads", "level=picture", "tab=positions"], "level=heads"))
def test_a_poster_of_another_view_is_the_whole_model_s_and_the_view_is_there_again(saved, view):
    page, _ = saved
    files = []
    for place in (view, "tab=whole"):
        follow(page, f"?{place}&step=3&sentence={SENTENCE.replace(' ', '+')}")
        expect_sentence(page, SENTENCE)
        at_rest(page)
        before = page.url, page.evaluate("history.length"), page.get_by_role("tab", selected=True).all_inner_texts()
        files.append(save(saved, "svg", "a4"))
        at_rest(page)
        after = page.url, page.evaluate("history.length"), page.get_by_role("tab", selected=True).all_inner_texts()
        assert after == before
    first, second = (read_svg(path)[1] for path in files)
    assert first == second and "step 3 of 16" in first
    assert files[0].name.startswith("poster-a4-a-man-in-")


def test_a_poster_whose_whole_model_does_not_come_says_so_and_comes_when_it_does(browser, shipped_page):
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.add_init_script(SEEN_BEFORE)
        page.goto(f"{shipped_page}?level=heads")
        at_rest(page)
        page.route("**/modules.whole.js", lambda route: route.abort())
        page.keyboard.press("s")
        page.locator("[data-save=what]").select_option("a3")
        state = page.locator("[data-save=state]")
        expect(state).to_have_text(words.TEXT["notLoaded"])
        expect(page.get_by_role("tab", name="Heads", exact=True, include_hidden=True)).to_have_attribute(
            "aria-selected", "true"
        )
        page.unroute_all()
        with page.expect_download() as download:
            page.locator("[data-entry=svg]").click()
        assert download.value.suggested_filename.startswith("poster-a3-")
        expect(state).to_contain_text(download.value.suggested_filename)


@pytest.mark.thorough
def test_a_poster_is_printed_on_one_sheet_of_its_size(saved):
    page, _ = saved
    page.add_init_script(PRINT)
    follow(page, f"?tab=whole&sentence={SENTENCE.replace(' ', '+')}")
    expect_sentence(page, SENTENCE)
    expect(page.locator("#whole [data-role=caption]")).not_to_be_empty()
    page.keyboard.press("s")
    for name, size in (("a3", (1191, 842)), ("a4", (842, 595))):
        page.locator("[data-save=what]").select_option(name)
        page.locator("[data-entry=pdf]").click()
        expect(page.locator("html")).to_have_attribute("data-printed", re.compile(f"^poster-{name}-.*pdf$"))
        sheet = page.context.new_page()
        sheet.set_content(page.locator("#printed").evaluate("(frame) => frame.srcdoc"))
        pdf = sheet.pdf(prefer_css_page_size=True)
        sheet.close()
        (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)  # one page
        assert [float(side) for side in box] == pytest.approx(size, abs=1)
        assert b"/FontFile" in pdf and b"/Subtype /Image" not in pdf
    page.keyboard.press("Escape")


def test_what_a_visitor_writes_is_text_in_the_picture(saved):
    page, _ = saved
    open_tab(page, "Heads")
    translate(page, AWKWARD)
    path = save(saved, "svg")
    _, text = read_svg(path)
    assert f"English: {AWKWARD}" in text.splitlines()
    assert AWKWARD not in path.read_text(encoding="utf-8")  # but escaped
