"""Translation catalogues: the words of a folder, one file for each language of the page.

    words = Translations(__file__)     # in a package whose folder has words.en.yaml, words.de.yaml ...
    words.TITLE                        # in the language in use where it is looked up

All words on the screen stand in these files. A name in braces is a placeholder: {source_language} and {target_language}
are filled in here with the names of the model's languages, all others by the code that shows the text. `[[term]]` links
to the glossary. Every language has the same names, keys and placeholders; a file that differs is refused. Only what is
an empty mapping in the first language may have any keys in the others.
"""

import re
from functools import cache
from numbers import Real
from pathlib import Path
from string import Formatter
from typing import Any

import yaml
from babel import Locale, UnknownLocaleError

from explorer.ui.language import FIRST, LANGUAGE_CONTEXT, LanguageContext, local_number
from model.languages import Language

PLACEHOLDER = re.compile(r"%?\{[^{}]*\}")
LANGUAGE_PLACEHOLDERS = {"{source_language}", "{target_language}"}  # optional in each language
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first is twenty times faster, where libyaml is there


class LocalFormatter(Formatter):
    """Fills in numbers with the signs of the language in use."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = super().format_field(value, format_spec)
        return local_number(text) if isinstance(value, Real) else text


class Text(str):
    """A text of the words: `format` writes numbers as the language in use does."""

    def format(self, *args: object, **values: object) -> str:
        return LocalFormatter().vformat(self, args, values)


class Translations:
    """The words of a file's folder, by name, in the current language; values are shared and must not be modified."""

    def __init__(self, file: str):
        self.folder = Path(file).parent

    def __getattr__(self, name: str) -> Any:
        if not name.isupper():  # Python's own attribute lookups
            raise AttributeError(name)
        return lookup(self.folder, name, LANGUAGE_CONTEXT.get())


@cache
def lookup(folder: Path, name: str, context: LanguageContext) -> Any:
    """A text, or a dictionary or list of texts, with the names of the model's languages filled in."""
    words = load(folder, context.language)
    if name not in words:
        raise AttributeError(f"{folder} has no words {name}")
    return fill_names(words[name], model_language_names(context))


@cache
def load(folder: Path, language: str) -> dict[str, Any]:
    """The words of a folder in a language. Raises ValueError if they do not match those of the first language."""
    path = folder / f"words.{language}.yaml"
    words = yaml.load(path.read_bytes(), Loader=LOADER)
    if language != FIRST and (fault := mismatch(load(folder, FIRST), words)):
        raise ValueError(f"{path}: {fault}")
    return words


def mismatch(first: Any, other: Any, path: str = "") -> str | None:
    """How words differ from those of the first language in kind, keys, number or placeholders; None if they match."""
    if type(first) is not type(other):
        return f"{path or 'the file'} is no {type(first).__name__}"
    if isinstance(first, dict):
        if strange := [key for key in first if not isinstance(key, str)]:  # YAML reads "off" and "no" as truth values
            return f"{path or 'the file'} has the key {strange[0]}, which is no text"
        if first and list(first) != list(other):
            return f"{path or 'the file'} must have the keys {', '.join(first)}, in this order"
        faults = (mismatch(first[key], other[key], f"{path}.{key}".lstrip(".")) for key in first)
    elif isinstance(first, list):
        if len(first) != len(other):
            return f"{path} must have {len(first)} texts"
        faults = (mismatch(one, two, f"{path}.{i}") for i, (one, two) in enumerate(zip(first, other, strict=True)))
    else:
        faults = iter([text_mismatch(first, other, path)])
    return next(filter(None, faults), None)


def text_mismatch(first: str, other: str, path: str) -> str | None:
    if bool(first.strip()) != bool(other.strip()):
        return f"{path} needs a text"
    expected, found = placeholders(first), placeholders(other)
    return f"{path} must have the placeholders {sorted(expected)}, not {sorted(found)}" if expected != found else None


def placeholders(text: str) -> set[str]:
    """Names in braces with how they are formatted, those of Plotly (`%{x}`) too; not all put a comma into thousands."""
    return {found.replace(":,", "") for found in PLACEHOLDER.findall(text)} - LANGUAGE_PLACEHOLDERS


def fill_names(words: Any, names: dict[str, str]) -> Any:
    """Words with the names of the model's languages in their places; other placeholders stay."""
    if isinstance(words, str):
        for name, value in names.items():
            words = words.replace(f"{{{name}}}", value)
        return Text(words)
    if isinstance(words, dict):
        return {key: fill_names(value, names) for key, value in words.items()}
    if isinstance(words, list):
        return [fill_names(value, names) for value in words]
    return words


def model_language_names(context: LanguageContext) -> dict[str, str]:
    """The values of {source_language} and {target_language}, in the page's language."""
    source, target = context.languages
    return {
        "source_language": language_name(context.language, source),
        "target_language": language_name(context.language, target),
    }


@cache
def language_name(language: str, named: Language) -> str:
    """The name of a language in another one; if unknown, the name from the checkpoint."""
    toys = load(Path(__file__).parent, language)["TOY_LANGUAGES"]
    if named.code in toys:
        return toys[named.code]
    try:
        return Locale.parse(named.code, sep="-").get_language_name(language) or named.name
    except (UnknownLocaleError, ValueError):
        return named.name
