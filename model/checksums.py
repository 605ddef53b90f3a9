"""Checksums for a checkpoint that has none, or whose weights or tokenizer were changed on purpose.

    python -m model.checksums assets/small

Saving a checkpoint writes its `checksums.json`, and loading compares with it (see `model.checkpoints.integrity`).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from model import command
from model.checkpoints import checkpoint
from model.checkpoints.integrity import CHECKSUMS


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m model.checksums", description="Writes the checksums of a checkpoint.")
    parser.add_argument("folder", type=Path, help="checkpoint folder")
    folder = parser.parse_args(arguments).folder
    with command.exit_on_error("python -m model.checksums"):
        checkpoint.save_checksums(folder)
    print(f"The checksums are in {folder / CHECKSUMS}.")


if __name__ == "__main__":
    main()
