"""The checkpoint and the engine as files, from which the visitor's browser computes (explorer/answers)."""

import gzip
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.answers.data import answers_data, handout_templates
from explorer.handout.inline import json_bytes, module_script
from explorer.recording.app_context import AppContext
from explorer.site import words
from explorer.ui.bundle import ANSWERS, ENGINE
from model.checkpoints.checkpoint import CONFIG, RECORD, TOKENIZERS, checkpoint_files, is_weights
from model.checkpoints.integrity import sha256_of
from model.checkpoints.weights import parameter_count

MAX_PARAMETERS = 100_000_000  # 200 MB of a tab as 16-bit numbers, and twice that while they load


def engine_files(app: AppContext) -> list[Path]:
    """The files of the checkpoint that the engine reads, the small ones first.

    Raises ValueError, with a sentence, for a checkpoint that a browser cannot hold.
    """
    assert app.folder
    count = parameter_count(app.translator.model.config)
    if count > MAX_PARAMETERS:
        raise ValueError(words.FILE["large"].format(count=round(count / 1e6), limit=round(MAX_PARAMETERS / 1e6)))
    read = (CONFIG, RECORD, *TOKENIZERS)
    files = [path for path in checkpoint_files(app.folder) if path.name in read or is_weights(path.name)]
    return sorted(files, key=lambda path: path.stat().st_size)


def write_engine(files: Path, app: AppContext, languages: Sequence[str]) -> dict[str, Any]:
    """Writes the model and the worker into the folder `files`, and returns the worker's settings (site.js).

    Raises ValueError as `engine_files` does.
    """
    model, checkpoint = files / "model", engine_files(app)
    model.mkdir()
    for path in checkpoint:
        shutil.copyfile(path, model / path.name)
    shutil.copyfile(ENGINE / "kernel.wasm", files / "kernel.wasm")
    (files / "engine.js").write_text(module_script(ANSWERS / "worker.js", "module.serve(self);"), encoding="utf-8")
    return {
        "worker": f"{files.name}/engine.js",
        "kernel": f"{files.name}/kernel.wasm",
        "folder": f"{files.name}/model/",
        "files": [{"name": path.name, "size": path.stat().st_size, "sha256": sha256_of(path)} for path in checkpoint],
        "data": {language: f"{files.name}/answers.{language}.bin" for language in languages},
        "handout": {language: f"{files.name}/handout.{language}.bin" for language in languages},
        "plotly": f"{files.name}/plotly.bin",
    }


def write_answers(files: Path, app: AppContext, language: str) -> None:
    """Writes what the answers in the language in use need, after the tabs have added their questions."""
    (files / f"answers.{language}.bin").write_bytes(compressed_json(answers_data(app)))
    (files / f"handout.{language}.bin").write_bytes(compressed_json(handout_templates(app)))


def compressed_json(value: Any) -> bytes:
    return compress(json_bytes(value))


def compress(data: bytes) -> bytes:
    """Gzip; the same data give the same bytes."""
    return gzip.compress(data, mtime=0)
