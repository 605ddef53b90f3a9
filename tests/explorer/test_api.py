"""The public endpoints, called as a program would, against the functions that a notebook calls."""

import asyncio
import base64
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr
import gradio_client
import numpy as np
import pytest
from cases import each_case
from gradio_client import Client
from gradio_client.exceptions import AppError
from serving import served

from explorer import (
    Experiment,
    HeadAt,
    all_heads,
    csv_of,
    find_divergence,
    json_of,
    lengths,
    npz_of,
    omission,
    rank_heads,
    record,
    record_pass,
    rescored,
    rollout,
    run,
    runs,
)
from explorer.experiments.searching import beam_json, samples_json
from explorer.files.export_trace import describe_model
from explorer.files.matrix import csv_text, matrix_of
from explorer.page.api import PROGRAMS_VISITOR, ExperimentsApi
from explorer.page.ui import create_ui, publish_api
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from model.checkpoints import checkpoint
from model.decoding import Translator
from model.errors import UserError
from model.sampling import Sampling

SENTENCE, OTHER = "A dog is running.", "A cat is running."


@pytest.fixture(scope="module")
def client(shipped):
    """Of the page with what the checkpoint's folder holds, the numbers of its heads among it."""
    for page in served(shipped, Path(checkpoint.SHIPPED)):
        client = Client(page, verbose=False)
        yield client
        client.close()


@pytest.fixture(scope="module")
def trace(shipped):
    return record(shipped, SENTENCE)


def test_an_experiment_gives_the_original_the_changed_and_the_rescored_german(client, shipped, trace):
    answer = client.predict(SENTENCE, {"off": [["encoder", 0, 1], ["cross", 3, 5]]}, api_name="/experiment")
    experiment = Experiment(off=(HeadAt("encoder", 0, 1), HeadAt("cross", 3, 5)))
    expected = {
        "original": trace,
        "changed": run(shipped, SENTENCE, experiment),
        "rescored": rescored(shipped, SENTENCE, trace, experiment),
    }
    for name, found in expected.items():
        assert answer[name]["translation"] == found.translation
        assert answer[name]["log_probability"] == pytest.approx(found.log_probability, abs=1e-4)
        assert [step["rank"] for step in answer[name]["steps"]] == [step.rank for step in found.steps]
    assert answer["experiment"] == json.loads(json.dumps(experiment.json()))


def test_heads_are_ranked(client, shipped, trace):
    answer = client.predict(SENTENCE, api_name="/rank_heads")
    expected = rank_heads(shipped, trace)
    assert [(head["kind"], head["layer"], head["head"]) for head in answer] == [tuple(head) for head, _ in expected]
    np.testing.assert_allclose([head["drop"] for head in answer], [drop for _, drop in expected], atol=1e-4)


def test_patches_are_tried_in_a_grid(client, shipped, trace):
    both = runs(find_divergence(shipped, record(shipped, OTHER), trace))
    places = all_heads(shipped.model.config)
    answer = client.predict(SENTENCE, OTHER, api_name="/patch")
    assert [(p["kind"], p["layer"], p["head"]) for p in answer["places"]] == [tuple(place) for place in places]
    expected = both.share(both.patched(places))
    np.testing.assert_allclose([place["share"] for place in answer["places"]], expected, atol=1e-4)
    streams = client.predict(SENTENCE, OTHER, "encoder", api_name="/patch")["places"]
    last = [place["share"] for place in streams if place["layer"] == 3]
    assert len(streams) == 5 * len(trace.source) and len(last) == len(trace.source)


def test_every_source_piece_is_left_out(client, shipped, trace):
    answer = client.predict(SENTENCE, api_name="/leave_one_out")
    expected = omission(shipped, trace, range(len(trace.source)))
    np.testing.assert_allclose(answer["effect"], expected, atol=1e-4)
    assert len(answer["source"]) == expected.shape[1] and len(answer["target"]) == expected.shape[0]


def test_a_beam_and_samples_are_those_of_the_model(client, shipped, trace):
    beam = client.predict(SENTENCE, 3, api_name="/beam")
    assert beam["best"]["ids"] == beam_json(shipped, SENTENCE, 3)["best"]["ids"] and beam["width"] == 3
    samples = client.predict(SENTENCE, temperature=0.7, top_k=20, seed=5, count=2, api_name="/sample")["samples"]
    expected = samples_json(shipped, trace, Sampling(0.7, 20), 5, 2)["samples"]
    assert [sample["ids"] for sample in samples] == [sample["ids"] for sample in expected]


def test_lengths_and_rollout_come_with_both_label_lists(client, shipped, trace):
    found = client.predict(SENTENCE, "cross", 3, 5, api_name="/lengths")
    np.testing.assert_allclose(found["lengths"], lengths(record_pass(shipped, trace), "cross")[3, 5], atol=1e-4)
    rolled = client.predict(SENTENCE, "encoder", api_name="/rollout")
    np.testing.assert_allclose(rolled["rollout"], rollout(trace, "encoder"), atol=1e-5)
    assert found["keys"] == rolled["keys"] == [piece.text for piece in trace.source]
    assert found["queries"] == [query.label for query in trace.cross.queries]


def test_files_of_numbers_are_those_that_python_writes(client, shipped, trace):
    changes, model = {"off": [["cross", 1, 2]]}, describe_model(shipped, Path(checkpoint.SHIPPED))
    experiment = Experiment(off=(HeadAt("cross", 1, 2),))
    changed, found = run(shipped, SENTENCE, experiment), lengths(record_pass(shipped, trace), "cross")
    csv = partial(client.predict, SENTENCE, api_name="/matrix_csv")
    for choice in (("cross", "mean", "max"), ("decoder", "rollout", "mean")):
        assert csv(*choice) == csv_of(trace, *choice)
    assert csv("cross", 0, 1, "length") == csv_text(matrix_of(trace, "cross", 0, 1, lengths=found))
    assert csv("cross", 1, 1, changes=changes) == csv_of(changed, "cross", 1, 1)
    assert client.predict(SENTENCE, api_name="/trace_json") == json_of(trace, model=model)
    npz = base64.b64decode(client.predict(SENTENCE, changes, api_name="/trace_npz"))
    assert npz == npz_of(trace, changed, experiment, model)


def test_the_catalogue_has_every_head_with_its_names(client):
    answer = client.predict(api_name="/catalogue")
    assert len(answer["heads"]) == 96 and all("names" in head and "entropy" in head for head in answer["heads"])


@each_case(
    ("endpoint", "arguments", "reason"),
    [
        ("/experiment", (SENTENCE, {"magic": 1}), "This is no experiment: magic"),
        ("/rank_heads", (SENTENCE, "magic"), "by must be one of zero, uniform, mean, special, not 'magic'"),
        ("/patch", (SENTENCE, SENTENCE), "Both sentences have the same German"),
        ("/patch", (SENTENCE, OTHER, "all"), "grid must be one of heads, encoder, decoder, not 'all'"),
        ("/beam", (SENTENCE, 9), "A beam keeps from 1 to 8 hypotheses here, not 9"),
        ("/sample", (SENTENCE, 0.0), "The temperature must be a number from 0.000001 to 1000000, not 0"),
        ("/sample", (SENTENCE, 1.0, None, 1.0, 1, 11), "From 1 to 10 samples are drawn at once, not 11"),
        ("/lengths", (SENTENCE, "cross", 4, 0), "layer must be from 0 to 3, not 4"),
        ("/lengths", (SENTENCE, "cross", 0, -1), "head must be from 0 to 7, not −1"),
        ("/rollout", (SENTENCE, "magic"), r"kind must be encoder, decoder or cross, not 'magic'\."),
        ("/matrix_csv", (SENTENCE, "cross", 4, 0), "layer must be from 0 to 3, not 4"),
        ("/matrix_csv", (SENTENCE, "cross", "least", 0), "layer must be one of mean, max, rollout, not 'least'"),
        ("/matrix_csv", (SENTENCE, "cross", "rollout", "mean", "length"), "lengths of single layers"),
    ],
)
def test_what_is_refused_is_answered_with_a_sentence(client, endpoint, arguments, reason):
    with pytest.raises(AppError, match=reason):
        client.predict(*arguments, api_name=endpoint)


def test_without_measured_heads_the_catalogue_says_so(toy):
    with pytest.raises(UserError, match="were not measured"):
        ExperimentsApi(AppContext(Recordings(toy), None, {})).catalogue()


def test_the_documented_calls_over_http_are_answered(client, monkeypatch):
    readme = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
    (block,) = (text for text in re.findall(r"^```python\n(.*?)^```$", readme, re.M | re.S) if "gradio_client" in text)
    answers, predict = [], client.predict
    monkeypatch.setattr(gradio_client, "Client", lambda address: client)

    def answered(*given, **named):
        answers.append(predict(*given, **named))
        return answers[-1]

    monkeypatch.setattr(client, "predict", answered)
    exec(compile(block, "programs.md", "exec"), {})
    assert len(answers) == block.count("client.predict(") and all(answers)


def test_translate_gives_german_pieces_and_steps(client, shipped):
    answer = client.predict(SENTENCE, api_name="/translate")
    trace = record(shipped, SENTENCE)
    assert answer["translation"] == trace.translation
    assert [piece["text"] for piece in answer["source"]] == [piece.text for piece in trace.source]
    assert [step["predicted"]["id"] for step in answer["steps"]] == [step.predicted.id for step in trace.steps]


@each_case("kind", ["encoder", "decoder", "cross"])
def test_attention_gives_one_head_with_both_label_lists(client, shipped, kind):
    answer = client.predict(SENTENCE, kind, 3, 5, api_name="/attention")
    attention = record(shipped, SENTENCE).map(kind)
    np.testing.assert_allclose(answer["weights"], attention.weights[3, 5], atol=1e-6)
    assert answer["queries"] == [query.label for query in attention.queries]
    assert answer["keys"] == [piece.text for piece in attention.keys]


def test_only_the_public_endpoints_are_listed(client):
    assert set(client.view_api(return_format="dict")["named_endpoints"]) == {
        *("/translate", "/attention", "/experiment", "/rank_heads", "/patch", "/leave_one_out"),
        *("/beam", "/sample", "/lengths", "/rollout", "/catalogue"),
        *("/matrix_csv", "/trace_json", "/trace_npz"),
    }


def test_a_program_is_answered_in_the_languages_of_the_checkpoint(toy):
    names = {"source": {"code": "fr", "name": "French"}, "target": {"code": "nl", "name": "Dutch"}}
    page = create_ui(AppContext(Recordings(Translator(toy.model, toy.tokenizer, {"languages": names})), None))
    (translate,) = (event.fn for event in page.fns.values() if event.api_name == "translate")
    with pytest.raises(gr.Error, match="French"):
        asyncio.run(translate(""))


def test_programs_wait_as_one_visitor(toy, monkeypatch):
    visitors: list[str] = []

    async def result_of(work: Callable[[], Any], visitor: str) -> None:
        visitors.append(visitor)

    app = AppContext(Recordings(toy), None)
    monkeypatch.setattr(app.scheduler, "result_of", result_of)
    with gr.Blocks() as page:
        publish_api(app)
    for event in page.fns.values():
        asyncio.run(event.fn(SENTENCE))
    assert len(visitors) == 14 and {*visitors} == {PROGRAMS_VISITOR}
