"""The page, a saved picture and a notebook show the same figure."""

import base64
import json
from typing import Any

import numpy as np
import pytest
from cases import sweep
from visiting import choose, drawn, go_to, needs_browser, option, visited

from explorer.notebook.heatmap import attention_heatmap
from explorer.recording.sentence import examples
from explorer.recording.trace import record
from explorer.ui.palette import DARK, LIGHT

pytestmark = needs_browser
EXAMPLE = examples()[0]["sentence"]


def plain(value: Any) -> Any:
    """A figure's part as JSON has it; arrays as lists, empty cells as None."""
    if isinstance(value, dict) and "bdata" in value:
        array = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        return plain(array.reshape([int(n) for n in str(value.get("shape", array.size)).split(",")]))
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return None if np.isnan(value) else pytest.approx(float(value), abs=1e-6)
    return value


def assert_shows(given: Any, expected: Any, place: str = "figure") -> None:
    """All that Python puts into a figure is there; margins and ground are the page's own."""
    if isinstance(expected, dict):
        for key in set(expected) - {"margin", "automargin", "paper_bgcolor"}:
            assert_shows(given[key], expected[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(given) == len(expected), place
        for number, (one, other) in enumerate(zip(given, expected, strict=True)):
            assert_shows(one, other, f"{place}.{number}")
    else:
        assert given == expected, place


# Arrays of the browser as lists; what it would save is caught before it becomes a file, once Plotly is there.
AS_LISTS = "(_, value) => (ArrayBuffer.isView(value) ? Array.from(value, (x) => (isNaN(x) ? null : x)) : value)"
ON_SCREEN = f"""() => {{
    const {{ data, layout }} = document.querySelector(".heatmap");
    return JSON.stringify({{ data, layout }}, {AS_LISTS});
}}"""
SAVED = f"""() => new Promise((done) => {{
    const download = Plotly.downloadImage;
    Plotly.downloadImage = (figure) => {{
        done(JSON.stringify(figure, {AS_LISTS}));
        Plotly.downloadImage = download;
    }};
    document.querySelector("[data-title='Save as picture']").click();
}})"""


@pytest.mark.parametrize("theme", sweep(["light", "dark"], "dark"))
@pytest.mark.parametrize("case", sweep([("decoder", False), ("cross", False), ("decoder", True)], ("decoder", True)))
def test_page_saved_picture_and_notebook_are_the_same(browser, shipped_page, shipped, theme, case):
    kind, transposed = case
    attention = record(shipped, EXAMPLE).map(kind)
    for page in visited(browser, f"{shipped_page}?__theme={theme}"):
        choose(page, kind, 1, 5)
        weights = np.nan_to_num(drawn(page).weights).astype(np.float32)
        if transposed:
            option(page, "transposed").check()
        go_to(page, 6)
        with page.expect_download():  # brings Plotly
            page.evaluate("document.querySelector(\"[data-title='Save as picture']\").click()")
        for step, script in ((None, ON_SCREEN), (6, SAVED)):
            notebook = attention_heatmap(
                weights,
                [query.label for query in attention.queries],
                [piece.text for piece in attention.keys],
                kind,
                step=step,
                special=attention.special,
                transposed=transposed,
                palette=DARK if theme == "dark" else LIGHT,
            )
            assert_shows(json.loads(page.evaluate(script)), plain(notebook.to_plotly_json()))
