"""Training: from files of sentence pairs to a checkpoint (section 5 of the paper)."""
