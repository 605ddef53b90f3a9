"""The page: its tabs, and the endpoints for programs."""

from pathlib import Path

import gradio as gr

from explorer import prose
from explorer.api import Api
from explorer.recording.recordings import Recordings
from explorer.tabs.architecture import architecture_tab
from explorer.tabs.explore import explore_tab
from explorer.tabs.glossary import glossary_tab
from explorer.tabs.inside import inside_tab
from explorer.tabs.masks import masks_tab
from explorer.tabs.positions import positions_tab
from explorer.tabs.predictions import predictions_tab
from explorer.tabs.training import training_tab
from model.checkpoint import STORY
from model.decoding import Translator


def create_ui(translator: Translator, folder: Path | None = None) -> gr.Blocks:
    """The whole page, with the first example already translated; the checkpoint's folder may hold a story."""
    with gr.Blocks(title=prose.TITLE, analytics_enabled=False) as page:
        gr.Markdown(f"# {prose.TITLE}\n{prose.SUBTITLE} {summary(translator)}", elem_id="heading")
        recordings = Recordings(translator)
        with gr.Tab(prose.TABS["explore"], id="explore"):
            explore_tab(recordings)
        with gr.Tab(prose.TABS["inside"], id="inside"):
            inside_tab(recordings)
        with gr.Tab(prose.TABS["masks"], id="masks"):
            masks_tab(recordings)
        with gr.Tab(prose.TABS["positions"], id="positions"):
            positions_tab(recordings)
        with gr.Tab(prose.TABS["predictions"], id="predictions"):
            predictions_tab(recordings)
        with gr.Tab(prose.TABS["architecture"], id="architecture"):
            architecture_tab(recordings)
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


def publish_api(api: Api) -> None:
    """The endpoints for programs."""
    gr.api(api.translate, api_name="translate", concurrency_id="translate")
    gr.api(api.attention, api_name="attention", concurrency_id="translate")
