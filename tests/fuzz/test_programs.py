"""Whatever a program asks of the endpoints gives plain JSON or a sentence."""

import json
from collections.abc import Callable
from typing import Any

import gradio as gr
import pytest
from fuzzing import BESIDE, arguments_of, examples, guarded, is_sentence
from hypothesis import given
from hypothesis import strategies as st

from explorer.page.api import Api, FilesApi
from explorer.page.experiments import ExperimentsApi
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
