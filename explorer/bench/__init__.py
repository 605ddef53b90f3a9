"""How fast the explorer is, measured and compared; nothing here is part of the app."""
