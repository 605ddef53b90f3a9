"""What the tab Inside says; explorer.shared.glossary links the terms in double brackets."""

TAB = "Inside"

HTML = {
    "room": "Attention, cell by cell",
    "query": "Query",
    "query_hint": "The piece that asks: a row of the map",
    "key": "Key",
    "key_hint": "The piece that is asked: a column of the map",
    "map": "The head's map: arrow keys move the cell",
    "map_hint": "The head's map, queries down, keys along: click a cell, or move with the arrow keys",
    "numbers": "Numbers",
    "numbers_hint": "Write the numbers into the cells of all strips",
    "dimension": "Follow dimension",
    "mistakes": "Common mistakes",
    "where_masked": "where the query may not attend to key j",
    "see": "You see one cell of an attention map taken apart: every number from two vectors to the sub-layer's "
    "output, of a pass over the finished translation: [[query]] and [[key]], their [[score]], the [[softmax]] over "
    "the row, and the [[value|values]] that the [[attention weight|weights]] mix. Colour is positive, grey is "
    "negative, the stronger the larger; hover for the value. [[probe|probe( )]] in the source is how this page looks.",
    "notice": "Notice how few of the products decide: many cancel each other, and the few largest make most of the "
    "dot product that is left.",
    "try": "Try the strongest key of a row and then a weak one. Where do their products differ?",
}
INSIDE = {
    "heading": "Query “{query}” attends to key “{key}”: {weight} ({kind}, layer {layer}, head {head})",
    "maskedHeading": "Query “{query}” may not attend to key “{key}”: masked ({kind}, layer {layer}, head {head})",
    "several": "Explore shows {heads}: {weight} in this cell. The arithmetic is always that of one head; choose it:",
    "head": "L{layer} H{head}: {weight}",
    "specials": "Explore hides special pieces and divides each row by what is left; these are the weights of the pass.",
    "masked": "masked",
    "notLoaded": "The numbers of this head could not be loaded. Is the server still running? Choose it again to retry.",
    "map": "This head: queries down, keys along. Click a cell, or move with the arrow keys.",
    "strips": {
        "queryStream": "stream x of {query}",
        "queryWeights": "weights to q[{dimension}]",
        "q": "query q of {query}",
        "keyStream": "stream x of {key}",
        "keyWeights": "weights to k[{dimension}]",
        "k": "key k of {key}",
        "product": "q times k",
        "scores": "scores s of the row",
        "masked": "after the mask",
        "exponentials": "e to the s − m",
        "weights": "weights α",
        "mistaken": "with the mistake",
        "valueWeights": "weights to v[{valueDimension}]",
        "value": "value v of {key}",
        "weighted": "α v, one row per key",
        "headOutput": "their sum o",
        "concatenated": "c: all heads",
        "output": "output y for {query}",
    },
    "from": {
        "encoder": "Both pieces come from the encoder's stream as it enters this layer.",
        "decoder": "Both pieces come from the decoder's stream as it enters this layer.",
        "cross": "Here the query comes from the decoder's stream, the key from the output of the encoder.",
    },
    "dimension": "that counts most",
    "projected": "{name}[{number}] = x · its weights + b = {dot} + {bias} = {value}.",
    "projectedWithoutBias": "{name}[{number}] = x · its weights = {value}.",
    "element": "{strip} [{number}]",
    "ofHead": "head {head}, dimension {number}",
    "check": "The row sums to {sum}; its {count} masked weights are exactly 0.",
    "checkUnmasked": "The row sums to {sum}.",
    "someMasked": "Here {count} of {keys} keys are masked: they come after the query, and no one may look ahead.",
    "noneMasked": {
        "encoder": "Here nothing is masked: the encoder sees the whole sentence, and one sentence needs no padding.",
        "decoder": "Here nothing is masked: this is the last query, and every key has been fed by then.",
        "cross": "Here nothing is masked: the decoder may look at the whole English sentence, which has no padding.",
    },
}
MISTAKES = {
    "none": {"title": "none", "words": ""},
    "undivided": {
        "title": "scores not divided by √d_head",
        "words": "The same row from the dot products themselves: the softmax is sharper, its entropy goes from "
        "{before} to {after} bits, and where it is almost 0 or 1 hardly any gradient is left to learn from.",
        "alone": "With a single key to attend to, its weight is 1 either way. A later query shows the difference.",
    },
    "dropped": {
        "title": "weights read after dropout",
        "words": "While training, dropout (p = {p}) sets some weights to 0 and divides the others by 1 − p. Read "
        "there, the row sums to {sum} instead of 1, and differently every time; the softmax itself gave the row above.",
    },
    "mislabelled": {
        "title": "rows labelled with the wrong sentence",
        "words": "Some published notebooks name the rows of every map after the English pieces. This row would be "
        "called “{wrong}”, but its query is “{query}”. The numbers are right, so nothing fails, and the picture tells "
        "a false story.",
        "encoder": "Some published notebooks name the rows of every map after the English pieces. Here that is right: "
        "“{query}” is the query. Choose the decoder or cross-attention to see where it is not.",
        "beyond": "(none is left: the English sentence is shorter)",
    },
}
STAGES = {
    "project": {
        "title": "Project",
        "words": "Every [[head]] has its own matrices: one makes a [[query]] out of a piece's vector (what do I look "
        "for?), one a [[key]] (what can be found here?).",
    },
    "multiply": {
        "title": "Multiply and add",
        "words": "Query times key, dimension by dimension, then everything added up: the dot product. It is large "
        "where both are large in the same dimensions, with the same sign.",
    },
    "scale": {
        "title": "Divide",
        "words": "The more dimensions are added up, the larger a sum tends to be. Dividing by √[[d_head]] keeps the "
        "[[score|scores]] in the range in which the softmax can still learn. Above stands that of the framed key.",
    },
    "mask": {"title": "Mask", "words": "A key that the [[mask]] forbids gets the score −∞, whatever it was."},
    "softmax": {
        "title": "Softmax of the row",
        "words": "The [[softmax]]: e to the power of each score, divided by the sum over all keys, gives the weights "
        "of this query. Subtracting the largest score m first changes nothing but keeps the numbers small.",
    },
    "values": {
        "title": "Weigh the values",
        "words": "Each key's [[value]] vector times its weight; added up, column by column, they are what this head "
        "found for this query. [[dropout|Dropout]] is off while translating.",
    },
    "concatenate": {
        "title": "Concatenate",
        "words": "The outputs of all heads side by side; the framed part is this head's.",
    },
    "output": {
        "title": "Output projection",
        "words": "One more matrix mixes the heads. The result is [[residual connection|added]] to the query's "
        "[[residual stream|stream]] and [[layer normalisation|normalised]].",
    },
}
