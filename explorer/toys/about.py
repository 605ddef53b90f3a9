"""Describes a toy model in words."""

from explorer.toys import words
from explorer.toys.recipe import ToyConfig
from explorer.ui.language import join_list


def about(config: ToyConfig) -> str:
    """The task and the sizes of a toy, in one line."""
    layers = words.ABOUT["layer" if config.layers == 1 else "layers"].format(count=config.layers)
    heads = words.ABOUT["head" if config.heads == 1 else "heads"].format(count=config.heads)
    parts = [words.TASKS[config.task], layers, heads]
    return join_list(parts if config.positions else [*parts, words.ABOUT["without"]])
