"""The public endpoints, called as a program would."""

import asyncio
from collections.abc import Callable
from typing import Any

import gradio as gr
import numpy as np
import pytest
from cases import each_case
from gradio_client import Client

from explorer.page.ui import create_ui, publish_api
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.recording.trace import record
from explorer.ui.queued import PROGRAMS_VISITOR
from model.decoding import Translator

SENTENCE = "A dog is running."


@pytest.fixture(scope="module")
def client(shipped_page):
    client = Client(shipped_page, verbose=False)
    yield client
    client.close()


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
    monkeypatch.setattr(app.queue, "result_of", result_of)
    with gr.Blocks() as page:
        publish_api(app)
    for event in page.fns.values():
        asyncio.run(event.fn(SENTENCE))
    assert len(visitors) == 14 and {*visitors} == {PROGRAMS_VISITOR}
