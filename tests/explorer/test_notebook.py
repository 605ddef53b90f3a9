"""What a trace shows in a notebook, and the notebook of the docs."""

import base64
import gzip
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import jaxtyping
import nbformat
import numpy as np
import pytest
from cases import each_case
from nbclient import NotebookClient

from explorer import AttentionView, compare, record
from explorer.attention_view.component import STYLE, View
from explorer.handout.inline import BASE, theme_variables
from explorer.notebook.view import FOLDER
from explorer.ui.component import read_css
from model.languages import Language, Languages

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "attention.ipynb"
EVIL = 'A </script><img src=x onerror=alert(1)> </iframe> "dog".'


@pytest.fixture
def without_type_checks(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as in a notebook


def embedded(html: str, name: str) -> str:
    data = re.search(f'data-embedded="{name}">([^<]*)<', html)
    assert data
    return gzip.decompress(base64.b64decode(data[1])).decode()


def test_a_view_opens_where_it_is_told_counting_from_zero_or_from_the_end(toy, without_type_checks):
    trace = record(toy, "A dog.")
    assert trace.view().view == View(level="heads", layer=1)
    view = trace.view("decoder", layer=np.int64(0), head=-1, step=-1).view
    assert (view.kind, view.layer, view.head, view.step) == ("decoder", 0, 3, len(trace.steps) - 1)
    assert trace.view(layer="mean", head="max").view.layer == "mean"


@each_case(
    ("wrong", "sentence"),
    [
        ({"kind": "self"}, "kind must be encoder, decoder or cross, not 'self'."),
        ({"layer": 2}, 'A layer or head must be "mean", "max" or a number from 0 to 1, not 2.'),
        ({"head": 1.0}, 'A layer or head must be "mean", "max" or a number from 0 to 3, not 1.0.'),
        ({"head": "min"}, "not 'min'."),
        ({"step": 1000}, "A step must be a number from 0 to "),
    ],
)
def test_a_view_refuses_in_one_sentence_what_the_trace_lacks(toy, without_type_checks, wrong, sentence):
    trace = record(toy, "A dog.")
    for show in (trace.view, lambda **place: compare(trace, trace, **place)):
        with pytest.raises(ValueError, match=r"\.$") as refused:
            show(**wrong)
        assert sentence in str(refused.value)


def test_what_is_typed_can_leave_neither_the_frame_nor_its_page(toy):
    html = record(toy, EVIL)._repr_mimebundle_()["text/html"]
    assert html.count("<") == 2 and EVIL in unescape(html)  # one iframe, and the text for who does not trust it
    page = embedded(unescape(html), "page")
    assert EVIL not in page and "<img" not in page and json.loads(embedded(page, "report"))["trace"]["sentence"] == EVIL


def test_a_view_names_the_languages_of_its_model(toy):
    languages = Languages(Language("fr", "French"), Language("it", "Italian"))
    page = embedded(unescape(replace(record(toy, "A dog."), languages=languages).view().html()), "page")
    data = embedded(page, "report")
    assert 'lang="it"' in page and "Italian" in data and "German" not in data and "English" not in data


def test_an_output_is_smaller_than_a_megabyte_and_names_itself_in_a_line(shipped):
    trace = record(shipped, "The dog is tired because it has run all day.")
    shown, both = trace._repr_mimebundle_(), compare(trace, trace)
    assert len(shown["text/html"]) < 900_000 and len(both.html()) < 1_000_000
    assert shown["text/plain"] == f"{trace.sentence} → {trace.translation}" and isinstance(both, AttentionView)


def test_the_frame_has_the_colours_of_the_page():
    own = (FOLDER / "view.css").read_text(encoding="utf-8")
    css = read_css(*BASE, STYLE)
    for ours, theirs in zip(*(re.split(r"\.dark", text) for text in (own, theme_variables(css))), strict=True):
        values, expected = (dict(re.findall(r"(--[\w-]+): ([^;]+);", text)) for text in (ours, theirs))
        for name, value in expected.items():
            if not name.startswith("--neutral"):
                assert values[name] == expected.get(value[4:-1], value), name


@pytest.mark.thorough
def test_the_notebook_of_the_docs_runs_and_shows_a_trace_and_an_experiment():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # a megabyte each
    addresses = re.findall(r"github(?:\.com)?/([\w-]+/[\w-]+)", NOTEBOOK.read_text(encoding="utf-8"))
    assert len(addresses) == 2 and len({*addresses}) == 1  # the badge and the installation name one repository
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": ROOT}}).execute()
    nbformat.validate(notebook)
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("<iframe" in data.get("text/html", "") for data in shown) == 3
