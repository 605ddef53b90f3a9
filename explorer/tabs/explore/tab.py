"""The tab Explore: sentence, examples and the attention view; stepping and choosing stay in the browser."""

import json
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.attention_view.component import attention_viewer
from explorer.recording.app_context import AppContext
from explorer.tabs.explore import words
from explorer.tabs.explore.answer import lengths_answer, trace_answer, weights_answer
from explorer.ui.component import module
from explorer.ui.language import LANGUAGE_CONTEXT
from explorer.ui.limits import MAX_CHARACTERS
from model.probe import Kind

TRANSLATION_REQUEST = Path(__file__).parents[2] / "ui" / "translation_request.js"

NOW = "Math.round(performance.timeOrigin + performance.now())"  # as translation_request.js numbers submissions


def submission() -> str:
    """JavaScript that has a text translated; no event of Gradio is needed for it.

    It takes the time at once: whatever happens while the module is fetched comes after the submission.
    """
    ask = f"submit(text, {json.dumps(LANGUAGE_CONTEXT.get().language)}, number)"
    return f"(text) => {{ const number = {NOW}; {module(TRANSLATION_REQUEST)}.then(({{ submit }}) => {ask}); }}"


def count_characters(limit: int) -> str:
    """JavaScript that counts a text's characters in words, which stand out beyond the limit."""
    said = json.dumps(words.COUNTER.replace("{limit}", str(limit)))
    return f"""(text) => {{
        const length = [...text].length;
        const said = {said}.replace("{{length}}", length);
        return `<span class="counter${{length > {limit} ? " over" : ""}}">${{said}}</span>`;
    }}"""


def sample_of(given: list[dict[str, str]]) -> str:
    """JavaScript that gives the sentence of the example that was clicked."""
    sentences = json.dumps([example["sentence"] for example in given])
    return f"(index) => {sentences}[index]"


def sentence_row(first: str) -> tuple[gr.Textbox, gr.Button]:
    """The sentence, and the button that has it translated."""
    with gr.Row(elem_id="ask", equal_height=True):
        sentence = gr.Textbox(
            first,
            label=words.SENTENCE,
            show_label=False,
            container=False,
            placeholder=words.PLACEHOLDER,
            lines=1,
            max_lines=1,
            scale=6,
            elem_id="sentence",
        )
        button = gr.Button(words.TRANSLATE, variant="primary", scale=1, min_width=110, elem_id="translate")
    return sentence, button


def offer(app: AppContext) -> None:
    """What the view may ask the server."""

    def translate(text: str) -> str:
        return trace_answer(app.recordings, text)

    def weights(sentence: str, kind: Kind) -> str:
        return weights_answer(app.recordings, sentence, kind)

    def lengths(sentence: str, kind: Kind) -> str:
        return lengths_answer(app.recordings, sentence, kind)

    app.questions.add("translate", translate, translates=True)
    app.questions.add("weights", weights)
    app.questions.add("lengths", lengths)


def opening(app: AppContext, first: str) -> str:
    """What the view begins with: the trace of the first example, or why this model refuses it.

    The command does not start with such a model (require_translatable); a page that is built in Python
    stands all the same.
    """
    try:
        return trace_answer(app.recordings, first)
    except ValueError as reason:
        return json.dumps({"error": str(reason)})


def explore_tab(app: AppContext) -> None:
    """A submission gives the view another trace; the first example is there already."""
    given = app.sentences
    first = given[0]["sentence"] if given else ""
    sentence, button = sentence_row(first)
    with gr.Row(elem_id="examples"):
        chosen = gr.Dataset(
            components=[sentence],
            samples=[[example["sentence"]] for example in given],
            sample_labels=[example["shows"] for example in given],
            label=words.EXAMPLES,
            type="values",
            elem_id="dataset",
            visible=bool(given),
        )
        counter = gr.HTML(words.COUNTER.format(length=len(first), limit=MAX_CHARACTERS), elem_id="counter")
    offer(app)
    attention_viewer(
        opening(app, first),
        inside=app.tabs["inside"],
        lab=app.tabs["lab"],
        asking="#ask, #examples",
        lengths=True,
    )
    translate: dict[str, Any] = {"fn": None, "inputs": sentence, "js": submission(), "api_visibility": "private"}
    gr.on([sentence.submit, button.click], **translate)
    chosen.click(None, chosen, sentence, js=sample_of(given), api_visibility="private").then(**translate)
    sentence.change(None, sentence, counter, js=count_characters(MAX_CHARACTERS), api_visibility="private")
