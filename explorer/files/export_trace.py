"""Exports a whole translation as JSON or NPZ; a readme in the file explains names and shapes.

With an experiment, the file contains the unchanged and the changed translation.
"""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from explorer.experiments.experiment import Experiment
from explorer.recording.payload import map_json, piece_json, step_json
from explorer.recording.trace import Piece, Trace
from explorer.ui.translations import Translations
from model.decoding import Translator
from model.probe import KINDS

words = Translations(__file__)


def json_of(
    trace: Trace,
    changed: Trace | None = None,
    experiment: Experiment | None = None,
    model: dict[str, Any] | None = None,
) -> str:
    """A trace as JSON. `model` is the result of `describe_model`; `changed` is the trace of the experiment."""
    content: dict[str, Any] = {"readme": words.JSON, "model": model, "trace": exported_json(trace)}
    if changed:
        content |= {"experiment": experiment.json() if experiment else None, "changed": exported_json(changed)}
    return json.dumps(content, ensure_ascii=False)


def exported_json(trace: Trace) -> dict[str, Any]:
    attention = {
        kind: {**map_json(trace.map(kind)), "weights": shorten_floats(trace.map(kind).weights).tolist()}
        for kind in KINDS
    }
    for attention_map in attention.values():
        del attention_map["special"]  # the pieces contain it
    return {
        "sentence": trace.sentence,
        "translation": trace.translation,
        "log_probability": trace.log_probability,
        "stopped_at_limit": trace.stopped_at_limit,
        "vocabulary": trace.vocabulary,
        "source": [piece_json(piece) for piece in trace.source],
        "target": [piece_json(piece) for piece in trace.target],
        "steps": [
            {**step_json(step), "log_probability": step.log_probability, "rank": step.rank} for step in trace.steps
        ],
        "attention": attention,
    }


def shorten_floats(weights: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """float64 numbers that print with the shortest digits of their float32 values, which halves the file."""
    return weights.astype(np.float32).astype(str).astype(np.float64)


def npz_of(
    trace: Trace,
    changed: Trace | None = None,
    experiment: Experiment | None = None,
    model: dict[str, Any] | None = None,
) -> bytes:
    """A trace as arrays for `numpy.load`, without pickle; arrays of `changed` have the prefix changed_."""
    arrays: dict[str, Any] = {"readme": np.array(words.NPZ), "model": json_array(model), **arrays_of(trace)}
    if changed:
        arrays["experiment"] = json_array(experiment.json() if experiment else None)
        arrays |= {f"changed_{name}": array for name, array in arrays_of(changed).items()}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def json_array(value: Any) -> np.ndarray:
    """JSON as one text, written as a browser writes it."""
    return np.array(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def arrays_of(trace: Trace) -> dict[str, np.ndarray]:
    steps, candidates = trace.steps, [step.candidates for step in trace.steps]
    predicted = [step.predicted for step in steps]
    return {
        "sentence": np.array(trace.sentence),
        "translation": np.array(trace.translation),
        **{kind: trace.map(kind).weights for kind in KINDS},
        **pieces_of("source", trace.source),
        **pieces_of("fed", trace.target),
        **pieces_of("predicted", predicted),
        "probability": np.array([step.probability for step in steps]),
        "log_probability": np.array([step.log_probability for step in steps]),
        "entropy": np.array([step.entropy for step in steps]),
        "rank": np.array([step.rank for step in steps]),
        "candidate_text": np.array([[candidate.piece.text for candidate in row] for row in candidates]),
        "candidate_id": np.array([[candidate.piece.id for candidate in row] for row in candidates]),
        "candidate_probability": np.array([[candidate.probability for candidate in row] for row in candidates]),
        "stopped_at_limit": np.array(trace.stopped_at_limit),
        "vocabulary": np.array(trace.vocabulary),
    }


def pieces_of(name: str, pieces: list[Piece] | tuple[Piece, ...]) -> dict[str, np.ndarray]:
    """Arrays of the texts, ids and flags of pieces."""
    flags = ("unknown", "special", "starts_word")
    return {
        f"{name}_text": np.array([piece.text for piece in pieces]),
        f"{name}_id": np.array([piece.id for piece in pieces]),
        **{f"{name}_{flag}": np.array([getattr(piece, flag) for piece in pieces]) for flag in flags},
    }


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
