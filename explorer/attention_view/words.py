"""What the attention view says; terms in double brackets are linked with their definition by the glossary."""

EXPLANATIONS = {
    "encoder": (
        "Each row is one English [[piece]] asking all English pieces: what of you matters to me? The stronger the "
        "colour, the more of that piece's [[value]] it takes. The [[encoder]] reads the whole sentence at once, so "
        "this map is the same at every step. Try layer 1: do some heads look at the piece just before?"
    ),
    "decoder": (
        "Each row is a decoding step. It is labelled with the piece that was fed and the piece that was predicted from "
        "it. A row may look only at pieces fed so far: the future is [[mask|masked]], which is why the map is a "
        "triangle. Step forward and watch it grow."
    ),
    "cross": (
        "Each row is a decoding step, labelled with the piece fed and the piece predicted; each column is an English "
        "piece. The row shows where the [[decoder]] looks in the English sentence while it predicts. In some "
        "[[head|heads]] you can read off which word is being translated."
    ),
}

VIEWER = {
    "status": "Step {step} of {steps}: fed “{fed}”, predicted “{predicted}” ({probability})",
    "entropy": "Entropy {bits} bits: 0 is certain.",
    "start": "the start, fed first",
    "sourcePiece": "piece {number}, id {id}: click to pin it",
    "unknownPiece": "not in the vocabulary",
    "targetPiece": "step {step}: probability {probability}",
    "axes": "Rows: {rows}. Columns: {columns}.",
    "row": "Row {query} sums to {sum}: {keys}",
    "column": "Column {key}, strongest in: {queries}",
    "emptyRow": "Row {query} looked only at special pieces, so nothing is left.",
    "rows": "Every row sums to {sum}.",
    "rowsBetween": "Rows sum to {least} up to {most}.",
    "howToPin": "Click a cell to pin its row, a label to pin a row or a column.",
    "none": "nothing",
    "hidden": "(special pieces hidden, the rest of a row divided by its sum)",
    "maximum": "(a maximum is not a distribution: rows may sum to more than 1)",
    "words": "In words: the sentences' weights are summed over a word's keys and averaged over its queries.",
    "save": "Save as picture",
    "zoom": "Zoom",
    "reset": "Reset axes",
    "loading": "Loading the weights: {kind} …",
    "notLoaded": "The weights could not be loaded: {kind}. Is the server still running? Choose it again to retry.",
}
