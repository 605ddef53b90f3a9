"""The page: layout and wiring. One builder per tab; what a visitor does while stepping stays in the browser."""

from pathlib import Path
from typing import Any

import gradio as gr

from explorer import prose, training_prose
from explorer.answers import Answers
from explorer.api import Api
from explorer.player import training_player
from explorer.sentence import examples
from explorer.tabs.architecture import architecture_tab
from explorer.tabs.glossary import glossary_tab
from explorer.tabs.inside import inside_tab
from explorer.tabs.masks import masks_tab
from explorer.tabs.positions import positions_tab
from explorer.tabs.predictions import predictions_tab
from explorer.training import data_text, runs_text
from explorer.viewer import attention_viewer
from model.checkpoint import STORY
from model.decoding import Translator
from model.record import joined_log, runs_of

# The text itself and a number that grows with every submission; the answer carries it back.
NUMBER_THE_SUBMISSION = "(text) => [text, Math.round(performance.timeOrigin + performance.now())]"
COUNT_CHARACTERS = """(text) => {
    const over = [...text].length > LIMIT;
    return `<span class="counter${over ? " over" : ""}">${[...text].length} / LIMIT characters</span>`;
}""".replace("LIMIT", str(prose.MAX_CHARACTERS))


def create_ui(translator: Translator, folder: Path | None = None) -> gr.Blocks:
    """The whole page, with the first example already translated; the checkpoint's folder may hold a story."""
    with gr.Blocks(title=prose.TITLE, analytics_enabled=False) as page:
        gr.Markdown(f"# {prose.TITLE}\n{prose.SUBTITLE} {summary(translator)}", elem_id="heading")
        answers = Answers(translator)
        with gr.Tab(prose.TABS["explore"], id="explore"):
            explore_tab(answers)
        with gr.Tab(prose.TABS["inside"], id="inside"):
            inside_tab(translator, answers)
        with gr.Tab(prose.TABS["masks"], id="masks"):
            masks_tab(answers)
        with gr.Tab(prose.TABS["positions"], id="positions"):
            positions_tab(answers)
        with gr.Tab(prose.TABS["predictions"], id="predictions"):
            predictions_tab(answers)
        with gr.Tab(prose.TABS["architecture"], id="architecture"):
            architecture_tab(answers)
        with gr.Tab(prose.TABS["training"], id="training"):
            training_tab(translator, folder / STORY if folder and (folder / STORY).exists() else None)
        with gr.Tab(prose.TABS["glossary"], id="glossary"):
            glossary_tab()
        publish_api(Api(translator))
    return page


def summary(translator: Translator) -> str:
    """The loaded model in one line."""
    config = translator.model.config
    millions = sum(parameter.numel() for parameter in translator.model.parameters()) / 1e6
    sizes = f"{config.n_layers} + {config.n_layers} layers, {config.n_heads} heads, {millions:.1f} M parameters"
    return f"*{sizes}, on {translator.device.type}.*"


def explore_tab(answers: Answers) -> None:
    """Sentence, examples and the attention view."""
    given = examples()
    first = given[0]["sentence"]
    with gr.Row(elem_id="ask", equal_height=True):
        sentence = gr.Textbox(
            first,
            label=prose.SENTENCE,
            show_label=False,
            container=False,
            placeholder=prose.PLACEHOLDER,
            lines=1,
            max_lines=1,
            scale=6,
            elem_id="sentence",
        )
        button = gr.Button(prose.TRANSLATE, variant="primary", scale=1, min_width=110, elem_id="translate")
    with gr.Row(elem_id="examples"):
        chosen = gr.Dataset(
            components=[sentence],
            samples=[[example["sentence"]] for example in given],
            sample_labels=[example["shows"] for example in given],
            label=prose.EXAMPLES,
            type="values",
            elem_id="dataset",
        )
        counter = gr.HTML(prose.COUNTER.format(length=len(first), limit=prose.MAX_CHARACTERS), elem_id="counter")
    number = gr.Number(0, precision=0, visible=False)
    viewer = attention_viewer(answers.payload(first), answers.weights, inside=prose.TABS["inside"])
    translate: dict[str, Any] = {
        "fn": answers.payload,
        "inputs": [sentence, number],
        "outputs": viewer,
        "js": NUMBER_THE_SUBMISSION,
        "show_progress": "hidden",
        "trigger_mode": "multiple",
        "concurrency_limit": 2,
        "concurrency_id": "translate",
        "api_visibility": "private",
    }
    gr.on([sentence.submit, button.click], **translate)
    chosen.click(lambda sample: sample[0], chosen, sentence, show_progress="hidden", api_visibility="private").then(
        **translate
    )
    sentence.change(None, sentence, counter, js=COUNT_CHARACTERS, api_visibility="private")


def training_tab(translator: Translator, story: Path | None) -> None:
    """How the checkpoint was trained: its story, where it has one, and its record."""
    record = translator.record
    runs = runs_of(record)
    log = joined_log(runs)
    if not story:
        gr.Markdown(training_prose.NO_STORY)
    if not log:
        gr.Markdown(training_prose.MISSING["log"])
    if story or log:
        training_player(runs, story)
    with gr.Row(elem_id="record"):
        for text in (runs_text(runs), data_text(record)):
            with gr.Column(min_width=340):
                gr.Markdown(text, latex_delimiters=[])


def publish_api(api: Api) -> None:
    """The endpoints for programs."""
    gr.api(api.translate, api_name="translate", concurrency_id="translate")
    gr.api(api.attention, api_name="attention", concurrency_id="translate")
