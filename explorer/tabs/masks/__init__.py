"""Masks: a padded batch, and what its masks do."""
