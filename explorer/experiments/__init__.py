"""Experiments on the translator: what is changed is a small value, and running it gives another trace."""
