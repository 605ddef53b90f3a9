"""The model card of a checkpoint, written from its training record, so that the two always agree.

The text is that of `card.md`, or of `converted_card.md` for a model that was not trained here. The block of metadata in
front follows the Hugging Face Hub's specification (https://github.com/huggingface/hub-docs/blob/main/modelcard.md); it
holds the scores as a model index.
"""

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import huggingface_hub

from model.checkpoints.record import last_dev_loss, runs_of, total_over_runs
from model.languages import Languages, languages_of

NAME = "attention-explorer"
FOLDER = "path/to/this/folder"
LICENCE = "LICENSE.md"  # what the Hub expects the text of a licence to be called, where it is none that it knows
# Files that are a split of a data set on the Hub, with its id, its own name of the split, and a name for readers. The
# Tatoeba sentences are not among them: the Hub has other editions than the one that the project trains on.
ON_THE_HUB = {
    "multi30k-en-de.train.tsv.gz": ("bentrevett/multi30k", "train", "Multi30k, training set"),
    "multi30k-en-de.test2016.tsv.gz": ("bentrevett/multi30k", "test", "Multi30k, Flickr test set of 2016"),
    "newstest2014-en-de.test.tsv.gz": ("wmt/wmt14", "test", "WMT 2014, news test set"),
}
# The metrics of a score: their ids on the Hub, and their names for readers.
METRICS = {
    "bleu": ("bleu", "BLEU"),
    "bleu_lowercase": ("bleu", "BLEU, lower case"),
    "chrf": ("chrf", "chrF"),
    "accuracy": ("accuracy", "wholly right, %"),  # of toys
}
PINNING = """`{repo_id}` is the newest version here. `{repo_id}@REVISION` keeps to one: a commit, tag or branch of this
repository.

"""


def template(name: str) -> str:
    """The text of a card, with places for values in braces."""
    return (files("model.checkpoints") / name).read_text(encoding="utf-8")


def markdown_table(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; the cells are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def model_card(record: dict[str, Any], repo_id: str | None = None, code: str | None = None) -> str:
    """Markdown, with the Hub's metadata in front.

    With `repo_id`, `owner/name` on the Hub, commands name that repository. `code` is the address of the source code.
    """
    scores, runs, data = record.get("scores", []), runs_of(record), record.get("data", [])
    languages, origin = languages_of(record), record.get("origin") or {}
    repository, revision = origin.get("repository", ""), origin.get("revision")
    body = template("converted_card.md" if origin else "card.md").format(
        source=languages.source.name,
        target=languages.target.name,
        name=repo_id or FOLDER,
        code=f" ({code})" if code else "",
        pinning=PINNING.format(repo_id=repo_id) if repo_id else "",
        model=markdown_table(("size", "value"), list(record.get("model", {}).items())),
        training=training_table(runs),
        notes=notes(runs),
        commands=commands(runs),
        licence=licence_sentence(record),
        data=data_table(data),
        licences=licence_table(data),
        data_note=record.get("data_note") or "Where the data come from was not recorded.",
        scores=scores_table(scores),
        lists=lists_section(record.get("lists", [])),
        signatures="; ".join(sorted({score["signature"] for score in scores})) or "none yet",
        repository=repository,
        linked=f"[{repository}](https://huggingface.co/{repository})" if "/" in repository else repository,
        revision=f" at commit {revision}" if revision else "",
    )
    return f"---\n{metadata(record, repo_id).to_yaml()}\n---\n\n{body}"


def metadata(record: dict[str, Any], repo_id: str | None) -> "huggingface_hub.ModelCardData":
    """The metadata for the Hub's search, filters and score tables."""
    trained_on = [data["file"] for data in record.get("data", []) if data["role"] == "training"]
    scores, languages, origin = record.get("scores", []), languages_of(record), record.get("origin") or {}
    return huggingface_hub.ModelCardData(
        language=[language.code for language in languages],
        license=record.get("licence") or origin.get("licence") or None,
        license_name=record.get("licence_name") or None,
        license_link=LICENCE if record.get("licence_name") else None,
        library_name="pytorch",
        pipeline_tag="translation",
        tags=["transformer", "encoder-decoder", "attention-visualization"],
        base_model=origin["repository"] if "/" in origin.get("repository", "") else None,  # else it was a folder
        datasets=sorted({ON_THE_HUB[file][0] for file in trained_on if file in ON_THE_HUB}) or None,
        metrics=[*dict.fromkeys(name for key, (name, _) in METRICS.items() if any(key in s for s in scores))] or None,
        model_name=(repo_id or name_of(languages)).split("/")[-1] if scores else None,
        eval_results=[result for score in scores for result in results(score, languages)] or None,
    )


def name_of(languages: Languages) -> str:
    """The default name of a model between two languages."""
    return "-".join((NAME, *(language.code for language in languages)))


def results(score: dict[str, Any], languages: Languages) -> "list[huggingface_hub.EvalResult]":
    """The entries of a model index for one score, one for each metric."""
    corpus, _, split = score["file"].removesuffix(".gz").removesuffix(".tsv").partition(".")
    dataset, split, name = ON_THE_HUB.get(score["file"], (corpus, split or None, score["file"]))
    return [
        huggingface_hub.EvalResult(
            task_type="translation",
            task_name=f"Translation, {languages.source.name} to {languages.target.name}",
            dataset_type=dataset,
            dataset_name=name,
            dataset_split=split,
            metric_type=metric,
            metric_name=f"{label} ({score['decoding']})",
            metric_value=score[key],
        )
        for key, (metric, label) in METRICS.items()
        if key in score
    ]


def licence_sentence(record: dict[str, Any]) -> str:
    """Under which licence the weights are, as far as the record says."""
    if record.get("licence_name"):
        return f"These weights are not: [{LICENCE}]({LICENCE}) says what they are for ({record['licence_name']})."
    if record.get("licence"):
        return f"Whoever trained these weights gives them the licence `{record['licence']}`."
    return "No licence is recorded for these weights."


def data_table(files: list[dict[str, Any]]) -> str:
    """A row for each file; its weight, share of the pairs, source and licence if any are recorded."""
    examples = sum(d.get("weight", 0) * d["pairs"] for d in files)
    columns = {
        "file": [d["file"] for d in files],
        "pairs": [f"{d['pairs']:,}" for d in files],
        "used for": [d["role"] for d in files],
        "times an epoch": [f"{d['weight']:g}" if "weight" in d else "" for d in files],
        "share of the pairs": [f"{d['weight'] * d['pairs'] / examples:.1%}" if "weight" in d else "" for d in files],
        "source": [d.get("source", "") for d in files],
        "licence": [d.get("licence", "") for d in files],
    }
    shown = {name: column for name, column in columns.items() if any(column)}
    return markdown_table([*shown], [*zip(*shown.values(), strict=True)]) if files else ""


def licence_table(files: list[dict[str, Any]]) -> str:
    """The share of the training pairs under each licence, the largest first; empty if no licence is recorded."""
    pairs = Counter[str]()
    for d in files:
        pairs[d.get("licence", "not recorded")] += d.get("weight", 0) * d["pairs"]
    if not any("licence" in d for d in files) or not pairs.total():
        return ""
    return markdown_table(
        ("licence of the data", "share of the pairs"),
        [(licence, f"{number / pairs.total():.1%}") for licence, number in pairs.most_common() if number],
    )


def training_table(runs: list[dict[str, Any]]) -> str:
    """A row for each run with its effort and last validation loss, and one for all if there are several."""
    if not runs:
        return "How it was trained was not recorded."
    rows = [(number, run.get("hardware", "not recorded"), *quantities([run])) for number, run in enumerate(runs, 1)]
    header = ("run", "hardware", "minutes", "steps", "epochs", "target tokens", "validation loss, nats per token")
    return markdown_table(header, [*rows, ("all", "", *quantities(runs))] if len(runs) > 1 else rows)


def quantities(runs: list[dict[str, Any]]) -> tuple[str, ...]:
    """The total effort of some runs, for the table of `training_table`."""
    minutes, loss = total_over_runs(runs, "seconds") / 60, last_dev_loss(runs[-1])
    return (
        f"{minutes:.0f}",
        f"{total_over_runs(runs, 'steps'):,}",
        f"{total_over_runs(runs, 'epochs'):.1f}",
        f"{total_over_runs(runs, 'tokens'):,}",
        "" if loss is None else f"{loss:.3f}",
    )


def notes(runs: list[dict[str, Any]]) -> str:
    """The notes of the runs, a paragraph for each."""
    if len(runs) == 1:
        return runs[0].get("note", "")
    return "\n\n".join(f"Run {number}: {run['note']}" for number, run in enumerate(runs, 1) if run.get("note"))


def commands(runs: list[dict[str, Any]]) -> str:
    """The runs' commands as a block of code, with a heading."""
    heading = "Commands, each of which starts from the checkpoint that the one before it ends with:"
    lines = [f"    {run.get('command', 'not recorded')}" for run in runs]
    return "\n\n".join([heading if len(runs) > 1 else "Command:", *lines])


def scores_table(scores: list[dict[str, Any]]) -> str:
    """A row for each file and decoding, and a column for each metric that occurs."""
    if not scores:
        return "Not evaluated yet: `python -m tools.evaluate --write` adds them here."
    metrics = {key: label for key, (_, label) in METRICS.items() if any(key in score for score in scores)}
    rows = [
        (s["file"], s["pairs"], s["decoding"], *(f"{s[key]:.1f}" if key in s else "" for key in metrics))
        for s in scores
    ]
    return markdown_table(("test file", "pairs", "decoding", *metrics.values()), rows)


def lists_section(results: list[dict[str, Any]]) -> str:
    """How many sentences of each list and kind came out right, by decoding, and what came out wrong greedily."""
    if not results:
        return "Not judged yet: `python -m tools.sentence_lists --write` adds them here."
    decodings = [*dict.fromkeys(result["decoding"] for result in results)]
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for result in results:
        for kind in result["kinds"]:
            row = rows.setdefault((result["file"], kind["kind"]), {})
            row[result["decoding"]] = f"{kind['right']} of {kind['sentences']}"
    cells = [(name, kind, *(row.get(one, "") for one in decodings)) for (name, kind), row in rows.items()]
    wrong = [
        f"- {one['sentence']} → {one['translation']}"
        for r in results
        if r["decoding"] == "greedy"
        for one in r["wrong"]
    ]
    return "\n\n".join(
        [
            "Right by a rule that was written before any translation was seen, and by reading.",
            markdown_table(("list", "kind", *decodings), cells),
            "What came out wrong, greedily:",
            "\n".join(wrong),
        ]
    )
