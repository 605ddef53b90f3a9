"""Public functions for notebooks and tests; nothing on the page is drawn by them."""
