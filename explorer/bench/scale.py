"""What a thousand and a hundred thousand visitors at once would need: arithmetic on measured figures.

python -m explorer.bench.scale              # the table in docs/scale.md
python -m explorer.bench.scale --measure    # the figures of this machine (.[test,bench], Chromium, Linux)
"""

import argparse
import shutil
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from random import Random
from typing import TYPE_CHECKING

import httpx
import torch

from model.checkpoints import checkpoint

if TYPE_CHECKING:
    from explorer.bench.load.server import Server

NAME = "python -m explorer.bench.scale"
VISITORS = (1_000, 100_000)
BATCH = 16
SENTENCES = 128


@dataclass(frozen=True)
class Figures:
    """Measured; processor time is of one core, bytes are compressed as sent, memory is RSS."""

    alone_s: float = 0.058  # of processor time for a translation by itself, its answer written out
    translation_s: float = 0.018  # the same in batches of 16, one thread
    question_s: float = 0.069  # of a replica's processor time for a question of the load benchmark's mix
    handed_s: float = 0.012  # of the page's processor time for an answer that a replica gives
    answer_bytes: float = 44_100  # of a translation
    visit_bytes: float = 677_500  # of a first visit
    visit_s: float = 0.317  # of the page's processor time for a first visit
    page_mb: float = 610  # of a page's process
    replica_mb: float = 715  # of a replica
    ray_mb: float = 785  # of Ray's own processes on a machine


@dataclass(frozen=True)
class Assumptions:
    """What nobody measured."""

    think_s: float = 5.0  # from an answer to the next question, as in the load benchmark
    answer_s: float = 1.0  # until an answer comes
    arrival_s: float = 300.0  # in which all come for the first time
    load: float = 0.6  # of a core that is made use of, so that nobody waits long
    traffic_dollars: float = 0.05  # a gigabyte out: a usual price of clouds, not of Hugging Face
    core_dollars: float = 0.04  # a virtual core and hour: a usual price of clouds
    upgrade_dollars: float = 0.03  # 8 virtual cores and hour: Hugging Face's CPU upgrade


@dataclass(frozen=True)
class Need:
    """What so many visitors at once need."""

    visitors: int
    questions: float  # a second
    replicas: int
    pages: int
    memory_gb: float  # of both
    small: int  # machines of 2 virtual cores
    large: int  # machines of 8
    steady_mbit: float  # a second, once all are there
    rush_mbit: float  # while they come
    dollars: float  # an hour, machines of 8
    upgrade: float  # the same at the price of Hugging Face
    traffic: float  # dollars an hour


def need(visitors: int, measured: Figures, assumed: Assumptions) -> Need:
    questions = visitors / (assumed.think_s + assumed.answer_s)
    arrivals = visitors / assumed.arrival_s
    replicas = ceil(questions * measured.question_s / assumed.load)
    pages = ceil((questions * measured.handed_s + arrivals * measured.visit_s) / assumed.load)
    cores = replicas + pages
    small, large = ceil(cores / 2), ceil(cores / 8)
    steady = questions * measured.answer_bytes
    return Need(
        visitors,
        questions,
        replicas,
        pages,
        (replicas * measured.replica_mb + pages * measured.page_mb + large * measured.ray_mb) / 1000,
        small,
        large,
        steady * 8e-6,
        (steady + arrivals * measured.visit_bytes) * 8e-6,
        large * 8 * assumed.core_dollars,
        large * assumed.upgrade_dollars,
        steady * 3600e-9 * assumed.traffic_dollars,
    )


def ends(measured: Figures, assumed: Assumptions) -> dict[str, float]:
    """How many visitors at once each part carries when it is used to the full: what has fewest breaks first."""
    each = 1 / (assumed.think_s + assumed.answer_s)  # questions a second
    return {
        "one replica, the mix": 1 / (each * measured.question_s),
        "one replica, translations only": 1 / (each * measured.translation_s),
        "one page's process, everybody there already": 1 / (each * measured.handed_s),
        "one page's process, all coming within five minutes": 1
        / (each * measured.handed_s + measured.visit_s / assumed.arrival_s),
        "a line of 1 Gbit/s, everybody there already": 1e9 / 8 / (each * measured.answer_bytes),
        "a line of 1 Gbit/s, all coming within five minutes": 1e9
        / 8
        / (each * measured.answer_bytes + measured.visit_bytes / assumed.arrival_s),
    }


def table(measured: Figures, assumed: Assumptions) -> Iterator[str]:
    """Markdown."""
    needs = [need(visitors, measured, assumed) for visitors in VISITORS]
    rows: dict[str, Sequence[str]] = {
        "questions a second": [f"{one.questions:,.0f}" for one in needs],
        "replicas (a core each)": [f"{one.replicas:,}" for one in needs],
        "processes of the page (a core each)": [f"{one.pages:,}" for one in needs],
        "memory of all": [f"{one.memory_gb:,.0f} GB" for one in needs],
        "machines of 2 virtual cores": [f"{one.small:,}" for one in needs],
        "or machines of 8": [f"{one.large:,}" for one in needs],
        "out, once all are there": [f"{one.steady_mbit:,.0f} Mbit/s" for one in needs],
        "out, while they come": [f"{one.rush_mbit:,.0f} Mbit/s" for one in needs],
        "machines of 8, an hour, at $0.04 a core": [f"${one.dollars:,.2f}" for one in needs],
        "the same at Hugging Face's $0.03 for 8": [f"${one.upgrade:,.2f}" for one in needs],
        "traffic, an hour, at $0.05 a GB": [f"${one.traffic:,.2f}" for one in needs],
    }
    yield "| visitors at once | " + " | ".join(f"{visitors:,}" for visitors in VISITORS) + " |"
    yield "| --- |" + " ---: |" * len(VISITORS)
    yield from (f"| {name} | {' | '.join(found)} |" for name, found in rows.items())
    yield ""
    yield "| used to the full | carries visitors |"
    yield "| --- | ---: |"
    yield from (f"| {name} | {count:,.0f} |" for name, count in ends(measured, assumed).items())


def measure_translating() -> dict[str, float]:
    """Of the shipped model on one thread, with the sentences of the load benchmark."""
    from explorer.bench.load.sentences import sentence
    from explorer.recording.recordings import Recordings
    from explorer.server.http import LEVEL
    from explorer.tabs.explore.answer import trace_answer

    torch.set_num_threads(1)
    random, found, answers = Random(1), {}, []
    texts = [sentence(random) for _ in range(SENTENCES)]
    for name, together in (("alone_s", 1), ("translation_s", BATCH)):
        recordings, began = Recordings(checkpoint.load()), time.process_time()
        for start in range(0, SENTENCES, together):
            recordings.remember([(text, text) for text in texts[start : start + together]])
            answers = [trace_answer(recordings, text) for text in texts[start : start + together]]
        found[name] = (time.process_time() - began) / SENTENCES
    sizes = [len(zlib.compress(answer.encode(), LEVEL)) for answer in answers]
    return {**found, "answer_bytes": sum(sizes) / len(sizes)}


def measure_visits(runs: int = 5) -> dict[str, float]:
    """Of the page as its command starts it, in Chromium."""
    from playwright.sync_api import sync_playwright

    from explorer.bench.browser import FLAGS
    from explorer.bench.load.server import Times, app, free_port, memory, started
    from explorer.bench.loading import first_visits

    port = free_port()
    with started(*app(None), "--port", str(port), port=port) as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        first_visits(browser, server.address, 1)  # what a server does once
        before = Times.now(server.pid)
        visits = first_visits(browser, server.address, runs)
        after = Times.now(server.pid)
        assert before and after, "this needs Linux"
        found = {"visit_bytes": sum(visits[-1].sizes.values()), "visit_s": after.since(before).process / runs}
        found["requests"] = len(visits[-1].sizes)
        for name, path in (("css_s", "/theme.css"), ("html_s", "/")):
            found[name] = measure_file(server, path)
        return {**found, "page_mb": memory(server.pid) or 0.0}


def measure_file(server: "Server", path: str, count: int = 100) -> float:
    """Seconds of the page's processor time for a file."""
    from explorer.bench.load.server import Times

    before = Times.now(server.pid)
    with httpx.Client(base_url=server.address, headers={"Accept-Encoding": "gzip"}) as client:
        for _ in range(count):
            client.get(path).raise_for_status()
    after = Times.now(server.pid)
    assert before and after, "this needs Linux"
    return after.since(before).process / count


def main() -> None:
    parser = argparse.ArgumentParser(NAME, description="What many visitors at once would need.")
    parser.add_argument("--measure", action="store_true", help="the figures of this machine, but those of Ray")
    parser.add_argument("--think", type=float, default=Assumptions.think_s, help="seconds between questions")
    options = parser.parse_args()
    if options.measure:
        for name, figure in {**measure_translating(), **measure_visits()}.items():
            print(f"{name}: {figure:.4g}", flush=True)
        return
    print(*table(Figures(), replace(Assumptions(), think_s=options.think)), sep="\n")


if __name__ == "__main__":
    main()
