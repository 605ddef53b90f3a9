"""What the Architecture tab says; terms in double brackets are linked with their definition by the glossary."""

TAB = "Architecture"

HTML = {
    "room": "Architecture",
    "map": (
        "The paper's figure, drawn for the loaded model. Read it from the bottom up: the [[encoder]] is on the left, "
        "the [[decoder]] on the right (on a narrow screen, above it). Each block shows its output shape for your "
        "sentence, and how many [[parameter|parameters]] it has. The [[residual stream]] keeps its [[shape]] from the "
        "first layer to the last: that is why [[layer|layers]] can be stacked. Open another layer by its bar, choose "
        "a block, and open what explains it."
    ),
    "built": "How this model is built",
    "built_words": "Transformers differ in these choices; each block says its own, too.",
    "shapes": "Shape trace",
    "shapes_words": (
        "Every step that the model took for your sentence, in the order of computation, with the [[shape]] that went "
        "in and the one that came out. Notice where the axes change: splitting into [[head|heads]], scoring every "
        "[[query]] against every [[key]], and back. Can you find the step that makes the numbers larger by "
        "√[[d_model]], and the one that makes them smaller by √[[d_head]]? Typical size is the root mean square of a "
        "tensor's elements, leaving out minus infinity; ids and masks have none."
    ),
    "parameters": "Parameters",
    "parameters_words": (
        "Every module that holds [[parameter|parameters]]: what it holds itself, how many parameters it has including "
        "the modules inside it, and their share of the whole. A matrix that several modules share ([[weight tying]]) "
        "is counted once, where it first appears. Notice how little is in the [[layer normalisation|normalisations]], "
        "and how much in the [[feed-forward network|feed-forward networks]] and the [[embedding]] table. Compare an "
        "[[attention]] with the feed-forward network of the same layer."
    ),
    "open_all": "Open all",
    "close_all": "Close all",
}
PARAMETERS_TOTAL = "{total} parameters: {megabytes:.2f} MB as 32-bit floats."
# A matrix that a module holds itself, and one that stands first elsewhere.
HELD = {"own": "{name} {shape}", "tied": "{name} {shape} (that of {owner})"}

ARCHITECTURE = {
    "loading": "Recording the shapes of this sentence …",
    "failed": "The shapes could not be recorded. Is the server still running? Open the tab again to retry.",
    "figure": "Map of the model",
    "sentence": "Sentence: {sentence}",
    "choose": "Choose a block to see its shapes; choose it again to open the view that explains it.",
    "layer": "Layer {layer}",
    "layerBar": "{stack}, Layer {layer}: show its parts",
    "block": "{title} ({place})",
    "percent": "{number}%",
    "place": "{stack}, layer {layer}",
    "encoder": "Encoder",
    "decoder": "Decoder",
    "takes": "Takes",
    "gives": "Gives",
    "parameters": "Parameters",
    "share": "{parameters}, {share} of the model.",
    "none": "None; it only computes.",
    "tied": "Its matrix is shared; it is counted at {owner}.",
    "doors": {
        "explore": "See its weights in Explore",
        "inside": "Follow one cell through it in Inside",
        "masks": "See what is hidden in Masks",
        "positions": "See the vectors in Positions",
        "predictions": "See what it does in Predictions",
    },
    "rows": "See its steps in the shape trace",
    "tensors": {
        "sentence": "sentence",
        "steps": "steps",
        "ids": "ids",
        "embedding": "embedding",
        "stream": "stream",
        "mask": "mask",
        "memory": "memory",
        "memory_mask": "memory mask",
        "output": "output",
        "weights": "weights",
        "logits": "logits",
        "probabilities": "probabilities",
    },
    "columns": ["Step", "Shape before", "Shape after", "Typical size", "Why"],
    "modules": ["Module", "Class", "Holds itself", "Parameters", "Share"],
    "whole": "The whole model",
    "start": "{stack}: from ids to the stream",
    "end": "Decoder: from the stream to the output distribution",
    "sublayers": {
        "self_attention": "Self-attention",
        "cross_attention": "Cross-attention",
        "feed_forward": "Feed-forward",
    },
    "count": "{count} steps",
}

# The map's blocks: what each is called in the paper's figure, and what it is for.
BLOCKS = {
    "encoder.ids": ("Inputs", "The source sentence as numbers: one [[id]] for each [[piece]]."),
    "decoder.ids": (
        "Outputs (shifted right)",
        "The translation so far, shifted one place to the right: the start comes first, so that every row predicts "
        "the [[piece]] after it.",
    ),
    "encoder.embedding": (
        "Input Embedding",
        "Looks up the [[embedding]] of each piece and multiplies it by √d_model.",
    ),
    "decoder.embedding": (
        "Output Embedding",
        "The same for the pieces of the translation. With full [[weight tying]], both share one table.",
    ),
    "positions": ("Positional Encoding", "Adds the [[positional encoding]], so that the order is not lost."),
    "encoder.self_attention": (
        "Multi-Head Attention",
        "[[self-attention|Self-attention]]: every source piece looks at all source pieces.",
    ),
    "decoder.self_attention": (
        "Masked Multi-Head Attention",
        "[[self-attention|Self-attention]] within the translation; the [[look-ahead mask]] hides what comes later.",
    ),
    "cross_attention": (
        "Multi-Head Attention",
        "[[cross-attention|Cross-attention]]: the queries come from the translation, the keys and values from the "
        "[[memory]].",
    ),
    "norm": (
        "Add & Norm",
        "The [[residual connection]] adds the sub-layer's input to its output; then comes [[layer normalisation]].",
    ),
    "feed_forward": ("Feed Forward", "The [[feed-forward network]], applied to each position separately."),
    "projection": ("Linear", "Scores every piece of the [[vocabulary]] at every position: the [[logits]]."),
    "probabilities": ("Softmax", "The [[softmax]] turns the logits into probabilities: what comes next?"),
}
# The block of the positions where the model has none.
NO_POSITIONS = {
    "positions": (
        "No Positional Encoding",
        "Most models tell every place by a vector that is added here. In this one the sum is the [[embedding]].",
    )
}
