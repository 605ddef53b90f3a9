"""The words of every language: the same names, keys, placeholders and links in each, and looked up only when spoken."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from cases import each_case

import explorer
from explorer.ui.glossary import terms_in
from explorer.ui.language import FIRST, LANGUAGES, Voice, speaking
from explorer.ui.questions import bordered

ROOT = Path(explorer.__file__).parents[1]
FOLDERS = sorted((ROOT / "explorer").rglob("words/__init__.py"))
PACKAGES = [".".join(path.parent.relative_to(ROOT).parts) for path in FOLDERS]
OTHERS = [language for language in LANGUAGES if language != FIRST]
FILLED = {
    "{source_language}",
    "{target_language}",
}  # by what looks words up: each language says them where it needs them
OWN = {
    ("explorer.page.words", "SAME_PAGE"),  # those of the page, not of the model
    ("explorer.ui.glossary.words", "NAMES"),  # only where a term is not called by its key
    # Names of formats, which no one reads.
    *(("explorer.tabs.catalogue.words", name) for name in ("PERCENT", "NATS", "BITS", "PIECES", "PLAIN")),
}
FORMAT = re.compile(r"\['form'\]$")
# Words of the first language that are the same in another one.
SAME = {
    "de": {
        *("Attention", "Explorer", "Encoder", "Decoder", "Cross", "Token", "Tokens", "Query", "Queries", "Key", "Keys"),
        *("Value", "Score", "Logit", "Logits", "Softmax", "softmax", "Rollout", "Training", "Dropout", "Batch", "Beam"),
        *("Transformer", "Checkpoint", "Padding", "Patch", "Embedding", "Sampling", "Heatmap", "Position", "Parameter"),
        *(
            "Original",
            "Tour",
            "Pause",
            "Zoom",
            "Esc",
            "Tab",
            "Enter",
            "Name",
            "Seed",
            "Dimension",
            "Hardware",
            "Linear",
            "linear",
        ),
        *(
            "Greedy",
            "greedy",
            "Decoding",
            "diagonal",
            "self",
            "cross",
            "ffn",
            "log",
            "h",
            "min",
            "s",
            "pos",
            "BLEU",
            "chrF",
        ),
        *("Top", "k", "p", "G", "P", "S", "SVG", "PNG", "CSV", "JSON", "NPZ", "MB", "kB"),
    }
}
NAMES_OF_LANGUAGES = re.compile(r"\b(English|German|Englisch|Deutsch)")


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a value with the way to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from texts(part, f"{path}[{key!r}]")
    elif isinstance(value, list | tuple):
        for i, part in enumerate(value):
            yield from texts(part, f"{path}[{i}]")


def shape(value: Any) -> Any:
    """A value without its texts: keys at every depth, in their order, lengths, and kinds of all values."""
    if isinstance(value, dict):
        return [(key, shape(part)) for key, part in value.items()]
    if isinstance(value, list | tuple):
        return type(value)(map(shape, value))
    return type(value)


def words_of(package: str, language: str) -> dict[str, Any]:
    module = import_module(f"{package}.{language}")
    return {name: value for name, value in vars(module).items() if name.isupper() and (package, name) not in OWN}


def pairs(package: str, language: str) -> list[tuple[str, str, str]]:
    """Every text in the first language and in another one, after the way to it."""
    other = dict(texts(words_of(package, language)))
    return [(path, text, other[path]) for path, text in texts(words_of(package, FIRST)) if not FORMAT.search(path)]


def placeholders(text: str) -> set[str]:
    """Names in braces with how they are written, those of Plotly too; not all put a comma into thousands."""
    return {found.replace(":,", "") for found in re.findall(r"%?\{[^{}]*\}", text)} - FILLED


def untranslated(first: str, other: str, language: str) -> bool:
    """Whether two languages say the same in words that are not the same; commands are."""
    said = re.findall(r"[^\W\d_]+", re.sub(r"%?\{[^{}]*\}|<[^>]*>|`[^`]*`", "", first))
    return first == other and not first.startswith("python -m ") and not SAME[language].issuperset(said)


each = each_case("language", OTHERS)
of_all = each_case("package", PACKAGES)


@each
@of_all
def test_a_language_has_the_same_names_and_keys(package, language):
    names, firsts = words_of(package, language), words_of(package, FIRST)
    assert names.keys() == firsts.keys()
    assert [name for name, value in firsts.items() if shape(names[name]) != shape(value)] == []


@each
@of_all
def test_a_text_has_the_same_placeholders_in_every_language(package, language):
    differing = [path for path, first, other in pairs(package, language) if placeholders(first) != placeholders(other)]
    assert differing == []


@each
@of_all
def test_a_text_links_the_same_terms_in_every_language(package, language):
    assert [path for path, first, other in pairs(package, language) if terms_in([first]) != terms_in([other])] == []


@each
@of_all
def test_no_text_is_left_untranslated(package, language):
    assert [first for _, first, other in pairs(package, language) if untranslated(first, other, language)] == []


@each_case("language", LANGUAGES)
@of_all
def test_no_word_says_a_language_of_the_model_by_itself(package, language):
    said = list(texts(words_of(package, language)))
    assert [path for path, text in said if NAMES_OF_LANGUAGES.search(text)] == []


def test_what_differs_would_be_found():
    assert shape({"a": ("x", {"b": "y"})}) == shape({"a": ("z", {"b": ""})})
    assert shape({"a": ("x",)}) != shape({"a": ("x", "y")}) and shape({"a": "x"}) != shape({"b": "x"})
    assert placeholders("{n:,} of %{y:.2f}, {p:.0%} {source_language}") == {"{n}", "%{y:.2f}", "{p:.0%}"}
    assert untranslated("The row", "The row", "de") and untranslated("Try", "Try", "de")
    assert not untranslated("The row", "Die Zeile", "de") and not untranslated(
        "{a} · Encoder 1", "{a} · Encoder 1", "de"
    )
    assert len(PACKAGES) >= 24 and sum(len(pairs(package, FIRST)) for package in PACKAGES) > 800


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


def spoken_too_early(source: str, language: str | None = None) -> list[str]:
    """Words of one language for all: names imported from words, and words looked up while a module is imported.

    A module of words, in a language, may take those of another in the same language.
    """
    tree, found = ast.parse(source), []
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    for node in imports:
        package, _, last = node.module.rpartition(".")
        if last == "words" or (package.endswith("words") and last in LANGUAGES and last != language):
            found.append(f"from {node.module}")
    called = {name.asname or name.name for node in imports for name in node.names if name.name == "words"}
    looked_up = (node for node in at_import(tree) if isinstance(node, ast.Attribute))
    return found + [
        ast.unparse(node) for node in looked_up if isinstance(node.value, ast.Name) and node.value.id in called
    ]


def test_words_are_looked_up_when_they_are_spoken():
    files = [ROOT / "app.py", *sorted((ROOT / "explorer").rglob("*.py"))]
    languages = {path: path.stem if path.parent.name == "words" else None for path in files}
    early = {str(path): spoken_too_early(path.read_text(encoding="utf-8"), languages[path]) for path in files}
    assert {path: found for path, found in early.items() if found} == {}


@each_case(
    ("source", "found"),
    [
        ("from explorer.page.words import TITLE", ["from explorer.page.words"]),
        ("def title():\n    from explorer.page.words.en import TITLE", ["from explorer.page.words.en"]),
        ("from explorer.page import words\nTITLE = words.TITLE", ["words.TITLE"]),
        ("from explorer.page import words as said\nclass A:\n    title = [said.TITLE]", ["said.TITLE"]),
        ("from explorer.page import words\ndef f(title=words.TITLE): ...", ["words.TITLE"]),
        ("from explorer.page import words\n@words.TITLE\ndef f(*, a, b=words.B): ...", ["words.TITLE", "words.B"]),
        ("from explorer.page import words\ndef f():\n    return words.TITLE", []),
        ("from explorer.page import words\nf = lambda: words.TITLE", []),
        ("from explorer.page import words\nROOM = (words, 1)", []),
    ],
)
def test_words_spoken_too_early_would_be_found(source, found):
    assert spoken_too_early(source) == found


def test_words_of_a_language_take_those_of_another_language_from_nobody():
    assert spoken_too_early("from explorer.ui.words.de import STEP", "de") == []
    assert spoken_too_early("from explorer.ui.words.en import STEP", "de") == ["from explorer.ui.words.en"]


def test_a_question_with_a_fault_is_refused_in_one_language_at_a_time():
    @bordered
    def asked(words: list[int]) -> int:
        return len(words)

    for language, told in (("en", "number 2: input should be a valid integer"), ("de", r"Fehlers: /0/1\)\.$")):
        with speaking(Voice(language)), pytest.raises(ValueError, match=told) as refused:
            asked([1, "x"])  # type: ignore[list-item]
    assert "nput" not in str(refused.value)
