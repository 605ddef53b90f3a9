"""Whatever a program asks of the endpoints gives plain JSON or a sentence."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr
import httpx
import pytest
from fuzzing import BESIDE, arguments_of, examples, guarded, is_sentence, odd
from hypothesis import given
from hypothesis import strategies as st
from serving import launched

from explorer.page.api import Api, FilesApi
from explorer.page.experiments import ExperimentsApi
from explorer.page.ui import create_ui
from explorer.ui.questions import validated
from explorer.ui.queued import queued

pytestmark = BESIDE


@pytest.fixture(scope="module")
def endpoints(app) -> list[Callable[..., Any]]:
    api = Api(app.recordings)
    return [api.translate, api.attention, *ExperimentsApi(app).endpoints(), *FilesApi(app).endpoints()]


@examples(350)
@given(data=st.data())
def test_every_endpoint_gives_json_or_a_sentence(elsewhere, app, endpoints, data):
    endpoint = data.draw(st.sampled_from(endpoints), label="endpoint")
    given = data.draw(arguments_of(endpoint), label="given")
    with guarded():
        try:
            answer = elsewhere.run(queued(app.queue, validated(endpoint))(*given))
        except gr.Error as refusal:
            is_sentence(refusal.message, given)
        else:
            json.dumps(answer, allow_nan=False)


@pytest.fixture(scope="module")
def page(app) -> Iterator[str]:
    yield from launched(create_ui(app))


@examples(30)
@given(name=st.sampled_from(["translate", "attention", "sample", "catalogue"]), sent=st.lists(odd, max_size=3) | odd)
def test_the_address_of_an_endpoint_gives_an_answer_or_a_sentence(page, name, sent):
    """By HTTP, as programs ask: an event is begun, and its stream is read."""
    with guarded(), httpx.Client(base_url=f"{page}gradio_api/call/") as client:
        # httpx writes lone surrogates as they are, which no encoding has; JSON has escapes for them.
        body = json.dumps({"data": sent})
        begun = client.post(name, content=body, headers={"Content-Type": "application/json"})
        assert begun.status_code < 500, begun.text
        if begun.status_code != 200:
            return
        stream = client.get(f"{name}/{begun.json()['event_id']}").text
        kind, data = stream.strip().split("\n")[-2:]
        assert "Traceback" not in stream
        assert kind in ("event: complete", "event: error"), stream
        if kind == "event: error":
            said = json.loads(data.removeprefix("data: "))
            is_sentence(said["error"] if isinstance(said, dict) else said, sent)
