"""The two languages of a translator, as its checkpoint's record names them."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, TypeAdapter

from model.errors import UserError

CODE = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"
NAME = r"^[^\W\d_][\w ()'.-]*$"  # it is inserted into HTML, Markdown and format strings

MAX_NAME_CHARACTERS = 60


def refuse_list(value: Any) -> Any:
    """Only names say which is which. A NamedTuple would take a list."""
    if isinstance(value, list):
        raise ValueError('languages are named as {"source": {"code": "pt-BR", "name": "Portuguese"}, "target": ...}')
    return value


class Language(NamedTuple):
    """A language by its code (BCP 47: "en", "pt-BR") and its English name."""

    code: Annotated[str, Field(pattern=CODE)]
    name: Annotated[str, Field(pattern=NAME, max_length=MAX_NAME_CHARACTERS)]


class Languages(NamedTuple):
    """The languages that a translator reads and writes."""

    source: Annotated[Language, BeforeValidator(refuse_list)]
    target: Annotated[Language, BeforeValidator(refuse_list)]


NamedLanguages = Annotated[Languages, BeforeValidator(refuse_list)]
LANGUAGES = TypeAdapter(NamedLanguages)
ENGLISH_TO_GERMAN = Languages(Language("en", "English"), Language("de", "German"))


def languages_of(record: Mapping[str, Any]) -> Languages:
    """The "languages" of a training record, {"source": {"code", "name"}, "target": ...}.

    Older records do not have them, and belong to translators from English to German.
    """
    return LANGUAGES.validate_python(record.get("languages", ENGLISH_TO_GERMAN))


def parse_languages(words: Sequence[str]) -> Languages:
    """The languages in the words `en:English de:German`: source, then target.

    Raises UserError unless there are two, each with a valid code and name.
    """
    try:
        source, target = ({"code": code, "name": name} for code, _, name in (word.partition(":") for word in words))
        return LANGUAGES.validate_python({"source": source, "target": target})
    except ValueError as error:
        raise UserError(
            "languages must be two, what is read and what is written, as in --languages en:English de:German, "
            f"not {reprlib.repr(' '.join(words))}"
        ) from error


def languages_arguments(languages: Languages) -> tuple[str, ...]:
    """The words from which `parse_languages` makes them."""
    return tuple(f"{language.code}:{language.name}" for language in languages)


def languages_record(languages: Languages) -> dict[str, Any]:
    """The "languages" of a training record."""
    return {side: language._asdict() for side, language in languages._asdict().items()}
