"""Starts the attention explorer: python app.py [--model NAME] [--device auto] [--host ...] [--port ...]"""

import argparse
import os
import sys

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

from explorer.page.launch import launch
from explorer.page.ui import create_ui
from model import checkpoint
from model.hardware import pick_device


def main() -> None:
    parser = argparse.ArgumentParser(description="Look inside a Transformer while it translates.")
    parser.add_argument("--model", default=checkpoint.SHIPPED, help=checkpoint.NAME_HELP)
    parser.add_argument("--device", default="auto", help="cuda, mps, cpu or auto")
    parser.add_argument("--host", help="address to listen on (default: GRADIO_SERVER_NAME or 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, help="port to listen on (default: GRADIO_SERVER_PORT or the first free from 7860)"
    )
    options = parser.parse_args()
    try:
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(str(folder), pick_device(options.device))
    except (checkpoint.CheckpointError, ValueError) as error:
        sys.exit(f"app.py: {error}")
    launch(create_ui(translator, folder), host=options.host, port=options.port)


if __name__ == "__main__":
    main()
