"""The floor, a page of Gradio's with one event that does nothing: python -m explorer.bench.load.floor PORT."""

import json
import os
import sys

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr


def answer(text: str, submission: int) -> str:
    return json.dumps({"sentence": text})


def floor() -> gr.Blocks:
    """With the inputs and the button that Explore has, and Gradio's defaults."""
    with gr.Blocks() as page:
        given = [gr.Textbox(), gr.Number(0)]
        gr.Button(elem_id="translate").click(answer, given, gr.Textbox(), api_visibility="private")
    return page


if __name__ == "__main__":
    floor().launch(server_port=int(sys.argv[1]), quiet=True, run_history=False, ssr_mode=False)
