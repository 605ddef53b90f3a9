"""Where one joins a class: /join has a field for its code, and /class/CODE leads to the page that follows the class.

The field's form sends the code to /join, which leads to /class/CODE: where several processes work as one, only that of
the class knows whether there is one.
"""

import re
from html import escape
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from explorer.server import words
from explorer.server.class_state import Classrooms
from explorer.server.http import UNCACHED
from explorer.server.language_redirect import PARAMETER, visitor_language
from explorer.ui.content_policy import csp_hash
from explorer.ui.language import LANGUAGES, LanguageContext, tag_of, use_language

CODE = re.compile(r"[A-Z0-9]{1,12}")
FIELD = "class"  # of the form, as the page calls the code in its own address
SELECT = 'document.querySelector("#code").select();'  # a refused code is typed over
POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src {csp_hash(SELECT)}; base-uri 'none'; form-action 'self'"
)
PAGE = """<!doctype html><html lang="{tag}"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>
* {{ box-sizing: border-box; }}
body {{ max-width: 26em; margin: 0 auto; padding: 12vh 20px 20px; font: 18px/1.4 system-ui, sans-serif; }}
h1 {{ margin: 0 0 1em; font-size: 28px; }}
label {{ display: block; margin-bottom: 6px; }}
input, button {{ width: 100%; height: 72px; padding: 0 12px; font: inherit; border-radius: 10px; }}
input {{ border: 2px solid; font: 700 36px/1 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 4px;
  text-align: center; text-transform: uppercase; color: inherit; background: none; }}
button {{ margin-top: 16px; height: 56px; border: 0; font-weight: 600; color: #fff; background: #0b5a8a; }}
:focus-visible {{ outline: 3px solid #0b5a8a; outline-offset: 2px; }}
p {{ margin: 14px 0 0; color: #b3261e; }}
@media (prefers-color-scheme: dark) {{ p {{ color: #ff9d94; }} :focus-visible {{ outline-color: #7cc4ff; }} }}
</style><body><h1>{title}</h1>
<form action="{action}"><label for="code">{label}</label>
<input id="code" name="class" value="{code}" maxlength="12" required autofocus autocomplete="off"
 autocapitalize="characters" autocorrect="off" spellcheck="false" aria-describedby="fault">{hidden}
<button>{join}</button><p id="fault" role="alert">{fault}</p></form><script>{select}</script></body></html>
"""


def join_routes(classrooms: Classrooms, preferred: str | None) -> list[Route]:
    """The routes; `preferred` is the language of --language."""

    async def join(request: Request) -> Response:
        typed = request.query_params.get(FIELD, "")
        code = "".join(typed.split()).upper()
        if CODE.fullmatch(code):
            return redirect(f"./class/{code}", request)
        return join_page(request, "join", typed, is_refused=bool(typed))

    async def follow(request: Request) -> Response:
        code = request.path_params["code"]
        if code in classrooms.classrooms:
            return redirect("../", request, **{FIELD: code})
        return join_page(request, "../join", code, is_refused=True)

    def join_page(request: Request, action: str, code: str, *, is_refused: bool) -> Response:
        asked = asked_language(request)
        language = asked or visitor_language(request.headers, preferred)
        with use_language(LanguageContext(language)):
            texts = {**words.JOIN, "fault": words.JOIN["none"].format(code=code) if is_refused else "", "code": code}
        texts = {name: escape(text) for name, text in texts.items()}
        hidden = f'<input type="hidden" name="{PARAMETER}" value="{asked}">' if asked else ""
        html = PAGE.format(tag=tag_of(language), action=action, hidden=hidden, select=SELECT, **texts)
        headers = {"Content-Security-Policy": POLICY, **UNCACHED}
        return HTMLResponse(html, 404 if is_refused else 200, headers)

    return [Route("/join", join), Route("/class/{code}", follow)]


def asked_language(request: Request) -> str | None:
    """The language that the address names, if the page has it."""
    asked = request.query_params.get(PARAMETER)
    return asked if asked in LANGUAGES else None


def redirect(path: str, request: Request, **query: str) -> Response:
    """Leads to a relative address, which keeps the language: a proxy may serve all of this below a path of its own."""
    language = asked_language(request)
    text = urlencode({**query, PARAMETER: language} if language else query)
    return RedirectResponse(path + (f"?{text}" if text else ""), 303, UNCACHED)
