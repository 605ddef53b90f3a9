"""Predictions: the output side of a step."""
