"""The two languages of a translator, as its checkpoint's record names them."""

import re
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
NAME = re.compile(r"[^\W\d_][\w ()'.-]{0,59}")  # it is inserted into HTML, Markdown and format strings


class Language(NamedTuple):
    """A language by its code (BCP 47: "en", "pt-BR") and its English name."""

    code: str
    name: str


class Languages(NamedTuple):
    """The languages that a translator reads and writes."""

    source: Language
    target: Language


ENGLISH_TO_GERMAN = Languages(Language("en", "English"), Language("de", "German"))


def languages_of(record: Mapping[str, Any]) -> Languages:
    """The "languages" of a training record, {"source": {"code", "name"}, "target": ...}.

    Older records do not have them, and belong to translators from English to German. Raises ValueError if they have
    another form.
    """
    if "languages" not in record:
        return ENGLISH_TO_GERMAN
    match record["languages"]:
        case {"source": source, "target": target, **rest} if not rest:
            return Languages(parse_language(source), parse_language(target))
        case other:
            raise ValueError(f'"languages" must have a "source" and a "target", not {reprlib.repr(other)}')


def parse_languages(words: Sequence[str]) -> Languages:
    """The languages in the words `en:English de:German`: source, then target.

    Raises ValueError unless there are two, each with a valid code and name.
    """
    try:
        source, target = ({"code": code, "name": name} for code, _, name in (word.partition(":") for word in words))
        return Languages(parse_language(source), parse_language(target))
    except ValueError as error:
        raise ValueError(
            "languages must be two, what is read and what is written, as in --languages en:English de:German, "
            f"not {reprlib.repr(' '.join(words))}"
        ) from error


def languages_arguments(languages: Languages) -> tuple[str, ...]:
    """The words from which `parse_languages` makes them."""
    return tuple(f"{language.code}:{language.name}" for language in languages)


def languages_record(languages: Languages) -> dict[str, Any]:
    """The "languages" of a training record."""
    return {side: language._asdict() for side, language in languages._asdict().items()}


def parse_language(value: Any) -> Language:
    """A language of a record. Raises ValueError unless it has a valid code and name."""
    match value:
        case {"code": str(code), "name": str(name), **rest} if (
            not rest and CODE.fullmatch(code) and NAME.fullmatch(name)
        ):
            return Language(code, name)
    raise ValueError(
        f'a language must be named as {{"code": "pt-BR", "name": "Portuguese"}}, not as {reprlib.repr(value)}'
    )
