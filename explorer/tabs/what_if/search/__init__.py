"""Beam and sampling: other ways to find a translation than taking the most probable piece at every step."""
