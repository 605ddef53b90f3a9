"""Positions: off, shuffled or shifted, in the encoder, the decoder or both."""
