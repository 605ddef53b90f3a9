"""Which model a file's numbers are of."""

from pathlib import Path
from typing import Any

from model.decoding import Translator

HUB = "models--"  # how the Hub's cache begins the folder of a repository; below it: snapshots/REVISION


def name_of(folder: Path | None) -> str | None:
    """The checkpoint's name: owner/name@revision where it came from the Hub, else that of its folder."""
    if folder is None:
        return None
    repository = folder.parent.parent.name
    if repository.startswith(HUB):
        return f"{repository.removeprefix(HUB).replace('--', '/')}@{folder.name[:7]}"
    return folder.resolve().name


def described(translator: Translator, folder: Path | None = None) -> dict[str, Any]:
    """Name, languages and sizes of a model."""
    config, languages = translator.model.config, translator.languages
    return {
        "name": name_of(folder),
        "from": languages.source.name,
        "to": languages.target.name,
        "layers": config.layers("encoder"),
        "decoder_layers": config.layers("decoder"),
        "heads": config.n_heads,
        "d_model": config.d_model,
        "parameters": sum(parameter.numel() for parameter in translator.model.parameters()),
    }
