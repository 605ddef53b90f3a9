"""Checkpoints on the Hugging Face Hub: downloading them, and what goes wrong on the way."""

import re
from collections.abc import Sequence
from pathlib import Path
from pickle import UnpicklingError
from zipfile import BadZipFile

import huggingface_hub
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    HTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from pydantic import ValidationError
from safetensors import SafetensorError

from model.files import short_error

REVISION = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*")  # without "..": the Hub's client makes a file name of it
# HTTPError belongs to the HTTP library of the Hub's client, another one in its version 2 than in 1. Its transfer
# library raises RuntimeError if a download or an upload breaks off.
HUB_ERRORS = (HTTPError, OSError, RuntimeError, ValueError)
# What errors of other libraries mean, whose messages are for programmers; the first that fits.
REASONS: tuple[tuple[type[Exception], str], ...] = (
    (RevisionNotFoundError, "the repository has no such commit, tag or branch"),
    (GatedRepoError, "its owner has to let you in: ask for it on its page there, and run hf auth login"),
    (RepositoryNotFoundError, "there is no such repository, or you may not read it"),
    (LocalEntryNotFoundError, "it is not on this computer, and the Hub cannot be reached or HF_HUB_OFFLINE is set"),
    (HFValidationError, "a repository is named as owner/name, in letters, digits, dots, dashes and underscores"),
    *((error, "it is damaged, cut off, or something else") for error in (SafetensorError, UnpicklingError, BadZipFile)),
)


class CheckpointError(Exception):
    """A checkpoint is missing or damaged; the message says what is wrong and what to do."""


def error_reason(error: BaseException) -> str:
    """Why something failed, in one line: the first line of the message, or the error's name if it has none."""
    for kind, reason in REASONS:
        if isinstance(error, kind):
            return reason
    if isinstance(error, HfHubHTTPError):
        answer = f"the Hub answers with status {error.response.status_code}"
        return f"{answer}: {error.server_message}" if error.server_message else answer
    if isinstance(error, HTTPError):
        return "the Hub cannot be reached"
    if isinstance(error, ValidationError):
        return short_error(error)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def download(name: str, patterns: Sequence[str]) -> Path:
    """Downloads the files of a repository that match the patterns; returns a folder named by the commit.

    Without a connection they come from the cache. Raises CheckpointError if there is no such repository or version.
    """
    repo_id, at, revision = name.partition("@")
    if Path(name).is_absolute() or repo_id.count("/") != 1 or name.startswith("."):
        raise CheckpointError(
            f"There is no checkpoint folder at {name}. Restore it with git checkout, train one with "
            "python -m model.train, or name another with --model."
        )
    if at and not REVISION.fullmatch(revision):
        raise CheckpointError(f"In {name}, {revision!r} after the @ is not the name of a commit, tag or branch.")
    try:
        # By its full name: the client is imported where it is used, not by every command.
        return Path(
            huggingface_hub.snapshot_download(repo_id, revision=revision or None, allow_patterns=list(patterns))
        )
    except HUB_ERRORS as error:
        raise CheckpointError(
            f"There is no local folder {name}, and it cannot be loaded from the Hugging Face Hub: {error_reason(error)}"
        ) from error
