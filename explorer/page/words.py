"""What the page says above its tabs."""

TITLE = "Attention Explorer"
SUBTITLE = "Look inside a Transformer that translates English into German."
MODEL = "{layers} + {layers} layers, {heads} heads."

TOOLS = {
    "tools": "The page",
    "copy": "Copy link",
    "copy_hint": "Copy a link to exactly what is shown now",
}
TOOLBAR: dict[str, str] = {}  # what the buttons say once they are pressed
