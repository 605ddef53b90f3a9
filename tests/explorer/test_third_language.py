"""A third language is a file in every folder of words, and one line: here French, some English that is marked."""

from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from reading import ROOT
from serving import served

from explorer.page.toolbar import toolbar
from explorer.tabs import tab_labels
from explorer.ui import translations
from explorer.ui.language import LANGUAGES, LanguageContext, text_in, use_language, validate_texts

MARK = "In French: "
SHIPPED = [ROOT / "assets" / "examples.json", *sorted((ROOT / "assets" / "lessons").glob("*.yaml"))]  # JSON is YAML


@pytest.fixture
def french(monkeypatch) -> Iterator[None]:
    """A page that also speaks French: the files of the first language, with two marked texts of the page."""
    load = translations.load

    def load_french(folder, language):
        words = load(folder, "en" if language == "fr" else language)
        marked = ("TITLE", "SAME_PAGE") if language == "fr" and folder.name == "page" else ()
        return words | {name: MARK + words[name] for name in marked}

    monkeypatch.setitem(LANGUAGES, "fr", "Français")
    monkeypatch.setattr(translations, "load", load_french)
    translations.lookup.cache_clear()
    yield
    translations.lookup.cache_clear()


def page_at(address: str) -> str:
    with urlopen(address) as answer:
        return answer.read().decode()


def test_the_page_stands_at_its_path_in_its_words(french, toy):
    for address in served(toy):
        assert f"{MARK}Attention Explorer" in page_at(f"{address}fr")
        assert f"{MARK}Attention Explorer" not in page_at(f"{address}de")


def test_every_other_page_leads_to_it_in_its_own_words(french):
    for language in LANGUAGES:
        with use_language(LanguageContext(language)):
            offered = toolbar(tab_labels()).settings["languages"]
        assert offered["names"]["fr"] == "Français" and offered["hint"]["fr"].startswith(MARK)
        assert offered["hint"].keys() == LANGUAGES.keys()


def test_a_text_of_a_file_is_shown_in_the_first_language_until_it_has_one(french):
    texts = validate_texts({"en": "a pronoun", "de": "ein Pronomen"})
    assert [text_in(texts, language) for language in ("en", "de", "fr")] == ["a pronoun", "ein Pronomen", "a pronoun"]


@pytest.mark.parametrize("texts", [{"de": "ein Pronomen"}, {"en": "a", "xx": "b"}, {"en": " "}, "", {}])
def test_a_file_without_a_text_in_the_first_language_is_refused(texts):
    with pytest.raises(ValueError, match="needs"):
        validate_texts(texts)


def by_language(value: Any) -> Iterator[dict[str, str]]:
    """Texts of a file that are given by language."""
    if isinstance(value, dict) and isinstance(value.get("en"), str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from by_language(part)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_is_shipped_has_every_text_in_every_language(path):
    found = list(by_language(yaml.safe_load(path.read_text(encoding="utf-8"))))
    assert found and all(texts.keys() == LANGUAGES.keys() for texts in found)
