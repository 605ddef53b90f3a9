"""Reports and worksheets that the browser makes against those of Python: the same HTML, with the same data in it."""

import base64
import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

from same_answers import PageUnderTest, assert_same, parsed
from same_answers import pages as pages
from same_answers import tiny_pages as tiny_pages
from tiny_models import ARABIC
from tiny_models import arabic_to_japanese as arabic_to_japanese
from visiting import needs_browser

from explorer.answers.data import handout_templates
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.site.site import compressed_json
from explorer.ui.component import PLOTLY_JS
from explorer.ui.language import use_language
from explorer.ui.questions import is_error
from model.decoding import Translator

pytestmark = needs_browser

SENTENCE, EVIL = (
    "The dog's 3.5 € toy & <b>his</b> well-known book.",
    '</script><img src=x onerror="alert(1)"> <!--notes-->',
)
LONG = "The little girl in the red dress is playing with a big dog in the park, and her mother is reading a book."
FULL = LONG.replace(" red", "").replace(" big", "")  # as many words as there is room for
EVERY_CHANGE = {
    "source": "Two dogs are playing in the snow.",
    "word_order": 3,
    "hidden": [0, 2],
    "beginning": [115, 27],
    "off": [["cross", 3, 4], ["encoder", 0, 1]],
    "off_by": "mean",
    "encoder_positions": "shuffled",
    "decoder_positions": "shifted",
    "patch": {"sentence": "A cat.", "heads": [["encoder", 1, 2]], "cells": [["decoder", -1, 0]]},
}
EMBEDDED = re.compile(r'<script type="text/plain" data-embedded="([\w-]+)">([^<]*)</script>')
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
REPORTS = [
    [SENTENCE, None, "Look & see", {"kind": "cross", "layer": 2, "step": 3, "unknown": 1, "level": "picture"}],
    [SENTENCE, EVERY_CHANGE, EVIL, {}],
    [LONG, {"shift": 5}, "", {}],
    [EVIL, {}, EVIL, {}],
]
REFUSED = [["save.report", [" ", None, "", {}]], ["save.report", [SENTENCE, None, "a" * 20_001, {}]]]
REFUSED += [["save.report", [SENTENCE, None, 5, {}]]]
REFUSED += [["save.worksheet", [LONG]], ["save.worksheet", ["日本語"]]]


def write_files(page: PageUnderTest, translator: Translator, folder: Path) -> None:
    """What only reports need, as the folder of plain files has it."""
    folder.mkdir(exist_ok=True)
    with use_language(page.context):
        templates = handout_templates(AppContext(Recordings(translator), None))
    (folder / "handout.bin").write_bytes(compressed_json(templates))
    (folder / "plotly.bin").write_bytes(gzip.compress(PLOTLY_JS.read_bytes()))


def both_texts(in_browser, page: PageUnderTest, questions: list[Any]) -> list[tuple[str, str]]:
    found = in_browser("answer", page.name, questions)
    with use_language(page.context):
        theirs = [page.questions.answer(*question) for question in questions]
    assert not [each[:500] for each in (*found, *theirs) if is_error(each)]
    return [(parsed(one)["text"], parsed(other)["text"]) for one, other in zip(found, theirs, strict=True)]


def data_in(html: str) -> dict[str, Any]:
    data = {name: gzip.decompress(base64.b64decode(text)).decode() for name, text in EMBEDDED.findall(html)}
    return {name: text if name == "plotly" else json.loads(text) for name, text in data.items()}


def assert_same_html(mine: str, theirs: str) -> None:
    """Numbers of pictures differ at most in their last digit, where one rounds a half up and the other to even."""
    assert NUMBER.sub("~", mine) == NUMBER.sub("~", theirs)
    for one, other in zip(NUMBER.findall(mine), NUMBER.findall(theirs), strict=True):
        assert one == other or ("." in other and math.isclose(float(one), float(other), abs_tol=0.0101)), (one, other)


def test_reports_are_the_same(in_browser, pages, checkpoints, shipped):
    page = pages["zh"]
    write_files(page, shipped, checkpoints / page.name)
    for mine, theirs in both_texts(in_browser, page, [["save.report", question] for question in REPORTS]):
        assert_same_html(EMBEDDED.sub("", mine), EMBEDDED.sub("", theirs))
        assert [name for name, _ in EMBEDDED.findall(mine)] == [name for name, _ in EMBEDDED.findall(theirs)]
        assert_same(data_in(mine), data_in(theirs), "report")


def test_worksheets_are_the_same(in_browser, pages, checkpoints, shipped):
    page = pages["de"]
    write_files(page, shipped, checkpoints / page.name)
    sentences = [SENTENCE, FULL]
    for mine, theirs in both_texts(in_browser, page, [["save.worksheet", [sentence]] for sentence in sentences]):
        assert_same_html(mine, theirs)


def test_worksheets_of_other_scripts_are_the_same(in_browser, tiny_pages, checkpoints, arabic_to_japanese):
    page = tiny_pages["arabic"]
    write_files(page, arabic_to_japanese, checkpoints / page.name)
    for mine, theirs in both_texts(in_browser, page, [["save.print", [sentence]] for sentence in ARABIC[:2]]):
        assert_same_html(mine, theirs)


def test_what_is_refused_has_the_same_reason(in_browser, pages):
    page = pages["de"]
    for mine, question in zip(in_browser("answer", page.name, REFUSED), REFUSED, strict=True):
        with use_language(page.context):
            assert parsed(mine) == parsed(page.questions.answer(*question)) and "error" in parsed(mine)
