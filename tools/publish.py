"""Publishing a checkpoint on the Hugging Face Hub, with its model card.

    python -m tools.publish runs/mine/checkpoint owner/name --dry-run
    python -m tools.publish runs/mine/checkpoint owner/name [--private] [--code ADDRESS]

`--dry-run` shows everything that would be sent, without any network traffic. The checkpoint is loaded first, so that a
broken one is never published. Then the repository is created if it does not exist, and gets a single commit with the
checkpoint's files and no others. `hf auth login`, or a token in HF_TOKEN, identifies the publisher.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from huggingface_hub import CommitInfo, CommitOperationAdd, CommitOperationDelete, HfApi, constants
from huggingface_hub.errors import HfHubHTTPError, HFValidationError
from huggingface_hub.utils import validate_repo_id

from model import command
from model.checkpoints import checkpoint
from model.checkpoints.card import model_card
from model.checkpoints.hub import HUB_ERRORS, error_reason
from model.checkpoints.weights import MAX_PARAMETERS
from model.files import read_bytes


class PublishError(Exception):
    """A checkpoint could not be published; the message says why."""


def check_repo_id(repo_id: str) -> None:
    """Raises PublishError if the Hub cannot have a repository of that name; works offline."""
    try:
        validate_repo_id(repo_id)
    except HFValidationError as error:
        raise PublishError(f"{repo_id} is no name: {error_reason(error)}.") from error
    if repo_id.count("/") != 1:
        raise PublishError(f"A repository on the Hub is named as owner/name, not {repo_id}.")


def contents(folder: Path, repo_id: str, code: str | None) -> dict[str, bytes]:
    """The files to publish, by name: those of a checkpoint that loads, and a card that names the repository."""
    if not folder.is_dir():
        raise PublishError(f"There is no checkpoint folder at {folder}.")
    record = checkpoint.load(folder).record
    paths = (path for path in checkpoint.checkpoint_files(folder) if path.name != checkpoint.CARD)
    files = {path.name: read_bytes(path, checkpoint.MAX_BYTES.get(path.name, 4 * MAX_PARAMETERS)) for path in paths}
    return {**files, checkpoint.CARD: model_card(record, repo_id, code).encode()}


def description(repo_id: str, files: dict[str, bytes], private: bool) -> str:
    """Everything that `publish` would send, as text."""
    return "\n".join(
        [
            "Nothing is sent. Without --dry-run, one commit would hold these files:",
            "",
            *(f"{len(content):>14,} bytes  {name}" for name, content in sorted(files.items())),
            f"{sum(map(len, files.values())):>14,} bytes in all",
            "",
            f"Repository: {constants.ENDPOINT}/{repo_id}",
            f"If it does not exist, it is created{', private' if private else ''}. "
            "Files of an earlier checkpoint there that are not listed are deleted.",
            "",
            f"{checkpoint.CARD}:",
            "",
            files[checkpoint.CARD].decode(),
        ]
    )


def publish(repo_id: str, files: dict[str, bytes], private: bool) -> CommitInfo:
    """Sends the files in one commit, to a repository that is created if it does not exist.

    Raises PublishError if the Hub cannot be reached or refuses.
    """
    try:
        api = HfApi()
        api.create_repo(repo_id, private=private or None, exist_ok=True)
        if private and not api.model_info(repo_id).private:
            raise PublishError(f"{repo_id} exists and everybody can read it; make it private on the Hub first.")
        return commit(api, repo_id, files)
    except HUB_ERRORS as error:
        raise PublishError(publish_failure(error, repo_id)) from error


def commit(api: HfApi, repo_id: str, files: dict[str, bytes]) -> CommitInfo:
    """Makes the commit, which also deletes files of an earlier checkpoint, such as further shards."""
    stale = [name for name in api.list_repo_files(repo_id) if checkpoint.is_checkpoint_file(name) and name not in files]
    operations = [
        *(CommitOperationAdd(name, content) for name, content in files.items()),
        *(CommitOperationDelete(name) for name in stale),
    ]
    return api.create_commit(repo_id, operations, commit_message="A checkpoint and its model card")


def publish_failure(error: BaseException, repo_id: str) -> str:
    """What went wrong with the Hub, and what to do about it, as a sentence."""
    if isinstance(error, RuntimeError) and error.__cause__:  # the Hub's client wraps what stopped an upload
        return publish_failure(error.__cause__, repo_id)
    status = error.response.status_code if isinstance(error, HfHubHTTPError) else None
    if status == 401:
        return "The Hugging Face Hub does not know who you are: run hf auth login, or set HF_TOKEN to a valid token."
    if status == 403:
        return f"Your account, or the token you use, may not write to {repo_id}: {error_reason(error)}"
    return f"{repo_id} cannot be published on the Hugging Face Hub: {error_reason(error)}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        "python -m tools.publish",
        description="Publishes a checkpoint on the Hugging Face Hub, under the licence that its record names, if any.",
    )
    parser.add_argument("folder", type=Path, help="checkpoint folder")
    parser.add_argument("repo_id", help="repository on the Hub, as owner/name; created if it does not exist")
    parser.add_argument("--dry-run", action="store_true", help="show all that would be sent, and contact nobody")
    parser.add_argument("--private", action="store_true", help="publish for yourself or your organisation alone")
    parser.add_argument("--code", help="address of this project's code, for the card to link to")
    options = parser.parse_args(arguments)
    with command.exit_on_error("python -m tools.publish", PublishError):
        check_repo_id(options.repo_id)
        files = contents(options.folder, options.repo_id, options.code)
        if options.dry_run:
            print(description(options.repo_id, files, options.private))
        else:
            published = publish(options.repo_id, files, options.private)
            print(f"Published: {published.commit_url}")
            print(f"The name of this version, for --model: {options.repo_id}@{published.oid}")


if __name__ == "__main__":
    main()
