"""What files of numbers say about themselves."""

CORNER = "query / key"  # of a matrix: rows are queries, columns are keys

NPZ = (
    "Everything recorded of one translation by Attention Explorer. All indices count from zero.",
    "sentence, translation: the text that was read and the one that was written.",
    "encoder [layer, head, query, key]: weights of the encoder's self-attention, 32-bit floats. Rows and columns are "
    "the pieces of source_text.",
    "decoder [layer, head, query, key]: weights of the decoder's self-attention. Row t is step t; columns are the "
    "pieces of fed_text. What the causal mask forbids is exactly 0.",
    "cross [layer, head, query, key]: weights of the cross-attention. Row t is step t; columns are the pieces of "
    "source_text.",
    "source_text, source_id [source]: the pieces that were read, and their ids. A raised dot begins a word.",
    "fed_text, fed_id [step]: the piece that the decoder was fed at each step; the first one is the start.",
    "predicted_text, predicted_id [step]: the piece that was chosen at each step; the last one is the end.",
    "..._unknown, ..._special, ..._starts_word: whether a piece is not in the vocabulary, is the start or the end of a "
    "sentence, begins a word.",
    "probability, log_probability (natural logarithm), rank (how many pieces were more probable) [step]: of the piece "
    "that was chosen.",
    "entropy [step]: of the distribution over the whole vocabulary, in bits.",
    "candidate_text, candidate_id, candidate_probability [step, candidate]: the most probable pieces, the best first.",
    "stopped_at_limit: whether the translation was cut off at the longest length; vocabulary: how many pieces each "
    "step could choose from.",
    "model: the model as JSON text.",
    "Where there is an experiment: experiment, what was changed, as JSON text; and changed_NAME for every NAME above, "
    "of the changed translation. Names without changed_ are those of the unchanged one.",
)
JSON = {
    "": "Everything recorded of one translation by Attention Explorer. All indices count from zero.",
    "model": "The model that translated: name, languages, sizes.",
    "trace": "The translation. Where there is an experiment, the unchanged one.",
    "experiment": "What the experiment changes; only where there is one.",
    "changed": "The changed translation, in the same fields as trace; only where there is an experiment.",
    "trace.sentence, trace.translation": "The text that was read and the one that was written.",
    "trace.source": "The pieces that were read, with their ids. A raised dot begins a word.",
    "trace.target": "The piece that the decoder was fed at each step; the first one is the start.",
    "trace.steps": "Of each step: the piece that was fed and the one that was predicted from it, its probability, "
    "log_probability (natural logarithm) and rank (how many pieces were more probable), the entropy of the "
    "distribution over the whole vocabulary in bits, and the most probable candidates.",
    "trace.attention": "Weights of encoder (self-attention), decoder (masked self-attention) and cross-attention.",
    "trace.attention.*.shape": "[layer, head, query, key]",
    "trace.attention.*.queries, keys": "Labels of rows and columns. A row of decoder and cross is a step: “fed → "
    "predicted”.",
    "trace.attention.*.weights": "32-bit floats, [layer][head][query][key]. What the causal mask forbids is exactly 0.",
    "trace.vocabulary": "How many pieces each step could choose from.",
    "trace.stopped_at_limit": "Whether the translation was cut off at the longest length.",
}
