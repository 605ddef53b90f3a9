"""The languages of a translator, as its checkpoint's record names them, and records that name them wrongly."""

import json

import pytest
from cases import each_case
from tiny_models import RECORD
from tiny_models import folder as folder
from tiny_models import translator as translator

from model.checkpoints import checkpoint
from model.checkpoints.checkpoint import CheckpointError
from model.languages import ENGLISH_TO_GERMAN, Language, languages_of

FRENCH, DUTCH = {"code": "fr", "name": "French"}, {"code": "nl", "name": "Dutch"}


def test_a_record_without_languages_is_of_a_translator_from_english_to_german():
    assert languages_of({}) == ENGLISH_TO_GERMAN


@each_case(
    "named",
    [
        {"code": "pt-BR", "name": "Portuguese (Brazil)"},
        {"code": "zh-Hant-TW", "name": "Chinese"},
        {"code": "nqo", "name": "N'Ko"},
    ],
)
def test_codes_with_regions_and_names_of_several_words_are_languages(named):
    assert languages_of({"languages": {"source": named, "target": DUTCH}}) == (
        Language(**named),
        Language("nl", "Dutch"),
    )


WRONG_PAIRS = [None, "fr-nl", ["fr", "nl"], {}, {"source": FRENCH}, {"source": FRENCH, "target": DUTCH, "third": DUTCH}]
WRONG_LANGUAGES = [
    "fr",
    ["fr", "French"],
    {"code": "fr"},
    {"code": "fr", "name": ""},
    {"code": "fr", "name": 1},
    {"code": "f", "name": "French"},
    {"code": "fr FR", "name": "French"},
    {"code": "fr", "name": "<b>French</b>"},
    {"code": "fr", "name": "{French}"},
    {"code": "fr", "name": "French\nDutch"},
    {"code": "fr", "name": "F" * 61},
    {"code": "fr", "name": "French", "region": "FR"},
]


@pytest.mark.parametrize(
    "named", [*WRONG_PAIRS, *({"source": FRENCH, "target": wrong} for wrong in WRONG_LANGUAGES)], ids=json.dumps
)
def test_a_checkpoint_that_names_them_otherwise_is_refused_in_one_sentence(folder, named):
    (folder / checkpoint.RECORD).write_text(json.dumps({**RECORD, "languages": named}))
    with pytest.raises(
        CheckpointError, match=r"cannot be read \((\"languages\"|a language) must .*, not .*\)"
    ) as refused:
        checkpoint.load(str(folder))
    assert "\n" not in str(refused.value)
