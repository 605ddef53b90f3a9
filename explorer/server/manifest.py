"""The web app manifest, which a browser reads before it installs the page as an app.

Gradio links it from the root of the host, which is not the page's behind a proxy with a path.
"""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from explorer.page import words
from explorer.ui.language import LanguageContext, use_language

GRADIO_LINK = b'<link rel="manifest" href="/manifest.json" />'  # as Gradio writes it into the page
RELATIVE_LINK = b'<link rel="manifest" href="./manifest.json"><link rel="icon" href="./favicon.ico">'


async def manifest(request: Request) -> JSONResponse:
    """All URLs in it are relative to the manifest."""
    with use_language(LanguageContext()):
        name = words.TITLE
    icon = {"src": "./pwa_icon", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    content = {"name": name, "icons": [icon], "start_url": "./", "display": "standalone"}
    return JSONResponse(content, media_type="application/manifest+json")


MANIFEST = Route("/manifest.json", manifest, methods=["GET"])
