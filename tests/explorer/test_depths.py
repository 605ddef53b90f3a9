"""Stacks of two depths: every number of every kind belongs to a layer that the kind has, and no other is asked for."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from by_node import in_node, needs_node
from tiny_models import tiny_translator
from tiny_models import uneven as uneven

from explorer import (
    head_of,
    lengths,
    npz_of,
    record,
    record_pass,
    rollout,
    run,
)
from explorer.drawer.ranking.panel import head_settings
from explorer.experiments.experiment import Experiment, HeadAt
from explorer.experiments.head_measurements import fingerprint
from explorer.experiments.interventions import head_means
from explorer.experiments.ranking import all_heads, head_drops
from explorer.files.export_trace import describe_model
from explorer.handout.report import page_words
from explorer.page.api import Api
from explorer.recording.app_context import AppContext
from explorer.recording.lens import predictions_of
from explorer.recording.payload import trace_json
from explorer.recording.recordings import Recordings
from explorer.recording.rollout import decoder_shares, weights_by_kind
from model.checkpoints.checkpoint import HEADS, SHIPPED
from model.errors import UserError
from model.probe import KINDS, Site
from tools.findings import ablate_layers
from tools.story import identity

SENTENCE, OTHER = "The cat sleeps.", "The dog reads a book."
IN_BROWSER = """
    import { createTrace } from "./explorer/derived/trace.js";
    import { fitView } from "./explorer/attention_view/state.js";
    const trace = createTrace(JSON.parse(readFileSync(0))), found = {};
    for (const [kind, map] of Object.entries(trace.kinds)) {
      const asked = { kind, layer: 2, head: 0, measure: "weight", pin: null, cell: null, step: null };
      const { layer } = fitView(asked, trace);
      const rows = map.matrix("rollout", "mean").map((row) => Array.from(row));
      found[kind] = { layers: map.layers, layer, rollout: rows };
    }
    console.log(JSON.stringify(found));
"""


@pytest.fixture
def layers(uneven) -> dict[str, int]:
    config = uneven.model.config
    return {"encoder": config.n_layers, "decoder": config.n_decoder_layers, "cross": config.n_decoder_layers}


def test_what_is_recorded_has_the_layers_of_its_kind(uneven, layers):
    forward_pass = record_pass(uneven, record(uneven, SENTENCE, max_steps=5))
    trace, memory = forward_pass.trace, forward_pass.tensors[Site("decoder", tensor="memory")][0]
    for kind in KINDS:
        assert len(trace.map(kind).weights) == len(lengths(forward_pass, kind)) == layers[kind]
        for layer in range(layers[kind]):
            head = head_of(forward_pass, kind, layer, 1)
            np.testing.assert_allclose(head.w_q(head.queries_from), head.q, atol=1e-5)
            np.testing.assert_allclose(head.w_k(head.keys_from), head.k, atol=1e-5)
            assert kind != "cross" or (head.keys_from == memory).all()
        with pytest.raises(UserError, match="layer"):
            head_of(forward_pass, kind, layers[kind], 0)
    arrived = decoder_shares(weights_by_kind(trace))[:, len(trace.target) :].sum(axis=1)
    np.testing.assert_allclose(arrived, 1 - 2.0 ** -layers["decoder"], atol=1e-6)
    assert arrived[0] == pytest.approx({1: 0.5, 3: 0.875}[layers["decoder"]])
    assert len(predictions_of(forward_pass).lens(0)) == 1 + layers["decoder"]


@needs_node
def test_the_browser_has_the_layers_of_each_kind_and_shows_the_last_where_a_link_asks_for_one_too_many(uneven, layers):
    trace = record(uneven, SENTENCE, max_steps=5)
    found = in_node(IN_BROWSER, trace_json(trace))
    for kind in KINDS:
        depths = found[kind]
        assert (depths["layers"], depths["layer"]) == (layers[kind], layers[kind] - 1)
        np.testing.assert_allclose(depths["rollout"], rollout(trace, kind), atol=1e-3)


def test_all_heads_are_ranked_and_none_that_a_kind_lacks_is_taken(uneven, layers):
    trace = record(uneven, SENTENCE, max_steps=5)
    ids = [piece.id for piece in trace.source], [step.predicted.id for step in trace.steps]
    heads = all_heads(uneven.model.config)
    assert [sum(head.kind == kind for head in heads) for kind in KINDS] == [4 * layers[kind] for kind in KINDS]
    means = head_means(uneven, [(ids[0], [piece.id for piece in trace.target])])
    assert {kind: len(mean) for kind, mean in means.items()} == layers
    assert head_drops(uneven, *ids, by="mean", means=means).shape == (len(heads), len(trace.steps))
    for kind in KINDS:
        with pytest.raises(UserError, match=f"{layers['encoder']} layers in the encoder, {layers['decoder']} in the"):
            run(uneven, SENTENCE, Experiment(off=(HeadAt(kind, layers[kind], 0),)))
    assert head_settings(AppContext(Recordings(uneven), None))["layers"] == layers
    off = ablate_layers(uneven, [trace], seed=0)
    assert list(off) == [f"{kind} {layer}" for kind in KINDS for layer in range(layers[kind])]


def test_files_programs_and_descriptions_have_every_layer_of_each_kind(uneven, layers):
    api, trace = Api(AppContext(Recordings(uneven), None)), record(uneven, SENTENCE)
    arrays = np.load(io.BytesIO(npz_of(trace)))
    for kind in KINDS:
        assert len(arrays[kind]) == layers[kind]
        assert api.attention(SENTENCE, kind, layers[kind] - 1)["weights"] == trace.map(kind).weights[-1, 0].tolist()
        with pytest.raises(UserError, match="layer"):
            api.attention(SENTENCE, kind, layers[kind])
    described = [describe_model(uneven)[name] for name in ("layers", "decoder_layers")]
    assert described == [*identity(uneven)[1:3]] == [layers["encoder"], layers["decoder"]]
    assert f"{layers['encoder']} + {layers['decoder']} layers" in page_words(uneven)["made"]


def test_what_was_measured_before_the_options_came_belongs_to_its_model_still(shipped, tokenizer):
    """The shipped heads.json was measured then; two models that differ in such an option are two models."""
    assert json.loads((Path(SHIPPED) / HEADS).read_text(encoding="utf-8"))["model"] == fingerprint(shipped)
    one, other = (tiny_translator(tokenizer, start=start) for start in ("bos", "pad"))
    assert fingerprint(one) != fingerprint(other)
