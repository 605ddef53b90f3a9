"""What a translation computed, recorded as plain arrays and words: the border between tensors and pictures."""
