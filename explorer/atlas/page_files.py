"""The atlas of the checkpoint of a page, which its visitors' browsers read: its files, or why there are none."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from explorer.atlas import array_file
from explorer.atlas.atlas import COMMAND
from explorer.atlas.making import SENTENCES_FILE, layer_file
from explorer.atlas.recording import STACKS
from explorer.experiments.head_measurements import app_fingerprint
from explorer.recording.app_context import AppContext
from explorer.ui import words as shared_words
from explorer.ui.component import url
from explorer.ui.translations import Translations
from model.errors import UserError
from model.probe import Stack

words = Translations(__file__)


class AtlasFiles(NamedTuple):
    """The files of an atlas, or why they are not shown."""

    sentences: Path | None
    layers: Mapping[Stack, Sequence[Path]] = {}
    fault: str = ""  # of files that are there and cannot be read

    @property
    def paths(self) -> list[Path]:
        """All files."""
        return [*([self.sentences] if self.sentences else []), *chain(*self.layers.values())]


def page_atlas(app: AppContext) -> AtlasFiles:
    """The files of the atlas beside a page's checkpoint. Searched once."""
    return app.get_shared(find_atlas)


def find_atlas(app: AppContext) -> AtlasFiles:
    """The files of the atlas beside a page's checkpoint; none if there is no atlas of its weights."""
    if app.folder is None or not (app.folder / SENTENCES_FILE).exists():
        return AtlasFiles(None)
    folder, config = app.folder, app.translator.model.config
    try:
        made_of = array_file.read(folder / SENTENCES_FILE).header.get("model")
    except UserError as error:
        return AtlasFiles(None, fault=str(error))
    if made_of != app.get_shared(app_fingerprint):
        return AtlasFiles(None)
    layers: dict[Stack, list[Path]] = {
        stack: [(folder / layer_file(stack, layer)).resolve() for layer in range(config.layers(stack))]
        for stack in STACKS
    }
    return AtlasFiles((folder / SENTENCES_FILE).resolve(), layers)


def atlas_settings(app: AppContext) -> dict[str, Any]:
    """Where the browser finds the files (explorer/atlas/atlas.js), or the command that makes them."""
    found = page_atlas(app)
    command = COMMAND.format(folder=app.folder or "FOLDER")
    text = {**words.ATLAS, "tokenNames": shared_words.TOKEN_NAMES}
    if found.sentences is None:
        return {"files": None, "command": command, "fault": found.fault, "text": text}
    layers = {stack: [url(file) for file in files] for stack, files in found.layers.items()}
    return {"files": {"sentences": url(found.sentences), **layers}, "text": text}
