"""All words on screen stand in files, the same keys and links in every language; a link shows its definition."""

import ast
import html
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import each_case
from reading import FOLDERS, ROOT, texts

import explorer
from explorer.handout.inline import PLACEHOLDER
from explorer.ui.component import fill_words
from explorer.ui.glossary import LINK, glossary_list, link_terms, term_name
from explorer.ui.glossary import words as glossary
from explorer.ui.language import FIRST, LANGUAGES, LanguageContext, text_in, use_language, validate_texts
from explorer.ui.questions import validated
from explorer.ui.translations import load, mismatch, placeholders

OTHERS = [language for language in LANGUAGES if language != FIRST]
# Those of the page, not of the model; only where a term is not called by its key.
UNSHARED = {("page", "SAME_PAGE"), ("glossary", "NAMES")}
FORMAT = re.compile(r"\['(form|trace\.attention\.\*\.shape)'\]$")
# Words of the first language that are the same in another one.
SAME_IN_GERMAN = """
    API Attention BLEU Batch Beam CSV Checkpoint Code Cross Decoder Decoding Dimension Dropout Embedding Encoder Enter
    Esc Explorer FFN G Greedy Hardware Heatmap JSON Key Keys Linear Link Logit Logits MB NPZ Name Neuron Original P
    PDF PNG Padding Parameter Patch Pause Position Queries Query Rollout S SVG Sampling Score Scores Seed Softmax Tab
    Token Tokens Top Tour Training Transformer Value Zoom chrF cross diagonal ffn greedy h k kB linear log min p
    pos q s self softmax text α
"""
SAME_IN_CHINESE = """
    API BLEU End Enter Esc G Home L MB P PDF PNG PgDn PgUp S SVG Shift Softmax Tab Top chrF docs guide k kB
    logit logits md p q s α
"""
SAME = {"de": SAME_IN_GERMAN.split(), "zh": SAME_IN_CHINESE.split()}
SYMBOLS = ["GELU", "K", "O", "Q", "QK", "ReLU", "SiLU", "V", "W", "X", "x"]
NAMES_OF_LANGUAGES = re.compile(r"\b(English|German|Englisch|Deutsch)|英语|德语")


def terms_in(texts: Iterable[str]) -> set[str]:
    """The terms to which texts link."""
    return {match[1] for text in texts for match in LINK.finditer(text)}


def words_of(folder: Path, language: str) -> dict[str, Any]:
    return {name: value for name, value in load(folder, language).items() if (folder.name, name) not in UNSHARED}


def pairs(language: str) -> Iterator[tuple[str, str, str]]:
    """Every text in the first language and in another one, after the way to it."""
    for folder in FOLDERS:
        other = dict(texts(words_of(folder, language), folder.name))
        for path, text in texts(words_of(folder, FIRST), folder.name):
            if not FORMAT.search(path):
                yield path, text, other[path]


def is_untranslated(first: str, other: str, language: str) -> bool:
    """Whether two languages have the same text in words that are not the same; commands are."""
    said = re.findall(r"[^\W\d_]+", re.sub(r"%?\{[^{}]*\}|<[^>]*>|`[^`]*`", "", first))
    return first == other and not first.startswith("python -m ") and not {*said} <= {*SAME[language], *SYMBOLS}


@each_case("language", LANGUAGES)
def test_every_file_of_words_matches_that_of_the_first_language(language):
    assert len(FOLDERS) >= 24
    for folder in FOLDERS:
        load(folder, language)  # which refuses one that does not match


@pytest.mark.parametrize(
    ("first", "other", "fault"),
    [
        ({"A": "x", "B": "y"}, {"A": "x"}, "must have the keys A, B"),
        ({"A": {"b": "x"}}, {"A": "x"}, "A is no dict"),
        ({"A": ["x", "y"]}, {"A": ["x"]}, "A must have 2 texts"),
        ({"A": {"b": "{n:,} of %{y:.2f}"}}, {"A": {"b": "{n} of {y}"}}, "A.b must have the placeholders"),
        ({"A": "x"}, {"A": " "}, "A needs a text"),
    ],
)
def test_words_that_do_not_match_are_refused(first, other, fault):
    assert fault in (mismatch(first, other) or "")
    assert mismatch(first, first) is None
    assert "A has the key False" in (mismatch({"A": {False: "x"}}, {"A": {False: "y"}}) or "")  # YAML's "off"
    assert placeholders("{n:,} of %{y:.2f} {source_language}") == {"{n}", "%{y:.2f}"}


@each_case("language", OTHERS)
def test_a_text_links_the_same_terms_in_every_language(language):
    differing = [path for path, first, other in pairs(language) if terms_in([first]) != terms_in([other])]
    assert differing == [] and len([*pairs(language)]) > 800


def test_every_linked_term_is_in_the_glossary():
    linked = terms_in(text for folder in FOLDERS for _, text in texts(words_of(folder, FIRST)))
    assert len(linked) > 30 and linked <= glossary.GLOSSARY.keys()


@each_case("language", OTHERS)
def test_no_text_is_left_untranslated(language):
    assert [first for _, first, other in pairs(language) if is_untranslated(first, other, language)] == []
    assert is_untranslated("The row", "The row", "de") and not is_untranslated("{a} · Encoder", "{a} · Encoder", "de")


@each_case("language", LANGUAGES)
def test_no_text_names_the_languages_of_the_model_itself(language):
    all_texts = [pair for folder in FOLDERS for pair in texts(words_of(folder, language), folder.name)]
    assert [path for path, text in all_texts if NAMES_OF_LANGUAGES.search(text)] == []


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated when a module is imported: all but the bodies of functions."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        children = [*decorators, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    else:
        children = ast.iter_child_nodes(node)
    for child in children:
        yield child
        yield from at_import(child)


def early_lookups(source: str) -> list[str]:
    """Words that are looked up while a module is imported, and so in one language for all."""
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {name.asname or name.name for node in imports for name in node.names if name.name == "words"}
    attributes = (node for node in at_import(tree) if isinstance(node, ast.Attribute))
    return [ast.unparse(node) for node in attributes if isinstance(node.value, ast.Name) and node.value.id in names]


def test_words_are_looked_up_when_they_are_shown():
    files = [ROOT / "app.py", *sorted((ROOT / "explorer").rglob("*.py"))]
    assert [str(path) for path in files if early_lookups(path.read_text(encoding="utf-8"))] == []
    begin = "from explorer.page import words\n"
    assert early_lookups(begin + "TITLE = words.TITLE") and early_lookups(begin + "def f(title=words.TITLE): ...")
    assert early_lookups(begin + "def f():\n    return words.TITLE") == []


def test_a_question_with_a_fault_is_refused_in_one_language_at_a_time():
    @validated
    def asked(words: list[int]) -> int:
        return len(words)

    for language, told in (("en", "number 2: input should be a valid integer"), ("de", r"Fehlers: /0/1\)\.$")):
        with use_language(LanguageContext(language)), pytest.raises(ValueError, match=told) as refused:
            asked([1, "x"])  # type: ignore[list-item]
    assert "nput" not in str(refused.value)


SHIPPED = [ROOT / "assets" / "examples.json", *sorted((ROOT / "assets" / "lessons").glob("*.yaml"))]  # JSON is YAML


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


def test_a_text_of_a_file_needs_the_first_language_and_is_shown_in_it_where_it_has_no_other():
    texts = validate_texts({"en": "a pronoun", "de": "ein Pronomen"})
    assert [text_in(texts, language) for language in ("en", "de", "zh")] == ["a pronoun", "ein Pronomen", "a pronoun"]
    for wrong in ({"de": "ein Pronomen"}, {"en": "a", "xx": "b"}, {"en": " "}, "", {}):
        with pytest.raises(ValueError, match="needs"):
            validate_texts(wrong)


TEMPLATES = sorted(Path(explorer.__file__).parent.rglob("*.html"))


class Words(HTMLParser):
    """What of a template a visitor would read or hear, placeholders and formulas left out."""

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
    parser.feed(PLACEHOLDER.sub("", template))  # in a textarea it is no comment
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


def test_what_is_filled_in_is_not_filled_again():
    assert fill_words("{one} {two}", {"one": "{two}", "two": "2"}) == "{two} 2"


def test_a_link_shows_the_definition_at_the_word():
    assert link_terms("Its [[memory]].").startswith('Its <span class="term" tabindex="0">memory<span role="note">')
    assert glossary.GLOSSARY["memory"].replace("'", "&#x27;") in link_terms("Its [[memory]].")
    assert ">keys<span" in link_terms("All [[key|keys]]") and glossary.GLOSSARY["key"] in link_terms("All [[key|keys]]")


def test_matrices_in_texts_with_terms_are_written_as_in_a_formula():
    assert link_terms("W_Q and d_model, in W_K.") == "W<sub>Q</sub> and d_model, in W<sub>K</sub>."
    assert "W_O" in glossary.GLOSSARY["multi-head attention"]
    assert "W<sub>O</sub>" in link_terms("[[multi-head attention]]") and "W_O" not in glossary_list()


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
    assert {html.unescape(name) for name in shown} == {term_name(term) for term in glossary.GLOSSARY}
    assert len(shown) == len(glossary.GLOSSARY) >= 25
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
