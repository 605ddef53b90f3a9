"""What the station says."""

LABEL = "Positions"
HINT = "Take the model's sense of order away, or mislead it"

HTML = {
    "how": "[[attention|Attention]] by itself sees no order: what tells the model where a [[piece]] stands is a "
    "[[positional encoding]], which is added to its [[embedding]]. Here it is left out, mixed up, or moved along.",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "trained": "As trained",
    "trained_hint": "Position p is told p",
    "off": "Off",
    "off_hint": "No positions at all",
    "shuffled": "Shuffled",
    "shuffled_hint": "The same positions in a random order",
    "shifted": "Shifted",
    "shifted_hint": "All positions moved along by the same amount",
    "seed": "Seed",
    "seed_hint": "The same seed shuffles in the same order every time",
    "shift": "Shift by",
    "shift_hint": "Position p is told p and so many more",
}
OWN = {
    "none": "This model adds no positions, so there is none to take away: whatever is chosen here changes nothing.",
    "learned": "This model learned its positions: what is said below of sinusoids need not hold for them.",
}
TEXT = {
    "names": {"original": "Unchanged", "changed": "Changed"},
    "stacks": {"encoder": "Encoder", "decoder": "Decoder"},
    "expect": "{stack}: {sentence}",
    # What one should expect, and why.
    "encoder": {
        "off": "expect the right words in wrong relations, because without positions it reads a bag of pieces and "
        "cannot tell who does what; besides, the model was never trained without them.",
        "shuffled": "expect the words to find together in other ways, because every piece is told another place: it "
        "reads another sentence, made of the same pieces.",
        "shifted": "expect relations mostly to stay but the translation often to change, because with sinusoids the "
        "scalar product of two positions depends "
        "on their distance alone, and that stays; but the model also learned from the places themselves, and far "
        "ones were rare in training, so a large shift does even more harm.",
    },
    "decoder": {
        "off": "expect words said twice or left out, because how far the {target_language} has come is lost; some "
        "sentences come out whole all the same, because the mask still lets each step see only what was written "
        "before, and the piece fed last is known.",
        "shuffled": "expect pieces left out, repeated or ended early, because every step is told another place in the "
        "{target_language}, and takes that for how much is written already.",
        "shifted": "expect the beginning to be missing, because distances stay but the place itself tells how much is "
        "written already: shifted by 5, the {target_language} goes on as if five pieces stood there.",
    },
}
