"""The tab Explore: sentence, examples and the attention view; stepping and choosing stay in the browser."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from explorer.attention_view.component import attention_viewer
from explorer.recording.opened import Opened
from explorer.recording.sentence import examples
from explorer.rooms.explore import words
from explorer.rooms.explore.answer import lengths_answer, trace_answer, weights_answer
from explorer.shared.component import module
from explorer.shared.language import in_this_voice
from explorer.shared.limits import MAX_CHARACTERS

ASKING = Path(__file__).parents[2] / "shared" / "asking.js"
# The text itself and a number that grows with every submission; the answer carries it back.
NUMBER_THE_SUBMISSION = f"""(text) => {{
    const number = Math.round(performance.timeOrigin + performance.now());
    {module(ASKING)}.then(({{ ask }}) => ask(number));
    return [text, number];
}}"""
GIVE_UP = f"() => {{ {module(ASKING)}.then(({{ failed }}) => failed()); }}"


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


def explore_tab(opened: Opened) -> None:
    """A submission gives the view another trace; the first example is there already."""
    given = examples(opened.examples)
    first = given[0]["sentence"]
    sentence, button = sentence_row(first)
    with gr.Row(elem_id="examples"):
        chosen = gr.Dataset(
            components=[sentence],
            samples=[[example["sentence"]] for example in given],
            sample_labels=[example["shows"] for example in given],
            label=words.EXAMPLES,
            type="values",
            elem_id="dataset",
        )
        counter = gr.HTML(words.COUNTER.format(length=len(first), limit=MAX_CHARACTERS), elem_id="counter")
    number = gr.Number(0, precision=0, visible=False)
    answer = partial(trace_answer, opened.recordings)
    viewer = attention_viewer(
        answer(first),
        partial(weights_answer, opened.recordings),
        inside=opened.tabs["inside"],
        lab=opened.tabs["lab"],
        asking="#ask, #examples",
        lengths_of=partial(lengths_answer, opened.recordings),
    )
    translate: dict[str, Any] = {
        "fn": in_this_voice(answer),
        "inputs": [sentence, number],
        "outputs": viewer,
        "js": NUMBER_THE_SUBMISSION,
        "show_progress": "hidden",
        "trigger_mode": "multiple",
        "concurrency_limit": 2,
        "concurrency_id": "translate",
        "api_visibility": "private",
    }
    asked = gr.on([sentence.submit, button.click], **translate)
    # Without a way to the server, so that what follows begins at once.
    picked = chosen.click(None, chosen, sentence, js=sample_of(given), api_visibility="private").then(**translate)
    for event in (asked, picked):
        event.failure(None, js=GIVE_UP, api_visibility="private")
    sentence.change(None, sentence, counter, js=count_characters(MAX_CHARACTERS), api_visibility="private")
