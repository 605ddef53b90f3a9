"""What the station says."""

LABEL = "Beam and sampling"
HINT = "Two other ways to find a translation: keep several beginnings, or draw by chance"

HTML = {
    "modes": "Way to find a translation",
    "beam": "Beam search",
    "sampling": "Sampling",
    "beam_how": "[[beam search|Beam search]] keeps several beginnings at every step instead of one. A hypothesis is "
    "ranked by its score: the sum of its [[piece|pieces]]' log-probabilities, divided by their number, because every "
    "further piece makes the sum smaller. Choose one, and its attention is shown below; where it is not finished, it "
    "goes on greedily.",
    "width": "Beam",
    "width_hint": "How many hypotheses are kept at every step",
    "tree": "The search as a tree: steps from left to right, the best hypothesis of each at the top",
    "table": "The same as a table",
    "finals": "What the beam holds at the end",
    "sample_how": "[[sampling|Sampling]] draws every piece by chance, in proportion to its probability. A low "
    "[[temperature]] favours the probable ones; top-k leaves only the k most probable pieces in the running, top-p the "
    "fewest that hold the share p. With all of them in the running, a piece that fits nothing is drawn now and then. "
    "The same seed draws the same {target_language}. Choose one, and its attention is shown below.",
    "temperature": "Temperature",
    "top_k": "Top-k",
    "top_k_hint": "Pieces in the running; 0 means all",
    "top_p": "Top-p",
    "top_p_hint": "Share of the probability that the pieces in the running hold; 1 means all",
    "seed": "First seed",
    "seed_hint": "Each sample has a seed of its own, which counts up from this one",
    "again": "Draw others",
    "again_hint": "Go on to the next seeds",
    "samples": "Samples",
}
TEXT = {
    "names": {"original": "Greedy", "changed": "Chosen"},
    "searching": "Searching …",
    "drawing": "Drawing …",
    "one": "A beam of 1 is greedy decoding: {score}.",
    "same": "The beam's best is the greedy translation, score {score}.",
    "better": "The beam finds another translation with a better score: {score} instead of {greedy}.",
    "worse": "The beam pruned the greedy translation at step {step}, although it would have had the better score: "
    "{greedy} instead of {score}. That can happen: what is best in the end need not look best on the way.",
    "equal": "The beam finds another translation with the same score, {score}.",
    "lost": "The greedy translation was pruned at step {step}.",
    "arithmetic": "{total} / {length} = {score}",
    "node": "step {step}, “{piece}”: {state}; “{beginning}” has {total} / {length} = {score}, this piece {log}",
    "states": {
        "kept": "rank {rank}",
        "waits": "rank {rank}, finished before",
        "dead": "rank {rank}, nothing that comes of it is kept",
        "pruned": "pruned",
        "lost": "greedy, no longer in the beam",
    },
    "best": "the best in the end",
    "greedy": "greedy",
    "marks": {
        "best": "leads to the best translation",
        "greedy": "greedy path",
        "kept": "kept",
        "dead": "kept, but nothing that comes of it is",
        "pruned": "pruned",
        "waits": "finished, waits",
    },
    "signs": {"best": "★", "greedy": "G", "pruned": "✕"},
    "columns": ["Step", "State", "Hypothesis so far", "Log-probability of the piece", "Total", "Pieces", "Score"],
    "end": ["Rank", "{target_language}", "Total / pieces = score"],
    "greedyRow": "greedy",
    "ranked": "{rank}",
    "precision": "Here a probability counts all pieces of the vocabulary; elsewhere on the page those that are never "
    "written (padding, start, unknown) are left out, so its numbers can be slightly higher.",
    "sample": "seed {seed}: log-probability {total}",
    "sampleNote": "seed {seed} · log-probability {total} ({difference} against greedy) · {differs}",
    "most": "at most {running} in the running",
    "greedyNote": "log-probability {total}",
    "differs": {"none": "the same pieces", "one": "1 other piece", "many": "{count} other pieces"},
    "running": {"one": "1 piece", "many": "{count} pieces"},
    "drawn": "“{piece}”: log-probability {log}, {running} in the running",
    "unended": "stopped at the limit",
    "bad": {
        "temperature": "The temperature is a number from 0.05 to 5.",
        "top_k": "Top-k is a whole number from 0 (all pieces) to 100,000.",
        "top_p": "Top-p is a number from 0.01 to 1.",
        "seed": "The seed is a whole number from 0 to 4,000,000,000.",
    },
}
REFUSAL = "This cannot be searched or drawn with: {reason}"
