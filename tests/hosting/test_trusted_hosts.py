"""Which names the server answers to, and which pages may ask it."""

import argparse
import socket

import pytest
from cases import each_case
from serving import get, request
from starlette.datastructures import Headers

from explorer.server import words
from explorer.server.options import add_options
from explorer.server.trusted_hosts import TrustedSites, trusted_sites

QUESTION = {"question": "translate", "arguments": ["The cat sleeps."], "language": "en"}
ASKING = [
    "ask",
    "toys",
    "class",
    "gradio_api/call/translate",
    "gradio_api/queue/join",
]
LAN = "192.168.0.2:7860"


@each_case(
    ("host", "is_trusted"),
    [
        ("localhost:7860", True),
        ("page.localhost", True),
        ("127.0.0.1:7860", True),
        (LAN, True),
        ("[::1]:7860", True),
        ("", True),
        ("evil.example:7860", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("evil.example, localhost", False),
        ("127.1", False),
    ],
)
def test_only_our_own_names_and_addresses_are_answered(host, is_trusted):
    assert trusted_sites({}).has_trusted_host(Headers({"host": host})) == is_trusted


def test_this_machine_is_known_by_its_name(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "PC17.school.example")
    sites = trusted_sites({})
    for host in ("pc17.school.example:7860", "pc17", "pc17.local", "PC17.local:80"):
        assert sites.has_trusted_host(Headers({"host": host}))
    assert not sites.has_trusted_host(Headers({"host": "pc18"}))


@each_case(
    ("environment", "host"),
    [
        ({"SPACE_HOST": "owner-name.hf.space"}, "owner-name.hf.space"),
        ({"SPACE_HOST": "Owner-name.hf.space,own.example"}, "whatever.the.proxy.writes"),
        ({"GRADIO_ROOT_PATH": "https://school.example/x"}, "school.example"),
    ],
)
def test_a_space_and_a_proxy_are_known_by_their_variables(environment, host):
    headers = Headers({"host": host})
    assert trusted_sites(environment).has_trusted_host(headers) and not trusted_sites({}).has_trusted_host(headers)
    assert trusted_sites({"GRADIO_ROOT_PATH": "/x"}) == trusted_sites({})


PROXY, SPACE = {"GRADIO_ROOT_PATH": "http://school.example/x"}, {"SPACE_HOST": "Owner-name.hf.space,own.example"}


@each_case(
    ("environment", "origin", "may"),
    [
        (PROXY, "http://school.example", True),
        (PROXY, "http://evil.example", False),
        (SPACE, "https://owner-name.hf.space", True),
        (SPACE, "https://own.example", True),
        (SPACE, "https://a.hf.space", False),
    ],
)
def test_where_a_proxy_hides_the_host_the_page_that_visitors_see_may_ask(environment, origin, may):
    headers = Headers({"host": "10.0.0.7:7860", "origin": origin, "x-forwarded-host": "evil.example"})
    assert trusted_sites(environment).may_ask(headers) == may


def options(*flags: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser)
    return parser.parse_args(flags)


def test_flags_name_more():
    chosen = options(
        "--allow-host", "Page.example", "--allow-host", "*.school.example", "--allow-origin", "http://A.b:8/"
    )
    sites = trusted_sites({}, chosen.allow_host, chosen.allow_origin)
    for host, is_trusted in [
        ("page.example:1", True),
        ("a.school.example", True),
        ("school.example", False),
        ("a.b", False),
    ]:
        assert sites.has_trusted_host(Headers({"host": host})) == is_trusted
    assert sites.origins == ("http://a.b:8",)


@each_case(
    "flags",
    [
        ("--allow-host", "http://page.example"),
        ("--allow-host", "page.example:80"),
        ("--allow-origin", "https://page.example/x"),
        ("--allow-origin", "https://["),
    ],
)
def test_a_flag_that_can_never_fit_is_refused(flags):
    with pytest.raises(argparse.ArgumentError, match=r"such as|invalid"):
        options(*flags)


@each_case(
    ("headers", "may"),
    [
        ({}, True),  # a program
        ({"sec-fetch-site": "same-origin", "origin": "http://any"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site", "origin": "http://localhost:9000", "host": "localhost:7860"}, False),
        ({"origin": f"http://{LAN}", "host": LAN}, True),
        ({"origin": "http://evil.example", "host": LAN}, False),
        ({"origin": "http://[", "host": LAN}, False),
        ({"origin": "http://evil.example", "host": LAN, "x-forwarded-host": "evil.example"}, False),
        ({"origin": "https://www.friend.example", "host": LAN, "sec-fetch-site": "cross-site"}, True),
        ({"origin": "http://www.friend.example", "host": LAN}, False),
    ],
)
def test_only_the_page_itself_trusted_sites_and_programs_may_ask(headers, may):
    sites = TrustedSites((), ("https://www.friend.example",))
    assert sites.may_ask(Headers(headers)) == may


@each_case("path", ASKING)
@each_case("method", ["POST", "OPTIONS"])
def test_pages_of_other_sites_are_refused_everywhere_and_read_nothing(toy_page, method, path):
    headers = {"Origin": "http://evil.example", "Host": LAN, "X-Forwarded-Host": "evil.example"}
    headers["Access-Control-Request-Method"] = "POST"
    answer = request(method, f"{toy_page}{path}", json=QUESTION, headers=headers)
    assert (answer.status_code, answer.json()) == (403, {"error": words.REFUSALS["foreign"]})
    assert not [name for name in answer.headers if name.startswith("access-control")]


@each_case("path", ["", "health", "config", "class/ABCDEF"])
def test_their_scripts_read_nothing_either_and_their_links_lead_here(toy_page, path):
    answer = get(f"{toy_page}{path}", headers={"Origin": "http://evil.example", "Host": LAN})
    assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers
    followed = {"Host": LAN, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Accept-Language": "en"}
    assert get(toy_page, headers=followed).status_code == 200


@each_case("path", ["", "health", "ask", "gradio_api/info", "nothing"])
@each_case("method", ["GET", "POST"])
def test_under_another_name_nothing_is_answered(toy_page, method, path):
    headers = {"Host": "evil.example:7860", "Accept-Language": "de"}
    answer = request(method, f"{toy_page}{path}", headers=headers)
    assert answer.status_code == 421 and "--allow-host" in answer.text and "Auf diesen Namen" in answer.text
