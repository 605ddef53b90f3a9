"""Tables in Markdown, for model cards and for the page."""

from collections.abc import Sequence


def table(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A table of texts that are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
