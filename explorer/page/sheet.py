"""The table of keyboard shortcuts in a dialog."""

from collections.abc import Iterable, Sequence
from html import escape


def key_rows(keys: Iterable[Sequence[str]]) -> str:
    """The HTML of table rows: keys, separated by spaces, and their actions."""

    def row(names: str, does: str) -> str:
        caps = " ".join(f"<kbd>{escape(name)}</kbd>" for name in names.split())
        return f'<tr><th scope="row">{caps}</th><td>{escape(does)}</td></tr>'

    return "".join(row(*key) for key in keys)
