"""The tab Glossary: all terms that the page's texts link."""

import gradio as gr

from explorer.recording.app_context import AppContext
from explorer.tabs.glossary import words
from explorer.ui.glossary import glossary_list


def glossary_tab(app: AppContext) -> None:
    """The same for every checkpoint."""
    gr.Markdown(words.INTRO)
    gr.HTML(glossary_list(), elem_id="glossary", apply_default_css=False)
