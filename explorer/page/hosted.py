"""The public address of the page."""

import os

from explorer.ui.language import FIRST, LANGUAGE_CONTEXT


def base_address() -> str | None:
    """The page's address if it differs from the one in the browser, else None.

    On a Space, the page is in a frame of another address; SPACE_HOST has its own.
    """
    host, language = os.environ.get("SPACE_HOST"), LANGUAGE_CONTEXT.get().language
    return f"https://{host}/{'' if language == FIRST else language}" if host else None
