"""Takes the screenshots of README and guides, and the picture of a link's preview, from the page of a checkpoint.

    pip install -e ".[test]"
    python -m tools.pictures [--model FOLDER] [--into assets]

They show the first example near its end: the whole model in light and in dark, one of its heads, the view Picture, and
the run with the last two layers of cross-attention off; the preview is the first of them without what surrounds it.
Look at them before committing: no program can check that they still show what the texts say.
"""

import argparse
import io
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

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

NAME = "python -m tools.pictures"
WIDTH_PX, HEIGHT_PX = 1366, 768
COLOURS = 128
PREVIEW_STYLE = """
:is(#toolbar, .tabs, footer, #whole :is(.top, .tour, .legend, details)) { display: none !important; }
#heading h1 { font-size: 34px; }
#whole .told p { font-size: 26px; }
"""
REDRAW_MS = 500  # after a change of the style
# For each screenshot, an element that must be visible first.
READY_SELECTORS = {
    "whole": "#whole .whole[data-at]",
    "whole-dark": "#whole .whole[data-at]",
    "head": "#whole .head-board .says:not(:empty)",
    "explore": ".viewer[data-step]",
    "change": "#viewer [data-pane=first] .heatmap .nsewdrag",
}


def url_states(translator: Translator) -> dict[str, dict[str, str]]:
    """The URL state of each screenshot; numbers count from one."""
    layers = translator.model.config.layers("decoder")
    example = examples(source=translator.languages.source)[0]["sentence"]
    last = range(max(1, layers - 1), layers + 1)
    heads = ",".join(f"cross.{layer}.{head + 1}" for layer in last for head in range(translator.model.config.n_heads))
    late = 3 * len(record(translator, example).steps) // 4  # shows most of the map
    sentence = {"sentence": example, "level": "heads"}
    return {
        "whole": {**sentence, "tab": "whole", "step": str(late)},
        "whole-dark": {**sentence, "tab": "whole", "step": str(late)},
        "head": {**sentence, "tab": "whole", "whole.at": f"decoder.{layers}.cross.3", "step": str(late)},
        "explore": {**sentence, "level": "picture", "step": str(late)},
        "change": {**sentence, "change": f"off.{heads}", "compared": "beside", "step": str(late)}
        | {"layer": str(max(1, layers - 2))},  # the last that is left
    }


def take(page: Page, path: Path) -> None:
    """Saves what a page shows in few colours, a quarter of the bytes, which stay in the repository."""
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    page.close()
    print(path, flush=True)


def take_preview(browser: Browser, address: str, translator: Translator) -> None:
    """The picture of a link's preview: title, the whole model and its sentence, large enough for a thumbnail."""
    page = browser.new_page(viewport={"width": link_preview.WIDTH_PX, "height": link_preview.HEIGHT_PX})
    page.goto(f"{address}?{urlencode(url_states(translator)['whole'])}")
    page.locator(READY_SELECTORS["whole"]).first.wait_for()
    page.wait_for_load_state("networkidle")
    page.add_style_tag(content=PREVIEW_STYLE)
    page.wait_for_timeout(REDRAW_MS)
    take(page, link_preview.PICTURE)


def take_screenshots(browser: Browser, address: str, translator: Translator, folder: Path) -> None:
    for name, state in url_states(translator).items():
        scheme = "dark" if name.endswith("dark") else "light"
        page = browser.new_page(viewport={"width": WIDTH_PX, "height": HEIGHT_PX}, color_scheme=scheme)
        page.goto(f"{address}?{urlencode(state)}")
        page.locator(READY_SELECTORS[name]).first.wait_for()
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(REDRAW_MS)
        take(page, folder / f"{name}.png")


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
