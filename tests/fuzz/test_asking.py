"""Whatever is asked, by the page or by a program, gives an answer or a sentence, and no error in the log."""

import asyncio
import json
import logging
import string
from collections.abc import Callable, Iterator
from typing import Any

import gradio as gr
import pytest
from fuzzing import BESIDE, arguments_of, examples, guarded, is_sentence, now_and_then, odd, texts
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tiny_models import tiny_translator

from explorer.page.api import Api, ExperimentsApi, queued
from explorer.page.ui import create_ui
from explorer.recording.app_context import AppContext
from explorer.recording.recordings import Recordings
from explorer.server.ask import AnswerService, routes
from explorer.server.http import MAX_REQUEST_BYTES
from explorer.ui.questions import validated

pytestmark = BESIDE
WEIGHTS = {*string.ascii_letters, *string.digits, *"+/="}  # base64, not JSON


@pytest.fixture(scope="module")
def app(tokenizer, tmp_path_factory) -> AppContext:
    """A page with all questions that it may be asked, around a random model that is quick, and short."""
    examples = tmp_path_factory.mktemp("examples") / "short.json"
    examples.write_text(json.dumps([{"shows": "short", "sentence": "The cat sleeps."}]), encoding="utf-8")
    tiny = tiny_translator(tokenizer, n_heads=2, d_model=8, d_ff=8)
    app = AppContext(Recordings(tiny), None, examples=examples)
    create_ui(app)
    return app


def refused(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON, and a browser does not read it")


@pytest.fixture(scope="module")
def ask(app) -> Iterator[Callable[[bytes], None]]:
    """Asks by the page's route, as a browser does, and looks at everything that is answered."""

    def ask(body: bytes) -> None:
        with guarded():
            response = client.post("/ask", content=body, headers={"Content-Type": "application/json"})
        assert response.status_code in (200, 400, 413, 503), response.status_code
        last = response.text.rstrip("\n").split("\n")[-1]
        found = last if set(last) <= WEIGHTS else json.loads(last, parse_constant=refused)
        if isinstance(found, dict) and "error" in found:
            is_sentence(found["error"], body)
        else:
            assert response.status_code == 200, response.text[:200]

    with TestClient(Starlette(routes=routes(AnswerService(app)))) as client:
        yield ask


@pytest.fixture
def quiet(caplog) -> Iterator[None]:
    """Fails where anything is logged as an error."""
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture(scope="module")
def questions(app) -> st.SearchStrategy[tuple[str, list[Any]]]:
    known = app.questions.known
    return st.sampled_from([*known]).flatmap(lambda name: st.tuples(st.just(name), arguments_of(known[name].answer)))


@examples(700)
@given(data=st.data())
def test_every_question_gives_an_answer_or_a_sentence(ask, quiet, questions, data):
    name, given = data.draw(questions)
    language = data.draw(st.sampled_from(["en", "de"]))
    ask(json.dumps({"question": name, "arguments": given, "language": language}).encode())


bodies = st.fixed_dictionaries(
    {"question": now_and_then(st.sampled_from(["translate", "model.translate", "tokenize"]), odd)},
    optional={
        "arguments": now_and_then(texts.map(lambda text: [text]), odd),
        "language": now_and_then(st.sampled_from(["en", "de"]), odd),
        "visitor": odd,
        "more": odd,
    },
)


@examples(150)
@given(asked=bodies | odd)
def test_a_question_of_any_form_gives_an_answer_or_a_sentence(ask, quiet, asked):
    ask(json.dumps(asked).encode())


whole = b'{"question": "translate", "arguments": ["A c\xc3\xa4t."], "language": "en"}'
places = st.integers(0, len(whole))
damaged = st.tuples(places, places, st.binary(max_size=4)).map(
    lambda parts: whole[: parts[0]] + parts[2] + whole[parts[1] :]
)
encoded = st.sampled_from(["utf-16", "utf-32", "utf-7", "cp500"]).map(lambda code: whole.decode().encode(code))
sizes = st.one_of(st.integers(MAX_REQUEST_BYTES - 100, MAX_REQUEST_BYTES + 100), st.integers(0, 2_000_000))
large = sizes.map(lambda size: whole[:-23] + b"a" * size + whole[-23:])
nested = st.builds(
    lambda depth, left, right: whole[:-23] + b'", ' + left * depth + b"1" + right * depth + b'], "language": "en"}',
    st.integers(1, 20_000),
    *map(st.just, (b"[", b"]")),
)


@examples(210)
@given(body=st.one_of(st.binary(max_size=200), damaged, damaged, encoded, large, nested))
def test_bytes_that_are_no_question_give_a_sentence(ask, quiet, body):
    ask(body)


@pytest.fixture(scope="module")
def endpoints(app) -> list[Callable[..., Any]]:
    return [*Api(app).endpoints(), *ExperimentsApi(app).endpoints()]


@examples(350)
@given(data=st.data())
def test_every_endpoint_gives_json_or_a_sentence(app, endpoints, data):
    endpoint = data.draw(st.sampled_from(endpoints), label="endpoint")
    given = data.draw(arguments_of(endpoint), label="given")
    with guarded():
        try:
            answer = asyncio.run(queued(app.scheduler, validated(endpoint))(*given))
        except gr.Error as refusal:
            is_sentence(refusal.message, given)
        else:
            json.dumps(answer, allow_nan=False)
