"""What the page tells of a training from its record: all of it, in words, and what is missing."""

import json
from dataclasses import replace

import plotly.graph_objects as go
from samples import SCORE
from tiny_models import tiny_translator
from training_story import FIRST, RECORD

from explorer.tabs.model_training.curves import training_curves
from explorer.tabs.model_training.record import (
    code_block,
    data_text,
    escape_markdown,
    format_value,
    model_text,
    quote_english,
    runs_text,
)
from explorer.tabs.model_training.tab import curves_component, why_no_curves, words
from model.checkpoints.card import model_card
from model.checkpoints.record import joined_log, runs_of
from model.checkpoints.weights import parameter_count

FULL = {
    **RECORD,
    "hardware": "cpu (x86_64), float32",
    "seconds": 4980.9,
    "epochs": 3.11,
    "tokens": 8_287_476,
    "note": "It was stopped once.",
    "data": [{"file": "a_b.tsv", "pairs": 29_000, "role": "training"}],
    "data_note": "Captions by people, CC BY.",
    "scores": [SCORE, {**SCORE, "decoding": "greedy", "bleu": 30.0}],
}


def test_every_run_has_a_column_and_its_command_oldest_first():
    text = runs_text(runs_of(FULL))
    assert text.startswith("### The training runs, each continuing the one before\n")
    assert "| Of each run | Run 1 | Run 2 |" in text
    assert "| Steps | 50 | 30 |" in text
    assert "| Final validation loss\\, nats per token | not recorded | 1\\.250 |" in text
    assert text.index(FIRST["command"]) < text.index(RECORD["command"])
    assert "<summary>Command of run 2</summary>" in text and "It was stopped once\\." in text


def test_data_licences_and_scores_are_told_with_each_signature_once():
    text = data_text(FULL)
    assert f"| {quote_english('a_b.tsv')} | 29\\,000 | {quote_english('training')} |" in text
    assert "Captions by people\\, CC BY\\." in text
    assert f"| 1\\,000 | {quote_english('beam 5')} | 31\\.3 | 58\\.0 |" in text
    assert text.count("BLEU a") == 1 and "lower" not in text


def test_the_licences_of_weights_and_data_are_told_where_they_are_recorded():
    assert words.LICENCE["none"] in data_text(FULL) and "| Licence |" not in data_text(FULL)
    text = data_text({"licence": "other", "licence_name": "for-all", "data": [{**FULL["data"][0], "licence": "CC0"}]})
    assert f"Licence of these weights: {quote_english('for-all')};" in text
    assert "| File | Sentence pairs | Used for | Licence |" in text and words.MISSING["licences"] not in text
    assert quote_english("apache-2.0") in data_text({"origin": {"licence": "apache-2.0"}})


def test_where_no_run_is_recorded_the_model_is_told_and_where_it_came_from(tokenizer):
    translator = tiny_translator(tokenizer, n_layers=3, n_decoder_layers=1)
    text = model_text(translator).replace("\\", "")
    assert "| Layers, encoder + decoder | 3 + 1 |" in text and "Converted from" not in text
    assert f"| Parameters | {parameter_count(translator.model.config):,} |" in text
    origin = {"repository": "Helsinki-NLP/opus-mt-en-fr", "revision": "", "licence": "apache-2.0"}
    converted = replace(translator, record={"origin": origin})
    assert f"| Its licence | {quote_english('apache-2.0')} |" in model_text(converted)
    assert "Its commit" not in model_text(converted)  # a folder has none
    assert why_no_curves(converted.record) == words.NO_RUN["converted"]
    assert why_no_curves({}) == words.NO_RUN["unknown"]
    assert why_no_curves({"steps": 3}) == words.MISSING["log"]
    assert model_card({})


def test_markup_in_a_record_is_only_text():
    assert escape_markdown("a|b\n<b>*c*</b>") == "a\\|b \\<b\\>\\*c\\*\\<\\/b\\>"
    assert format_value({"role": "`1`"}, "role") == '<span lang="en">\\`1\\`</span>'
    assert code_block("echo ```") == "``````\necho ```\n``````"


def curve(name, **changes):
    log = joined_log(runs_of(RECORD))
    figure = training_curves(log, words.PANELS, [50], **changes)
    return next(trace for trace in figure["data"] if trace["name"] == name)


def test_plotly_takes_every_property_of_the_curves():
    figure = training_curves(joined_log(runs_of(RECORD)), words.PANELS, [50])
    assert json.loads(json.dumps(go.Figure(figure).to_plotly_json())) == figure


def test_curves_run_over_all_steps_and_are_interrupted_where_a_run_begins():
    assert list(zip(curve("loss")["x"], curve("loss")["y"], strict=True)) == [
        (10, 3.5), (20, 3.0), (40, 2.0), (50, None), (60, 1.5),
    ]  # fmt: skip
    assert curve("lr")["y"] == [0.001, 0.001, 0.001, None, 0.0005]
    assert curve("dev_loss")["x"] == [50, 80]


def test_the_curves_have_the_steps_of_all_runs_and_a_hint_where_there_are_several():
    settings = curves_component(runs_of(RECORD)).settings
    assert settings["steps"] == [10, 20, 40, 60, 80]
    assert settings["hint"].endswith(words.CURVES_OF_RUNS)
    assert words.CURVES_OF_RUNS not in curves_component([FIRST]).settings["hint"]
