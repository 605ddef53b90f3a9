"""What GET /health says."""

import time
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from explorer.files.export_trace import describe_model
from explorer.recording.app_context import AppContext

PROGRAM = "attention-explorer"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def health(app: AppContext, started: float, waiting: int) -> dict[str, Any]:
    """Status, version, model, uptime since `started` (time.time()) and queue length."""
    return {
        "status": "ok",
        "version": program_version(),
        "model": describe_model(app.translator, app.folder),
        "uptime_seconds": round(time.time() - started),
        "waiting": waiting,
    }


def program_version() -> str:
    """The installed version, or that of pyproject.toml if the program runs without installation, as on a Space."""
    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
