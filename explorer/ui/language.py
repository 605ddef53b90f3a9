"""The language of the page: the current one, and texts and numbers in it.

A page is built in one language, and the server answers its requests in it. The words are in translation catalogues
(translations.py).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from explorer.ui.scripts import direction_of
from model.languages import ENGLISH_TO_GERMAN, Languages

# The languages of the page with their own names; the first is the default.
LANGUAGES = {"en": "English", "de": "Deutsch", "zh": "简体中文"}
FIRST = next(iter(LANGUAGES))
TAGS = {"zh": "zh-CN"}  # the other languages are called by their codes
WITH_ENGLISH_NUMBERS = {"en", "zh"}  # decimal point, commas between thousands, no blank before %

Texts = str | dict[str, str]  # in a file: one text for all languages, or one each


@dataclass(frozen=True)
class LanguageContext:
    """The page's language, and the model's languages."""

    language: str = FIRST
    languages: Languages = ENGLISH_TO_GERMAN

    def codes(self) -> dict[str, str]:
        """The codes of the model's languages for HTML's `lang`."""
        return {"source": self.languages.source.code, "target": self.languages.target.code}

    def attributes(self) -> dict[str, dict[str, str]]:
        """Codes and directions for the browser."""
        return {"codes": self.codes(), "directions": self.directions()}

    def directions(self) -> dict[str, str]:
        """The directions of the model's languages for HTML's `dir`: "ltr" or "rtl"."""
        return {"source": direction_of(self.languages.source), "target": direction_of(self.languages.target)}


# Its default is frozen, which ruff does not see.
LANGUAGE_CONTEXT: ContextVar[LanguageContext] = ContextVar("language", default=LanguageContext())  # noqa: B039


def tag_of(language: str) -> str:
    """The language of the page as HTML's `lang` and Gradio call it."""
    return TAGS.get(language, language)


@contextmanager
def use_language(context: LanguageContext) -> Iterator[None]:
    """Sets the current language within a `with` block."""
    token = LANGUAGE_CONTEXT.set(context)
    try:
        yield
    finally:
        LANGUAGE_CONTEXT.reset(token)


def validate_texts(texts: Texts) -> Texts:
    """The texts of a file. Raises ValueError if the first language has none, or if a language is unknown."""
    if isinstance(texts, dict) and (FIRST not in texts or texts.keys() - LANGUAGES.keys()):
        raise ValueError(f"needs one text for all languages, or one for {FIRST} and others of {', '.join(LANGUAGES)}")
    if not all(text.strip() for text in ([texts] if isinstance(texts, str) else texts.values())):
        raise ValueError("needs a text")
    return texts


LOCAL_SIGNS = str.maketrans({",": "\u202f", ".": ","})


def local_number(text: str) -> str:
    """A number as Python writes it, with the signs of the language in use.

    Some have a decimal point and commas between thousands, the others a decimal comma and narrow spaces; a minus is as
    wide as a plus (numbers.js does the same in the browser).
    """
    text = text.replace("-", "−")
    return text if LANGUAGE_CONTEXT.get().language in WITH_ENGLISH_NUMBERS else text.translate(LOCAL_SIGNS)


def format_integer(number: int) -> str:
    return local_number(f"{number:,}")


def format_decimal(number: float, digits: int) -> str:
    return local_number(f"{number:.{digits}f}")


def shown_percent(share: float) -> int:
    """A share in whole percent, rounded once and halves up, as numbers.js has it."""
    return int((100 * Decimal(share)).to_integral_value(ROUND_HALF_UP))


def format_percent(share: float) -> str:
    """The same as a text without the sign; "≈0" of what is not quite 0."""
    percent = shown_percent(share)
    return "≈0" if percent == 0 and share > 0 else f"{percent}"


def join_list(items: Iterable[str]) -> str:
    """Items one after the other, as the language in use separates them."""
    return ("、" if LANGUAGE_CONTEXT.get().language == "zh" else ", ").join(items)


def text_in(texts: Texts, language: str) -> str:
    """The text in a language, or in the first if it has none: a file may be older than a language of the page."""
    return texts if isinstance(texts, str) else texts.get(language, texts[FIRST])
