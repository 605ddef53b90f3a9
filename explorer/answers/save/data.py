"""What the files of numbers in the browser take from Python: texts, and the description of the model."""

from typing import Any

from explorer.files import words as files_words
from explorer.files.model_description import describe_model
from explorer.page.save import numbers, words
from explorer.recording.app_context import AppContext


def save_data(app: AppContext) -> dict[str, Any]:
    return {
        "refusals": words.REFUSALS,
        "corner": files_words.CORNER,
        "readme": files_words.JSON,
        "npzReadme": files_words.NPZ,
        "model": describe_model(app.translator, app.folder),
        "MAX_LABEL_CHARS": numbers.MAX_LABEL_CHARS,
    }
