"""What the page says above its tabs."""

TITLE = "Attention Explorer"
SUBTITLE = "Look inside a Transformer that translates {source_language} into {target_language}."
MODEL = "{encoder} + {decoder} layers, {heads} heads."
TOY = {  # at the top of its page
    "trained": "Trained here: {about}",
    "back": "Back to the main page",
}
GONE = {  # at the address of a model that was trained here
    "title": "This model is not there",
    "text": "A model that was trained on the page is kept for a while only, and goes when the program ends. "
    "Training another one takes less than a minute.",
    "back": "To the Attention Explorer",
}

TOOLS = {
    "tools": "The page",
    "tour": "Tour",
    "tour_hint": "Seven captions on the picture itself; Esc ends them, and the next time they go on from there",
    "copy": "Copy link",
    "copy_hint": "Copy a link to exactly what is shown now",
    "save": "Save",
    "save_hint": "Save the picture, its numbers, or everything of this translation (s)",
    "theme_hint": "Switch between light and dark; remembered in this browser",
    "projector": "Projector",
    "projector_hint": "One panel, large enough for the last row (p; Esc leads back)",
    "skip": "Skip to the picture",
    "keys": "Keys",
    "keys_hint": "What the keys do (?)",
    "keys_title": "Keys",
    "keys_where": "They work wherever you are, except while you write and where a list is open.",
    "close": "Close",
}
KEYS = (  # names of keys, separated by spaces, and what they do
    ("← →", "One step back or on. In Training: one moment."),
    ("Home End", "The first and the last step"),
    ("Space", "Play and pause"),
    ("Esc", "Let go what is pinned; close what is open"),
    ("0", "All of a picture again, after a part of it was enlarged"),
    ("← → ↑ ↓", "In Inside: the cell to the left, to the right, above, below"),
    ("Tab", "To the next group of controls: tabs, examples, a sentence, the overview"),
    ("← → ↑ ↓", "In such a group: from one to the next; Enter chooses"),
    ("Shift Enter", "In the overview, with two heads: choose the second"),
    ("P", "The open panel alone, large, for a projector; again, or Esc, leads back"),
    ("S", "Save the picture, its numbers, or everything of this translation"),
    ("?", "These keys"),
)
TOOLBAR: dict[str, str | dict[str, str]] = {  # what the buttons say once they are pressed, and what is said of a link
    "copied": "Link copied.",
    "copyByHand": "This page may not use the clipboard. Copy the link here:",
    "link": "Link to what is shown",
    "tooLong": "What is shown does not fit into a link of 2,000 characters. Shorter sentences do.",
    "themes": {"dark": "Dark", "light": "Light"},
    "projector": {"show": "Projector", "leave": "Leave projector (Esc)"},
    "damaged": "Not understood in the link, and left out: {parts}.",
}

# What the button that leads to this language says when it is pointed at.
SAME_PAGE = "The same page in English"

TOUR = {
    "invitation": "Take the tour",
    "tour": TOOLS["tour"],
    "title": "Tour, {number} of {count}",
    "next": "Next",
    "without": "Skip this one",
    "finish": "Done",
    "close": "End the tour",
    "stops": {
        "sentence": "The model translates the {source_language} sentence into {target_language}, one word after "
        "another. This line says what it looks at for its newest word.",
        "row": "This row is the {target_language} word being written; every column is a word of the {source_language} "
        "sentence. Strong colour means: the model looks here.",
        "step": "Press the right arrow key, or this button: the model writes the next word.",
        "word": "Now choose one of these {source_language} words: click it, or reach it by Tab and press Enter.",
        "ask": "Choose an example below this box, or type a sentence of your own in it and press Enter.",
        "level": "What you have seen is the mean of several heads, which look at the sentence side by side. Press "
        "“Heads” to see each of them.",
        "heads": "Every small picture is one head of one layer: click it, and it is enlarged. “Picture” leads back, "
        "and the tabs above lead to the numbers behind it all.",
    },
    "done": {
        "step": "There is a new row, and the line above the picture says where the model looks now.",
        "word": "Its column is framed, and the line says which {target_language} word looked there most. Esc or a "
        "second click lets it go.",
        "ask": "That is your sentence in {target_language}, opened at a word whose picture is clear.",
    },
}

# The lesson that stands on the page: what its HTML says, and what it says as one goes on.
LESSON_HTML = {
    "lesson": "Lesson",
    "close": "Close the lesson",
    "close_hint": "Close the lesson; how far you came stays in this browser",
    "commit": "Commit to this guess",
    "show": "Show me",
    "show_hint": "Goes there without you",
    "back": "Back",
}
LESSON = {
    "of": "Lesson, step {step} of {steps}",
    "fold": "Fold",
    "unfold": "Unfold",
    "next": "Next",
    "skip": "Skip",
    "finish": "Finish",
    "same": "As you guessed.",
    "other": "Not as you guessed.",
    "guessed": "You:",
    "model": "The model:",
    "tally": "The model did what you guessed {same} of {made} times.",
}

DRAFT = {
    "translating": "Translating …",
    "stillShows": "Not translated yet. The picture still shows: {sentence}",
}
# Why a program's call is refused.
API_REFUSALS = {
    "among": "{name} must be one of {choices}, not {value!r}.",
    "whole": "{name} must be a whole number, not {value!r}.",
    "real": "{name} must be a number, not {value!r}.",
    "unmeasured": "The heads of this checkpoint were not measured: python -m explorer.catalogue does it.",
}

# What the buttons of Plotly's figures are called, by its own names for them.
FIGURES = {
    "Download plot as a PNG": "Download plot as a PNG",
    "Reset axes": "Reset axes",
    "Zoom": "Zoom",
    "Pan": "Pan",
    "Zoom in": "Zoom in",
    "Zoom out": "Zoom out",
    "Autoscale": "Autoscale",
    "Box Select": "Box Select",
    "Lasso Select": "Lasso Select",
    "Produced with Plotly.js": "Produced with Plotly.js",
}
