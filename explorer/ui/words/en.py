"""Words and numbers of the screen that several rooms use."""

KIND_TITLES = {
    "encoder": "Encoder self-attention",
    "decoder": "Decoder self-attention (masked)",
    "cross": "Cross-attention",
}
KIND_NAMES = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
KINDS = "Kind of attention"

# How a head is called, or the mean or maximum of several.
HEADS = {
    "both": "{layer} · {head}",
    "layer": {"one": "layer {number}", "mean": "mean of layers", "max": "max of layers", "rollout": "rollout"},
    "head": {"one": "head {number}", "mean": "mean of heads", "max": "max of heads"},
}
PICKERS = {
    "kinds": KINDS,
    "layer": "Layer",
    "layer_hint": "Which layer of the stack",
    "head": "Head",
    "head_hint": "Which attention head of the layer",
}

# The sentence of Explore and its translation so far, in the rooms that follow.
CONTEXT = {
    "source": "{source_language}",
    "target": "{target_language}",
    "title": "Go to the step that predicts this piece",
}

NO_FONT = "Your device has no font for {scripts}; text in that script appears here as empty boxes."
FORK = "What if “{piece}” came next? Go on from there"  # of a candidate
STEPS = "Decoding steps"
STEP = "Step {step} of {steps}: fed “{fed}”, predicted “{predicted}” ({probability})"
TRANSPORT = {
    "first": "First step",
    "first_hint": "First step (Home)",
    "previous": "Previous step",
    "previous_hint": "Previous step (left arrow)",
    "play": "Play",
    "pause": "Pause",
    "play_hint": "Play or pause (space)",
    "next": "Next step",
    "next_hint": "Next step (right arrow)",
    "last": "Last step",
    "last_hint": "Last step (End)",
    "slider": "Decoding step",
    "slider_hint": "Go to a decoding step",
}

# Why the server does not answer.
REFUSALS = {
    "full": "Too many are asking at this moment. Please try again in {seconds} s; your text stays where it is.",
    "values": "This takes {needed} values, and got {given}.",
    "no_question": "This cannot be asked.",
    "no_answer": "This cannot be asked: {fault}",
    "index": "{name} must be from 0 to {last}, not {value}.",
}
# Of what is on its way from the server.
WAITING = {"turn": "It is your turn.", "ahead": "In line: {ahead} ahead of you.", "stop": "Stop"}

# Languages that are none, by their codes: what a toy reads and writes (explorer/toys/tasks.py).
TOY_LANGUAGES = {
    "zxx-x-forwards": "Forwards",
    "zxx-x-backward": "Backwards",
    "zxx-x-original": "Original",
    "zxx-x-copy": "Copy",
    "zxx-x-unsorted": "Unsorted",
    "zxx-x-sorted": "Sorted",
    "zxx-x-spelled": "Spelled out",
    "zxx-x-digits": "Digits",
    "zxx-x-date": "Date",
    "zxx-x-isodate": "ISO date",
}
