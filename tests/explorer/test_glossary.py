"""The glossary: every linked term has one definition, and a link shows it."""

import html
import re
from collections.abc import Iterator

import pytest

from explorer.ui.glossary import glossary_list, link_terms, term_name, words
from explorer.ui.language import LANGUAGES, LanguageContext, use_language


def test_a_link_shows_the_definition_at_the_word():
    assert link_terms("Its [[memory]].").startswith('Its <span class="term" tabindex="0">memory<span role="note">')
    assert words.GLOSSARY["memory"].replace("'", "&#x27;") in link_terms("Its [[memory]].")
    assert ">keys<span" in link_terms("All [[key|keys]]") and words.GLOSSARY["key"] in link_terms("All [[key|keys]]")


def test_a_term_that_the_glossary_lacks_is_refused():
    with pytest.raises(KeyError, match="flux capacitor"):
        link_terms("A [[flux capacitor]].")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language of the page, in force."""
    with use_language(LanguageContext(request.param)):
        yield request.param


def test_the_list_has_every_term_once_in_alphabetical_order(language):
    shown = re.findall("<dt>(.*?)</dt>", glossary_list())
    assert {html.unescape(name) for name in shown} == {term_name(term) for term in words.GLOSSARY}
    assert len(shown) == len(words.GLOSSARY) >= 25 and words.NAMES.keys() <= words.GLOSSARY.keys()
    if language == "zh":  # Latin letters, then Chinese ones by Pinyin
        some = ["BLEU", "softmax", "编码器", "层", "解码器", "嵌入", "值"]
        assert [name for name in shown if name in some] == some
        return
    folded = [name.casefold().replace("ä", "a").replace("ö", "o").replace("ü", "u") for name in shown]
    assert folded == sorted(folded)


def test_a_term_is_called_by_its_name_in_the_language_of_the_page():
    with use_language(LanguageContext("de")):
        assert link_terms("Eine [[layer]].").startswith(
            'Eine <span class="term" tabindex="0">Schicht<span role="note">Der '
        )


def test_a_text_keeps_its_own_signs():
    assert link_terms("a < b & c's") == "a &lt; b &amp; c's"
