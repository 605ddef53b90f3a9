"""What stands inside a page's own HTML: scripts that cannot end early, and data that no parser of HTML reads."""

import base64
import gzip
import hashlib
import json
from html import escape
from pathlib import Path
from typing import Any

from explorer.ui.bundle import EXPLORER, bundled

ENDS = ("</script", "<!--", "<script")  # by which HTML would read the rest of a script otherwise than we do


def script_of(module: Path, call: str) -> str:
    """A module of explorer/ with all it imports as the text of one inline script; `call` has its exports as `module`.

    Raises ValueError where HTML would end the script inside.
    """
    text = bundled(EXPLORER, module)
    modules, found, exported = text.rpartition("export default ")
    assert found, module
    place = module.resolve().relative_to(EXPLORER.resolve()).as_posix()
    whole = f"\n{modules}const module = ({exported.strip().removesuffix(';')})[{json.dumps(place)}];\n{call}\n"
    for end in ENDS:
        if end in whole.lower():
            raise ValueError(f"{module} or what it imports holds {end}, which cannot stand in a page")
    return whole


def hashed(script: str) -> str:
    """An inline script as a Content-Security-Policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def packed(data: bytes) -> str:
    """Gzip in base64: letters, digits and +/= alone, whatever the data say. Always the same for the same data."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode("ascii")


def carried(name: str, data: bytes) -> str:
    """HTML of data for a script (embedded_data.js)."""
    return f'<script type="text/plain" data-carried="{escape(name)}">{packed(data)}</script>\n'


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
