"""How fast the page answers in headless Chromium, and what a visit costs.

Opens the page around a random checkpoint of 6 layers and 8 heads with forced lengths (40 x 40 and 60 x 60 pieces) and
around the shipped one on an example. Work on the main thread (script, style, layout, paint) is summed from Chromium's
trace; times to the painted picture are taken in the page.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import torch
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    sync_playwright,
)

from explorer.bench import page_scripts as scripts
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.server.answer_service import AnswerService
from explorer.server.launch import launch
from explorer.tabs import tab_labels
from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.decoding import Step, Translator
from model.tokenizer import Tokenizer
from model.transformer import Encoded, Transformer

QUIET_MS = 1500  # after the first picture, in which what is still asked for arrives
SLOW_LINE = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
SLOW_CPU = 4  # times slower
FLAGS = ["--no-sandbox", "--disable-gpu"]
CATEGORIES = ["blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"]
MIB = 1024 * 1024
VIEWPORT: ViewportSize = {"width": 1366, "height": 768}
CASES = {
    "40": "random 6 x 8, 40 x 40 pieces",
    "60": "random 6 x 8, 60 x 60 pieces",
    "shipped": "shipped checkpoint, an example",
}


class Forced(Translator):
    """Translates every sentence into as many pieces as it has itself."""

    def steps(self, encoded: Encoded, **lengths) -> Iterator[Step]:
        length = encoded.memory.size(1)
        yield from super().steps(encoded, min_steps=length, max_steps=length)


def random_translator(tokenizer: Tokenizer, layers: int, heads: int) -> Forced:
    torch.manual_seed(0)
    vocab: dict[str, Any] = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=layers, n_heads=heads, d_model=16 * heads, d_ff=64 * heads, max_len=256, **vocab)
    return Forced(Transformer(config).eval(), tokenizer)


def sentence_of(pieces: int, tokenizer: Tokenizer) -> str:
    """Short words of one piece each; with the end of the sentence they are as many as asked for."""
    words = [piece[1:] for piece in tokenizer.pieces(list(range(tokenizer.vocab_size))) if piece[1:].isalpha()]
    words = [word for word in words if len(word) == 2 and len(tokenizer.encode(word)) == 1]
    sentence = " ".join((words * pieces)[: pieces - 1])
    if len(tokenizer.encode(sentence)) != pieces - 1:
        sys.exit(f"The benchmark's sentence does not have {pieces} pieces with this tokenizer.")
    return sentence


@dataclass
class Report:
    """Prints figures as they are measured, each with its target; `failed` counts the missed ones."""

    failed: int = 0

    def figure(self, name: str, value: float, unit: str, target: float, *, at_least: bool = False) -> None:
        good = value >= target if at_least else value <= target
        self.failed += not good
        bound = "at least" if at_least else "at most"
        print(f"  {name:50} {value:8.1f} {unit:9} {bound} {target:g}{'' if good else '   MISSED'}", flush=True)


@dataclass(eq=False)
class Visit:
    """A page under measurement."""

    browser: Browser
    page: Page
    cdp: CDPSession
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @classmethod
    def to(cls, browser: Browser, address: str) -> "Visit":
        page = browser.new_page(viewport=VIEWPORT)
        visit = cls(browser, page, page.context.new_cdp_session(page))
        page.on("request", visit.note_request)
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        page.on("console", visit.hear)
        page.goto(f"{address}?level=heads")
        page.locator(".viewer[data-step] .heatmap .nsewdrag").first.wait_for()
        page.evaluate(scripts.IN_PAGE)
        return visit

    def note_request(self, request: Request) -> None:
        if not request.url.startswith("data:"):  # in which Plotly draws cells
            self.requests.append(request.url)

    def hear(self, message: ConsoleMessage) -> None:
        """Notes errors, and warnings of our own scripts."""
        if message.type == "error" or (message.type == "warning" and "/gradio_api/file=" in message.location["url"]):
            self.complaints.append(message.text)

    def translate(self, sentence: str) -> None:
        before = self.page.locator(".viewer").get_attribute("data-submission")
        self.page.locator("#sentence textarea, #sentence input").fill(sentence)
        self.page.locator("#sentence textarea, #sentence input").press("Enter")
        self.page.wait_for_function(
            "(before) => document.querySelector('.viewer').dataset.submission !== before", arg=before
        )

    def traced(self, script: str, argument: Any = None) -> tuple[Any, list[dict[str, Any]]]:
        """What the script returns, and the trace's events in order."""
        self.browser.start_tracing(page=self.page, categories=CATEGORIES)
        result = self.page.evaluate(script, argument)
        return result, self.trace()

    def trace(self) -> list[dict[str, Any]]:
        """Ends tracing."""
        events = json.loads(self.browser.stop_tracing())["traceEvents"]
        return sorted(events, key=lambda event: event.get("ts", 0))

    def heap(self) -> float:
        """Bytes in use after a forced collection."""
        for _ in range(3):
            self.cdp.send("HeapProfiler.collectGarbage")
        return self.cdp.send("Runtime.getHeapUsage")["usedSize"]


def main_thread_work(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of tasks on the page's main thread between each pair of marks."""
    marks = [e for e in events if e["name"] in ("begin", "end") and "blink.user_timing" in e["cat"]]
    thread = (marks[0]["pid"], marks[0]["tid"])
    tasks = [e for e in events if e["name"] == "RunTask" and (e["pid"], e["tid"]) == thread and "dur" in e]
    spans = [(begin["ts"], end["ts"]) for begin, end in zip(marks[::2], marks[1::2], strict=True)]

    def within(task: dict[str, Any], begin: float, end: float) -> float:
        # A task that the begin mark lies in has begun before it.
        return max(0, min(task["ts"] + task["dur"], end) - max(task["ts"], begin))

    return [sum(within(task, begin, end) for task in tasks) / 1000 for begin, end in spans]


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def own_image(event: dict[str, Any]) -> bool:
    """Whether a request is for an image that is its own address, in which Plotly draws cells."""
    return event["args"]["data"]["url"].startswith("data:")


def arrival_to_paint(events: list[dict[str, Any]]) -> float:
    """Milliseconds from the last part of the answer to the first picture of it."""
    painted = next(e["ts"] for e in events if e["name"] == "painted")
    own = {e["args"]["data"]["requestId"] for e in events if e["name"] == "ResourceSendRequest" and own_image(e)}
    parts = [e for e in events if e["name"] == "ResourceReceivedData" and e["ts"] < painted]
    parts = [e for e in parts if e["args"]["data"]["requestId"] not in own]
    # What ends the stream after the answer is a few bytes.
    arrived = max(e["ts"] for e in parts if e["args"]["data"]["encodedDataLength"] > 1000)
    return (painted - arrived) / 1000


def measure_stepping(visit: Visit, report: Report, runs: int) -> None:
    _, events = visit.traced(scripts.STEPS, runs)
    report.figure("a step, work on the main thread, median", statistics.median(main_thread_work(events)), "ms", 16)
    report.figure("playing as a film", visit.page.evaluate(scripts.PLAY), "steps/s", 50, at_least=True)


def measure_changes(visit: Visit, report: Report, runs: int) -> None:
    visit.requests.clear()
    times = []
    for what in ("kind", "layer", "head"):
        painted, events = visit.traced(scripts.CHANGES, [what, runs])
        times += painted
        report.figure(f"a change of {what}, work, median", statistics.median(main_thread_work(events)), "ms", 50)
    report.figure("any of these, click to painted, 95th percentile", p95(times), "ms", 120)
    report.figure(f"requests during these {3 * runs} changes", len(visit.requests), "", 0)


def measure_arrival(visit: Visit, report: Report, sentence: str, runs: int) -> None:
    visit.page.evaluate(scripts.WATCH_ARRIVAL)
    times = []
    for _ in range(runs):
        visit.browser.start_tracing(page=visit.page, categories=CATEGORIES)
        visit.page.evaluate("window.arrived = false")
        visit.translate(sentence)
        visit.page.wait_for_function("window.arrived")
        times.append(arrival_to_paint(visit.trace()))
    report.figure("a new translation, from answer to painted, median", statistics.median(times), "ms", 150)


def measure_cells(visit: Visit, report: Report, runs: int) -> None:
    """In the tab Inside, where a head's numbers are asked for when it is first looked at."""
    visit.page.get_by_role("tab", name=tab_labels()["inside"], exact=True).click()
    visit.page.locator(".inside [data-choice=key] option").first.wait_for(state="attached")
    visit.page.evaluate(scripts.INSIDE)
    for what in ("query", "key", "layer", "head"):
        times = visit.page.evaluate(scripts.CELL_CHANGES, [what, runs])
        report.figure(f"Inside, a change of {what} to painted, median", statistics.median(times), "ms", 150)
    times = visit.page.evaluate(scripts.FIRST_LOOKS, runs)
    report.figure("Inside, a first look at a head to painted, median", statistics.median(times), "ms", 150)
    visit.page.get_by_role("tab", name=tab_labels()["explore"], exact=True).click()


def measure_heap(visit: Visit, report: Report) -> None:
    visit.page.evaluate(scripts.BACK_AND_FORTH, 60)  # caches fill once
    before = visit.heap()
    visit.page.evaluate(scripts.BACK_AND_FORTH, 300)
    report.figure("growth of the heap over 300 steps", (visit.heap() - before) / MIB, "MiB", 20)


def visit_cost(context: BrowserContext, address: str, *, slow: bool = False) -> tuple[int, float, float]:
    """Requests, kilobytes over the line and milliseconds to the first picture of one visit."""
    page, sizes = context.new_page(), dict[str, float]()
    page.add_init_script(scripts.FIRST_PICTURE)
    session = context.new_cdp_session(page)
    session.send("Network.enable")

    def note_request(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            sizes[event["requestId"]] = 0

    def note_size(event: dict[str, Any]) -> None:
        if event["requestId"] in sizes:
            sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", note_request)
    session.on("Network.loadingFinished", note_size)
    if slow:
        session.send("Network.emulateNetworkConditions", SLOW_LINE)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    page.goto(address, wait_until="commit")
    picture = page.evaluate("firstPicture")
    page.wait_for_timeout(QUIET_MS)
    page.close()
    return len(sizes), sum(sizes.values()) / 1000, picture


def measure_loading(browser: Browser, address: str, report: Report) -> None:
    """First and second visits, whose weight depends little on the model."""
    for name, runs, slow, target in (("plain", 5, False, 1500), ("10 Mbit/s, CPU 4 times slower", 3, True, 6000)):
        pictures, requests, kilobytes, again = [], 0, 0.0, 0.0
        for _ in range(runs):
            with closing(browser.new_context(viewport=VIEWPORT)) as context:
                requests, kilobytes, picture = visit_cost(context, address, slow=slow)
                again = visit_cost(context, address)[1]
                pictures.append(picture)
        report.figure(f"first picture, {name}, median", statistics.median(pictures), "ms", target)
        report.figure(f"a first visit, {name}, requests", requests, "", 40)
        report.figure(f"a first visit, {name}, over the line", kilobytes, "kB", 1200)
        report.figure(f"a second visit, {name}, over the line", again, "kB", 150)


def measure_experiment(visit: Visit, address: str, report: Report, sentence: str, runs: int) -> None:
    """In What if, a head off: each click meets a set of heads that the server has not seen."""
    visit.page.goto(f"{address}?level=heads&sentence={sentence.replace(' ', '+')}&tab=lab&lab.station=heads")
    visit.page.locator(".lab .heads .switches .cell").first.wait_for()
    visit.page.locator(".lab[data-runs]").wait_for()
    visit.page.evaluate(scripts.IN_PAGE)
    times = visit.page.evaluate(scripts.CLICK_HEADS, min(10, runs))
    report.figure("What if, a head off or on to painted, median", statistics.median(times), "ms", 300)


def measure(visit: Visit, report: Report, sentence: str, runs: int) -> None:
    visit.translate(sentence)
    visit.page.wait_for_timeout(500)
    measure_arrival(visit, report, sentence, 7)
    measure_stepping(visit, report, runs)
    measure_changes(visit, report, runs)
    measure_heap(visit, report)
    measure_cells(visit, report, runs)
    report.figure("errors and warnings", len(visit.complaints), "", 0)
    for complaint in visit.complaints:
        print(f"    {complaint[:200]}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=CASES, nargs="+", default=[*CASES], help="cases to measure (default: all)")
    parser.add_argument("--runs", type=int, default=100, help="steps, and changes of each sort, measured (default 100)")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="path of the browser")


def run(options: argparse.Namespace) -> str | int:
    """Measures every case; what it returns is the exit status."""
    torch.set_num_threads(2)
    shipped = checkpoint.load()
    report = Report()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        for name in options.only:
            print(CASES[name])
            pieces = int(name) if name.isdecimal() else None
            translator = random_translator(shipped.tokenizer, layers=6, heads=8) if pieces else shipped
            sentence = sentence_of(pieces, shipped.tokenizer) if pieces else examples()[1]["sentence"]
            app = AppContext(Recordings(translator), None)
            page = create_ui(app)
            _, address, _ = launch(page, AnswerService(app), prevent_thread_lock=True, quiet=True)
            if not pieces:
                measure_loading(browser, address, report)
            visit = Visit.to(browser, address)
            measure(visit, report, sentence, options.runs)
            if not pieces:
                measure_experiment(visit, address, report, sentence, options.runs)
            visit.page.close()
            page.close()
        browser.close()
    return f"{report.failed} targets missed" if report.failed else 0
