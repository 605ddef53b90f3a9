"""Without a network: a report opened from the disk, its worksheet on paper, and the frame that a notebook shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, expect
from remarks import remarks_on
from visiting import choose, drawn, errors_of, go_to, needs_browser

from explorer import Experiment, HeadAt, compare, record, run
from explorer.handout.report import report
from explorer.handout.worksheet import words, worksheet
from explorer.ui.language import LanguageContext, use_language
from model.decoding import Translator

pytestmark = needs_browser
SENTENCE = "I know that he bought a new car yesterday."
LONG = "I know that the old man who lives next door bought a new car yesterday because they wanted it."
STRANGE = "The bank was closed in 1997. The Zorgblatt flurbed."
OFF = Experiment(off=(HeadAt("cross", 3, 0), HeadAt("cross", 1, 0)))
A4 = rb"/MediaBox\s*\[0 0 594\.\d+ 841\.\d+\]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory, shipped: Translator) -> Path:
    made = tmp_path_factory.mktemp("handout")
    (made / "plain.html").write_text(report(shipped, SENTENCE, notes="<b>kept</b>\n& so on"), encoding="utf-8")
    (made / "off.html").write_text(report(shipped, SENTENCE, experiment=OFF), encoding="utf-8")
    (made / "strange.html").write_text(report(shipped, STRANGE), encoding="utf-8")
    (made / "evil.html").write_text(
        report(
            shipped,
            'Look: </script><img src=x onerror="window.ran=1">',
            notes="</textarea><script>window.ran=1</script>",
        ),
        encoding="utf-8",
    )
    with use_language(LanguageContext("de", shipped.languages)):
        (made / "sheet.html").write_text(worksheet(shipped, LONG), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def opened(browser: Browser, folder: Path) -> Iterator[Page]:
    """A page without a network; what it asks for is the file itself and what it carries, and nothing may fail."""
    context = browser.new_context(offline=True, viewport={"width": 1366, "height": 768})
    page = context.new_page()
    wrong = errors_of(page)

    def look(request: Request) -> None:
        if not (request.is_navigation_request() or request.url.startswith(("blob:", "data:"))):
            wrong.append(request.url)

    page.on("request", look)
    yield page
    context.close()
    assert not wrong, wrong


def test_a_report_is_stepped_through_from_the_disk(opened, folder, shipped):
    trace = record(shipped, SENTENCE)
    opened.goto((folder / "plain.html").as_uri())
    expect(opened.locator(".status")).to_contain_text("Step")
    for kind, layer, head, step in (("cross", 3, "mean", 4), ("decoder", 1, 2, 7), ("encoder", 0, 7, 7)):
        choose(opened, kind, layer, head)
        go_to(opened, step)
        rows = len(trace.source) if kind == "encoder" else step + 1
        exact = trace.map(kind).matrix(layer, head)[:rows]
        np.testing.assert_allclose(np.nan_to_num(drawn(opened).weights[:rows]), exact, atol=5e-4)
    opened.keyboard.press("Home")
    expect(opened.locator(".status")).to_contain_text("Step 1 of")
    opened.get_by_role("button", name="Lengths").click()
    expect(opened.locator("[data-pane=first] h3")).to_contain_text("ength")
    assert opened.locator(".message").inner_text() == ""
    found = [one for one in Axe().run(opened).response["violations"] if one["impact"] in ("serious", "critical")]
    assert not found, [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def test_a_report_remarks_on_a_translation_what_the_page_does(opened, folder, shipped):
    (remarks,) = remarks_on(shipped, [record(shipped, STRANGE)])
    assert remarks.warnings and remarks.notes and remarks.likelihood
    opened.goto((folder / "strange.html").as_uri())
    said = opened.locator("#viewer")
    for note in remarks.notes:
        expect(said.locator("[data-role=notes]")).to_contain_text(note)
    for warning in remarks.warnings:
        expect(said.locator("[data-role=warned]")).to_contain_text(warning.text)
    share = f"{remarks.likelihood.probability:.0%}"
    expect(said.locator("[data-role=likelihood]")).to_contain_text(share)


@pytest.mark.thorough
def test_notes_are_kept_in_what_is_saved(opened, folder, tmp_path):
    opened.goto((folder / "plain.html").as_uri())
    notes = opened.locator("#notes")
    expect(notes).to_have_value("<b>kept</b>\n& so on")
    notes.fill("\n</textarea><i>new</i> ü")
    with opened.expect_download() as saving:
        opened.get_by_role("button", name=words.REPORT["save"]).click()
    saving.value.save_as(tmp_path / "again.html")
    opened.goto((tmp_path / "again.html").as_uri())
    expect(opened.locator(".status")).to_contain_text("Step")
    expect(notes).to_have_value("\n</textarea><i>new</i> ü")
    assert opened.locator("i", has_text="new").count() == 0


@pytest.mark.thorough
def test_an_experiment_stands_beside_the_unchanged_translation(opened, folder, shipped):
    opened.goto((folder / "off.html").as_uri())
    expect(opened.locator("[data-pane=second] h3")).to_contain_text(words.NAMES["changed"])
    expect(opened.locator("[data-pane=first] h3")).to_contain_text(words.NAMES["unchanged"])
    assert not np.allclose(drawn(opened, "first").weights[0], drawn(opened, "second").weights[0])
    english, *shown = opened.locator("[data-report=texts] dd").all_inner_texts()
    assert english == SENTENCE
    assert len(set(shown)) == 2, "the two totals must differ as shown"
    for trace, text in zip((record(shipped, SENTENCE), run(shipped, SENTENCE, OFF)), shown, strict=True):
        total = f"{trace.log_probability:.2f}".replace("-", "−")
        assert text == f"{trace.translation} ({words.WORTH.format(total=total)})"


def test_nothing_that_was_typed_runs(opened, folder):
    opened.goto((folder / "evil.html").as_uri())
    expect(opened.locator(".status")).to_contain_text("Step")
    assert opened.evaluate("window.ran") is None and opened.locator("img").count() == 0
    expect(opened.locator("[data-report=sentence]")).to_contain_text("</script><img")


@pytest.mark.parametrize("name", ["plain", "sheet"])
def test_printed_it_is_two_sides_and_a_key(opened, folder, name):
    opened.goto((folder / f"{name}.html").as_uri())
    expect(opened.locator(".sheet")).to_have_count(3)
    pdf = opened.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(re.findall(A4, pdf)) == 3
    opened.emulate_media(media="print")
    sides = opened.locator(".sheet")
    heights = sides.evaluate_all(
        "(sides) => sides.map((side) => [side.scrollHeight, side.clientHeight, side.scrollWidth, side.clientWidth])"
    )
    assert len(heights) == 3 and all(used <= room and wide <= across for used, room, wide, across in heights), heights
    texts = sides.all_inner_texts()
    with use_language(LanguageContext("de" if name == "sheet" else "en")):
        expected = (words.SHEET_TITLE, words.SHEET["picture"][0], words.KEY_TITLE)
    assert all(
        re.sub(r"\s+", " ", title) in re.sub(r"\s+", " ", text) for title, text in zip(expected, texts, strict=True)
    )
    assert not opened.locator(".report").first.is_visible()


# VS Code's, with its setting notebook.experimental.enableCsp: a frame's document inherits it. No blob: URL may run.
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"
PAGE = '<meta http-equiv="Content-Security-Policy" content="{policy}"><body style="color: #ddd">{outputs}</body>'


@pytest.mark.thorough
def test_a_trace_and_an_experiment_are_live_in_a_notebook(browser: Browser, shipped: Translator):
    translation = record(shipped, "The woman gave the boy a red apple.")
    changed = run(shipped, translation.sentence, Experiment(off=(HeadAt("cross", 3, 2),)))
    outputs = translation.view("decoder", layer=0, head=1, step=4), compare(translation, changed, head=2)
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 700})
    page = context.new_page()
    wrong = errors_of(page)
    page.set_content(PAGE.format(policy=POLICY, outputs="".join(output.html() for output in outputs)))
    frames = page.locator("iframe")
    first, second = (frames.nth(number).content_frame for number in range(2))
    expect(first.locator("[data-pane=first] h3")).to_have_text("Decoder self-attention (masked) · layer 1 · head 2")
    expect(first.locator(".status")).to_contain_text("Step 5 of")
    expect(first.locator("body")).to_have_class("dark")
    first.locator("[data-role=head]").select_option("max")
    first.locator("[data-go=next]").click()
    expect(first.locator(".status")).to_contain_text("Step 6 of")
    shown = np.nan_to_num(drawn(first.locator("main")).weights[:6])
    np.testing.assert_allclose(shown, translation.decoder.matrix(0, "max")[:6], atol=5e-4)
    expect(second.locator("[data-pane=first] h3")).to_have_text("unchanged · layer 4 · head 3")
    expect(second.locator("[data-pane=second] h3")).to_have_text("changed · layer 4 · head 3")
    for number in range(2):  # as high as their content: a notebook scrolls, and the frame does not
        expect(frames.nth(number).content_frame.locator(".heatmap .nsewdrag").first).to_be_visible()
        fits = "(frame) => frame.contentDocument.documentElement.scrollHeight - frame.clientHeight <= 1"
        page.wait_for_function(fits, arg=frames.nth(number).element_handle())
    context.close()
    assert not wrong, wrong
