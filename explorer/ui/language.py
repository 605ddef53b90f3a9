"""The language in which the page speaks: whose words are looked up, and how they name the languages of the model.

Words stand in packages called `words`, a module for each language with the same names in it: `words.TEXT` is that of
the language in force where it is looked up. A page is built in one language, and what it asks of the server later is
answered in it (`in_this_voice`). In all words {source_language} and {target_language} stand for the names of the
model's languages, which no word says by itself.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from babel import Locale, UnknownLocaleError

from explorer.ui.scripts import direction_of
from model.languages import ENGLISH_TO_GERMAN, Language, Languages

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
}  # of the page, by their own names; the first if none is asked for
FIRST = next(iter(LANGUAGES))

Texts = str | dict[str, str]  # of a file: one for all languages, or one each
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Voice:
    """The page's language, and the languages of the model that it speaks of."""

    language: str = FIRST
    languages: Languages = ENGLISH_TO_GERMAN

    def names(self) -> dict[str, str]:
        """What stands in words for the model's languages, in the page's language."""
        return {
            "source_language": name_in(self.language, self.languages.source),
            "target_language": name_in(self.language, self.languages.target),
        }

    def codes(self) -> dict[str, str]:
        """The model's languages as HTML's `lang` takes them, for nodes that hold its sentences."""
        return {"source": self.languages.source.code, "target": self.languages.target.code}

    def attributes(self) -> dict[str, dict[str, str]]:
        """Both for the browser, which makes nodes of its own."""
        return {"codes": self.codes(), "directions": self.directions()}

    def directions(self) -> dict[str, str]:
        """How they are written, as HTML's `dir` takes it: "ltr" or "rtl"."""
        return {"source": direction_of(self.languages.source), "target": direction_of(self.languages.target)}


VOICE: ContextVar[Voice] = ContextVar("voice", default=Voice())  # noqa: B039 (it is frozen)


@contextmanager
def speaking(voice: Voice) -> Iterator[None]:
    """In its block, and in what that calls, words are those of this voice."""
    before = VOICE.set(voice)
    try:
        yield
    finally:
        VOICE.reset(before)


def in_this_voice(function: Callable[P, T]) -> Callable[P, T]:
    """The function, answering in the voice that is in force now, whenever and wherever it is called."""
    voice = VOICE.get()

    @wraps(function)
    def speaks(*args: P.args, **kwargs: P.kwargs) -> T:
        with speaking(voice):
            return function(*args, **kwargs)

    return speaks


def spoken(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package of words: a name is looked up in the module of the language in force.

    What it gives is shared, and must not be changed.
    """

    def looked_up(name: str) -> Any:
        if not name.isupper():  # a submodule, or what Python itself asks a module for
            raise AttributeError(f"{package} has no {name}")
        return said(package, name, VOICE.get())

    return looked_up


@cache
def said(package: str, name: str, voice: Voice) -> Any:
    return filled(getattr(import_module(f"{package}.{voice.language}"), name), voice.names())


def filled(words: Any, names: dict[str, str]) -> Any:
    """Words with the names of the model's languages in their places; other names in braces stay."""
    if isinstance(words, str):
        for name, value in names.items():
            words = words.replace(f"{{{name}}}", value)
        return words
    if isinstance(words, dict):
        return {key: filled(value, names) for key, value in words.items()}
    if isinstance(words, list | tuple):
        return type(words)(filled(value, names) for value in words)
    return words


def checked(texts: Texts) -> Texts:
    """Texts of a file. Raises ValueError unless the first language has one, and no language that the page lacks."""
    if isinstance(texts, dict) and (FIRST not in texts or texts.keys() - LANGUAGES.keys()):
        raise ValueError(f"needs one text for all languages, or one for {FIRST} and others of {', '.join(LANGUAGES)}")
    if not all(text.strip() for text in ([texts] if isinstance(texts, str) else texts.values())):
        raise ValueError("needs a text")
    return texts


def grouped(number: int) -> str:
    """A whole number with its thousands apart: by a comma in English, elsewhere by a narrow space.

    In other languages a comma may be a decimal sign (numbers.js does the same in the browser).
    """
    text = f"{number:,}"
    return text if VOICE.get().language == "en" else text.replace(",", "\u202f")


def in_language(texts: Texts, language: str) -> str:
    """That of a language, or of the first where it has none: a file may be older than a language of the page."""
    return texts if isinstance(texts, str) else texts.get(language, texts[FIRST])


@cache
def name_in(language: str, named: Language) -> str:
    """What a language is called in another one; where that is not known, the name that the checkpoint gives."""
    toys = import_module(f"explorer.ui.words.{language}").TOY_LANGUAGES
    if named.code in toys:
        return toys[named.code]
    try:
        return Locale.parse(named.code, sep="-").get_language_name(language) or named.name
    except (UnknownLocaleError, ValueError):
        return named.name
