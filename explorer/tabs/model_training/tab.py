"""The tab Training: how the checkpoint was trained, and what it scores."""

from html import escape
from pathlib import Path

from explorer.recording.app_context import AppContext
from explorer.tabs.model_training.curves import training_curves
from explorer.tabs.model_training.record import Record, data_text, model_text, runs_text, summary_text, words
from explorer.ui.component import PLOTLY_JS, Component, file_component, url
from explorer.ui.palette import PALETTES
from explorer.ui.prose import markdown, markdown_with_html
from model.checkpoints.record import joined_log, runs_of, start_steps

FOLDER = Path(__file__).parent


def training_tab(app: AppContext) -> list[Component]:
    """The checkpoint's curves, or why there are none, and its record."""
    record = app.translator.record
    runs = runs_of(record)
    parts = [Component("summary", html=f"<p>{escape(summary_text(app.translator))}</p>")]
    if joined_log(runs):
        parts.append(curves_component(runs, is_toy=app.about is not None))
    else:
        parts.append(Component("no-curves", html=f'<div class="markdown">{markdown(why_no_curves(record))}</div>'))
    texts = (f"{model_text(app.translator)}\n\n{runs_text(runs) if runs else ''}", data_text(record))
    columns = "".join(f'<div class="markdown">{markdown_with_html(text)}</div>' for text in texts)
    return [*parts, Component("record", html=f'<div class="columns">{columns}</div>')]


def why_no_curves(record: Record) -> str:
    """The reason as Markdown, for a record without a log."""
    return words.MISSING["log"] if runs_of(record) else words.NO_RUN["converted" if "origin" in record else "unknown"]


def curves_component(runs: list[Record], *, is_toy: bool = False) -> Component:
    """The curves of runs that have a log. The training of a toy model has no dropout or label smoothing."""
    log, later_starts = joined_log(runs), start_steps(runs)[1:]
    settings = {
        "figure": training_curves(log, words.PANELS, later_starts),
        "steps": [line["step"] for line in log],
        "hint": "" if is_toy else f"{words.CURVES} {words.CURVES_OF_RUNS}" if later_starts else words.CURVES,
        "colours": PALETTES,
        "plotly": url(PLOTLY_JS),
    }
    return file_component(FOLDER / "model_training", {**words.HTML, "tab_label": words.TAB}, settings, id="training")
