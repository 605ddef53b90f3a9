"""What the tab Inside says; explorer.ui.glossary links the terms in double brackets."""

TAB = "Inside"

HTML = {
    "room": "Attention, cell by cell",
    "query": "Query",
    "query_hint": "The piece that asks: a row of the map",
    "key": "Key",
    "key_hint": "The piece that is asked: a column of the map",
    "map": "The head's map: arrow keys move the cell",
    "map_hint": "The head's map, queries down, keys across: click a cell, or move with the arrow keys",
    "numbers": "Numbers",
    "numbers_hint": "Write the numbers in the cells of all strips",
    "dimension": "Follow dimension",
    "mistakes": "Common mistakes",
    "where_masked": "where the query may not attend to key j",
    "see": "One cell of an attention map, taken apart: every number from two vectors to the sub-layer's output, in "
    "one pass over the finished translation. [[query|Query]] and [[key]], their [[score]], the [[softmax]] over the "
    "row, and the [[value|values]] that the [[attention weight|weights]] mix. The kind's colour is "
    "positive, brown (encoder) or violet negative; the stronger, the larger. Hover for the value. This page reads the "
    "numbers through the [[probe|probe( )]] calls.",
    "notice": "Notice how few of the products matter: many cancel out, and the largest few make up most of the dot "
    "product.",
    "try": "Try the strongest key of a row, then a weak one: where do their products differ?",
}
INSIDE = {
    "heading": "Query “{query}” attends to key “{key}”: {weight} ({kind}, layer {layer}, head {head})",
    "maskedHeading": "Query “{query}” may not attend to key “{key}”: masked ({kind}, layer {layer}, head {head})",
    "several": "Explore shows {heads}: {weight} in this cell. The arithmetic below is for one head; choose one:",
    "head": "L{layer} H{head}: {weight}",
    "rollout": "Explore shows the rollout over all layers: {weight} in this cell. It is a product over all layers; the "
    "arithmetic below is for one head of one layer.",
    "lengths": "Explore shows lengths of what is added; this is where the weight in them comes from.",
    "specials": "Explore hides special pieces and rescales each row; these are the model's own weights.",
    "masked": "masked",
    "notLoaded": "The numbers of this head could not be loaded. Is the server still running? Choose it again to retry.",
    "map": "This head: queries down, keys across. Click a cell, or move with the arrow keys.",
    "strips": {
        "queryStream": "stream x of {query}",
        "queryWeights": "weights for q[{dimension}]",
        "q": "query q of {query}",
        "keyStream": "stream x of {key}",
        "keyWeights": "weights for k[{dimension}]",
        "k": "key k of {key}",
        "product": "q times k",
        "scores": "scores s of the row",
        "masked": "after the mask",
        "exponentials": "e to the power s − m",
        "weights": "weights α",
        "mistaken": "with the mistake",
        "valueWeights": "weights for v[{valueDimension}]",
        "value": "value v of {key}",
        "weighted": "α v, one row per key",
        "headOutput": "their sum o",
        "concatenated": "c: all heads",
        "output": "output y for {query}",
    },
    "from": {
        "encoder": "Both vectors come from the encoder's stream as it enters this layer.",
        "decoder": "Both vectors come from the decoder's stream as it enters this layer.",
        "cross": "Here the query comes from the decoder's stream and the key from the encoder's output.",
    },
    "dimension": "the strongest",
    "projected": "{name}[{number}] = x · its weights + b = {dot} + {bias} = {value}.",
    "projectedWithoutBias": "{name}[{number}] = x · its weights = {value}.",
    "element": "{strip} [{number}]",
    "ofHead": "head {head}, dimension {number}",
    "check": "The row sums to {sum}; its {count} masked weights are exactly 0.",
    "checkUnmasked": "The row sums to {sum}.",
    "someMasked": "Here {count} of {keys} keys are masked: they come after the query, and looking ahead is not "
    "allowed.",
    "noneMasked": {
        "encoder": "Here nothing is masked: the encoder sees the whole sentence, and one sentence needs no padding.",
        "decoder": "Here nothing is masked: this is the last query, so every key has already been fed.",
        "cross": "Here nothing is masked: the decoder may look at the whole sentence that is read, which has no "
        "padding.",
    },
}
MISTAKES = {
    "none": {"title": "none", "words": ""},
    "undivided": {
        "title": "scores not divided by √d_head",
        "words": "The same row without the division: the softmax is sharper, its entropy goes from {before} to "
        "{after} bits, and where a weight is almost 0 or 1, hardly any gradient is left to learn from.",
        "alone": "With a single key to attend to, its weight is 1 either way. A later query shows the difference.",
    },
    "dropped": {
        "title": "weights read after dropout",
        "words": "During training, dropout (p = {p}) sets some weights to 0 and divides the others by 1 − p. Read "
        "after that, the row sums to {sum} instead of 1, and to something else every time; the softmax itself gave "
        "the row above.",
    },
    "mislabelled": {
        "title": "rows labelled with the wrong sentence",
        "words": "Some published notebooks label the rows of every map with the {source_language} pieces. This row "
        "would be called “{wrong}”, but its query is “{query}”. The numbers are right, so nothing fails, yet the "
        "picture is wrong.",
        "encoder": "Some published notebooks label the rows of every map with the {source_language} pieces. Here that "
        "is right: “{query}” is the query. Choose the decoder or cross-attention to see where it is not.",
        "beyond": "(none: the {source_language} sentence is shorter)",
    },
}
STAGES = {
    "project": {
        "title": "Project",
        "words": "Each [[head]] has its own matrices: one turns a piece's vector into a [[query]] (what am I looking "
        "for?), another into a [[key]] (what can be found here?).",
    },
    "multiply": {
        "title": "Multiply and add",
        "words": "Query times key, dimension by dimension, all added up: the dot product. It is large when both are "
        "large in the same dimensions, with the same sign.",
    },
    "scale": {
        "title": "Divide",
        "words": "The more dimensions are added up, the larger the sum tends to be. Dividing by √[[d_head]] keeps the "
        "[[score|scores]] in the range where the softmax can still learn. The score above is the framed key's.",
    },
    "mask": {"title": "Mask", "words": "A key that the [[mask]] forbids gets a score of −∞, whatever it was before."},
    "softmax": {
        "title": "Softmax of the row",
        "words": "The [[softmax]]: e to the power of each score, divided by the sum over all keys, gives the weights "
        "of this query. Subtracting the largest score m first keeps the numbers small and changes nothing else.",
    },
    "values": {
        "title": "Weigh the values",
        "words": "Each key's [[value]] vector times its weight. Added up, column by column, they are what this head "
        "found for this query. [[dropout|Dropout]] is off while translating.",
    },
    "concatenate": {
        "title": "Concatenate",
        "words": "The outputs of all heads side by side; the frame marks this head's part.",
    },
    "output": {
        "title": "Output projection",
        "words": "One more matrix mixes the heads. The result is [[residual connection|added]] to the query's "
        "[[residual stream|stream]] and [[layer normalisation|normalised]].",
    },
}
