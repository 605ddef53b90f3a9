"""What a page's process takes, at its start and after many visitors: caches fill, and what is old is evicted.

Each sentence is translated; of every tenth usual one a head, a prediction, an experiment and a ranking follow.
"""

import argparse
import json
from random import Random
from string import ascii_lowercase
from typing import Any

import httpx

from tools.bench.load import memory_mb, run_server
from tools.bench.load_requests import FOLLOW_UPS, Request, translation_request

LETTERS = 102  # with blanks between them: some 115 tokens; the page takes 128
STEPS = 4  # lines printed of each kind of sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sentences", type=int, default=2000, help="usual sentences, all different (default 2000)")
    parser.add_argument("--long", type=int, default=300, help="sentences of some 115 tokens, too (default 300)")


def ask(address: str, request: Request) -> Any:
    """The checked answer to a question."""
    body = {"question": request.question, "arguments": request.arguments, "language": "en"}
    response = httpx.post(f"{address}/ask", json=body, timeout=None, trust_env=False)
    answer = json.loads(response.raise_for_status().text.splitlines()[-1])
    assert request.is_answer(answer), request
    return answer


def long_request(random: Random) -> Request:
    text = " ".join(random.choices(ascii_lowercase, k=LETTERS))
    return Request("translate", [text], lambda answer: answer["sentence"] == text)


def run(options: argparse.Namespace) -> int:
    random = Random(7)
    with run_server("-m", "explorer") as server:
        assert server.pid
        print(f"  at the start {memory_mb(server.pid):32.0f} MB", flush=True)
        kinds = ((options.sentences, translation_request, "usual"), (options.long, long_request, "long"))
        for count, make, name in kinds:
            for number in range(1, count + 1):
                trace = ask(server.address, make(random))
                if make is translation_request and number % 10 == 0:
                    for follow_up in FOLLOW_UPS:
                        ask(server.address, follow_up(random, trace))
                if number % max(1, count // STEPS) == 0:
                    print(f"  after {number:5} {name:5} sentences {memory_mb(server.pid):15.0f} MB", flush=True)
    return 0
