"""The rooms of the house, a folder each; a tab of the page shows each of them."""
