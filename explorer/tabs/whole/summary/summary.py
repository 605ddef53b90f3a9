"""The summary of the model below the picture: shapes and parameters of what is shown, and how the model is built.

The page contains the parameters. Shapes belong to the sentence: the page computes them from the sites of its pass.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.recording.code_excerpts import mask_excerpts
from explorer.tabs.whole.summary.architecture import choices, remarks
from explorer.ui.glossary import link_terms
from explorer.ui.language import format_integer
from explorer.ui.translations import Translations
from model.config import Start
from model.decoding import Translator
from model.parameters import BYTES_PER_PARAMETER, ModuleParameters, parameter_counts, parameter_table
from model.probe import KINDS, Kind

words = Translations(__file__)
LINKED = ("steps_words", "parameters_words", "layers_words")


def summary_settings(translator: Translator) -> dict[str, Any]:
    """Words as HTML, the reasons of all steps by their keys in derived/shapes.js, and the rows of the parameters."""
    model, texts = translator.model, words.SUMMARY
    count = parameter_counts(model)[""]
    megabytes = count * BYTES_PER_PARAMETER / 1e6
    return {
        "text": {**texts, **{name: link_terms(texts[name]) for name in LINKED}},
        "steps": add_remarks(words.SHAPE_STEPS, remarks(translator)),
        "parameters": [part_json(part) for part in parameter_table(model)],
        "total": words.PARAMETERS_TOTAL.format(total=format_integer(count), megabytes=megabytes),
        "masks": {kind: mask_settings(kind, model.config.start) for kind in KINDS},
        "choices": [link_terms(choice.sentence) for choice in choices(translator)],
    }


def mask_settings(kind: Kind, start: Start) -> dict[str, Any]:
    """What a kind of attention masks, as HTML, and the lines of the model that build the mask."""
    said = f"{words.SUMMARY['masks'][kind]} {words.SUMMARY['padding']}"
    return {"words": link_terms(said), "code": [found._asdict() for found in mask_excerpts(kind, start)]}


def add_remarks(texts: Mapping[str, Sequence[str]], remarks_by_name: Mapping[str, str]) -> dict[str, list[str]]:
    """Title and reason of every step, with the remarks about this model."""
    return {
        name: [title, link_terms(f"{why} {remarks_by_name.get(name, '')}".rstrip())]
        for name, (title, why) in texts.items()
    }


def describe_matrix(part: ModuleParameters, name: str) -> str:
    """A matrix of a module with its shape and, if it is tied, its owner."""
    tied = part.tied.get(name)
    facts = {"name": name, "shape": list(part.shapes[name]), "owner": tied and tied.rpartition(".")[0]}
    return words.HELD["tied" if tied else "own"].format(**facts)


def part_json(part: ModuleParameters) -> dict[str, Any]:
    return {
        "path": part.path,
        "kind": part.kind,
        "own": ", ".join(describe_matrix(part, name) for name in part.shapes),
        "parameters": part.parameters,
        "share": part.share,
    }
