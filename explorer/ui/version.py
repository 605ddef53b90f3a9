"""The version of the program."""

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NAME = "attention-explorer"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def program_version() -> str:
    """The installed version, or that of pyproject.toml if the program runs without installation, as on a Space."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
