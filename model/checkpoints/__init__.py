"""Checkpoints: saving, checking and loading a translator, here and on the Hugging Face Hub."""
