"""Public functions for notebooks and tests; the page does not use them."""
