"""Checks calls of Gradio's open endpoints before Gradio does: a malformed one has it raise, with 5 kB in the log."""

import json
from functools import cached_property
from typing import Any
from urllib.parse import parse_qs

import gradio as gr
from gradio.data_classes import CancelBody, PredictBody, ResetBody, SimplePredictBody
from gradio_client.data_classes import ParameterInfo
from pydantic import BaseModel, RootModel
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer.server import words
from explorer.server.http import RequestError, error_response, read_json, validated
from explorer.server.language_redirect import path_below_proxy


class NamedArguments(RootModel[dict[str, Any]]):
    """The body of /call/v2."""


PREFIX = "gradio_api/"
BODIES: dict[str, type[BaseModel]] = {"queue/join": PredictBody, "cancel": CancelBody, "reset": ResetBody}


class GradioCalls:
    """ASGI middleware that refuses malformed calls of the page's endpoints, with a sentence."""

    def __init__(self, app: ASGIApp, page: gr.Blocks):
        self.app, self.page = app, page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = path_below_proxy(scope).strip("/") if scope["type"] == "http" else ""
        response = self.app
        try:
            if path.startswith(PREFIX) and scope["method"] == "POST":
                receive = await self.checked_call(path.removeprefix(PREFIX), Request(scope, receive))
            elif path.startswith(PREFIX) and scope["method"] == "GET":
                self.require_events(path.removeprefix(PREFIX), scope["query_string"])
        except RequestError as error:
            response = error_response(error.status, str(error), error.headers)
        await response(scope, receive, send)

    async def checked_call(self, path: str, request: Request) -> Receive:
        """The body once more, for Gradio. Raises RequestError for a malformed call."""
        data, body = await read_json(request)
        name = path.rpartition("/")[2]
        if path.startswith("call/"):
            kind = NamedArguments if path.startswith("call/v2/") else SimplePredictBody
            call = validated(kind, data)
            require_arguments(call.root if isinstance(call, NamedArguments) else call.data, self.parameters(name))
        else:
            call = validated(BODIES[path], data)
            if isinstance(call, PredictBody):
                require_arguments(call.data, self.parameters(self.function_name(call.fn_index)))

        messages: list[Message] = [{"type": "http.request", "body": body}]

        async def replay() -> Message:
            return messages.pop() if messages else await request.receive()

        return replay

    @cached_property
    def endpoints(self) -> dict[str, list[ParameterInfo]]:
        """The parameters of every endpoint for programs."""
        found = self.page.get_api_info()["named_endpoints"]
        return {name.removeprefix("/"): endpoint["parameters"] for name, endpoint in found.items()}

    def function_name(self, index: int | None) -> str:
        function = self.page.fns.get(index) if index is not None else None
        return str(function.api_name) if function else ""

    def parameters(self, name: str) -> list[ParameterInfo]:
        """Raises RequestError for an unknown name."""
        if name not in self.endpoints:
            raise RequestError(404, words.REFUSALS["endpoint"])
        return self.endpoints[name]

    def require_events(self, path: str, query: bytes) -> None:
        """Raises RequestError where a stream is asked for that has no events: Gradio breaks it off."""
        queue = self.page._queue
        if path.startswith("call/"):
            event = path.rpartition("/")[2]
            waiting = (event_id for ids in queue.pending_event_ids_session.values() for event_id in ids)
            known = event in queue.event_ids_to_events or event in queue.pending_messages_per_session
            if not known and event not in waiting:
                raise RequestError(404, words.REFUSALS["event"])
        elif path == "queue/data":
            session = parse_qs(query.decode("latin-1")).get("session_hash", [""])[-1]
            if session not in queue.pending_messages_per_session:
                raise RequestError(404, words.REFUSALS["event"])


def require_arguments(given: Any, parameters: list[ParameterInfo]) -> None:
    """Raises RequestError unless a list has an argument for each parameter, a dictionary for each without default."""
    names = [parameter["parameter_name"] for parameter in parameters]
    needed = {parameter["parameter_name"] for parameter in parameters if not parameter.get("parameter_has_default")}
    fits = needed <= given.keys() <= {*names} if isinstance(given, dict) else len(given) == len(names)
    if not fits:
        raise RequestError(400, words.REFUSALS["arguments"].format(names=json.dumps(names)))
