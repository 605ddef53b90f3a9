"""Heads: every attention head in numbers, measured over many sentences."""
