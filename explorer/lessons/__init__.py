"""Guided lessons for the page, read from YAML, with checks of what they claim about the model."""
