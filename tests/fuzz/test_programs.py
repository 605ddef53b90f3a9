"""Whatever a program asks of the endpoints gives plain JSON or a sentence."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

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


ROUTES = ["call/translate", "call/attention", "call/v2/sample", "call/js_fn", "call/x", "queue/join", "cancel", "reset"]
fields = st.fixed_dictionaries(
    {},
    optional={
        "data": st.lists(odd, max_size=2) | odd,
        "fn_index": st.integers(0, 60) | odd,
        **dict.fromkeys(("session_hash", "event_id"), st.sampled_from(["a", "b"]) | odd),
        **dict.fromkeys(("trigger_id", "event_data", "batched", "simple_format", "oauth_token", "sentence"), odd),
    },
)


@examples(60)
@given(route=st.sampled_from(ROUTES), body=(fields | odd).map(json.dumps).map(str.encode) | st.binary(max_size=60))
def test_a_malformed_call_gives_a_status_that_is_the_callers_fault(page, capfd, route, body):
    headers = {"Content-Type": "application/json"}
    with guarded(), httpx.Client(base_url=f"{page}gradio_api/", headers=headers) as client:
        answer = client.post(route, content=body)
        assert answer.status_code in (200, 400, 404, 503), (answer.status_code, answer.text)
        if "error" in answer.json():
            is_sentence(answer.json()["error"], body)
    assert "Traceback" not in "".join(capfd.readouterr())


@examples(30)
@given(name=st.text(min_size=1, max_size=12), event=st.text(min_size=1, max_size=12))
def test_an_event_that_is_unknown_gives_a_sentence(page, name, event):
    for path in (f"call/{quote(name, safe='')}/{quote(event, safe='')}", f"queue/data?session_hash={quote(event)}"):
        answer = httpx.get(f"{page}gradio_api/{path}")
        assert answer.status_code == 404, answer.status_code
