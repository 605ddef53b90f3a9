"""The two languages of a translator, as its checkpoint's record names them."""

import re
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
NAME = re.compile(r"[^\W\d_][\w ()'.-]{0,59}")  # it stands in texts, some of them HTML, Markdown or with braces


class Language(NamedTuple):
    """A language by its code (BCP 47: "en", "pt-BR") and its English name."""

    code: str
    name: str


class Languages(NamedTuple):
    """What a translator reads, and what it writes."""

    source: Language
    target: Language


ENGLISH_TO_GERMAN = Languages(Language("en", "English"), Language("de", "German"))


def languages_of(record: Mapping[str, Any]) -> Languages:
    """Those under "languages" of a training record, {"source": {"code", "name"}, "target": ...}.

    A record without them is that of a translator from English to German, as all were before records named them.
    Raises ValueError where they are named in another way.
    """
    if "languages" not in record:
        return ENGLISH_TO_GERMAN
    match record["languages"]:
        case {"source": source, "target": target, **rest} if not rest:
            return Languages(parse_language(source), parse_language(target))
        case other:
            raise ValueError(f'"languages" must have a "source" and a "target", not {reprlib.repr(other)}')


def parse_languages(words: Sequence[str]) -> Languages:
    """Those of the words `en:English de:German`: what is read, then what is written.

    Raises ValueError where they are not two, each a code and a name as a record may hold them.
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
    """The words that `languages_named` takes for them."""
    return tuple(f"{language.code}:{language.name}" for language in languages)


def languages_record(languages: Languages) -> dict[str, Any]:
    """What a training record says under "languages"."""
    return {side: language._asdict() for side, language in languages._asdict().items()}


def parse_language(named: Any) -> Language:
    """A language of a record. Raises ValueError where it has no code and name that can stand on a page."""
    match named:
        case {"code": str(code), "name": str(name), **rest} if (
            not rest and CODE.fullmatch(code) and NAME.fullmatch(name)
        ):
            return Language(code, name)
    raise ValueError(
        f'a language must be named as {{"code": "pt-BR", "name": "Portuguese"}}, not as {reprlib.repr(named)}'
    )
