"""What the page links to: documentation, licences and source, from the program's folder; its manifest and preview."""

import io
import zipfile
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from explorer.page import words
from explorer.page.link_preview import PICTURE
from explorer.server.security_headers import PLAIN_POLICY
from explorer.ui.language import LanguageContext, use_language
from explorer.ui.prose import markdown

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DOCUMENT_NAMES = ("guide.md", "guide.de.md", "findings.md", "likelihood.md")  # those that are for visitors
LICENCES = ("LICENSE", "NOTICE", "assets/small/LICENSE.md")  # of the code, of what comes with it, of the weights
INSTALLED = "attention_explorer-*.dist-info/licenses"  # where an installed copy has them; a checkout: at its root
SOURCE_FILES = ("app.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE", "NOTICE")
SOURCE_FOLDERS = ("explorer", "model")
SOURCE_SUFFIXES = {".py", ".js", ".css", ".html", ".yaml", ".md", ".svg", ".conf", ".woff2", ".ttf", ".txt", ".png"}
THIS_PAGE = "http://127.0.0.1:7860"  # in the documents: the page on the reader's own machine
STYLE = """
body { max-width: 46em; margin: 2em auto; padding: 0 1.2em; font: 16px/1.55 system-ui, sans-serif; }
table { border-collapse: collapse; font-size: 15px; }
:is(td, th) { padding: 4px 10px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8886; }
pre { overflow-x: auto; padding: 8px 12px; background: #8881; }
"""
DATE = (2026, 1, 1, 0, 0, 0)  # of every file of the archive, so that the same source gives the same bytes
GRADIO_LINK = b'<link rel="manifest" href="/manifest.json" />'  # as Gradio writes it into the page
RELATIVE_LINK = b'<link rel="manifest" href="./manifest.json"><link rel="icon" href="./favicon.ico">'


def document(request: Request) -> Response:
    """A document as HTML; its links to the page lead to this server, whose address it names."""
    name = request.path_params["name"]
    if name not in DOCUMENT_NAMES:
        return PlainTextResponse("There is nothing at this address.\n", 404)
    text = (DOCS / name).read_text(encoding="utf-8")
    title = text.splitlines()[0].lstrip("# ")
    language = "de" if name.endswith(".de.md") else "en"
    page_address = escape(str(request.base_url).rstrip("/"))
    body = markdown(text).replace(f'href="{THIS_PAGE}/', 'href="../').replace(THIS_PAGE, page_address)
    html = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<style>{STYLE}</style><body>{body}</body></html>"
    )
    return HTMLResponse(html, headers={"Content-Security-Policy": PLAIN_POLICY})


def licences(request: Request) -> Response:
    folder = next(folder for folder in (ROOT, *ROOT.glob(INSTALLED)) if (folder / "LICENSE").is_file())
    return PlainTextResponse("\n\n".join((folder / name).read_text(encoding="utf-8") for name in LICENCES))


def source(request: Request) -> Response:
    headers = {"Content-Disposition": 'attachment; filename="attention-explorer-source.zip"'}
    return Response(source_archive(), media_type="application/zip", headers=headers)


@cache
def source_archive() -> bytes:
    """The source of the program as a ZIP archive, without weights, data and tests."""
    found = [ROOT / name for name in SOURCE_FILES if (ROOT / name).is_file()]
    for folder in SOURCE_FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix in SOURCE_SUFFIXES]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(found):
            name = Path("attention-explorer") / path.relative_to(ROOT)
            archive.writestr(zipfile.ZipInfo(name.as_posix(), DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def preview(request: Request) -> Response:
    return default_picture()


def default_picture(headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    """The page's own picture; where it stands for a link's own, Content-Location says that it does."""
    return FileResponse(PICTURE, headers={"Content-Location": PICTURE.name, **headers})


async def manifest(request: Request) -> JSONResponse:
    """The web app manifest, which a browser reads before it installs the page as an app. All URLs in it are relative.

    Gradio links it from the root of the host, which is not the page's behind a proxy with a path.
    """
    with use_language(LanguageContext()):
        name = words.TITLE
    icon = {"src": "./pwa_icon", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    content = {"name": name, "icons": [icon], "start_url": "./", "display": "standalone"}
    return JSONResponse(content, media_type="application/manifest+json")


DOCUMENTS = [
    Route("/docs/{name}", document),
    Route("/LICENSE", licences),
    Route("/source.zip", source),
    Route("/manifest.json", manifest),
    Route(f"/{PICTURE.name}", preview),
]
