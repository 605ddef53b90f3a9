"""A third language is a file in every package of words, and one line: here French, some English that is marked."""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from cases import each_case
from reading import PACKAGES, ROOT
from serving import served

from explorer.page.toolbar import toolbar
from explorer.tabs import tabs
from explorer.ui.language import LANGUAGES, Voice, checked, in_language, speaking

MARK = "In French: "
SHIPPED = [ROOT / "assets" / "examples.json", *sorted((ROOT / "assets" / "lessons").glob("*.yaml"))]  # JSON is YAML


class Copied(SourceFileLoader):
    """Loads en.py as fr.py, with the imports of the other words changed: what CONTRIBUTING.md tells to do."""

    def get_data(self, path: str) -> bytes:
        return super().get_data(path).replace(b".words.en import", b".words.fr import")

    def get_code(self, fullname: str) -> Any:
        """Without Python's cache, which would be that of en.py."""
        return self.source_to_code(self.get_data(self.path), self.path)


class French(MetaPathFinder):
    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        package, _, language = fullname.rpartition(".")
        if language != "fr" or package not in PACKAGES:
            return None
        file = str(ROOT / Path(*package.split(".")) / "en.py")
        return spec_from_file_location(fullname, file, loader=Copied(fullname, file))


@pytest.fixture
def french(monkeypatch) -> Iterator[None]:
    finder = French()
    sys.meta_path.insert(0, finder)
    monkeypatch.setitem(LANGUAGES, "fr", "Français")
    words = import_module("explorer.page.words.fr")
    for name in ("TITLE", "SAME_PAGE"):
        monkeypatch.setattr(words, name, MARK + getattr(words, name))
    yield
    sys.meta_path.remove(finder)
    for package in PACKAGES:
        sys.modules.pop(f"{package}.fr", None)


def page_at(address: str) -> str:
    with urlopen(address) as answer:
        return answer.read().decode()


def test_the_page_stands_at_its_path_in_its_words(french, toy):
    for address in served(toy):
        assert f"{MARK}Attention Explorer" in page_at(f"{address}fr")
        assert f"{MARK}Attention Explorer" not in page_at(f"{address}de")


def test_every_other_page_leads_to_it_in_its_own_words(french):
    for language in LANGUAGES:
        with speaking(Voice(language)):
            offered = json.loads(toolbar(tabs()).props["settings"])["languages"]
        assert offered["names"]["fr"] == "Français" and offered["hint"]["fr"].startswith(MARK)
        assert offered["hint"].keys() == LANGUAGES.keys()


def test_a_text_of_a_file_is_shown_in_the_first_language_until_it_has_one(french):
    texts = checked({"en": "a pronoun", "de": "ein Pronomen"})
    assert [in_language(texts, language) for language in LANGUAGES] == ["a pronoun", "ein Pronomen", "a pronoun"]


@each_case("texts", [{"de": "ein Pronomen"}, {"en": "a", "xx": "b"}, {"en": " "}, "", {}])
def test_a_file_without_a_text_in_the_first_language_is_refused(texts):
    with pytest.raises(ValueError, match="needs"):
        checked(texts)


def by_language(value: Any) -> Iterator[dict[str, str]]:
    """Texts of a file that are given by language."""
    if isinstance(value, dict) and isinstance(value.get("en"), str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from by_language(part)


@each_case("path", SHIPPED)
def test_what_is_shipped_has_every_text_in_every_language(path):
    found = list(by_language(yaml.safe_load(path.read_text(encoding="utf-8"))))
    assert found and all(texts.keys() == LANGUAGES.keys() for texts in found)
