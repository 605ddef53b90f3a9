"""Explore: a sentence, its translation, and all its attention."""
