"""Commands of the repository, which are not installed: they measure a model, write pairs for it or publish it, compute
what lies in assets/ and docs/ from a checkpoint, and time the page (bench/). At its root: `python -m tools.evaluate`.
"""
