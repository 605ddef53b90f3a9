"""The Gradio theme of the page."""

import gradio as gr

from explorer.ui.palette import DARK, LIGHT


def page_theme() -> gr.themes.Base:
    """System fonts only, so that no font is fetched; one calm primary colour with enough contrast."""
    return gr.themes.Default(
        primary_hue=gr.themes.colors.slate,
        neutral_hue=gr.themes.colors.slate,
        font=["system-ui", "sans-serif"],
        font_mono=["ui-monospace", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace"],
    ).set(
        body_text_color_subdued="*neutral_500",  # Gradio's own is too pale to read on white
        body_text_color=LIGHT["ink"],
        body_text_color_dark=DARK["ink"],
        body_background_fill=LIGHT["ground"],
        body_background_fill_dark=DARK["ground"],
        button_primary_background_fill="#0b5a8a",
        button_primary_background_fill_hover="#084a72",
        button_primary_background_fill_dark="#0b5a8a",
        button_primary_background_fill_hover_dark="#1170a8",
        button_primary_text_color="#ffffff",
        button_primary_text_color_dark="#ffffff",
        layout_gap="10px",
    )
