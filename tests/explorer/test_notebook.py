"""What a trace shows in a notebook: its view, figures that draw what was given, and the notebook of the docs."""

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
import plotly.graph_objects as go
import pytest
from cases import each_case
from nbclient import NotebookClient
from plotly.offline import get_plotlyjs_version

from explorer import AttentionView, compare, head_of, lengths, parts, record, record_pass, rollout
from explorer.attention_view.component import STYLES, View
from explorer.handout.inline import BASE, theme_variables
from explorer.notebook.heatmap import attention_heatmap
from explorer.notebook.view import FOLDER, words
from explorer.ui.component import PLOTLY_JS, read_css
from explorer.ui.palette import CLEAR, LIGHT
from model.errors import UserError
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
        with pytest.raises(UserError, match=r"\.$") as refused:
            show(**wrong)
        assert sentence in str(refused.value)


def test_what_is_computed_of_a_kind_refuses_a_kind_that_there_is_not(toy, without_type_checks):
    trace = record(toy, "A dog.")
    forward_pass = record_pass(toy, trace)
    for compute in (
        lambda kind: rollout(trace, kind),
        lambda kind: lengths(forward_pass, kind),
        lambda kind: parts(forward_pass, kind, 0),
        lambda kind: head_of(forward_pass, kind, 0, 0),
    ):
        with pytest.raises(UserError, match=r"^kind must be encoder, decoder or cross, not 'self'\.$"):
            compute("self")
    with pytest.raises(UserError, match="layer must be from 0 to 1, not 2"):
        parts(forward_pass, "cross", 2)


def test_what_is_typed_can_leave_neither_the_frame_nor_its_page(toy):
    html = record(toy, EVIL)._repr_mimebundle_()["text/html"]
    assert html.count("<") == 2 and EVIL in unescape(html)  # one iframe, and the text for who does not trust it
    assert words.UNTRUSTED in re.findall("<noscript>(.*?)</noscript>", unescape(html))[0]
    page = embedded(unescape(html), "page")
    assert EVIL not in page and "<img" not in page and json.loads(embedded(page, "file"))["raw"]["sentence"] == EVIL


def test_a_view_names_the_languages_of_its_model(toy):
    languages = Languages(Language("fr", "French"), Language("it", "Italian"))
    page = embedded(unescape(replace(record(toy, "A dog."), languages=languages).view().html()), "page")
    settings = json.loads(embedded(page, "settings"))
    del settings["about"]["warnings"]["languageNames"]  # of all languages, of which a warning names one
    data = json.dumps(settings) + embedded(page, "file")
    assert 'lang="it"' in page and "Italian" in data and "German" not in data and "English" not in data


def test_an_output_has_about_a_megabyte_and_names_itself_in_a_line(shipped):
    trace = record(shipped, "The dog is tired because it has played all day.")
    shown, both = trace._repr_mimebundle_(), compare(trace, trace)
    assert len(shown["text/html"]) < 1_120_000 and len(both.html()) < 1_200_000  # 200 kB are words, for the remarks
    assert shown["text/plain"] == f"{trace.sentence} → {trace.translation}" and isinstance(both, AttentionView)


def test_the_frame_has_the_colours_of_the_page():
    view = (FOLDER / "view.css").read_text(encoding="utf-8")
    css = read_css(*BASE, *STYLES)
    for ours, theirs in zip(*(re.split(r"\.dark", text) for text in (view, theme_variables(css))), strict=True):
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


def weights(rows: int, columns: int) -> np.ndarray:
    random = np.random.default_rng(0).random((rows, columns)).astype(np.float32)
    return random / random.sum(axis=1, keepdims=True)


def drawn(rows: int, columns: int, kind: str, **options) -> go.Figure:
    """Random weights under numbered labels."""
    queries, keys = [f"q{i}" for i in range(rows)], [f"k{i}" for i in range(columns)]
    return attention_heatmap(weights(rows, columns), queries, keys, kind, **options)


def test_queries_go_down_and_keys_along_or_turned_the_other_way_round():
    upright, turned = drawn(2, 3, "cross"), drawn(2, 3, "cross", transposed=True)
    np.testing.assert_array_equal(upright.data[0].z, weights(2, 3))
    np.testing.assert_array_equal(turned.data[0].z, weights(2, 3).T)
    assert upright.data[0].text[1][2] == turned.data[0].text[2][1] == f"q1 attends to k2: {weights(2, 3)[1, 2]:.3f}"
    for down, along in ((upright.layout.yaxis, upright.layout.xaxis), (turned.layout.xaxis, turned.layout.yaxis)):
        assert (down.ticktext, along.ticktext) == (("q0", "q1"), ("k0", "k1", "k2"))
    assert (upright.layout.xaxis.range, upright.layout.yaxis.range) == ((-0.5, 2.5), (1.5, -0.5))
    assert (turned.layout.xaxis.range, turned.layout.yaxis.range) == ((-0.5, 1.5), (2.5, -0.5))


def test_the_decoders_future_is_empty_and_not_zero():
    figure = drawn(3, 3, "decoder")
    assert np.isnan(np.asarray(figure.data[0].z)[np.triu_indices(3, 1)]).all()
    assert not np.isnan(np.asarray(figure.data[0].z)[np.tril_indices(3)]).any()
    assert figure.data[0].text[0].tolist() == [f"q0 attends to k0: {weights(3, 3)[0, 0]:.3f}", "", ""]


def test_the_decoders_future_is_hatched():
    hatching = drawn(3, 3, "decoder").data[1]
    assert hatching.x == (0.5, 2.5, 2.5, 0.5, None, 1.5, 2.5, 2.5, 1.5, None)
    assert hatching.y == (-0.5, -0.5, 0.5, 0.5, None, 0.5, 0.5, 1.5, 1.5, None)
    assert (hatching.fill, hatching.fillpattern.shape, hatching.fillpattern.fgcolor) == ("toself", "/", LIGHT["masked"])
    assert drawn(3, 3, "cross").data[1].x == drawn(3, 3, "encoder").data[1].x == ()
    turned = drawn(3, 3, "decoder", transposed=True).data[1]
    assert (turned.x, turned.y) == (hatching.y, hatching.x)


def test_a_map_of_the_decoder_ends_at_the_step():
    cross, decoder = drawn(4, 3, "cross", step=1), drawn(4, 4, "decoder", step=1)
    for figure in (cross, decoder):
        assert np.isnan(figure.data[0].z[2:]).all()
        assert not figure.data[0].text[2:].any()
        assert [CLEAR in label for label in figure.layout.yaxis.ticktext] == [False, False, True, True]
    np.testing.assert_array_equal(cross.data[0].z[:2], weights(4, 3)[:2])
    assert decoder.data[1].x == (0.5, 1.5, 1.5, 0.5, None)


def test_the_steps_row_is_marked_and_without_a_step_none_is():
    mark = drawn(4, 3, "cross", step=1).layout.shapes[0]
    assert (mark.x0, mark.x1, mark.y0, mark.y1) == (-0.5, 2.5, 0.5, 1.5)
    turned = drawn(4, 3, "cross", step=1, transposed=True).layout.shapes[0]
    assert (turned.x0, turned.x1, turned.y0, turned.y1) == (0.5, 1.5, -0.5, 2.5)
    assert drawn(4, 3, "cross").layout.shapes == ()


def test_a_visitors_text_is_only_text():
    figure = attention_heatmap(np.ones((1, 2)) / 2, ["<b> & 'x'"], ["<s>", "&lt;"], "cross", special=([], [0]))
    assert figure.layout.yaxis.ticktext == ("&lt;b&gt; &amp; 'x'",)
    assert figure.layout.xaxis.ticktext == ("<i>&lt;s&gt;</i>", "&amp;lt;")
    assert figure.data[0].text[0][0] == "&lt;b&gt; &amp; 'x' attends to &lt;s&gt;: 0.500"


def test_every_row_and_column_has_a_label_with_room_for_it():
    long, short = drawn(128, 2, "cross"), drawn(2, 128, "cross")
    for axis in (long.layout.yaxis, short.layout.xaxis):
        assert axis.tickvals == tuple(range(128)) and axis.ticktext[127][1:] == "127"
    font = long.layout.yaxis.tickfont.size
    assert (long.layout.height - 150) / 128 > font and (short.layout.width - 320) / 128 > font
    assert long.layout.width is None and short.layout.height is None  # Plotly's own have room


def test_plotly_in_the_browser_is_of_the_major_version_that_makes_the_figures():
    head = PLOTLY_JS.read_text(encoding="utf-8")[:200]
    major = get_plotlyjs_version().partition(".")[0]
    assert f" v{major}." in head  # else fetch plotly.js-cartesian-dist-min of that version
