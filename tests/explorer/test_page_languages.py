"""Which language a visitor finds the page in, and the script that runs first: without a browser."""

import json
import re
from typing import Any
from urllib.parse import urljoin

import gradio as gr
from cases import each_case
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

import app
from explorer.page.head import without_scripts
from explorer.server import start
from explorer.server.head_script import HeadScript, beginning
from explorer.server.language_redirect import LanguageRedirect

QUERY = "sentence=%C3%84+%26+B%3D1&head=2&head=3&empty="
PAGE = "<!doctype html><html><head><title>x</title></head><body><head></body></html>"


def answer(request: Request) -> Response:
    """The page at every path."""
    return HTMLResponse(PAGE)


def visitor(preferred: str | None = None, root_path: str = "") -> TestClient:
    middleware = [Middleware(LanguageRedirect, preferred=preferred), Middleware(HeadScript)]
    routes = [Route("/{path:path}", answer, methods=["GET", "HEAD", "POST"])]
    return TestClient(Starlette(routes=routes, middleware=middleware), root_path=root_path, follow_redirects=False)


def told(root_path: str) -> TestClient:
    """A visitor of a server that is told its path by GRADIO_ROOT_PATH, behind a proxy that takes it away."""

    async def served(scope: Any, receive: Any, send: Any) -> None:
        await inner({**scope, "root_path": root_path}, receive, send)

    inner = visitor().app
    return TestClient(served, follow_redirects=False)


def led(client: TestClient, path: str = "/", accept: str = "", cookie: str = "") -> str | None:
    """Where a visitor of a path is led; None where he stays."""
    found = client.get(path, headers={"accept-language": accept.encode("latin-1"), "cookie": cookie.encode()})
    assert found.status_code in (200, 307)
    return urljoin(path, found.headers["location"]) if found.status_code == 307 else None


@each_case(
    ("preferred", "path", "accept", "cookie", "place"),
    [
        # The language of the browser,
        (None, "/", "fr, de;q=0.1", "", "/de"),
        (None, "/", "zh-Hant-TW, zh;q=0.9, en;q=0.8", "", "/zh"),  # rather than English, which they want less
        (None, "/", "en, de", "", None),
        (None, "/", ";;;q=,,=", "", None),
        (None, "/", "en;q=nan, fr;q=inf, de;q=0.1", "", "/de"),
        (None, "/", "fr, de;q=0", "", None),  # 0: not at all
        (None, "/", "\x7f\xe4\xf6, de;q=0.5", "", "/de"),
        # before it that of the server's start, before that the one chosen on the page,
        ("de", "/", "en", "", "/de"),
        ("en", "/", "de", "", None),
        ("en", "/", "en", "language=de", "/de"),
        ("de", "/", "de", "other=1; language=en", None),
        (None, "/", "de", "language=xx", "/de"),
        (None, "/", "de", "language", "/de"),
        # and before all that of the address.
        (None, "/?lang=de", "en", "language=en", "/de"),
        (None, "/?lang=en", "de", "language=de", None),
        (None, "/de?lang=en", "de", "language=de", "/?lang=en"),
        (None, "/de/?lang=en", "", "", "/?lang=en"),
        ("en", "/de", "en", "language=en", None),
        ("en", "/de/", "en", "language=en", "/de"),  # what the page asks for would be sought below the slash
        ("de", "/en?head=2", "en", "", "/?head=2&lang=en"),
        (None, "/en/?lang=de", "en", "", "/de"),
        # A language that there is not leads nowhere,
        *(
            (None, f"/?lang={asked}", "en", "", None)
            for asked in ("xx", "", "//evil.example", "de%0d%0aSet-Cookie:a=b")
        ),
        (None, "/de?lang=../evil", "en", "", None),
        (None, "/?lang=xx&head=2", "de", "", "/de?lang=xx&head=2"),  # and stays, for the page to say so.
        # The rest of the query goes with the visitor.
        (None, f"/?{QUERY}", "de", "", f"/de?{QUERY}"),
        (None, f"/?lang=de&{QUERY}", "", "", f"/de?{QUERY}"),
        (None, f"/de?{QUERY}&lang=en", "", "", f"/?{QUERY}&lang=en"),
    ],
)
def test_a_visitor_is_led_to_the_language_that_is_asked_for_most_clearly(preferred, path, accept, cookie, place):
    assert led(visitor(preferred), path, accept, cookie) == place


def test_under_a_path_of_a_proxy_he_stays_under_it():
    client = visitor(root_path="/explorer")
    assert led(client, "/explorer/", accept="de") == "/explorer/de"
    assert led(client, "/explorer/de?lang=en") == led(client, "/explorer/en") == "/explorer/?lang=en"
    assert led(client, "/explorer/de", accept="en") is None
    assert led(client, "/explorer", accept="de") == "/explorer/de"  # not /de
    assert visitor().get("/de/").headers["location"] == "../de"  # of whatever path, where no one told it


def test_a_proxy_may_have_taken_its_path_away():
    client = told("/explorer")
    assert led(client, "/", accept="de") == led(client, "/?lang=de", accept="en") == "/explorer/de"
    assert led(client, "/de/") == "/explorer/de"
    assert led(client, "/de", accept="en") is None and led(client, "/explorerde", accept="en") is None
    assert led(told("https://example.org/a/b/"), "/", accept="de") == "/a/b/de"


@each_case("path", ["/gradio_api/info", "/de/config", "/english", "/dE"])
def test_what_is_not_the_page_is_answered_as_it_is(path):
    assert led(visitor("de"), f"{path}?lang=en", accept="de") is None
    assert b"<script>" not in visitor().get(path).content


@each_case("method", ["POST", "HEAD"])
def test_only_who_wants_to_see_the_page_is_led(method):
    found = visitor("de").request(method, "/?lang=de", headers={"accept-language": "de"})
    assert found.status_code == 200


@each_case(("path", "language"), [("/", "en"), ("/de", "de"), ("/de?head=1", "de")])
def test_the_first_script_of_the_page_knows_its_language(path, language):
    found = visitor("en").get(path)
    before, _, after = found.text.partition("<title>")
    assert before.startswith("<!doctype html><html><head><script>") and before.endswith("</script>")
    assert f"language = {json.dumps(language)};" in before and "LANGUAGE" not in before
    rest, noscript = PAGE.partition("<head>")[2], without_scripts(language)  # a second <head> stays as it is
    assert after.endswith(rest.replace("</body>", f"{noscript}</body>"))
    assert int(found.headers["content-length"]) == len(found.content)


def test_a_page_in_parts_is_sent_as_one():
    async def in_parts(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for part in (PAGE[:20], PAGE[20:]):
            await send({"type": "http.response.body", "body": part.encode(), "more_body": part == PAGE[:20]})

    text = TestClient(HeadScript(in_parts)).get("/").text
    scope = {"type": "http", "scheme": "http", "query_string": b"", "headers": [(b"host", b"testserver")]}
    assert text.replace(beginning("en", scope), "", 1).replace(without_scripts("en"), "", 1) == PAGE


GRADIO_HEAD = """<head>
<meta property="og:title" content="Gradio" /><meta property="og:url" content="{url}" />
<meta
    property="og:image"
    content=""
/>
<meta name="twitter:creator" content="@Gradio" /><meta name="viewport" content="width=device-width">
</head>"""


def previewed(path: str, *, root_path: str = "", **headers: str) -> dict[str, str]:
    """The title and the tags of a link's preview, each of which stands there once."""

    async def shown(scope: Any, receive: Any, send: Any) -> None:
        await HTMLResponse(GRADIO_HEAD)({**scope}, receive, send)

    async def told_of(scope: Any, receive: Any, send: Any) -> None:
        await HeadScript(shown)({**scope, "root_path": root_path}, receive, send)

    html = TestClient(told_of).get(path, headers=headers).text
    assert (
        'content="Gradio"' not in html and "@Gradio" not in html and "{url}" not in html and 'name="viewport"' in html
    )
    tags = re.findall('<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', html)
    assert len(tags) == len(dict(tags)) == len(re.findall("(?:og|twitter):", html))
    (title,) = re.findall("<title>(.*?)</title>", html)
    return {"title": title, **dict(tags)}


def test_a_link_is_previewed_with_its_sentence_and_a_picture(monkeypatch):
    found = previewed("/")
    assert found["title"] == found["og:title"] == "Attention Explorer"
    assert found["twitter:card"] == "summary_large_image"
    assert "Wort" in previewed("/de")["og:description"]
    for query, title in (
        ("sentence=A%20dog.", "“A dog.” · Attention Explorer"),
        ("sentence=A%2Bbig%2Bdog.", "“A big dog.” · Attention Explorer"),  # from a chat program
        ("sentence=1%20%2b%201", "“1 + 1” · Attention Explorer"),
        ("sentence=%22><script>", "“&quot;&gt;&lt;script&gt;” · Attention Explorer"),
        (f"sentence={'x' * 200}", f"“{'x' * 99}…” · Attention Explorer"),
    ):
        assert previewed(f"/?{query}")["og:title"] == title
    for root_path, host, image in (
        ("", "example.org", "http://example.org/preview.png"),
        ("/x y", "example.org", "http://example.org/x%20y/preview.png"),
        ("https://a.example/b/", "inside:7860", "https://a.example/b/preview.png"),
    ):
        assert previewed("/", root_path=root_path, host=host)["og:image"] == image
    monkeypatch.setenv("SPACE_HOST", "a-b.hf.space")
    assert previewed("/de", host="inside")["og:image"] == "https://a-b.hf.space/preview.png"


def test_a_link_with_a_sentence_names_a_picture_of_its_own():
    for query, named in (
        ("sentence=A%2Bbig%2Bdog.&step=3&level=heads", "sentence=A%20big%20dog.&amp;step=3&amp;lang=en"),
        ("sentence=A+dog.&change=off.cross.4.1", "sentence=A%20dog.&amp;change=off.cross.4.1&amp;lang=en"),
        ("sentence=A+dog.&change=off.cross.4.1&run=unchanged", "sentence=A%20dog.&amp;lang=en"),
    ):
        assert previewed(f"/?{query}", host="a.example")["og:image"] == f"http://a.example/preview.png?{named}"
    assert previewed("/de?sentence=Hi", host="a.example")["og:image"].endswith("/preview.png?sentence=Hi&amp;lang=de")
    for query in ("sentence=%20", "step=3", f"sentence={'x' * 401}", f"sentence=Hi&change={'x' * 2000}"):
        assert previewed(f"/?{query}", host="a.example")["og:image"] == "http://a.example/preview.png"


def test_only_the_first_languages_page_has_to_stand_at_a_path_that_ends_with_a_slash():
    assert "location.replace" in visitor().get("/").text and "location.replace" not in visitor().get("/de").text


@each_case(
    ("root", "place"),
    [("", "./"), ("/x/y", "/x/y/"), ("https://example.org/a b", "/a%20b/")],
)
def test_gradios_script_and_style_are_sought_below_the_path_of_a_proxy_even_by_a_browser_that_looks_ahead(root, place):
    async def shown(scope: Any, receive: Any, send: Any) -> None:
        page = '<head><script src="./assets/a.js"></script><link href="./assets/a.css"></head>'
        await HTMLResponse(page)({**scope}, receive, send)

    async def told_of(scope: Any, receive: Any, send: Any) -> None:
        await HeadScript(shown)({**scope, "root_path": root}, receive, send)

    found = TestClient(told_of).get("/")
    *preloads, script, style = re.findall('(?:src|href)="(.*?)"', found.text)
    assert [script, style] == [f"{place}assets/a.js", f"{place}assets/a.css"]
    assert len(preloads) == 2 and all(address.startswith(f"{place}gradio_api/") for address in preloads)
    assert int(found.headers["content-length"]) == len(found.content)


def test_the_command_hands_its_language_on(monkeypatch):
    given: dict[str, Any] = {}
    monkeypatch.setattr("sys.argv", ["app.py", "--language", "de"])
    monkeypatch.setattr(start, "create_ui", lambda *wanted, **more: gr.Blocks())
    monkeypatch.setattr(start, "configure_log", lambda as_json: None)
    monkeypatch.setattr(start, "launch", lambda *shown, **options: given.update(options) or (None, "", None))
    app.main()
    assert given["language"] == "de"
