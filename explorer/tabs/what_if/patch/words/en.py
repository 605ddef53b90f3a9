"""What the station says."""

LABEL = "Patch"
HINT = "Put a part of another sentence's run into this one's, and see whether the {target_language} follows"

HTML = {
    "how": "The model reads two sentences. One part of the run of the first, a [[head]]'s output or the [[residual "
    "stream]] at one position, is put into the run of the second: a part that makes the {target_language} follow the "
    "first sentence carries what differs. Click a number to make that patch, Shift and click to add one, and a row's "
    "name to patch the whole row.",
    "from": "Take from",
    "placeholder": "A sentence in {source_language}, best with one word changed",
    "go": "Compare the runs",
    "copy": "Copy the sentence",
    "copy_hint": "Write the sentence that is patched into the box, to change a word of it",
    "into": "Put into",
    "grids": "What is patched",
    "progress": "How much of the grid is computed",
    "grid": "Patches: 0 is the run that is patched, 1 the run that is taken from",
}
TEXT = {
    "names": {"original": "Unpatched", "changed": "Patched"},
    "grids": {"heads": "Heads", "encoder": "Encoder streams", "decoder": "Decoder streams"},
    "gridHints": {
        "heads": "Each head's output, at all positions that both sentences have",
        "encoder": "The stream at one position of the {source_language}, as it leaves a layer",
        "decoder": "The stream at one position of the {target_language} that both translations begin with, as it "
        "leaves a layer",
    },
    "measured": "The {target_language} parts at step {step}: “{own}” becomes “{taken}” in “{target}” Each number says "
    "where a patched run stands between the two there: 0 is the unpatched run, 1 the run that is taken from "
    "(log-probability of “{taken}” minus that of “{own}”: {away} nats at 0, {toward} nats at 1).",
    "same": "Both runs prefer nearly the same at the step where the {target_language} parts ({away} and {toward} "
    "nats), so there is no scale between them and no number to show. A patch can still be made.",
    "unequal": "The sentences have {first} and {second} pieces: position goes to position, as far as both have it, "
    "whichever words stand there.",
    "scale": "Full colour at {scale}; the other colour is below 0, away from the first sentence.",
    "tell": "Choose a number to see it in words.",
    "layer": "layer {layer}",
    "embedding": "embedding",
    "after": {"layer": "layer {layer}", "embedding": "the embedding"},
    "row": {
        "heads": "All heads of {row}",
        "encoder": "All positions after {row}",
        "decoder": "All positions after {row}",
    },
    "captions": {
        "heads": {
            "encoder": "Heads of the encoder",
            "decoder": "Heads of the decoder",
            "cross": "Heads of cross-attention",
        },
        "encoder": "Encoder: the stream after each layer, at each position",
        "decoder": "Decoder: the stream after each layer, at each position",
    },
    "changed": "{own} ← {taken}",
    "place": {
        "heads": "{kind}, {row}, head {column}",
        "encoder": "Stream after {row} at “{column}”, position {position}",
        "decoder": "Stream after {row} where “{column}” is fed, position {position}",
    },
    "cell": "{place}: {share} of the way to the first sentence's run ({nats} nats)",
    "follows": "The patched {target_language} is that of the first sentence: {target}",
}
REFUSALS = {
    "donor": "The sentence to take from: {reason}",
    "grid": "There is no grid {grid!r}.",
}
