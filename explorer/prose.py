"""Every sentence that the screen shows."""

MAX_CHARACTERS = 400
MAX_PIECES = 128
LOW_CONFIDENCE = 0.3

TITLE = "Attention Explorer"
SUBTITLE = "Look inside a Transformer while it translates English into German, one piece at a time."
SENTENCE = "English sentence"
PLACEHOLDER = "Type an English sentence and press Enter"
TRANSLATE = "Translate"
EXAMPLES = "Try"
COUNTER = "{length} / {limit} characters"

REFUSALS = {
    "empty": "There is nothing to translate yet: type an English sentence.",
    "long": "The text has {length:,} characters; the limit is {limit}. Please shorten it: it is still in the box.",
    "pieces": (
        "The text has {pieces} pieces, its end included; the view shows at most {limit}. "
        "Please shorten it: it is still in the box."
    ),
    "control": "The text contains the control character {code}, which cannot be translated. Please remove it.",
    "unknown": "The model knows none of these characters. It was trained on English sentences in Latin letters.",
}

NOTES = {
    "unknown": "Not in the vocabulary, so all of these look the same to the model: {pieces}",
    "lower": "All lower case: the model learned from sentences with capitals and may do worse here.",
    "several": "Several sentences are translated as one text; the model mostly learned from single sentences.",
    "long": "{pieces} pieces is longer than almost everything that the model was trained on.",
    "limit": "Stopped after {steps} steps, the limit: the model produced no end of sentence.",
    "unsure": f"The model was unsure (below {LOW_CONFIDENCE:.0%}) about: {{pieces}}",
}

KINDS = {
    "encoder": "Encoder self-attention",
    "decoder": "Decoder self-attention (masked)",
    "cross": "Cross-attention",
}

EXPLANATIONS = {
    "encoder": (
        "Each row is one English piece asking all English pieces: what of you matters to me? The stronger the "
        "colour, the more of that piece's value it takes. The encoder reads the whole sentence at once, so this map "
        "is the same at every step. Try layer 1: do some heads look at the piece just before?"
    ),
    "decoder": (
        "Each row is a decoding step. It is labelled with the piece that was fed and the piece that was predicted from "
        "it. A row may look only at pieces fed so far: the future is masked, which is why the map is a triangle. "
        "Step forward and watch it grow."
    ),
    "cross": (
        "Each row is a decoding step, labelled with the piece fed and the piece predicted; each column is an English "
        "piece. The row shows where the decoder looks in the English sentence while it predicts. In some heads you "
        "can read off which word is being translated."
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
    "loading": "Loading the weights: {kind} …",
    "notLoaded": "The weights could not be loaded: {kind}. Is the server still running? Choose it again to retry.",
}

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

POSITIONS = (
    "Attention alone does not know the order of the pieces. So a vector that depends only on the position is added to "
    "each embedding: $PE(pos, 2i) = \\sin(pos / 10000^{{2i/d_{{model}}}})$ in the even dimensions, the cosine of the "
    "same angle in the odd ones, here with $d_{{model}} = {d_model}$. Dimensions on the left turn quickly from one "
    "position to the next, those on the right hardly at all, like the digits of a counter."
)
LEARNED_POSITIONS = (
    "Attention alone does not know the order of the pieces. So a vector that depends only on the position is added to "
    "each embedding. In this model the vectors were learned, one for each of the {max_len} positions."
)
POSITIONS_LENGTH = "Positions shown"
POSITIONS_DIMENSIONS = "Dimensions drawn as curves (even: sine, solid; odd: cosine, dotted)"

INSIDE = {
    "tab": "Inside",
    "heading": "Query “{query}” attends to key “{key}”: {weight} ({kind}, layer {layer}, head {head})",
    "maskedHeading": "Query “{query}” may not attend to key “{key}”: masked ({kind}, layer {layer}, head {head})",
    "several": "Explore shows several heads at once; arithmetic is always that of one head.",
    "masked": "masked",
    "notLoaded": "The numbers of this head could not be loaded. Is the server still running? Choose it again to retry.",
    "map": "This head: queries down, keys along. Click a cell, or move with the arrow keys.",
    "explanation": [
        "You see one cell of an attention map taken apart: every number from two vectors to the sub-layer's output, "
        "read from the pass that made this translation. Colour is positive, grey is negative, the darker the larger; "
        "hover for the value.",
        "Notice how few of the products matter: often two or three dimensions make most of the dot product.",
        "Try the strongest key of a row and then a weak one. Where do their products differ?",
    ],
    "stages": {
        "project": {
            "title": "Project",
            "words": "Every head has its own matrices: one makes a query out of a piece's vector (what do I look "
            "for?), one a key (what can be found here?).",
        },
        "multiply": {
            "title": "Multiply and add",
            "words": "Query times key, dimension by dimension, then everything added up: the dot product. It is large "
            "where both are large in the same dimensions, with the same sign.",
        },
        "scale": {
            "title": "Divide",
            "words": "A sum over more dimensions is larger by itself. Dividing by √d_head keeps the scores in the "
            "range in which the softmax can still learn. The score of the framed key; the others are made alike.",
        },
        "mask": {"title": "Mask", "words": "A key that must not be seen gets the score −∞, whatever it was."},
        "softmax": {
            "title": "Softmax of the row",
            "words": "e to the power of each score, divided by the sum over all keys: the weights of this query. "
            "Subtracting the largest score m first changes nothing but keeps the numbers small.",
        },
        "values": {
            "title": "Weigh the values",
            "words": "Each key's value vector times its weight; added up, column by column, they are what this head "
            "found for this query. Dropout is off while translating.",
        },
        "concatenate": {
            "title": "Concatenate",
            "words": "The outputs of all heads side by side; the framed part is this head's.",
        },
        "output": {
            "title": "Output projection",
            "words": "One more matrix mixes the heads. The result is added to the query's stream and normalised.",
        },
    },
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
    },
}

BATCH_SIZE = "Type two or three sentences: padding is what makes sentences of different length one batch."
MASKS = {
    "tab": "Masks",
    "masked": "masked",
    "notLoaded": "The masks could not be loaded. Is the server still running? Press the button to try again.",
    "explanation": [
        "Sentences of a batch must have the same length, so the shorter ones are filled up with padding. A mask keeps "
        "attention away from it. In the decoder a second mask hides the future. Hatched means masked.",
        "Notice that the padding mask hides columns (keys), never rows (queries): every row keeps something to see.",
        "Try the encoder and a query that is padding, and compare the last two rows; then the decoder, where the "
        "look-ahead mask hides the padding from every real query anyway.",
    ],
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
