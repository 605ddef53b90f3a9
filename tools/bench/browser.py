"""Measures how fast the page responds in headless Chromium, and the cost of a visit.

It opens the page with a random checkpoint of 6 layers and 8 heads and forced lengths (40 x 40 and 60 x 60 pieces), and
with the shipped checkpoint and an example. Main-thread work (script, style, layout, paint) is summed from Chromium's
trace; times until the picture is painted are taken in the page.
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

from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.server.ask import AnswerService
from explorer.server.launch import launch
from model.checkpoints import checkpoint
from model.config import ModelConfig
from model.decoding import Step, Translator
from model.tokenizer import Tokenizer
from model.transformer import Encoded, Transformer
from tools.bench import page_scripts as scripts

QUIET_MS = 1500  # wait after the first picture for late responses
SLOW_NETWORK = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
CPU_SLOWDOWN = 4
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu"]
TRACE_CATEGORIES = ["blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"]
MIB = 1024 * 1024
VIEWPORT: ViewportSize = {"width": 1366, "height": 768}
CASES = {
    "40": "random 6 x 8, 40 x 40 pieces",
    "60": "random 6 x 8, 60 x 60 pieces",
    "shipped": "shipped checkpoint, an example",
}


class ForcedLengthTranslator(Translator):
    """Translates every sentence into as many pieces as its source has."""

    def steps(self, encoded: Encoded, **lengths) -> Iterator[Step]:
        length = encoded.memory.size(1)
        yield from super().steps(encoded, min_steps=length, max_steps=length)


def random_translator(tokenizer: Tokenizer, layers: int, heads: int) -> ForcedLengthTranslator:
    torch.manual_seed(0)
    vocab: dict[str, Any] = {"src_vocab_size": tokenizer.vocab_size, "tgt_vocab_size": tokenizer.vocab_size}
    config = ModelConfig(n_layers=layers, n_heads=heads, d_model=16 * heads, d_ff=64 * heads, max_len=256, **vocab)
    return ForcedLengthTranslator(Transformer(config).eval(), tokenizer)


def make_sentence(pieces: int, tokenizer: Tokenizer) -> str:
    """A sentence of one-piece words that has the given number of pieces, with its end."""
    words = [piece[1:] for piece in tokenizer.pieces(list(range(tokenizer.vocab_size))) if piece[1:].isalpha()]
    words = [word for word in words if len(word) == 2 and len(tokenizer.encode(word)) == 1]
    sentence = " ".join((words * pieces)[: pieces - 1])
    if len(tokenizer.encode(sentence)) != pieces - 1:
        sys.exit(f"The benchmark's sentence does not have {pieces} tokens with this tokenizer.")
    return sentence


@dataclass
class Report:
    """Prints each figure with its target, and counts the missed targets."""

    n_missed: int = 0

    def add(self, name: str, value: float, unit: str, target: float, *, at_least: bool = False) -> None:
        is_met = value >= target if at_least else value <= target
        self.n_missed += not is_met
        bound = "at least" if at_least else "at most"
        print(f"  {name:50} {value:8.1f} {unit:9} {bound} {target:g}{'' if is_met else '   MISSED'}", flush=True)


@dataclass(eq=False)
class Visit:
    """An open page under measurement."""

    browser: Browser
    page: Page
    cdp: CDPSession
    requests: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, browser: Browser, address: str) -> "Visit":
        page = browser.new_page(viewport=VIEWPORT)
        visit = cls(browser, page, page.context.new_cdp_session(page))
        page.on("request", visit.note_request)
        page.on("pageerror", lambda error: visit.console_errors.append(str(error)))
        page.on("console", visit.note_message)
        page.goto(f"{address}?level=heads")
        page.locator(".viewer[data-step] .heatmap .nsewdrag").first.wait_for()
        page.evaluate(scripts.DEFINE_TIMING)
        return visit

    def note_request(self, request: Request) -> None:
        if not request.url.startswith("data:"):  # Plotly draws cells as data URLs
            self.requests.append(request.url)

    def note_message(self, message: ConsoleMessage) -> None:
        """Notes errors, and warnings of our scripts."""
        if message.type == "error" or (message.type == "warning" and "/gradio_api/file=" in message.location["url"]):
            self.console_errors.append(message.text)

    def translate(self, sentence: str) -> None:
        before = self.page.locator(".viewer").get_attribute("data-submission")
        self.page.locator("#sentence textarea, #sentence input").fill(sentence)
        self.page.locator("#sentence textarea, #sentence input").press("Enter")
        self.page.wait_for_function(
            "(before) => document.querySelector('.viewer').dataset.submission !== before", arg=before
        )

    def run_traced(self, script: str, argument: Any = None) -> tuple[Any, list[dict[str, Any]]]:
        """Runs a script; returns its result and the trace events, sorted by time."""
        self.browser.start_tracing(page=self.page, categories=TRACE_CATEGORIES)
        result = self.page.evaluate(script, argument)
        return result, self.stop_tracing()

    def stop_tracing(self) -> list[dict[str, Any]]:
        """Stops tracing; returns the events sorted by time."""
        events = json.loads(self.browser.stop_tracing())["traceEvents"]
        return sorted(events, key=lambda event: event.get("ts", 0))

    def heap_bytes(self) -> float:
        """Bytes in use after forced garbage collection."""
        for _ in range(3):
            self.cdp.send("HeapProfiler.collectGarbage")
        return self.cdp.send("Runtime.getHeapUsage")["usedSize"]


def main_thread_work(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of main-thread tasks between each pair of marks."""
    marks = [e for e in events if e["name"] in ("begin", "end") and "blink.user_timing" in e["cat"]]
    thread = (marks[0]["pid"], marks[0]["tid"])
    tasks = [e for e in events if e["name"] == "RunTask" and (e["pid"], e["tid"]) == thread and "dur" in e]
    spans = [(begin["ts"], end["ts"]) for begin, end in zip(marks[::2], marks[1::2], strict=True)]

    def overlap(task: dict[str, Any], begin: float, end: float) -> float:
        # The task that contains the begin mark started before it.
        return max(0, min(task["ts"] + task["dur"], end) - max(task["ts"], begin))

    return [sum(overlap(task, begin, end) for task in tasks) / 1000 for begin, end in spans]


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def arrival_to_paint(events: list[dict[str, Any]]) -> float:
    """Milliseconds from the last chunk of the response until its picture is painted."""
    painted = next(e["ts"] for e in events if e["name"] == "painted")
    sent = [e["args"]["data"] for e in events if e["name"] == "ResourceSendRequest"]
    data_urls = {request["requestId"] for request in sent if request["url"].startswith("data:")}  # cells of Plotly
    chunks = [e for e in events if e["name"] == "ResourceReceivedData" and e["ts"] < painted]
    chunks = [e for e in chunks if e["args"]["data"]["requestId"] not in data_urls]
    # The end of the stream after the response is a few bytes.
    arrived = max(e["ts"] for e in chunks if e["args"]["data"]["encodedDataLength"] > 1000)
    return (painted - arrived) / 1000


def measure_stepping(visit: Visit, report: Report, runs: int) -> None:
    _, events = visit.run_traced(scripts.TIME_STEPS, runs)
    report.add("a step, work on the main thread, median", statistics.median(main_thread_work(events)), "ms", 16)
    report.add("playing as a film", visit.page.evaluate(scripts.TIME_PLAYBACK), "steps/s", 50, at_least=True)


def measure_changes(visit: Visit, report: Report, runs: int) -> None:
    visit.requests.clear()
    times = []
    for what in ("kind", "layer", "head"):
        painted, events = visit.run_traced(scripts.TIME_CHANGES, [what, runs])
        times += painted
        report.add(f"a change of {what}, work, median", statistics.median(main_thread_work(events)), "ms", 50)
    report.add("any of these, click to painted, 95th percentile", p95(times), "ms", 120)
    report.add(f"requests during these {3 * runs} changes", len(visit.requests), "", 0)


def measure_arrival(visit: Visit, report: Report, sentence: str, runs: int) -> None:
    visit.page.evaluate(scripts.WATCH_ARRIVAL)
    times = []
    for _ in range(runs):
        visit.browser.start_tracing(page=visit.page, categories=TRACE_CATEGORIES)
        visit.page.evaluate("window.arrived = false")
        visit.translate(sentence)
        visit.page.wait_for_function("window.arrived")
        times.append(arrival_to_paint(visit.stop_tracing()))
    report.add("a new translation, from answer to painted, median", statistics.median(times), "ms", 150)


def measure_heap(visit: Visit, report: Report) -> None:
    visit.page.evaluate(scripts.STEP_BACK_AND_FORTH, 60)  # fills the caches
    before = visit.heap_bytes()
    visit.page.evaluate(scripts.STEP_BACK_AND_FORTH, 300)
    report.add("growth of the heap over 300 steps", (visit.heap_bytes() - before) / MIB, "MiB", 20)


def visit_cost(context: BrowserContext, address: str, *, slow: bool = False) -> tuple[int, float, float]:
    """The requests, transferred kilobytes and milliseconds to the first picture of a visit."""
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
        session.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    page.goto(address, wait_until="commit")
    picture = page.evaluate("firstPicture")
    page.wait_for_timeout(QUIET_MS)
    page.close()
    return len(sizes), sum(sizes.values()) / 1000, picture


def measure_loading(browser: Browser, address: str, report: Report) -> None:
    """Measures first and second visits; their size depends little on the model."""
    for name, runs, slow, target in (("plain", 5, False, 1500), ("10 Mbit/s, CPU 4 times slower", 3, True, 6000)):
        pictures, requests, kilobytes, again = [], 0, 0.0, 0.0
        for _ in range(runs):
            with closing(browser.new_context(viewport=VIEWPORT)) as context:
                requests, kilobytes, picture = visit_cost(context, address, slow=slow)
                again = visit_cost(context, address)[1]
                pictures.append(picture)
        report.add(f"first picture, {name}, median", statistics.median(pictures), "ms", target)
        report.add(f"a first visit, {name}, requests", requests, "", 40)
        report.add(f"a first visit, {name}, transferred", kilobytes, "kB", 1100)
        report.add(f"a second visit, {name}, transferred", again, "kB", 150)


def measure_experiment(visit: Visit, address: str, report: Report, sentence: str, runs: int) -> None:
    """Measures switches of heads in the drawer; each click asks for a set of heads that the server has not cached."""
    visit.page.goto(f"{address}?level=heads&sentence={sentence.replace(' ', '+')}&drawer.panel=heads")
    visit.page.locator(".drawer .heads .switches .cell").filter(visible=True).first.wait_for()
    visit.page.evaluate(scripts.DEFINE_TIMING)
    times = visit.page.evaluate(scripts.TIME_HEAD_SWITCHES, min(10, runs))
    report.add("a head switched off to painted, median", statistics.median(times), "ms", 300)


def measure(visit: Visit, report: Report, sentence: str, runs: int) -> None:
    visit.translate(sentence)
    visit.page.wait_for_timeout(500)
    measure_arrival(visit, report, sentence, 7)
    measure_stepping(visit, report, runs)
    measure_changes(visit, report, runs)
    measure_heap(visit, report)
    report.add("errors and warnings", len(visit.console_errors), "", 0)
    for error in visit.console_errors:
        print(f"    {error[:200]}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=CASES, nargs="+", default=[*CASES], help="cases to measure (default: all)")
    parser.add_argument("--runs", type=int, default=100, help="steps, and changes of each sort, measured (default 100)")
    parser.add_argument(
        "--chromium",
        default=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
        help="path of the browser",
    )


def run(options: argparse.Namespace) -> str | int:
    """Measures every case and returns the exit status."""
    shipped = checkpoint.load()
    report = Report()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=CHROMIUM_FLAGS)
        for name in options.only:
            print(CASES[name])
            pieces = int(name) if name.isdecimal() else None
            translator = random_translator(shipped.tokenizer, layers=6, heads=8) if pieces else shipped
            sentence = make_sentence(pieces, shipped.tokenizer) if pieces else examples()[1]["sentence"]
            app = AppContext(Recordings(translator), None)
            page = create_ui(app)
            _, address, _ = launch(page, AnswerService(app), prevent_thread_lock=True, quiet=True)
            if not pieces:
                measure_loading(browser, address, report)
            visit = Visit.start(browser, address)
            measure(visit, report, sentence, options.runs)
            if not pieces:
                measure_experiment(visit, address, report, sentence, options.runs)
            visit.page.close()
            page.close()
        browser.close()
    return f"{report.n_missed} targets missed" if report.n_missed else 0
