"""Starts the page with the options of a command, and serves it until Ctrl-C or SIGTERM."""

import os
import sys
import time
import webbrowser
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import gradio as gr
import torch
from starlette.routing import Route

from explorer.experiments.laboratory import shared_laboratory
from explorer.lessons.running import require_claims_hold
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import require_translatable
from explorer.server.ask import AnswerService
from explorer.server.class_keys import new_key
from explorer.server.class_routes import class_routes
from explorer.server.class_state import Classroom, Classrooms
from explorer.server.launch import launch
from explorer.server.listen_address import ListenAddress, addresses, announcement, local_url
from explorer.server.log import configure_log
from explorer.server.options import is_for_lan, max_trainings
from explorer.server.toys import toys
from explorer.server.trusted_hosts import trusted_sites
from explorer.server.zero_gpu import on_zero_gpu, zero_gpu
from explorer.ui.language import FIRST, LanguageContext, use_language
from model import command
from model.checkpoints import checkpoint
from model.hardware import pick_device


def start(
    options: Namespace,
    address: ListenAddress,
    name: str,
    service: Callable[[AppContext], AnswerService] = AnswerService,
) -> None:
    """Loads the model, builds the page and serves it; an error ends the command of this name with a sentence.

    `service` makes what answers the page's requests.
    """
    configure_log(as_json=options.log_json)
    spaces = zero_gpu(os.environ)
    with command.exit_on_error(name):
        app = load_app(options, "cpu" if spaces else pick_device(options.device))
        page = create_ui(app)
    if spaces:
        app.recordings.record_batch = on_zero_gpu(app.translator, spaces)
    classrooms = Classrooms()
    first_class = classrooms.add(new_key()) if options.begins_class else None
    answering = service(app)
    with until_interrupted(page, answering):
        with command.exit_on_error(name):
            # Returns at once: the URL is printed before waiting.
            _, url, _ = launch(
                page,
                answering,
                host=address.host,
                port=address.port,
                language=options.language,
                sites=trusted_sites(os.environ, [address.host, *options.allow_host], options.allow_origin),
                prevent_thread_lock=True,
                quiet=True,
                **more_routes(
                    app, class_routes(classrooms, addresses() if is_for_lan(options) else [], options.language)
                ),
            )
        local_url = print_addresses(page, url, first_class, for_lan=is_for_lan(options))
        if options.open:
            open_browser(local_url)
        while page.is_running:
            time.sleep(0.2)


def print_addresses(page: gr.Blocks, url: str, first_class: Classroom | None, *, for_lan: bool) -> str:
    """Prints where the page is for its owner and for others, and returns the owner's address."""
    url, remark = local_url(url)
    print(f"The page is at {url} until Ctrl-C.", *filter(None, [remark]), flush=True)
    if first_class:
        url = f"{url}?class={first_class.code}#key={first_class.key}"
        print(f"Your own page, which leads the class {first_class.code} and is for you alone: {url}", flush=True)
    if for_lan:
        code = first_class.code if first_class else ""
        print(announcement(page.server_port, code, sys.stdout.encoding, sys.stdout.isatty()), flush=True)
    return url


def more_routes(app: AppContext, routes: list[Route]) -> dict[str, Any]:
    """The options of `launch` for these routes, and for toys if the app may train any."""
    training = toys(app) if app.max_trainings else {}
    return {**training, "routes": [*routes, *training.get("routes", [])]}


def load_app(options: Namespace, device: torch.device | str) -> AppContext:
    """The checkpoint with the examples and lessons of the options.

    Raises OSError, UserError or CheckpointError where one of them is missing or refused.
    """
    folder = checkpoint.locate(options.model)
    translator = checkpoint.load(folder, device, options.threads)
    app = AppContext(
        Recordings(translator),
        folder,
        examples=options.examples,
        lessons=options.lessons,
        begins_class=options.begins_class,
        max_trainings=max_trainings(options.toys, os.environ),
    )
    with use_language(LanguageContext(FIRST, translator.languages)):
        require_translatable(options.examples, translator)
        if options.lessons:
            require_claims_hold(options.lessons, shared_laboratory(app))
    return app


def open_browser(url: str) -> None:
    """Opens the page in the default browser, if there is one."""
    try:
        is_open = webbrowser.open(url)
    except webbrowser.Error:
        is_open = False
    if not is_open:
        print("No browser could be opened from here; open the address yourself.", file=sys.stderr)


@contextmanager
def until_interrupted(page: gr.Blocks, answering: AnswerService) -> Iterator[None]:
    """Ctrl-C inside, or SIGTERM, ends the server after the job in hand; who waits is told so.

    Where it has not begun to serve, nobody waits, and the interrupt is the caller's.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not page.is_running:
            raise
        answering.close()
        page.close(verbose=False)
