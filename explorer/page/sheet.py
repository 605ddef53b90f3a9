"""The sheet of keys: a dialog's table, out of words."""

from collections.abc import Iterable
from html import escape


def key_rows(keys: Iterable[tuple[str, str]]) -> str:
    """HTML of table rows: keys, separated by spaces, and what they do."""

    def row(names: str, does: str) -> str:
        caps = " ".join(f"<kbd>{escape(name)}</kbd>" for name in names.split())
        return f'<tr><th scope="row">{caps}</th><td>{escape(does)}</td></tr>'

    return "".join(row(*key) for key in keys)
