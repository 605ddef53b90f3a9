"""What a browser reads before it installs the page as an app. Gradio's own names the icon from the host's root."""

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from explorer.page import words
from explorer.shared.language import Voice, speaking

LINK = b'href="/manifest.json"'  # as Gradio writes it into the page
BELOW = b'href="./manifest.json"'


async def manifest(request: Request) -> JSONResponse:
    """Every address is taken from where the manifest lies."""
    with speaking(Voice()):
        name = words.TITLE
    icon = {"src": "./pwa_icon", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    found = {"name": name, "icons": [icon], "start_url": "./", "display": "standalone"}
    return JSONResponse(found, media_type="application/manifest+json")


MANIFEST = Route("/manifest.json", manifest, methods=["GET"])
