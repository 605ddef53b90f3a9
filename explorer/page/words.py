"""What the page says above its tabs."""

TITLE = "Attention Explorer"
SUBTITLE = "Look inside a Transformer that translates English into German."
MODEL = "{layers} + {layers} layers, {heads} heads."

TOOLS = {
    "tools": "The page",
    "copy": "Copy link",
    "copy_hint": "Copy a link to exactly what is shown now",
    "theme_hint": "Switch between light and dark; remembered in this browser",
    "projector": "Projector",
    "projector_hint": "One panel, large enough for the last row (p; Esc leads back)",
}
TOOLBAR: dict[str, str | dict[str, str]] = {  # what the buttons say once they are pressed, and what is said of a link
    "copied": "Link copied.",
    "copyByHand": "This page may not use the clipboard. Copy the link here:",
    "link": "Link to what is shown",
    "tooLong": "What is shown does not fit into a link of 2,000 characters. Shorter sentences do.",
    "themes": {"dark": "Dark", "light": "Light"},
    "projector": {"show": "Projector", "leave": "Leave projector (Esc)"},
    "damaged": "This part of the link was not understood and is left out: {parts}.",
}
DRAFT = {
    "translating": "Translating …",
    "stillShows": "Not translated yet. The picture still shows: {sentence}",
}
