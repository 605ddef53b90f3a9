"""The tab Glossary: all terms that the page's texts link."""

import gradio as gr

from explorer import prose
from explorer.shared.glossary import glossary_list


def glossary_tab() -> None:
    gr.Markdown(prose.GLOSSARY_INTRO)
    gr.HTML(glossary_list(), elem_id="glossary", apply_default_css=False)
