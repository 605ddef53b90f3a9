"""Positions: how order enters the model."""
