"""Pages at a local address: whatever Gradio shows, and the whole page around a translator."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from model.decoding import Translator


def launched(page: Any, answering: Any = None, **options: Any) -> Iterator[str]:
    """Serves a gr.Blocks, and what its components ask."""
    from explorer.page.launch import launch

    _, address, _ = launch(page, answering, prevent_thread_lock=True, quiet=True, **options)
    yield address
    page.close()


def served(translator: Translator, folder: Path | None = None, trains: int = 0, **options: Any) -> Iterator[str]:
    """The page around a translator, with what its checkpoint's folder holds; so many toys may be trained at once."""
    from explorer.page.toys.toys import toys
    from explorer.page.ui import create_ui
    from explorer.recording.opened import Opened
    from explorer.recording.recordings import Recordings
    from explorer.server.desk import Desk

    opened = Opened(Recordings(translator), folder, trains=trains)
    more = toys(trains) if trains else {}
    yield from launched(create_ui(opened), Desk(opened), **more, **options)
