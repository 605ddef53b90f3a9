"""The description of a model that exported files contain."""

from pathlib import Path
from typing import Any

from model.decoding import Translator

HUB_PREFIX = "models--"  # of a repository in the Hub's cache, which contains snapshots/REVISION


def checkpoint_name(folder: Path | None) -> str | None:
    """The checkpoint's name: owner/name@revision if it is from the Hub, else that of its folder."""
    if folder is None:
        return None
    repository = folder.parent.parent.name
    if repository.startswith(HUB_PREFIX):
        return f"{repository.removeprefix(HUB_PREFIX).replace('--', '/')}@{folder.name[:7]}"
    return folder.resolve().name


def describe_model(translator: Translator, folder: Path | None = None) -> dict[str, Any]:
    """The name, languages and sizes of a model, as JSON."""
    config, languages = translator.model.config, translator.languages
    return {
        "name": checkpoint_name(folder),
        "from": languages.source.name,
        "to": languages.target.name,
        "layers": config.layers("encoder"),
        "decoder_layers": config.layers("decoder"),
        "heads": config.n_heads,
        "d_model": config.d_model,
        "parameters": sum(parameter.numel() for parameter in translator.model.parameters()),
    }
