"""The public address of the page."""

import os

from explorer.ui.language import FIRST, LANGUAGE_CONTEXT


def root_address() -> str | None:
    """The address of the page in the first language if it differs from the one in the browser, else None.

    On a Space, the page is in a frame of another address; SPACE_HOST has its own.
    """
    host = os.environ.get("SPACE_HOST")
    return f"https://{host}/" if host else None


def base_address() -> str | None:
    """The address of the page in the current language if it differs from the one in the browser, else None."""
    root, language = root_address(), LANGUAGE_CONTEXT.get().language
    return root and root + ("" if language == FIRST else language)
