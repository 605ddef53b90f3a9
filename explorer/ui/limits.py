"""Limits on the input of users and the output of models."""

LOW_CONFIDENCE = 0.3  # a predicted piece below this probability is marked
MAX_CHARACTERS = 400  # of a text to translate
MAX_PIECES = 128  # of a text, and of its translation
