"""Your German: how probable the model finds a translation of the visitor's own."""
