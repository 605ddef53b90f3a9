"""Patch: a part of another sentence's run is put into this one's."""
