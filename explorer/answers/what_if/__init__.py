"""The answers of the tab What if, in the browser."""
