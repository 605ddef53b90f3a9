"""What the station says."""

LABEL = "Another piece"
HINT = "Make the {target_language} go on with another piece, or begin as you like"

HTML = {
    "how": "Greedy decoding takes the most probable [[piece]] at every step. Choose a step, then another candidate: "
    "that piece is taken however improbable it is, and decoding goes on greedily from there. Every choice is a branch.",
    "pieces": "{target_language} so far: choose a step",
    "candidates": "Candidates at this step: choose another one",
    "begin": "Or begin with",
    "placeholder": "{target_language}",
    "go": "Go on from there",
    "tree": "Branches",
}
TEXT = {
    "names": {"original": "Greedy", "changed": "This branch"},
    "step": "step {step}: fed “{fed}”, predicted “{predicted}” ({probability})",
    "candidate": "Go on with “{piece}” (probability {probability})",
    "root": "greedy: {target}",
    "branch": "step {step}, “{piece}” instead of “{instead}”: {target}",
    "end": "the end",
    "total": "log-probability {total}",
    "remove": "Remove this branch",
    "waiting": "…",
}
