"""What the tab Masks says; explorer.ui.glossary links the terms in double brackets."""

TAB = "Masks"

BATCH_SIZE = "Type two or three sentences: padding is what lets sentences of different lengths share a batch."
REFUSED = "Sentence {number}: {reason}"
HTML = {
    "keys_region": "The batch as ids: keys",
    "queries_region": "The batch as ids: queries",
    "room": "Masks",
    "first": "First sentence",
    "second": "Second sentence",
    "third": "Third sentence",
    "batch": "Make a batch",
    "batch_hint": "Put these sentences into one batch (Enter)",
    "sentence": "Sentence",
    "sentence_hint": "The sentence whose masks are shown",
    "query": "Query",
    "query_hint": "The row to follow through the softmax",
    "see": "The sentences of a [[batch]] must have the same length, so shorter ones are padded. A [[mask]] keeps "
    "attention away from the padding; in the decoder, a second mask hides the future. Hatched cells are masked; "
    "queries go down, keys across.",
    "notice": "The [[padding mask]] hides columns (keys), never rows (queries), so every row keeps something to "
    "attend to.",
    "try": "Try the encoder with a query that is padding, and compare the last two rows; then the decoder, where the "
    "[[look-ahead mask]] hides the padding from every real query anyway.",
}
MASKS = {
    "masked": "masked",
    "notLoaded": "The masks could not be loaded. Is the server still running? Press the button to try again.",
    "ids": "The batch as ids",
    "idsWords": {
        "encoder": "[batch, key] = [{batch}, {length}]: the {source_language} pieces, as queries and as keys.",
        "decoder": "[batch, key] = [{batch}, {length}]: the {target_language} pieces as they are fed, as queries and "
        "as keys.",
        "cross": "[batch, key] = [{batch}, {length}]: the {source_language} pieces are the keys.",
    },
    "queryIdsWords": "[batch, query] = [{batch}, {length}]: the {target_language} pieces, as they are fed, are the "
    "queries.",
    "grids": {
        "padding": {"title": "Padding mask", "words": "One row, the same for every query."},
        "causal": {"title": "Look-ahead mask", "words": "Hides the future; the lower triangle remains."},
        "combined": {
            "title": "Both together",
            "words": "What the model used: a key is visible only if both masks allow it.",
        },
        "on_queries": {"title": "A common mistake", "words": "Padding masked on the queries: rows instead of columns."},
    },
    "startsFromPadding": "One row, the same for every query. Decoding starts from the padding piece here: in the first "
    "place it pads nothing, and stays visible.",
    "notCausal": "Not used here: only the decoder's self-attention has a future to hide.",
    "row": "The row of “{query}” in sentence {sentence}, from scores to weights",
    "rows": {
        "scores": {"title": "scores, before any mask", "words": "As the model computed them, divided by √d_head."},
        "weights": {
            "title": "mask on: the model's weights",
            "words": "Sum {sum}, of which {padding} on padding. Masked weights are exactly 0.",
        },
        "unmasked": {
            "title": "mask off",
            "words": "Sum {sum}, of which {padding} on padding: the same scores, with the softmax over every key.",
        },
        "mistaken": {
            "title": "the mistake, masked with −∞",
            "words": "Sum {sum}, of which {padding} on padding.",
            "empty": "Every key is masked: a softmax over nothing but −∞ gives NaN, and so does everything computed "
            "from it.",
        },
        "mistaken_finite": {
            "title": "the mistake, masked with −1e9",
            "words": "Sum {sum}, of which {padding} on padding.",
            "even": "Every key is masked in the same way, so all get the same weight, {each}: nothing fails, and the "
            "mistake goes unnoticed.",
        },
    },
}
