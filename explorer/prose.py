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

# Terms in double brackets are linked with their definition by explorer.glossary.
MAP = (
    "This is the paper's figure, drawn for the model that is loaded: read it from the bottom up, the [[encoder]] on "
    "the left, the [[decoder]] on the right (on a narrow screen above it). Every block says the sizes of what it gives "
    "for your sentence, and how many [[parameter|parameters]] it has. Notice that the [[residual stream]] keeps its "
    "[[shape]] from the first layer to the last: that is why [[layer|layers]] can be stacked. Try: choose another "
    "layer by its bar, then a block, and open what explains it."
)
SHAPES = (
    "Every step that this model took for your sentence, in the order in which it was computed, with the [[shape]] that "
    "went in and the one that came out. Notice where the axes change: splitting into [[head|heads]], scoring every "
    "[[query]] against every [[key]], and back. Try: find the step that makes the numbers "
    "larger by √[[d_model]], and the one that makes them smaller by √[[d_head]]."
)
SHAPES_SIZE = (
    "Typical size is the root mean square of a tensor's elements, those at minus infinity left out; ids and masks "
    "have none."
)
PARAMETERS = (
    "Every module that holds [[parameter|parameters]]: what it holds itself, how many parameters it has together with "
    "the modules within it, and their share of the whole. A matrix that several modules share ([[weight tying]]) is "
    "counted once, where it first stands. Notice how little is in the [[layer normalisation|normalisations]], and "
    "how much in the [[feed-forward network|feed-forward networks]] and the [[embedding]] table. Try: compare an "
    "[[attention]] with the feed-forward network of the same layer."
)
PARAMETERS_TOTAL = "{total:,} parameters: {megabytes:,.2f} MB as 32-bit floats."
GLOSSARY_INTRO = "The words of the field, as this page uses them."

# The page's tabs by their ids.
TABS = {
    "explore": "Explore",
    "inside": "Inside",
    "masks": "Masks",
    "positions": "Positions",
    "predictions": "Predictions",
    "architecture": "Architecture",
    "training": "Training",
    "glossary": "Glossary",
}

ARCHITECTURE = {
    "loading": "Recording the shapes of this sentence …",
    "failed": "The shapes could not be recorded. Is the server still running? Open the tab again to retry.",
    "figure": "Map of the model",
    "sentence": "The sentence: {sentence}",
    "choose": "Choose a block to see its shapes; choose it again to open the view that explains it.",
    "layer": "Layer {layer}",
    "layerBar": "Layer {layer}: show its parts",
    "place": "{stack}, layer {layer}",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "takes": "Takes",
    "gives": "Gives",
    "parameters": "Parameters",
    "share": "{parameters}, {share} of the model's.",
    "none": "None: it only computes.",
    "tied": "Its matrix is shared and counted at {owner}.",
    "doors": {
        "explore": "See its weights in Explore",
        "inside": "Follow one cell through it in Inside",
        "masks": "See what is hidden in Masks",
        "positions": "See the vectors in Positions",
        "predictions": "See what it does in Predictions",
    },
    "rows": "See its steps in the shape trace",
    "tensors": {
        "sentence": "sentence",
        "steps": "steps",
        "ids": "ids",
        "embedding": "embedding",
        "stream": "stream",
        "mask": "mask",
        "memory": "memory",
        "memory_mask": "mask of the memory",
        "output": "output",
        "weights": "weights",
        "logits": "logits",
        "probabilities": "probabilities",
    },
    "columns": ["Step", "Shape before", "Shape after", "Typical size", "Why"],
    "modules": ["Module", "Class", "Holds itself", "Parameters", "Share"],
    "whole": "The whole model",
    "start": "{stack}: from ids to the stream",
    "end": "Decoder: from the stream to the output distribution",
    "sublayers": {
        "self_attention": "Self-attention",
        "cross_attention": "Cross-attention",
        "feed_forward": "Feed-forward",
    },
    "count": "{count} steps",
    "openAll": "Open all",
    "closeAll": "Close all",
}

# The map's blocks: what each is called in the paper's figure, and what it is for.
BLOCKS = {
    "encoder.ids": ("Inputs", "The source sentence as numbers: one id for each [[piece]]."),
    "decoder.ids": (
        "Outputs (shifted right)",
        "What has been translated so far, moved one place to the right: the start first, so that every row predicts "
        "the [[piece]] after it.",
    ),
    "encoder.embedding": (
        "Input Embedding",
        "Looks up the [[embedding]] of every piece, times √d_model.",
    ),
    "decoder.embedding": (
        "Output Embedding",
        "The same for the pieces of the translation. With [[weight tying]] it is the same table.",
    ),
    "positions": ("Positional Encoding", "Adds the [[positional encoding]], so that the order is not lost."),
    "encoder.self_attention": (
        "Multi-Head Attention",
        "[[self-attention|Self-attention]]: every piece of the source looks at all pieces of the source.",
    ),
    "decoder.self_attention": (
        "Masked Multi-Head Attention",
        "[[self-attention|Self-attention]] in the translation; the [[look-ahead mask]] hides what comes later.",
    ),
    "cross_attention": (
        "Multi-Head Attention",
        "[[cross-attention|Cross-attention]]: the queries come from the translation, the keys and values from the "
        "[[memory]].",
    ),
    "norm": (
        "Add & Norm",
        "The [[residual connection]] adds what went into the sub-layer; then [[layer normalisation]].",
    ),
    "feed_forward": ("Feed Forward", "The [[feed-forward network]]: every position is worked on by itself."),
    "projection": ("Linear", "Scores every piece of the [[vocabulary]] at every position: the [[logits]]."),
    "probabilities": ("Softmax", "The [[softmax]] makes probabilities of the logits: what comes next?"),
}

# The steps of the shape trace: what each is called, and why it is there.
SHAPE_STEPS = {
    "encoder.ids": (
        "Tokenise",
        "The sentence is cut into [[piece|pieces]]; each becomes its number in the [[vocabulary]]. The end of the "
        "sentence is a piece too.",
    ),
    "encoder.mask": (
        "Padding mask",
        "True for every [[key]] that is no padding. One sentence alone has none, so all are true.",
    ),
    "decoder.memory": (
        "Receive the memory",
        "The last [[layer]] of the [[encoder]] gives one vector for each source piece: the [[memory]].",
    ),
    "decoder.memory_mask": (
        "Receive its padding mask",
        "Padding of the source must stay hidden in [[cross-attention]] too.",
    ),
    "decoder.ids": (
        "Shift right",
        "The decoder is fed the start and then each piece that was chosen, one for every step: the row of a fed piece "
        "predicts the piece after it.",
    ),
    "decoder.mask": (
        "Look-ahead mask",
        "True where the [[key]] is no padding and not later than the [[query]]: one row for every query, so this mask "
        "is a triangle.",
    ),
    "stack.token_embedding": (
        "Embed",
        "Every id picks its row of the [[embedding]] table: a vector of [[d_model]] numbers.",
    ),
    "stack.embedding": (
        "Scale by √d_model",
        "Compare the typical sizes of the rows, of the scaled rows and of the positions: without this step, a common "
        "mistake, the positions would drown the pieces.",
    ),
    "stack.positions": (
        "Look up the positions",
        "One vector for every place in the sentence, the same for every sentence: the [[positional encoding]].",
    ),
    "stack.stream": (
        "Add positions",
        "From here on a vector knows what its piece is and where it stands: the [[residual stream]].",
    ),
    "attention.q_projected": (
        "Project to queries",
        "W_Q turns every vector of the stream into what it asks for, for all [[head|heads]] in one product.",
    ),
    "attention.k_projected": ("Project to keys", "W_K turns every vector into that by which it is found: its [[key]]."),
    "attention.v_projected": ("Project to values", "W_V turns every vector into what it hands over: its [[value]]."),
    "cross_attention.k_projected": (
        "Project the memory to keys",
        "In [[cross-attention]] the keys come from the [[memory]], so there is one for each source piece.",
    ),
    "cross_attention.v_projected": (
        "Project the memory to values",
        "The values come from the [[memory]] too: what the source hands over.",
    ),
    "attention.q_split": (
        "Split the queries",
        "Each query is cut into equal parts, one for each [[head]]. No number changes.",
    ),
    "attention.k_split": (
        "Split the keys",
        "Each key is cut into equal parts, one for each [[head]]. No number changes.",
    ),
    "attention.v_split": (
        "Split the values",
        "Each value is cut into equal parts, one for each [[head]]. No number changes.",
    ),
    "attention.q": ("Transpose the queries", "The head's axis moves forward, so that all heads work side by side."),
    "attention.k": ("Transpose the keys", "The head's axis moves forward, so that all heads work side by side."),
    "attention.v": ("Transpose the values", "The head's axis moves forward, so that all heads work side by side."),
    "attention.k_transposed": (
        "Turn the keys: Kᵀ",
        "Now the last axis of the queries meets [[d_head]] of the keys: the product sums over it.",
    ),
    "attention.dot_products": (
        "Scores: queries times keys",
        "Every query with every key: one [[score]] for each pair, and for each head a table of them.",
    ),
    "attention.scores": (
        "Scale by 1/√d_head",
        "A sum of d_head products grows with √[[d_head]]. Undivided, a common mistake, large scores make the "
        "[[softmax]] all but choose one key, and hardly anything is learned from the others.",
    ),
    "attention.masked_scores": (
        "Mask",
        "Where the [[mask]] forbids it, the score becomes minus infinity. The mask has fewer numbers and is repeated "
        "along its axes of length 1.",
    ),
    "cross_attention.masked_scores": (
        "Mask",
        "Only padding of the source is hidden: the whole source is known before translating begins.",
    ),
    "attention.weights": (
        "Softmax",
        "Each row of scores becomes [[attention weight|weights]] that sum to 1; masked ones are exactly 0. These are "
        "the heatmaps of Explore.",
    ),
    "attention.heads": (
        "Weights times values",
        "Every query receives the mean of the [[value|values]], weighted by its row.",
    ),
    "attention.heads_transposed": ("Transpose back", "The head's axis returns to its place beside the vectors."),
    "attention.concatenated": ("Concatenate heads", "The parts of all heads stand side by side again: one vector."),
    "attention.output": ("Output projection W_O", "Mixes what the heads found, back to the width of the stream."),
    "feed_forward.pre_activation": (
        "Feed-forward: expand",
        "The first linear map widens every vector to [[d_ff]] numbers, each position by itself.",
    ),
    "feed_forward.hidden": (
        "Activation",
        "Bends the numbers one by one, so that two linear maps are more than one. ReLU sets negative ones to 0.",
    ),
    "feed_forward.output": ("Feed-forward: contract", "The second linear map brings them back to [[d_model]]."),
    "sublayer.sum": (
        "Add",
        "The [[residual connection]]: the input of the [[sub-layer]] is added to what it computed. So both must have "
        "one shape.",
    ),
    "sublayer.stream": ("Norm", "[[layer normalisation|Layer normalisation]] of every position's vector by itself."),
    "decoder.logits": (
        "Project to the vocabulary",
        "One number for every piece that could come next, at every position: the [[logits]].",
    ),
    "decoder.probabilities": (
        "Softmax over the vocabulary",
        "The output distribution: probabilities that sum to 1 at every position. [[greedy decoding|Decoding]] takes "
        "the largest of the last row.",
    ),
}
INSIDE = {
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

FEW_SENTENCES = "Type at least two sentences: padding is what makes sentences of different length one batch."
MASKS = {
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
