"""What the Training tab says."""

from explorer.ui.words.en import TRANSPORT as PLAY

TAB = "Training"

NO_STORY = (
    "This checkpoint has no story of what the model made of a few sentences at moments of its training. To make one, "
    "train with `python -m model.train --moments`, run `python -m explorer.story RUN_FOLDER`, which writes "
    "`story.json.gz` into the checkpoint, and start the page again."
)
NO_RUN = {
    "converted": "This model was not trained here: it was converted from a public checkpoint, which keeps no record "
    "of its training. So there are no curves, and no story of its sentences.",
    "unknown": "This checkpoint's record tells of no training run. So there are no curves, and no story of its "
    "sentences.",
}
STORY_REFUSED = (
    "This checkpoint's story is not shown. {fault} To make it anew, run `python -m explorer.story RUN_FOLDER` and "
    "start the page again."
)
HTML = {
    "room": "Training",
    "scale": "Scale of the steps",
    "steps": "Steps",
    "log": "log",
    "log_hint": "Spreads out the beginning: every power of ten gets the same space",
    "linear": "linear",
    "linear_hint": "Every step gets the same space",
    "losses": "Training and validation loss over the steps",
    "sentence": "Sentence",
    "map": "Map of",
    "fed": "What the decoder is fed, shown below",
    "own": "what it says now",
    "own_hint": "The map of the model's own translation at this moment",
    "final": "what it says in the end",
    "final_hint": "The map with the final translation fed at every moment, as if the model had written it: rows and "
    "columns stay the same, so that you can watch the weights",
    "moments": "Moments of the training",
    "pace": "Learning rate and speed over the steps",
}
TRANSPORT = {
    "first": "First moment",
    "first_hint": "First moment (Home)",
    "previous": "Previous moment",
    "previous_hint": "Previous moment (left arrow)",
    "play": PLAY["play"],
    "pause": PLAY["pause"],
    "play_hint": "Play or pause the training (space)",
    "next": "Next moment",
    "next_hint": "Next moment (right arrow)",
    "last": "Last moment",
    "last_hint": "Last moment (End)",
    "slider": "Moment of the training",
    "slider_hint": "Go to a moment of the training",
}
STORY = {
    "moment": "Moment {number} of {count}: after step {step}",
    "loss": "training loss {loss}",
    "dev_loss": "validation loss {loss}",
    "nothing": "(empty: it ended immediately)",
    "unended": "{translation} …",
    "stopped": "Stopped here, a few pieces beyond the final translation: no end was in sight.",
    "loading": "Loading the story of this training …",
    "notLoaded": "The story of this training could not be loaded. Is the server still running? Open the page again.",
}
STORY_QUERIES = {
    "encoder": "{source_language} piece",
    "decoder": "{target_language} piece fed → next",
    "cross": "{target_language} piece fed → next",
}
STORY_WORD_QUERIES = {
    "encoder": "{source_language} word",
    "decoder": "{target_language} word fed → next",
    "cross": "{target_language} word fed → next",
}
STORY_EXPLANATIONS = {
    "encoder": (
        "Each row is a source piece asking every source piece: how much do you matter to me? With random weights, "
        "all matter about equally. Notice when a head finds its pattern, in layer 1 and in the last layer."
    ),
    "decoder": (
        "Each row is a decoding step: the piece fed and the one that comes next. It only looks at the pieces fed so "
        "far; with random weights, it is spread evenly over them. Click an early piece of the translation to see a "
        "short row."
    ),
    "cross": (
        "Each row is a decoding step: the piece fed and the one that comes next; each column is a source piece. "
        "With random weights, a row is spread evenly: the decoder looks everywhere and nowhere. Notice when dark "
        "cells appear, and that they fall where one word translates the other. Compare layer 1 with the last layer."
    ),
}

# The curves: a panel each, with the names of its curves by what the log calls them.
LOSSES = (("loss, nats per piece", {"loss": "training", "dev_loss": "validation"}),)
PACE = (("learning rate", {"lr": ""}), ("{target_language} pieces per second", {"tokens_per_s": ""}))
PANEL = "{title}: {curves}"
POINT = "step %{x:,}: %{y:,.4~g}"  # Plotly fills in the names

RECORD = {
    "model": "### The model",
    "size": "Size",
    "value": "Here",
    "run": "### The training run",
    "runs": "### The training runs, each continuing the one before",
    "fact": "Of each run",
    "number": "Run {number}",
    "command": "**Command**",
    "commands": "**Command of run {number}**",
    "data": "### Data and licences",
    "scores": "### Scores on held-out sentences",
}
DURATION = {"hours": "{hours} h {minutes} min", "minutes": "{minutes} min", "seconds": "{seconds:.0f} s"}
RECORD_FACTS = {
    "hardware": "Hardware",
    "seconds": "Time",
    "steps": "Steps",
    "epochs": "Epochs",
    "tokens": "{target_language} pieces learned from",
    "dev_loss": "Final validation loss, nats per piece",
}
MODEL_FACTS = {
    "parameters": "Parameters",
    "layers": "Layers, encoder + decoder",
    "heads": "Heads of an attention",
    "d_model": "Width of the stream, d_model",
    "d_ff": "Hidden width of the feed-forward networks, d_ff",
    "vocabulary": "Pieces of the vocabulary",
    "repository": "Converted from",
    "revision": "Its commit",
    "licence": "Its licence",
}
RECORD_FILES = {"file": "File", "pairs": "Sentence pairs", "role": "Used for"}
RECORD_SCORES = {
    "file": "Test file",
    "pairs": "Pairs",
    "decoding": "Decoding",
    "bleu": "BLEU",
    "bleu_lowercase": "lower-cased",
    "chrf": "chrF",
    "accuracy": "wholly right, %",
}
MISSING = {
    "value": "not recorded",
    "command": "The command is not recorded.",
    "data": "What the model learned from is not recorded.",
    "licences": "Its origin and licences are not recorded.",
    "scores": "No scores are recorded: `python -m model.evaluate --write` adds them.",
    "log": "This checkpoint's record has no log, so there are no curves.",
}
CURVES = (
    "The training loss is measured on the sentences being learned, with dropout and smoothed targets; the validation "
    "loss on held-out sentences, without either. So it can be the lower of the two."
)
CURVES_OF_RUNS = "A dotted line marks where another run continues from the weights of the one before."
