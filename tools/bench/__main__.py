"""The command `python -m tools.bench {speed,memory,browser,classroom,load}`."""

import argparse
import importlib
import sys

from model.command import interrupt_on_sigterm

COMMANDS = {
    "speed": "training, recording, experiments and the start compared with a reference",
    "memory": "what the page's process takes, at the start and with full caches",
    "browser": "from input to paint in headless Chromium, and what a visit costs",
    "classroom": "a class of many pages: from the teacher's press to the last of them",
    "load": "many concurrent visitors, with every response checked",
}


def main() -> None:
    parser = argparse.ArgumentParser("python -m tools.bench", description="Prints medians and ratios.")
    commands = parser.add_subparsers(dest="command", required=True)
    # Benchmarks need optional packages, so only the requested one is imported.
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        if name in sys.argv[1:2]:
            importlib.import_module(f"tools.bench.{name}").add_arguments(command)
    options = parser.parse_args()
    interrupt_on_sigterm()  # what a benchmark has started ends with it
    sys.exit(importlib.import_module(f"tools.bench.{options.command}").run(options))


if __name__ == "__main__":
    main()
