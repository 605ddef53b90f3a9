"""Inside: the arithmetic of one cell."""
