"""Where the page is found from outside."""

import os

from explorer.ui.language import FIRST, LANGUAGE_CONTEXT


def base_address() -> str | None:
    """The page's own address, where it is another one than the browser says.

    On a Space the page stands in a frame of another address; SPACE_HOST names its own.
    """
    host, language = os.environ.get("SPACE_HOST"), LANGUAGE_CONTEXT.get().language
    return f"https://{host}/{'' if language == FIRST else language}" if host else None
