"""The glossary: every linked term has one definition, and a link shows it."""

from importlib import import_module
from pathlib import Path

import pytest

import explorer
from explorer.shared.glossary import glossary_list, linked, terms_in, unlinked, words


def texts() -> list[str]:
    """Every text of the page, from wherever it stands in a file of words."""
    root = Path(explorer.__file__).parent
    files = [path.relative_to(root.parent).with_suffix("") for path in root.rglob("words/*.py")]
    modules = [import_module(".".join(path.parts)) for path in files]
    waiting, found = [value for words in modules for name, value in vars(words).items() if name.isupper()], []
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, tuple | list):
            waiting += value
    return found


def test_every_linked_term_is_in_the_glossary():
    assert len(terms_in(texts())) >= 25
    assert terms_in(texts()) <= words.GLOSSARY.keys()


def test_a_link_shows_the_definition_at_the_word():
    assert linked("Its [[memory]].").startswith('Its <span class="term" tabindex="0">memory<span role="note">')
    assert words.GLOSSARY["memory"].replace("'", "&#x27;") in linked("Its [[memory]].")
    assert ">keys<span" in linked("All [[key|keys]]") and words.GLOSSARY["key"] in linked("All [[key|keys]]")


def test_a_text_keeps_its_own_signs():
    assert linked("a < b & c's") == "a &lt; b &amp; c's"
    assert unlinked("All [[key|keys]] of the [[memory]].") == "All keys of the memory."


def test_a_term_that_the_glossary_lacks_is_refused():
    with pytest.raises(KeyError, match="flux capacitor"):
        linked("A [[flux capacitor]].")


def test_the_list_has_every_term_once_in_alphabetical_order():
    shown = glossary_list()
    places = [shown.index(f"<dt>{term}</dt>") for term in sorted(words.GLOSSARY)]
    assert places == sorted(places) and shown.count("<dt>") == len(words.GLOSSARY) >= 25


def test_a_definition_is_a_sentence_without_links():
    assert all(text.endswith(".") and "[[" not in text for text in words.GLOSSARY.values())
