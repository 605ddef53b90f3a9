"""The links into the page, in what we write for readers and teachers, lead to rooms, panels and lessons."""

import re
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from cases import each_case

import explorer
from explorer.tabs import tab_labels
from explorer.tabs.what_if.panels import PANELS
from explorer.ui.language import FIRST, LANGUAGES

ROOT = Path(__file__).parents[2]
TEXTS = ("docs/articles.md", "docs/courses.md", "docs/findings.md", "docs/guide.md", "docs/guide.de.md")
LINK = re.compile(r"\((http://127\.0\.0\.1:7860[^)\s]*)\)")
VIEW = Path(explorer.__file__).parent / "attention_view" / "address.js"


def links(text: str) -> list[str]:
    return LINK.findall((ROOT / text).read_text(encoding="utf-8"))


def fields_of_the_view() -> set[str]:
    """The parts of an address that the attention view keeps (attention_view/address.js)."""
    fields = re.search(r"const FIELDS = \{(.*?)\n\};", VIEW.read_text(encoding="utf-8"), re.S)
    assert fields
    return {*re.findall(r"^  (\w+)[:,]", fields[1], re.M)}


@each_case("text", TEXTS)
def test_every_link_leads_to_what_there_is(text):
    assert len(links(text)) >= 5
    lessons = {path.name.removesuffix(".yaml") for path in (files("assets") / "lessons").iterdir()}
    known = {*fields_of_the_view(), "sentence", "tab", "lesson"}
    for link in links(text):
        parts = dict(parse_qsl(urlsplit(link).query, strict_parsing=bool(urlsplit(link).query)))
        assert urlsplit(link).path.strip("/") in {"", *LANGUAGES} - {FIRST}, link
        assert parts.get("tab", "explore") in tab_labels(), link
        assert parts.get("lab.station", "fork") in {panel.name for panel in PANELS}, link
        assert parts.get("lesson", "clause.1").partition(".")[0] in lessons, link
        assert {name for name in parts if "." not in name} <= known, link


@each_case("text", TEXTS)
def test_every_file_that_is_linked_is_there(text):
    local = re.findall(r"\]\(((?!https?:)[^)#\s]+)\)", (ROOT / text).read_text(encoding="utf-8"))
    assert all((ROOT / "docs" / path).exists() for path in local), local
