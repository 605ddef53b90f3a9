"""What the station says; explorer.ui.glossary links the terms in double brackets."""

from explorer.experiments.words.en import MEASURE_HEADS

LABEL = "Heads off"
HINT = "Switch any attention heads off, and rank all of them by what the {target_language} loses without each"

HTML = {
    "how": "Every cell is a [[head]]: click it to switch it off or on again, or the name of a row for a whole layer. "
    "Below you see what becomes of the {target_language}.",
    "by": "Off means",
    "by_hint": "What stands for a head that is off",
    "none": "All on",
    "none_hint": "Switch all heads on again",
    "grids": "All heads: what is off",
    "rank": "Rank all heads",
    "rank_hint": "Switch off each head alone, and see by how much this sentence's {target_language} becomes less "
    "probable",
    "over": "The drop is that of",
    "sentence": "this sentence",
    "sentence_hint": "By how much the log-probability of this sentence's {target_language} drops without a head",
    "average": "the average",
    "average_hint": "The mean over many sentences, with its 95 % interval",
    "progress": "Heads ranked so far",
    "list": "Heads by their drop",
    "all": "Show all heads",
    "few": "Show the first dozen",
    "others": "What others found, and what we find here",
    "michel": "<b>Michel, Levy and Neubig 2019</b> (<a href='https://arxiv.org/abs/1905.10650'>arXiv:1905.10650</a>) "
    "switched off single heads of a large translation model after its training: most made no significant "
    "difference to BLEU, some even improved it, and about a fifth could go together. The cross-attention needed its "
    "several heads most.",
    "voita": "<b>Voita et al. 2019</b> (<a href='https://arxiv.org/abs/1905.09418'>arXiv:1905.09418</a>) found "
    "that the heads that matter have jobs, such as looking at the neighbouring piece, following syntax, or finding "
    "rare words, and that 38 of 48 encoder heads of another model could be pruned, with training, "
    "for 0.15 BLEU.",
    "ours": "This model, over many sentences:",
}
WAYS = {
    "zero": {
        "label": "zero",
        "words": "The head's output is 0, so the output projection adds nothing for it: usually called pruning.",
    },
    "uniform": {
        "label": "even weights",
        "words": "The head spreads its weight evenly over all pieces that it may see: it still adds something, but no "
        "longer chooses.",
    },
    "mean": {
        "label": "its mean",
        "words": "The head's output is at every place its mean over the example sentences: what it always adds stays, "
        "what it says of this sentence goes.",
    },
    "special": {
        "label": "all on the special piece",
        "words": "The head puts all its weight on the start (in the decoder) or </s> (in the {source_language}), "
        "where many heads look when they have nothing to take.",
    },
}
TEXT = {
    "names": {"original": "Unchanged", "changed": "Heads off"},
    "ways": WAYS,
    "place": "{kind} {layer} · {head}",
    "cell": "{kind}, layer {layer}, head {head}",
    "layer": "L{layer}: all heads of the layer off or on",
    "row": "L{layer}",
    "all": "all off",
    "allHint": "{kind}: switch all heads off",
    "others": "all but these",
    "othersHint": "{kind}: switch off what is on, and on what is off; with one head off, that leaves it alone on",
    "count": "{off} of {all} heads are off.",
    "noneOff": "No head is off.",
    "ranking": "{done} of {all} heads ranked",
    "ranked": "Switched off alone, “{head}” costs this sentence's {target_language} most: {drop} nats. {better} of "
    "{all} heads make it likelier when they are off.",
    "notRanked": "Not ranked yet.",
    "average": "Drops with “zero”, whatever is chosen above.",
    "interval": "{low} to {high}",
    "bar": "{head}: {drop} nats",
}
AVERAGE = (
    "Mean over {sentences} sentences. Rank correlation of two random halves of them: {split_half:.2f}; {stability}"
)
NO_AVERAGE = f"There is no average for this checkpoint yet: run {MEASURE_HEADS} and start the page again."
REFUSED = "{reason} The command is: " + MEASURE_HEADS
NO_PART = "There is no such part of the ranking."
FOUND = {
    "single": "Of {heads} single heads, {worse} make the {target_language} clearly less probable when they are off "
    "(the whole interval is above 0), and {better} more probable. The one that costs most is {kind} {layer} · {head}: "
    "{drop:.2f} nats.",
    "kinds": "All drops added up, by kind, and how many of the first {first} heads: {shares}.",
    "share": "{kind} {share:.0%} ({first})",
    "positional": "Heads named for the previous, same or next piece ({count}) cost {mean:.2f} nats on average, the "
    "other heads of encoder and decoder {others:.2f}.",
    "no_positional": "No head looks at the previous, same or next piece often enough to be named for it.",
    "aligning": "Cross-attention heads that align words ({count}) cost {mean:.2f} nats on average, the other "
    "cross-attention heads {others:.2f}.",
    "no_aligning": "No cross-attention head, or every one, aligns words.",
}
