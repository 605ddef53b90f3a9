"""The language of the page: which one is in use, and how texts of files and numbers follow it.

A page is built in one language, and what it asks of the server later is answered in it (`in_current_language`). The
words themselves stand in translation catalogues (translations.py).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from explorer.ui.scripts import direction_of
from model.languages import ENGLISH_TO_GERMAN, Languages

# Of the page, by their own names; the first if none is asked for.
LANGUAGES = {"en": "English", "de": "Deutsch"}
FIRST = next(iter(LANGUAGES))

Texts = str | dict[str, str]  # of a file: one for all languages, or one each
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class LanguageContext:
    """The page's language, and the languages of the model that it speaks of."""

    language: str = FIRST
    languages: Languages = ENGLISH_TO_GERMAN

    def codes(self) -> dict[str, str]:
        """The model's languages as HTML's `lang` takes them, for nodes that hold its sentences."""
        return {"source": self.languages.source.code, "target": self.languages.target.code}

    def attributes(self) -> dict[str, dict[str, str]]:
        """Both for the browser, which makes nodes of its own."""
        return {"codes": self.codes(), "directions": self.directions()}

    def directions(self) -> dict[str, str]:
        """How they are written, as HTML's `dir` takes it: "ltr" or "rtl"."""
        return {"source": direction_of(self.languages.source), "target": direction_of(self.languages.target)}


LANGUAGE_CONTEXT: ContextVar[LanguageContext] = ContextVar("language", default=LanguageContext())  # noqa: B039 (it is frozen)


@contextmanager
def use_language(context: LanguageContext) -> Iterator[None]:
    """Looks words up in this language, in its block and in what that calls."""
    token = LANGUAGE_CONTEXT.set(context)
    try:
        yield
    finally:
        LANGUAGE_CONTEXT.reset(token)


def in_current_language(function: Callable[P, T]) -> Callable[P, T]:
    """The function, answering in the language that is in use now, whenever and in whatever thread it is called."""
    context = LANGUAGE_CONTEXT.get()

    @wraps(function)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        with use_language(context):
            return function(*args, **kwargs)

    return answer


def validate_texts(texts: Texts) -> Texts:
    """Texts of a file. Raises ValueError unless the first language has one, and no language that the page lacks."""
    if isinstance(texts, dict) and (FIRST not in texts or texts.keys() - LANGUAGES.keys()):
        raise ValueError(f"needs one text for all languages, or one for {FIRST} and others of {', '.join(LANGUAGES)}")
    if not all(text.strip() for text in ([texts] if isinstance(texts, str) else texts.values())):
        raise ValueError("needs a text")
    return texts


def format_integer(number: int) -> str:
    """A whole number with its thousands apart: by a comma in English, elsewhere by a narrow space.

    In other languages a comma may be a decimal sign (numbers.js does the same in the browser).
    """
    text = f"{number:,}"
    return text if LANGUAGE_CONTEXT.get().language == "en" else text.replace(",", "\u202f")


def text_in(texts: Texts, language: str) -> str:
    """That of a language, or of the first where it has none: a file may be older than a language of the page."""
    return texts if isinstance(texts, str) else texts.get(language, texts[FIRST])
