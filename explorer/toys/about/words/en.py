"""What toys are called."""

TASKS = {
    "reverse": "Reverse",
    "copy": "Copy",
    "sort": "Sort",
    "numbers": "Words to digits",
    "dates": "Dates",
}
ABOUT = {
    "layer": "{count} layer",
    "layers": "{count} layers",
    "head": "{count} head",
    "heads": "{count} heads",
    "without": "without positions",
}
