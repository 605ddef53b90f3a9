"""The attention view in a notebook: what a trace shows as the last line of a cell.

    record(translator, "A man is riding a bicycle.")
    trace.view(kind="decoder", layer=2, head=5, step=4)
    compare(trace, run(translator, trace.sentence, experiment))

The output is an iframe whose `srcdoc` carries the whole view, compressed. It needs neither a kernel nor a network, also
when the notebook is opened again; a widget would need its kernel, because JupyterLab and VS Code do not keep its state.
"""

from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from explorer.attention_view.component import STYLES, View, viewer_html
from explorer.handout.inline import BASE, document, embed_data, fill_placeholders, json_bytes, script_of
from explorer.handout.report import file_data, libraries, view_settings
from explorer.handout.worksheet import words
from explorer.recording import words as recording_words
from explorer.recording.trace import Choice, Trace, parse_index
from explorer.ui.component import read_css
from explorer.ui.language import LANGUAGE_CONTEXT, LanguageContext, use_language
from explorer.ui.palette import css_variables
from model.errors import UserError
from model.probe import KINDS, Kind

FOLDER = Path(__file__).parent
EMBEDDED_DATA = FOLDER.parent / "handout" / "embedded_data.js"
UNPACK = 'const page = await module.readEmbedded("page"); document.open(); document.write(page); document.close();'
FRAME = '<iframe srcdoc="{document}" title="{title}" style="width: 100%; height: 720px; border: 0">{untrusted}</iframe>'


@dataclass(frozen=True, eq=False)
class AttentionView:
    """The attention of a trace, which a notebook shows; with `unchanged`, beside that of the other run."""

    trace: Trace
    view: View
    unchanged: Trace | None = None

    def __repr__(self) -> str:
        return " | ".join(f"{trace.sentence} → {trace.translation}" for trace in (self.unchanged, self.trace) if trace)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html()}

    def html(self) -> str:
        """The frame. Where scripts may not run, its text says so; what drops the frame leaves that text."""
        title = repr(self)
        first, changed = (self.unchanged, self.trace) if self.unchanged else (self.trace, None)
        with use_language(LanguageContext(LANGUAGE_CONTEXT.get().language, self.trace.languages)):
            data = {"settings": json_bytes(view_settings(first.fit)), **libraries()}
            data |= file_data(first, changed, self.view)
            embedded = "".join(embed_data(name, content) for name, content in data.items())
            parts = {"title": escape(title), "embedded": embedded}
            page = fill_placeholders(page_template(LANGUAGE_CONTEXT.get()), parts)
        packed = embed_data("page", page.encode())
        untrusted = escape(f"{title} ({words.UNTRUSTED})")
        script = f'<script type="module">{script_of(EMBEDDED_DATA, UNPACK)}</script>'
        unpacker = f'<meta charset="utf-8"><body><noscript>{untrusted}</noscript>{packed}{script}'
        return FRAME.format(document=escape(unpacker), title=escape(title), untrusted=untrusted)


@cache
def page_template(context: LanguageContext) -> str:
    """The page in the frame, in the current language (the argument), with placeholders for its title and its data."""
    css = css_variables() + read_css(*BASE, *STYLES, FOLDER / "view.css")
    script = script_of(FOLDER / "view.js", "module.mount();")
    return document(css, f"<main>{viewer_html()}</main><!--embedded-->", script)


def view(
    trace: Trace, kind: Kind = "cross", layer: Choice = -1, head: Choice = "mean", step: int | None = None
) -> AttentionView:
    """The attention view of a trace, opened at a kind, layer, head and step; all count from 0.

    Layer and head may be "mean" or "max", as in `AttentionMap.matrix`; the default step is that of the page. Raises
    UserError for what the trace does not have.
    """
    return AttentionView(trace, opening_view(trace, kind, layer, head, step))


def compare(
    unchanged: Trace,
    changed: Trace,
    kind: Kind = "cross",
    layer: Choice = -1,
    head: Choice = "mean",
    step: int | None = None,
) -> AttentionView:
    """Two traces side by side, such as those of `record` and of `run` with an experiment; the step is one of `changed`.

    Raises UserError as `view` does, and for traces of models of different sizes.
    """
    if any(unchanged.map(each).weights.shape[:2] != changed.map(each).weights.shape[:2] for each in KINDS):
        raise UserError(recording_words.REFUSALS["sizes"])
    return AttentionView(changed, opening_view(changed, kind, layer, head, step), unchanged)


def opening_view(trace: Trace, kind: Kind, layer: Choice, head: Choice, step: int | None) -> View:
    layers, heads = trace.map(kind).weights.shape[:2]

    def choice(value: Choice, size: int) -> Choice:
        return value if isinstance(value, str) and value in ("mean", "max") else parse_index(value, size, "choice")

    return View(
        level="heads",
        kind=kind,
        layer=choice(layer, layers),
        head=choice(head, heads),
        step=None if step is None else parse_index(step, len(trace.steps), "step"),
    )


def show_trace(trace: Trace, include: Any = None, exclude: Any = None) -> dict[str, str]:
    return view(trace)._repr_mimebundle_()


Trace.view = view
Trace._repr_mimebundle_ = show_trace
