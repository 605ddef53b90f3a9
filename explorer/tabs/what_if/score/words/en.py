"""What the station says."""

LABEL = "Your {target_language}"
HINT = "Type a translation of your own, and see how probable the model finds each piece of it"

HTML = {
    "how": "The model is fed your {target_language} piece by piece, whatever it would have written itself ([[teacher "
    "forcing]]). Each row says how probable it found the piece that you gave it, and what it would have taken.",
    "label": "Your {target_language}",
    "placeholder": "Type a translation and press Enter",
    "go": "Score it",
    "own": "Take the model's own",
    "own_hint": "Write the model's {target_language} into the box, to change it",
    "table": "Pieces of your {target_language}",
    "step": "Step",
    "piece": "Piece",
    "probability": "Probability",
    "log": "Log-probability",
    "rank": "Rank",
    "rank_hint": "1 is the most probable piece of all",
    "surprise": "Surprise",
    "surprise_hint": "Minus the logarithm to base 2 of the probability: 0 bits is certain, 1 bit a coin toss",
    "first": "The model's first choice",
}
TEXT = {
    "names": {"original": "Greedy", "changed": "Yours"},
    "bits": "{bits} bits",
    "candidate": "{piece} ({probability})",
    "sum": "all",
}
