"""What a page may run (Content-Security-Policy)."""

import base64
import hashlib


def csp_hash(script: str) -> str:
    """The hash of an inline script, as a source of a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
