"""What the attention view says; terms in double brackets are linked with their definition by the glossary."""

from explorer.shared.words import PICKERS, STEP, STEPS

CELL = "{query} attends to {key}: {weight}"  # what hovering over a cell of the heatmap says

# Titles of the heatmap's axes, and what its rows and columns are.
AXES = {"query": "query: {pieces}", "key": "key: {pieces}"}
QUERIES = {
    "encoder": "English piece",
    "decoder": "German piece fed → predicted",
    "cross": "German piece fed → predicted",
}
KEYS = {"encoder": "English piece", "decoder": "German piece fed so far", "cross": "English piece"}

EXPLANATIONS = {
    "encoder": (
        "Each row is one English [[piece]] asking all English pieces: what of you matters to me? The stronger the "
        "colour, the more of that piece's [[value]] it takes. The [[encoder]] reads the whole sentence at once, so "
        "this map is the same at every step. Try layer 1: do some heads look at the piece just before?"
    ),
    "decoder": (
        "Each row is a decoding step. It is labelled with the piece that was fed and the piece that was predicted "
        "from it. A row may look only at pieces fed so far: the future is [[mask|masked]], which is why the map is a "
        "triangle. Step forward and watch it grow."
    ),
    "cross": (
        "Each row is a decoding step, labelled with the piece fed and the piece predicted; each column is an English "
        "piece. The row shows where the [[decoder]] looks in the English sentence while it predicts. In some "
        "[[head|heads]] you can read off which word is being translated."
    ),
}

HTML = {
    "view": "Attention view",
    "source": "English",
    "target": "German",
    "steps": STEPS,
    "speed": "Speed",
    "speed_hint": "Steps a second while playing",
    "speed_1": "1 / s",
    "speed_2": "2 / s",
    "speed_5": "5 / s",
    "speed_15": "15 / s",
    "speed_60": "film (60 / s)",
    "overview": "All layers and heads",
    "overview_hint": "All layers (rows) and heads (columns): click one to enlarge it",
    "looks": "Look",
    "heatmap": "Heatmap",
    "heatmap_hint": "Every weight as a cell",
    "ribbons": "Ribbons",
    "ribbons_hint": "The weights of one row as ribbons between the pieces",
    "pair": "Two heads",
    "pair_hint": "A second head beside the first",
    "whole": "All steps",
    "whole_hint": "Every row at once, also those of later steps",
    "words": "Words",
    "words_hint": "The sentences above in words: a word's weights are summed over its pieces as keys and averaged "
    "over its pieces as queries",
    "arithmetic": "Arithmetic",
    "arithmetic_hint": "Where a weight comes from: every number behind the framed cell, or the strongest one of the "
    "row (also: double click a cell)",
    "options": "Options",
    "options_hint": "Colours, special pieces, layout",
    "scale": "Colour scale",
    "scale_fixed": "0 to 1: heads compare",
    "scale_row": "each row by its maximum",
    "scale_auto": "0 to this head's maximum",
    "hide": "Hide special pieces as keys; each row is divided by what is left, so that it sums to 1 again",
    "transposed": "Transposed: keys down the rows, queries along the columns",
    "layer": PICKERS["layer"],
    "head": PICKERS["head"],
    "next": "Next piece",
}
TEXT = {
    "status": STEP,
    "heatmap": "Heatmap: {title}",
    "ribbons": "Ribbons: {title}",
    "title": "{kind} · {heads}",
    "cell": CELL,
    "rowMaximum": "row's max",
    "combined": {"mean": "mean", "max": "max"},
    "overview": {"layer": "L{number}", "head": "H{number}"},
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
    "loading": "Loading the weights: {kind} …",
    "notLoaded": "The weights could not be loaded: {kind}. Is the server still running? Choose it again to retry.",
}
