"""What the dialog says that saves what is shown."""

HTML = {
    "title": "Save",
    "what": "What",
    "grey": "In grey, for print",
    "grey_hint": "Black on white whatever the page's colours are; numbers below zero are striped",
    "caption": "With a caption",
    "caption_hint": "Below the picture: sentence, translation so far, kind, layer, head, step, model and link",
    "preview": "What the picture will be",
    "notes": "Notes",
    "notes_hint": "They stand in the report, where they can be changed",
    "close": "Close",
}
GROUPS = {"picture": "Picture", "numbers": "Numbers", "handout": "To hand out"}
ENTRIES = {  # what stands on the button of an entry, and what it gives
    "svg": ("SVG", "Drawn in lines and text: for a paper, and to be changed in a drawing program"),
    "png": ("PNG", "In pixels, twice as fine as the screen: for a slide"),
    "csv": (
        "This matrix, CSV",
        "The matrix in front of you with the labels of its rows and columns, for a spreadsheet",
    ),
    "csv_unchanged": (
        "Unchanged, CSV",
        "The same matrix of the unchanged translation, with the labels of its rows and columns",
    ),
    "json": ("Everything, JSON", "Every kind, layer, head and step of this translation, and what it means, as text"),
    "npz": ("Everything, NPZ", "The same as arrays for numpy.load"),
    "report": (
        "Report, HTML",
        "This translation as one file to open without a network: all kinds, layers, heads, steps",
    ),
    "worksheet": (
        "Worksheet, HTML",
        "Two A4 sides to work on and one with the answers, to be printed from the browser",
    ),
    "print": ("Print worksheet", "The same, printed now"),
}
CAPTION = {  # below a picture
    "step": "step {step} of {steps}",
    "whole": "all steps",
    "pinned": "pinned: “{label}”",
    "specials": "special pieces hidden",
    "lengths": "lengths",
    "source": "{source_language}: {text}",
    "target": "{target_language} so far: {text}",
    "translation": "{target_language}: {text}",
    "unchanged": "{target_language}, unchanged: {text}",
    "changed": "{target_language}, changed: {text}",
    "changes": "Changed: {changes}",
    "model": "Model: {model}",
}
PARTS = {  # what can be a picture
    "picture": "The picture",
    "overview": "Overview of all heads",
    "station": "The experiment",
    "outcome": "What it changes",
    "table": "The table",
    "curves": "Loss curves",
    "pace": "Pace of training",
    "all": "All of this room",
    "none": "There is no picture here yet.",
}
MODEL = "{layers} + {decoder_layers} layers, {heads} heads, d_model {d_model}, {parameters} million parameters"
TEXT = {
    "of": "Sentence: {sentence} Matrix: {matrix}, all rows.",
    "working": "Saving …",
    "saved": "Saved: {name}, {size}.",
    "failed": "This could not be saved. Load the page anew and try it again.",
    "tooLarge": "This picture is too large for this browser. Save it as SVG instead.",
    "noAnswer": "The server did not answer. Try it again.",
    "kilobytes": "{number} kB",
    "megabytes": "{number} MB",
}
REFUSALS = {
    "lengths": "There are lengths of single layers, and of the unchanged translation only.",
    "no_matrix": "There is no such matrix.",
}
