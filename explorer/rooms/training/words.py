"""What the Training tab says."""

NO_STORY = (
    "This checkpoint has no story: what the model made of a few sentences at moments of its training. To make one, "
    "train with `python -m model.train --moments`, tell it with `python -m explorer.story RUN_FOLDER`, which writes "
    "`story.json.gz` into the checkpoint, and start the page again."
)
STORY = {
    "moment": "Moment {number} of {count}: after step {step}",
    "loss": "training loss {loss}",
    "dev_loss": "validation loss {loss}",
    "nothing": "(nothing: the end at once)",
    "unended": "{translation} …",
    "loading": "Loading the story of this training …",
    "notLoaded": "The story of this training could not be loaded. Is the server still running? Open the page again.",
}
STORY_STOPPED = "Stopped here, a few pieces beyond the final translation: no end was in sight."
STORY_QUERIES = {
    "encoder": "English piece",
    "decoder": "German piece fed → next",
    "cross": "German piece fed → next",
}
STORY_EXPLANATIONS = {
    "encoder": (
        "Each row is one English piece asking all English pieces: what of you matters to me? With random weights all "
        "matter about equally. Notice when a head finds its pattern. Try: layer 1, then the last layer."
    ),
    "decoder": (
        "Each row is a decoding step: the piece fed, and the one that comes next. It looks at pieces fed so far only. "
        "With random weights a row is spread evenly over them. Try: click an early German piece, whose row is short."
    ),
    "cross": (
        "Each row is a decoding step: the piece fed, and the one that comes next; each column is an English piece. "
        "With random weights a row is spread evenly: the decoder looks everywhere and nowhere. Notice when dark cells "
        "appear, and that they fall where one word translates the other. Try: layer 1, then the last layer."
    ),
}

RECORD = {
    "run": "### The training run",
    "runs": "### The training runs, each from the weights of the one before",
    "number": "Run {number}",
    "command": "**Command**",
    "commands": "**Command of run {number}**",
    "data": "### Data and licences",
    "scores": "### Scores on held-out sentences",
}
RECORD_FACTS = {
    "hardware": "Hardware",
    "seconds": "Time",
    "steps": "Steps",
    "epochs": "Epochs",
    "tokens": "German pieces learned from",
    "dev_loss": "Validation loss at the end, nats a piece",
}
RECORD_FILES = {"file": "File", "pairs": "Sentence pairs", "role": "Used for"}
RECORD_SCORES = {
    "file": "Test file",
    "pairs": "Pairs",
    "decoding": "Decoding",
    "bleu": "BLEU",
    "bleu_lowercase": "lower-cased",
    "chrf": "chrF",
}
MISSING = {
    "value": "not recorded",
    "run": "How long, where and with which command it was trained is not recorded.",
    "command": "The command is not recorded.",
    "data": "What the model learned from is not recorded.",
    "licences": "Its origin and licences are not recorded.",
    "scores": "No scores are recorded: `python -m model.evaluate --write` adds them.",
    "log": "The record of this checkpoint has no log, so there are no curves.",
}
CURVES = (
    "The training loss is measured on the sentences being learned, with dropout and smoothed targets, the validation "
    "loss on held-out sentences without either: so it can be the lower one."
)
CURVES_OF_RUNS = "A dotted line marks where another run goes on from the weights of the one before."
