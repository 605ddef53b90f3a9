"""The model card of a converted model: whose it is, and that nothing of it was trained here."""

from collections.abc import Mapping
from typing import Any

from huggingface_hub import ModelCardData

from model.languages import languages_of
from model.markdown import table

FOLDER = "path/to/this/folder"
BODY = """# {source} to {target}: {repository} for the Attention Explorer

{data_note}

The numbers are those of {linked}{revision}, with every digit, under the names that the Attention Explorer gives them.
Who made the model, what it learned from and how well it translates is told there.

## How to use it

It needs Python 3.11 or newer and the code of the Attention Explorer{code}. In a clone of that repository:

    python -m pip install -e .
    python -m model.translate --model {name} "A sentence in {source}."
    python app.py --model {name}

The first of the two commands with `--model` translates a sentence, the second opens the explorer, which shows what
every layer and head attends to meanwhile. The weights are safetensors, and nothing here is unpickled. Other libraries,
such as transformers, run the original and not this copy.

Attention weights show where the model looks; they are not by themselves an explanation of what it writes
([Jain and Wallace 2019](https://arxiv.org/abs/1902.10186)).

## Model

{model}
"""


def converted_card(record: Mapping[str, Any], repo_id: str | None, code: str | None) -> str:
    """Markdown with the Hub's metadata in front; the licence is the original's."""
    source, target = languages_of(record)
    origin = {"revision": "", "licence": "", **record["origin"]}
    repository = origin["repository"]
    on_the_hub = "/" in repository  # else it is the name of a folder
    metadata = ModelCardData(
        language=[source.code, target.code],
        license=origin["licence"] or None,
        library_name="pytorch",
        pipeline_tag="translation",
        tags=["transformer", "encoder-decoder", "attention-visualization"],
        base_model=repository if on_the_hub else None,
    )
    body = BODY.format(
        source=source.name,
        target=target.name,
        repository=repository,
        linked=f"[{repository}](https://huggingface.co/{repository})" if on_the_hub else repository,
        revision=f" at commit {origin['revision']}" if origin["revision"] else "",
        data_note=record.get("data_note", ""),
        name=repo_id or FOLDER,
        code=f" ({code})" if code else "",
        model=table(("size", "value"), list(record.get("model", {}).items())),
    )
    return f"---\n{metadata.to_yaml()}\n---\n\n{body}"
