"""All words on screen stand in files of words; a linked term is one of the glossary, and shows its definition."""

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cases import each_case

import explorer
from explorer.ui.component import fill_words
from explorer.ui.glossary import glossary_list, link_terms, strip_links, term_name, words
from explorer.ui.language import LANGUAGES, LanguageContext, use_language

TEMPLATES = sorted(Path(explorer.__file__).parent.rglob("*.html"))


class Words(HTMLParser):
    """What of a template a visitor would read or hear, names in braces and formulas left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found, self.formulas = [], 0

    def handle_starttag(self, tag, attrs):
        self.formulas += tag == "math"
        for name, value in attrs:
            if name in ("title", "placeholder", "alt") or name.startswith("aria-label"):
                self.handle_data(value or "")

    def handle_endtag(self, tag):
        self.formulas -= tag == "math"

    def handle_data(self, data):
        if not self.formulas:
            self.found += re.findall(r"[^\W\d_]+", re.sub(r"\{[\w ]+\}", "", data))


def words_in(template: str) -> list[str]:
    parser = Words()
    parser.feed(template)
    return parser.found


@each_case("path", TEMPLATES)
def test_no_word_stands_in_a_template(path):
    assert words_in(path.read_text(encoding="utf-8")) == []


def test_a_template_is_filled_with_words():
    given = {"name": 'a "b" <c>', "hint": "All [[key|keys]].", "part": "<i>1</i>"}
    told = fill_words('<p title="{name}">{linked hint}{html part}</p>', given)
    assert told == f'<p title="a &quot;b&quot; &lt;c&gt;">{link_terms(given["hint"])}<i>1</i></p>'


@each_case("words", [{}, {"one": "1"}, {"one": "1", "two": "2", "three": "3"}])
def test_a_missing_or_unused_word_is_refused(words):
    with pytest.raises(ValueError, match=r"two|three"):
        fill_words("{one} {two}", words)


@each_case("text", ["costs ${price}", "{{name}}"])
def test_what_gradio_would_read_is_refused(text):
    with pytest.raises(ValueError, match="Gradio"):
        fill_words("<p>{one}</p>", {"one": text})


def test_what_is_filled_in_is_not_filled_again():
    assert fill_words("{one} {two}", {"one": "{two}", "two": "2"}) == "{two} 2"


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
    assert len(shown) == len(words.GLOSSARY) >= 25
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
        assert strip_links("Alle [[layer|Schichten]], jede [[layer]].") == "Alle Schichten, jede Schicht."


def test_a_text_keeps_its_own_signs():
    assert link_terms("a < b & c's") == "a &lt; b &amp; c's"
    assert strip_links("All [[key|keys]] of the [[memory]].") == "All keys of the memory."
