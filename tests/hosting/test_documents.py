"""What the footer links to: documents whose links lead to this server, the licences, the source."""

import io
import zipfile

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.page.link_preview import HEIGHT_PX, WIDTH_PX
from explorer.server.documents import DOCUMENT_NAMES, DOCUMENTS, ROOT
from explorer.server.security_headers import PLAIN_POLICY


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=DOCUMENTS))


def test_a_document_links_to_this_server_and_names_its_address(client):
    for name in DOCUMENT_NAMES:
        html = client.get(f"/docs/{name}", headers={"Host": "school:8123"}).text
        assert "<h1>" in html
        assert ":7860" not in html
        assert "<code>http://school:8123</code>" in html or "guide" not in name
    guide = client.get("/docs/guide.md")
    assert 'href="../?lesson=clause.1"' in guide.text and guide.headers["content-security-policy"] == PLAIN_POLICY
    assert 'href="../de?lesson=clause.1"' in client.get("/docs/guide.de.md").text


def test_the_picture_of_a_links_preview_is_small_and_of_the_size_that_its_tags_say(client):
    data = client.get("/preview.png").content
    assert Image.open(io.BytesIO(data)).size == (WIDTH_PX, HEIGHT_PX) and len(data) < 120_000


def test_nothing_but_the_documents_is_served(client):
    for name in ("design.md", "..%2FREADME.md", "explore.png"):
        assert client.get(f"/docs/{name}").status_code == 404


def test_the_licences_and_the_source_are_those_of_the_program(client):
    shown = client.get("/LICENSE").text
    for title in ("MIT License", "Attention Explorer: what it contains", "# Licence of the weights of assets/small"):
        assert title in shown
    source = client.get("/source.zip")
    assert source.headers["content-disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(source.content)) as archive:
        attention = archive.read("attention-explorer/model/attention.py")
        assert not [name for name in archive.namelist() if "__pycache__" in name or name.endswith(".safetensors")]
    assert attention == (ROOT / "model" / "attention.py").read_bytes()
