"""The folder of plain files, served by nothing but Python's file server and walked through in a browser."""

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from cases import sweep
from playwright.sync_api import Browser, Page, Route, expect
from visiting import (
    MOTION,
    choose,
    drawn,
    errors_of,
    eventually,
    go_to,
    needs_browser,
    open_tab,
)

from explorer import Experiment, HeadAt
from explorer.attention_view.component import words as view_words
from explorer.experiments.running import run
from explorer.handout.worksheet import words as sheet_words
from explorer.lessons.running import shipped_lessons
from explorer.page.share.dialog import words as share_words
from explorer.recording import words as recording_words
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.site.site import NEEDS, words, write
from explorer.tabs import TABS
from explorer.tabs.train_one.replay import words as replay_words
from explorer.ui.language import LanguageContext, use_language
from model.checkpoints import checkpoint
from model.decoding import Translator

pytestmark = needs_browser
SENTENCES = ["I love you.", "The dog is tired."]
NEW = "A woman is reading a book in the park."  # not recorded


FORGET = """async () => {
    localStorage.clear();
    for (const name of await caches.keys()) await caches.delete(name);
}"""


class Server(ThreadingHTTPServer):
    """Python's own file server, which breaks off the answers to the names in `broken` after half, once each.

    It sends whole files, unless it `knows_ranges`. `sent` has the name, the status and the bytes of every answer.
    """

    def __init__(self, root: Path):
        super().__init__(("127.0.0.1", 0), partial(Files, directory=root))
        self.root = root
        self.broken: set[str] = set()
        self.knows_ranges = False
        self.asked: list[str] = []
        self.sent: list[tuple[str, int, int]] = []


class Files(SimpleHTTPRequestHandler):
    server: Server

    def log_message(self, format, *args): ...

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.server.knows_ranges and "Range" in self.headers:
            self.send_rest(int(self.headers["Range"].removeprefix("bytes=").removesuffix("-")))
        else:
            super().do_GET()

    def send_rest(self, start: int) -> None:
        data = Path(self.translate_path(self.path)).read_bytes()
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        self.send(206, data[start:])

    def copyfile(self, source, outputfile):
        self.send(200, source.read())

    def send(self, status: int, data: bytes) -> None:
        name = self.path.rpartition("/")[2]
        if name in self.server.broken:
            self.server.broken.remove(name)
            data = data[: len(data) // 2]
            self.close_connection = True
        self.server.sent.append((name, status, len(data)))
        self.wfile.write(data)
        self.wfile.flush()


@pytest.fixture(scope="module")
def server(tmp_path_factory, shipped: Translator) -> Iterator[Server]:
    root: Path = tmp_path_factory.mktemp("root")
    chosen = root / "sentences.txt"
    chosen.write_text("\n".join(SENTENCES))
    app = AppContext(Recordings(shipped), checkpoint.locate(checkpoint.SHIPPED), examples=chosen)
    write(root / "some" / "where", app, ["en", "de"])
    server = Server(root)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    """The page under a path of its own."""
    return f"http://127.0.0.1:{server.server_port}/some/where/"


@pytest.fixture(scope="module")
def context_page(browser: Browser, address: str) -> Iterator[Page]:
    """The page; whatever is asked of anywhere else is blocked, and told at the end as whatever failed."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, locale="en", reduced_motion=MOTION)
    page = context.new_page()
    wrong = errors_of(page)

    def route(request):
        inside = request.request.url.startswith((address, "data:", "blob:"))
        request.continue_() if inside else (wrong.append(request.request.url), request.abort())

    context.route("**/*", route)
    yield page
    context.close()
    assert not wrong, wrong


@pytest.fixture(scope="module")
def second_page(context_page: Page) -> Page:
    """A page whose console may say what fails."""
    return context_page.context.new_page()


@pytest.fixture
def newcomer(second_page: Page, address: str) -> Iterator[Page]:
    """The page of a browser that keeps nothing of earlier visits; none is loaded yet."""
    second_page.goto(f"{address}files/modules.js")  # any file
    second_page.evaluate(FORGET)
    yield second_page
    second_page.unroute_all()


@pytest.fixture
def site(context_page: Page, address: str) -> Page:
    """As a newcomer finds it."""
    if context_page.url.startswith(address):
        context_page.evaluate("localStorage.clear()")
    context_page.goto(f"{address}?level=heads")
    expect(context_page.locator("#viewer .status")).to_contain_text("Step")
    return context_page


def open_tab_by_id(page: Page, tab: str) -> None:
    button = page.locator(f"[data-tab={tab}]").first  # of two levels
    if not button.is_visible():
        page.locator("[data-tab=about]").click()
    button.click()


def test_a_sentence_is_chosen_stepped_through_and_found_again_by_its_link(site, address, shipped):
    site.locator("#examples select").select_option(SENTENCES[1])
    expect(site.locator("#viewer .viewer")).to_have_attribute("data-sentence", SENTENCES[1])
    choose(site.locator("#viewer"), "cross", 1, 2)
    go_to(site.locator("#viewer"), 3)
    exact = record(shipped, SENTENCES[1]).cross.weights[1, 2, :4]
    seen = drawn(site.locator("#viewer")).weights[:4]
    np.testing.assert_allclose(np.nan_to_num(seen), exact, atol=5e-4)
    site.locator("#viewer").get_by_role("button", name="Lengths").click()
    expect(site.locator("#viewer .viewer")).to_have_attribute("data-step", "4")
    expect(site.locator("#viewer [data-pane=first] h3")).to_contain_text("ength")
    site.wait_for_url("**sentence=The%20dog**step=4**head=3**measure=length**")  # what was chosen last is written last
    link = site.url
    site.goto("about:blank")
    site.goto(link)
    expect(site.locator("#viewer .viewer")).to_have_attribute("data-sentence", SENTENCES[1])
    expect(site.locator("#viewer .status")).to_contain_text("Step 4 of")
    expect(site.locator("#sentence input")).to_have_value(SENTENCES[1])
    expect(site.locator("#viewer [data-role=head]")).to_have_value("2")


def test_share_has_the_picture_of_the_first_sentence_and_says_that_others_have_none(site):
    picture, unseen = site.locator("[data-share=preview]"), site.locator("[data-share=unseen]")
    site.get_by_role("button", name="Share", exact=True).click()
    expect(picture).to_have_attribute("src", re.compile("^blob:"))
    expect(unseen).to_be_empty()
    site.keyboard.press("Escape")
    site.locator("#examples select").select_option(SENTENCES[1])
    expect(site.locator("#viewer .viewer")).to_have_attribute("data-sentence", SENTENCES[1])
    site.get_by_role("button", name="Share", exact=True).click()
    expect(unseen).to_have_text(share_words.TEXT["first"])
    expect(picture).to_be_hidden()
    expect(site.get_by_label("Link to what is shown")).to_have_value(re.compile("sentence=The%20dog"))
    site.keyboard.press("Escape")


def test_one_press_plays_the_whole_model(site):
    site.get_by_role("tab", name="Picture", exact=True).click()
    site.locator("#viewer .card").click()
    expect(site.locator("#whole [data-go=play]")).to_have_attribute("aria-label", "Pause")
    expect(site.locator("#whole [data-role=step]")).to_have_value("3")


@pytest.mark.thorough
def test_every_lesson_is_there_and_one_is_begun(site):
    open_tab_by_id(site, "lessons")
    expect(site.locator("#lessons article button")).to_have_count(len(shipped_lessons()))
    site.locator("#lessons article button").first.click()
    step = shipped_lessons()["clause"].steps[0]
    assert step.question and step.task and step.task.goal == {"step": "6"}
    dock = site.locator(".lesson")
    expect(site.locator("#viewer .viewer")).to_have_attribute("data-sentence", shipped_lessons()["clause"].sentence)
    expect(site.locator("#viewer .status")).to_contain_text("Step 5")
    dock.locator("[data-lesson=choices] input").nth(step.question.right - 1).check()
    dock.locator("[data-lesson=commit]").click()
    expect(dock.locator("[data-lesson=reveal]")).to_be_empty()
    site.keyboard.press("ArrowRight")
    expect(dock.locator("[data-lesson=reveal]")).to_contain_text("jumps over four words")


def test_a_visitor_is_led_to_his_language_until_he_chooses_another(browser, address):
    with browser.new_context(locale="de-AT") as context:
        page = context.new_page()
        wrong = errors_of(page)
        page.goto(f"{address}?step=2")
        page.wait_for_url(f"{address}de/index.html?**step=2**")
        expect(page.locator("#viewer .status")).to_contain_text("Schritt 2")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        page.locator("#toolbar button[lang=en]").click()
        page.wait_for_url(f"{address}index.html?**step=2**")
        expect(page.locator("#viewer .status")).to_contain_text("Step 2")
        page.goto(address)
        expect(page.locator("#viewer .status")).to_contain_text("Step")
        page.goto(f"{address}?lang=de")
        expect(page.locator("#viewer .status")).to_contain_text("Schritt")
        assert not wrong, wrong


@pytest.mark.thorough
def test_every_tab_stands_or_says_what_it_needs(site):
    told = {
        "positions": ("#positions", "in another order"),
        "train": ("#train .moments .status", "Snapshot"),
        "whole": ("#whole [data-role=caption]", "This is one whole translation."),
        "training": ("#record", "Data and licences"),
        "glossary": ("#glossary", "softmax"),
        "lessons": ("#lessons", "minutes"),
    }
    for tab in TABS[1:]:
        open_tab_by_id(site, tab.id)
        selector, text = told[tab.id]
        expect(site.locator(selector).first).to_contain_text(text)
        eventually(site, expect_tabs_in_lines, site)
    site.wait_for_url("**tab=glossary**")
    expect(site.locator("#train [data-train=off]")).to_contain_text("python app.py")


def expect_tabs_in_lines(site: Page) -> None:
    assert site.evaluate("document.documentElement.scrollWidth") <= 1366
    lines = [line.bounding_box() for line in site.locator("[role=tablist]").filter(visible=True).all()]
    tops, bottoms = [box["y"] for box in lines if box], [box["y"] + box["height"] for box in lines if box]
    assert all(top >= bottom for top, bottom in zip(tops[1:], bottoms, strict=False))


def test_a_browser_that_is_too_old_is_told(browser, address):
    with browser.new_context(locale="de") as context:
        context.add_init_script("delete window.DecompressionStream")
        page = context.new_page()
        page.goto(f"{address}de/")
        with use_language(LanguageContext("de")):
            expect(page.get_by_role("alert")).to_have_text(NEEDS.sentence)


def translate(page: Page, sentence: str) -> None:
    page.locator("#sentence input").fill(sentence)
    page.locator("#translate").click()


def test_any_sentence_and_experiment_is_computed_in_the_browser(browser, server, address, shipped):
    """The model is loaded with the first of them; afterwards nothing is asked of the server."""
    with browser.new_context(viewport={"width": 1366, "height": 768}, locale="en") as context:
        page = context.new_page()
        server.sent.clear()
        page.goto(f"{address}?level=heads")
        expect(page.locator("#viewer .heatmaplayer").first).to_be_attached()
        # A first visit is small: in bytes as this server sends them, which compresses nothing.
        bytes_sent = sum(size for _, _, size in server.sent)
        print(f"{len(server.sent)} requests, {bytes_sent / 1e3:.0f} kB")
        assert len(server.sent) <= 6 and bytes_sent <= 920_000
        server.asked.clear()
        page.locator("#examples select").select_option(SENTENCES[1])
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", SENTENCES[1])
        assert not [path for path in server.asked if "/model/" in path]
        held: list[Route] = []
        context.route("**/tokenizer.model", lambda route: held.append(route))
        with page.expect_request("**/tokenizer.model"):
            translate(page, NEW)
        expect(page.locator(".draft")).to_contain_text("Loading the model")
        held[0].continue_()
        context.unroute_all()
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", NEW)
        expect(page.locator(".draft")).to_be_hidden()
        trace = record(shipped, NEW)
        choose(page.locator("#viewer"), "cross", 1, 2)
        go_to(page.locator("#viewer"), len(trace.steps) - 1)
        np.testing.assert_allclose(drawn(page.locator("#viewer")).weights, trace.cross.weights[1, 2], atol=5e-4)
        server.asked.clear()
        expect_experiment(page, address, shipped)  # the files are kept by their checksums
        assert not [path for path in server.asked if "/model/" in path]
        open_tab(page, "Heads")
        context.set_offline(True)
        page.locator("[data-tab=whole]").click()  # for the first time
        expect(page.locator("#whole [data-role=canvas]")).to_be_visible()
        open_tab(page, "Heads")
        translate(page, "The cat sleeps.")
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", "The cat sleeps.")
        translate(page, "")
        expect(page.locator("#viewer .message")).to_have_text(recording_words.REFUSALS["empty"])


def expect_experiment(page: Page, address: str, shipped: Translator) -> None:
    """A link opens one, which is run, and all heads are ranked."""
    off = Experiment(off=tuple(HeadAt("cross", layer, head) for layer in (2, 3) for head in range(8)))
    heads = ",".join(f"cross.{layer}.{head}" for layer in (3, 4) for head in range(1, 9))
    place = {"level": "heads", "layer": "2", "head": "3", "drawer.panel": "ranking"}
    page.goto(f"{address}?{urlencode({'sentence': NEW, 'change': f'off.{heads}', **place})}")
    changed = run(shipped, NEW, off)
    total = f"{changed.log_probability:.2f}".replace("-", "−")
    expect(page.locator("#bar .told")).to_contain_text(total)
    go_to(page.locator("#viewer"), len(changed.steps) - 1)
    weights = drawn(page.locator("#viewer")).weights
    np.testing.assert_allclose(weights, changed.cross.weights[1, 2], atol=5e-4)
    expect(page.locator(".panel.ranking .drops li").first).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("knows_ranges", sweep([True, False], True))
def test_a_download_that_breaks_off_goes_on_where_it_was(newcomer, server, address, knows_ranges):
    """A server that knows ranges sends the rest; of one that does not the rest is taken."""
    folder = checkpoint.locate(checkpoint.SHIPPED)
    name = sorted(path.name for path in folder.glob(checkpoint.SHARDS))[1]
    server.knows_ranges, server.broken = knows_ranges, {name}
    server.sent.clear()
    newcomer.goto(f"{address}?level=heads")
    expect(newcomer.locator("#viewer .status")).to_contain_text("Step")
    translate(newcomer, NEW)
    expect(newcomer.locator("#viewer .viewer")).to_have_attribute("data-sentence", NEW)
    server.knows_ranges = False
    whole = (folder / name).stat().st_size
    first, (status, size) = [sent[1:] for sent in server.sent if sent[0] == name]
    assert first == (200, whole // 2) and status == (206 if knows_ranges else 200)
    assert (
        whole - whole // 2 <= size < whole if knows_ranges else size == whole
    )  # the browser may drop the last that came


def saved_file(page: Page, entry: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.locator(f"[data-entry={entry}]").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.thorough
def test_every_file_of_the_dialog_save_is_made_in_the_browser(browser, address, shipped, tmp_path):
    with browser.new_context(viewport={"width": 1366, "height": 768}, locale="en") as context:
        context.add_init_script(
            "window.print = () => { top.document.documentElement.dataset.printed = document.title; }"
        )
        page = context.new_page()
        wrong = errors_of(page)
        page.goto(f"{address}?level=heads")
        expect(page.locator("#viewer .status")).to_contain_text("Step")
        page.locator("#examples select").select_option(SENTENCES[1])
        expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", SENTENCES[1])
        page.keyboard.press("s")
        page.locator("#save textarea").fill("Look at <b>step 3</b>")
        files = {entry: saved_file(page, entry, tmp_path) for entry in ("csv", "json", "npz", "report", "worksheet")}
        cross = record(shipped, SENTENCES[1]).cross.weights
        np.testing.assert_allclose(np.load(files["npz"])["cross"], cross, rtol=0, atol=5e-6)
        page.locator("[data-entry=print]").click()
        expect(page.locator("html")).to_have_attribute("data-printed", f"{sheet_words.SHEET_TITLE} {SENTENCES[1]}")
        page.goto(files["report"].as_uri())
        expect(page.locator(".status")).to_contain_text("Step")
        expect(page.locator("#notes")).to_have_value("Look at <b>step 3</b>")
        choose(page, "cross", 1, 2)
        go_to(page, 3)
        np.testing.assert_allclose(np.nan_to_num(drawn(page).weights[:4]), cross[1, 2, :4], atol=5e-4)
        page.goto(files["worksheet"].as_uri())
        expect(page.locator(".sheet")).to_have_count(3)
        assert not wrong, wrong


def fulfil(answer: dict[str, Any], route: Route) -> None:
    route.fulfill(**answer)


LOGIN = {"content_type": "text/html", "body": "<!doctype html><title>Log in</title>"}
BODY, MESSAGE, TOP, STORY = "body", "#viewer .message", "#file-error", "[data-replay=message]"


DAMAGED = [  # of each part of the page that reads files, and of each fault
    ("page.en.bin", "missing", "missing", BODY),
    ("plotly.bin", "cut", "damaged", TOP),
    ("sentences/2.bin", "login", "damaged", MESSAGE),
    ("story.bin", "missing", None, STORY),
    ("engine.js", "flawed", "damaged", MESSAGE),
    ("answers.en.bin", "unreachable", "connection", MESSAGE),
]
DAMAGED_ALIKE = [
    ("page.en.bin", "login", "damaged", BODY),
    ("modules.bin", "cut", "damaged", BODY),
    ("modules.bin", "unreachable", "connection", BODY),
    ("modules.positions.bin", "cut", "damaged", TOP),
    ("engine.js", "empty", "damaged", MESSAGE),
    ("model/kernel.wasm", "cut", "damaged", MESSAGE),
    ("modules.bin", "missing", "missing", BODY),
    ("engine.js", "missing", "missing", MESSAGE),
    ("engine.js", "login", "damaged", MESSAGE),
    ("model/kernel.wasm", "login", "damaged", MESSAGE),
    ("model/config.json", "empty", "damaged", MESSAGE),
    ("answers.en.bin", "cut", "damaged", MESSAGE),
]
OPENED = {"story.bin": "&tab=train", "modules.positions.bin": "&tab=positions"}  # what asks for the file


@pytest.mark.parametrize("damage", sweep([*DAMAGED, *DAMAGED_ALIKE], *DAMAGED))
def test_a_damaged_file_is_named_in_a_sentence(newcomer, server, address, damage):
    file, how, reason, place = damage
    whole = (server.root / "some/where/files" / file).read_bytes()
    answers: dict[str, dict[str, Any]] = {
        "missing": {"status": 404},
        "login": LOGIN,
        "cut": {"body": whole[: len(whole) // 2]},
        "empty": {"body": b""},
        "flawed": {"body": b"(" + whole, "content_type": "text/javascript"},
    }
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        fulfil(answers[how], route) if how in answers else route.abort()

    newcomer.route(f"**/files/{file}", answer)
    newcomer.goto(f"{address}?level=heads{OPENED.get(file, '')}")
    if place == MESSAGE:
        expect(newcomer.locator("#viewer .status")).to_contain_text("Step")
        translate(newcomer, SENTENCES[1] if "sentences" in file else NEW)
    sentence = words.REFUSALS[reason] if reason else replay_words.STORY["notLoaded"]
    expect(newcomer.locator(place)).to_have_text(sentence.format(file=f"files/{file}"))
    assert how != "cut" or len(asked) == 1  # its size said so


@pytest.mark.thorough
def test_a_model_that_does_not_come_is_refused_in_words_and_asked_for_again(newcomer, address):
    page = newcomer
    page.goto(f"{address}de/index.html?level=heads")
    expect(page.locator("#viewer .status")).to_contain_text("Schritt")
    size = (checkpoint.locate(checkpoint.SHIPPED) / "tokenizer.model").stat().st_size
    answers = {"missing": {"status": 404}, "damaged": {"body": bytes(size)}}
    for reason, answer in answers.items():
        page.route("**/tokenizer.model", partial(fulfil, answer))
        translate(page, NEW)
        with use_language(LanguageContext("de")):
            said = words.REFUSALS[reason].format(file="files/model/tokenizer.model")
            expect(page.locator("#viewer .message")).to_have_text(said)
        page.unroute_all()
    page.route("**/model-00003*", lambda route: None)  # never comes
    translate(page, NEW)
    page.locator(".draft button").click()
    with use_language(LanguageContext("de")):
        expect(page.locator("#viewer .message")).to_have_text(view_words.TEXT["stopped"])
    page.unroute_all()
    translate(page, NEW)
    expect(page.locator("#viewer .viewer")).to_have_attribute("data-sentence", NEW)
