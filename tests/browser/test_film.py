"""The guided flight through the model as files that Save makes: a film, and pictures of its stops."""

import io
import re
import zipfile

import numpy as np
import pytest
from cases import sweep
from PIL import Image
from playwright.sync_api import Page, Request, expect
from visiting import FOLLOW, at_rest, expect_sentence, follow, needs_browser, open_tab

from explorer import record

pytestmark = needs_browser

STOPS = 13
# A film of the flight in so many milliseconds, as the button makes it; `tracks` are what becomes of those recorded.
RECORD = """async ([duration, of]) => {
    const bundle = performance.getEntriesByType("resource").find(({ name }) => name.includes("modules.js")).name;
    const { default: modules } = await import(bundle);
    const flight = modules["ui/page_events.js"].snapshotOf("whole")[of];
    const { filmOf } = modules["page/save/flight.js"];
    const told = [], tracks = [];
    const capture = HTMLCanvasElement.prototype.captureStream;
    HTMLCanvasElement.prototype.captureStream = function (rate) {
        const stream = capture.call(this, rate);
        tracks.push(...stream.getTracks());
        return stream;
    };
    const watch = { signal: new AbortController().signal, show: () => {}, tell: (sentence) => told.push(sentence) };
    const text = { preparing: "preparing", recording: "{seconds} of {all}" };
    const film = await filmOf(flight, { type: "video/webm;codecs=vp9", duration, watch, text });
    HTMLCanvasElement.prototype.captureStream = capture;
    const bytes = Array.from(new Uint8Array(await film.arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
    const states = tracks.map(({ readyState }) => readyState);
    return { type: film.type, last: told.at(-1), tracks: states, bytes: btoa(bytes) };
}"""
# Loads all stops of a flight without making images of them: the tokens of the sentence, the rows of every strip of the
# encoder, and how many captions there are.
LOAD = """async () => {
    const bundle = performance.getEntriesByType("resource").find(({ name }) => name.includes("modules.js")).name;
    const { default: modules } = await import(bundle);
    const { flight } = modules["ui/page_events.js"].snapshotOf("whole");
    await flight.open();
    for (const stop of flight.stops.keys()) await flight.load(stop, () => null);
    const { stills, shown: { trace, strips } } = flight;
    const encoder = [...strips].filter(([name]) => name.startsWith("encoder "));
    const loaded = {
        sentence: trace.sentence, captions: stills.filter(({ caption }) => caption).length,
        tokens: trace.source.length, rows: encoder.map(([, { shape: [rows] }]) => rows),
    };
    flight.close();
    return loaded;
}"""
# What the film of a sentence says at a share of its time, and how dark its picture is; the last of them is its end.
WRITTEN = """async (shares) => {
    const bundle = performance.getEntriesByType("resource").find(({ name }) => name.includes("modules.js")).name;
    const { default: modules } = await import(bundle);
    const { writing } = modules["ui/page_events.js"].snapshotOf("whole");
    await writing.open();
    const canvas = Object.assign(document.createElement("canvas"), writing.size);
    const context = canvas.getContext("2d");
    let said = "";
    const write = context.fillText.bind(context);
    context.fillText = (text, ...place) => {
        said += text;
        write(text, ...place);
    };
    const told = shares.map((share) => {
        said = "";
        writing.drawShare(context, share, writing.duration);
        const { data } = context.getImageData(0, 200, 1280, 500);
        return [said.replace(/ /g, ""), data.filter((part, i) => i % 4 === 0 && part < 200).length];
    });
    writing.close();
    return told;
}"""
# Plays it to its end, on a page that may.
PLAY = """async ({ type, bytes }) => {
    const video = document.createElement("video");
    document.body.replaceChildren(video);
    video.muted = true;
    const ended = new Promise((done, failed) => {
        video.addEventListener("ended", done, { once: true });
        video.addEventListener("error", () => failed(video.error.message), { once: true });
    });
    video.src = `data:${type};base64,${bytes}`;
    await video.play();
    await ended;
    return [video.videoWidth, video.videoHeight];
}"""
# Whether its picture has many shades; the browser may still be drawing it.
HAS_SHADES = """() => {
    const context = Object.assign(document.createElement("canvas"), { width: 64, height: 36 }).getContext("2d");
    context.drawImage(document.querySelector("video"), 0, 0, 64, 36);
    return new Set(context.getImageData(0, 0, 64, 36).data).size > 20;
}"""


@pytest.fixture
def whole(shared_page: Page) -> Page:
    open_tab(shared_page, "Whole model")
    expect(shared_page.locator("#whole [data-role=caption]")).not_to_be_empty()
    return shared_page


def open_save(page: Page) -> None:
    page.keyboard.press("s")
    expect(page.locator("[data-save=dialog]")).to_be_visible()


def is_tidy(page: Page) -> None:
    """Nothing of a flight is left on the page."""
    expect(page.locator("[data-save=running]")).to_be_hidden()
    expect(page.locator("[data-save=dialog] canvas, .filmed")).to_have_count(0)
    expect(page.locator("[data-entry=film]")).to_be_enabled()


FILMS = [("flight", 2000, [1920, 1080]), ("writing", 1500, [1280, 720])]


@pytest.mark.parametrize("of", sweep(FILMS, FILMS[0]), ids=lambda of: of[0])
def test_a_film_plays_and_leaves_nothing_behind(whole, of):
    name, milliseconds, size = of
    film = whole.evaluate(RECORD, [milliseconds, name])
    assert (film["type"], film["tracks"], film["last"]) == ("video/webm", ["ended"], "2 of 2")
    is_tidy(whole)
    player = whole.context.new_page()
    assert player.evaluate(PLAY, film) == size
    player.wait_for_function(HAS_SHADES)
    player.close()


@pytest.mark.thorough
def test_the_video_of_a_sentence_is_ten_seconds_and_small(whole, tmp_path):
    page = whole
    open_save(page)
    with page.expect_download(timeout=60_000) as download:
        page.locator("[data-entry=writing]").click()
    page.keyboard.press("Escape")
    is_tidy(page)
    assert re.fullmatch(r"writing-[a-z-]+\.(mp4|webm)", download.value.suggested_filename)
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert 20_000 < path.stat().st_size < 3e6


@pytest.mark.thorough
def test_a_recording_is_shown_and_can_be_stopped(whole):
    page = whole
    open_save(page)
    page.locator("[data-entry=film]").click()
    expect(page.locator("[data-save=told]")).to_contain_text("of 60 s")
    expect(page.locator("[data-save=dialog] .preview canvas")).to_be_visible()
    page.locator("[data-save=stop]").click()
    expect(page.locator("[data-save=state]")).to_have_text("Stopped; nothing was saved.")
    is_tidy(page)
    page.locator("[data-entry=film]").click()
    expect(page.locator("[data-save=running]")).to_be_visible()
    page.keyboard.press("Escape")
    is_tidy(page)


def test_a_browser_that_records_nothing_says_so(whole):
    page = whole
    page.evaluate("() => { window.recorder = MediaRecorder; window.MediaRecorder = undefined; }")
    open_save(page)
    page.locator("[data-entry=film]").click()
    expect(page.locator("[data-save=state]")).to_contain_text("cannot record a video")
    page.evaluate("() => { window.MediaRecorder = window.recorder; }")
    page.keyboard.press("Escape")


@pytest.mark.thorough
def test_the_pictures_of_the_flight_have_their_sentences_also_without_motion(whole):
    page = whole
    captions = []
    for stop in page.locator("#whole .stops button").all():
        stop.click()
        expect(stop).to_have_attribute("aria-current", "step")
        captions.append(page.locator("#whole [data-role=caption]").inner_text())
    page.locator("#whole .stops button").first.click()
    open_save(page)
    with page.expect_download() as download:
        page.locator("[data-entry=flight]").click()
    page.keyboard.press("Escape")
    is_tidy(page)
    archive = zipfile.ZipFile(download.value.path())
    *names, text = archive.namelist()
    assert archive.testzip() is None and text == "captions.txt"
    told = archive.read(text).decode().strip().split("\n\n")
    assert [one.split("\n")[0] for one in told] == names and len(names) == STOPS
    for one, caption in zip(told, captions, strict=True):
        sentence = one.split("\n")[2].replace("_", "")  # as W_Q, whose letter stands below the line on the page
        assert sentence.startswith(caption)  # which says more where the page has not counted neurons yet
    for name in names:
        picture = np.asarray(Image.open(io.BytesIO(archive.read(name))).convert("L"))
        assert picture.shape == (1620, 2880)
        stage, caption = picture[140:1380], picture[1412:1600]
        assert (stage < 200).mean() > 0.01 and (caption < 100).any(), name
        assert (picture[:, :40] > 200).all() and (picture[-16:] > 200).all(), name  # nothing reaches over the margin


def asks(request: Request, question: str) -> bool:
    return f'"question":"{question}"' in (request.post_data or "")


@pytest.mark.thorough
def test_a_flight_of_a_new_sentence_waits_for_its_picture_also_of_a_shorter_one(whole):
    page, held = whole, []
    longer = page.evaluate(LOAD)
    page.route("**/ask", lambda route: held.append(route) if asks(route.request, "overview") else route.continue_())
    with page.expect_request(lambda request: asks(request, "overview")):
        page.evaluate(FOLLOW, "?tab=whole&sentence=Birds+sing.")
    expect_sentence(page, "Birds sing.")
    page.evaluate(f"() => {{ window.loading = ({LOAD})(); }}")
    for route in held:
        route.continue_()
    page.unroute_all()
    shorter = page.evaluate("window.loading")
    assert shorter["sentence"] == "Birds sing." and shorter["tokens"] < longer["tokens"]
    for loaded in (longer, shorter):
        assert set(loaded["rows"]) == {loaded["tokens"]} and loaded["captions"] == STOPS
    is_tidy(page)


REFUSED = [("tensors", "Cats sleep."), pytest.param("overview", "Dogs bark.", marks=pytest.mark.thorough)]


@pytest.mark.parametrize(("question", "sentence"), REFUSED)
def test_a_flight_that_was_refused_says_why_and_may_be_asked_for_again(whole, question, sentence):
    page = whole
    refusal = {"error": "The queue is full."}
    page.route(
        "**/ask", lambda route: route.fulfill(json=refusal) if asks(route.request, question) else route.continue_()
    )
    follow(page, f"?tab=whole&sentence={sentence}")
    expect_sentence(page, sentence)
    assert page.evaluate(f"({LOAD})().catch(({{ message }}) => message)") == refusal["error"]
    page.unroute_all()
    assert page.evaluate(LOAD)["captions"] == STOPS
    is_tidy(page)


def test_both_sentences_grow_in_the_film_over_the_picture_of_every_step(whole, shipped):
    page = whole
    follow(page, "?tab=whole&sentence=Birds+sing.")
    expect_sentence(page, "Birds sing.")
    at_rest(page)
    trace = record(shipped, "Birds sing.")
    (first, pale), (read, _), *_, (last, dark) = page.evaluate(WRITTEN, [0.01, 0.08, 0.3, 0.6, 1])
    assert (first, read) == ("Birds", "Birdssing.")
    assert last == f"Birdssing.{trace.translation}".replace(" ", "")
    assert pale < 0.5 * dark
