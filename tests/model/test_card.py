"""The record of a training and the model card made of it, as Markdown that the Hub can read."""

import json
from pathlib import Path

from huggingface_hub import ModelCard
from samples import SCORE

from model.checkpoints import checkpoint
from model.checkpoints.card import model_card
from model.checkpoints.record import joined_log, runs_of, start_steps

RECORD = {
    "command": "python -m model.train --pairs a.tsv --minutes 100.0",
    "model": {"parameters": 9_400_000, "n_layers": 4},
    "data": [
        {"file": "a.tsv", "pairs": 29_000, "role": "training"},
        {"file": "dev.tsv", "pairs": 1014, "role": "validation"},
    ],
    "data_note": "Captions by people, CC BY.",
    "hardware": "cpu (x86_64, 2 threads), float32",
    "steps": 12_345,
    "epochs": 7.25,
    "tokens": 6_000_000,
    "seconds": 6000.0,
    "log": [{"step": 1, "dev_loss": 5.0}, {"step": 2, "loss": 4.0}, {"step": 3, "dev_loss": 1.2345, "averaged": 10}],
    "scores": [],
}


FLICKR = "Multi30k, Flickr test set of 2016"
MULTI30K, TATOEBA = "multi30k-en-de.test2016.tsv.gz", "tatoeba-en-de.test.tsv.gz"


def scored(*scores: dict) -> dict:
    """The record with these changes to SCORE as its scores."""
    return {**RECORD, "scores": [{**SCORE, **changes} for changes in scores]}


def test_the_hub_reads_every_score_with_its_data_set_and_decoding():
    record = scored({"file": MULTI30K}, {"file": MULTI30K, "decoding": "greedy", "bleu": 30.0}, {"file": TATOEBA})
    data = ModelCard(model_card(record, "me/tiny")).data
    assert data.model_name == "tiny" and data.metrics == ["bleu", "chrf"]
    assert [
        (r.dataset_type, r.dataset_split, r.dataset_name, r.metric_name, r.metric_value) for r in data.eval_results
    ] == [
        ("bentrevett/multi30k", "test", FLICKR, "BLEU (beam 5)", 31.26),
        ("bentrevett/multi30k", "test", FLICKR, "chrF (beam 5)", 58.0),
        ("bentrevett/multi30k", "test", FLICKR, "BLEU (greedy)", 30.0),
        ("bentrevett/multi30k", "test", FLICKR, "chrF (greedy)", 58.0),
        ("tatoeba-en-de", "test", TATOEBA, "BLEU (beam 5)", 31.26),
        ("tatoeba-en-de", "test", TATOEBA, "chrF (beam 5)", 58.0),
    ]


def test_only_training_data_that_are_on_the_hub_are_named_there():
    def named(*files: str, role: str = "training") -> list[str] | None:
        data = [{"file": file, "pairs": 1, "role": role} for file in files]
        return ModelCard(model_card({**RECORD, "data": data})).data.datasets

    multi30k = "multi30k-en-de.train.tsv.gz"
    assert named("tatoeba-en-de.train.tsv.gz", multi30k, multi30k) == ["bentrevett/multi30k"]
    assert named("tatoeba-en-de.train.tsv.gz", "mine.tsv") is None
    assert named(multi30k, role="validation") is None


def test_the_licence_is_the_one_that_the_record_gives_and_each_file_has_its_own():
    training, validation = RECORD["data"]
    free, mit = ({**training, "weight": weight, "licence": name} for weight, name in ((2, "CC0"), (1, "MIT")))
    card = model_card({**RECORD, "licence": "cc-by-4.0", "data": [mit, free, validation]})
    assert ModelCard(card).data.license == "cc-by-4.0" and "the licence `cc-by-4.0`" in card
    assert "| a.tsv | 29,000 | training | 2 | 66.7% | CC0 |" in card
    assert "| dev.tsv | 1,014 | validation |  |  |  |" in card
    assert "| CC0 | 66.7% |\n| MIT | 33.3% |" in card
    assert "licence of the data" not in model_card(RECORD)


def test_the_shipped_weights_are_not_under_the_mit_licence_and_every_file_has_its_own():
    folder = Path(checkpoint.SHIPPED)
    data = ModelCard.load(folder / checkpoint.CARD).data
    assert (data.license, data.license_name, data.license_link) == ("other", "teaching-and-research", "LICENSE.md")
    assert (folder / data.license_link).is_file()
    assert data.model_name == "attention-explorer-en-de" and data.eval_results
    files = json.loads((folder / checkpoint.RECORD).read_text(encoding="utf-8"))["data"]
    assert all(file["source"] and file["licence"] for file in files)


def test_lower_case_bleu_is_shown_and_indexed_where_it_is_known():
    card = model_card(scored({"bleu_lowercase": 33.3}, {"decoding": "greedy"}))
    assert "| test file | pairs | decoding | BLEU | BLEU, lower case | chrF |" in card
    assert "| test.tsv | 1000 | beam 5 | 31.3 | 33.3 | 58.0 |" in card
    assert "| test.tsv | 1000 | greedy | 31.3 |  | 58.0 |" in card
    results = ModelCard(card).data.eval_results
    assert [r.metric_value for r in results if r.metric_name.startswith("BLEU, lower case")] == [33.3]
    assert "lower case" not in model_card(scored({}))


def test_a_local_card_and_a_published_one_differ_only_in_how_to_use_it():
    local, published = (model_card(scored({}), repo_id).splitlines() for repo_id in (None, "me/tiny"))
    commands = ["-m model.translate --model NAME", "app.py --model NAME", 'checkpoint.load("NAME")']
    for lines, name in ((local, "path/to/this/folder"), (published, "me/tiny")):
        assert all(any(command.replace("NAME", name) in line for line in lines) for command in commands)
    apart = [line for line in published if line not in local]
    assert len(apart) == len(commands) + 3  # the model's name in the index, and two lines on revisions
    assert any("me/tiny@REVISION" in line for line in apart)
    linked = model_card(scored({}), "me/tiny", "https://example.org/code")
    assert "Attention Explorer (https://example.org/code). In a clone" in linked


def test_the_shipped_card_is_the_one_that_its_record_gives():
    folder = Path(checkpoint.SHIPPED)
    record = json.loads((folder / checkpoint.RECORD).read_text(encoding="utf-8"))
    assert (folder / checkpoint.CARD).read_text(encoding="utf-8") == model_card(record)


def test_a_card_tells_of_every_run_that_led_to_the_checkpoint():
    first = {"command": "echo {x}", "hardware": "gpu", "steps": 100, "seconds": 60, "note": "Cut short."}
    card = model_card({**RECORD, "before": [first], "note": "Resumed."})
    assert [line for line in card.splitlines() if line.startswith(("| 1 ", "| 2 ", "| all "))] == [
        "| 1 | gpu | 1 | 100 | 0.0 | 0 |  |",
        "| 2 | cpu (x86_64, 2 threads), float32 | 100 | 12,345 | 7.2 | 6,000,000 | 1.234 |",
        "| all |  | 101 | 12,445 | 7.2 | 6,000,000 | 1.234 |",
    ]
    assert "Run 1: Cut short.\n\nRun 2: Resumed.\n" in card
    assert f"    echo {{x}}\n\n    {RECORD['command']}\n" in card
    assert "times an epoch" not in card  # a record from before there were weights


def test_an_empty_record_gives_a_card_that_admits_it():
    card = model_card({})
    assert "How it was trained was not recorded." in card and "validation loss" not in card
    assert "Not evaluated yet: `python -m tools.evaluate --write`" in model_card(RECORD)
    assert ModelCard(card).data.license is None and "No licence is recorded for these weights." in card


FIRST = {"command": "first", "steps": 100, "log": [{"step": 50, "loss": 4.0}, {"step": 100, "dev_loss": 3.0}]}
SECOND = {"command": "second", "steps": 20, "log": [{"step": 20, "loss": 2.0}]}
THIRD = {"command": "third", "steps": 5, "log": [{"step": 5, "loss": 1.0}]}
THREE = {**THIRD, "scores": [], "before": [FIRST, SECOND]}


def test_runs_come_oldest_first_and_their_logs_are_joined_over_all_steps():
    assert runs_of(THREE) == [FIRST, SECOND, THIRD] and runs_of({"log": []}) == []
    assert start_steps(runs_of(THREE)) == [0, 100, 120]
    assert [(line["step"], line.get("loss")) for line in joined_log(runs_of(THREE))] == [
        (50, 4.0), (100, None), (120, 2.0), (125, 1.0),
    ]  # fmt: skip
