"""What browser tests share: Debian's Chromium driven by playwright, and the page as a visitor sees it."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from model.decoding import Translator

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
TIMEOUT = 30_000  # milliseconds; generous, because a busy machine must not fail a test
expect.set_options(timeout=TIMEOUT)

if CHROMIUM is None and os.environ.get("REQUIRE_BROWSER"):
    pytest.fail("no Chromium: apt-get install chromium, or set CHROMIUM to its path", pytrace=False)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def served(translator: Translator, folder: Path | None = None) -> Iterator[str]:
    """The page around a translator, with what its checkpoint's folder holds, at a local address."""
    from explorer.page.launch import launch
    from explorer.page.ui import create_ui

    page = create_ui(translator, folder)
    _, address, _ = launch(page, prevent_thread_lock=True, quiet=True)
    yield address
    page.close()


def visited(browser: Browser, address: str, width: int = 1366, height: int = 768) -> Iterator[Page]:
    """The page, opened and drawn; at the end nothing may have failed and nothing been asked of another host."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(TIMEOUT)
    errors: list[str] = []
    origin = address.split("?")[0]
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith((origin, "data:", "blob:")) else errors.append(request.url),
    )
    page.goto(address)
    expect(page.locator(".status")).to_contain_text("Step")
    yield page
    page.close()
    assert errors == []


def open_tab(page: Page, name: str) -> None:
    """By its button, or from the menu into which a narrow page moves it."""
    tab = page.get_by_role("tab", name=name, exact=True)
    if tab.count():
        tab.click()
    else:
        page.get_by_label("More tabs").click()
        page.locator(".overflow-dropdown button", has_text=name).click()


def translate(page: Page, sentence: str) -> None:
    page.get_by_placeholder("Type an English sentence").fill(sentence)
    page.get_by_placeholder("Type an English sentence").press("Enter")


def source(page: Page) -> list[str]:
    return page.locator("[data-role=source] .piece > span").all_inner_texts()


def target(page: Page) -> list[str]:
    """What is seen of the German: the start and the pieces made so far."""
    pieces = page.locator("[data-role=target] .piece")
    return [piece.locator("span").inner_text() for piece in pieces.all() if piece.is_visible()]


def choose(page: Page | Locator, kind: str, layer: int | str, head: int | str) -> None:
    """Zero-based, as in the trace; or "mean" or "max"."""
    page.locator(f".kinds button[value={kind}]").click()
    for role, choice in (("layer", layer), ("head", head)):
        label = choice if isinstance(choice, str) else str(choice + 1)
        page.locator(f"[data-role={role}]").select_option(label=label)


def go_to(page: Page, step: int) -> None:
    """Zero-based."""
    page.locator("[data-role=slider]").fill(str(step + 1))


def option(page: Page, name: str) -> Locator:
    """A control among the options, which are opened first."""
    page.locator(".options").evaluate("(details) => { details.open = true; }")
    return page.locator(f".options [data-choice={name}], .options [data-role={name}]")


@dataclass(frozen=True, eq=False)
class Drawn:
    """What Plotly holds: values, NaN where a cell is empty, and the texts of both axes."""

    weights: np.ndarray
    queries: list[str]
    keys: list[str]


def drawn(page: Page | Locator, pane: str = "first") -> Drawn:
    z, queries, keys = page.locator(f"[data-pane={pane}] .heatmap").evaluate(
        "({ data, layout }) => [data[0].z.map((row) => Array.from(row)), layout.yaxis.ticktext, layout.xaxis.ticktext]"
    )
    return Drawn(np.array(z, dtype=float), queries, keys)


def cells_seen(page: Page) -> np.ndarray:
    """Which cells of the heatmap are not covered, from the pixels' places: [row, column]."""
    return np.array(
        page.evaluate(
            """() => {
                const heatmap = document.querySelector(".heatmap"), { l, t, w, h } = heatmap._fullLayout._size;
                const place = heatmap.getBoundingClientRect();
                const rows = heatmap.data[0].z.length, columns = heatmap.data[0].z[0].length;
                const covered = (x, y) => document.elementFromPoint(x, y)?.closest(".later, .beyond") !== null;
                return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) =>
                    !covered(place.left + l + ((j + 0.5) * w) / columns, place.top + t + ((i + 0.5) * h) / rows)));
            }"""
        )
    )


def labels_seen(page: Page, axis: str) -> list[str]:
    """Texts of the tick labels of "x" or "y" that are visible, in order."""
    ticks = page.locator(f"[data-pane=first] .{axis}axislayer-above .{axis}tick")
    return [tick.text_content() or "" for tick in ticks.all() if tick.is_visible()]
