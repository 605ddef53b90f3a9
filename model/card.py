"""The model card of a checkpoint, written from its training record so that it cannot drift from it."""

from typing import Any

from huggingface_hub import ModelCardData

BODY = """# English to German, written and trained from scratch

An encoder-decoder Transformer after "Attention Is All You Need", trained from random weights with this
project's own code. It is small on purpose: it exists to be looked into, and it translates everyday
sentences and picture captions. It knows little beyond them.

## Model

{model}

## Training

{training}

{note}

Command:

    {command}

## Data and licences

{data}

{data_note}

## Scores

{scores}

sacreBLEU signatures: {signatures}
"""


def model_card(record: dict[str, Any]) -> str:
    """Markdown with the metadata block of the Hugging Face Hub in front."""
    data = ModelCardData(language=["en", "de"], license="mit", pipeline_tag="translation", tags=["transformer"])
    body = BODY.format(
        model=table(("size", "value"), list(record.get("model", {}).items())),
        training=table(("what", "value"), training_rows(record)),
        note=record.get("note", ""),
        command=record.get("command", "not recorded"),
        data=table(
            ("file", "pairs", "used for"), [(d["file"], f"{d['pairs']:,}", d["role"]) for d in record.get("data", [])]
        ),
        data_note=record.get("data_note", ""),
        scores=scores_table(record.get("scores", [])),
        signatures="; ".join(sorted({score["signature"] for score in record.get("scores", [])})) or "none yet",
    )
    return f"---\n{data.to_yaml()}\n---\n\n{body}"


def table(header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """A Markdown table."""
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def training_rows(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What the run took, and where its validation loss ended."""
    rows = [
        ("hardware", record.get("hardware", "not recorded")),
        ("time", f"{record.get('seconds', 0) / 60:.0f} minutes"),
        ("steps", f"{record.get('steps', 0):,}"),
        ("epochs", f"{record.get('epochs', 0):.1f}"),
        ("target pieces seen", f"{record.get('tokens', 0):,}"),
    ]
    validations = [line["dev_loss"] for line in record.get("log", []) if "dev_loss" in line]
    return [*rows, ("validation loss", f"{validations[-1]:.3f} nats per piece")] if validations else rows


def scores_table(scores: list[dict[str, Any]]) -> str:
    if not scores:
        return "Not evaluated yet: `python -m model.evaluate --write` adds them here."
    rows = [(s["file"], s["pairs"], s["decoding"], f"{s['bleu']:.1f}", f"{s['chrf']:.1f}") for s in scores]
    return table(("test file", "pairs", "decoding", "BLEU", "chrF"), rows)
