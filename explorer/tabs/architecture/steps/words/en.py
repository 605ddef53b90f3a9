"""What the shape trace says: what each step is called, and why it is there."""

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
        "The [[activation]], a non-linear function of each number.",
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
