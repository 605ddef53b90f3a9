"""Models that were trained on the page, each opened as a page of its own below /toy/ and its key."""
