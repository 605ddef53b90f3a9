"""What the section Train one now says."""

HTML = {
    "room": "Train one now",
    "choose": "What this room shows",
    "came": "How this model came about",
    "now": "Train one now",
    "intro": "A small Transformer of the same kind, with random weights, learns one task from scratch, here, in less "
    "than a minute. Watch what its [[attention]] becomes.",
    "task": "Task",
    "layers": "Layers",
    "heads": "Heads",
    "positions": "Positions",
    "on": "on",
    "off": "off",
    "off_hint": "Nothing tells the model where in the sequence a piece stands",
    "train": "Train",
    "stop": "Stop",
    "go_on": "Go on",
    "again": "Start again",
    "again_hint": "Gives this one up and begins anew with the choices above",
    "open": "Open it in every room",
    "open_hint": "As a page of its own, in a new tab; whoever has its address can open it, too, as long as it is kept",
    "accuracy": "Wholly right, % of 256 questions it never trains on",
    "loss": "Loss, nats per piece: <b>training</b>, <i>held out</i>",
    "seen": "What it looks at now",
    "kind": "Kind of attention",
    "layer": "Layer",
    "head": "Head",
}
TASKS = {  # what attention is for in each
    "reverse": {
        "name": "Reverse",
        "why": "Each step must look one place further to the left: a diagonal that runs backwards.",
    },
    "copy": {
        "name": "Copy",
        "why": "Each step must look at the place that it writes: the plainest diagonal.",
    },
    "sort": {
        "name": "Sort",
        "why": "Each step must find the next digit in order, wherever it stands: it looks by content, not by place.",
    },
    "numbers": {
        "name": "Words to digits",
        "why": "“Thousand” and “hundred” say at which place a digit goes: the words must look at each other first.",
    },
    "dates": {
        "name": "Dates",
        "why": "The year comes first and the day last: each step jumps to the one word that it needs.",
    },
}
OFF = (
    "Here no model is trained: this page was started without it. On your own computer `python app.py` offers it, with "
    "`--toys 2` for two at once; on a Space it has to be switched on with `--toys`."
)
TEXT = {
    "kinds": {"cross": "cross-attention", "encoder": "encoder", "decoder": "decoder"},
    "mean": "mean",
    "cell": "{query} looks at {key}: {percent} %",
    "fed": "{fed} → {predicted}",
    "wrong": "{fed} → {predicted} (right: {right})",
    "map": "{kind}, layer {layer}, head {head}",
    "reading": {
        "cross": "A row is a step: the piece that is fed, and what it predicts. A column is a piece of the question. "
        "The stronger the colour, the more it looks there.",
        "encoder": "A row is a piece of the question, a column another one that it looks at, before anything is "
        "written.",
        "decoder": "A row is a step, a column a piece that is written already: nobody looks ahead.",
    },
    "writes": "Fed the right answer so far, it writes: {written}",
    "figures": "{seconds} s of training · {examples} examples · {steps} updates",
    "right": "{percent} % right",
    "axis": "{seconds} s",
    "loss": "Loss on held-out questions: {loss} nats per piece",
    "before": "Choose a task and press Train: here you will see how much it can do already, and what it looks at.",
    "starting": "Asking for a place …",
    "unreachable": "The server does not answer. Is it still running?",
    "milestones": {
        "begun": "The training has begun.",
        "passed": "{percent} percent right after {seconds} seconds.",
    },
    "without": {  # why, where positions were off
        "reverse": "Without positions 3 1 4 and 4 1 3 look exactly alike to the encoder: attention alone sees a bag of "
        "pieces. Which digit came last is then nowhere to be found, however long it trains.",
        "copy": "Without positions 3 1 4 and 4 1 3 look exactly alike to the encoder: attention alone sees a bag of "
        "pieces. It can write the right digits, but not in their order, however long it trains.",
        "sort": "Sorting needs no positions: the answer is the same in whatever order the digits come in. Which "
        "digits there are, and how often, attention can find in a bag.",
        "numbers": "Without positions “two hundred three” and “three hundred two” look exactly alike. What has only "
        "one reading, such as “forty two”, can still be learned.",
        "dates": "A date needs no positions: day, month and year are told apart by what they are, not by where they "
        "stand.",
    },
    "try": {
        "reverse": "Try it with positions off.",
        "copy": "Try it with positions off.",
        "sort": "Try it with positions off: can it still sort?",
        "numbers": "Try it with positions off.",
        "dates": "Try it with positions off: can it still do it?",
    },
}
