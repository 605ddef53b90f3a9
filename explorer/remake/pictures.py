"""Takes the three screenshots of the README, and the picture of a link's preview, from the page of a checkpoint.

    pip install -e ".[test]"
    python -m explorer.remake.pictures [--model FOLDER] [--into assets]

They show the first example: in Explore near its end, one cell in Inside, and the last two layers of cross-attention
switched off in What if; the preview is the first of them without what surrounds it. Look at them before committing: no
program can check that they still show what the README says.
"""

import argparse
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

from playwright.sync_api import Browser, sync_playwright

from explorer.page import link_preview
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from explorer.server.ask import AnswerService
from explorer.server.launch import launch
from model import command
from model.checkpoints import checkpoint
from model.decoding import Translator

NAME = "python -m explorer.remake.pictures"
WIDTH_PX, HEIGHT_PX = 1366, 768
PREVIEW_STYLE = """
:is(#toolbar, .tabs, #ask, #examples, #headline, .transport, footer, .warned, .pickers) { display: none !important; }
.viewer .panes { grid-template-columns: 1fr !important; }
#heading h1 { font-size: 34px; }
.viewer .plain { font-size: 32px; }
"""
REDRAW_MS = 500  # after a change of the style
# For each screenshot, an element that must be visible first.
READY_SELECTORS = {
    "explore": ".viewer[data-step]",
    "inside": "#inside [data-open] [data-value]:not(:empty)",
    "what-if": ".lab .heatmap .nsewdrag",
}


def url_states(translator: Translator) -> dict[str, dict[str, str]]:
    """The URL state of each screenshot; numbers count from one."""
    layers = translator.model.config.layers("decoder")
    example = examples(source=translator.languages.source)[0]["sentence"]
    last = range(max(1, layers - 1), layers + 1)
    heads = ",".join(f"cross.{layer}.{head + 1}" for layer in last for head in range(translator.model.config.n_heads))
    late = 3 * len(record(translator, example).steps) // 4  # shows most of the map
    sentence = {"sentence": example, "level": "heads"}
    cell = {"kind": "cross", "layer": str(max(1, layers - 1)), "head": "2", "step": "4"}
    return {
        "explore": {**sentence, "level": "picture", "step": str(late)},
        "inside": {**sentence, "tab": "inside", "inside.open": "softmax", **cell},
        "what-if": {**sentence, "tab": "lab", "lab.station": "heads", "lab.off": heads},
    }


def take_preview(browser: Browser, address: str, translator: Translator) -> None:
    """The picture of a link's preview: title, sentence, translation and heatmap, large enough for a thumbnail."""
    page = browser.new_page(viewport={"width": link_preview.WIDTH_PX, "height": link_preview.HEIGHT_PX})
    page.goto(f"{address}?{urlencode(url_states(translator)['explore'])}")
    page.locator(READY_SELECTORS["explore"]).first.wait_for()
    page.wait_for_load_state("networkidle")
    page.add_style_tag(content=PREVIEW_STYLE)
    page.wait_for_timeout(REDRAW_MS)
    page.screenshot(path=link_preview.PICTURE)
    page.close()
    print(link_preview.PICTURE, flush=True)


def take_screenshots(browser: Browser, address: str, translator: Translator, folder: Path) -> None:
    for name, state in url_states(translator).items():
        page = browser.new_page(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
        page.goto(f"{address}?{urlencode(state)}")
        page.locator(READY_SELECTORS[name]).first.wait_for()
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{name}.png")
        page.close()
        print(folder / f"{name}.png", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(NAME, description="Takes the pictures of the README.")
    command.add_model(parser)
    command.add_device(parser)
    parser.add_argument("--into", type=Path, default=Path("docs"), help="folder of the pictures")
    parser.add_argument(
        "--chromium",
        default=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
        help="path of the browser",
    )
    options = parser.parse_args(arguments)
    with command.exit_on_error(NAME):
        folder = checkpoint.locate(options.model)
        app = AppContext(Recordings(command.load(options, folder)), folder)
    page = create_ui(app)
    _, address, _ = launch(page, AnswerService(app), prevent_thread_lock=True, quiet=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"])
        take_screenshots(browser, address, app.recordings.translator, options.into)
        take_preview(browser, address, app.recordings.translator)
        browser.close()
    page.close()


if __name__ == "__main__":
    main()
