"""What the tab Heads says; explorer.ui.glossary links the terms in double brackets."""

from explorer.experiments.words.en import MEASURE_HEADS

TAB = "Heads"

NO_HEADS = (
    "The heads of this checkpoint were not measured yet. To have them here, run "
    f"`{MEASURE_HEADS}`, which writes `heads.json` into the checkpoint, and start the page again."
)
REFUSED = "{reason} The command is `" + MEASURE_HEADS + "`."
HTML = {
    "room": "Heads",
    "what": "Every [[head]] of this model in numbers, over {sentences} sentences that the model translated by itself. "
    "A head has a name only where a number of it passes a threshold: {named} of {heads} have one.",
    "kinds": "Kind of attention",
    "name": "Name",
    "name_hint": "Show the heads of one name",
    "region": "Table of all heads",
    "rules": "When a head has a name",
    "rules_hint": "The thresholds are ours and round: a head just below one is no other sort of head. Where several "
    "hold, a head has several names.",
    "rule_name": "name",
    "rule_kinds": "kinds",
    "rule_number": "its number",
    "rule_threshold": "at least",
    "measured": "How it was measured",
}
HEADING = {"head": "head", "names": "name"}
PERCENT, NATS, BITS, PIECES, PLAIN = "percent", "nats", "bits", "pieces", "plain"  # how a number is written

# A column for every number: its heading, what it means, how it is written, and what one number says.
COLUMNS = {
    "drop": {
        "title": "drop",
        "meaning": "Drop: how many nats of log-probability the model's own translation loses when this head alone "
        "gives 0, the mean over the sentences with its 95 % interval. One nat makes it 2.7 times less likely; "
        "below 0 it is likelier without the head.",
        "form": NATS,
        "cell": "Switched off, it costs a translation {value} nats (95 % interval {low} to {high}).",
    },
    "entropy": {
        "title": "entropy",
        "meaning": "Entropy: how widely a row spreads its weight, in bits. 0 is a single piece, 3 is as wide as eight "
        "pieces with equal weights.",
        "form": BITS,
        "cell": "A row spreads over {value} bits.",
    },
    "distance": {
        "title": "distance",
        "meaning": "Distance: how many pieces away from its own place a row looks, whichever way. Across, the place of "
        "the {target_language} piece that is predicted is compared with the {source_language} piece of the same "
        "number.",
        "form": PIECES,
        "cell": "It looks {value} pieces away.",
    },
    "previous": {
        "title": "previous",
        "meaning": "Previous: the share of the weight on the piece before the row's own.",
        "form": PERCENT,
        "cell": "{value} of the weight is on the piece before.",
    },
    "same": {
        "title": "same",
        "meaning": "Same: the share of the weight on the row's own piece; in the decoder that is the piece just fed.",
        "form": PERCENT,
        "cell": "{value} of the weight is on the same piece.",
    },
    "next": {
        "title": "next",
        "meaning": "Next: the share of the weight on the piece after the row's own. The decoder cannot see it.",
        "form": PERCENT,
        "cell": "{value} of the weight is on the piece after.",
    },
    "special": {
        "title": "special",
        "meaning": "Special: the share of the weight on the piece that is no word, </s> after the {source_language} "
        "and the start before the {target_language}.",
        "form": PERCENT,
        "cell": "{value} of the weight is on the start or on </s>.",
    },
    "marks": {
        "title": "marks",
        "meaning": "Marks: the share of the weight on punctuation.",
        "form": PERCENT,
        "cell": "{value} of the weight is on punctuation.",
    },
    "diagonality": {
        "title": "diagonal",
        "meaning": "Diagonal: how much nearer to the diagonal it looks than even weights would: 1 is on the diagonal, "
        "0 as far as even weights, below 0 farther.",
        "form": PLAIN,
        "cell": "{value}, where 1 is on the diagonal and 0 is even weights.",
    },
    "links": {
        "title": "aligns",
        "meaning": "Aligns: the share of the links between {source_language} and {target_language} words that a "
        "lexicon knows and that this head finds with its largest weight, in the row that predicts the word or in the "
        "one fed with it, whichever finds more. By chance it would be {by_chance}, along the diagonal {on_diagonal}.",
        "form": PERCENT,
        "cell": "It finds {value} of the links between words.",
    },
}
UNCLASSIFIED = "unclassified"
THRESHOLDS = {PERCENT: "{:.0%}", BITS: "{:.1f} bits", PLAIN: "{:.1f}"}
TABLE = {
    "allKinds": "All",
    "anyName": "any",
    "unclassified": UNCLASSIFIED,
    "count": "{shown} of {all} heads",
    "place": "{kind} {layer} · {head}",
    "open": "Layer {layer}, head {head} of {kind}: show it in Explore",
    "try": "try",
    "off": "off",
    "offHint": "off: switch off head {head} of layer {layer}, {kind}, in What if",
    "none": "–",
    "noneWords": "This kind of attention has no such number.",
    "interval": "{low} to {high}",
    "sort": "Sort by this column",
}
MEASURED = """\
{sentences} {source_language} sentences, as many from each of {data}, drawn with seed {seed}. The model translated each
greedily; its own {target_language} was then fed again, whole (teacher forcing), once as it is and once without each
head. An unchanged translation has a log-probability of {log_probability:.2f} nats on average. A drop is that of a whole
translation, so long ones weigh more. Intervals are bootstrapped over the sentences. Is the order of the heads by their
drop a stable one? The rank correlation of two random halves of the sentences, averaged over many splits, is
{split_half:.2f}; {stability}

Rows of attention: all of the encoder and of cross-attention, that of the sentence's end too; of the decoder all but the
first, which sees the start alone. Links: {links:,}, by a lexicon learned from {pairs} (IBM Model 1, both directions);
links between marks do not count.

`{command}`
"""
