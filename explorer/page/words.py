"""What the page says above its tabs."""

TITLE = "Attention Explorer"
SUBTITLE = "Look inside a Transformer that translates English into German."
MODEL = "{layers} + {layers} layers, {heads} heads."

TOOLS = {
    "tools": "The page",
    "copy": "Copy link",
    "copy_hint": "Copy a link to exactly what is shown now",
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
    ("?", "These keys"),
)
TOOLBAR = {  # what the buttons say once they are pressed, and what is said of a link
    "copied": "Link copied.",
    "copyByHand": "This page may not use the clipboard. Copy the link here:",
    "link": "Link to what is shown",
    "tooLong": "What is shown does not fit into a link of 2,000 characters. Shorter sentences do.",
    "damaged": "This part of the link was not understood and is left out: {parts}.",
}
DRAFT = {
    "translating": "Translating …",
    "stillShows": "Not translated yet. The picture still shows: {sentence}",
}
