"""The words to the steps of the shape trace."""
