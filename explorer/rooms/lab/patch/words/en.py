"""What the station says."""

LABEL = "Patch"
HINT = "Put a part of another sentence's run into this one's, and see whether the German follows"

HTML = {
    "how": "The model reads two sentences. One part of the run of the first, a [[head]]'s output or the "
    "[[residual stream]] at one position, is put into the run of the second: a part that makes the German follow the "
    "first sentence carries what differs. Click a number to make that patch, Shift and click to add one, and a row's "
    "name to patch the whole row.",
    "from": "Take from",
    "placeholder": "An English sentence, best with one word changed",
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
        "encoder": "The stream at one position of the English, as it leaves a layer",
        "decoder": "The stream at one position of the German that both translations begin with, as it leaves a layer",
    },
    "measured": "The German parts at step {step}: “{own}” becomes “{taken}” in “{german}” Each number says where a "
    "patched run stands between the two there: 0 is the unpatched run, 1 the run that is taken from (log-probability "
    "of “{taken}” minus that of “{own}”: {away} nats at 0, {toward} nats at 1).",
    "same": "Both runs prefer nearly the same at the step where the German parts ({away} and {toward} nats), so there "
    "is no scale between them and no number to show. A patch can still be made.",
    "unequal": "The sentences have {first} and {second} pieces: position goes to position, as far as both have it, "
    "whichever words stand there.",
    "scale": "Full colour at {scale}; the other colour is below 0, away from the first sentence.",
    "tell": "Choose a number to see it in words.",
    "layer": "layer {layer}",
    "embedding": "embedding",
    "row": {"heads": "All heads of {row}", "encoder": "All positions of {row}", "decoder": "All positions of {row}"},
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
    "follows": "The patched German is that of the first sentence: {german}",
    # A sentence to take from for each example sentence: as many pieces, one word changed, and a difference that the
    # shipped model's German shows (tests/rooms/test_patch_station.py).
    "partners": {
        "A man in a blue shirt is standing on a ladder cleaning a window.": "A woman in a blue shirt is standing on a "
        "ladder cleaning a window.",
        "The dog is tired because it has run all day.": "The cat is tired because it has run all day.",
        "I know that he bought a new car yesterday.": "I know that he sold a new car yesterday.",
        "Two children are playing at the playground.": "Two dogs are playing at the playground.",
        "She does not want to go home yet.": "He does not want to go home yet.",
        "The man saw the man who saw the dog.": "The man saw the man who saw the cat.",
        "Why didn't you tell me the truth?": "Why didn't you tell me the story?",
        "The accordion player forgot his umbrella.": "The accordion player forgot her umbrella.",
    },
}
REFUSALS = {
    "donor": "The sentence to take from: {reason}",
    "grid": "There is no grid {grid!r}.",
}
