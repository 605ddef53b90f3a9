"""What the Architecture tab says; terms in double brackets are linked with their definition by the glossary."""

TAB = "Architecture"

HTML = {
    "room": "Architecture",
    "map": (
        "The paper's figure, drawn for the loaded model. Read it from the bottom up: the [[encoder]] is on the left, "
        "the [[decoder]] on the right (on a narrow screen, above it). Each block shows its output shape for your "
        "sentence, and how many [[parameter|parameters]] it has. The [[residual stream]] keeps its [[shape]] from the "
        "first layer to the last: that is why [[layer|layers]] can be stacked. Open another layer by its bar, choose "
        "a block, and open what explains it."
    ),
    "shapes": "Shape trace",
    "shapes_words": (
        "Every step that the model took for your sentence, in the order of computation, with the [[shape]] that went "
        "in and the one that came out. Notice where the axes change: splitting into [[head|heads]], scoring every "
        "[[query]] against every [[key]], and back. Can you find the step that makes the numbers larger by "
        "√[[d_model]], and the one that makes them smaller by √[[d_head]]? Typical size is the root mean square of a "
        "tensor's elements, leaving out minus infinity; ids and masks have none."
    ),
    "parameters": "Parameters",
    "parameters_words": (
        "Every module that holds [[parameter|parameters]]: what it holds itself, how many parameters it has including "
        "the modules inside it, and their share of the whole. A matrix that several modules share ([[weight tying]]) "
        "is counted once, where it first appears. Notice how little is in the [[layer normalisation|normalisations]], "
        "and how much in the [[feed-forward network|feed-forward networks]] and the [[embedding]] table. Compare an "
        "[[attention]] with the feed-forward network of the same layer."
    ),
    "open_all": "Open all",
    "close_all": "Close all",
}
PARAMETERS_TOTAL = "{total} parameters: {megabytes:.2f} MB as 32-bit floats."
# A matrix that a module holds itself, and one that stands first elsewhere.
HELD = {"own": "{name} {shape}", "tied": "{name} {shape} (that of {owner})"}

ARCHITECTURE = {
    "loading": "Recording the shapes of this sentence …",
    "failed": "The shapes could not be recorded. Is the server still running? Open the tab again to retry.",
    "figure": "Map of the model",
    "sentence": "Sentence: {sentence}",
    "choose": "Choose a block to see its shapes; choose it again to open the view that explains it.",
    "layer": "Layer {layer}",
    "layerBar": "{stack}, Layer {layer}: show its parts",
    "block": "{title} ({place})",
    "percent": "{number}%",
    "place": "{stack}, layer {layer}",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "takes": "Takes",
    "gives": "Gives",
    "parameters": "Parameters",
    "share": "{parameters}, {share} of the model.",
    "none": "None; it only computes.",
    "tied": "Its matrix is shared; it is counted at {owner}.",
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
        "memory_mask": "memory mask",
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
}

# The map's blocks: what each is called in the paper's figure, and what it is for.
BLOCKS = {
    "encoder.ids": ("Inputs", "The source sentence as numbers: one [[id]] for each [[piece]]."),
    "decoder.ids": (
        "Outputs (shifted right)",
        "The translation so far, shifted one place to the right: the start comes first, so that every row predicts "
        "the [[piece]] after it.",
    ),
    "encoder.embedding": (
        "Input Embedding",
        "Looks up the [[embedding]] of each piece and multiplies it by √d_model.",
    ),
    "decoder.embedding": (
        "Output Embedding",
        "The same for the pieces of the translation. With full [[weight tying]], both share one table.",
    ),
    "positions": ("Positional Encoding", "Adds the [[positional encoding]], so that the order is not lost."),
    "encoder.self_attention": (
        "Multi-Head Attention",
        "[[self-attention|Self-attention]]: every source piece looks at all source pieces.",
    ),
    "decoder.self_attention": (
        "Masked Multi-Head Attention",
        "[[self-attention|Self-attention]] within the translation; the [[look-ahead mask]] hides what comes later.",
    ),
    "cross_attention": (
        "Multi-Head Attention",
        "[[cross-attention|Cross-attention]]: the queries come from the translation, the keys and values from the "
        "[[memory]].",
    ),
    "norm": (
        "Add & Norm",
        "The [[residual connection]] adds the sub-layer's input to its output; then comes [[layer normalisation]].",
    ),
    "feed_forward": ("Feed Forward", "The [[feed-forward network]], applied to each position separately."),
    "projection": ("Linear", "Scores every piece of the [[vocabulary]] at every position: the [[logits]]."),
    "probabilities": ("Softmax", "The [[softmax]] turns the logits into probabilities: what comes next?"),
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
        "True for every [[key]] that is not padding. A single sentence has none, so all are true.",
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
        "The decoder is fed the start and then each piece that was chosen, one per step: the row of a fed piece "
        "predicts the piece after it.",
    ),
    "decoder.mask": (
        "Look-ahead mask",
        "True where the [[key]] is not padding and not later than the [[query]]: one row for every query, so this "
        "mask is a triangle.",
    ),
    "stack.token_embedding": (
        "Embed",
        "Each id picks its row of the [[embedding]] table: a vector of [[d_model]] numbers.",
    ),
    "stack.embedding": (
        "Scale by √d_model",
        "Compare the typical sizes of the rows, of the scaled rows and of the positions. Leaving this step out is a "
        "common mistake: would the positions drown out the pieces?",
    ),
    "stack.positions": (
        "Look up the positions",
        "One vector for every place in the sentence, the same for every sentence: the [[positional encoding]].",
    ),
    "stack.stream": (
        "Add positions",
        "From here on, a vector tells which piece it is and where it stands: the [[residual stream]].",
    ),
    "attention.q_projected": (
        "Project to queries",
        "W_Q turns every vector of the stream into what it asks for, for all [[head|heads]] in one product.",
    ),
    "attention.k_projected": ("Project to keys", "W_K turns every vector into what it is found by: its [[key]]."),
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
        "Now the last axis of the queries meets the [[d_head]] axis of the keys: the product sums over it.",
    ),
    "attention.dot_products": (
        "Dot products: queries times keys",
        "Every query with every key: one number for each pair, one table for each head.",
    ),
    "attention.scores": (
        "Scale by 1/√d_head",
        "A sum of d_head products grows with √[[d_head]]; divided by it, it is the [[score]]. Leaving out the "
        "division is a common mistake: large scores make the [[softmax]] all but choose one key, and hardly anything "
        "is learned from the others.",
    ),
    "attention.masked_scores": (
        "Mask",
        "Where the [[mask]] forbids attention, the score becomes minus infinity. The mask has fewer numbers; it is "
        "repeated along its axes of length 1.",
    ),
    "cross_attention.masked_scores": (
        "Mask",
        "Only padding of the source is hidden: the whole source is known before translation begins.",
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
    "attention.heads_transposed": ("Transpose back", "The head's axis goes back to its place next to the vectors."),
    "attention.concatenated": ("Concatenate heads", "The parts of all heads stand side by side again: one vector."),
    "attention.output": ("Output projection W_O", "Mixes what the heads found, back to the width of the stream."),
    "feed_forward.pre_activation": (
        "Feed-forward: expand",
        "The first linear map widens every vector to [[d_ff]] numbers, each position separately.",
    ),
    "feed_forward.hidden": (
        "Activation",
        "The [[activation]], a non-linear function of each number. ReLU sets negative numbers to 0.",
    ),
    "feed_forward.output": ("Feed-forward: contract", "The second linear map brings them back to [[d_model]]."),
    "sublayer.sum": (
        "Add",
        "The [[residual connection]]: the sub-layer's input is added to its output, so both must have the same shape.",
    ),
    "sublayer.stream": ("Norm", "[[layer normalisation|Layer normalisation]] of each position's vector separately."),
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
