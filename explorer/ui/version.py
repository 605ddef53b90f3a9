"""Which version of the program this is."""

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NAME = "attention-explorer"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def program_version() -> str:
    """As it was installed; a Space runs the repository as it lies there, which says it too."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
