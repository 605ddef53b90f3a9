"""The model card: what the record says, as Markdown that the Hub can read."""

import pytest
from huggingface_hub import ModelCard

from model.card import model_card, table

SCORE = {"file": "test.tsv", "pairs": 1000, "decoding": "beam 5", "bleu": 31.26, "chrf": 58.0, "signature": "BLEU a|b"}
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


def test_the_hub_can_read_the_metadata():
    card = ModelCard(model_card(RECORD))
    assert card.data.to_dict() == {
        "language": ["en", "de"],
        "license": "mit",
        "pipeline_tag": "translation",
        "tags": ["transformer"],
    }
    assert card.text.lstrip().startswith("# English to German")


@pytest.mark.parametrize(
    "line",
    [
        "| parameters | 9400000 |",
        "| n_layers | 4 |",
        "| a.tsv | 29,000 | training |",
        "| dev.tsv | 1,014 | validation |",
        "Captions by people, CC BY.",
        "    python -m model.train --pairs a.tsv --minutes 100.0",
        "| hardware | cpu (x86_64, 2 threads), float32 |",
        "| time | 100 minutes |",
        "| steps | 12,345 |",
        "| epochs | 7.2 |",
        "| target pieces seen | 6,000,000 |",
        "| validation loss | 1.234 nats per piece |",
    ],
)
def test_the_card_says_what_the_record_says(line):
    assert line in model_card(RECORD).splitlines()


def test_scores_stand_in_the_card_with_each_signature_once():
    card = model_card({**RECORD, "scores": [SCORE, {**SCORE, "decoding": "greedy", "bleu": 30.0}]})
    assert "| test.tsv | 1000 | beam 5 | 31.3 | 58.0 |" in card
    assert "| test.tsv | 1000 | greedy | 30.0 | 58.0 |" in card
    assert card.count("BLEU a|b") == 1 and "Not evaluated" not in card


def test_a_card_without_scores_says_how_to_get_them():
    assert "Not evaluated yet: `python -m model.evaluate --write`" in model_card(RECORD)
    assert "sacreBLEU signatures: none yet" in model_card(RECORD)


def test_an_empty_record_gives_a_card_that_admits_it():
    card = model_card({})
    assert card.count("not recorded") == 2 and "validation loss" not in card
    assert ModelCard(card).data.license == "mit"


def test_a_command_with_braces_is_printed_as_it_is():
    assert "    echo {x}" in model_card({"command": "echo {x}"})


def test_a_table_has_a_header_a_rule_and_a_line_for_every_row():
    assert table(("a", "b"), [(1, "x"), (2.5, "")]) == "| a | b |\n| --- | --- |\n| 1 | x |\n| 2.5 |  |"
