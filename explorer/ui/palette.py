"""Colours and fonts of figures and page: one colour for each kind of attention, and one for numbers below zero."""

from typing import Any

from explorer.ui.language import LANGUAGE_CONTEXT

# Okabe and Ito's palette, safe for colour-blind viewers; on dark ground its lighter relatives. Numbers below zero
# have a colour of their own, which no colour blindness takes for that of the kind (tests/explorer/test_palette.py).
LIGHT = {
    "encoder": "#0072b2",
    "decoder": "#c25400",
    "cross": "#00785a",
    "encoder_negative": "#8c510a",
    "decoder_negative": "#7b3fb0",
    "cross_negative": "#7b3fb0",
    "text": "#4b5563",
    "masked": "#b6bcc6",
    "changed": "#f5b800",  # the halo of what an experiment changes
    "ink": "#1e293b",  # the page's own text and ground
    "ground": "#ffffff",
}
DARK = {
    "encoder": "#56b4e9",
    "decoder": "#e69f00",
    "cross": "#3ccfa4",
    "encoder_negative": "#e0a96d",
    "decoder_negative": "#b48cf2",
    "cross_negative": "#b48cf2",
    "text": "#c4cad4",
    "masked": "#5b6474",
    "changed": "#ffe14d",
    "ink": "#f1f5f9",
    "ground": "#0a0f1e",
}
PALETTES = {"light": LIGHT, "dark": DARK}
# In light and in dark: text on the colour of a kind, text that is not known yet, and marks of pieces.
MARKS = {
    "on-accent": ("#fff", "#111"),
    "faint": ("#6b7280", "#8b93a1"),
    "doubtful": ("#a15c00", "#f0a840"),
    "wrong": ("#b3261e", "#ff8a80"),
}
CLEAR = "rgba(0,0,0,0)"
NEUTRAL = "#808080"  # readable on both grounds, for figures that cannot know theirs
NO_TEMPLATE = {"data": {"scatter": [{"type": "scatter"}]}}  # Plotly's template "none", as it stands in JSON
FONT = "system-ui, sans-serif"
MONOSPACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
CHINESE = "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Source Han Sans SC'"


def chinese(family: str) -> str:
    """A family with fonts of Chinese before its last resort, where a browser may have one with serifs."""
    first, _, generic = family.rpartition(", ")
    return f"{first}, {CHINESE}, {generic}"


def page_font(family: str = FONT) -> str:
    """A family in the page's language. Letters of other scripts look as before."""
    return chinese(family) if LANGUAGE_CONTEXT.get().language == "zh" else family


def page_theme() -> Any:
    """Gradio's theme: system fonts only, so that none is fetched; one calm primary colour with enough contrast."""
    import gradio as gr  # not above: it takes seconds, and a notebook does not need it

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


def css_variables() -> str:
    """The page's fonts and colours in CSS; --kind is the colour of what has a kind, --soft that of quiet text.

    --accent is the colour of what is selected: ink, where nothing sets it to that of a kind. What is coloured is data,
    so paper has it too. What ends in -rgb is the red, green and blue of a colour, for one that lets the ground through:
    rgb(var(--kind-rgb) / 40%). Safari 15 and Chrome 109 have no color-mix(). Chinese is never slanted, and no
    punctuation begins a line.
    """
    sans, mono = chinese(FONT), chinese(MONOSPACE)
    kinds = "".join(
        f':is([data-kind="{kind}"], [data-hue="{kind}"]) '
        f"{{ --kind: var(--{kind}); --kind-rgb: var(--{kind}-rgb); "
        f"--kind-negative: var(--{kind}-negative); --kind-negative-rgb: var(--{kind}-negative-rgb); }}\n"
        for kind in ("encoder", "decoder", "cross")
    )
    return (
        ":root { print-color-adjust: exact; -webkit-print-color-adjust: exact; }\n"
        f":root {{ --sans: {FONT}; --mono: {MONOSPACE}; {colour_variables(LIGHT, 0)} }}\n"
        f".dark {{ {colour_variables(DARK, 1)} }}\n"
        f":root, .dark {{ --accent: var(--ink); --accent-rgb: var(--ink-rgb); }}\n{kinds}"
        f":root:lang(zh) {{ --sans: {sans}; --mono: {mono}; --font: {sans}; --font-mono: {mono}; "
        "line-break: strict; overflow-wrap: break-word; font-synthesis-style: none; }\n"
    )


def colour_variables(palette: dict[str, str], theme: int) -> str:
    colours = {name.replace("_", "-"): colour for name, colour in palette.items()}
    colours["soft"] = colours.pop("text")
    channels = {f"{name}-rgb": " ".join(map(str, rgb(colour))) for name, colour in colours.items()}
    marks = {name: pair[theme] for name, pair in MARKS.items()}
    return " ".join(f"--{name}: {value};" for name, value in {**colours, **channels, **marks}.items())


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour, given as "#rrggbb"."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue


def ink(colour: str) -> list[tuple[float, str]]:
    """A colour scale from nothing to the colour: zero looks like the page, light or dark."""
    red, green, blue = rgb(colour)
    return [(0.0, f"rgba({red},{green},{blue},0)"), (1.0, f"rgba({red},{green},{blue},1)")]
