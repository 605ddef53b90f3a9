"""What the tab Masks says; explorer.shared.glossary links the terms in double brackets."""

TAB = "Masks"

BATCH_SIZE = "Type two or three sentences: padding is what makes sentences of different length one batch."
HTML = {
    "room": "Masks",
    "first": "First sentence",
    "second": "Second sentence",
    "third": "Third sentence",
    "batch": "Make a batch",
    "batch_hint": "Put these sentences into one batch (Enter)",
    "sentence": "Sentence",
    "sentence_hint": "The sentence of the batch whose masks are drawn",
    "query": "Query",
    "query_hint": "The row that is followed through the softmax",
    "see": "Sentences of a [[batch]] must have the same length, so the shorter ones are filled up with padding. A "
    "[[mask]] keeps attention away from it. In the decoder a second mask hides the future. Hatched means masked; "
    "queries go down, keys along.",
    "notice": "Notice that the [[padding mask]] hides columns (keys), never rows (queries): every row keeps something "
    "to see.",
    "try": "Try the encoder and a query that is padding, and compare the last two rows; then the decoder, where the "
    "[[look-ahead mask]] hides the padding from every real query anyway.",
}
MASKS = {
    "masked": "masked",
    "notLoaded": "The masks could not be loaded. Is the server still running? Press the button to try again.",
    "ids": "The batch as ids",
    "idsWords": {
        "encoder": "[batch, key] = [{batch}, {length}]: the English pieces, queries and keys alike.",
        "decoder": "[batch, key] = [{batch}, {length}]: the German pieces as they are fed, queries and keys alike.",
        "cross": "[batch, key] = [{batch}, {length}]: the English pieces are the keys.",
    },
    "queryIdsWords": "[batch, query] = [{batch}, {length}]: the German pieces, as they are fed, are the queries.",
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
            "empty": "Every key is masked: a softmax of nothing but −∞ gives NaN, and so does everything computed "
            "from it.",
        },
        "mistaken_finite": {
            "title": "the mistake, masked with −1e9",
            "words": "Sum {sum}, of which {padding} on padding.",
            "even": "Every key is masked alike, so all get the same weight, {each}: nothing fails, and the mistake no "
            "longer shows.",
        },
    },
}
