"""What the attention view says; terms in double brackets are linked with their definition by the glossary."""

from explorer.ui.words.en import FORK, PICKERS, STEP, STEPS

CELL = "{query} attends to {key}: {weight}"  # what hovering over a cell of the heatmap says

# Titles of the heatmap's axes, and what its rows and columns are.
AXES = {"query": "query: {pieces}", "key": "key: {pieces}"}
SOURCE_PIECE, FED_PIECE = "{source_language} piece", "{target_language} piece fed → predicted"
QUERIES = {"encoder": SOURCE_PIECE, "decoder": FED_PIECE, "cross": FED_PIECE}
KEYS = {"encoder": SOURCE_PIECE, "decoder": "{target_language} piece fed so far", "cross": SOURCE_PIECE}
# The same where pieces are joined into words.
SOURCE_WORD, FED_WORD = "{source_language} word", "{target_language} word fed → predicted"
WORD_QUERIES = {"encoder": SOURCE_WORD, "decoder": FED_WORD, "cross": FED_WORD}
WORD_KEYS = {"encoder": SOURCE_WORD, "decoder": "{target_language} word fed so far", "cross": SOURCE_WORD}

EXPLANATIONS = {
    "encoder": (
        "Each row is a [[piece]] asking every {source_language} piece: how much do you matter to me? The stronger the "
        "colour, the more of that piece's [[value]] it takes. The [[encoder]] reads the whole sentence at once, so "
        "this map is the same at every step. Try layer 1: do some heads look at the previous piece?"
    ),
    "decoder": (
        "Each row is a decoding step, labelled with the piece fed and the piece predicted from it. A row may only "
        "look at the pieces fed so far; the future is [[mask|masked]], so the map is a triangle. Step forward and "
        "watch it grow."
    ),
    "cross": (
        "Each row is a decoding step, labelled with the piece fed and the piece predicted; each column is a piece of "
        "the {source_language} sentence. The row shows where the [[decoder]] looks in it as it predicts. In some "
        "[[head|heads]] you can see which word is being translated."
    ),
}

# What is said instead where the cells are lengths, or a rollout over layers.
LENGTH = (
    "A cell is the [[length of what is added]]: of weight × [[value]] × W_O. A large [[attention weight|weight]] on a "
    "short value adds little."
)
ROLLED = (
    "[[attention rollout|Rollout]]: the {layers} layers multiplied, each half [[mean of heads]], half "
    "[[residual connection]]. A row says how much of every "
)
ROLLOUT_EXPLANATIONS = {
    "encoder": ROLLED + "{source_language} piece has reached it at the end, if one follows the weights alone.",
    "decoder": ROLLED + "piece fed has reached it at the end, if one follows the weights alone, as if there were no "
    "{source_language}.",
    "cross": (
        "[[attention rollout|Rollout]]: what a row is made of, followed back through decoder, cross-attention and "
        "encoder; at each, half is kept by the [[residual connection]]. So {share}% of every row is {source_language}, "
        "whatever the weights are: that part is shown, rescaled to sum to 1. The rest is {target_language} pieces fed."
    ),
}

# What the level "picture" says instead.
PLAIN_KINDS = {
    "encoder": "{source_language} → {source_language}",
    "decoder": "{target_language} → {target_language}",
    "cross": "{target_language} → {source_language}",
}
PLAIN_EXPLANATIONS = {
    "encoder": (
        "Rows and columns are the {source_language} words. Strong colour means: while the model reads the word of the "
        "row, it looks at the word of the column. It reads the whole sentence at once, before it writes. This looking "
        "is called [[attention]]."
    ),
    "decoder": (
        "Each row is a word being written in {target_language}. Strong colour means: here the model looks, back at "
        "what it has written so far. It cannot look ahead, because nothing is written there yet. This looking is "
        "called [[attention]]."
    ),
    "cross": (
        "Each row is a word being written in {target_language}, each column a word of the {source_language} sentence. "
        "Strong colour means: here the model looks. Press the right arrow, and it writes the next word. This looking "
        "is called [[attention]]."
    ),
}

# One sentence for the row or column that is looked at; an `aim` is what a row is for, and `found` where it looks.
PLAIN = {
    "pair": "{predicted}",  # what a row of the decoder is called
    "axes": {
        "encoder": {"query": "{source_language} word being read", "key": "{source_language} word"},
        "decoder": {"query": "{target_language} word being written", "key": "{target_language} word written before"},
        "cross": {"query": "{target_language} word being written", "key": "{source_language} word"},
    },
    "word": "“{word}”",
    "mark": {"start": "(start)", "end": "(end)"},  # where nothing but a sign has room
    "place": {"start": "the start of the sentence", "end": "the end of the sentence"},
    "found": "{name} ({percent}%)",
    "both": "{first} and {second}",
    "aim": {"word": "To write {name}", "end": "To end the sentence"},
    "row": {
        "encoder": {
            "mostly": "While reading {name}, the model looks mostly at {found}.",
            "spread": "While reading {name}, the model looks at several words, most of all at {found}.",
        },
        "decoder": {
            "mostly": "{aim}, the model looks back mostly at {found}.",
            "spread": "{aim}, the model looks back at several {target_language} words, most of all at {found}.",
        },
        "cross": {
            "mostly": "{aim}, the model looks mostly at {found}.",
            "spread": "{aim}, the model looks at several {source_language} words, most of all at {found}.",
        },
    },
    "column": {
        "encoder": "The model looks at {name} most while reading {found}.",
        "decoder": "The model looks back at {name} most while writing {found}.",
        "cross": "The model looks at {name} most while writing {found}.",
    },
    "unseen": "So far the model hardly looks at {name}.",
    "rows": "The model reads all {source_language} words at once. Click one of them to see where it looks meanwhile.",
}

HTML = {
    "view": "Attention view",
    "source": "{source_language}",
    "target": "{target_language}",
    "steps": STEPS,
    "warned_hint": "What to know before trusting this translation",
    "offer": "One after the other",
    "offer_hint": "Translate the sentences one after the other, each with its own picture",
    "sentences": "Sentences of the text",
    "before": "The sentence before",
    "after": "The next sentence",
    "together": "All as one text",
    "together_hint": "Translate the whole text at once again",
    "speed": "Speed",
    "speed_hint": "Steps per second while playing",
    "speed_1": "1 / s",
    "speed_2": "2 / s",
    "speed_5": "5 / s",
    "speed_15": "15 / s",
    "speed_60": "film (60 / s)",
    "levels": "Level of detail",
    "picture": "Picture",
    "picture_hint": "One picture, in words",
    "heads": "Heads",
    "heads_hint": "Every layer and head, with all numbers",
    "whose": "Who looks where?",
    "overview": "All layers and heads",
    "overview_hint": "All layers (rows) and heads (columns): click one to enlarge it",
    "looks": "Show weights as",
    "heatmap": "Heatmap",
    "heatmap_hint": "Every weight as a cell",
    "ribbons": "Ribbons",
    "ribbons_hint": "Weights as ribbons between the pieces",
    "table": "Table",
    "table_hint": "Every weight as a number in a table, which a screen reader reads",
    "compared": "Two runs",
    "beside": "Side by side",
    "beside_hint": "The map of each run",
    "difference": "Difference",
    "difference_hint": "One map: the weights of the changed run minus those of the unchanged one",
    "measures": "What is shown of attention",
    "weight": "Weights",
    "weight_hint": "What is looked at: the attention weight",
    "length": "Lengths",
    "length_hint": "What is added: the length of weight × value × W_O, so that a key with a short value counts little",
    "pair": "Two heads",
    "pair_hint": "A second head beside the first",
    "whole": "All steps",
    "whole_hint": "All rows at once, including those of later steps",
    "words": "Words",
    "words_hint": "Words instead of pieces: weights are summed over a word's keys and averaged over its queries",
    "arithmetic": "Arithmetic",
    "arithmetic_hint": "Where a weight comes from: every number behind the framed cell, or behind the strongest cell "
    "of the row (or double-click a cell)",
    "options": "Options",
    "options_hint": "Colours, special pieces, layout",
    "scale": "Colour scale",
    "scale_fixed": "0 to 1 (lengths: to the longest of this kind), so that heads compare",
    "scale_row": "each query up to its maximum",
    "scale_auto": "0 to this head's maximum",
    "hide": "Hide special pieces as keys and rescale each row to sum to 1 again",
    "transposed": "Transpose: keys down the rows, queries along the columns",
    "layer": PICKERS["layer"],
    "head": PICKERS["head"],
    "next": "Next piece",
    "entropy": "[[entropy|Entropy]]",
    "off_hint": "To the room What if, with these heads switched off",
    "signs": "Signs: [[raised dot|·word]] [[special pieces|</s>]] [[fed → predicted]] [[mean of heads]]",
}
# Two runs: `changed` and `unchanged` are what they are called, a `name` is one of these.
COMPARED = {
    "heading": "{name} · {heads}",
    "title": "{name} · {title}",
    "difference": "{changed} − {unchanged}",
    "side": "{side} · {name}",
    "alone": "not in “{name}”",
    "instead": "“{name}” has “{piece}” here",
    "apart": "no partner",
    "cell": "{query} attends to {key}: difference {weight}",
    "shows": "{title}. {axes} Each cell is the difference of two weights; hatched cells have none. The table has the "
    "numbers.",
    "remark": "Above 0, “{changed}” looks there more than “{unchanged}”; below 0, less. Hatched: no number, because "
    "there is no partner in the other run, or the mask.",
    "beside": {
        "beside": "Each step is shown beside the one that corresponds to it. A bar over a piece: the other run has "
        "another one there, or none.",
        "difference": "Ribbons cannot be negative, so both runs stand beside each other.",
    },
    "parted": "No step of this run corresponds to the step shown.",
    "lost": "This has no partner in “{name}”.",
    "row": "Row {name}, largest differences: {found}",
    "column": "Column {name}, largest differences: {found}",
    "all": "Largest differences: {found}",
    "pair": "{query} to {key}",
    "noPartner": "{name} has no partner in the other run.",
    "none": "none",
    "scales": {
        "fixed": "up to this head's largest difference",
        "row": "each query up to its largest difference",
        "auto": "−1 to 1, so that heads compare",
    },
}
# Lengths, and a rollout over layers, are told in these words instead of those of weights.
INSTEAD = {
    "changed": "The strongest key is another one than by weight in {here} of {rows} rows here, and in {all}% of the "
    "rows of all heads of this kind.",
    "length": {
        "title": "Lengths · {short} · {heads}",
        "shows": "{title}. {axes} The stronger a cell's colour, the longer the vector that is added; the table has the "
        "numbers.",
        "cell": "{query} gets a vector of length {weight} from {key}",
        "row": "Row {query}, lengths summing to {sum}: {keys}",
        "column": "Column {key}, longest in: {queries}",
        "emptyRow": "Row {query} gets something only from special pieces, so nothing is left.",
        "rows": "The lengths of every row sum to {sum}; the sum of the vectors is at most that long.",
        "rowsBetween": "The lengths of a row sum to {least} up to {most}, not to 1; what they add together is at most "
        "that long, because vectors can cancel.",
        "hidden": "(special pieces hidden; the other lengths as they are)",
        "maximum": "(of several heads, the longest)",
        "words": "In words: summed over a word's keys, averaged over its queries.",
        "loading": "Loading the lengths: {kind} …",
        "notLoaded": "The lengths could not be loaded: {kind}. Is the server still running? Choose them again to "
        "retry.",
    },
    "rollout": {
        "cell": "{query} has {weight} of {key}, across all layers",
        "shows": "{title}. {axes} The stronger a cell's colour, the more of the column's piece has reached the row "
        "across all layers; the table has the numbers.",
        "emptyRow": "Row {query} comes only from special pieces, so nothing is left.",
        "words": "In words: summed over a word's keys, averaged over its queries.",
    },
}
TEXT = {
    "instead": INSTEAD,
    "warned": {"more": "and {count} more", "where": "Sentence {number} of {count}"},
    "withReason": "{piece}: {reason}",
    "status": STEP,
    "heatmap": "Heatmap: {title}",
    "shows": "{title}. {axes} The stronger a cell's colour, the larger its weight; the table has the numbers.",
    "ribbons": "Ribbons: {title}",
    "table": "Table: {title}",
    "caption": "{title}. {axes}",
    "masked": "masked",
    "title": "{kind} · {heads}",
    "cell": CELL,
    "rowMaximum": "row max",
    "columnMaximum": "col max",
    "combined": {"mean": "mean", "max": "max", "rollout": "rollout"},
    "overview": {"layer": "L{number}", "head": "H{number}"},
    "entropy": "{bits} bits (0 is certain).",
    "others": "{count} others: {probability}",
    "fork": FORK,
    "off": {
        "head": "What if this head were off?",
        "layer": "What if the heads of layer {layer} were off?",
        "heads": "What if head {head} of every layer were off?",
        "all": "What if all these heads were off?",
    },
    "start": "start of the sentence, fed first",
    "sourcePiece": "piece {number}, id {id}: click to pin it",
    "unknownPiece": "not in the vocabulary",
    "targetPiece": "step {step}: probability {probability}",
    "axes": "Rows: {rows}. Columns: {columns}.",
    "compared": COMPARED,
    "row": "Row {query} sums to {sum}: {keys}",
    "column": "Column {key}, strongest in: {queries}",
    "emptyRow": "Row {query} attends only to special pieces, so nothing is left.",
    "rows": "Every row sums to {sum}.",
    "rowsBetween": "Row sums range from {least} to {most}.",
    "howToPin": "Click a cell to pin its row, or a label to pin its row or column.",
    "none": "nothing",
    "hidden": "(special pieces hidden; each row rescaled to sum to 1)",
    "maximum": "(a maximum is not a distribution: rows may sum to more than 1)",
    "words": "In words: weights are summed over a word's keys and averaged over its queries.",
    "pair": "{fed} → {predicted}",
    "save": "Save as picture",
    "zoom": "Zoom",
    "reset": "Show all of it again (key 0)",
    "stopped": "Stopped. Your text is still in the box, and the picture is that of the sentence before.",
    "noAnswer": "No answer came. Is the server still running? Nothing is lost: your text is still in the box, and the "
    "picture is that of the sentence before. Press Translate to try again.",
    "loading": "Loading the weights: {kind} …",
    "notLoaded": "The weights could not be loaded: {kind}. Is the server still running? Choose it again to retry.",
}
