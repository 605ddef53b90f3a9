"""What the Predictions tab says; terms in double brackets are linked with their definition by the glossary."""

from explorer.ui.words.en import FORK, STEP, STEPS

TAB = "Predictions"

PREDICTIONS = {
    "status": STEP,
    "temperature": "Temperature {temperature}",
    "entropy": "Entropy {bits} bits (at temperature 1: {bitsAtOne}).",
    "share": "“{piece}”: e^((logit − m) / T) divided by its sum over all pieces = {power} / {sum} = {probability}; m "
    "is the largest logit, T the temperature.",
    "fork": FORK,
    "rest": "All other {count} pieces together: {probability}.",
    "wins": "“{piece}” leads from layer {layer} on.",
    "winsAtOnce": "“{piece}” leads from the embedding on.",
    "embedding": "embedding",
    "layer": "layer {layer}",
    "last": "layer {layer} (last)",
    "failed": "The predictions could not be loaded. Is the server still running? Go to another step to retry.",
}
STATE = "State [{d_model}], after the last layer"
LOGITS = "Logits [{vocab}] = state [{d_model}] · W_output [{d_model}, {vocab}] + b"
COLUMNS = ["Read after", "Rank of chosen", "Its probability", "Entropy (bits)", "Most probable pieces"]

HTML = {
    "room": "Predictions",
    "steps": STEPS,
    "output": "From the state to the next piece",
    "output_words": (
        "At the end of the [[decoder]], one vector is left for this step: its state. The output projection turns it "
        "into one number for each piece of the [[vocabulary]], the [[logits]], and the [[softmax]] turns these into "
        "probabilities. Notice how far the chosen logit stands from the bulk of the others. Try raising the "
        "[[temperature]]: it divides the logits before the softmax, so the probabilities draw together, but their "
        "order never changes. This is for display only: the model works at temperature 1 and always chooses the most "
        "probable piece."
    ),
    "state": "The decoder's state",
    "logits": "Distribution of the logits",
    "temperature": "Temperature",
    "temperature_hint": "Divides the logits before the softmax; for display only",
    "lens": "Layer by layer",
    "lens_words": (
        "The same step, read too early: the stream after each decoder layer goes through the model's own output "
        "projection, as if the decoder ended there ([[logit lens]]). At which layer does the chosen piece take the "
        "lead, and what led before? The projection was trained to read the last layer only, so the early rows are "
        "rough; where embedding and projection share one matrix ([[weight tying]]), they mostly return the piece that "
        "was fed. Compare a step that predicts an article with one that predicts a noun."
    ),
    "residual": "The residual stream",
    "residual_words": (
        "Each [[sub-layer]] adds its output to the [[residual stream]] that runs through the model; then comes a "
        "[[layer normalisation]]. Above: how long each piece's vector is afterwards. Below: how long the output was "
        "compared with the stream that it was added to; above 1, it outweighs what was there. Other pieces are grey. "
        "The normalisation keeps most pieces about equally long, so the shares tell you more. Find the sub-layer that "
        "adds most, then go to step 1, whose piece is the start."
    ),
    "sides": "Side",
    "decoder": "{target_language}",
    "decoder_hint": "Follow the piece fed at this step through the decoder",
    "encoder": "{source_language}",
    "encoder_hint": "Follow a piece of the source through the encoder",
    "piece": "{source_language} piece",
    "piece_hint": "The piece whose stream is shown",
    "residual_figure": "Length of the stream and share of each sub-layer",
}

# Axes, labels and hover texts of the figures; Plotly fills in the names after a % sign.
FIGURES = {
    "state": "dimension %{x}: %{z:.3f}",
    "logits": "%{y:,} pieces around logit %{x:.2f}",
    "chosen": "chosen: {logit:.2f}",
    "pieces": "pieces",
    "logit": "logit",
    "embedding": "embedding",
    "sublayer": "{layer} {name}",
    "self_attention": "self",
    "cross_attention": "cross",
    "feed_forward": "ffn",
    "lengths": "length of the stream",
    "shares": "output of the sub-layer ÷ stream before it",
    "other": "{piece}: %{{y:.2f}}",
    "length": "length %{y:.2f}",
    "share": "%{y:.2f} of the stream",
}
