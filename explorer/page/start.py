"""Starts the page as a command was told to, and serves it until Ctrl-C."""

import os
import sys
import time
import webbrowser
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import gradio as gr

from explorer.experiments.laboratory import laboratory_of
from explorer.lessons.running import require_true
from explorer.page.lan import announcement
from explorer.page.launch import launch
from explorer.page.options import toys_at_once
from explorer.page.place import Place
from explorer.page.toys.toys import toys
from explorer.page.ui import create_ui
from explorer.recording.opened import Opened
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import require_translatable
from explorer.server.desk import Desk
from explorer.server.http import Answering
from explorer.server.log import write_log
from explorer.server.zero import lender, lent
from explorer.ui.language import FIRST, LanguageContext, use_language
from explorer.ui.open_files import allow_files
from explorer.ui.queue import Queue
from model import command
from model.checkpoints import checkpoint
from model.hardware import pick_device

CONNECTIONS = 8192  # that may be open at once


def start(options: Namespace, place: Place, name: str, desk: Callable[[Opened], Answering] = Desk) -> None:
    """Loads, builds, serves; what the command of this name cannot do ends it with a sentence.

    `desk` makes whoever answers what the page asks.
    """
    write_log(as_json=options.log_json)
    allow_files(CONNECTIONS)
    spaces = lender(os.environ)
    at_once = toys_at_once(options.toys, os.environ)
    with command.exit_on_error(name):
        folder = checkpoint.locate(options.model)
        translator = checkpoint.load(folder, "cpu" if spaces else pick_device(options.device))
        recordings = Recordings(translator)
        opened = Opened(recordings, folder, examples=options.examples, lessons=options.lessons, trains=at_once)
        with use_language(LanguageContext(FIRST, translator.languages)):
            require_translatable(options.examples, translator)
            if options.lessons:
                require_true(options.lessons, laboratory_of(opened))
    page = create_ui(opened)
    if spaces:
        opened.recordings.together = lent(translator, spaces)
    with command.exit_on_error(name):
        # Returns at once: there is more to say before waiting.
        _, url, _ = launch(
            page,
            desk(opened),
            host=place.host,
            port=place.port,
            language=options.language,
            prevent_thread_lock=True,
            quiet=True,
            **(toys(at_once) if at_once else {}),
        )
    with until_interrupted(page, opened.queue):
        print(f"The page is at {url} until Ctrl-C.", flush=True)
        if options.lan:
            print(announcement(page.server_port, sys.stdout.encoding, sys.stdout.isatty()), flush=True)
        if options.open:
            open_browser(url)
        while page.is_running:
            time.sleep(0.2)


def open_browser(url: str) -> None:
    """Shows the page in the visitor's browser, where there is one."""
    try:
        opened = webbrowser.open(url)
    except webbrowser.Error:
        opened = False
    if not opened:
        print("No browser could be opened from here; open the address yourself.", file=sys.stderr)


@contextmanager
def until_interrupted(page: gr.Blocks, queue: Queue) -> Iterator[None]:
    """Ctrl-C in its block ends the server once the job in hand is done."""
    try:
        yield
    except KeyboardInterrupt:
        queue.close()
        page.close(verbose=False)
