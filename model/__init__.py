"""The translator: an encoder-decoder Transformer written from scratch; it knows nothing of screens."""
