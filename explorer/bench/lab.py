"""How long the experiments of the room What if take, against one plain translation of the same sentence.

    pip install -e ".[test]"
    python -m explorer.bench.lab

Everything is computed in turn, so that a machine that grows slower meets all alike, and given in milliseconds and as
so many times a plain translation. Then one head after another is switched off in headless Chromium, from the click to
the painted picture, next to a new plain translation from Enter to painted. The shipped model, a sentence of 20 pieces;
the targets are those of a laptop with two cores.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import torch
from playwright.sync_api import sync_playwright

from explorer.bench.browser import FLAGS, Report, Visit
from explorer.bench.page_scripts import IN_PAGE
from explorer.bench.timing import interleaved
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.omission import omission
from explorer.experiments.patching import cell_places, parting, runs
from explorer.experiments.ranking import all_heads, rank_heads
from explorer.experiments.running import run
from explorer.page.launch import launch
from explorer.page.ui import create_ui
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.server.desk import Desk
from model.beam import beam_tree
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.sampling import Sampling, draw

WORDS = "A man in a blue shirt is standing on a ladder cleaning a window of the old house near the lake in the park"
PIECES = 20
PLAIN = "a plain translation"
# In milliseconds. A target of the is of the whole; without one a part of the page's half second counts.
TARGETS = {"ranking all heads": 1500, "patching, every head": 3000, "patching, every cell": 3000}

# A head is clicked; the picture is there when the room has drawn the answer.
CLICKS = """async (count) => {
    const lab = document.querySelector(".lab"), cells = [...document.querySelectorAll(".lab .heads .switches .cell")];
    const drawn = () => new Promise((done) => new MutationObserver((_, observer) => { observer.disconnect(); done(); })
        .observe(lab, { attributeFilter: ["data-runs"] }));
    const times = [];
    for (let i = 0; i < count; i++) {
        await frame();
        await frame();
        const shown = drawn(), start = performance.now();
        cells[(7 * i) % cells.length].click();
        await shown;
        await painted();
        times.push(performance.now() - start);
    }
    return times;
}"""


def sentence_of(translator: Translator) -> str:
    """The first words, as many as make 20 pieces with this tokenizer."""
    words = WORDS.split()
    sentences = [f"{' '.join(words[:count])}." for count in range(len(words), 0, -1)]
    fitting = [sentence for sentence in sentences if len(translator.source_ids(sentence)) == PIECES]
    if not fitting:
        sys.exit(f"The benchmark's sentence cannot be cut to {PIECES} pieces with this tokenizer.")
    return fitting[0]


def experiments(translator: Translator, sentence: str) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    trace, other = record(translator, sentence), record(translator, sentence.replace("blue", "green"))
    ids, found = translator.source_ids(sentence), parting(translator, other, trace)
    cells = [*cell_places(found, "encoder"), *cell_places(found, "decoder")]
    return {
        PLAIN: lambda: record(translator, sentence),
        "one head off": lambda: run(translator, sentence, Experiment(off=(HeadAt("cross", 3, 4),))),
        "ranking all heads": lambda: rank_heads(translator, trace),
        "patching, every head": lambda: runs(found).patched(all_heads(translator.model.config)),
        "patching, every cell": lambda: runs(found).patched(cells),
        "leave one out": lambda: omission(translator, trace, range(len(trace.source))),
        "beam of 4, as a tree": lambda: beam_tree(translator, ids, 4),
        "beam of 4, the search alone": lambda: translator.beam_search(torch.tensor([ids]), 4),
        "five samples": lambda: draw(translator, ids, Sampling(), range(5)),
    }


def measure_functions(translator: Translator, sentence: str, report: Report, counted: int) -> None:
    timed = interleaved(experiments(translator, sentence), counted)
    medians = {name: 1000 * seconds for name, seconds in timed.items()}
    for name, median in medians.items():
        report.figure(f"{name} ({median / medians[PLAIN]:.1f} x plain)", median, "ms", TARGETS.get(name, 500))


def measure_page(visit: Visit, sentence: str, report: Report, address: str, counted: int) -> None:
    """Every click meets a set of heads that the server has not seen, so that nothing is remembered."""
    plain = statistics.median(translated(visit, f"{sentence[:-1]}{'!' * (i + 1)}") for i in range(5))
    open_lab(visit, sentence, address)
    visit.page.evaluate(IN_PAGE)
    off = statistics.median(visit.page.evaluate(CLICKS, counted))
    report.figure("a plain translation, Enter to painted, median", plain, "ms", 500)
    report.figure(f"a head off or on, click to painted ({off / plain:.1f} x plain)", off, "ms", 300)
    report.figure("errors and warnings", len(visit.complaints), "", 0)
    for complaint in visit.complaints:
        print(f"    {complaint[:200]}")


def translated(visit: Visit, sentence: str) -> float:
    """Milliseconds from Enter until Explore has drawn a new sentence."""
    start = time.perf_counter()
    visit.translate(sentence)
    visit.page.evaluate("painted()")
    return 1000 * (time.perf_counter() - start)


def open_lab(visit: Visit, sentence: str, address: str) -> None:
    """Opens the sentence in the room, at the station of the heads."""
    visit.page.goto(f"{address}?level=heads&sentence={sentence.replace(' ', '+')}&tab=lab&lab.station=heads")
    visit.page.locator(".lab .heads .switches .cell").first.wait_for()
    visit.page.locator(".lab[data-runs]").wait_for()


def main() -> None:
    parser = argparse.ArgumentParser("python -m explorer.bench.lab", description="Speed of the experiments.")
    parser.add_argument("--runs", type=int, default=10, help="counted runs of each (default 10)")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="path of the browser")
    options = parser.parse_args()
    torch.set_num_threads(2)
    translator, report = checkpoint.load(), Report()
    sentence = sentence_of(translator)
    print(f"computed, medians of {options.runs}")
    measure_functions(translator, sentence, report, options.runs)
    print("in the browser")
    opened = Opened(Recordings(translator), None)
    page = create_ui(opened)
    _, address, _ = launch(page, Desk(opened), prevent_thread_lock=True, quiet=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=FLAGS)
        measure_page(Visit.to(browser, address), sentence, report, address, options.runs)
        browser.close()
    page.close()
    sys.exit(f"{report.failed} targets missed" if report.failed else 0)


if __name__ == "__main__":
    main()
