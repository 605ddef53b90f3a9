"""What the tabs Inside and Masks say; explorer.glossary links the terms in double brackets."""

INSIDE_WORDS = {
    "SEE": "You see one cell of an attention map taken apart: every number from two vectors to the sub-layer's output, "
    "read from the pass that made this translation: [[query]] and [[key]], their [[score]], the [[softmax]] over "
    "the row, and the [[value|values]] that the [[attention weight|weights]] mix. Colour is positive, grey is "
    "negative, the stronger the larger; hover for the value.",
    "NOTICE": "Notice how few of the products matter: often two or three dimensions make most of the dot product.",
    "TRY": "Try the strongest key of a row and then a weak one. Where do their products differ?",
}
INSIDE = {
    "heading": "Query “{query}” attends to key “{key}”: {weight} ({kind}, layer {layer}, head {head})",
    "maskedHeading": "Query “{query}” may not attend to key “{key}”: masked ({kind}, layer {layer}, head {head})",
    "several": "Explore shows several heads at once; arithmetic is always that of one head.",
    "masked": "masked",
    "notLoaded": "The numbers of this head could not be loaded. Is the server still running? Choose it again to retry.",
    "map": "This head: queries down, keys along. Click a cell, or move with the arrow keys.",
    "strips": {
        "queryStream": "stream of {piece}",
        "keyStream": "stream of {piece}",
        "q": "query q of {piece}",
        "k": "key k of {piece}",
        "product": "q times k",
        "scores": "scores s of the row",
        "masked": "after the mask",
        "exponentials": "e to the s − m",
        "weights": "weights α",
        "mistaken": "with the mistake",
        "value": "value v of {piece}",
        "weighted": "α v, a row a key",
        "headOutput": "their sum o",
        "concatenated": "c: all heads",
        "output": "output y for {piece}",
    },
    "from": {
        "encoder": "Both pieces come from the encoder's stream as it enters this layer.",
        "decoder": "Both pieces come from the decoder's stream as it enters this layer.",
        "cross": "Here the query comes from the decoder's stream, the key from the output of the encoder.",
    },
    "ofHead": "head {head}, dimension {number}",
    "check": "The row sums to {sum}; its {count} masked weights are exactly 0.",
    "checkUnmasked": "The row sums to {sum}.",
    "someMasked": "Here {count} of {keys} keys are masked: they come after the query, and no one may look ahead.",
    "noneMasked": {
        "encoder": "Here nothing is masked: the encoder sees the whole sentence, and one sentence needs no padding.",
        "decoder": "Here nothing is masked: this is the last query, and every key has been fed before it.",
        "cross": "Here nothing is masked: the decoder may look at the whole English sentence, which has no padding.",
    },
    "mistakes": {
        "none": {"title": "none", "words": ""},
        "undivided": {
            "title": "scores not divided by √d_head",
            "words": "The same row from the dot products themselves: the softmax is sharper, its entropy goes from "
            "{before} to {after} bits, and where it is almost 0 or 1 hardly any gradient is left to learn from.",
        },
        "dropped": {
            "title": "weights read after dropout",
            "words": "While training, dropout (p = {p}) sets some weights to 0 and divides the others by 1 − p. Read "
            "there, the row sums to {sum} instead of 1, and differently every time; the softmax gave something else.",
        },
        "mislabelled": {
            "title": "rows labelled with the wrong sentence",
            "words": "Some published notebooks name the rows of every map after the English pieces. This row would be "
            "called “{wrong}”, but its query is “{query}”. The numbers are right, so nothing fails, and the picture "
            "tells a false story.",
            "encoder": "Some published notebooks name the rows of every map after the English pieces. Here that is "
            "right: “{query}” is the query. Choose the decoder or cross-attention to see where it is not.",
            "beyond": "(none is left: the English sentence is shorter)",
        },
    },
}

STAGES = {
    "project": {
        "title": "Project",
        "words": "Every [[head]] has its own matrices: one makes a [[query]] out of a piece's vector (what do I "
        "look for?), one a [[key]] (what can be found here?).",
    },
    "multiply": {
        "title": "Multiply and add",
        "words": "Query times key, dimension by dimension, then everything added up: the dot product. It is large "
        "where both are large in the same dimensions, with the same sign.",
    },
    "scale": {
        "title": "Divide",
        "words": "A sum over more dimensions is larger by itself. Dividing by √[[d_head]] keeps the [[score|scores]] "
        "in the range in which the softmax can still learn. The score of the framed key; the others are made alike.",
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
        "found for this query. Dropout is off while translating.",
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

BATCH_SIZE = "Type two or three sentences: padding is what makes sentences of different length one batch."
MASKS_WORDS = {
    "SEE": "Sentences of a [[batch]] must have the same length, so the shorter ones are filled up with padding. A "
    "[[mask]] keeps attention away from it. In the decoder a second mask hides the future. Hatched means masked.",
    "NOTICE": "Notice that the [[padding mask]] hides columns (keys), never rows (queries): every row keeps something "
    "to see.",
    "TRY": "Try the encoder and a query that is padding, and compare the last two rows; then the decoder, where the "
    "[[look-ahead mask]] hides the padding from every real query anyway.",
}
MASKS = {
    "masked": "masked",
    "notLoaded": "The masks could not be loaded. Is the server still running? Press the button to try again.",
    "ids": "The batch as ids",
    "idsWords": {
        "encoder": "[batch, key] = [{batch}, {length}]: the English pieces, queries and keys alike.",
        "decoder": "[batch, key] = [{batch}, {length}]: the German pieces as they are fed, queries and keys alike.",
        "cross": "[batch, key] = [{batch}, {length}]: the English pieces are the keys; queries are the German ones.",
    },
    "grids": {
        "padding": {"title": "Padding mask", "words": "One row, the same for every query."},
        "causal": {"title": "Look-ahead mask", "words": "Hides the future: the lower triangle is left."},
        "combined": {"title": "Both together", "words": "What the pass used: a key counts if both allow it."},
        "on_queries": {"title": "A common mistake", "words": "Padding masked on the queries: rows, not columns."},
    },
    "notCausal": "Not used here: only the decoder's own attention has a future to hide.",
    "row": "The row of “{query}” in sentence {sentence}, from scores to weights",
    "rows": {
        "scores": {"title": "scores, before any mask", "words": "From the pass, divided by √d_head."},
        "weights": {
            "title": "mask on: weights of the pass",
            "words": "Sum {sum}, of which {padding} on padding. Masked weights are exactly 0.",
        },
        "unmasked": {
            "title": "mask off",
            "words": "Sum {sum}, of which {padding} on padding: the same scores, softmax over everything.",
        },
        "mistaken": {
            "title": "the mistake, masked with −∞",
            "words": "Sum {sum}, of which {padding} on padding.",
            "empty": "Every key is masked: a softmax of nothing but −∞ is not a number, nor is what is made of it.",
        },
        "mistaken_finite": {
            "title": "the mistake, masked with −1e9",
            "words": "Sum {sum}, of which {padding} on padding.",
            "even": "Every key is masked alike, so all get the same weight, {each}: nothing fails, and the mistake no "
            "longer shows.",
        },
    },
}
