"""Words and numbers of the screen that several rooms use."""

LOW_CONFIDENCE = 0.3  # a predicted piece below this probability is marked

KIND_TITLES = {
    "encoder": "Encoder self-attention",
    "decoder": "Decoder self-attention (masked)",
    "cross": "Cross-attention",
}
