"""Evaluation: how well a model translates, and what its heads align."""
