"""All words on screen stand in files of words: a template takes them from there, and holds none itself."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cases import each_case

import explorer
from explorer.ui.component import fill_words
from explorer.ui.glossary import link_terms

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
