"""Training: how the checkpoint came about."""
