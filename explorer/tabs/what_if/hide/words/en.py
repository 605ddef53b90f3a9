"""What the station says."""

LABEL = "Hide a piece"
HINT = "Hide {source_language} pieces from all attention, and see which {target_language} pieces needed them"

HTML = {
    "how": "Nothing may attend to a hidden piece, neither the other {source_language} pieces nor the {target_language} "
    "ones. Click pieces to hide them; several can be hidden together.",
    "pieces": "{source_language} pieces: choose which are hidden",
    "parts": "How many pieces were hidden so far, one by one",
    "leave": "Leave one out, beside what is looked at",
    "leave_words": "Left: how the log-probability of every piece of the unchanged {target_language} changes when one "
    "{source_language} piece is hidden. Right: the [[cross-attention]] of the same pieces. {target_language} pieces go "
    "down, {source_language} ones across.",
    "layer": "Layer",
    "head": "Head",
    "layer_hint": "Which layer: its cross-attention is compared",
    "head_hint": "Which head of that layer is compared",
    "compared": "Compared with the cross-attention of",
    "why": "Why they differ: looking at a piece is not needing it. The encoder mixes the pieces, so that a position "
    "tells of its neighbours too, and what stands at a piece may be read elsewhere. What several pieces say is not "
    "missed when one of them is hidden. And much [[attention weight]] rests where there is nothing to lose, as on full "
    "stops and the end. Jain and Wallace (2019) found such correlations weak in other models and doubt that attention "
    "explains; Wiegreffe and Pinter (2019) answer that this depends on what is asked of an explanation.",
}
TEXT = {
    "names": {"original": "All pieces", "changed": "Without them"},
    "hide": "Hide “{piece}”, piece {place}",
    "show": "Show “{piece}”, piece {place}, again",
    "without": "Without {pieces}: {target}",
    "piece": "“{piece}”",
    "effect": "What hiding a piece does: change of log-probability, in nats",
    "attention": "What is looked at: cross-attention weights (layer: {layer}; head: {head})",
    "effectScale": "Full colour at {scale} nats, up or down; below 0 the {target_language} piece becomes less "
    "probable.",
    "attentionScale": "Full colour at 1.",
    "tell": "Choose a number to see it in words.",
    "cell": "Without “{source}”, “{target}” has the probability {after} instead of {before} ({change} nats); its "
    "attention to it is {weight}.",
    "cellAlone": "Without “{source}”, “{target}” has the probability {after} instead of {before} ({change} nats).",
    "overall": "Rank correlation (Spearman) of the weights and the size of the changes: {rho} over all cells; row by "
    "row its median is {median}, from {least} to {most}.",
    "constant": "All cells of one side are equal, so there is no rank correlation.",
    "row": "{target} ({rho})",
    "rowHint": "The number behind each {target_language} piece is the rank correlation of its row.",
    "layers": {"mean": "mean of layers", "one": "{number}"},
    "heads": {"mean": "mean of heads", "one": "{number}"},
}
REFUSALS = {
    "part": "There is no part {part}: there are {parts}.",
    "choice": "There is no layer or head {choice!r}: there are {count}.",
}
