"""Sentences to begin with, in the language that the model reads: ours, a teacher's, or those that a checkpoint has."""

import gzip
import zlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any
from unicodedata import east_asian_width

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import from_json
from typing_extensions import TypedDict

from explorer.ui.faults import with_path
from explorer.ui.language import LANGUAGE_CONTEXT, Texts, text_in, validate_texts
from explorer.ui.limits import MAX_CHARACTERS
from model.files import read_text
from model.languages import Language

LARGEST = 1_000_000  # bytes of a file of examples; ours has 11,283
MOST = 8  # sentences of a checkpoint's own
LABEL = 24  # columns of a sentence that stands for itself
ROW, AROUND = 148, 6  # columns of one row of Explore 1366 px wide, and those that a button takes beside its label


class Example(BaseModel):
    """A clickable sentence, as it stands in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    shows: Annotated[Texts, AfterValidator(validate_texts)]
    sentence: str
    opens_at: str = ""


class Begun(BaseModel):
    """Sentences that two tabs begin with, in one language."""

    masks: tuple[str, ...]  # three of unequal length, for a batch
    order: tuple[str, ...]  # two of the same pieces; none where words have no blanks between them


class Told(TypedDict):
    """What is read here of a story: its sentences."""

    sentences: list["ToldSentence"]


class ToldSentence(TypedDict):
    sentence: str


LIST = Annotated[list[Example], Field(min_length=1)]
EXAMPLES, BY_LANGUAGE = TypeAdapter(LIST), TypeAdapter(dict[str, LIST])
BEGUN, STORY = TypeAdapter(dict[str, Begun]), TypeAdapter(Told)
OURS = Path(str(files("assets") / "examples.json"))


def primary(language: Language) -> str:
    """The code of a language in whatever region."""
    return language.code.partition("-")[0].lower()


def examples(path: Path | None = None, source: Language | None = None) -> list[dict[str, str]]:
    """The clickable sentences: `shows` says what each is good for, and `opens_at` which word it opens at.

    They are ours in the language that is read (`source`, or that of the voice), if we have any, or those of a file of
    the same form; one that is a list alone is for whatever is read. In the file, `shows` is one text for all languages
    of the page, or a text for each: {"en": ..., "de": ...}; one that has none gets the first's.
    `opens_at` is what the rule of telling.py finds with the shipped model, which a test holds; the page goes by the
    rule, so that another model opens at a step of its own.
    Raises ValueError, with a sentence, where the file is faulty.
    """
    found = read_examples(path or OURS, primary(source or LANGUAGE_CONTEXT.get().languages.source))
    if path and not found:
        raise ValueError(f"{path}: it has no sentences in the language that the model reads.")
    return [
        {**example.model_dump(), "shows": text_in(example.shows, LANGUAGE_CONTEXT.get().language)} for example in found
    ]


def read_examples(path: Path, code: str) -> list[Example]:
    with with_path(path):
        text = read_text(path, LARGEST, encoding="utf-8-sig")  # Notepad's mark
        if text.lstrip().startswith("{"):
            return BY_LANGUAGE.validate_json(text).get(code, [])
        return EXAMPLES.validate_json(text)


def recorded(record: Mapping[str, Any]) -> list[dict[str, str]]:
    """The sentences that a checkpoint brings along: a list of texts under "examples" of its record."""
    return themselves(record.get("examples", []))


def told(story: Path | None) -> list[dict[str, str]]:
    """Those of the story of a checkpoint's training, none where it cannot be read, which its player then says."""
    try:
        found = from_json(gzip.decompress(story.read_bytes())) if story else {}
        return themselves(STORY.validate_python(found)["sentences"])
    except (OSError, EOFError, zlib.error, ValueError):
        return []


def themselves(sentences: Sequence[str | Mapping[str, Any]]) -> list[dict[str, str]]:
    """Sentences that say nothing but themselves, as many as stand in one row: a second would take Explore's room."""
    texts = (one if isinstance(one, str) else one["sentence"] for one in sentences)
    found = [text for text in texts if text.strip() and len(text) <= MAX_CHARACTERS]
    labels = [cropped(text) for text in found[:MOST]]
    ends = accumulate(columns(label)[-1] + AROUND for label in labels)
    return [
        {"shows": label, "sentence": text, "opens_at": ""}
        for label, text, end in zip(labels, found[:MOST], ends, strict=True)
        if end <= ROW
    ]


def columns(text: str) -> list[int]:
    """Where each sign of a text ends, in columns; a Chinese one takes two."""
    return list(accumulate(2 if east_asian_width(sign) in "WF" else 1 for sign in text))


def cropped(text: str) -> str:
    """A text of LABEL columns at most, cut behind a word where it has blanks."""
    ends = columns(text)
    if ends[-1] <= LABEL:
        return text
    kept = bisect_right(ends, LABEL - 1)  # and a column for the ellipsis
    words = text[: kept + 1].rpartition(" ")[0].rstrip(" ,;:.")
    return f"{words or text[:kept]}…"


@cache
def begun() -> dict[str, Begun]:
    return BEGUN.validate_json(read_text(OURS.with_name("tab_sentences.json"), LARGEST, encoding="utf-8"))


def begun_with() -> Begun:
    """What two tabs begin with in the language that is read; nothing, where we have no sentences in it."""
    return begun().get(primary(LANGUAGE_CONTEXT.get().languages.source), Begun(masks=(), order=()))
